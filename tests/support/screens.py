"""The window measured on its shapes: whole and separate texts, large and separate click targets."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from algorithms import catalog
from algorithms.engine.randomness import Uniform
from algorithms.engine.scenario import Network, Scenario
from algorithms.engine.workload import Closed
from tests.support.desks import desk_of
from tests.support.interfaces import interface_of
from visual.drawing.picking import bounds, overlap
from visual.drawing.shapes import Group, Rect, Shape, Text
from visual.window import arrangement, intents
from visual.window.actions import perform
from visual.window.inputs import Key
from visual.window.intents import Do
from visual.window.screen import CachedPanel, Screen
from visual.window.state import Interface
from visual.window.update import update
from visual.window.widgets import DENSE_TARGET, TARGET, Button, Scroller, Target, Widget

SIZES = [(1024, 768), (1280, 720), (1920, 1080), (3840, 2160)]
SCALES = [0.75, 1.0, 1.5, 3.0]
ALGORITHMS = sorted(catalog.by_name())
SLACK = 1.5  # pixels


def pressed(interface: Interface, screen: Screen, *chords: str) -> Interface:
    """The interface after these keys."""
    for chord in chords:
        interface = update(interface, screen, Key(chord))
    return interface


def opened(algorithm: str, size: tuple[int, int], actions: list[Do], scale: float = 1.0) -> tuple[Interface, Screen]:
    """The window of a run at step 45, after these actions."""
    scenario = Scenario(algorithm, nodes=5, load=Closed(think=3.0), network=Network(Uniform(0.5, 1.5)))
    screen = Screen(desk_of(scenario))
    interface = perform(interface_of(*size, scale=scale), screen.desk, intents.seek_step(45))
    for act in actions:
        interface = perform(interface, screen.desk, act)
    return interface, screen


class Placed:
    """A text in pixels of the window, and the rectangle that must contain it."""

    def __init__(self, text: Text, dx: float, dy: float, room: Rect) -> None:
        box = bounds(text)
        self.words, self.size, self.room = text.text, text.size, room
        self.box = Rect(box.x + dx, box.y + dy, box.w, box.h)

    def __repr__(self) -> str:
        return f"{self.words!r} at {tuple(round(v) for v in self.box)}"


def placed_texts(shapes: tuple[Shape, ...], room: Rect, dx: float = 0.0, dy: float = 0.0) -> Iterator[Placed]:
    for shape in shapes:
        if isinstance(shape, Text) and shape.text:
            yield Placed(shape, dx, dy, room)
        elif isinstance(shape, Group):
            left, top, clip = dx + shape.x, dy + shape.y, shape.clip
            inner = placed_texts(shape.shapes, room, left, top)
            yield from _scrolled_in(inner, clip._replace(x=clip.x + left, y=clip.y + top)) if clip else inner


def _scrolled_in(found: Iterator[Placed], clip: Rect) -> Iterator[Placed]:
    """The texts that are scrolled into view; they may not be clipped at a side."""
    for text in found:
        if clip.y <= text.box.y and text.box.y + text.box.h <= clip.y + clip.h:
            text.room = Rect(clip.x, text.room.y, clip.w, text.room.h)
            yield text


def text_count(shapes: tuple[Shape, ...]) -> int:
    """The number of texts, visible or not."""
    return sum(text_count(s.shapes) if isinstance(s, Group) else isinstance(s, Text) and bool(s.text) for s in shapes)


def panels_of(screen: Screen, interface: Interface) -> list[CachedPanel]:
    """All panels; a legend may be wider than its column, since it lies on the graph's ground."""
    ground = arrangement.regions(interface).graph
    panels = screen.panels(interface)
    return [shown._replace(region=ground) if shown.name == "legend" else shown for shown in panels]


def check_draws(interface: Interface, screen: Screen) -> None:
    """Draw the window: a smoke test, which fails only if drawing raises."""
    screen.shapes(interface)


def check_texts(interface: Interface, screen: Screen) -> None:
    window = Rect(0, 0, interface.display.width, interface.display.height)
    for shown in panels_of(screen, interface):
        found = list(placed_texts(shown.group.shapes, shown.region))
        scrolls = any(isinstance(widget, Scroller) for widget in shown.panel.widgets)
        assert scrolls or len(found) == text_count(shown.group.shapes), f"{shown.name}: a text is cut off"
        for text in found:
            assert is_inside(text.box, text.room), f"{shown.name}: {text} leaves {shown.region}"
            assert is_inside(text.box, window), f"{shown.name}: {text} leaves the window"
        for one, other in on_one_level(found):
            assert not meet(one.box, other.box), f"{shown.name}: {one} on {other}"


def on_one_level(found: list[Placed]) -> Iterator[tuple[Placed, Placed]]:
    """The pairs of texts of which neither is below the other."""
    downwards = sorted(found, key=lambda text: text.box.y)
    for place, one in enumerate(downwards, 1):
        for other in itertools.islice(downwards, place, None):
            if other.box.y > one.box.y + one.box.h:
                break
            yield one, other


def check_widgets(interface: Interface, screen: Screen) -> None:
    window = Rect(0, 0, interface.display.width, interface.display.height)
    for shown in screen.panels(interface):
        widgets = [widget for widget in shown.panel.widgets if not isinstance(widget, Scroller)]
        for widget in widgets:
            assert is_inside(widget.box, window), widget.id
            assert widget.box.h >= least_side(widget) - 0.01, widget.id
            assert widget.box.w >= least_side(widget) - 0.01, widget.id
        for one, other in itertools.combinations(widgets, 2):
            common = overlap(one.box, other.box)
            assert common.w < 1 or common.h < 1, f"{one.id} on {other.id}"


def least_side(widget: Widget) -> float:
    dense = (isinstance(widget, Button) and widget.kind == "entry") or (isinstance(widget, Target) and widget.dense)
    return DENSE_TARGET if dense else TARGET


def is_inside(box: Rect, room: Rect) -> bool:
    left, top = box.x >= room.x - SLACK, box.y >= room.y - SLACK
    return left and top and box.x + box.w <= room.x + room.w + SLACK and box.y + box.h <= room.y + room.h + SLACK


def meet(a: Rect, b: Rect) -> bool:
    common = overlap(a, b)
    return common.w > SLACK and common.h > 0.3 * min(a.h, b.h)
