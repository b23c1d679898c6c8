"""The par of a challenge is what a search finds that makes the moves in runs and knows no checker."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from algorithms import catalog
from algorithms.bad_input import BadInput
from algorithms.engine.check.choices import REGULAR, Choice, adverse, regular
from algorithms.engine.check.moves import Bounds
from algorithms.engine.events import KIND, LEAVE, MESSAGE, NODE, SENDER, SEQ
from algorithms.engine.randomness import Fixed
from algorithms.engine.scenario import Event, Scenario
from algorithms.engine.simulation import Simulation
from algorithms.engine.workload import Load
from lessons.asking.moments import Condition
from lessons.keys import key_of
from lessons.reading.reading import find, read
from lessons.tasks.challenges import ChallengeTask, Par, ParSearch, par_of_task
from lessons.tasks.predicting import PredictTask

SMALL = [
    ("two-machines", "meet"),
    ("votes", "half"),
    ("find-the-schedule", "clock"),
    ("deferral", "break-it"),
    ("three-messages", "loss"),
    ("ask-everybody", "as-published"),
    ("ring", "safe"),
]


def task_of(name: str, id: str) -> tuple[Scenario, ChallengeTask]:
    lesson = find(name)
    task = lesson.step(id).task
    assert isinstance(task, ChallengeTask)
    return lesson.scenarios[task.scenario], task


# ---- a search of its own: runs, made from the beginning for each schedule --------------------------------------


class Schedules:
    """The schedules of a challenge: a run for each, and the moves that may follow."""

    def __init__(self, scenario: Scenario, task: ChallengeTask) -> None:
        self.scenario = replace(scenario, load=Load(hold=Fixed(1000.0)), events=(), until=1000.0)
        self.task = task

    def run(self, schedule: tuple[Choice, ...]) -> Simulation:
        run = Simulation(self.scenario, catalog.find(self.scenario.algorithm))
        run.run(steps=1)
        for choice in schedule:
            step = run.steps
            run.interventions.append(Event(run.now, choice.do, step=step, by_hand=True, **dict(choice.fields)))
            run.step()
        return run

    def following(self, run: Simulation, schedule: tuple[Choice, ...]) -> Iterator[Choice]:
        bounds = self.task.bounds
        most = {"request": None, "crash": bounds.crashes, "drop": bounds.losses, "duplicate": bounds.duplicates}
        for choice in (*regular(run, kinds=[kind for kind in REGULAR if kind in self.task.allow]), *adverse(run)):
            if choice.do not in self.task.allow:
                continue
            count = sum(made.do == choice.do for made in schedule)
            if choice.do == "request":
                mine = [made for made in schedule if (made.do, made.fields) == (choice.do, choice.fields)]
                if len(mine) >= bounds.requests:
                    continue
            elif most.get(choice.do) is not None and count >= most[choice.do]:
                continue
            yield choice


def state_of(run: Simulation, schedule: tuple[Choice, ...]) -> Any:
    """All that the future depends on, as text: variables, messages, timers, stays, and what is left to do."""
    sent = sorted(
        ((e[SENDER], e[NODE], repr(e[MESSAGE])) for e in sorted(run.queue.in_transit(), key=lambda e: e[SEQ])),
        key=lambda each: each[:2],
    )
    inside = sorted(entry[NODE] for entry in run.queue if entry[KIND] == LEAVE)
    asked = sorted((made.do, made.fields) for made in schedule if made.do in ("request", "crash", "drop"))
    counted = [do if do != "request" else (do, fields) for do, fields in asked]
    variables = [sorted(vars(process).items(), key=lambda each: each[0]) for process in run.processes]
    return repr((variables, sent, sorted(run.timers.due), inside, counted, sorted(run.down.items())))


def is_broken(run: Simulation, light: str) -> bool:
    if light == "ME1":
        return sum(entry[KIND] == LEAVE for entry in run.queue) > 1
    token = run.algorithm.token
    held = sum(process.holding() for process in run.processes if run.is_up(process.id))
    return light == "one token" and held + sum(type(e[MESSAGE]) is token for e in run.queue.in_transit()) != 1


def fewest(scenario: Scenario, task: ChallengeTask, most: int) -> int | None:
    """The fewest moves to the goal; None if no schedule of at most `most` moves leads there."""
    schedules = Schedules(scenario, task)
    frontier: list[tuple[Choice, ...]] = [()]
    seen = {state_of(schedules.run(()), ())}
    for length in range(1, most + 1):
        following: list[tuple[Choice, ...]] = []
        for schedule in frontier:
            run = schedules.run(schedule)
            for choice in schedules.following(run, schedule):
                longer = (*schedule, choice)
                after = schedules.run(longer)
                if is_broken(after, task.goal.value):
                    return length
                state = state_of(after, longer)
                if state not in seen:
                    seen.add(state)
                    following.append(longer)
        frontier = following
    return None


@pytest.mark.parametrize(("name", "id"), SMALL)
def test_the_par_is_the_length_of_the_shortest_schedule(name, id):
    scenario, task = task_of(name, id)
    par = par_of_task(scenario, task)
    assert par.is_decided
    assert fewest(scenario, task, par.moves or 4) == par.moves


# ---- what should happen eventually ----------------------------------------------------------------------------


def challenge(keys: str) -> ParSearch:
    text = f"""+++
format = 1
title = "One challenge"
minutes = 5
ideas = ["waiting"]
misconceptions = []
[scenario.main]
{keys}
~~~
## End
~~~ explain
~~~
"""
    lesson = read(text, Path("x.md"))
    task = lesson.steps[0].task
    return ParSearch(lesson.scenarios["main"], task.goal, task.bounds, task.states)


def decided(search: ParSearch) -> Par:
    while search.work():
        pass
    return search.par


FORGETFUL = 'algorithm = "ricart-agrawala"\nvariant = "forgetful"\nnodes = 2\n+++\n## One\n~~~ challenge\n'


def test_a_promise_is_broken_as_soon_as_it_can_no_longer_be_kept():
    """Both ask: the one that is served first forgets the other's request, long before the run stands still."""
    par = decided(challenge(FORGETFUL + 'goal = { light = "ME2" }\n'))
    assert (par.moves, par.is_decided) == (2, True)
    published = FORGETFUL.replace('variant = "forgetful"\n', "")
    assert decided(challenge(published + 'goal = { light = "ME2" }\n')) == Par(None, True)
    crash = 'goal = { light = "ME2" }\nallow = ["request", "deliver", "exit", "crash"]\ncrashes = 1\n'
    assert decided(challenge(published + crash)).moves == 2  # one asks, the other has crashed


def test_rules_are_counted_until_one_has_been_applied_often_enough():
    """Rule 2 appends to a history of at most three events; by rule 1 first, both have something to send."""
    system = 'algorithm = "system-s"\nnodes = 2\n[scenario.main.parameters]\nrequests = {}\nhistory = 3\n'
    task = '+++\n## One\n~~~ challenge\nallow = ["fire"]\ngoal = {{ applies = "2", nth = {} }}\n'
    par = decided(challenge((system + task).format(1, 3)))
    assert (par.moves, par.first.rule.number) == (3, "2")
    assert decided(challenge((system + task).format(1, 4))) == Par(None, True)
    both_ask = (system + task).format(1, 2).replace('applies = "2"', 'applies = "1"')
    assert decided(challenge(both_ask)).moves == 2
    assert decided(challenge(both_ask.replace("nth = 2", "nth = 3"))) == Par(None, True)


def test_a_goal_that_nobody_can_judge_is_refused():
    with pytest.raises(BadInput, match="goal: expected light, or applies in a rewriting system, got enters"):
        challenge(FORGETFUL + "goal = { enters = 1 }\n")


def test_what_can_be_broken_is_what_the_search_finds_broken():
    lesson = find("repair-it")
    task, entry = lesson.step("hook").task, key_of(lesson)["hook"]
    assert isinstance(task, PredictTask)
    goal = Condition("light", task.given["light"])
    hunted = ChallengeTask(task.place, "", "", goal=goal, bounds=Bounds(requests=task.given["requests"]))
    scenario = lesson.scenarios[task.scenario]
    assert fewest(scenario, hunted, 10) is None
    assert fewest(replace(scenario, variant="neither-defers"), hunted, 10) == 6
    assert (entry.right.value, entry.options[0].answer.value) == ("no", "yes")
