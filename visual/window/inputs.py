"""What a person can do to the window, and what the window is asked to do, as plain values.

from visual.window.intents import Do
The window turns pygame's events into these; tests make them up.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias


class Key(NamedTuple):
    """A key was pressed. `chord` is spelled as in the table of `visual.window.keys`: "Space", "Shift+R", "Ctrl+S", "?".

    `again`: it is held down, and the keyboard repeats it.
    """

    chord: str
    again: bool = False


class Typed(NamedTuple):
    """Text was typed; follows the `Key` of the same press. Only a text field listens to it."""

    text: str


class Press(NamedTuple):
    """A mouse button went down at (x, y)."""

    x: float
    y: float


class Motion(NamedTuple):
    """The pointer is now at (x, y)."""

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
    """The window has a new size, in pixels."""

    width: int
    height: int


class Tick(NamedTuple):
    """So much wall time has passed since the tick before."""

    seconds: float


Input: TypeAlias = Key | Typed | Press | Motion | Release | Wheel | Resize | Tick
