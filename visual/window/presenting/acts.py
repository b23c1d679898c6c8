"""The runs of a talk: one for successive scenes of a run, with a marker at each stop."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from algorithms import catalog
from algorithms.engine.scenario import Marker, Scenario
from lessons.talk import Scene, Talk, time_of
from visual.window.intents import Rival


class Act(NamedTuple):
    """A run of a talk. Its scenario has a marker for each of the `scenes`, or its own ones if there are none."""

    scenario: Scenario
    scenes: tuple[Scene, ...] = ()
    path: Path | None = None
    rival: Rival | None = None


@dataclass
class RunningTalk:
    """The acts of a talk, and the place of the present one. `minutes` is the planned duration; 0 if there is none."""

    acts: tuple[Act, ...]
    title: str = ""
    minutes: float = 0.0
    notes: str = ""
    place: int = 0

    @property
    def act(self) -> Act:
        """The present act."""
        return self.acts[self.place]


def acts_of(talk: Talk) -> tuple[Act, ...]:
    """The acts of a talk: successive scenes of one run whose moments follow each other. BadInput if a run ends before.

    A moment that is not a time is that of its step; the window stops there after all steps of that time.
    """
    acts: list[Act] = []
    for number, scene in enumerate(talk.scenes, 1):
        time = time_of(scene, number, catalog.timeline(scene.scenario))
        stop = Marker(time, scene.title, scene.question, scene.answer, scene.notes)
        last = acts[-1] if acts else None
        run = (scene.name, scene.scenario)
        if last and (last.scenes[-1].name, last.scenes[-1].scenario) == run and last.scenario.markers[-1].at < time:
            stops = (*last.scenario.markers, stop)
            acts[-1] = Act(replace(last.scenario, markers=stops), (*last.scenes, scene))
        else:
            acts.append(Act(replace(scene.scenario, markers=(stop,)), (scene,)))
    return tuple(acts)
