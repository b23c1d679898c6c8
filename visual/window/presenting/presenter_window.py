"""The presenter's window, on a display beside the audience's; the interface is the same."""

from __future__ import annotations

import warnings
from collections.abc import Hashable
from dataclasses import replace

import pygame

from visual.drawing.paint import Painter
from visual.drawing.shapes import Rect
from visual.drawing.theme import load
from visual.window.desk import Desk
from visual.window.inputs import Input, Motion, Resize
from visual.window.presenting.presenter import NextPicture, merged, notes_column, presenter_view
from visual.window.screen import Screen
from visual.window.state import Interface, PresenterView
from visual.window.update import update

ONE_DISPLAY = "There is no second display: N shows the notes over the picture."
_CENTRED = 0x2FFF0000  # SDL's position in the middle of a display, plus the display's number
_FILLED = (0.96, 0.9)  # shares of its display's width and height
_SLOWER = 3  # times: the frames of the stage to one of this window, while the run moves


def displays() -> list[Rect]:
    """The rectangles of the displays. SDL tells where a window in the middle of each would be."""
    rects: list[Rect] = []
    for number, (width, height) in enumerate(pygame.display.get_desktop_sizes()):
        probe = pygame.Window("", (2, 2), _middle_of(number), hidden=True)
        x, y = probe.position
        probe.destroy()
        rects.append(Rect(x + 1 - width // 2, y + 1 - height // 2, width, height))
    return rects


def _middle_of(display: int) -> tuple[int, int]:
    return (_CENTRED | display, _CENTRED | display)


def other_display() -> int | None:
    """The number of a display that the program's main window is not on; None if there is one display only."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # "deprecated"
        window = pygame.Window.from_display_module()
    x, y = (place + size // 2 for place, size in zip(window.position, window.size, strict=True))
    rects = displays()
    here = next((n for n, r in enumerate(rects) if r.x <= x < r.x + r.w and r.y <= y < r.y + r.h), 0)
    return next((number for number in range(len(rects)) if number != here), None)


class PresenterWindow:
    """The window of one desk for the person who presents."""

    def __init__(self, desk: Desk, display: int) -> None:
        width, height = pygame.display.get_desktop_sizes()[display]
        size = (round(_FILLED[0] * width), round(_FILLED[1] * height))
        self._window = pygame.Window("Mutoscope: presenter", size, _middle_of(display), resizable=True)
        self._window.minimum_size = (640, 360)
        self._surface = self._window.get_surface()
        self._screen = Screen(desk)
        self._picture = NextPicture()
        self._painter: Painter | None = None
        self._painted: Hashable = None
        self._frames = 0  # since the last picture
        self.inputs: list[Input] = []
        self.is_closed = False

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self._window.size

    def take(self, event: pygame.event.Event, inputs: list[Input]) -> bool:
        """Whether the event is of this window; if so, keep its inputs, keys apart, which are the stage's."""
        if getattr(event, "window", None) is None or event.window.id != self._window.id:
            return False
        if event.type == pygame.WINDOWCLOSE:
            self.is_closed = True
        if event.type in (pygame.WINDOWEXPOSED, pygame.WINDOWSIZECHANGED):
            self._painted = None
        if event.type in (pygame.KEYDOWN, pygame.KEYUP, pygame.TEXTINPUT, pygame.WINDOWFOCUSLOST, pygame.QUIT):
            return False
        self.inputs += [input_ for input_ in inputs if not isinstance(input_, Resize)]
        return True

    def apply(self, interface: Interface) -> Interface:
        """The interface after the inputs since the last frame."""
        inputs, self.inputs = self.inputs, []
        for place, input_ in enumerate(inputs):
            if isinstance(input_, Motion) and place + 1 < len(inputs) and isinstance(inputs[place + 1], Motion):
                continue
            interface = self.updated(interface, input_)
        return interface

    def updated(self, interface: Interface, input_: Input) -> Interface:
        """The interface after one input to the panels of this window."""
        if interface.presenter is None:
            return interface
        pointed = replace(interface, presenter=interface.presenter._replace(has_pointer=True))
        view = presenter_view(pointed)
        return merged(pointed, view, update(view, self._screen, input_))

    def fit(self, interface: Interface) -> Interface:
        """The interface with this window's size."""
        assert interface.presenter is not None
        return replace(interface, presenter=PresenterView(*self.size, interface.presenter.has_pointer))

    def paint(self, interface: Interface, desk: Desk, stop: float) -> None:
        """Draw the window if it has changed; less often than the stage while the run moves."""
        seconds = int(interface.clock - (interface.presentation.began or 0.0))
        view = presenter_view(interface)
        present = (replace(view, clock=0.0), interface.is_blank, desk.revisions, seconds, self.size)
        self._frames += 1
        if present == self._painted or (interface.is_moving and self._frames < _SLOWER):
            return
        theme = interface.display.theme
        if self._painter is None or self._painter.theme.name != theme:
            self._painter = Painter(load(theme))
        self._surface = self._window.get_surface()
        shapes = [*self._screen.shapes(view, stop), *notes_column(interface, desk, seconds, self._picture)]
        self._painter.draw(self._surface, shapes)
        self._window.flip()
        self._painted = None if self._screen.is_behind else present
        self._frames = 0

    def close(self) -> None:
        """Close the window."""
        self._window.destroy()
