"""A term as a picture: a lane for each node, with a cell for its part of each component of the term.

shapes = picture(RunCache(run), rect, theme, Options(scale=1.0), choice=None)

Histories are ribbons of cells with the same left edge, which shows which one is a prefix of which. Ids for picking:
"node:3" (a lane).
"""

from __future__ import annotations

from math import inf
from typing import NamedTuple

from algorithms.engine.rewrite.rewriting import PHI, History
from visual.analysis.run_cache import Moment, RunCache
from visual.analysis.term_layout import Chip, Light, NodeLane, Ribbon, TermLayout, current_layout, event_text
from visual.drawing import fonts, icons, marks
from visual.drawing.shapes import Box, Circle, Group, Line, Mark, Rect, Shape, Text, with_pitch
from visual.drawing.theme import Theme, load
from visual.scene.graph.nodes import PITCH
from visual.scene.options import PLAIN, Options
from visual.words import node_name

_COLUMNS = {  # component -> (words of its heading, width as a share of all)
    "Q": ("to send", 1.4),
    "P": ("local history", 3.7),
    "I": ("received", 1.75),
    "O": ("sent", 1.75),
    "W": ("traps", 1.3),
}
_CELLS = {  # what the signs mean
    "wanting": "has something to send",
    "data": "a datum",
    "mark": "φ: the mark of a turn",
    "new": "made by the rule",
    "gone": "taken away by it",
    "matched": "matched by it",
}
_MOST = 3  # messages or traps of a node below one another
_HIGHEST, _WIDTH = 118.0, 1180.0  # logical pixels of a lane; where there are more, everything grows
_MOST_GROWN = 1.6


class TermGrid(NamedTuple):
    """The grid of the picture: columns by component, lanes from `top` on, each `lane` high; sizes in pixels."""

    names: Rect
    columns: dict[str, Rect]
    top: float
    lane: float
    size: float  # of text
    small: float  # of secondary text
    cell: float  # width of an event in a history
    stroke: float


def picture(
    cache: RunCache, rect: Rect, theme: Theme, options: Options = PLAIN, choice: int | None = None
) -> list[Shape]:
    """The term of the run, back to front, with the effects of the last step.

    `choice` is the index of an applicable rule instance, whose matches are lit.
    """
    return cache.get(_drawn, Moment(cache.run), rect, theme.name, options, choice)


def _drawn(moment: Moment, rect: Rect, theme_name: str, options: Options, choice: int | None) -> list[Shape]:
    run, theme = moment.run, load(theme_name)
    sheet = current_layout(run, choice)
    most = max(run.process_class.history, len(sheet.longest))  # type: ignore[attr-defined]
    grid = _grid(sheet, most, rect, theme, options)
    shapes = _headings(sheet, grid, theme)
    if sheet.common is not None:
        shapes += _common(sheet.common, sheet, grid, theme)
    for lane in sheet.lanes:
        selected = options.selected == f"node:{lane.node}"
        row = _row(grid, lane.node + (sheet.common is not None))
        shapes.append(Group(tuple(_lane(lane, sheet, row, grid, theme, selected)), id=f"node:{lane.node}"))
    return [*shapes, *_key(_on_screen(sheet), rect, grid, theme)]


def _grid(sheet: TermLayout, most: int, rect: Rect, theme: Theme, options: Options) -> TermGrid:
    """The grid of a rectangle; it depends on the system and its bounds only, so that nothing moves."""
    scale, rows = options.scale, len(sheet.lanes) + (sheet.common is not None)
    grown = max(1.0, min(_MOST_GROWN, rect.w / (_WIDTH * scale), rect.h / (rows * _HIGHEST * scale)))
    size = 19 * scale * (1.9 if options.presenting else grown)
    small = options.presented if options.presenting else 15 * scale * grown
    pad = 18 * scale
    top, foot = rect.y + pad + 2.2 * small, 2.6 * small
    lane = min((rect.y + rect.h - foot - top) / rows, _HIGHEST * scale * (1.5 if options.presenting else grown))
    size = min(size, lane / 3.6)
    names = Rect(rect.x + pad, top, 5.4 * size, lane * rows)
    visible = [name for name in _COLUMNS if name in sheet.components or (name == "P" and sheet.common is not None)]
    shares = {name: _COLUMNS[name][1] for name in visible}
    shares["P"] = min(shares["P"], 0.8 + 0.4 * most)  # short histories leave room for the others
    whole = sum(shares.values())
    left, room = names.x + names.w, rect.x + rect.w - pad - names.x - names.w
    columns = {}
    for name in visible:
        width = room * shares[name] / whole
        beside = 1.5 if name == "Q" else 0.6  # to its right is the sign of a token that carries a history
        columns[name] = Rect(left, top, width - beside * size, lane * rows)
        left += width
    cell = min(columns["P"].w / most, 2.9 * size)
    return TermGrid(names, columns, top, lane, size, small, cell, theme.sizes.stroke * scale)


def _row(grid: TermGrid, number: int) -> Rect:
    """The rectangle of a lane, counted from the top."""
    last = list(grid.columns.values())[-1]
    width = last.x + last.w - grid.names.x
    return Rect(grid.names.x, grid.top + number * grid.lane, width, grid.lane)


def _headings(sheet: TermLayout, grid: TermGrid, theme: Theme) -> list[Shape]:
    """The letter and the word over each column."""
    shapes: list[Shape] = []
    y = grid.top - 1.1 * grid.small
    for name, column in grid.columns.items():
        letter = name if name in sheet.components else "H"
        words = _COLUMNS[name][0] if name in sheet.components else "history"
        after = column.x + fonts.width(f"{letter}  ", grid.size, weight="bold")
        shapes.append(Text(column.x, y, letter, grid.size, theme.ink, "bold", baseline="middle"))
        if fonts.fits(words, column.x + column.w - after, grid.small):
            shapes.append(Text(after, y, words, grid.small, theme.muted, baseline="middle"))
    return shapes


def _common(ribbon: Ribbon, sheet: TermLayout, grid: TermGrid, theme: Theme) -> list[Shape]:
    """The global history, above the lanes."""
    row = _row(grid, 0)
    name = Text(row.x, row.y + row.h / 2, "H  of all", grid.small, theme.ink, "bold", baseline="middle")
    cells = _ribbon(ribbon, sheet.longest, grid.columns["P"].x, row.y + row.h / 2, grid, theme)
    return [_ruled(row, grid, theme), name, *cells]


def _ruled(row: Rect, grid: TermGrid, theme: Theme) -> Line:
    return Line(row.x, row.y, row.x + row.w, row.y, theme.rule, grid.stroke / 2)


def _lane(lane: NodeLane, sheet: TermLayout, row: Rect, grid: TermGrid, theme: Theme, selected: bool) -> list[Shape]:
    middle = row.y + row.h / 2
    ground = theme.lit if selected else theme.paper
    shapes: list[Shape] = [Box(*row, ground, None, 0), _ruled(row, grid, theme)]
    shapes += _node(lane, row, grid, theme)
    shapes += _chips(lane.data, grid.columns["Q"], middle, grid, theme)
    if lane.ribbons:
        shapes += _ribbons(lane, sheet, row, grid, theme)
    for name, chips in (("I", lane.received), ("O", lane.sent)):
        if name in grid.columns:
            shapes += _messages(chips, grid.columns[name], row, grid, theme)
    if "W" in grid.columns:
        shapes += _chips(lane.traps, grid.columns["W"], middle, grid, theme)
    return shapes


def _node(lane: NodeLane, row: Rect, grid: TermGrid, theme: Theme) -> list[Shape]:
    """The node, drawn as waiting if it has something to send, with the token beside it if it holds it."""
    waits = _waits(lane)
    look = theme.states["wanting" if waits else "idle"]
    radius = min(0.36 * row.h, 1.55 * grid.size)
    x, y = row.x + radius + grid.stroke, row.y + row.h / 2
    size = min(grid.size, radius)
    shapes: list[Shape] = [
        Circle(x, y, radius, with_pitch(look.fill, PITCH * grid.stroke), look.ring, grid.stroke * (2 if waits else 1)),
        Text(x, y, node_name(lane.node), size, look.ink, "bold", "sans", "middle", "middle", look.halo),
    ]
    if not lane.has_token:
        return shapes
    at, reach = (x + radius + 0.75 * grid.size, y), 0.62 * grid.size
    plate = Rect(at[0] - 1.25 * reach, at[1] - 1.25 * reach, 2.5 * reach, 2.5 * reach)
    sign = icons.token(at, reach, "held", theme, 0.8 * grid.stroke)
    sign = [Group(tuple(sign), opacity=0.35)] if lane.token_light == "gone" else sign
    return [*shapes, *_under(plate, lane.token_light, grid, theme), *sign]


def _waits(lane: NodeLane) -> bool:
    """Whether the node has something to send."""
    return any(chip.light != "gone" for chip in lane.data)


# ---- histories ---------------------------------------------------------------------------------------------


def _ribbons(lane: NodeLane, sheet: TermLayout, row: Rect, grid: TermGrid, theme: Theme) -> list[Shape]:
    """The local history, and below it the histories in messages, each with its message's sign."""
    shapes: list[Shape] = []
    left = grid.columns["P"].x
    visible = lane.ribbons[:_MOST]
    pitch = row.h / (max(len(visible), 2) + 0.2)
    for number, ribbon in enumerate(visible):
        y = row.y + (number + 0.6) * pitch if "O" in grid.columns else row.y + row.h / 2
        shapes += _ribbon(ribbon, sheet.longest, left, y, grid, theme)
    return shapes


def _ribbon(ribbon: Ribbon, longest: History, left: float, y: float, grid: TermGrid, theme: Theme) -> list[Shape]:
    """One history; an event that differs from the longest history is a breach."""
    size, height = grid.size, 1.65 * grid.size
    shapes: list[Shape] = []
    if ribbon.light:
        width = max(len(ribbon.events), 1) * grid.cell
        is_lit = ribbon.light == "matched" or not ribbon.events or ribbon.carrier  # new events are by themselves
        shapes += _under(Rect(left, y - height / 2, width, height), ribbon.light if is_lit else "", grid, theme)
    if ribbon.carrier:
        shapes += icons.token((left - 0.62 * size, y), 0.5 * size, "held", theme, 0.7 * grid.stroke)
    if not ribbon.events:
        return [*shapes, Text(left + 0.2 * size, y, "∅", size, theme.muted, baseline="middle")]
    for number, event in enumerate(ribbon.events):
        box = Rect(left + number * grid.cell, y - height / 2, grid.cell, height)
        agrees = longest[number : number + 1] == (event,)
        shapes += _cell(event, box, number >= ribbon.fresh, agrees, grid, theme)
    return shapes


def _cell(
    event: tuple[str | int, int], box: Rect, fresh: bool, agrees: bool, grid: TermGrid, theme: Theme
) -> list[Shape]:
    """One event: a datum dark, the mark of a turn light."""
    is_mark = event[0] == PHI
    fill, ink = (theme.card, theme.ink) if is_mark else (theme.ink, theme.paper)
    if fresh and not is_mark:
        fill, ink = theme.accent, theme.on_accent
    edge = theme.accent if fresh else theme.ink if not is_mark else theme.edge
    if not agrees:
        fill, ink, edge = theme.fault, theme.paper, theme.fault
    text = event_text(event)
    size = fonts.shrink(text, box.w - 0.25 * grid.size, 0.85 * grid.size, 0.3 * grid.size, weight="bold")
    width = grid.stroke * (0.9 if fresh else 0.4)
    inner = Rect(box.x + 1, box.y, box.w - 2, box.h)
    return [
        Box(*inner, fill, edge, width, 0.2 * grid.size),
        Text(box.x + box.w / 2, box.y + box.h / 2, text, size, ink, "bold", "sans", "middle", "middle"),
    ]


# ---- chips and messages ------------------------------------------------------------------------------------


def _counted(chips: tuple[Chip, ...], most: int) -> list[Chip]:
    """As many chips as fit; the last one counts the others."""
    if len(chips) <= most:
        return list(chips)
    return [*chips[: most - 1], Chip(f"+{len(chips) - most + 1}")]


def _chips(chips: tuple[Chip, ...], column: Rect, middle: float, grid: TermGrid, theme: Theme) -> list[Shape]:
    """Data or traps in boxes, in rows."""
    gap = 0.3 * grid.size
    width = min(2.5 * grid.size, max((column.w - gap) / 2, 1.7 * grid.size))
    across = max(1, int((column.w + gap) / (width + gap)))
    down = max(1, int(grid.lane / (1.3 * grid.size + gap)))
    visible = _counted(chips, across * down)
    rows = [visible[k : k + across] for k in range(0, len(visible), across)]
    height = min(1.65 * grid.size, grid.lane / max(len(rows), 1) - gap)
    top = middle - (len(rows) * (height + gap) - gap) / 2
    shapes: list[Shape] = []
    for number, row in enumerate(rows):
        for place_in_row, chip in enumerate(row):
            box = Rect(column.x + place_in_row * (width + gap), top + number * (height + gap), width, height)
            shapes += _boxed(chip, box, grid, theme)
    return shapes


def _boxed(chip: Chip, box: Rect, grid: TermGrid, theme: Theme) -> list[Shape]:
    size = fonts.shrink(chip.text, box.w - 0.4 * grid.size, 0.9 * grid.size, 0.4 * grid.size, "sans", "bold")
    dash = (grid.stroke, grid.stroke) if chip.light == "gone" else ()
    ink = theme.muted if chip.light == "gone" else theme.ink
    return [
        *_under(box, chip.light, grid, theme),
        Box(*box, None if chip.light else theme.card, ink, grid.stroke / 2, 0.3 * grid.size, dash),
        Text(box.x + box.w / 2, box.y + box.h / 2, chip.text, size, ink, "bold", "sans", "middle", "middle"),
    ]


def _messages(chips: tuple[Chip, ...], column: Rect, row: Rect, grid: TermGrid, theme: Theme) -> list[Shape]:
    """Messages as pills below one another; those removed by the rule are outlines."""
    visible = _counted(chips, max(1, min(_MOST, int(row.h / (1.55 * grid.size)))))
    pitch = row.h / max(len(visible), 1)
    shapes: list[Shape] = []
    for number, chip in enumerate(visible):
        y = row.y + (number + 0.5) * pitch
        if not chip.family:
            shapes.append(Text(column.x, y, chip.text, grid.small, theme.muted, baseline="middle"))
            continue
        usual = min(0.8 * grid.size, pitch / 2.6)
        size = usual * min(1.0, column.w / marks.extent(Mark(0, 0, chip.family or "ask", chip.text, usual)).w)
        mark = Mark(0, 0, chip.family, chip.text, size)
        extent = marks.extent(mark)
        mark = mark._replace(x=column.x - extent.x, y=y)
        plate = Rect(column.x, y - extent.h / 2, extent.w, extent.h)
        shapes += _under(plate, chip.light, grid, theme, (pitch - plate.h) / 2)
        shapes += _outline(mark, plate, grid, theme) if chip.light == "gone" else [mark]
    return shapes


def _outline(mark: Mark, box: Rect, grid: TermGrid, theme: Theme) -> list[Shape]:
    """The outline of a message that the rule has removed, as of a datum or a trap."""
    x, y = box.x + box.w / 2, box.y + box.h / 2
    return [
        Box(*box, None, theme.muted, grid.stroke / 2, box.h / 2, (grid.stroke, grid.stroke)),
        Text(x, y, mark.label, mark.size, theme.muted, "bold", "sans", "middle", "middle"),
    ]


# ---- lights ------------------------------------------------------------------------------------------------


def _under(box: Rect, light: Light, grid: TermGrid, theme: Theme, air: float = inf) -> list[Shape]:
    """The light behind a term that the rule has made, or would match; `air` is the gap to the next term."""
    if light not in ("new", "matched"):
        return []
    off = min(0.16 * grid.size, air - 0.45 * grid.stroke)
    around = Rect(box.x - off, box.y - off, box.w + 2 * off, box.h + 2 * off)
    fill = theme.lit_now if light == "matched" else theme.lit
    return [Box(*around, fill, theme.accent, 0.9 * grid.stroke, 0.45 * grid.size)]


def _on_screen(sheet: TermLayout) -> list[str]:
    """The signs in the term, in the order of the legend."""
    ribbons = [ribbon for lane in sheet.lanes for ribbon in lane.ribbons]
    if sheet.common is not None:
        ribbons.append(sheet.common)
    chips = [chip for lane in sheet.lanes for chip in (*lane.data, *lane.received, *lane.sent, *lane.traps)]
    signs: set[str] = {lane.token_light for lane in sheet.lanes}
    signs |= {ribbon.light for ribbon in ribbons} | {chip.light for chip in chips}
    if any(_waits(lane) for lane in sheet.lanes):
        signs.add("wanting")
    signs |= {"mark" if event[0] == PHI else "data" for ribbon in ribbons for event in ribbon.events}
    if any(ribbon.fresh < len(ribbon.events) for ribbon in ribbons):
        signs.add("new")
    return [sign for sign in _CELLS if sign in signs]


def _key(signs: list[str], rect: Rect, grid: TermGrid, theme: Theme) -> list[Shape]:
    """The legend of cells and lights, in a row at the bottom."""
    size, side = grid.small, 1.2 * grid.small
    widths = [side + 0.5 * size + fonts.width(_CELLS[sign], size) for sign in signs]
    room = rect.x + rect.w - grid.names.x - size
    while sum(widths) + 1.2 * size * (len(widths) - 1) > room:
        widths.pop()
    y, x = rect.y + rect.h - 1.3 * size, grid.names.x
    shapes: list[Shape] = []
    for sign, width in zip(signs, widths, strict=False):
        box = Rect(x, y - side / 2, side, side)
        shapes += _sign(sign, box, grid, theme)
        shapes.append(Text(x + side + 0.5 * size, y, _CELLS[sign], size, theme.muted, baseline="middle"))
        x += width + 1.2 * size
    return shapes


def _sign(sign: str, box: Rect, grid: TermGrid, theme: Theme) -> list[Shape]:
    stroke, round_off = 0.6 * grid.stroke, 0.2 * grid.small
    if sign == "wanting":
        look, radius = theme.states["wanting"], box.w / 2
        return [
            Circle(box.x + radius, box.y + radius, radius, with_pitch(look.fill, PITCH * stroke), look.ring, 2 * stroke)
        ]
    if sign in ("new", "matched"):  # behind a cell, as in the term
        inner = Rect(box.x + 0.25 * box.w, box.y + 0.25 * box.h, 0.5 * box.w, 0.5 * box.h)
        ground = theme.lit if sign == "new" else theme.lit_now
        around = Box(*box, ground, theme.accent, 1.5 * stroke, round_off)
        return [around, Box(*inner, theme.card, theme.edge, stroke, round_off / 2)]
    looks = {
        "data": (theme.ink, theme.ink, ()),
        "mark": (theme.card, theme.edge, ()),
        "gone": (None, theme.muted, (grid.stroke, grid.stroke)),
    }
    fill, edge, dash = looks[sign]
    return [Box(*box, fill, edge, stroke, round_off, dash)]
