"""Experiments: the same scenario with several values of one setting, measured over several seeds, a slice at a time."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from statistics import mean, stdev
from typing import Any

from algorithms import catalog
from algorithms.bad_input import BadInput
from algorithms.engine.dispatch import parameters_of
from algorithms.engine.randomness import Fixed
from algorithms.engine.scenario import Scenario
from algorithms.engine.timeline import Timeline
from lessons.asking import copies, moments
from lessons.asking.answers import Answer, from_json, share
from lessons.asking.moments import Condition
from lessons.asking.parting import rival_of
from lessons.task import AnswerVerdict, KeyEntry, Task, Wrong, WrongOption
from lessons.tasks.measures import measure
from lessons.tasks.predicting import judged, shuffled

SAME, LINEAR, INVERSE, LOG, SQUARE = "same", "linear", "inverse", "log", "square"
TRENDS = (SAME, LINEAR, INVERSE, LOG, SQUARE)
ASKS = ("value", "trend", "smallest", "first-above")
NONE_ABOVE = "none"
MOST_NODES = 256
_SLICE = 100  # steps between two looks at the clock
_CLEAR = 1.2  # the least ratio by which the second nearest trend must miss more


@dataclass(frozen=True)
class ExperimentTask(Task):
    """Predict what a measure does when one setting varies."""

    kind = "experiment"
    is_graded = is_question = True
    trouble_code = "R7"

    vary: str = "nodes"
    values: tuple[Any, ...] = ()
    seeds: int = 5
    until: Condition | None = None  # None: the scenario's end
    measure: str = "messages-per-entry"
    ask: str = "value"  # or "trend", "smallest", "first-above"
    at_value: Any = None  # the value that is asked about
    above: float = 0.0
    within: float | None = None
    wrong: tuple[Wrong, ...] = ()
    other: str = ""

    def key(self, run: Timeline, scenarios: Mapping[str, Scenario], instance: int) -> KeyEntry:
        """The measured key, at once."""
        work = ExperimentRun(run.scenario, self)
        while work.work():
            pass
        assert work.key is not None
        return self.entry(run, work.key)

    def entry(self, run: Timeline, key: ExperimentKey) -> KeyEntry:
        return KeyEntry(run.step, key, key.wrong)

    def misconceptions(self, scenario: Scenario) -> set[str]:
        return {wrong.misconception for wrong in self.wrong}

    def trouble(self, entry: KeyEntry) -> Iterator[str]:
        key: ExperimentKey = entry.right
        if key.right.kind != "number":
            if len(set(key.options)) <= 1:
                yield "there is only one answer"
            return
        if not key.wrong:
            yield "it has no wrong option"
        room = 2 * key.within * abs(key.right.value)
        for option in key.wrong:
            if option.answer is not None and abs(option.answer.value - key.right.value) <= room:
                yield f"{option.answer.value:g} is too near to the right answer, {key.right.value:g}"

    def options(self, entry: KeyEntry, instance: int) -> Sequence[Answer]:
        """Trends shuffled, all values, or the numbers in ascending order; none before all is measured."""
        key: ExperimentKey | None = entry.right
        if key is None:
            return ()
        if key.options:
            return shuffled(list(key.options), self.id, instance) if self.ask == "trend" else key.options
        numbers = {key.right, *(option.answer for option in key.wrong if option.answer)}
        return sorted(numbers, key=lambda number: float(number.value))

    def solution(self, right: ExperimentKey) -> Answer:
        return right.right

    def from_json(self, entry: KeyEntry, part: None, value: Any) -> Answer:
        return from_json(entry.right.right.kind, value)

    def verdict(self, entry: KeyEntry, part: None, given: Answer) -> AnswerVerdict:
        key: ExperimentKey = entry.right
        return judged(entry, key.right, given, share(key.right, given, key.within), self.other)


@dataclass(frozen=True)
class ExperimentKey:
    """The measured means, with their standard errors, and what is right about them."""

    values: tuple[Any, ...]
    means: tuple[float, ...]
    errors: tuple[float, ...]
    right: Answer
    within: float  # of the right value, as a share of it
    wrong: tuple[WrongOption, ...] = ()
    options: tuple[Answer, ...] = ()  # where all answers are listed


class ExperimentRun:
    """Measures all values with all seeds, a slice at a time."""

    def __init__(self, scenario: Scenario, task: ExperimentTask) -> None:
        self.key: ExperimentKey | None = None
        self.share = 0.0  # that is done
        self._scenario, self._task = scenario, task
        self._work = self._all_work()

    def work(self) -> bool:
        """Go on a little; False once the key is known."""
        copies.go_on(self._work)
        return self.key is None

    def _all_work(self) -> Iterator[None]:
        task = self._task
        measures = dict.fromkeys((task.measure, *(w.argument for w in task.wrong if w.rule == "measure")))
        extra = [w.argument for w in task.wrong if w.rule == "value"]
        values = list(dict.fromkeys((*task.values, *extra)))
        samples: dict[tuple[str, Any], list[float]] = {(name, value): [] for name in measures for value in values}
        for place, value in enumerate(values):
            changed = changed_scenario(self._scenario, task.vary, value)
            for seed in range(1, task.seeds + 1):
                run = copies.start(replace(changed, seed=seed))
                yield from moments.seeking(run, task.until or Condition("end", True), _SLICE)
                for name in measures:
                    samples[name, value].append(measure(run, name))
                self.share = (place + seed / task.seeds) / len(values)
        self.key = _key(task, samples)


def changed_scenario(scenario: Scenario, vary: str, value: Any) -> Scenario:
    """The scenario with another value of one setting. ValueError if it has no such setting."""
    if vary in ("algorithm", "variant"):
        return rival_of(scenario, vary, value)
    if vary == "nodes":
        return replace(scenario, nodes=value)
    table, _, name = vary.partition(".")
    if vary == "network.delay":
        return replace(scenario, network=replace(scenario.network, delay=Fixed(float(value))))
    if vary == "network.loss":
        return replace(scenario, network=replace(scenario.network, loss=float(value)))
    if table == "load" and name in {field.name for field in fields(scenario.load)}:
        changes: dict[str, Any] = {name: float(value)}
        return replace(scenario, load=replace(scenario.load, **changes))
    if table == "parameters":
        declared = parameters_of(catalog.find(scenario.algorithm).of(scenario.variant).process)
        if name in declared:
            return replace(scenario, parameters={**scenario.parameters, name: value})
    raise ValueError(vary)


# ---- what is right -----------------------------------------------------------------------------------------


def _key(task: ExperimentTask, samples: Mapping[tuple[str, Any], list[float]]) -> ExperimentKey:
    means = {value: mean(samples[task.measure, value]) for name, value in samples if name == task.measure}
    found = [samples[task.measure, value] for value in task.values]
    errors = tuple(stdev(one) / math.sqrt(len(one)) if len(one) > 1 else 0.0 for one in found)  # of the means
    listed = tuple(means[value] for value in task.values)
    right, options, within = _right(task, means, errors)
    wrong = tuple(WrongOption(one, Answer(right.kind, _wrong_value(one, task, samples, means))) for one in task.wrong)
    return ExperimentKey(task.values, listed, errors, right, within, wrong, options)


def _right(
    task: ExperimentTask, means: Mapping[Any, float], errors: tuple[float, ...]
) -> tuple[Answer, tuple[Answer, ...], float]:
    """The right answer, all options where they are listed, and the tolerance as a share."""
    if task.ask == "value":
        value = means[task.at_value]
        error = errors[task.values.index(task.at_value)]
        return Answer("number", rounded(value)), (), task.within or max(4 * error / abs(value) if value else 0.0, 0.01)
    if task.ask == "trend":
        trends = tuple(Answer("trend", name) for name in TRENDS)
        return Answer("trend", trend_of(task, means)), trends, 0.0
    values = tuple(Answer("value", value) for value in task.values)
    if task.ask == "smallest":
        return Answer("value", min(task.values, key=lambda value: means[value])), values, 0.0
    above = [value for value in task.values if means[value] > task.above]
    return Answer("value", above[0] if above else NONE_ABOVE), (*values, Answer("value", NONE_ABOVE)), 0.0


def _wrong_value(
    wrong: Wrong, task: ExperimentTask, samples: Mapping[tuple[str, Any], list[float]], means: Mapping[Any, float]
) -> Any:
    if wrong.rule == "measure":
        return rounded(mean(samples[wrong.argument, task.at_value]))
    return rounded(means[wrong.argument]) if wrong.rule == "value" else wrong.argument


def rounded(value: float) -> float:
    """A measured number with three digits that count."""
    return float(f"{value:.3g}")


def trend_of(task: ExperimentTask, means: Mapping[Any, float]) -> str:
    """How the measure grows with the value. BadInput if two trends are equally near."""
    first, last = task.values[0], task.values[-1]
    grown, ratio = last / first, means[last] / means[first] if means[first] else math.inf
    expected = {SAME: 1.0, LINEAR: grown, INVERSE: 1 / grown, SQUARE: grown**2}
    if first > 1:
        expected[LOG] = math.log(last) / math.log(first)
    if not 0 < ratio < math.inf:
        raise task.place.at("ask").wrong("the measure is 0 at the first or the last value, so it has no trend")
    misses = sorted((abs(math.log(ratio / likely)), name) for name, likely in expected.items())
    if misses[1][0] - misses[0][0] < math.log(_CLEAR):
        names = f"{misses[0][1]} and {misses[1][1]}"
        raise task.place.at("values").wrong(f"the trends {names} cannot be told apart: the ratio is {ratio:.2f}")
    return misses[0][1]


def check(scenario: Scenario, task: ExperimentTask) -> None:
    """Check the values in the scenario. BadInput, with the place, if one makes no sense."""
    names = {"algorithm": catalog.by_name(), "variant": catalog.find(scenario.algorithm).variants}.get(task.vary)
    for place, value in enumerate(task.values):
        here = task.place.at("values").at(place)
        if names is not None and value not in names:  # never a file of code
            raise here.unknown(task.vary, str(value), names)
        if task.vary == "nodes" and not (isinstance(value, int) and 2 <= value <= MOST_NODES):
            raise here.expected(f"a number of nodes from 2 to {MOST_NODES}", value)
        try:
            catalog.simulation(changed_scenario(scenario, task.vary, value))
        except ValueError:
            raise task.place.at("vary").wrong(f'the scenario has no "{task.vary}" that could be varied') from None
        except (BadInput, KeyError, TypeError) as error:
            raise here.wrong(f"{task.vary} cannot be {value} ({error})") from None
