"""The real window on a virtual screen, handled as a person would: xdotool presses the keys and moves the mouse.

Needs Xvfb, xdotool and ImageMagick (Debian: apt-get install xvfb xdotool imagemagick), and skips where they are absent.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from algorithms import scenario_file
from algorithms.engine.scenario import Scenario
from tests.support.views import VIEWS
from visual.window.memory import settings
from visual.window.screen import Screen
from visual.window.session import Session
from visual.window.state import Interface

MISSING = [tool for tool in ("Xvfb", "xdotool", "import") if shutil.which(tool) is None]
pytestmark = [
    pytest.mark.window,
    pytest.mark.skipif(bool(MISSING), reason=f"needs {' and '.join(MISSING)}"),
]

WIDTH, HEIGHT = 1280, 800
START = "from visual.command_line import main; raise SystemExit(main())"
PATIENCE = 30.0  # seconds to wait for something that is sure to come, on a machine that is busy

KEYS = (
    *"qcpdsxvgimwuztbfhkr",
    *("space", "Right", "Left", "Up", "Down", "Home", "End", "Prior", "Next", "BackSpace", "Tab", "Return"),
    *("Escape", "F1", "F5", "F11", "plus", "minus", "period", "comma", "bracketleft", "bracketright", "question"),
    *(
        "0",
        "3",
        "7",
        "shift+r",
        "shift+Right",
        "shift+Left",
        "shift+Down",
        "ctrl+z",
        "ctrl+plus",
        "ctrl+minus",
        "ctrl+0",
    ),
)


class Desk:
    """A screen nobody sees, and the program on it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.server, self.display = self._screen()
        homes = {f"XDG_{kind}_HOME": str(folder / kind.lower()) for kind in ("CONFIG", "STATE", "CACHE")}
        self.environment = {**os.environ, "DISPLAY": self.display, "SDL_AUDIODRIVER": "dummy", **homes}
        self.environment.pop("SDL_VIDEODRIVER", None)
        self.program: subprocess.Popen[bytes] | None = None
        self.window = ""

    def _screen(self) -> tuple[subprocess.Popen[bytes], str]:
        """An X server of its own on a free display, which it tells once it is ready.

        Without -noreset it would start afresh whenever the last program leaves, and turn away who comes just then.
        """
        read, write = os.pipe()
        server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{WIDTH}x{HEIGHT}x24", "-nolisten", "tcp", "-noreset"],
            pass_fds=[write],
            stderr=subprocess.DEVNULL,
        )
        os.close(write)
        with os.fdopen(read) as pipe:
            return server, f":{pipe.readline().strip()}"

    def start(self, *words: str) -> None:
        """Start the program and wait for its window."""
        self.program = subprocess.Popen(
            [sys.executable, "-c", START, "play", *words],
            env={**self.environment, "PYTHONPATH": str(Path(__file__).parents[2])},
            cwd=self.folder,
            stderr=(self.folder / "errors").open("wb"),
        )
        self.focus()
        self.until(self.pixels)

    def focus(self) -> None:
        """Let the program's window have the keyboard, which without a window manager nobody else sees to."""
        pid = str(self.program.pid) if self.program else ""
        self.window = self.until(lambda: self.ask("search", "--onlyvisible", "--pid", pid).split()[-1:])[0]
        self.do("windowfocus", self.window)
        time.sleep(0.2)

    def until(self, find):
        """What `find` returns, once it is something."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            found = find()
            if found:
                return found
            time.sleep(0.05)
        raise AssertionError(f"nothing came; the program says: {self.errors()}")

    def ask(self, *words: str) -> str:
        """What xdotool answers."""
        done = subprocess.run(
            ["xdotool", *words], env=self.environment, capture_output=True, text=True, timeout=PATIENCE
        )
        return done.stdout

    def do(self, *words: str) -> None:
        """Let xdotool do something."""
        self.ask(*words)

    def keys(self, *names: str) -> None:
        """Press keys, one after the other."""
        self.do("key", "--delay", "30", *names)

    def pixels(self) -> bytes:
        """What the screen shows; nothing while it is all one colour."""
        command = ["import", "-window", "root", "-depth", "8", "rgb:-"]
        done = subprocess.run(command, env=self.environment, capture_output=True, timeout=PATIENCE)
        return done.stdout if len(set(done.stdout[::997])) > 1 else b""

    def changes(self, before: bytes) -> bool:
        """Whether the screen shows something else than before."""
        return self.pixels() not in (b"", before)

    def errors(self) -> str:
        return (self.folder / "errors").read_text()

    def alive(self) -> bool:
        return self.program is not None and self.program.poll() is None

    def close(self) -> None:
        for process in (self.program, self.server):
            if process is not None and process.poll() is None:
                process.send_signal(signal.SIGTERM)
                try:
                    process.wait(5)
                except subprocess.TimeoutExpired:
                    process.kill()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path)
    yield desk
    desk.close()


def test_space_plays_and_pauses(desk):
    desk.start("deferred-reply")
    still = desk.pixels()
    desk.keys("space")
    desk.until(lambda: desk.changes(still))
    desk.keys("space")
    desk.do("mousemove", "--window", desk.window, "5", "200")
    time.sleep(1.0)
    paused = desk.pixels()
    time.sleep(0.5)
    assert desk.pixels() == paused
    assert desk.errors() == ""


def test_ctrl_q_quits_and_nothing_else_does(desk):
    desk.start("deferred-reply")
    desk.keys("q", "Escape", "Escape", "Escape", "x", "F5", "Escape", "b", "b", "period", "alt+q")
    time.sleep(0.3)
    assert desk.alive()
    desk.keys("ctrl+q")
    assert desk.program.wait(PATIENCE) == 0
    assert desk.errors() == ""


def test_a_click_on_the_play_button_plays(desk):
    desk.start("token-ring")
    desk.do("mousemove", "--window", desk.window, *_middle_of(desk, "transport.play"), "click", "1")
    time.sleep(2.0)
    first = desk.pixels()
    desk.until(lambda: desk.changes(first))


def test_ctrl_s_saves_the_picture_as_png_and_svg(desk):
    desk.start("deferred-reply")
    desk.keys("Right", "Right", "ctrl+s")
    for ending in ("png", "svg"):
        saved = desk.until(lambda ending=ending: list(desk.folder.glob(f"*.{ending}")))
        desk.until(lambda saved=saved: saved[0].stat().st_size > 1000)


def test_ctrl_r_saves_a_run_that_opens_again(desk):
    desk.start("token-ring")
    desk.keys("Right", "Right", "x", "ctrl+r")
    (saved,) = desk.until(lambda: list(desk.folder.glob("*.toml")))
    desk.until(lambda: saved.stat().st_size > 100)
    again = scenario_file.load(saved)
    assert [event.do for event in again.events] == ["lose-token"]


def test_what_was_done_by_hand_survives_a_kill(desk):
    desk.start("token-ring")
    desk.keys("Right", "Right", "x")
    (kept,) = desk.until(lambda: list(desk.folder.glob("state/mutoscope/unsaved/*.toml")))
    desk.program.kill()
    assert [event.do for event in scenario_file.load(kept).events] == ["lose-token"]


def test_the_theme_is_the_same_the_next_time(desk):
    desk.start("deferred-reply")
    desk.keys("t", "ctrl+q")
    assert desk.program.wait(PATIENCE) == 0
    dark = desk.folder / "config" / "mutoscope" / "settings.json"
    assert settings.load(dark) == (settings.Settings(theme="dark"), "")


def test_another_size_and_full_screen_and_back(desk):
    desk.start("deferred-reply")
    desk.do("windowsize", desk.window, "1024", "768")
    time.sleep(0.3)
    for size in (f"{WIDTH}x{HEIGHT}", "1024x768"):
        desk.keys("F11")
        time.sleep(0.5)
        desk.focus()
        assert desk.until(lambda size=size: size in desk.ask("getwindowgeometry", desk.window))
    assert desk.until(lambda: _plays(desk)), "a key may be lost while the window changes; then one presses it again"
    assert desk.alive()
    assert desk.errors() == ""


def _plays(desk: Desk) -> bool:
    """Whether the picture moves within some seconds after a press of the space bar."""
    desk.focus()
    desk.keys("space")
    before = desk.pixels()
    time.sleep(3.0)
    return desk.changes(before)


def test_every_view_by_its_keys(desk):
    desk.start("deferred-reply")
    for view in VIEWS.values():
        if "Tab:" not in view.keys:
            desk.keys(*map(_as_xdotool, view.keys.split()), *["Escape"] * 4, "ctrl+0")
            assert desk.alive(), f"after {view.keys}: {desk.errors()}"
    assert desk.errors() == ""


def _as_xdotool(chord: str) -> str:
    """A key of the table of keys in xdotool's words."""
    head, plus, key = chord.rpartition("+") if not chord.endswith("+") else (chord[:-2], chord[-2:-1], "+")
    names = {"+": "plus", "?": "question", "Enter": "Return"}
    name = names.get(key, key if len(key) > 1 else key.lower())
    return f"{head.lower()}{plus}{name}"


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="the system does not say what a process has loaded")
def test_pictures_go_to_the_screen_without_opengl(desk):
    """Where no graphics card does it, OpenGL takes four times as long for a picture as all else together."""
    desk.start("token-ring")
    desk.keys("space")
    loaded = Path(f"/proc/{desk.program.pid}/maps").read_text()
    assert "libSDL2" in loaded
    assert "libGL" not in loaded


def test_five_hundred_random_inputs(desk):
    desk.start("ricart-agrawala")
    dice = random.Random(440)
    for _ in range(20):
        words = [word for _ in range(25) for word in _random_input(dice)]
        desk.do(*words)
        assert desk.alive(), desk.errors()
    desk.focus()
    desk.keys(*["Escape"] * 10)
    desk.keys("Home")
    assert desk.until(lambda: _plays(desk))
    assert desk.alive()
    assert desk.errors() == ""


def _random_input(dice: random.Random) -> list[str]:
    """One input in xdotool's words."""
    x, y = str(dice.randrange(WIDTH)), str(dice.randrange(HEIGHT))
    kind = dice.random()
    if kind < 0.6:
        return ["key", dice.choice(KEYS)]
    if kind < 0.8:
        return ["mousemove", x, y, "click", "1"]
    if kind < 0.9:
        return ["mousemove", x, y, "click", dice.choice("45")]
    return ["mousemove", x, y, "mousedown", "1", "mousemove", y, x, "mouseup", "1"]


def _middle_of(desk: Desk, widget: str) -> tuple[str, str]:
    """Where a widget is in the window just opened."""
    geometry = desk.ask("getwindowgeometry", "--shell", desk.window)
    width, height = (int(geometry.split(f"{side}=")[1].split()[0]) for side in ("WIDTH", "HEIGHT"))
    screen = Screen(Session(Scenario("token-ring")))
    box = next(found.box for found in screen.widgets(Interface(width, height)) if found.id == widget)
    return str(round(box.x + box.w / 2)), str(round(box.y + box.h / 2))
