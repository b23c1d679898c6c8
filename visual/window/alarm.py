"""What has been broken, in words at the right of the header: for windows without lights."""

from __future__ import annotations

from algorithms.engine.check.properties import NAMES
from algorithms.engine.observe.verdicts import BROKEN, Verdict
from visual.drawing import fonts
from visual.drawing.icons import icon_shapes
from visual.drawing.shapes import Rect, Shape, Text
from visual.window.inputs import Do
from visual.window.panel import Panel, View
from visual.window.widgets import Target

_SIZE = 30.0  # of the words, in logical pixels that do not grow for presenting
_CROSS = 0.8  # of the size of the words


def alarm(view: View, left: float, right: float) -> tuple[Panel, float]:
    """What has been broken so far, as far as it fits between those places; a click goes there. And where it begins."""
    shapes: list[Shape] = []
    targets: list[Target] = []
    for place, verdict in enumerate(view.session.ledger.verdicts):
        words = f"{NAMES.get(verdict.name, verdict.name)}: broken at step {verdict.step}"
        width = _width(view, words)
        if verdict.status == BROKEN and right - width >= left:
            box = Rect(right - width, view.region.y, width, view.region.h)
            shapes += _written(view, words, box)
            targets.append(_target(view, f"header.broken{place}", verdict, box))
            right = box.x
    return Panel(tuple(shapes), tuple(targets)), right


def _width(view: View, words: str) -> float:
    size = _SIZE * view.look.control
    return fonts.width(words, size, weight="bold") + 2.4 * _CROSS * size + view.look.gap


def _written(view: View, words: str, box: Rect) -> list[Shape]:
    theme, size, middle = view.look.theme, _SIZE * view.look.control, box.y + box.h / 2
    side = _CROSS * size
    cross = icon_shapes("cross", box.x + side, middle, side, theme.fault, theme.chrome)
    return [*cross, Text(box.x + 2 * side, middle, words, size, theme.fault_text, "bold", baseline="middle")]


def _target(view: View, name: str, verdict: Verdict, box: Rect) -> Target:
    side, told = view.look.target, f"{verdict.name} is {verdict.sentence()}."
    place = Rect(box.x, box.y + (box.h - side) / 2, box.w - view.look.gap, side)
    return Target(name, place, Do("go_to_breach", (verdict.step, told)), told)
