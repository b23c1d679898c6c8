"""Fresh instances of a lesson: other delays, nodes that exchange their parts, times that move.

Instance 1 is the file as written. The others are drawn from a stream of the instance, until every graded step keeps a
right answer and enough different wrong ones. A draw is given up at the first step that does not, and the longer the
runs are, the fewer draws are made.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from itertools import chain, pairwise
from typing import Any, NamedTuple

from algorithms.authoring.failures import Failure
from algorithms.bad_input import BadInput
from algorithms.engine.randomness import Stream, key
from algorithms.engine.scenario import Event, Scenario
from algorithms.engine.workload import Script
from lessons.asking import copies
from lessons.asking.moments import Condition
from lessons.keys import entry_of, stages
from lessons.lesson import Fresh, Lesson, LessonStep, Passage
from lessons.task import KeyEntry, NotReached, Task
from lessons.tasks.challenges import ChallengeTask
from lessons.tasks.ordering import draw
from lessons.tasks.repairing import RepairTask

FEWEST_DRAWS, MOST_DRAWS = 5, 500
STEPS_OF_DRAWS = 50_000  # of runs, for all draws of an instance together
_GRID = 10  # moved times are multiples of 1/10


def instance_of(lesson: Lesson, number: int) -> Lesson:
    """The instance of that number, from 1. BadInput if the lesson has no others, or none fits."""
    return lesson if number == 1 else drawn_instance(lesson, number)[0]


def drawn_instance(lesson: Lesson, number: int) -> tuple[Lesson, dict[str, KeyEntry]]:
    """The instance of that number, from 2, with its key where that depends on the run. BadInput as above."""
    if lesson.fresh is None:
        raise BadInput(f"{lesson.file}: the lesson has one instance only, since it has no [fresh]")
    unusable, draws = "its steps", _most_draws(lesson)
    for turn in range(draws):
        drawn = _drawn(lesson, lesson.fresh, number, turn)
        try:
            return drawn, _key_of_questions(drawn)
        except _Unusable as step:
            unusable = str(step)
    raise BadInput(f"{lesson.file}: the instances of {unusable} cannot be told apart: {draws} drawn, none fits")


def _most_draws(lesson: Lesson) -> int:
    """The number of draws for an instance, by the steps of the runs on which its questions are answered."""
    names = {step.task.scenario for step in lesson.graded() if step.task.depends_on_run}
    steps = sum(_length(lesson.scenarios[name]) for name in names)
    return min(MOST_DRAWS, max(FEWEST_DRAWS, STEPS_OF_DRAWS // max(1, steps)))


def _length(scenario: Scenario) -> int:
    """The number of steps until a scenario ends, counted no further than matters here."""
    run = copies.start(scenario)
    while run.step < STEPS_OF_DRAWS // FEWEST_DRAWS and copies.forward(run):
        pass
    return run.step


class _Unusable(BadInput):
    """A graded question of an instance has not enough different answers, or a step cannot be opened: its name."""


def _key_of_questions(lesson: Lesson) -> dict[str, KeyEntry]:
    """The key of the graded questions whose answer depends on the run. _Unusable at the first that is no question."""
    found: dict[str, KeyEntry] = {}
    name = "its steps"
    try:
        for stage in stages(lesson):
            task, name = stage.step.task, f'"{stage.step.id}"'
            if task.counts and task.depends_on_run:
                found[task.id] = entry_of(lesson, stage)
                if any(task.trouble(found[task.id])):
                    raise _Unusable(name)
    except NotReached as error:
        raise _Unusable(f'"{error.id}"') from None
    except (BadInput, Failure):
        raise _Unusable(name) from None
    return found


def _drawn(lesson: Lesson, fresh: Fresh, number: int, draw: int) -> Lesson:
    stream = Stream(key(number, "lesson", f"{lesson.name}/{draw}"))  # the same instance on every machine
    common = _change(fresh, stream)
    own = {name: _change(table, stream) for name, table in fresh.scenario.items()}
    checked = {step.task.scenario for step in lesson.steps if isinstance(step.task, ChallengeTask | RepairTask)}
    scenarios = {}
    for name, scenario in lesson.scenarios.items():
        change = own.get(name, common)
        changed = _moved(_with_nodes(scenario, change.mapping), change.moved)
        if change.seed is not None:
            changed = replace(changed, seed=change.seed)
        if change.nodes is not None and name not in checked and _highest_node(changed) < change.nodes:
            changed = replace(changed, nodes=change.nodes)
        scenarios[name] = _shuffled(changed, change.shuffle, stream)
    steps = []
    for step in lesson.steps:
        mapping = own.get(step.task.scenario, common).mapping
        takes_part = _takes_part(lesson.scenarios[step.task.scenario], mapping)
        steps.append(_step(step, mapping) if takes_part else step)
    return replace(lesson, scenarios=scenarios, steps=tuple(steps), instance=number)


class _Change(NamedTuple):
    """What has been drawn for the scenarios that are changed alike."""

    mapping: dict[int, int]
    seed: int | None
    moved: _Jitter
    nodes: int | None
    shuffle: tuple[str, ...]


def _change(fresh: Fresh, stream: Stream) -> _Change:
    return _Change(
        mapping=dict(zip(fresh.exchange, draw(fresh.exchange, len(fresh.exchange), stream), strict=True)),
        seed=int(stream.random() * 2**31) if fresh.seed else None,
        moved=_Jitter(fresh.jitter, stream),
        nodes=stream.choice(fresh.nodes) if fresh.nodes else None,
        shuffle=fresh.shuffle,
    )


def _highest_node(scenario: Scenario) -> int:
    """The highest node that the load, the events or the network of a scenario name; -1 if they name none."""
    load = scenario.load
    asked = [request.node for request in load.requests] if isinstance(load, Script) else []
    events = [node for event in scenario.events for node in (event.node, event.to, *chain(*event.groups))]
    flights = [node for flight in scenario.network.flights for node in (flight.node, flight.to)]
    return max((node for node in (*asked, *events, *flights) if node is not None), default=-1)


class _Jitter:
    """Moves times; the same time always to the same place."""

    def __init__(self, jitter: float, stream: Stream) -> None:
        self._steps = int(jitter * _GRID)
        self._stream = stream
        self._moved: dict[float, float] = {}

    def __call__(self, time: float) -> float:
        if not self._steps or time == 0:
            return time
        if time not in self._moved:
            by = int(self._stream.random() * (2 * self._steps + 1)) - self._steps
            self._moved[time] = max(0.1, round(time + by / _GRID, 6))
        return self._moved[time]


def _moved(scenario: Scenario, moved: _Jitter) -> Scenario:
    """The scenario with other times of its requests and events, in the same order."""
    load = scenario.load
    times = [e.at for e in scenario.events] + ([r.at for r in load.requests] if isinstance(load, Script) else [])
    order = sorted(set(times))
    new = [moved(time) for time in order]
    if any(one >= other for one, other in pairwise(new)):
        return scenario  # the order would change: this one stays as it is
    at = dict(zip(order, new, strict=True))
    events = tuple(replace(event, at=at[event.at]) for event in scenario.events)
    if isinstance(load, Script):
        load = replace(load, requests=tuple(replace(request, at=at[request.at]) for request in load.requests))
    return replace(scenario, events=events, load=load)


def _shuffled(scenario: Scenario, names: tuple[str, ...], stream: Stream) -> Scenario:
    lists = {name: scenario.parameters[name] for name in names if name in scenario.parameters}
    shuffled = {name: tuple(draw(items, len(items), stream)) for name, items in lists.items()}
    return replace(scenario, parameters={**scenario.parameters, **shuffled})


# ---- nodes that exchange their parts -----------------------------------------------------------------------


def _with_nodes(scenario: Scenario, mapping: dict[int, int]) -> Scenario:
    if not _takes_part(scenario, mapping):
        return scenario

    def other(node: Any) -> Any:
        return mapping.get(node, node)

    load = scenario.load
    if isinstance(load, Script):
        load = replace(load, requests=tuple(replace(request, node=other(request.node)) for request in load.requests))
    events = tuple(_event(event, other) for event in scenario.events)
    network = scenario.network
    flights = tuple(replace(f, node=other(f.node), to=other(f.to)) for f in network.flights)
    links = tuple(replace(link, node=other(link.node), to=other(link.to)) for link in network.links)
    parameters = {name: _exchanged(value, scenario.nodes, other) for name, value in scenario.parameters.items()}
    network = replace(network, flights=flights, links=links)
    return replace(scenario, load=load, events=events, network=network, parameters=parameters)


def _exchanged(value: Any, nodes: int, other: Callable[[Any], Any]) -> Any:
    """A parameter with other nodes, if it is a list with an item for each."""
    if not isinstance(value, tuple | list) or len(value) != nodes:
        return value
    return tuple(item for _, item in sorted(zip(map(other, range(nodes)), value, strict=True)))


def _takes_part(scenario: Scenario, mapping: dict[int, int]) -> bool:
    """Whether a scenario has all the nodes that exchange their parts."""
    return bool(mapping) and max(mapping) < scenario.nodes


def _event(event: Event, other: Callable[[Any], Any]) -> Event:
    groups = tuple(tuple(map(other, group)) for group in event.groups)
    return replace(event, node=other(event.node), to=other(event.to), groups=groups)


_NODE = re.compile(r"\bP(\d+)\b")
_NODE_FIELDS = ("node", "by", "to", "from", "at", "holds", "leader", "enters", "leaves", "asks")


def _step(step: LessonStep, mapping: dict[int, int]) -> LessonStep:
    """The step with other nodes in its text, its questions and its conditions."""

    def words(text: str) -> str:
        return _NODE.sub(lambda match: f"P{mapping.get(int(match[1]), int(match[1]))}", text)

    paragraphs = tuple(Passage(words(p.words), p.is_item) for p in step.paragraphs)
    task = _in_task(step.task, mapping, words)
    return replace(step, heading=words(step.heading), paragraphs=paragraphs, task=task, notes=words(step.notes))


def _in_task(task: Task, mapping: dict[int, int], words: Callable[[str], str]) -> Task:
    changes: dict[str, Any] = {}
    for field in fields(task):
        if field.name not in ("place", "id", "scenario"):
            changes[field.name] = _in_value(getattr(task, field.name), field.name, mapping, words)
    return replace(task, **changes)


def _in_value(value: Any, name: str, mapping: dict[int, int], words: Callable[[str], str]) -> Any:
    """A value of a task with other nodes; `name` is its field or key."""
    if isinstance(value, Event):
        return _event(value, lambda node: mapping.get(node, node))
    if isinstance(value, Condition) and value.kind in _NODE_FIELDS:
        value = replace(value, value=mapping.get(value.value, value.value))
    if is_dataclass(value) and not isinstance(value, type):
        kept = ("place",)
        changes = {
            f.name: _in_value(getattr(value, f.name), f.name, mapping, words)
            for f in fields(value)
            if f.name not in kept
        }
        return replace(value, **changes)
    if isinstance(value, str):
        return words(value)
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int):
        return mapping.get(value, value) if name in _NODE_FIELDS else value
    if isinstance(value, dict):
        return {k: _in_value(v, k, mapping, words) for k, v in value.items()}
    if isinstance(value, tuple | list):
        return type(value)(_in_value(item, name, mapping, words) for item in value)
    return value
