"""`play`: how the window opens, and the talks that it plays."""

from __future__ import annotations

import pytest

from tests.support.desks import desk_of
from visual.command_line import main
from visual.window import app
from visual.window.presenting.actions import Opening, begun
from visual.window.presenting.acts import RunningTalk
from visual.window.state import UNBOUND, Interface

TALK = """
format = 1
title = "Two rings"
minutes = 3

[[scene]]
scenario = "lost-token"
at = 12.0
title = "First"

[[scene]]
scenario = "busy-ring"
at = 40.0
title = "Second"
question = "Why?"
"""


@pytest.fixture
def opened(monkeypatch):
    """Runs a command and returns the scenario and the opening that the window gets."""

    def play(*words: str):
        seen = []
        monkeypatch.setattr(
            app, "open_window", lambda scenario, *path, how=None, **rest: seen.append((scenario, how)) or 0
        )
        assert main(["play", *words]) == 0
        return seen[-1]

    return play


def test_without_options_the_settings_decide(opened):
    assert opened("lost-token")[1] is None


def test_every_option_says_how_the_window_opens(opened):
    look = ["--view", "space-time", "--theme", "dark", "--select", "P2", "--speed", "1/4"]
    words = ["--present", "--full-screen", "--presenter", *look]
    _, how = opened("lost-token", *words)
    assert how == Opening("space-time", "dark", 2, -2, presenting=True, full_screen=True, presenter=True)
    assert opened("lost-token", "--speed", "max")[1].speed == UNBOUND
    interface = begun(Interface(), desk_of(opened("lost-token")[0]), how)
    display = interface.display
    assert (display.view, display.theme, display.presenting, display.full_screen) == ("space-time", "dark", True, True)
    assert (interface.node, interface.playback.speed, interface.presenter is not None) == (2, -2, True)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--select", "9"], "--select: expected the number of a node from 0 to 5"),
        (["--select", "x"], '--select: expected the number of a node from 0 to 5, got "x"'),
        (["--speed", "3"], "--speed: expected one of 1/8, 1/4, 1/2, 1, 2"),
        (["--view", "grahp"], '--view: unknown view "grahp"'),
        (["--theme", "blue"], '--theme: unknown theme "blue"'),
        (["busy-ring", "--seed", "4"], "--seed: expected a single scenario with it, got lost-token busy-ring"),
        (["busy-ring", "--at", "3"], "--at: expected a single scenario with it"),
    ],
)
def test_a_wrong_option_is_one_sentence_and_exit_code_2(words, told, capsys):
    assert main(["play", "lost-token", *words]) == 2
    assert told in capsys.readouterr().err


def test_a_file_with_scenes_is_a_talk_and_so_are_several_names(opened, tmp_path):
    file = tmp_path / "talk.toml"
    file.write_text(TALK, encoding="utf-8")
    scenario, how = opened(str(file))
    assert isinstance(how.talk, RunningTalk)
    assert (how.talk.title, how.talk.minutes, len(how.talk.acts)) == ("Two rings", 3.0, 2)
    assert scenario == how.talk.acts[0].scenario
    assert [marker.name for act in how.talk.acts for marker in act.scenario.markers] == ["First", "Second"]
    _, how = opened("lost-token", str(file))
    assert [act.scenario.algorithm for act in how.talk.acts] == ["token-ring"] * 3
    assert opened("mutual-exclusion")[1].talk.minutes == 10


def test_a_moment_that_a_run_does_not_reach_is_told_with_its_scene(tmp_path, capsys):
    file = tmp_path / "talk.toml"
    file.write_text(TALK.replace("at = 12.0", "at = { enters = 4, times = 900 }"), encoding="utf-8")
    assert main(["play", str(file)]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_a_talk_begins_at_its_first_scene(opened):
    scenario, how = opened("mutual-exclusion")
    desk = desk_of(scenario)
    interface = begun(Interface(), desk, how)
    assert interface.display.presenting
    assert desk.marker(interface.playback.time).name == how.talk.acts[0].scenes[0].title
