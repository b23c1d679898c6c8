"""Panels, made of shapes and widgets, and the parts that they share."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from visual.drawing import fonts
from visual.drawing.shapes import Box, Line, Rect, Shape, Text, stacked
from visual.drawing.theme import load
from visual.window import intents
from visual.window.desk import Desk
from visual.window.intents import Do
from visual.window.run_view import RunView
from visual.window.state import Interface
from visual.window.widgets import Look, Scroller, Target, Touch, Widget
from visual.words import node_name

HINT_DELAY = 0.5  # seconds of rest on a button before its hint appears


class View(NamedTuple):
    """The arguments of a panel: interface, runs, look and region."""

    interface: Interface
    desk: Desk
    run: RunView
    look: Look
    region: Rect

    def below(self, top: float) -> Rect:
        """The part of the region below `top`, at least one line of a list high."""
        x, y, w, h = self.region
        return Rect(x, top, w, max(y + h - top, self.look.dense))


class Panel(NamedTuple):
    """A built panel: its shapes, back to front, and the widgets above them.

    `start` is the id of the widget that the keyboard reaches first; by default the first one.
    """

    shapes: tuple[Shape, ...] = ()
    widgets: tuple[Widget, ...] = ()
    start: str = ""


def blackness(interface: Interface) -> Box:
    """The whole window in black: a projector then shows nothing."""
    return Box(0, 0, interface.display.width, interface.display.height, "#000000")


def sheet(interface: Interface, theme: str) -> Box:
    """The whole window in a theme's paper, behind postponed panels."""
    return Box(0, 0, interface.display.width, interface.display.height, load(theme).paper)


def ground(view: View, colour: str | None = None) -> Box:
    """The panel's background."""
    return Box(*view.region, colour or view.look.theme.chrome)


def heading(look: Look, x: float, y: float, words: str) -> Text:
    """A panel's heading with its middle at y."""
    return Text(x, y, words, look.px(18), look.theme.muted, "bold", baseline="middle")


def level_rule(look: Look, x1: float, x2: float, y: float) -> Line:
    """A thin level line between two panels."""
    return Line(x1, y, x2, y, look.theme.rule, look.rule)


def upright_rule(look: Look, x: float, y1: float, y2: float) -> Line:
    """A thin upright line between two panels."""
    return Line(x, y1, x, y2, look.theme.rule, look.rule)


def touch_of(panel: str, interface: Interface) -> Touch:
    """The part of pointer and keyboard that is on a panel."""
    pointer, own = interface.pointer, f"{panel}."
    ids = (pointer.hover, pointer.pressed, pointer.focus)
    hover, pressed, focus = (name if name.startswith(own) else "" for name in ids)
    if panel == "menu" and interface.menu and interface.field is None:
        focus = f"menu.{interface.menu.at}"
    return Touch(hover, pressed, focus)


_MARGIN = 2  # visible lines beyond the present one


class ListWindow(NamedTuple):
    """The visible part of a list."""

    name: str  # of its panel
    box: Rect
    line: float  # the height of a line, in pixels
    total: int  # number of lines
    first: int  # visible line

    @property
    def capacity(self) -> int:
        """The number of lines that fit."""
        return round(self.box.h / self.line)

    @property
    def offset(self) -> float:
        """The scroll position, in pixels from the top."""
        return self.first * self.line

    def places(self) -> Iterator[tuple[int, Rect]]:
        """The visible lines, each with its rectangle."""
        for row, place in enumerate(range(self.first, min(self.first + self.capacity, self.total))):
            yield place, Rect(self.box.x, self.box.y + row * self.line, self.box.w, self.line)

    def target(self, name: str, line: Rect, look: Look, does: Do, hint: str = "") -> Target:
        """A visible line as something to click, with room for the scroll bar beside it."""
        return Target(f"{self.name}.{name}", line._replace(w=line.w - look.px(12)), does, hint, dense=True)

    @property
    def scroller(self) -> Scroller:
        """The scroller that moves it."""
        return Scroller(f"{self.name}.list", self.box, self.total * self.line, self.offset)


def list_window(
    view: View, name: str, box: Rect, count: int, present: int | None = None, line: float | None = None
) -> ListWindow:
    """A list of `count` lines in a box, each `line` pixels high, which follows its `present` line.

    It keeps still while that line is visible and, after scrolling by hand, until the step changes.
    """
    interface, line = view.interface, line or view.look.dense
    capacity = max(1, int(box.h / line))
    first = round(interface.scrolls.of(name) / line)
    if present is not None and not interface.scrolls.is_browsed(name, view.run.timeline.step):
        margin = min(_MARGIN, (capacity - 1) // 2)
        first = max(min(first, present - margin), present + margin - capacity + 1)
    first = min(max(first, 0), max(count - capacity, 0))
    return ListWindow(name, box._replace(h=capacity * line), line, count, first)


def flow_lines(view: View, name: str, box: Rect, heights: Sequence[float]) -> tuple[list[tuple[int, Rect]], Scroller]:
    """Lay lines of these heights out in a box: the places and rectangles of the fully visible ones."""
    content = sum(heights)
    offset = min(view.interface.scrolls.of(name), max(content - box.h, 0.0))
    visible: list[tuple[int, Rect]] = []
    top = box.y - offset
    for place, height in enumerate(heights):
        if top >= box.y - 1 and top + height <= box.y + box.h + 1:
            visible.append((place, Rect(box.x, top, box.w, height)))
        top += height
    return visible, Scroller(f"{name}.list", box, content, offset)


def highlight(look: Look, box: Rect) -> Box:
    """The background of the present line; an outline in print, which has no colours."""
    theme = look.theme
    outline = theme.ink if theme.lit_now == theme.paper else None
    return Box(*box, theme.lit_now, outline, look.rule, look.px(4))


def paragraph(look: Look, words: str, box: Rect) -> list[Shape]:
    """A muted text wrapped from the top of a box; lines that do not fit are left out."""
    size = look.size("small")
    height = fonts.LINE_HEIGHT * size
    lines = fonts.wrap(words, box.w, size)[: int(box.h / height)]
    return [
        Text(box.x, box.y + (place + 0.5) * height, line, size, look.theme.muted, baseline="middle")
        for place, line in enumerate(lines)
    ]


class Switch(NamedTuple):
    """A small button: an action, or one of the states of a choice with `on` set."""

    name: str
    words: str
    does: Do
    hint: str = ""
    on: bool = False


def kind_switches(interface: Interface, kinds: Mapping[str, str]) -> list[Switch]:
    """Switches for the kinds of events in a list; `kinds` maps each to its label."""
    hidden = interface.pages.events.hidden
    return [
        Switch(kind, word, intents.filter_kind(kind), f"list {word}, or not", kind not in hidden)
        for kind, word in kinds.items()
    ]


def node_switch(interface: Interface) -> Switch:
    """A switch that limits a list to the selected node's events."""
    node = interface.node
    who = "of the selected node" if node is None else f"of {node_name(node)} only"
    return Switch(
        "node", who, intents.filter_node(), "only what is the selected node's", interface.pages.events.of_node
    )


def switches(view: View, panel: str, switches: Sequence[Switch]) -> tuple[list[Shape], list[Target], float]:
    """Switches in rows from the top of the region: shapes, targets, and the rows' lower end."""
    look, region = view.look, view.region
    size, height, gap = look.size("small"), look.dense, look.px(8)
    shapes: list[Shape] = []
    targets: list[Target] = []
    left, top = region.x, region.y
    for switch in switches:
        width = min(fonts.width(switch.words, size, weight="bold") + look.px(22), region.w)
        if left + width > region.x + region.w and left > region.x:
            left, top = region.x, top + height + gap
        box = Rect(left, top, width, height)
        shapes += _switch(look, switch, box, size)
        targets.append(Target(f"{panel}.{switch.name}", box, switch.does, switch.hint, dense=True))
        left += width + gap
    return shapes, targets, top + height + gap if switches else top


def _switch(look: Look, switch: Switch, box: Rect, size: float) -> list[Shape]:
    theme = look.theme
    fill, ink = (theme.accent, theme.on_accent) if switch.on else (theme.card, theme.ink)
    middle = box.y + box.h / 2
    words = fonts.shorten(switch.words, box.w - look.px(12), size, weight="bold")
    return [
        Box(*box, fill, theme.ink, look.rule, box.h / 2),
        Text(box.x + box.w / 2, middle, words, size, ink, "bold", anchor="middle", baseline="middle"),
    ]


SMALLEST = 0.72  # share of the usual size, for a long sentence in little room
SMALLEST_PRESENTED = 0.84  # likewise while presenting: 3 % of the window's height
_SIZES = (1.0, 0.93, 0.86, SMALLEST_PRESENTED, 0.79, SMALLEST)


def sentence(look: Look, words: str, left: float, middle: float, room: float) -> list[Text]:
    """A sentence in the largest size that fits; at the smallest it has two lines, and may end in an ellipsis."""
    sizes = [share * look.sentence for share in _SIZES if not look.presenting or share >= SMALLEST_PRESENTED]
    fitting = (size for size in sizes if len(fonts.wrap(words, room, size, weight="bold")) <= look.lines)
    size = next(fitting, None)
    if size is None:
        from visual.narration.captions import cut  # the first frame does without

        words = cut(words, lambda some: len(fonts.wrap(some, room, sizes[-1], weight="bold")) <= 2)
    lines = fonts.lines(words, room, size or sizes[-1], look.lines if size else 2, weight="bold")
    return stacked(lines, left, middle, size or sizes[-1], look.theme.ink, "bold")


def middle_of(look: Look, top: float) -> float:
    """The y of the sentence's middle in a bar that begins at `top`."""
    return top + 12 * look.control + look.sentence_room / 2
