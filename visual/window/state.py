"""The interface as a value: everything on screen except the runs, in small values by subject."""

from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, Self, TypeAlias, TypeVar

from visual.window.intents import Intent, Tool
from visual.window.keys import Mode

View: TypeAlias = Literal["both", "graph", "space-time"]
VIEWS: tuple[View, ...] = ("both", "graph", "space-time")

SLOWEST, FASTEST = -3, 6  # speeds are powers of two: 1/8x to 64x
UNBOUND = FASTEST + 1  # as fast as possible
SMALLEST, LARGEST = 0.75, 3.0  # text scale
SCALE_STEPS = (0.75, 0.85, 1.0, 1.15, 1.3, 1.5, 1.75, 2.0, 2.5, 3.0)
LEAST_WIDTH, LEAST_HEIGHT = 320, 240  # pixels: a smaller window shows a part of this
NEAREST, FARTHEST = 8.0, 1.0  # zoom of the graph
NO_NODE = "Select a node first: click it, or press ↓."


# ---- display and selection ---------------------------------------------------------------------------------


class Display(NamedTuple):
    """The window's size and look, and its visible views, panels and page."""

    width: int = 1280
    height: int = 720
    scale: float = 1.0  # of all text and widgets
    theme: str = "light"
    view: View = "both"
    panels: frozenset[str] = frozenset({"legend", "counters", "source", "waiting"})
    page: str = "run"  # of the column at the right
    only_local: bool = False  # show the selected node's knowledge only
    presenting: bool = False
    stage: frozenset[str] = frozenset()  # panels beside the picture while presenting: counters, lights, source
    lesson_share: float = 0.0  # of the column, for the card of a lesson; 0 without one
    class_band: float = 0.0  # pixels above the graph for the folded card of a class; 0 without one
    class_column: float = 0.0  # … and at its left for the unfolded one
    chrome_hidden: bool = False
    full_screen: bool = False
    has_keys: bool = True  # whether there is likely to be a keyboard: a phone has none
    reduced_motion: bool = False
    stops: bool = False  # at markers and breaches; while presenting in any case
    hides_future: bool = False  # in the diagram, on the timeline; while a question is to come in any case


class Selection(NamedTuple):
    """The selected node, message (by serial number) or event (by step)."""

    kind: Literal["node", "message", "event"]
    number: int

    @staticmethod
    def of(shape_id: str) -> "Selection | None":
        """The selection for a shape's id: "node:3", "message:117" or "event:41"; None for ""."""
        kind, _, number = shape_id.partition(":")
        return Selection(kind, int(number)) if number else None  # type: ignore[arg-type]

    @property
    def id(self) -> str:
        """The id of the selected shape."""
        return f"{self.kind}:{self.number}"


# ---- time --------------------------------------------------------------------------------------------------


class Glide(NamedTuple):
    """A smooth move of the picture's time to `goal`; with `step`, the next step executes on arrival."""

    start: float
    goal: float
    seconds: float  # total duration in wall time
    passed: float = 0.0
    step: bool = False


class Playback(NamedTuple):
    """The state of playback."""

    playing: bool = False
    speed: int = 0  # power of two, or UNBOUND
    time: float = 0.0  # of the picture: somewhere between the last step and the next
    delay: float = 0.0  # seconds until the next of several simultaneous steps
    simultaneous: int = 0  # steps so far at this time
    glide: Glide | None = None
    goal: float | None = None  # of a seek that advances by a slice in each tick

    @property
    def is_moving(self) -> bool:
        """Whether the picture changes by itself."""
        return self.playing or self.glide is not None or self.goal is not None

    @property
    def is_stepping(self) -> bool:
        """Whether the picture glides towards a step that has not happened yet."""
        return self.glide is not None and self.glide.step


# ---- the pointer -------------------------------------------------------------------------------------------


class NodeDrag(NamedTuple):
    """A drag of a node, pressed at (x, y); `has_moved` once the pointer has left that place."""

    node: int
    x: float
    y: float
    has_moved: bool = False


class GraphDrag(NamedTuple):
    """A drag of the graph; the pointer was last at (x, y)."""

    x: float
    y: float


class DiagramDrag(NamedTuple):
    """A drag of the space-time diagram; the pointer was last at (x, y)."""

    x: float
    y: float


class WidgetPress(NamedTuple):
    """A press on the widget with this id, at that height."""

    widget: str
    y: float


class ScrollDrag(NamedTuple):
    """A drag of the list with this id, pressed at a height when it was scrolled to `offset`."""

    scroller: str
    y: float
    offset: float


class PenDrag(NamedTuple):
    """A line being drawn on the picture."""


Drag: TypeAlias = NodeDrag | GraphDrag | DiagramDrag | WidgetPress | ScrollDrag | PenDrag


class Pointer(NamedTuple):
    """The widgets under pointer and keyboard, by their ids; "" is none."""

    focus: str = ""  # widget pressed by Enter
    hover: str = ""  # widget under the pointer
    hover_seconds: float = 0.0  # how long it has been there
    drag: Drag | None = None  # while the mouse button is down

    @property
    def pressed(self) -> str:
        """The widget under the mouse button when it went down."""
        return self.drag.widget if isinstance(self.drag, WidgetPress) else ""


# ---- the graph and the diagram -----------------------------------------------------------------------------


class Camera(NamedTuple):
    """The graph's zoom and offset: magnified `zoom` times, moved by (x, y) pixels."""

    zoom: float = 1.0
    x: float = 0.0
    y: float = 0.0


class GraphView(NamedTuple):
    """The graph's layout, the nodes moved by hand, and the camera."""

    layout: str = ""  # "": the topology's own
    positions: tuple[tuple[int, tuple[float, float]], ...] = ()  # node moved by hand -> its place, as shares
    camera: Camera = Camera()


class DiagramView(NamedTuple):
    """The space-time diagram's axis, direction, lines and visible time span.

    A page is `zoom` times shorter than usual. It begins at `start`, or follows the present if that is None.
    """

    logical: bool = False
    down: bool = False
    everybody: bool = False  # all processes, not only those involved
    zoom: float = 1.0
    start: float | None = None

    @property
    def is_scrolled(self) -> bool:
        """Whether it shows a fixed time span, not the present."""
        return self.start is not None


# ---- presenting --------------------------------------------------------------------------------------------


class Presentation(NamedTuple):
    """The state of a presentation. Points are shares of the window's width and height."""

    answered: float | None = None  # the time of the marker whose answer is visible
    notes: bool = False  # on the stage, for want of a second display
    was_full: bool = False  # the screen, before the presentation made it so
    began: float | None = None  # clock time
    tool: Tool = ""
    at: tuple[float, float] = (0.5, 0.5)  # the tool
    strokes: tuple[tuple[tuple[float, float], ...], ...] = ()  # drawn on the picture


class PresenterView(NamedTuple):
    """The presenter's window: its size, and whether the pointer is in it rather than on the stage."""

    width: int
    height: int
    has_pointer: bool = False


# ---- overlays ----------------------------------------------------------------------------------------------


class Blank(NamedTuple):
    """A blank screen, so that the audience looks at the speaker."""


class OpenMenu(NamedTuple):
    """An open menu, by id, and its highlighted entry."""

    name: str
    at: int = 0


class Help(NamedTuple):
    """A page of the list of keys."""

    page: int = 0


class OpenGallery(NamedTuple):
    """The gallery, open at a section."""

    section: str


class LabSheet(NamedTuple):
    """The sheet of a lab, over the gallery."""

    lab: str


class Field(NamedTuple):
    """A text field being edited. While `fresh`, typing replaces the whole text.

    `takes` receives the accepted text; a menu's field has none of its own.
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


# ---- state of gallery, pages and panels --------------------------------------------------------------------


class GalleryMemory(NamedTuple):
    """The gallery's last section, its highlighted card, and the words of its filter."""

    section: str = ""
    card: int = 0
    words: str = ""


class ListFilter(NamedTuple):
    """A filter of the list of events: hidden kinds, and optionally the selected node only."""

    hidden: frozenset[str] = frozenset()
    of_node: bool = False


class Budget(NamedTuple):
    """The checker's limits: nodes, requests per node, total faults, and states; and whether to check fair liveness."""

    nodes: int = 3
    requests: int | None = 1  # None: any number
    crashes: int = 0
    losses: int = 0
    duplicates: int = 0
    tokens: int = 0  # lost tokens; if there are any, `losses` are of other messages
    most_states: int = 100_000
    fair: bool = False


BUDGETS: dict[str, tuple[int | None, ...]] = {
    "nodes": (2, 3, 4, 5, 6),
    "requests": (1, 2, 3, None),
    "crashes": (0, 1, 2),
    "losses": (0, 1, 2, 3),
    "duplicates": (0, 1, 2),
    "tokens": (0, 1, 2),
    "most_states": (10_000, 30_000, 100_000, 300_000, 1_000_000),
    "fair": (False, True),
}
"""The values offered for each part of a budget."""


class Pages(NamedTuple):
    """The state of the pages in the right column."""

    events: ListFilter = ListFilter()
    budget: Budget = Budget()
    variable: str = ""  # of the selected node, for the history page


class Scrolls(NamedTuple):
    """The scroll positions of the panels."""

    pixels: tuple[tuple[str, float], ...] = ()  # panel -> pixels
    by_hand: tuple[tuple[str, int], ...] = ()  # panel -> step at which the person scrolled it

    def of(self, panel: str) -> float:
        """A panel's scroll position, in pixels from the top."""
        return dict(self.pixels).get(panel, 0.0)

    def to(self, panel: str, pixels: float) -> Self:
        """A copy with a panel scrolled."""
        return self._replace(pixels=tuple(sorted({**dict(self.pixels), panel: max(0.0, pixels)}.items())))

    def browse(self, panel: str, pixels: float, step: int) -> Self:
        """A copy with a panel scrolled by hand, which lasts while `step` is the present one."""
        by_hand = tuple(sorted({**dict(self.by_hand), panel: step}.items()))
        return self.to(panel, pixels)._replace(by_hand=by_hand)

    def is_browsed(self, panel: str, step: int) -> bool:
        """Whether the person scrolled the panel at that step."""
        return dict(self.by_hand).get(panel) == step


class Notice(NamedTuple):
    """A sentence to the person, visible until a time of the interface's clock."""

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
    "presentation",
]
"""The values that a panel can ask for besides the display."""


# ---- the interface -----------------------------------------------------------------------------------------

Layer = TypeVar("Layer", bound=Overlay)


@dataclass(frozen=True)
class Interface:
    """All the state of the window except the runs."""

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
    recent: tuple[str, ...] = ()  # files, most recently opened first
    folder: str = ""  # for saved pictures and runs; by default the one that the program was started in
    notice: Notice | None = None
    presentation: Presentation = Presentation()
    presenter: PresenterView | None = None  # the window of the person who presents, while it is open

    clock: float = 0.0  # wall time since the start
    refreshed_at: float = 0.0  # clock time of the panels' last refresh
    panel_revision: int = 0  # of the runs as the panels show them
    wishes: tuple[str, ...] = ()  # requests to the window: quit, picture, copy, run

    def mode(self, is_manual: bool = False) -> Mode:
        """The mode of the keyboard; `is_manual` while a person picks the next event."""
        for overlay in reversed(self.overlays):
            if not isinstance(overlay, Blank):
                return _MODES[type(overlay)]
        if self.display.lesson_share and self.display.presenting:
            return "lecturing"
        if self.display.lesson_share and (not self.pointer.focus or self.pointer.focus.startswith("lesson.")):
            return "answering"
        if is_manual:
            return "picking"
        if self.display.presenting:
            return "presenting"
        return "listing" if self.pointer.focus.startswith(f"{self.display.page}.") else "ordinary"

    # ---- overlays ------------------------------------------------------------------------------------------

    def over(self, overlay: Overlay) -> Self:
        """A copy with an overlay, in place of any other of its kind."""
        others = [other for other in self.overlays if type(other) is not type(overlay)]
        layers = sorted((*others, overlay), key=lambda one: _LAYERS.index(type(one)))
        return replace(self, overlays=tuple(layers))

    def without(self, *kinds: type[Overlay]) -> Self:
        """A copy without overlays of these kinds."""
        return replace(self, overlays=tuple(overlay for overlay in self.overlays if not isinstance(overlay, kinds)))

    def _overlay(self, kind: type[Layer]) -> Layer | None:
        return next((overlay for overlay in self.overlays if isinstance(overlay, kind)), None)

    @property
    def is_blank(self) -> bool:
        """Whether the screen is blank."""
        return Blank() in self.overlays

    @property
    def menu(self) -> OpenMenu | None:
        """The open menu."""
        return self._overlay(OpenMenu)

    @property
    def help(self) -> Help | None:
        """The open list of keys."""
        return self._overlay(Help)

    @property
    def section(self) -> str:
        """The open section of the gallery; "" while the gallery is closed."""
        return gallery.section if (gallery := self._overlay(OpenGallery)) else ""

    @property
    def lab(self) -> str:
        """The lab with an open sheet; "" for none."""
        return sheet.lab if (sheet := self._overlay(LabSheet)) else ""

    @property
    def field(self) -> Field | None:
        """The text field being edited."""
        return self._overlay(Field)

    # ---- the selection -------------------------------------------------------------------------------------

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
        """The selected node in the local view, which shows its knowledge only."""
        return self.node if self.display.only_local else None

    # ---- changes -------------------------------------------------------------------------------------------

    @property
    def is_moving(self) -> bool:
        """Whether the picture changes by itself."""
        return self.playback.is_moving

    def only(self, *values: Value) -> Self:
        """A fresh interface with the display and these values only, as a panel's argument.

        The playback is without its time, and the pointer without what changes while it rests.
        """
        chosen = {name: getattr(self, name) for name in values}
        if "playback" in chosen:
            chosen["playback"] = Playback(self.playback.playing, self.playback.speed)
        if "pointer" in chosen:
            chosen["pointer"] = Pointer(self.pointer.focus, self.pointer.hover)
        return type(self)(display=self.display, **chosen)

    def with_display(self, **changes: Any) -> Self:
        """A copy with these fields of the display changed."""
        return replace(self, display=self.display._replace(**changes))

    def with_playback(self, **changes: Any) -> Self:
        """A copy with these fields of the playback changed."""
        return replace(self, playback=self.playback._replace(**changes))

    def with_presentation(self, **changes: Any) -> Self:
        """A copy with these fields of the presentation changed."""
        return replace(self, presentation=self.presentation._replace(**changes))

    def with_pointer(self, **changes: Any) -> Self:
        """A copy with these fields of the pointer changed."""
        return replace(self, pointer=self.pointer._replace(**changes))

    def at(self, time: float) -> Self:
        """A copy with the picture at that time."""
        return self.with_playback(time=time)

    def resized(self, width: int, height: int) -> Self:
        """A copy in a window of that size, in pixels."""
        return self.with_display(width=max(width, LEAST_WIDTH), height=max(height, LEAST_HEIGHT))

    def paused(self) -> Self:
        """A copy that does not play."""
        return self.with_playback(playing=False)

    def focused(self, widget: str = "") -> Self:
        """A copy with the keyboard on that widget; "" for none."""
        return self.with_pointer(focus=widget)

    def scrolled(self, panel: str, pixels: float) -> Self:
        """A copy with a panel scrolled."""
        return replace(self, scrolls=self.scrolls.to(panel, pixels))

    def browsed(self, panel: str, pixels: float, step: int) -> Self:
        """A copy with a panel scrolled by hand while `step` is the present one."""
        return replace(self, scrolls=self.scrolls.browse(panel, pixels, step))

    def say(self, words: str, seconds: float = 4.0) -> Self:
        """A copy with a notice."""
        return replace(self, notice=Notice(words, self.clock + seconds))

    def wish(self, what: str) -> Self:
        """A copy with one more request to the window."""
        return replace(self, wishes=(*self.wishes, what))
