"""A recorded page: the run's own steps, words and pictures; nothing from outside; the same bytes each time."""

from __future__ import annotations

import math
import os
import re
import shlex
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from algorithms import catalog, scenario_file
from algorithms.engine.events import DELIVER, KIND, LOST
from tests.support.recorded_page import read_film, words_of
from tests.support.sources import ROOT
from visual.command_line import main
from visual.drawing.encoding import Pool
from visual.drawing.theme import load
from visual.narration.steps import step_sentence
from visual.scene.still import Still, still

SVG = "{http://www.w3.org/2000/svg}"
SHORT = "deferred-reply"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pages")


def exported(folder: Path, *words: str) -> str:
    target = folder / "page.html"
    assert main(["export", "html", *words, "-o", str(target)]) == 0
    return target.read_text("utf-8")


@pytest.fixture(scope="module")
def page(folder: Path) -> str:
    return exported(folder, SHORT)


@pytest.fixture(scope="module")
def film(page: str) -> dict[str, Any]:
    return read_film(page)


def test_the_steps_are_those_of_the_run(film):
    timeline = catalog.timeline(scenario_file.load(scenario_file.find(SHORT)))
    times, sentences = [0.0], ["Before the first step."]
    while timeline.forward():
        times.append(round(timeline.simulation.now, 3))
        sentences.append(step_sentence(timeline, timeline.step - 1))
    steps = film["runs"][0]["steps"]
    assert [step.time for step in steps] == times
    assert [step.sentence for step in steps][1:] == sentences[1:]
    assert [step.number for step in steps] == list(range(len(times)))


def test_the_counters_are_those_of_the_trace(film):
    """The total of messages at each step, beside the records of the trace file up to that step."""
    timeline = catalog.timeline(scenario_file.load(scenario_file.find(SHORT)))
    timeline.seek(10_000)
    sent = 0
    for step in film["runs"][0]["steps"]:
        if step.number:
            effects = timeline.trace.step(step.number - 1)[1:]
            sent += sum(record[KIND] in (DELIVER, LOST) for record in effects)
        total = next(row for row in step.counters if row[0] == "total")
        assert total[1] == str(sent)


def test_the_lit_line_has_the_sentence(film):
    """The sentence of a step ends with the comment of the line that is lit for it."""
    run = film["runs"][0]
    checked = 0
    for step in run["steps"]:
        code, _, ran, now, _ = step.lines
        assert set(ran) <= set(code)
        if now and "# it " in code[now] and "{" not in code[now]:
            comment = code[now].partition("# it ")[2].split()[0]
            assert comment in step.sentence
            checked += 1
    assert checked > 5


def test_the_pictures_have_the_words_of_the_saved_ones(film, folder, monkeypatch):
    """Beside the SVG of the same moment, which is another writer of the same picture."""
    monkeypatch.chdir(folder)
    for number in (0, 7, 14, 30):
        step = film["runs"][0]["steps"][number]
        words = ["--at", f"step:{number}", "--crop", "graph", "--no-caption", "--no-origin", "-o", "still.svg"]
        assert main(["shot", SHORT, *words]) == 0
        texts = sorted(element.text for element in ElementTree.parse("still.svg").getroot().iter(f"{SVG}text"))
        time, shapes = step.pictures[0][0]
        assert time == step.time
        assert tellings(words_of(shapes)) == tellings(texts)


def tellings(words: list[str]) -> set[str]:
    """Nodes, and messages with their stamps."""
    return {word for word in words if re.match(r"P\d|(request|reply)", word)}


def mixed(before: Any, after: Any, share: float) -> Any:
    """What the page shows between two pictures."""
    if isinstance(before, int | float):
        return before + (after - before) * share
    if isinstance(before, list):
        return [mixed(one, other, share) for one, other in zip(before, after, strict=True)]
    return before


def messages_in(shapes: list[Any]) -> list[tuple[float, float]]:
    """The places of the messages: groups that are moved."""
    return [(shape[1], shape[2]) for shape in shapes if shape[0] == 5 and (shape[1] or shape[2])]


def test_between_two_pictures_everything_goes_straight(film):
    """A third of the way from one picture to the next, nearly all messages are within a pixel, all on their way."""
    scenario = scenario_file.load(scenario_file.find(SHORT))
    timeline, pool = catalog.timeline(scenario), Pool(load("light"))
    look = Still(crop="graph", caption="", reopen=False, moving=True, size=(900, 500), design=(1286, 714))
    off = []
    for step in film["runs"][0]["steps"]:
        timeline.seek(step.number)
        for (start, before), (end, after) in pairwise(step.pictures[0]):
            time = start + (end - start) / 3
            numbers = pool.picture(still(timeline, time, look).shapes)
            real = messages_in([pool.values[number] for number in numbers])
            shown = messages_in(mixed(before, after, 1 / 3))
            off += [math.dist(*pair) for pair in zip(shown, real, strict=True)]
    assert len(off) > 100
    assert sorted(off)[int(0.95 * len(off))] <= 1
    assert max(off) <= 20, "a message that gives way to a node jumps by more than that at once"


def test_it_needs_nothing_from_outside(page):
    program = re.sub(r"data:font/woff;base64,[^)]*|<script id=\"film\".*?</script>", "", page, flags=re.S)
    assert not re.findall(r"https?:|\bfetch\b|\bimport\b|@import|XMLHttp|<link|src=", program)


def test_it_is_small(page):
    assert len(page) <= 100_000


def test_the_same_page_in_another_process(page, tmp_path):
    target = tmp_path / "again.html"
    words = [sys.executable, "-m", "mutoscope", "export", "html", SHORT, "-o", str(target)]
    subprocess.run(words, check=True, cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": "7"}, capture_output=True)
    assert target.read_text("utf-8") == page


def test_two_runs_on_one_clock(folder):
    film = read_film(exported(folder, "token-ring", "--beside", "ricart-agrawala", "--until", "12"))
    assert [run["name"] for run in film["runs"]] == ["Token ring", "Ricart–Agrawala"]
    for run in film["runs"]:
        times = [step.time for step in run["steps"]]
        assert times == sorted(times)
        assert 10 < times[-1] <= 12


def test_it_begins_where_it_is_told(folder, film):
    part = read_film(exported(folder, SHORT, "--from", "marker:the wait", "--steps", "3"))
    steps, whole = (shown["runs"][0]["steps"] for shown in (part, film))
    first = max(step.number for step in whole if step.time <= 5.6)
    assert [step.number for step in steps] == [first, first + 1, first + 2, first + 3]
    assert steps[1].sentence == whole[first + 1].sentence


def test_a_rewriting_system_shows_its_rules(folder):
    film = read_film(exported(folder, "system-binary-search", "--steps", "5"))
    step = film["runs"][0]["steps"][3]
    assert step.counters == []
    _, title, ran, now, guards = step.lines
    assert title.startswith("system_binary_search.py")
    assert ran
    assert now in ran
    assert {*guards.values()} == {True, False}


def test_a_title_cannot_break_the_page(folder, tmp_path):
    file = tmp_path / "odd.toml"
    title = "</script><b>{{FILM}}&"
    file.write_text(f'format = 1\nalgorithm = "token-ring"\nuntil = 3\ntitle = "{title}"\nnotes = "{title}"\n')
    page = exported(folder, str(file))
    assert page.count("</script>") == 2
    assert page.count("&lt;/script&gt;&lt;b&gt;{{FILM}}&amp;") == 3
    assert read_film(page)["runs"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["pdf", SHORT], 'html: unknown kind of file "pdf"; expected html'),
        (["html", SHORT, "--steps", "0"], '--steps: expected a whole number from 1 to 5000, got "0"'),
        (["html", SHORT, "--theme", "sepia"], '--theme: unknown theme "sepia"'),
        (["html", SHORT, "--from", "marker:lunch"], '--from: unknown marker "lunch"; expected "the wait"'),
        (["html", SHORT, "--from", "1e6"], "--from: expected a number from 0 to 16"),
        (["html", SHORT, "--from", "1,2"], '--from: expected a number from 0 to 16, got "1,2"'),
        (["html", SHORT, "--from", "step:3"], '--from: expected a number from 0 to 16, got "step:3"'),
        (["html", SHORT, "-o", "no/such/folder/x.html"], "there is no folder no/such/folder; create it first"),
        (["html", "nothing-like-it"], "unknown scenario 'nothing-like-it'"),
    ],
)
def test_bad_input_is_told_in_a_sentence(words, sentence, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["export", *words]) == 2
    assert sentence in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_the_commands_of_the_guide_run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    scenario = ROOT / "assets" / "scenarios" / "deferred-reply.toml"
    Path("my-scenario.toml").write_text(scenario.read_text("utf-8"), encoding="utf-8")
    guide = (ROOT / "docs" / "web.md").read_text("utf-8")
    commands = re.findall(r"^    mutoscope (export .*)$", guide, re.M)
    assert len(commands) == 4
    for command in commands:
        assert main([*shlex.split(command), "--steps", "20"]) == 0  # the words are tried, not the length
        assert Path(capsys.readouterr().out.strip()).stat().st_size > 50_000
