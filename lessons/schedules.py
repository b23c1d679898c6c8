"""The moves of a challenge as a file of answers has them: made in a run one after the other, and judged.

A move is a list of what happens and where: ["request", 1], ["exit", 1], ["fire", 1, "answer_timeout"], or
["deliver", 2, 1, "Reply"], to P2 from P1, ["drop", 2, 1], ["crash", 1], ["reset", 1]; in a rewriting system
["apply", "P0 sends the token to P1"], as the window lists it. The end of a move may be left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from algorithms.authoring.failures import guard_timeline
from algorithms.engine.check.choices import RESET, Choice, adverse, regular, resets
from algorithms.engine.check.run_moves import moves_of
from algorithms.engine.events import MESSAGE, NODE, SENDER
from algorithms.engine.scenario import Event, Scenario, restarting
from algorithms.engine.timeline import Timeline
from algorithms.scenario_format.place import Place
from lessons.asking import copies, moments
from lessons.asking.run_events import Watch
from lessons.tasks.challenges import (
    ChallengeTask,
    Hunt,
    ParSearch,
    allowance_of,
    is_judged_by_checker,
    may_move,
    par_of_task,
    share_of,
)


def share_of_schedule(scenario: Scenario, task: ChallengeTask, moves: Sequence[Any], place: Place) -> float:
    """The share of the points for these moves; 0 if they do not reach the goal. BadInput at one that cannot be made."""
    run, hunt = copies.start(scenario), Hunt(scenario, task)
    copies.forward(run)
    for number, move in enumerate(moves):
        choice = next((one for one in _possible(run, hunt) if _is_meant(one, move)), None)
        if choice is None:
            raise place.at(number).wrong(f"expected a move that can be made then and is allowed, got {move}")
        with guard_timeline(run):
            _make(run, choice)
    made = moves_of(run)
    if not is_judged_by_checker(task.goal):
        is_reached = moments.is_reached(Watch(run), task.goal)
    else:
        search = ParSearch(scenario, task.goal, task.bounds, task.states, made)
        while search.work():
            pass
        is_reached = search.par is not None and search.par.moves == 0
    return share_of(par_of_task(scenario, task), len(made)) if is_reached else 0.0


def _possible(run: Timeline, hunt: Hunt) -> Iterator[Choice]:
    """What can happen next and the challenge allows."""
    now, made, due = run.simulation, moves_of(run), hunt.due(run)
    allowance = allowance_of(hunt.task)
    for choice in (*regular(now), *adverse(now), *resets(now)):
        fields = dict(choice.fields)
        is_due = choice.do != "fire" or due is None or (fields["node"], fields["timer"]) in due
        if is_due and may_move(allowance, made, choice.do, fields.get("node")):
            yield choice


def _is_meant(choice: Choice, move: Any) -> bool:
    if not isinstance(move, list) or not move:
        return False
    fields, entry = dict(choice.fields), choice.entry
    where = [fields.get("node"), fields.get("timer")]
    if entry is not None:
        where = [entry[NODE], entry[SENDER], type(entry[MESSAGE]).__name__]
    names = ["apply", choice.words] if choice.words else [choice.do, *where]
    return bool(move == names[: len(move)])


def _make(run: Timeline, choice: Choice) -> None:
    now, fields = run.simulation.now, dict(choice.fields)
    events = restarting(fields["node"], now) if choice.do == RESET else (Event(now, choice.do, **fields),)
    for event in events:
        run.act(event)
