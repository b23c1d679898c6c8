"""The inputs of the window as plain values, made from pygame's events or by tests."""

from typing import NamedTuple, TypeAlias


class Key(NamedTuple):
    """A press of a key, spelled as in `visual.window.keys`: "Space", "Shift+R", "Ctrl+S", "?".

    `again` if the keyboard repeats a key that is down.
    """

    chord: str
    again: bool = False


class Typed(NamedTuple):
    """Typed text, after the `Key` of the same press. Only a text field uses it."""

    text: str


class Press(NamedTuple):
    """The mouse button went down at (x, y)."""

    x: float
    y: float


class Motion(NamedTuple):
    """The pointer moved to (x, y)."""

    x: float
    y: float


class Release(NamedTuple):
    """The mouse button went up at (x, y)."""

    x: float
    y: float


class Wheel(NamedTuple):
    """The wheel turned over (x, y); `notches` is positive away from the person."""

    x: float
    y: float
    notches: float


class Resize(NamedTuple):
    """The window has a new size, in pixels; `is_full` says whether it fills the screen, where the browser decides."""

    width: int
    height: int
    is_full: bool | None = None


class SecondaryPress(NamedTuple):
    """The right mouse button went down at (x, y)."""

    x: float
    y: float


class Dropped(NamedTuple):
    """A file was dropped on the window."""

    path: str


class Focus(NamedTuple):
    """The page's keyboard came to the widget with this id; "" for none of them."""

    widget: str


class Use(NamedTuple):
    """The widget with this id was pressed in a page, by a key or a screen reader."""

    widget: str


class MoveSlider(NamedTuple):
    """The slider with this id was moved in a page, to a value from 0 to 1."""

    widget: str
    share: float


class FillField(NamedTuple):
    """The text field being edited has this text in a page, and its caret."""

    text: str
    caret: int


class Tick(NamedTuple):
    """Wall time has passed since the previous tick."""

    seconds: float


Mirrored: TypeAlias = Focus | Use | MoveSlider | FillField
"""What a person does to the elements of a page that stand for the window's widgets."""

Input: TypeAlias = Key | Typed | Press | Motion | Release | Wheel | Resize | Dropped | SecondaryPress | Mirrored | Tick
