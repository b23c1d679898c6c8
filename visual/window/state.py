"""The interface as a value: everything on screen that is not a run itself, in small values by what they are about."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, TypeAlias

from visual.window.intents import Intent
from visual.window.keys import Mode

View: TypeAlias = Literal["both", "graph", "space-time"]
VIEWS: tuple[View, ...] = ("both", "graph", "space-time")

SLOWEST, FASTEST = -3, 3  # speeds are powers of two: 1/8x to 8x
UNBOUND = 4  # the speed beyond 8x: as fast as it can
SMALLEST, LARGEST = 0.75, 3.0  # text scale
SCALE_STEPS = (0.75, 0.85, 1.0, 1.15, 1.3, 1.5, 1.75, 2.0, 2.5, 3.0)
LEAST_WIDTH, LEAST_HEIGHT = 320, 240  # pixels: a smaller window shows a part of this
NEAREST, FARTHEST = 8.0, 1.0  # zoom of the graph


# ---- what is shown, and how --------------------------------------------------------------------------------


class Display(NamedTuple):
    """The window's size and look, and which views, panels and page it shows."""

    width: int = 1280
    height: int = 720
    scale: float = 1.0  # of all text and widgets
    theme: str = "light"
    view: View = "both"
    panels: frozenset[str] = frozenset({"legend", "counters", "source", "waiting"})
    page: str = "run"  # of the column at the right
    only_local: bool = False  # only what the selected node knows
    presenting: bool = False
    chrome_hidden: bool = False
    full_screen: bool = False
    reduced_motion: bool = False


class Selection(NamedTuple):
    """What is selected: a node, a message by its serial number, or an event by its step."""

    kind: Literal["node", "message", "event"]
    number: int

    @staticmethod
    def of(shape_id: str) -> Selection | None:
        """The selection that a shape stands for, by its id: "node:3", "message:117", "event:41"; "" for none."""
        kind, _, number = shape_id.partition(":")
        return Selection(kind, int(number)) if number else None  # type: ignore[arg-type]

    @property
    def id(self) -> str:
        """The id of the shape that stands for it."""
        return f"{self.kind}:{self.number}"


# ---- time --------------------------------------------------------------------------------------------------


class Glide(NamedTuple):
    """The picture's time on its way from one moment to another, in wall time; `step` is executed on arrival."""

    start: float
    goal: float
    seconds: float  # how long it takes in all
    passed: float = 0.0
    step: bool = False


class Playback(NamedTuple):
    """How time passes in the picture."""

    playing: bool = False
    speed: int = 0  # power of two, or UNBOUND
    time: float = 0.0  # of the picture: somewhere between the last step and the next
    beat: float = 0.0  # seconds to wait before the next of several steps that happen at the same time
    crowd: int = 0  # how many steps have happened at this time
    glide: Glide | None = None
    goal: float | None = None  # the time that is being sought, a slice of the work in each tick

    @property
    def is_moving(self) -> bool:
        """Whether the picture changes by itself."""
        return self.playing or self.glide is not None or self.goal is not None


# ---- the pointer -------------------------------------------------------------------------------------------


class NodeDrag(NamedTuple):
    """The mouse button went down on a node at (x, y); `moves` once the pointer has left that place."""

    node: int
    x: float
    y: float
    moves: bool = False


class GraphDrag(NamedTuple):
    """The graph is dragged; the pointer was at (x, y)."""

    x: float
    y: float


class DiagramDrag(NamedTuple):
    """The space-time diagram is dragged; the pointer was at (x, y)."""

    x: float
    y: float


class WidgetPress(NamedTuple):
    """The mouse button went down on the widget of that id."""

    widget: str


Drag: TypeAlias = NodeDrag | GraphDrag | DiagramDrag | WidgetPress


class Pointer(NamedTuple):
    """What pointer and keyboard are on. Widgets are named by their ids; "" is none."""

    focus: str = ""  # widget that Enter presses
    hover: str = ""  # widget under the pointer
    hover_seconds: float = 0.0  # for how many seconds
    drag: Drag | None = None  # while the mouse button is down

    @property
    def pressed(self) -> str:
        """The widget on which the mouse button went down."""
        return self.drag.widget if isinstance(self.drag, WidgetPress) else ""


# ---- the graph and the diagram -----------------------------------------------------------------------------


class Camera(NamedTuple):
    """How the graph is looked at: magnified `zoom` times, moved by (x, y) pixels."""

    zoom: float = 1.0
    x: float = 0.0
    y: float = 0.0


class GraphView(NamedTuple):
    """How the graph is drawn: by which layout, with which nodes moved by hand, and from where it is seen."""

    layout: str = ""  # "": as the topology has it
    moved: tuple[tuple[int, tuple[float, float]], ...] = ()  # nodes and where they were put, in shares of the picture
    camera: Camera = Camera()


class DiagramView(NamedTuple):
    """How the space-time diagram is looked at: its axis, which way time goes, whose lines, and which stretch.

    A page is `zoom` times as short as usual. It begins at `start`; by default it follows the present.
    """

    logical: bool = False
    down: bool = False
    everybody: bool = False  # not only those who have to do with what is shown
    zoom: float = 1.0
    start: float | None = None


# ---- what lies over the panels -----------------------------------------------------------------------------


class Blank(NamedTuple):
    """The screen is blank, for the audience to look at the speaker."""


class OpenMenu(NamedTuple):
    """A menu, named by its id, and its highlighted entry."""

    name: str
    at: int = 0


class Help(NamedTuple):
    """The list of keys, and which of its pages."""

    page: int = 0


class OpenGallery(NamedTuple):
    """The gallery, at a section of it."""

    section: str


class LabSheet(NamedTuple):
    """The sheet of a lab, which lies over the gallery."""

    lab: str


class Field(NamedTuple):
    """A text field that is being edited. While `fresh`, typing takes the place of the whole text.

    `takes` is given the text in the end; the field of a menu has none of its own.
    """

    text: str
    caret: int
    fresh: bool = True
    takes: Intent[str] | None = None


Overlay: TypeAlias = OpenGallery | LabSheet | Help | OpenMenu | Field | Blank
_LAYERS: tuple[type[Overlay], ...] = (OpenGallery, LabSheet, Help, OpenMenu, Field, Blank)  # from back to front
_MODES: dict[type[Overlay], Mode] = {
    OpenGallery: "browsing",
    LabSheet: "measuring",
    Help: "reading",
    OpenMenu: "choosing",
    Field: "typing",
}


# ---- what is remembered of closed things -------------------------------------------------------------------


class GalleryMemory(NamedTuple):
    """How the gallery was left: the section, the card that is lit, and the words that cards must have."""

    section: str = ""
    card: int = 0
    words: str = ""


class EventFilter(NamedTuple):
    """What the list of events leaves out: kinds of events, and perhaps all that is not about the selected node."""

    hidden: frozenset[str] = frozenset()
    of_node: bool = False


class Budget(NamedTuple):
    """What the checker may try: nodes, requests of each, faults in total, and states to look at."""

    nodes: int = 3
    requests: int = 1
    crashes: int = 0
    losses: int = 0
    duplicates: int = 0
    most_states: int = 100_000


BUDGETS: dict[str, tuple[int, ...]] = {
    "nodes": (2, 3, 4, 5, 6),
    "requests": (1, 2, 3),
    "crashes": (0, 1, 2),
    "losses": (0, 1, 2, 3),
    "duplicates": (0, 1, 2),
    "most_states": (10_000, 30_000, 100_000, 300_000, 1_000_000),
}
"""The values that each part of a budget may have."""


class Pages(NamedTuple):
    """What the pages of the column at the right remember."""

    events: EventFilter = EventFilter()
    budget: Budget = Budget()
    variable: str = ""  # of the selected node, whose history is shown


class Scrolls(NamedTuple):
    """How far panels are scrolled."""

    pixels: tuple[tuple[str, float], ...] = ()  # panel -> pixels
    by_hand: tuple[tuple[str, int], ...] = ()  # panel -> the step that was shown when it was scrolled by hand

    def of(self, panel: str) -> float:
        """How far a panel is scrolled down, in pixels."""
        return dict(self.pixels).get(panel, 0.0)

    def to(self, panel: str, pixels: float) -> Scrolls:
        """The same with that panel scrolled."""
        return self._replace(pixels=tuple(sorted({**dict(self.pixels), panel: max(0.0, pixels)}.items())))

    def browse(self, panel: str, pixels: float, step: int) -> Scrolls:
        """The same with that panel scrolled by hand, which holds for as long as that step is shown."""
        by_hand = tuple(sorted({**dict(self.by_hand), panel: step}.items()))
        return self.to(panel, pixels)._replace(by_hand=by_hand)

    def is_browsed(self, panel: str, step: int) -> bool:
        """Whether the panel was scrolled by hand while that step was shown."""
        return dict(self.by_hand).get(panel) == step


class Notice(NamedTuple):
    """A sentence to the person, and until when on the interface's clock it stays."""

    words: str
    until: float


Value: TypeAlias = Literal[
    "playback",
    "pointer",
    "selection",
    "overlays",
    "graph",
    "diagram",
    "gallery",
    "pages",
    "scrolls",
    "recent",
    "notice",
]
"""The values of an interface that a panel may ask for; each sees the display."""


# ---- all of it ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Interface:
    """All that the window shows beside the runs."""

    display: Display = Display()
    playback: Playback = Playback()
    pointer: Pointer = Pointer()
    selection: Selection | None = None
    overlays: tuple[Overlay, ...] = ()  # at most one of each kind, from back to front
    graph: GraphView = GraphView()
    diagram: DiagramView = DiagramView()
    gallery: GalleryMemory = GalleryMemory()
    pages: Pages = Pages()
    scrolls: Scrolls = Scrolls()
    recent: tuple[str, ...] = ()  # files opened last, the latest first
    notice: Notice | None = None

    clock: float = 0.0  # wall time that has passed
    refreshed_at: float = 0.0  # clock time of the panels' last refresh
    panel_revision: int = 0  # of the runs as the panels show them
    wishes: tuple[str, ...] = ()  # what the window is asked to do: quit, picture, run

    def mode(self, is_manual: bool = False) -> Mode:
        """What the keyboard is for at the moment; `is_manual` while a person picks what happens next."""
        for overlay in reversed(self.overlays):
            if not isinstance(overlay, Blank):
                return _MODES[type(overlay)]
        if is_manual:
            return "picking"
        if self.display.presenting:
            return "presenting"
        return "listing" if self.pointer.focus.startswith(f"{self.display.page}.") else "ordinary"

    # ---- what lies over the panels -------------------------------------------------------------------------

    def over(self, overlay: Overlay) -> Interface:
        """The same with that overlay, in place of another one of its kind."""
        others = [other for other in self.overlays if type(other) is not type(overlay)]
        layers = sorted((*others, overlay), key=lambda one: _LAYERS.index(type(one)))
        return replace(self, overlays=tuple(layers))

    def without(self, *kinds: type[Overlay]) -> Interface:
        """The same without overlays of these kinds."""
        return replace(self, overlays=tuple(one for one in self.overlays if not isinstance(one, kinds)))

    @property
    def is_blank(self) -> bool:
        """Whether the screen is blank."""
        return Blank() in self.overlays

    @property
    def menu(self) -> OpenMenu | None:
        """The open menu."""
        return next((one for one in self.overlays if isinstance(one, OpenMenu)), None)

    @property
    def help(self) -> Help | None:
        """The open list of keys."""
        return next((one for one in self.overlays if isinstance(one, Help)), None)

    @property
    def section(self) -> str:
        """The section of the gallery that is open; "" while the gallery is closed."""
        return next((one.section for one in self.overlays if isinstance(one, OpenGallery)), "")

    @property
    def lab(self) -> str:
        """The lab whose sheet is open; "" for none."""
        return next((one.lab for one in self.overlays if isinstance(one, LabSheet)), "")

    @property
    def field(self) -> Field | None:
        """The text field that is being edited."""
        return next((one for one in self.overlays if isinstance(one, Field)), None)

    # ---- what is selected ----------------------------------------------------------------------------------

    @property
    def node(self) -> int | None:
        """The selected node."""
        return self._selected("node")

    @property
    def message(self) -> int | None:
        """The serial number of the selected message."""
        return self._selected("message")

    @property
    def event(self) -> int | None:
        """The step of the selected event."""
        return self._selected("event")

    @property
    def selected_id(self) -> str:
        """The id of the selected shape; "" for none."""
        return self.selection.id if self.selection else ""

    def _selected(self, kind: str) -> int | None:
        return self.selection.number if self.selection and self.selection.kind == kind else None

    @property
    def local_node(self) -> int | None:
        """The node of which only the knowledge is shown, if that is so."""
        return self.node if self.display.only_local else None

    # ---- changes -------------------------------------------------------------------------------------------

    @property
    def is_moving(self) -> bool:
        """Whether the picture changes by itself."""
        return self.playback.is_moving

    def only(self, *values: Value) -> Interface:
        """A fresh interface with the display of this one and those of its values, which is all that a panel may see.

        Time is left out of the playback, and what changes while nothing happens out of the pointer.
        """
        chosen = {name: getattr(self, name) for name in values}
        if "playback" in chosen:
            chosen["playback"] = Playback(self.playback.playing, self.playback.speed)
        if "pointer" in chosen:
            chosen["pointer"] = Pointer(self.pointer.focus, self.pointer.hover)
        return Interface(display=self.display, **chosen)

    def at(self, time: float) -> Interface:
        """The same with the picture at that time."""
        return replace(self, playback=self.playback._replace(time=time))

    def resized(self, width: int, height: int) -> Interface:
        """The same in a window of that size."""
        display = self.display._replace(width=max(width, LEAST_WIDTH), height=max(height, LEAST_HEIGHT))
        return replace(self, display=display)

    def paused(self) -> Interface:
        """The same, not playing."""
        return replace(self, playback=self.playback._replace(playing=False))

    def focused(self, widget: str = "") -> Interface:
        """The same with the keyboard on that widget; on none without."""
        return replace(self, pointer=self.pointer._replace(focus=widget))

    def scrolled(self, panel: str, pixels: float) -> Interface:
        """The same with that panel scrolled."""
        return replace(self, scrolls=self.scrolls.to(panel, pixels))

    def browsed(self, panel: str, pixels: float, step: int) -> Interface:
        """The same with that panel scrolled by hand while that step is shown."""
        return replace(self, scrolls=self.scrolls.browse(panel, pixels, step))

    def say(self, words: str, seconds: float = 4.0) -> Interface:
        """The same with a notice."""
        return replace(self, notice=Notice(words, self.clock + seconds))

    def wish(self, what: str) -> Interface:
        """The same, asking the window for something."""
        return replace(self, wishes=(*self.wishes, what))
