"""The interface as a value: everything on screen that is not the run itself."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, TypeAlias

from visual.window.intents import Intent
from visual.window.keys import Mode
from visual.window.page_state import Budget, Sieve

View: TypeAlias = Literal["both", "graph", "space-time"]
VIEWS: tuple[View, ...] = ("both", "graph", "space-time")

SLOWEST, FASTEST = -3, 3  # speeds are powers of two: 1/8x to 8x
UNBOUND = 4  # the speed beyond 8x: as fast as it can
SMALLEST, LARGEST = 0.75, 3.0  # text scale
SCALE_STEPS = (0.75, 0.85, 1.0, 1.15, 1.3, 1.5, 1.75, 2.0, 2.5, 3.0)
LEAST_WIDTH, LEAST_HEIGHT = 320, 240  # pixels: a smaller window shows a part of this
NEAREST, FARTHEST = 8.0, 1.0  # zoom of the graph


class Field(NamedTuple):
    """A text field that is being edited. While `fresh`, typing takes the place of the whole text.

    `takes` is given the text in the end; the field of a menu has none of its own.
    """

    text: str
    caret: int
    fresh: bool = True
    takes: Intent[str] | None = None


class Glide(NamedTuple):
    """The picture's time on its way from one moment to another, in wall time; `step` is executed on arrival."""

    start: float
    goal: float
    seconds: float  # how long it takes in all
    passed: float = 0.0
    step: bool = False


class Notice(NamedTuple):
    """A sentence to the person, and until when on the interface's clock it stays."""

    words: str
    until: float


class Held(NamedTuple):
    """The node on which the mouse button went down at (x, y), and whether it has moved since."""

    node: int
    x: float
    y: float
    moves: bool = False


class Camera(NamedTuple):
    """How the graph is looked at: magnified `zoom` times, moved by (x, y) pixels."""

    zoom: float = 1.0
    x: float = 0.0
    y: float = 0.0


class Diagram(NamedTuple):
    """How the space-time diagram is looked at: its axis, which way time goes, whose lines, and which stretch.

    A page is `zoom` times as short as usual. It begins at `start`; by default it follows the present.
    """

    logical: bool = False
    down: bool = False
    everybody: bool = False  # not only those who have to do with what is shown
    zoom: float = 1.0
    start: float | None = None


@dataclass(frozen=True)
class Interface:
    """All that the window shows beside the run. Widgets and menus are named by their ids; "" is none."""

    width: int = 1280
    height: int = 720
    scale: float = 1.0  # of all text and widgets
    theme: str = "light"
    view: View = "both"
    panels: frozenset[str] = frozenset({"legend", "counters", "source", "waiting"})
    page: str = "run"  # of the column at the right
    recent: tuple[str, ...] = ()  # files opened last, the latest first
    presenting: bool = False
    chrome_hidden: bool = False
    full_screen: bool = False
    blank: bool = False
    help_open: bool = False
    reduced_motion: bool = False

    playing: bool = False
    speed: int = 0  # power of two, or UNBOUND
    time: float = 0.0  # of the picture: somewhere between the last step and the next
    beat: float = 0.0  # seconds to wait before the next of several steps that happen at the same time
    crowd: int = 0  # how many steps have happened at this time
    glide: Glide | None = None
    goal: float | None = None  # the time that is being sought, a slice of the work in each tick

    selection: str = ""  # id of the selected node or message
    focus: str = ""  # widget that Enter presses
    hover: str = ""  # widget under the pointer
    hovering: float = 0.0  # for how many seconds
    pressed: str = ""  # widget on which the mouse button went down
    held: Held | None = None
    drawn: str = ""  # how the graph is drawn; "": as the topology has it
    moved: tuple[tuple[int, tuple[float, float]], ...] = ()  # nodes and where they were put, in shares of the picture
    grip: tuple[float, float] | None = None  # where the pointer was, while the graph is dragged
    gallery: str = ""  # the section of it that is open
    section: str = ""  # of the gallery, that was chosen last
    gallery_at: int = 0  # the card that is lit
    sought: str = ""  # words: only cards that have them are shown
    lab: str = ""  # the lab whose sheet is open
    menu: str = ""
    menu_at: int = 0  # highlighted entry
    field: Field | None = None  # the text field of the open menu or page, while it is edited
    help_page: int = 0
    scrolled: tuple[tuple[str, float], ...] = ()  # panel -> pixels
    browsed: tuple[tuple[str, int], ...] = ()  # panel -> the step that was shown when it was scrolled by hand
    sieve: Sieve = Sieve()
    budget: Budget = Budget()
    variable: str = ""  # of the selected node, whose history is shown
    only_local: bool = False  # whether only what the selected node knows is shown
    camera: Camera = Camera()
    diagram: Diagram = Diagram()
    pulled: tuple[float, float] | None = None  # where the pointer was, while the diagram is dragged
    notice: Notice | None = None

    clock: float = 0.0  # wall time that has passed
    pulse: float = 0.0  # when the panels were last refreshed
    shown: int = 0  # revision of the run that the panels show
    wishes: tuple[str, ...] = ()  # what the window is asked to do: quit, picture, run

    def mode(self, is_manual: bool = False) -> Mode:
        """What the keyboard is for at the moment; `is_manual` while a person picks what happens next."""
        if self.field is not None:
            return "typing"
        if self.menu:
            return "choosing"
        if self.help_open:
            return "reading"
        if self.lab:
            return "measuring"
        if self.gallery:
            return "browsing"
        if is_manual:
            return "picking"
        if self.presenting:
            return "presenting"
        return "listing" if self.focus.startswith(f"{self.page}.") else "ordinary"

    @property
    def local_node(self) -> int | None:
        """The node that only the knowledge of which is shown, if that is so."""
        kind, _, number = self.selection.partition(":")
        return int(number) if self.only_local and kind == "node" else None

    @property
    def moving(self) -> bool:
        """Whether the picture changes by itself."""
        return self.playing or self.glide is not None or self.goal is not None

    def resized(self, width: int, height: int) -> Interface:
        """The same in a window of that size."""
        return replace(self, width=max(width, LEAST_WIDTH), height=max(height, LEAST_HEIGHT))

    def deselected(self) -> Interface:
        """The same with nothing selected."""
        return replace(self, selection="")

    def scroll_of(self, panel: str) -> float:
        """How far a panel is scrolled down, in pixels."""
        return dict(self.scrolled).get(panel, 0.0)

    def scroll_to(self, panel: str, pixels: float) -> Interface:
        """The same with that panel scrolled."""
        return replace(self, scrolled=tuple(sorted({**dict(self.scrolled), panel: max(0.0, pixels)}.items())))

    def browse(self, panel: str, pixels: float, step: int) -> Interface:
        """The same with that panel scrolled by hand, which holds for as long as that step is shown."""
        browsed = tuple(sorted({**dict(self.browsed), panel: step}.items()))
        return replace(self.scroll_to(panel, pixels), browsed=browsed)

    def is_browsed(self, panel: str, step: int) -> bool:
        """Whether the panel was scrolled by hand while that step was shown."""
        return dict(self.browsed).get(panel) == step

    def say(self, words: str, seconds: float = 4.0) -> Interface:
        """The same with a notice."""
        return replace(self, notice=Notice(words, self.clock + seconds))

    def wish(self, what: str) -> Interface:
        """The same, asking the window for something."""
        return replace(self, wishes=(*self.wishes, what))
