"""What the window cannot write down: said once for each cause, tried again, and no reason to lose the rest."""

from __future__ import annotations

from pathlib import Path

from algorithms.engine.scenario import Scenario
from algorithms.engine.workload import Poisson
from tests.support.desks import desk_of
from tests.support.interfaces import interface_of
from visual.window.desk import Desk
from visual.window.memory import unsaved
from visual.window.memory.unsaved import INTERVAL, Memory


def acted_in() -> Desk:
    desk = desk_of(Scenario("token-ring", load=Poisson(rate=0.1)))
    desk.front.forward()
    desk.front.act("crash", node=2)
    return desk


def kept(memory: Memory, desk: Desk, clock: float) -> str:
    """What is said when the clock shows that, with the window in the dark theme."""
    notice = memory.keep_up(interface_of(theme="dark", clock=clock), desk).notice
    return notice.words if notice else ""


def in_the_way(folder: Path) -> Path:
    file = folder / "in the way"
    file.write_text("")
    return file


def test_runs_are_saved_where_settings_cannot_be(tmp_path):
    memory = Memory(in_the_way(tmp_path) / "settings.json", tmp_path / "unsaved")
    words = kept(memory, acted_in(), INTERVAL)
    assert words.startswith("Settings cannot be kept: ")
    assert "Unsaved" not in words
    assert len(unsaved.files(tmp_path / "unsaved")) == 1


def test_settings_are_saved_where_runs_cannot_be(tmp_path):
    memory = Memory(tmp_path / "settings.json", in_the_way(tmp_path) / "unsaved")
    words = kept(memory, acted_in(), INTERVAL)
    assert words.startswith("Unsaved runs cannot be kept: ")
    assert (tmp_path / "settings.json").exists()


def test_a_failed_save_is_repeated_until_it_succeeds(tmp_path):
    obstacle, desk = in_the_way(tmp_path), acted_in()
    memory = Memory(obstacle / "settings.json", obstacle / "unsaved")
    assert kept(memory, desk, INTERVAL)
    assert not kept(memory, desk, 2 * INTERVAL), "said once"
    obstacle.unlink()
    assert not kept(memory, desk, 3 * INTERVAL)
    assert (obstacle / "settings.json").exists()
    assert len(unsaved.files(obstacle / "unsaved")) == 1
