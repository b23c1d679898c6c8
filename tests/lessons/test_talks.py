"""Talks: the meaning of a file, mistakes in one, and that every sentence of the shipped talk is true of its runs."""

from __future__ import annotations

import re
import tomllib
from itertools import groupby

import pytest

from algorithms import catalog, scenario_file
from algorithms.bad_input import BadInput
from algorithms.engine.events import TIME
from algorithms.engine.timeline import Timeline
from algorithms.scenario_format.place import Place
from lessons.asking.moments import Condition
from lessons.reading import talks
from lessons.talk import FilmSpan, Scene, Talk, go_to
from tests.support.kit import for_each


def read(scenes: str, folder=None) -> Talk:
    return talks.read(tomllib.loads(f'format = 1\ntitle = "T"\n{scenes}'), Place("t.toml"), folder or talks.find(NAME))


NAME = "mutual-exclusion"
RING = '[[scene]]\nscenario = "lost-token"\n'
SHIPPED = [talks.load(talks.find(name)) for name in talks.names()]


def test_a_scene_that_says_nothing_is_the_first_marker_of_its_scenario():
    scenario = scenario_file.load(scenario_file.find("lost-token"))
    (scene,) = read(RING).scenes
    assert scene == Scene(
        "lost-token", scenario, Condition("time", 20.5), scenario.title, notes=scenario.speaker.strip()
    )


def test_every_key_of_a_scene():
    (scene,) = read(
        'theme = "dark"\n' + RING + 'at = "marker:everyone waits"\nview = "graph"\nselect = 3\ntitle = "Wait"\n'
        'notes = "N"\nquestion = "Q?"\nanswer = "A."\nfilm = { from = 5, speed = 2 }'
    ).scenes
    assert (scene.at, scene.view, scene.theme, scene.selected) == (Condition("time", 40.0), "graph", "dark", 3)
    assert (scene.title, scene.notes, scene.question, scene.answer) == ("Wait", "N", "Q?", "A.")
    assert scene.film == FilmSpan(5, None, 2)


def test_a_marker_brings_its_question_answer_and_notes(tmp_path):
    (tmp_path / "own.toml").write_text(
        'format = 1\nalgorithm = "token-ring"\nspeaker = "S"\n[[marker]]\nat = 3\nname = "m"\n'
        'question = "Q?"\nanswer = "A."\nnotes = "N"\n'
    )
    own = '[[scene]]\nscenario = "own.toml"\n'
    scenes = read(own + own + 'question = "Why?"\n' + own + "at = 4\n" + own + 'answer = "B."', tmp_path).scenes
    said = [(scene.question, scene.answer, scene.notes) for scene in scenes]
    assert said == [("Q?", "A.", "N"), ("Why?", "", "N"), ("", "", "S"), ("Q?", "B.", "N")]


def test_a_step_of_a_lesson_is_a_scene():
    (scene,) = read('[[scene]]\nlesson = "lost-token"\nstep = "served"').scenes
    timeline = catalog.timeline(scene.scenario)
    assert go_to(timeline, scene.at) == pytest.approx(20.5), "where the token is lost"
    assert scene.title == "P5 is waiting"


def test_moments_in_any_order():
    """A run goes back as well as on, and the nth time is counted from the beginning."""
    first, second, third = read(
        RING + "at = { enters = 5 }\n" + RING + "at = { enters = 3 }\n" + RING + "at = { asks = 3, nth = 2 }"
    ).scenes
    timeline = catalog.timeline(first.scenario)
    assert [round(go_to(timeline, scene.at) or 0, 1) for scene in (first, second, third)] == [9.0, 3.0, 11.3]
    assert go_to(timeline, Condition("enters", 3, nth=2)) is None


@for_each(
    case=[
        ("", "t.toml: expected a talk, with [[scene]] tables"),
        ("[[scene]]", "t.toml: scene[0]: expected either scenario or lesson"),
        (RING + 'lesson = "ring"', "scene[0]: expected either scenario or lesson"),
        ('[[scene]]\nscenario = "lost-tokens"', 'scene[0].scenario: unknown scenario "lost-tokens"; did you mean lost'),
        ('[[scene]]\nlesson = "rings"', "scene[0].lesson: unknown lesson 'rings'"),
        (RING + RING + 'view = "both sides"', 'scene[1].view: unknown view "both sides"; expected one of both, graph'),
        (RING + 'theme = "pink"', 'scene[0].theme: unknown theme "pink"; did you mean print?'),
        ('theme = "pink"\n' + RING, 't.toml: theme: unknown theme "pink"'),
        (RING + 'at = "marker:lost"', 'scene[0].at: unknown moment "marker:lost"; did you mean'),
        (RING + "at = 61", "scene[0].at: expected a time of at most 60, where the run ends, got 61"),
        (RING + "at = { enters = 9 }", "scene[0].at.enters: expected a node from 0 to 5, got 9"),
        (RING + "select = 6", "scene[0].select: expected a node from 0 to 5, got 6"),
        (RING + 'answer = "A."', "t.toml: scene 1 has no `question`; expected the question that the answer is to"),
        (RING + "film = { from = 9, to = 8 }", "scene[0].film.to: expected a time after 9, got 8"),
        (RING + "film = { to = 80 }", "scene[0].film.to: expected a time of at most 60, where the run ends, got 80"),
        (RING + 'step = "served"', "scene[0].step: a scenario has no steps to name"),
        ('[[scene]]\nlesson = "ring"\nstep = "x"', 'scene[0].step: unknown step of ring "x"'),
        (RING + 'notess = "N"', 'scene[0].notess: unknown key "notess"; did you mean notes'),
    ]
)
def test_a_mistake_is_one_sentence(case):
    scenes, sentence = case
    with pytest.raises(BadInput) as error:
        read(scenes)
    assert sentence in str(error.value)


# ---- the talk that comes with the program ------------------------------------------------------------------


def runs(talk: Talk) -> list[tuple[Scene, Timeline, float]]:
    """Each scene with its run at its moment, and the time."""
    made = []
    for scene in talk.scenes:
        timeline = catalog.timeline(scene.scenario)
        time = go_to(timeline, scene.at)
        assert time is not None, f"{scene.title}: the run never gets there"
        made.append((scene, timeline, time))
    return made


@pytest.mark.parametrize("talk", SHIPPED, ids=talks.names())
def test_a_shipped_talk_shows_each_run_once_and_forwards(talk):
    names = [name for name, _ in groupby(scene.name for scene in talk.scenes)]
    assert len(names) == len(set(names)), "whoever listens follows one run at a time"
    for _, scenes in groupby(runs(talk), key=lambda made: made[0].name):
        times = [time for _, _, time in scenes]
        assert times == sorted(set(times))


@pytest.mark.parametrize("talk", SHIPPED, ids=talks.names())
def test_a_shipped_talk_can_be_given_in_its_time(talk):
    """130 words are spoken in a minute, and a question takes 15 seconds to be answered."""
    assert all(scene.notes for scene in talk.scenes)
    words = " ".join(f"{scene.notes} {scene.question} {scene.answer}" for scene in talk.scenes).split()
    questions = [scene for scene in talk.scenes if scene.question]
    assert 0.6 * talk.minutes <= len(words) / 130 + len(questions) / 4 <= talk.minutes
    assert all(scene.answer for scene in questions)


@pytest.mark.parametrize("talk", SHIPPED, ids=talks.names())
def test_what_a_shipped_talk_says_of_times_happens_then(talk):
    """ "at 10.16" in notes and answers is the time of a step of the run, or of one that is still to come."""
    for scene, timeline, _ in runs(talk):
        told = re.findall(r"\b(?:at|expires at) (\d+(?:\.\d+)?)", f"{scene.notes} {scene.question} {scene.answer}")
        while timeline.forward() and timeline.simulation.now <= scene.scenario.until:
            pass
        times = {round(record[TIME], 2) for record in timeline.trace.records}
        for time in told:
            assert float(time) in times, f"{scene.title}: nothing happens at {time}"
