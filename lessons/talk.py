"""A talk as a plain value: a list of scenes, each a moment of a run with what the speaker says and asks there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from algorithms.bad_input import BadInput
from algorithms.engine.scenario import Scenario
from algorithms.engine.timeline import Timeline
from lessons.asking import copies, moments
from lessons.asking.moments import Condition


class FilmSpan(NamedTuple):
    """The times between which a scene's film runs, and how many times as fast as in the window.

    None for `start` is the moment of the previous scene if it has the same run, otherwise 0; None for `end` is the
    moment of the scene.
    """

    start: float | None = None
    end: float | None = None
    speed: float = 1.0


@dataclass(frozen=True)
class Scene:
    """A moment of a run, and how it is shown.

    `name` is the scenario's as written in the file, or the lesson's. Scenes in succession with the same `name` and
    `scenario` show one run. With a `question`, the `answer` stays hidden until it is asked for. `selected` is a node.
    """

    name: str
    scenario: Scenario
    at: Condition
    title: str
    view: str = "both"
    theme: str = "light"
    selected: int | None = None
    notes: str = ""
    question: str = ""
    answer: str = ""
    film: FilmSpan | None = None


@dataclass(frozen=True)
class Talk:
    """A talk. `minutes` is its planned duration; `notes` are those for its beginning."""

    title: str
    scenes: tuple[Scene, ...]
    minutes: float = 10.0
    notes: str = ""


def go_to(timeline: Timeline, at: Condition) -> float | None:
    """Move the timeline to a moment and return the time to show; None if the run ends before."""
    ahead = copies.beginning_of(timeline)
    if not moments.seek(ahead, at):
        return None
    copies.seek(timeline, ahead.step)
    return float(at.value) if at.kind == "time" else timeline.simulation.now


def time_of(scene: Scene, number: int, timeline: Timeline) -> float:
    """The time of the moment of a talk's scene, to which the timeline moves. BadInput if the run ends before."""
    time = go_to(timeline, scene.at)
    if time is None:
        raise BadInput(f"scene {number} ({scene.title}): the run ends before its moment")
    return time
