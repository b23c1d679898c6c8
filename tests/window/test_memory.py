"""Settings and runs that cannot be saved: reported once for each cause, tried again, and no loss of the rest."""

from __future__ import annotations

from pathlib import Path

from algorithms.engine.scenario import Scenario
from algorithms.engine.workload import Poisson
from tests.support.desks import desk_of
from tests.support.interfaces import interface_of
from visual.window.desk import Desk
from visual.window.memory import unsaved
from visual.window.memory.unsaved import INTERVAL, Memory


def desk_with_an_intervention() -> Desk:
    desk = desk_of(Scenario("token-ring", load=Poisson(rate=0.1)))
    desk.front.forward()
    desk.front.act("crash", node=2)
    return desk


def notice_at(memory: Memory, desk: Desk, clock: float) -> str:
    """The notice of a save at that time, with the window in the dark theme."""
    notice = memory.keep_up(interface_of(theme="dark", clock=clock), desk).notice
    return notice.words if notice else ""


def obstacle_in(folder: Path) -> Path:
    file = folder / "in the way"
    file.write_text("")
    return file


def test_runs_are_saved_where_settings_cannot_be(tmp_path):
    memory = Memory(obstacle_in(tmp_path) / "settings.json", tmp_path / "unsaved")
    words = notice_at(memory, desk_with_an_intervention(), INTERVAL)
    assert words.startswith("Settings cannot be kept: ")
    assert "Unsaved" not in words
    assert len(unsaved.files(tmp_path / "unsaved")) == 1


def test_settings_are_saved_where_runs_cannot_be(tmp_path):
    memory = Memory(tmp_path / "settings.json", obstacle_in(tmp_path) / "unsaved")
    words = notice_at(memory, desk_with_an_intervention(), INTERVAL)
    assert words.startswith("Unsaved runs cannot be kept: ")
    assert (tmp_path / "settings.json").exists()


def test_a_failed_save_is_repeated_until_it_succeeds(tmp_path):
    obstacle, desk = obstacle_in(tmp_path), desk_with_an_intervention()
    memory = Memory(obstacle / "settings.json", obstacle / "unsaved")
    assert notice_at(memory, desk, INTERVAL)
    assert not notice_at(memory, desk, 2 * INTERVAL), "reported once"
    obstacle.unlink()
    assert not notice_at(memory, desk, 3 * INTERVAL)
    assert (obstacle / "settings.json").exists()
    assert len(unsaved.files(obstacle / "unsaved")) == 1
