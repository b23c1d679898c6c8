"""The reduced exploration against a plain one: what must be the same in both.

python -m tests.support.reductions            # every row of the table of states (an hour): the differences
python -m tests.support.reductions sigma      # … of some algorithms only
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

from algorithms.engine.check.encoding import State
from algorithms.engine.check.explore import STATE_LIMIT, Exploration
from algorithms.engine.check.moves import Bounds
from algorithms.engine.check.process_steps import LocalState
from algorithms.engine.check.properties import ORDER, Scope
from algorithms.engine.check.reduced import ReducedExploration
from algorithms.engine.process import Algorithm
from algorithms.engine.scenario import Scenario
from tests.support.state_counts import ROWS, broken, finished, system_of


class Values(NamedTuple):
    """What the properties look at in a state, as far as it must be the same in another one."""

    tokens: int
    elections: Any
    variables: tuple[Any, ...]  # those that the algorithm's own invariants read
    inside: frozenset[int]
    busy: frozenset[int]  # inside, or waiting


def differences(scenario: Scenario, algorithm: Algorithm, bounds: Bounds, expected: dict[str, Any]) -> Iterator[str]:
    """What is not the same when a system is explored with reduction from the first state on.

    `expected` are the broken properties, with the moves of their shortest trails.
    """
    reduced = ReducedExploration(scenario, algorithm, bounds, 10 * STATE_LIMIT, few=0)
    report = finished(reduced)
    if (found := broken(report)) != expected:
        yield f"broken: {found}"
    if not report.is_complete:
        yield "incomplete"
    names = {property_.name for property_ in reduced.judge.properties} - {ORDER.name}
    part = Exploration(scenario, algorithm, bounds, 10 * STATE_LIMIT, scope=Scope(names), reduces=True)
    if not part.judge.can_reduce() or bounds.timeouts is not None:
        return
    finished(part)
    full = Exploration(scenario, algorithm, bounds, scope=Scope(names))
    states = reachable(full)
    if finals(full, states) != finals(part, part.states):
        yield "final states"
    names_read = part.judge.names_read
    by_values: dict[Any, list[Values]] = {}
    for values in {values_in(part, state, names_read) for state in part.states}:
        by_values.setdefault(values[:3], []).append(values)
    for values in {values_in(full, state, names_read) for state in states}:
        others = by_values.get(values[:3], [])
        if not any(values.inside <= other.inside and values.busy <= other.busy for other in others):
            yield f"never seen: {values}"


def reachable(exploration: Exploration) -> list[State]:
    """All states of the system of an exploration, found by its transitions alone."""
    states = dict.fromkeys(exploration.system.initial())
    waiting = list(states)
    while waiting:
        steps, requests, faults, _ = exploration.system.successors(waiting.pop())
        new = [after for _, after in (*steps, *requests, *faults) if after not in states]
        states.update(dict.fromkeys(new))
        waiting += new
    return list(states)


def finals(exploration: Exploration, states: list[State]) -> set[Any]:
    """The states in which nothing happens by itself although no step failed, as values to be compared."""
    system = exploration.system
    return {
        (
            tuple(map(system.process_state, system.process_numbers(state))),
            tuple((link, tuple(row)) for link, row in sorted(system.messages(state).items())),
            system.elections(state),
            system.faults(state),
        )
        for state in states
        if not (system.successors(state).steps or system.is_stopped(state))
    }


def values_in(exploration: Exploration, state: State, names: set[str]) -> Values:
    """What the properties look at in a state; `names` are the variables that invariants read."""
    system = exploration.system
    locals_ = {node: system.process_state(number) for node, number in enumerate(system.process_numbers(state))}
    up = {node: local for node, local in locals_.items() if isinstance(local, LocalState)}
    inside = {node for node, local in up.items() if vars(system.process(node, local)).get("inside")}
    waiting = {node for node, local in up.items() if local.is_waiting}
    beliefs = tuple((node, local.belief, local.belief_term, local.is_waiting) for node, local in up.items())
    read = tuple((node, *(item for item in local.variables if item[0] in names)) for node, local in up.items())
    tokens = system.tokens_in_transit(state) + sum(local.tokens for local in up.values())
    is_election = exploration.algorithm.is_election()
    elections = (system.elections(state), beliefs) if is_election else None
    return Values(tokens, elections, read, frozenset(inside), frozenset(inside | waiting))


def main(names: list[str]) -> None:
    """Print the rows that differ."""
    for row in ROWS:
        if not names or row.algorithm in names:
            for difference in differences(*system_of(*row[:4]), row.broken):
                print(row, difference, sep="\n    ", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
