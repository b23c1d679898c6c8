"""The layout of the window: its regions, for any size and any text scale, and the panes of one or two runs."""

from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from visual.drawing import fonts, theme
from visual.drawing.picking import contains
from visual.drawing.shapes import NOWHERE, Box, Rect, Shape, Text, stacked
from visual.window import intents, keys
from visual.window.desk import AIMS, Desk
from visual.window.panel import Panel, View, ground, level_rule, upright_rule
from visual.window.state import Display, Interface
from visual.window.widgets import Look, Target

DESIGN = (1920.0, 1080.0)  # size at which a logical pixel is a pixel
SMALLEST_UNIT = 0.72  # keeps text readable in small windows: 18 logical pixels are 13 pixels
LEAST_ROOM = (640.0, 360.0)  # logical pixels that remain at any text size
PRESENTING = 2.0  # factor for text while presenting; buttons stay, since a remote control needs none
NARROW = 700.0  # logical pixels: below this the sentence has two lines
WIDE, HIGH = 980.0, 620.0  # logical pixels needed for the side panels, and for the space-time diagram

COLUMN = 220.0  # logical pixels: least width of the column beside the graph, for legend and cards
LEGEND, EDGE = 248.0, 9.0  # … of a legend with the longest words, and around it in a presentation
LEGEND_ROW, LEGEND_LINES = 44.0, 60.0  # logical pixels: the legend below two graphs, usually and in a presentation
CHIPS = 56.0  # logical pixels beside a node at the right edge, for the messages waiting there
BESIDE_PAGE = 0.5  # share of the column for a lesson's card above another page
LESSON_BAND = 0.4  # share of the height for the card of a lesson, without a column
LECTURE_BAND = 0.48  # … and before a class, where it takes the place of the bar at the bottom
LOCAL_BAND, TALL_BAND = 0.52, 0.7  # likewise, beside one node's knowledge, and of a step with much to choose from
STAGE_BAND = 0.07  # share of the height for lights or counters on the stage
STAGE_SOURCE = 0.46  # share of the width for the source on the stage
LEAST_WIDTH = 0.5  # of the nodes' rectangle, in the shorter sides of the graph's region
MOST_WIDTH = 1.51  # … and in its own heights; a ring gains nothing beyond …
BESIDE_LEGEND = 1.6  # … and beside a legend of several columns
FLAT_WIDTH = 0.6  # … unless the region is flat: then it takes this share of the region's width


class Regions(NamedTuple):
    """The parts of the window, in whole pixels, so that no row is left out; NOWHERE for those without room or off."""

    header: Rect
    graph: Rect
    strip: Rect  # space-time
    side: Rect
    foot: Rect
    lesson: Rect = NOWHERE  # the card of a lesson: the upper part of the column, or a band above the foot
    lights: Rect = NOWHERE  # on the stage: a band below the header,
    counters: Rect = NOWHERE  # … a band above the foot,
    source: Rect = NOWHERE  # … and the right part of the room between them
    classroom: Rect = NOWHERE  # what is left of the window for the views, and the card of a class beside or above them


class Pane(NamedTuple):
    """The regions of one run: its title (of two runs only), graph and space-time diagram."""

    title: Rect
    graph: Rect
    strip: Rect


def unit(display: Display) -> float:
    """Pixels per logical pixel of the design."""
    width, height = display.width, display.height
    fitting = max(min(width / DESIGN[0], height / DESIGN[1]), SMALLEST_UNIT)
    preferred = fitting * display.scale * (PRESENTING if display.presenting else 1.0)
    return max(0.25, min(preferred, width / LEAST_ROOM[0], height / LEAST_ROOM[1]))


def whole(interface: Interface) -> Rect:
    """The whole window."""
    return Rect(0, 0, interface.display.width, interface.display.height)


def look_of(interface: Interface) -> Look:
    """The colours and sizes for an interface."""
    return _look(interface.display)


@lru_cache(maxsize=8)
def _look(display: Display) -> Look:
    text = unit(display)
    control = text / PRESENTING if display.presenting else text
    return Look(theme.load(display.theme), text, control, display.width < NARROW * text, display.has_keys)


class Stage(NamedTuple):
    """The parts of the graph's region: nodes, legend and cards."""

    nodes: Rect
    legend: Rect
    cards: Rect


def legend_room(interface: Interface, graph: Rect) -> Rect:
    """The most that the legend of a presentation may take of the graph's region."""
    look = look_of(interface)
    edge = look.px(EDGE)
    rest = graph.w - look.px(CHIPS) - 3 * edge
    wide = rest - BESIDE_LEGEND * graph.h
    return Rect(graph.x + edge, graph.y + edge, wide, graph.h - 2 * edge)


def stage(interface: Interface, graph: Rect, is_pair: bool, wide: float = 0.0) -> Stage:
    """Divide the graph's region: a column for the legend at the left, the nodes in the middle of the rest.

    In a presentation the column is as `wide` as the legend of the run, in pixels.

    Without a column of panels the cards are below the legend. The legend's column stays free while it is empty, so
    that no node ever moves; where it would leave the nodes too little room, it lies above them, and beside a class's
    open card there is none.
    """
    look = look_of(interface)
    if is_pair:
        return _stage_of_two(look, graph)
    if shows_source(interface.display):
        return Stage(graph, NOWHERE, NOWHERE)
    margin, chips = look.px(EDGE if look.presenting else 18), look.px(CHIPS)
    most = max(MOST_WIDTH * graph.h, FLAT_WIDTH * graph.w)
    left_by_ring = graph.w - most - chips - margin
    usual = wide or min(look.px(LEGEND), left_by_ring)
    width = min(max(look.px(COLUMN), usual), graph.w - 2 * margin)
    column = Rect(graph.x + margin, graph.y + margin, width, graph.h - 2 * margin)
    beside = width + margin
    left = beside if graph.w - beside - chips >= LEAST_WIDTH * min(graph.w, graph.h) else 0.0
    right = min(max(graph.w - left - most, min(chips, 0.1 * graph.w)), beside)
    legend = column if left or not interface.display.class_column else NOWHERE
    return Stage(Rect(graph.x + left, graph.y, graph.w - left - right, graph.h), legend, column)


def _stage_of_two(look: Look, graph: Rect) -> Stage:
    """Divide the graph's region of one of two runs, which have legend and cards in a row below both."""
    chips, edge = min(look.px(CHIPS), 0.12 * graph.w), look.px(10)
    nodes = Rect(graph.x + chips, graph.y + edge, graph.w - 2 * chips, max(graph.h - 2 * edge, 1.0))
    return Stage(nodes, NOWHERE, NOWHERE)


def shares_column(interface: Interface, is_pair: bool) -> bool:
    """Whether the cards are below the legend, for want of a column of panels."""
    return not is_pair and not regions(interface).side.w


def has_legend(interface: Interface, is_pair: bool) -> bool:
    """Whether the legend is visible: an open inspector takes all of a shared column."""
    gives_way = interface.selection and "inspector" in interface.display.panels and shares_column(interface, is_pair)
    return "legend" in interface.display.panels and not gives_way and not shows_source(interface.display)


def shows_source(display: Display) -> bool:
    """Whether the source is on the stage, where it takes the room of legend and cards."""
    return display.presenting and "source" in display.stage


def panes(interface: Interface, is_pair: bool) -> tuple[Pane, ...]:
    """The pane of each run: graphs side by side with diagrams below, or two diagrams stacked."""
    whole = regions(interface)
    if not is_pair:
        return (Pane(NOWHERE, whole.graph, whole.strip),)
    look = look_of(interface)
    head = float(round(max(look.target, look.px(46))))  # the height of a title
    if not whole.graph.w:
        return tuple(Pane(*_headed(half, head)[:1], NOWHERE, _headed(half, head)[1]) for half in _stacked(whole.strip))
    graphs = (_headed(half, head) for half in _side_by_side(above_legend_row(interface, whole.graph)))
    return tuple(Pane(*both, strip) for both, strip in zip(graphs, _side_by_side(whole.strip), strict=True))


def legend_row(interface: Interface, graph: Rect) -> Rect:
    """The row below two runs for the legend, and for the reasons of waiting without a column."""
    has_one = "legend" in interface.display.panels and interface.local_node is None
    logical = LEGEND_LINES if interface.display.presenting else LEGEND_ROW
    height = float(round(look_of(interface).px(logical))) if has_one else 0.0
    return Rect(graph.x, graph.y + graph.h - height, graph.w, height)


def above_legend_row(interface: Interface, graph: Rect) -> Rect:
    """The region of two graphs, above the legend's row."""
    return Rect(graph.x, graph.y, graph.w, graph.h - legend_row(interface, graph).h)


def _headed(room: Rect, head: float) -> tuple[Rect, Rect]:
    """The row of a title, and the rest below it."""
    if room.h <= head:
        return room, NOWHERE
    return Rect(room.x, room.y, room.w, head), Rect(room.x, room.y + head, room.w, room.h - head)


def _side_by_side(room: Rect) -> tuple[Rect, Rect]:
    half = room.w // 2
    return Rect(room.x, room.y, half, room.h), Rect(room.x + half, room.y, room.w - half, room.h)


def _stacked(room: Rect) -> tuple[Rect, Rect]:
    half = room.h // 2
    return Rect(room.x, room.y, room.w, half), Rect(room.x, room.y + half, room.w, room.h - half)


def is_compact(display: Display) -> bool:
    """Whether the window has room for the essentials only."""
    return display.width / unit(display) < WIDE


def covers_all(display: Display) -> bool:
    """Whether a page takes the place of graph and diagram: a phone held upright has no room for a column."""
    is_alone = display.page != "run" and not display.presenting and not display.lesson_share
    return is_alone and is_compact(display) and display.height / unit(display) >= HIGH


def beside_graph(interface: Interface, page: str) -> Interface:
    """A copy with a page that nobody asked for; without it where it would cover the graph."""
    shown = interface.with_display(page=page)
    return interface.with_display(page="run") if covers_all(shown.display) else shown


def regions(interface: Interface) -> Regions:
    """The regions of the window."""
    return _regions(interface.display, interface.local_node is not None)


@lru_cache(maxsize=8)
def _regions(display: Display, is_local: bool) -> Regions:
    look = _look(display)
    width, height = float(display.width), float(display.height)
    if display.chrome_hidden:
        return _views(display, is_local, Rect(0, 0, width, height), NOWHERE, NOWHERE, NOWHERE)
    top = min(float(round(look.target + (38 if display.presenting else 20) * look.control)), height)
    is_lecture = display.presenting and display.lesson_share > 0
    lowest = look.sentence_room + look.button + (12 + 8 + 16) * look.control  # the caption and a row of buttons
    bottom = 0.0 if is_lecture else min(float(round(lowest)), height - top)
    header, foot = Rect(0, 0, width, top), Rect(0, height - bottom, width, bottom)
    middle = height - top - bottom
    if covers_all(display) and not is_local:
        return Regions(header, NOWHERE, NOWHERE, Rect(0, top, width, middle), foot)
    has_side = not display.presenting and not is_compact(display)
    side_width = round(min(max(width / 3, look.px(420)), look.px(640), 0.45 * width)) if has_side else 0.0
    side = Rect(width - side_width, top, side_width, middle) if has_side else NOWHERE
    lesson = NOWHERE
    if display.lesson_share and has_side:
        card = float(round(min(display.lesson_share, 1.0 if display.page == "run" else BESIDE_PAGE) * middle))
        card = middle if middle - card < look.target else card  # nothing has room below it
        lesson, side = side._replace(h=card), side._replace(y=top + card, h=middle - card)
    elif display.lesson_share:
        usual = LOCAL_BAND if is_local else LECTURE_BAND
        share = LESSON_BAND if not is_lecture else TALL_BAND if display.lesson_share == 1.0 else usual
        band = float(round(share * height))
        lesson, middle = Rect(0, top + middle - band, width, band), middle - band
    classroom = Rect(0, top, width - side_width, middle)
    band = float(round(min(display.class_band, middle / 2)))
    beside = float(round(min(display.class_column, classroom.w / 2)))
    room = Rect(beside, top + band, classroom.w - beside, middle - band)
    if display.presenting and display.stage and not is_local:
        return _staged(display, room, header, foot)._replace(lesson=lesson, classroom=classroom)
    return _views(display, is_local, room, header, side, foot)._replace(lesson=lesson, classroom=classroom)


def _staged(display: Display, room: Rect, header: Rect, foot: Rect) -> Regions:
    """The regions with panels on the stage."""
    band, none = float(round(STAGE_BAND * display.height)), 0.0
    above, below = (band if name in display.stage else none for name in ("lights", "counters"))
    middle = Rect(room.x, room.y + above, room.w, room.h - above - below)
    beside = float(round(STAGE_SOURCE * room.w)) if "source" in display.stage else none
    views = _views(display, False, middle._replace(w=room.w - beside), header, NOWHERE, foot)
    return views._replace(
        lights=Rect(room.x, room.y, room.w, above),
        counters=Rect(room.x, middle.y + middle.h, room.w, below),
        source=Rect(room.x + room.w - beside, middle.y, beside, middle.h),
    )


def _views(display: Display, is_local: bool, room: Rect, header: Rect, side: Rect, foot: Rect) -> Regions:
    """The graph above the space-time diagram, or one of them alone."""
    if display.view == "space-time" and not is_local:  # the local view has no diagram
        return Regions(header, NOWHERE, room, side, foot)
    high = room.h / _look(display).unit >= HIGH
    if display.view == "graph" or is_local or not high or display.presenting:
        return Regions(header, room, NOWHERE, side, foot)
    strip = round(room.h * 0.34)
    graph = Rect(room.x, room.y, room.w, room.h - strip)
    return Regions(header, graph, Rect(room.x, room.y + graph.h, room.w, strip), side, foot)


def place_at(interface: Interface, desk: Desk, x: float, y: float) -> int:
    """The place of the run at a point of the window; 0 if there is none."""
    areas = panes(interface, desk.is_pair)
    return next((k for k, pane in enumerate(areas) if any(contains(region, x, y) for region in pane)), 0)


def facing(interface: Interface, desk: Desk, place: int) -> Interface:
    """The interface for the run at a place, without a selection of the other run only."""
    is_shared = interface.node is not None
    return interface if is_shared or desk.place == place else replace(interface, selection=None)


def title(view: View, place: int) -> Panel:
    """The name of a run above its pane, and its cost so far; a click brings it to the front.

    The local view has the name only.
    """
    from visual.window.pages.run import per_turn  # the first frame does without

    look, region, interface = view.look, view.region, view.interface
    front = view.desk.place == place
    pad, middle = look.px(18), region.y + region.h / 2
    size, small = look.px(22), look.size("small")
    right = region.x + region.w - pad
    full = region.w - 3 * pad
    remark = _remark(view, place)
    left_width = fonts.width(view.run.name, size, weight="bold")
    if remark:
        left_width += look.gap + fonts.width(remark, small) + pad
    costs = per_turn(view.run) if interface.local_node is None else ()
    cost = next((cost for cost in costs if left_width + fonts.width(cost, small) <= full), costs[-1] if costs else "")
    room = full - fonts.width(cost, small)
    size = fonts.shrink(view.run.name, room, size, small, weight="bold")  # the costs are for comparison and stay
    name = fonts.lines(view.run.name, room, size, 2, weight="bold")
    left = region.x + pad
    beside = left + fonts.width(max(name, key=len), size, weight="bold") + look.gap
    is_below = len(name) == 1 and beside + fonts.width(remark, small) > region.x + room and bool(remark)
    by, start = (0.6 * size, left) if is_below else (0.0, beside)
    shapes: list[Shape] = [
        ground(view, look.theme.paper),
        *stacked(name, left, middle - by, size, look.theme.ink if front else look.theme.muted, "bold"),
        Text(right, middle, cost, small, look.theme.ink, anchor="end", baseline="middle"),
        *_remark_text(view, remark, start, middle + by, room),
        level_rule(look, region.x, region.x + region.w, region.y + region.h),
    ]
    if front:
        thick = look.px(4)
        shapes.append(Box(left, region.y + region.h - thick, region.w - 2 * pad, thick, look.theme.accent))
    if region.x > 0:  # beside the other run, not below it
        shapes.append(upright_rule(look, region.x, region.y, region.y + region.h))
    hint = f"panels about this run  {keys.hint(intents.other_run())}"
    return Panel(tuple(shapes), (Target(f"title{place}.name", region, intents.bring_to_front(place), hint),))


def _remark(view: View, place: int) -> str:
    """The difference from the other run, and whether actions apply to this one only."""
    only_here = view.desk.aim != AIMS[0] and place in view.desk.aim
    apart = short_names(view.desk)[view.desk.is_right(view.run)] if view.desk.is_pair else ""
    remarks = ("" if apart in view.run.name else apart, "acting here only" if only_here else "")
    return " · ".join(filter(None, remarks))


def _remark_text(view: View, words: str, left: float, middle: float, room: float) -> list[Text]:
    """The remark beside or below the name, shortened to the room; nothing if it is too short."""
    text = fonts.shorten(words, room - (left - view.region.x), view.look.size("small"))
    if not words or len(text) < min(len(words), 8):
        return []
    return [Text(left, middle, text, view.look.size("small"), view.look.theme.muted, baseline="middle")]


def short_names(desk: Desk) -> list[str]:
    """Column heads for the runs: their names, or their differences within one algorithm."""
    names = [run.name for run in desk.runs]
    if len(set(names)) < len(names):
        return [run.note or run.scenario.title or run.name for run in desk.runs]
    if len({run.scenario.algorithm for run in desk.runs}) == 1:
        return [run.scenario.variant or "as published" for run in desk.runs]
    return names
