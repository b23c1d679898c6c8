"""What a node's algorithm would do in a step in which a person decides instead.

The algorithm is asked on a shadow: another simulation, put into the present state, whose next step nobody sees.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from algorithms.engine.checkpoint import Checkpoint, lay_under, save
from algorithms.engine.events import Record
from algorithms.engine.process import Algorithm
from algorithms.engine.scenario import Event, NodeAct, Scenario
from algorithms.engine.simulation import Simulation


def shadow(scenario: Scenario, algorithm: Algorithm, before: Checkpoint, event: Event) -> Simulation:
    """Another program in the state of a checkpoint, whose next step is that intervention."""
    run = Simulation(scenario, algorithm, [replace(event, step=before.steps, acts=None)])
    lay_under(run, before)
    return run


def next_step(run: Simulation) -> list[Record]:
    """The records of the next step of a shadow, which is executed."""
    run.step()
    return run.trace.step(len(run.trace) - 1)


def would_do(run: Simulation, event: Event) -> list[Record]:
    """The records of an intervention that comes next, if the algorithm decided; the run stays as it is."""
    return next_step(shadow(run.scenario, run.algorithm, save(run), event))


def are_plain(acts: Iterable[NodeAct]) -> bool:
    """Whether a file can hold these acts: the fields of their messages are numbers, texts and tuples of such."""
    return all(_is_plain(value) for act in acts for _, value in act.fields)


def _is_plain(value: object) -> bool:
    return all(map(_is_plain, value)) if type(value) is tuple else type(value) in (bool, int, float, str)
