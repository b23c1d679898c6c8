"""What has just happened in words, in the bar at the bottom: one line, or two where a whole hall reads them."""

from __future__ import annotations

from visual.drawing import fonts
from visual.drawing.shapes import Text, stacked
from visual.window.widgets import Look

SMALLEST = 0.72  # of the usual size, for a long sentence in little room
_SIZES = (1.0, 0.93, 0.86, 0.79, SMALLEST)


def sentence(look: Look, words: str, left: float, middle: float, room: float) -> list[Text]:
    """The words as large as there is room for; those for which there is none at all end in an ellipsis."""
    size = next((size for size in _sizes(look) if len(_wrapped(words, room, size)) <= look.lines), _sizes(look)[-1])
    lines = fonts.lines(words, room, size, look.lines, weight="bold")
    return stacked(lines, left, middle, size, look.theme.ink, "bold")


def _sizes(look: Look) -> list[float]:
    return [share * look.sentence for share in _SIZES]


def _wrapped(words: str, room: float, size: float) -> list[str]:
    return fonts.wrap(words, room, size, weight="bold")


def middle_of(look: Look, top: float) -> float:
    """The height of the middle of the sentence in a bar that begins at `top`."""
    return top + 12 * look.control + look.sentence_room / 2
