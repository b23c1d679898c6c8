"""What the README lets a reader type in works as it stands."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

from algorithms import catalog, scenario_file
from algorithms.engine.events import DELIVER, ENTER, KIND, LEAVE, NODE, SENDER
from algorithms.engine.process import Algorithm
from algorithms.engine.scenario import Scenario
from algorithms.engine.simulation import Simulation
from algorithms.engine.timeline import Timeline
from algorithms.engine.workload import Closed, Saturated
from tests.support.kit import for_each
from tests.support.shapes import clipped, texts
from visual.analysis.run_cache import RunCache
from visual.narration.node_facts import all_facts
from visual.narration.waiting import reasons
from visual.scene.still import Still, still

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def block(language: str) -> str:
    """The one block of code in that language."""
    (found,) = re.findall(rf"```{language}\n(.*?)```", README, flags=re.DOTALL)
    return found


@pytest.fixture
def ricart_agrawala_token(tmp_path, monkeypatch) -> Algorithm:
    (tmp_path / "ricart_agrawala_token.py").write_text(block("python"), encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    return import_module("ricart_agrawala_token").ALGORITHM


@pytest.mark.parametrize("nodes", [2, 3, 7])
def test_the_algorithm_lets_one_in_at_a_time_for_n_messages(ricart_agrawala_token, nodes):
    simulation = Simulation(Scenario("ricart-agrawala-token", nodes=nodes, load=Saturated()), ricart_agrawala_token)
    simulation.run(until=200.0)
    inside: set[int] = set()
    entered, sent = [0] * nodes, 0
    for _, (event, *effects) in simulation.trace.steps():
        if event[KIND] == LEAVE:
            inside.remove(event[NODE])
        for record in effects:
            sent += record[KIND] == DELIVER and record[SENDER] != record[NODE]
            if record[KIND] == ENTER:
                assert not inside
                inside.add(record[NODE])
                entered[record[NODE]] += 1
    assert max(entered) - min(entered) <= 3, "the token goes round fairly"
    assert sent == pytest.approx(nodes * sum(entered), abs=nodes**2)


def test_what_it_knows_of_each_process_is_shown_as_numbers_not_as_processes(ricart_agrawala_token):
    simulation = Simulation(Scenario("ricart-agrawala-token", nodes=4, load=Saturated()), ricart_agrawala_token)
    simulation.run(until=8.0)
    for facts, process in zip(all_facts(RunCache(simulation)), simulation.processes, strict=True):
        (row,) = facts.rows
        assert row.chips == tuple(map(str, process.asked))
        assert not row.is_queue
    assert not any("asked" in reason.words for node in range(4) for reason in reasons(simulation, node))


def test_its_pictures_clip_no_text_and_show_all_values_or_none(ricart_agrawala_token):
    for nodes in (2, 3, 5, 12):
        timeline = Timeline(
            Scenario("ricart-agrawala-token", nodes=nodes, load=Closed(think=4.0)), ricart_agrawala_token
        )
        for step, size in ((7, (960, 540)), (45, (600, 900))):
            timeline.seek(step)
            shapes = still(timeline, look=Still(size=size)).shapes
            assert not clipped(shapes, size)
            assert not [text for text in texts(shapes) if text.startswith("+")]


def test_the_scenario_opens_and_the_ring_stands_still(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(block("toml"), encoding="utf-8")
    scenario = scenario_file.load(file)
    simulation = catalog.simulation(scenario)
    simulation.run(until=20.0)
    entries = sum(record[KIND] == ENTER for record in simulation.trace.records)
    assert entries > 0
    simulation.run(until=scenario.until)
    assert sum(record[KIND] == ENTER for record in simulation.trace.records) == entries


@for_each(document=DOCUMENTS)
def test_links_lead_to_files(document):
    links = re.findall(r"\]\(([^)#:]+)\)", document.read_text(encoding="utf-8"))
    assert not [link for link in links if not (document.parent / link).is_file()]


def test_the_folders_are_listed():
    listed = re.findall(r"^    (\w+)/  ", README, flags=re.MULTILINE)
    assert listed == ["algorithms", "lessons", "visual", "assets", "docs", "tests"]
    (line,) = re.findall(r"^    visual/ +(.*);", README, flags=re.MULTILINE)
    packages = {path.parent.name for path in (ROOT / "visual").glob("*/__init__.py")}
    assert {word.rstrip("/") for word in line.split(", ") if word.endswith("/")} == packages
