"""What persists from one start to the next: settings and unsaved runs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from algorithms import scenario_file
from algorithms.engine.scenario import Scenario
from tests.support.desks import desk_of
from visual.window import compare
from visual.window.desk import Desk
from visual.window.memory import settings, unsaved
from visual.window.memory.saving import save_run
from visual.window.memory.unsaved import INTERVAL, Memory
from visual.window.state import Interface

USUAL = settings.Settings()
OTHER = settings.Settings("print", 1.5, "graph", frozenset({"legend", "inspector"}), True, ("/a/b.toml",))


@pytest.fixture
def file(tmp_path):
    return tmp_path / "deep" / "settings.json"


def test_settings_come_back_as_they_were_saved(file):
    settings.save(OTHER, file)
    assert settings.load(file) == (OTHER, "")
    assert settings.from_interface(settings.applied(OTHER, Interface())) == OTHER


def test_without_a_file_the_settings_are_those_of_a_fresh_interface(file):
    assert settings.load(file) == (settings.from_interface(Interface()), "")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "truncated"),
        (b"not json", "JSON"),
        (b"\xff\xfe", "expected text in UTF-8"),
        (b'{"scale": 9}', "scale: expected `float` <= 3.0"),
        (b'{"theme": 3}', "theme: expected `str`, got `int`"),
        (b'{"theme": "pink"}', "theme: expected one of light, dark, print, got 'pink'"),
        (b"[]", "Expected `object`"),
    ],
)
def test_a_broken_file_is_reported_set_aside_and_replaced(file, content, said):
    file.parent.mkdir()
    file.write_bytes(content)
    found, trouble = settings.load(file)
    assert found == USUAL
    assert said in trouble
    assert str(file) in trouble
    assert file.with_suffix(".broken.json").read_bytes() == content
    assert settings.load(file) == (USUAL, "")


def test_a_file_that_a_later_version_wrote_still_opens(file):
    file.parent.mkdir()
    file.write_text('{"theme": "dark", "something new": 1}')
    assert settings.load(file) == (settings.Settings(theme="dark"), "")


# ---- unsaved runs ------------------------------------------------------------------------------------------


@pytest.fixture
def desk():
    desk = desk_of(Scenario("token-ring", nodes=4))
    for _ in range(3):
        desk.front.forward()
    return desk


def _unsaved_actions(folder: Path) -> list[list[str]]:
    return [[event.do for event in scenario_file.load(file).events] for file in unsaved.files(folder)]


def _after(memory: Memory, desk: Desk, seconds: float = INTERVAL) -> Interface:
    return memory.keep_up(replace(Interface(), clock=seconds), desk)


def test_an_intervention_is_saved_at_once_and_the_next_within_a_second(tmp_path, desk):
    memory = Memory(tmp_path / "settings.json", tmp_path)
    _after(memory, desk, INTERVAL)
    assert _unsaved_actions(tmp_path) == [], "nothing was done"
    desk.front.act("lose-token")
    _after(memory, desk, 1.1 * INTERVAL)
    assert _unsaved_actions(tmp_path) == [["lose-token"]], "the person may open another run right away"
    desk.front.act("crash", node=2)
    _after(memory, desk, 1.9 * INTERVAL)
    assert _unsaved_actions(tmp_path) == [["lose-token"]], "a second has not passed"
    _after(memory, desk, 2.1 * INTERVAL)
    assert _unsaved_actions(tmp_path) == [["lose-token", "crash"]]


def test_an_unsaved_run_is_restored_as_the_same_run(tmp_path, desk):
    memory = Memory(tmp_path / "settings.json", tmp_path)
    desk.front.act("crash", node=2)
    _after(memory, desk)
    for _ in range(20):
        desk.front.forward()
    (file,) = unsaved.files(tmp_path)
    again = desk_of(scenario_file.load(file))
    again.front.seek(desk.front.timeline.step)
    assert list(again.front.timeline.trace.records) == list(desk.front.timeline.trace.records)


def test_a_saved_run_is_not_offered_as_unsaved(tmp_path, desk, monkeypatch):
    monkeypatch.chdir(tmp_path)
    memory = Memory(tmp_path / "settings.json", tmp_path / "unsaved")
    desk.front.act("lose-token")
    _after(memory, desk)
    save_run(Interface(), desk)
    _after(memory, desk, 2 * INTERVAL)
    assert _unsaved_actions(tmp_path / "unsaved") == []
    desk.front.act("lose-token")
    _after(memory, desk, 3 * INTERVAL)
    assert len(_unsaved_actions(tmp_path / "unsaved")) == 1, "something was done after saving"


def test_another_run_gets_another_file_and_the_oldest_go(tmp_path, desk):
    memory = Memory(tmp_path / "settings.json", tmp_path)
    for count in range(1, unsaved.MOST + 4):
        desk.front.restart()
        desk.front.forward()
        desk.front.act("crash", node=count % 4)
        _after(memory, desk, count * INTERVAL)
    assert len(_unsaved_actions(tmp_path)) == unsaved.MOST


def test_a_read_only_folder_is_reported_once(tmp_path, desk):
    (tmp_path / "in the way").write_text("")
    memory = Memory(tmp_path / "in the way" / "settings.json", tmp_path / "in the way" / "unsaved")
    desk.front.act("crash", node=2)
    said = _after(memory, desk).notice
    assert said is not None
    assert "cannot be kept" in said.words
    assert _after(memory, desk, 2 * INTERVAL).notice is None


# ---- comparisons -------------------------------------------------------------------------------------------


@pytest.fixture
def pair(desk):
    compare.join(desk, compare.find_rival(desk.front, "ricart-agrawala"))
    desk.seek_time(5.0)
    return desk


def _unsaved_pairs(folder: Path) -> list[list[list[str]]]:
    found = []
    for file in unsaved.files(folder):
        scenario, beside = scenario_file.load_pair(file)
        runs = [scenario, *([beside.scenario] if beside else [])]
        found.append([[event.do for event in run.events] for run in runs])
    return found


@pytest.mark.parametrize("place", [0, 1])
def test_an_intervention_in_either_run_saves_both(tmp_path, pair, place):
    memory = Memory(tmp_path / "settings.json", tmp_path)
    _after(memory, pair)
    assert _unsaved_pairs(tmp_path) == []
    pair.runs[place].act("crash", node=2)
    _after(memory, pair, 2 * INTERVAL)
    assert _unsaved_pairs(tmp_path) == [[[], ["crash"]] if place else [["crash"], []]]
    pair.runs[1 - place].act("crash", node=1)
    _after(memory, pair, 3 * INTERVAL)
    assert _unsaved_pairs(tmp_path) == [[["crash"], ["crash"]]], "one file, for both together"


def test_a_comparison_that_begins_and_ends_makes_no_second_file(tmp_path, desk):
    memory = Memory(tmp_path / "settings.json", tmp_path)
    desk.front.act("crash", node=2)
    for count in range(1, 4):
        _after(memory, desk, 2 * count * INTERVAL)
        compare.join(desk, compare.find_rival(desk.front, "ricart-agrawala"))
        _after(memory, desk, (2 * count + 1) * INTERVAL)
        desk.part()
    _after(memory, desk, 9 * INTERVAL)
    assert _unsaved_pairs(tmp_path) == [[["crash"]]]


def test_interventions_in_the_right_run_stay_saved_after_the_comparison(tmp_path, pair):
    memory = Memory(tmp_path / "settings.json", tmp_path)
    pair.runs[1].act("crash", node=2)
    _after(memory, pair)
    pair.part()
    _after(memory, pair, 2 * INTERVAL)
    assert _unsaved_pairs(tmp_path) == [[[], ["crash"]]]
    pair.front.act("lose-token")
    _after(memory, pair, 3 * INTERVAL)
    assert sorted(_unsaved_pairs(tmp_path)) == [[[], ["crash"]], [["lose-token"]]]


def test_two_runs_are_saved_in_one_file_that_opens_both(tmp_path, desk, monkeypatch):
    monkeypatch.chdir(tmp_path)
    desk.front.act("lose-token")
    compare.join(desk, compare.without_interventions(desk.front))
    desk.seek_time(30.0)
    memory = Memory(tmp_path / "settings.json", tmp_path / "unsaved")
    desk.runs[1].act("crash", node=1)
    _after(memory, desk)
    said = save_run(Interface(), desk)
    assert "Saved both runs" in said.notice.words
    _after(memory, desk, 2 * INTERVAL)
    assert _unsaved_pairs(tmp_path / "unsaved") == []
    file = tmp_path / "token-ring-t30-run.toml"
    again = desk_of(scenario_file.load(file), file)
    compare.join(again, compare.saved_rival(file))
    assert [run.note for run in again.runs] == ["with what you did", "untouched"]
    for run, before in zip(again.runs, desk.runs, strict=True):
        run.seek(before.timeline.step)
        assert list(run.timeline.trace.records) == list(before.timeline.trace.records)
