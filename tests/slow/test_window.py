"""The real window on a virtual screen, with real keys and a real mouse.

Needs Xvfb and xdotool (Debian: apt-get install xvfb xdotool); skipped where they are absent.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from algorithms import scenario_file
from algorithms.engine.scenario import Scenario
from tests.support.desks import desk_of
from tests.support.flat_shapes import cover
from tests.support.interfaces import interface_of
from tests.support.views import VIEWS
from tests.support.virtual_screen import HEIGHT, PATIENCE, WIDTH, VirtualDesk, VirtualScreen
from visual.window.memory import settings
from visual.window.screen import Screen

MISSING = [tool for tool in ("Xvfb", "xdotool") if shutil.which(tool) is None]
pytestmark = [
    pytest.mark.window,
    pytest.mark.skipif(bool(MISSING), reason=f"needs {' and '.join(MISSING)}"),
]

KEYS = (
    *"qcpdsxvgimwuztbfhkr",
    *("space", "Right", "Left", "Up", "Down", "Home", "End", "Prior", "Next", "BackSpace", "Tab", "Return"),
    *("Escape", "F1", "F5", "F11", "plus", "minus", "period", "comma", "bracketleft", "bracketright", "question"),
    *("0", "3", "7", "shift+r", "shift+Right", "shift+Left", "shift+Down"),
    *("ctrl+z", "ctrl+plus", "ctrl+minus", "ctrl+0"),
)


FURTHER = (  # views in which other functions run than in those that together have every key
    *("waiting", "peer-to-peer-node", "breach", "space-time-logical", "space-time-down", "presenting-compare"),
    "lab-running",
)
WORDS = ("Wait", "Measure", "Keep")  # of a view's keys, for tests without a real keyboard


@pytest.fixture(scope="module")
def display(tmp_path_factory: pytest.TempPathFactory) -> Iterator[VirtualScreen]:
    display = VirtualScreen(tmp_path_factory.mktemp("screen"))
    yield display
    display.close()


@pytest.fixture
def desk(tmp_path: Path, display: VirtualScreen) -> Iterator[VirtualDesk]:
    desk = VirtualDesk(tmp_path, display)
    yield desk
    desk.close()


def test_space_plays_and_pauses_and_a_click_on_the_play_button_plays(desk):
    desk.start("token-ring")
    desk.until(desk.is_still)
    play = middle_of(desk, "transport.play")
    desk.keys("space")
    assert desk.until(desk.is_moving)
    desk.keys("space")
    desk.do("mousemove", "--window", desk.window, "5", "200")
    assert desk.until(desk.is_still), "the token of a run that plays never rests"
    desk.do("mousemove", "--window", desk.window, *play, "click", "1")
    assert desk.until(desk.is_moving)
    assert desk.errors() == ""
    if Path("/proc/self/maps").exists():  # where the system says what a process has loaded
        loaded = Path(f"/proc/{desk.program.pid}/maps").read_text()
        assert "libSDL2" in loaded
        assert "libGL" not in loaded, "without a graphics card OpenGL takes four times as long as everything else"


def test_ctrl_s_saves_the_picture_as_png_and_svg_and_ctrl_q_alone_quits(desk):
    desk.start("deferred-reply")
    desk.keys("q", "Escape", "Escape", "Escape", "x", "F5", "Escape", "b", "b", "period", "alt+q", "ctrl+s")
    for ending in ("png", "svg"):
        saved = desk.until(lambda ending=ending: list(desk.folder.glob(f"*.{ending}")))
        desk.until(lambda saved=saved: saved[0].stat().st_size > 1000)
    assert desk.is_running()
    desk.keys("ctrl+q")
    assert desk.program.wait(PATIENCE) == 0
    assert desk.errors() == ""


def test_f5_fills_the_screen_page_down_plays_and_esc_brings_the_window_back(desk):
    desk.start("deferred-reply")
    desk.until(lambda: desk.size() != (0, 0))
    before = desk.size()
    desk.keys("F5")
    assert desk.until(lambda: desk.size() == (WIDTH, HEIGHT) or before == (WIDTH, HEIGHT))
    desk.keys("Next")
    assert desk.until(desk.is_moving)
    assert desk.until(desk.is_still), "it stops at the marker"
    desk.keys("ctrl+p", "shift+D", "alt+Right", "Escape", "Escape")
    assert desk.until(lambda: desk.size() == before)
    assert desk.errors() == "", "with one display a sentence says that there is no other"


def test_ctrl_r_saves_a_run_that_opens_again(desk):
    desk.start("token-ring")
    desk.keys("Right", "Right", "x", "ctrl+r")
    (saved,) = desk.until(lambda: list(desk.folder.glob("*.toml")))
    desk.until(lambda: saved.stat().st_size > 100)
    again = scenario_file.load(saved)
    assert [event.do for event in again.events] == ["lose-token"]


def test_interventions_survive_a_kill(desk):
    desk.start("token-ring")
    desk.keys("Right", "Right", "x")
    (unsaved,) = desk.until(lambda: list(desk.folder.glob("state/mutoscope/unsaved/*.toml")))
    desk.program.kill()
    assert [event.do for event in scenario_file.load(unsaved).events] == ["lose-token"]


def test_the_theme_is_the_same_the_next_time(desk):
    desk.start("deferred-reply")
    desk.keys("t", "ctrl+q")
    assert desk.program.wait(PATIENCE) == 0
    dark = desk.folder / "config" / "mutoscope" / "settings.json"
    assert settings.load(dark) == (settings.Settings(theme="dark"), "")


def test_another_size_and_full_screen_and_back(desk):
    desk.start("deferred-reply")
    desk.do("windowsize", desk.window, "1024", "768")
    desk.until(lambda: desk.size() == (1024, 768))
    for size in ((WIDTH, HEIGHT), (1024, 768)):
        desk.until(desk.is_still)
        desk.focus()
        desk.keys("F11")
        assert desk.until(lambda size=size: desk.size() == size)
    assert desk.until(lambda: plays(desk)), "a key that is lost while the window changes is pressed again"
    assert desk.is_running()
    assert desk.errors() == ""


def plays(desk: VirtualDesk) -> bool:
    """Whether the picture moves after a press of the space bar."""
    desk.focus()
    desk.keys("space")
    return desk.is_moving()


def test_views_by_every_key(desk):
    """Those that have every key and FURTHER. One is on screen for some frames before Esc; the gallery's come last."""
    desk.start("deferred-reply")
    names = {*cover(name for name, view in VIEWS.items() if "Tab:" not in view.keys), *FURTHER}
    every = [view.keys for name, view in VIEWS.items() if name in names]
    opening = [keys for keys in every if "Ctrl+O" in keys and keys.endswith(("Enter", "Measure"))]
    press_and_leave(desk, [keys for keys in every if keys not in opening])
    assert desk.until(lambda: plays(desk)), "all keys have been heeded by now"
    press_and_leave(desk, opening)
    assert desk.errors() == ""


def press_and_leave(desk: VirtualDesk, views: list[str]) -> None:
    for keys in views:
        if chords := [as_xdotool(chord) for chord in keys.split() if chord not in WORDS and ":" not in chord]:
            desk.do("key", "--delay", "10", *chords, "sleep", "0.08", "key", "--delay", "10", *["Escape"] * 4, "ctrl+0")
            assert desk.is_running(), f"after {keys}: {desk.errors()}"


def as_xdotool(chord: str) -> str:
    """A chord of the table of keys in xdotool's words."""
    head, plus, key = chord.rpartition("+") if not chord.endswith("+") else (chord[:-2], chord[-2:-1], "+")
    names = {"+": "plus", "?": "question", "Enter": "Return"}
    name = names.get(key, key if len(key) > 1 else key.lower())
    return f"{head.lower()}{plus}{name}"


def test_hundreds_of_random_inputs(desk):
    desk.start("ricart-agrawala")
    dice = random.Random(440)
    for _ in range(10):
        words = [word for _ in range(25) for word in random_input(dice)]
        desk.do(*words)
        assert desk.is_running(), desk.errors()
    desk.focus()
    desk.keys(*["Escape"] * 10)
    desk.keys("Home")
    assert desk.until(lambda: plays(desk))
    assert desk.is_running()
    assert desk.errors() == ""


def random_input(dice: random.Random) -> list[str]:
    """One input in xdotool's words."""
    x, y = str(dice.randrange(WIDTH)), str(dice.randrange(HEIGHT))
    kind = dice.random()
    if kind < 0.6:
        return ["key", dice.choice(KEYS)]
    if kind < 0.8:
        return ["mousemove", x, y, *click("1")]
    if kind < 0.9:
        return ["mousemove", x, y, *click(dice.choice("45"))]
    return ["mousemove", x, y, "mousedown", "1", "mousemove", y, x, "mouseup", "1"]


def click(button: str) -> list[str]:
    """A click in xdotool's words; its own one takes a tenth of a second."""
    return ["mousedown", button, "sleep", "0.01", "mouseup", button]


def middle_of(desk: VirtualDesk, widget: str) -> tuple[str, str]:
    """Where a widget is in the window just opened."""
    screen = Screen(desk_of(Scenario("token-ring")))
    box = next(found.box for found in screen.widgets(interface_of(*desk.size())) if found.id == widget)
    return str(round(box.x + box.w / 2)), str(round(box.y + box.h / 2))
