"""The window: pygame's events in, shapes out, sixty times a second.

Without a display `open_window` raises NoDisplay, and the command line runs without a window.
"""

from __future__ import annotations

import os
import sys
import unicodedata
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame

from algorithms.clock import wall_clock
from algorithms.engine.scenario import Scenario
from visual.drawing.paint import Painter
from visual.drawing.paint.painter import Lens
from visual.drawing.shapes import Rect, Shape
from visual.drawing.theme import load
from visual.window import intents
from visual.window.arrangement import look_of, regions, whole
from visual.window.desk import Desk
from visual.window.gallery.cards import SECTIONS, with_recent
from visual.window.gallery.page import head_of
from visual.window.header import header
from visual.window.inputs import Dropped, Input, Key, Motion, Press, Release, Resize, SecondaryPress, Typed, Wheel
from visual.window.loop import LONGEST_TICK, Loop
from visual.window.memory import settings, unsaved
from visual.window.memory.unsaved import Memory
from visual.window.panel import Panel, View, sheet
from visual.window.playback.transport import transport
from visual.window.run_view import RunView
from visual.window.state import Interface, OpenGallery
from visual.window.widgets import Touch, draw

if TYPE_CHECKING:
    from visual.window.graph.graphs import Graphs
    from visual.window.intents import Rival
    from visual.window.presenting.actions import Opening
    from visual.window.presenting.presenter_window import PresenterWindow

FRAMES = 60  # per second
SIZE = (1280, 720)  # of a window that is not full screen
BUILDING = 0.01  # seconds of a frame after which still panels are postponed to the next one
PAINTING = 0.004  # seconds of a frame for shapes that may be painted later
AT_REST = 0.012  # likewise while nothing moves

_NAMES = {
    pygame.K_SPACE: "Space",
    pygame.K_RETURN: "Enter",
    pygame.K_KP_ENTER: "Enter",
    pygame.K_ESCAPE: "Esc",
    pygame.K_TAB: "Tab",
    pygame.K_BACKSPACE: "Backspace",
    pygame.K_DELETE: "Delete",
    pygame.K_LEFT: "Left",
    pygame.K_RIGHT: "Right",
    pygame.K_UP: "Up",
    pygame.K_DOWN: "Down",
    pygame.K_HOME: "Home",
    pygame.K_END: "End",
    pygame.K_PAGEUP: "PageUp",
    pygame.K_PAGEDOWN: "PageDown",
    **{getattr(pygame, f"K_F{n}"): f"F{n}" for n in range(1, 13)},
}


_ACCELERATION = "SDL_FRAMEBUFFER_ACCELERATION"  # SDL's variable


class NoDisplay(Exception):  # noqa: N818
    """No screen is available for a window, for the reason given in words."""

    def __init__(self, reason: str = "there is no display for a window") -> None:
        super().__init__(reason)


def open_window(
    scenario: Scenario,
    path: Path | None = None,
    *,
    gallery: bool = False,
    beside: Rival | None = None,
    lesson: str = "",
    untrusted: str = "",
    step: int | None = None,
    time: float = 0.0,
    how: Opening | None = None,
) -> int:
    """Show a scenario, perhaps at a moment, a lesson or the gallery until the person quits; returns the exit code.

    With `untrusted`, the file of an algorithm, ask first whether it may run, as `path` wants. May raise NoDisplay.
    """
    desk = Desk(RunView(scenario, None if untrusted else path))
    if beside is not None:
        from visual.window.compare import join  # the first frame of one run does without

        join(desk, beside)
    window = Window(desk, Memory(settings.path(), unsaved.folder()))
    window.interface = opened_at(window.interface, desk, step, time)
    if how is not None:
        from visual.window.presenting.actions import begun  # the first frame does without

        window.interface = begun(window.interface, desk, how)
    if untrusted and path is not None:
        from visual.window.own_files import ask  # the first frame does without

        window.interface = ask(window.interface, untrusted, path)
    elif path is not None:
        window.interface = replace(window.interface, recent=with_recent(window.interface.recent, path))
    if lesson:
        from visual.window.actions import perform  # the first frame does without

        window.interface = perform(window.interface, desk, intents.open_lesson(lesson))
    if gallery:
        window.interface = window.interface.over(OpenGallery(SECTIONS[0]))
    return window.run()


def opened_at(interface: Interface, desk: Desk, step: int | None, time: float) -> Interface:
    """The interface after that step of the run, or else at that time; 0 is before the first step."""
    if step is not None:
        desk.seek_step(step)
        return interface.at(desk.now)
    if not time:
        return interface
    desk.seek_time(time)
    return interface.at(max(desk.now, min(time, desk.horizon)))


class Window(Loop):
    """The pygame window of one desk."""

    def __init__(self, desk: Desk, memory: Memory | None = None) -> None:
        self.surface = _opened()
        self._canvas = pygame.Surface((0, 0), depth=32)  # painted on where the display has few colours
        self._place_before: tuple[tuple[int, int], tuple[int, int]] = ((0, 0), self.surface.get_size())
        pygame.display.set_caption("Mutoscope")
        pygame.key.set_repeat(350, 40)
        super().__init__(desk, Interface().resized(*self.surface.get_size()), memory)
        self._painter = Painter(load(self.interface.display.theme))
        self._is_exposed = True  # so that the picture must be painted again
        self._keys_down: set[int] = set()
        self._presenter: PresenterWindow | None = None
        self._lens: Lens | None = None

    def run(self) -> int:
        """Draw frame after frame until the person quits."""
        frames = pygame.time.Clock()
        self.begin()
        while self.turn(min(frames.tick(FRAMES) / 1000, LONGEST_TICK)):
            pass
        return self.end()

    def begin(self) -> None:
        """Draw the first frame."""
        shapes, self._graphs = first_shapes(self.interface, self.desk)
        self.paint(shapes)

    def turn(self, seconds: float) -> bool:
        """Draw the next frame, with the person's inputs; False once the person quits."""
        return self.frame(self._inputs(), seconds)

    def end(self) -> int:
        """Close everything; the exit code."""
        self.desk.close()
        if self._presenter is not None:
            self._presenter.close()
        pygame.display.quit()
        return 0

    def frame(self, inputs: list[Input], seconds: float) -> bool:
        """Apply the inputs, advance the time and draw; False once the person quits."""
        stop = wall_clock() + BUILDING
        for input_ in inputs:
            self.apply(input_)
        if self._presenter is not None:
            self.interface = self._presenter.apply(self.interface)
        goes_on = self.tick(seconds, is_quiet=not inputs)
        self._keep_presenter()
        shapes = self.shapes(stop, again=self._is_exposed or self._painter.is_behind)
        if shapes is not None:
            self.paint(shapes)
            self._is_exposed = False
        if self._presenter is not None:
            self._presenter.paint(self.interface, self.desk, stop)
        self.tidy_up()
        return goes_on

    def paint(self, shapes: list[Shape]) -> None:
        """Draw shapes and show them."""
        if self._painter.theme.name != self.interface.display.theme:
            self._painter = Painter(load(self.interface.display.theme))
        has_few_colours = self.surface.get_bitsize() != 32
        if has_few_colours and self._canvas.get_size() != self.surface.get_size():
            self._canvas = pygame.Surface(self.surface.get_size(), depth=32)
        target = self._canvas if has_few_colours else self.surface
        self._painter.draw(target, shapes, PAINTING if self.interface.is_moving else AT_REST)
        if self.interface.presentation.tool == "magnifier":
            self._magnify(target, shapes)
        if has_few_colours:
            self.surface.blit(target, (0, 0))
        pygame.display.flip()

    def _magnify(self, target: pygame.Surface, shapes: list[Shape]) -> None:
        """Draw the magnifier over the picture."""
        from visual.window.presenting.tools import LENS, MAGNIFIED  # the first frame does without

        if self._lens is None or self._lens.theme.name != self.interface.display.theme:
            self._lens = Lens(load(self.interface.display.theme), MAGNIFIED)
        (x, y), (width, height) = self.interface.presentation.at, target.get_size()
        self._lens.draw(target, shapes, x * width, y * height, LENS * height)

    def _keep_presenter(self) -> None:
        """Open or close the presenter's window, as the interface says."""
        if self._presenter is not None and (self._presenter.is_closed or self.interface.presenter is None):
            self._presenter.close()
            self._presenter, self.interface = None, replace(self.interface, presenter=None)
        if self.interface.presenter is None:
            return
        if self._presenter is None:
            from visual.window.presenting import presenter_window  # only those who present need it

            display = presenter_window.other_display()
            if display is None:
                self.interface = replace(self.interface, presenter=None).say(presenter_window.ONE_DISPLAY)
                return
            self._presenter = presenter_window.PresenterWindow(self.desk, display)
        self.interface = self._presenter.fit(self.interface)

    @property
    def shown(self) -> Interface:
        """The interface as the audience sees it."""
        if self.interface.presenter is None:
            return self.interface
        from visual.window.presenting.presenter import stage_view  # the first frame does without

        return stage_view(self.interface)

    def apply(self, input_: Input) -> None:
        """Apply one input, perhaps in the presenter's window."""
        opens = self.interface.overlays and not self.interface.is_blank  # in the presenter's window, if there is one
        if self._presenter is not None and opens and isinstance(input_, Key | Typed):
            self.interface = self._presenter.updated(self.interface, input_)
            return
        if self._presenter is not None and isinstance(input_, Motion | Press) and self.interface.presenter is not None:
            here = self.interface.presenter._replace(has_pointer=False)
            self.interface = replace(self.interface, presenter=here)
        super().apply(input_)

    def _inputs(self) -> list[Input]:
        """The inputs since the last frame; of successive motions only the last."""
        inputs: list[Input] = []
        for event in pygame.event.get():
            translated = self._translated(event)
            if self._presenter is not None and self._presenter.take(event, translated):
                continue
            for input_ in translated:
                if isinstance(input_, Motion) and inputs and isinstance(inputs[-1], Motion):
                    inputs.pop()
                inputs.append(input_)
        return inputs

    def _translated(self, event: pygame.event.Event) -> list[Input]:
        """The inputs for one of pygame's events."""
        match event.type:
            case pygame.QUIT:
                return [Key("Ctrl+Q")]
            case pygame.KEYDOWN:
                again = event.key in self._keys_down
                self._keys_down.add(event.key)
                chord = chord_of(event.key, event.mod, event.unicode, event.scancode)
                return [Key(chord, again)] if chord else []
            case pygame.KEYUP:
                self._keys_down.discard(event.key)
            case pygame.WINDOWFOCUSLOST:
                self._keys_down.clear()
            case pygame.TEXTINPUT:
                return [Typed(event.text)]
            case pygame.DROPFILE:
                return [Dropped(event.file)]
            case pygame.MOUSEBUTTONDOWN if event.button == 1:
                return [Press(*event.pos)]
            case pygame.MOUSEBUTTONDOWN if event.button == 3:
                return [SecondaryPress(*event.pos)]
            case pygame.MOUSEBUTTONUP if event.button == 1:
                return [Release(*event.pos)]
            case pygame.MOUSEMOTION:
                return [Motion(*event.pos)]
            case pygame.MOUSEWHEEL:
                return [Wheel(*pygame.mouse.get_pos(), event.precise_y)]
            case pygame.VIDEORESIZE | pygame.WINDOWSIZECHANGED:
                return [Resize(*pygame.display.get_window_size())]
            case pygame.WINDOWEXPOSED:
                self._is_exposed = True
        return []

    def _grant_wishes(self) -> None:
        """Fulfil the interface's requests to the window."""
        if self.interface.display.full_screen != bool(self.surface.get_flags() & pygame.FULLSCREEN):
            self._switch_screen(self.interface.display.full_screen)
        super()._grant_wishes()

    def _switch_screen(self, full: bool) -> None:
        """Switch to full screen on the display where the window is, or back; no display changes its mode."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "deprecated", and "forcibly resized" by the desktop
            window = pygame.Window.from_display_module()
        if full:
            self._place_before = (window.position, window.size)
            if len(sizes := pygame.display.get_desktop_sizes()) == 1:  # without a window manager nobody else does it
                window.position, window.size = (0, 0), sizes[0]
            window.set_fullscreen(desktop=True)
        else:
            window.set_windowed()
            window.position, window.size = self._place_before
        self.surface = pygame.display.get_surface() or self.surface
        self._is_exposed = True
        self.apply(Resize(*self.surface.get_size()))


def _opened() -> pygame.Surface:
    """The window's surface. Raises NoDisplay with the reason in words."""
    os.environ.setdefault("SDL_WINDOWS_DPI_AWARENESS", "permonitorv2")  # sharp letters, not enlarged ones
    try:
        _start_display()
        try:
            return pygame.display.set_mode(_first_size(), pygame.RESIZABLE)
        except pygame.error:  # SDL knows 30 bits per pixel on the graphics card only
            if os.environ.pop(_ACCELERATION, None) is None:
                raise
            pygame.display.quit()
            pygame.display.init()
            return pygame.display.set_mode(_first_size(), pygame.RESIZABLE)
    except pygame.error as error:
        if "pixel format" in str(error):
            raise NoDisplay("no window can be drawn in this display's pixel format (8 bits per pixel?)") from error
        raise NoDisplay from error


def _start_display() -> None:
    """Start SDL's display. Raises NoDisplay where SDL would draw off screen."""
    chosen = os.environ.get("SDL_VIDEODRIVER")
    desktop = any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
    if sys.platform == "linux" and not chosen and not desktop:
        os.environ["SDL_VIDEODRIVER"] = "kmsdrm"  # without a desktop only the console is left
    pygame.display.init()
    driver = pygame.display.get_driver()
    if driver == "offscreen" and not chosen:
        raise NoDisplay
    if driver == "x11":  # OpenGL would copy each picture, slowly without a graphics card
        os.environ.setdefault(_ACCELERATION, "0")


def _first_size() -> tuple[int, int]:
    """The window's first size: most of the display on which it opens."""
    sizes, chosen = pygame.display.get_desktop_sizes(), os.environ.get("PYGAME_DISPLAY", "")
    width, height = sizes[int(chosen) if chosen.isdecimal() and int(chosen) < len(sizes) else 0]
    return (min(width, max(SIZE[0], round(width * 0.9))), min(height, max(SIZE[1], round(height * 0.88))))


_ROWS = {4: "abcdefghijklmnopqrstuvwxyz", 30: "1234567890", 47: "[]", 51: ";'`,./"}  # by first scancode
_POSITIONS = {first + k: letter for first, row in _ROWS.items() for k, letter in enumerate(row)}
"""SDL's scancode of a key -> the character there on an English keyboard."""


def chord_of(key: int, mod: int, character: str, scancode: int = 0) -> str:
    """A key press as a chord of the table of keys; "" for a modifier alone.

    A letter that is not Latin counts by the position of its key, and so does a digit with Alt.
    """
    control = "Ctrl+" if mod & (pygame.KMOD_CTRL | pygame.KMOD_META) else ""
    shift = "Shift+" if mod & pygame.KMOD_SHIFT else ""
    alt = "Alt+" if mod & pygame.KMOD_LALT else ""
    if key in _NAMES:
        return f"{control}{alt}{shift}{_NAMES[key]}"
    if alt:
        digit = _POSITIONS.get(scancode, "")
        return f"{control}{alt}{digit}" if digit.isdecimal() else ""
    if control:  # SDL has a name for Latin letters only; the number of any other letter is its code point
        name = pygame.key.name(key).removeprefix("[").removesuffix("]")
        character = name or (chr(key) if key <= sys.maxunicode else "")
    if len(character) == 1 and _is_foreign(character):
        character = _POSITIONS.get(scancode, "")
    if control:
        return f"{control}{character.upper()}" if len(character) == 1 else ""
    if character.isalpha():
        return f"{shift}{character.upper()}"
    return character if character.isprintable() else ""


def _is_foreign(character: str) -> bool:
    """Whether a character is a letter or digit that no Latin keyboard has."""
    return not character.isascii() and character.isalnum() and "LATIN" not in unicodedata.name(character, "")


def first_shapes(interface: Interface, desk: Desk) -> tuple[list[Shape], Graphs | None]:
    """The gallery's head, or the graph with the bars above and below it; and the graphs, whose layouts are reused."""
    if interface.section:
        return _panel_shapes(head_of, interface, desk, whole(interface)), None
    from visual.window.graph.graphs import Graphs  # the gallery's first frame does without

    areas, graphs = regions(interface), Graphs()
    shapes = [sheet(interface, interface.display.theme), *graphs.shapes(interface, desk, lambda: False)]
    if areas.header.h:
        shapes += _panel_shapes(header, interface, desk, areas.header)
    if areas.foot.h:
        shapes += _panel_shapes(transport, interface, desk, areas.foot)
    return shapes, graphs


def _panel_shapes(build: Callable[[View], Panel], interface: Interface, desk: Desk, region: Rect) -> list[Shape]:
    """The shapes of a panel and its widgets, without pointer and keyboard."""
    look = look_of(interface)
    panel = build(View(interface, desk, desk.front, look, region))
    return [*panel.shapes, *(shape for widget in panel.widgets for shape in draw(widget, look, Touch()))]
