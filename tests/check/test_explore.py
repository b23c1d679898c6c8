"""The checker, against an oracle that tries every event in the simulation, and on small mutants."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import deque
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from algorithms import catalog
from algorithms.engine.check.election_history import ElectionHistory
from algorithms.engine.check.explore import BROKEN, HOLDS, NOT_REFUTED, NOT_SEEN, Exploration
from algorithms.engine.check.moves import Bounds
from algorithms.engine.check.process_steps import (
    LocalState,
    NotExplorable,
    StepRunner,
    freeze_variables,
    thaw_variables,
)
from algorithms.engine.check.properties import ALWAYS
from algorithms.engine.checkpoint import Checkpoint, restore, save
from algorithms.engine.events import KIND, LEAVE, MESSAGE, NODE, SENDER, SEQ, Record
from algorithms.engine.observe.leadership import leaders, uninformed
from algorithms.engine.process import Algorithm, ElectionProcess, Message, MutexProcess
from algorithms.engine.scenario import Event, Network, Scenario
from tests.support.kit import for_each
from tests.support.state_counts import READS_THE_CLOCK, TOLD_OF_CRASHES, exploration, finished

# ---- an oracle: every event that the simulation allows -----------------------------------------------------


class ComparableState(NamedTuple):
    """A state in the form in which the oracle and the checker are compared."""

    processes: tuple[Any, ...]
    messages: tuple[Any, ...]
    faults: tuple[str, ...]


class Oracle:
    """Tries every event with checkpoints of one simulation: slow, short, and independent of the checker."""

    def __init__(self, scenario: Scenario, bounds: Bounds) -> None:
        self.bounds = bounds
        self.fifo = scenario.network.fifo
        self.run = catalog.simulation(scenario)
        self.run.run(steps=1)

    def states(self) -> set[ComparableState]:
        asked, faults = (0,) * len(self.run.processes), ()
        states = {self.present(asked, faults)}
        pending: list[tuple[Checkpoint, tuple[int, ...], tuple[str, ...]]] = [(save(self.run), asked, faults)]
        while pending:
            before, asked, faults = pending.pop()
            restore(self.run, before)
            for event in list(self.choices(asked, faults)):
                restore(self.run, before)
                event = Event(self.run.now + 1, **event, step=self.run.steps)
                self.run.interventions = [event]
                self.run.step()
                asked_now = tuple(n + (event.do == "request" and node == event.node) for node, n in enumerate(asked))
                fault = (event.do,) if event.do in ("crash", "drop", "duplicate") else ()
                state = self.present(asked_now, tuple(sorted(faults + fault)))
                if state not in states:
                    states.add(state)
                    pending.append((save(self.run), asked_now, tuple(sorted(faults + fault))))
        return states

    def choices(self, asked: tuple[int, ...], faults: tuple[str, ...]) -> Iterator[dict[str, Any]]:
        run, bounds = self.run, self.bounds
        for process in run.processes:
            if process.id not in run.down:
                if asked[process.id] < bounds.requests and not process.busy():
                    yield {"do": "request", "node": process.id}
                if any(entry[KIND] == LEAVE and entry[NODE] == process.id for entry in run.queue.entries()):
                    yield {"do": "exit", "node": process.id}
                if faults.count("crash") < bounds.crashes:
                    yield {"do": "crash", "node": process.id}
        for node, timer in run.timers.due:
            yield {"do": "fire", "node": node, "timer": timer}
        for row in self.rows().values():
            for entry in row[:1] if self.fifo else row:
                yield {"do": "deliver", "message": entry[SEQ]}
                if entry[SENDER] != entry[NODE]:
                    if faults.count("drop") < bounds.losses:
                        yield {"do": "drop", "message": entry[SEQ]}
                    if faults.count("duplicate") < bounds.duplicates:
                        yield {"do": "duplicate", "message": entry[SEQ]}

    def rows(self) -> dict[tuple[int, int], list[Record]]:
        """The messages in transit to processes that are up, by link, in the order of sending."""
        rows: dict[tuple[int, int], list[Record]] = {}
        for entry in sorted(self.run.queue.in_transit(), key=lambda entry: entry[SEQ]):
            if entry[NODE] not in self.run.down:
                rows.setdefault((entry[SENDER], entry[NODE]), []).append(entry)
        return rows

    def present(self, asked: tuple[int, ...], faults: tuple[str, ...]) -> ComparableState:
        run = self.run
        stays = [entry[NODE] for entry in run.queue.entries() if entry[KIND] == LEAVE]
        processes = (
            None
            if p.id in run.down
            else (plain(vars(p)), sorted(t for n, t in run.timers.due if n == p.id), stays.count(p.id), asked[p.id])
            for p in run.processes
        )
        messages = {link: [entry[MESSAGE] for entry in row] for link, row in self.rows().items()}
        return comparable(processes, messages, self.fifo, faults)


def states_of(exploration: Exploration) -> set[ComparableState]:
    """The states that the checker has reached, in comparable form."""
    system, bounds = exploration.system, exploration.bounds
    result = set()
    for state in exploration.states:
        local_states = [system.process_state(number) for number in system.process_numbers(state)]
        processes = (
            (
                plain(thaw_variables(at.variables)),
                sorted(t for t, _ in at.timers),
                at.pending_exits,
                bounds.requests - at.requests_left,
            )
            if isinstance(at, LocalState)
            else None
            for at in local_states
        )
        result.add(
            comparable(processes, system.messages(state), exploration.scenario.network.fifo, system.faults(state))
        )
    return result


def comparable(
    processes: Any, messages: dict[Any, list[Message]], fifo: bool, faults: tuple[str, ...]
) -> ComparableState:
    rows = ((link, row if fifo else sorted(row, key=repr)) for link, row in sorted(messages.items()))
    return ComparableState(tuple(map(repr, processes)), tuple((link, tuple(row)) for link, row in rows), faults)


def plain(variables: dict[str, Any]) -> list[tuple[str, Any]]:
    """Variables in a fixed order."""
    values = ((name, list(value) if isinstance(value, deque) else value) for name, value in variables.items())
    return sorted((name, sorted(value) if isinstance(value, set) else value) for name, value in values)


@pytest.mark.parametrize(
    ("name", "variant", "nodes", "bounds", "fifo"),
    [
        ("uncoordinated", None, 3, Bounds(requests=2, crashes=1), True),
        ("centralized", None, 2, Bounds(requests=2, crashes=1, losses=1), True),
        ("centralized", "impatient", 2, Bounds(crashes=1), True),
        ("ricart-agrawala", None, 2, Bounds(requests=2, losses=1), True),
        ("ricart-agrawala", None, 2, Bounds(crashes=1), False),
        ("token-ring", None, 3, Bounds(crashes=1), True),
        ("token-ring", None, 2, Bounds(requests=2, duplicates=1), False),
        ("ring-search", None, 2, Bounds(requests=2, losses=1), True),
        ("bully", None, 2, Bounds(crashes=1), True),
        ("chang-roberts", None, 3, Bounds(losses=1), True),
        ("ring-election", None, 2, Bounds(requests=2, crashes=1), False),
    ],
)
def test_the_checker_reaches_exactly_the_states_that_the_simulation_can_reach(name, variant, nodes, bounds, fifo):
    scenario = Scenario(name, variant=variant, nodes=nodes, network=Network(fifo=fifo))
    explored = Exploration(scenario, catalog.find(name), bounds)
    assert finished(explored).is_complete
    assert states_of(explored) == Oracle(scenario, bounds).states()


# ---- small mutants with an obvious shortest schedule -------------------------------------------------------


class Token(Message):
    """The token: the right to enter."""


class Silent(MutexProcess):
    """Sends no request, and never enters."""


class Passing(MutexProcess):
    """A token ring in which P1 always passes the token on."""

    def launch(self):
        if self.id == 0:
            self.send(Token(), to=1)

    def on_token(self, token, sender):
        if self.wants and self.id != 1:
            self.enter()
        else:
            self.send(token, to=(self.id + 1) % self.size)

    def release(self):
        self.send(Token(), to=(self.id + 1) % self.size)


class Stumbling(MutexProcess):
    """Fails when it leaves the critical section."""

    def acquire(self):
        self.enter()

    def release(self):
        raise LookupError("no way out")


class Gambling(MutexProcess):
    """Rolls a die: enters at once, sends itself a token and then enters, or waits forever."""

    def acquire(self):
        side = self.random.below(3)
        if side == 0:
            self.enter()
        elif self.random.choice(["send", "wait"]) == "send":
            self.send(Token(), to=self.id)

    def on_token(self, token, sender):
        self.enter()


class Dozing(MutexProcess):
    """Waits for a random time, and enters."""

    def acquire(self):
        self.set_timer("nap", 2 * self.random.exponential(1.0) + self.now)

    def on_nap(self):
        self.enter()


class Early(MutexProcess):
    """Enters only before time 12."""

    def acquire(self):
        if self.now < 12.0:
            self.enter()


class Guessing(MutexProcess):
    """Acts on a random number."""

    def acquire(self):
        if self.random.random() < 0.5:
            self.enter()


class Keeping(MutexProcess):
    """Stores the time in its state."""

    def acquire(self):
        self.asked = self.now


def explored(process: type[MutexProcess], nodes: int = 2, **bounds: Any) -> Exploration:
    algorithm = Algorithm("toy", "Toy", "a toy", "nowhere", process, looks={Token: "token"}, topology="ring")
    return Exploration(Scenario("toy", nodes=nodes), algorithm, Bounds(**bounds))


def broken(exploration: Exploration) -> dict[str, tuple[int, int]]:
    """The moves of the shortest trail of each broken property, and the length of its cycle."""
    report = finished(exploration)
    assert report.is_complete
    return {f.property.name: (len(f.trail.moves), f.trail.cycle) for f in report.findings if f.trail}


def test_a_process_that_never_enters_waits_forever_after_one_move():
    assert broken(explored(Silent)) == {"ME2": (1, 0)}


def test_a_ring_that_starves_a_process_is_caught_with_its_cycle():
    assert broken(explored(Passing)) == {"ME2": (3, 2)}  # P1 asks; to P1 and back to P0
    assert broken(explored(Passing, nodes=3)) == {"ME2": (4, 3)}


def test_a_step_that_fails_is_a_finding_and_is_not_expanded():
    assert broken(explored(Stumbling, nodes=1)) == {"no error": (2, 0)}
    assert broken(explored(Stumbling)) == {"ME1": (2, 0), "no error": (2, 0)}


def test_every_side_of_every_die_is_tried():
    assert broken(explored(Gambling, nodes=1)) == {"ME2": (1, 0)}
    assert (
        finished(explored(Gambling, nodes=1)).states == 1 + 3 + 1
    )  # idle; inside, and waiting in two ways; outside again


def test_a_timer_set_at_random_may_expire_at_any_moment():
    for synchronous in (False, True):
        assert broken(explored(Dozing, synchronous=synchronous)) == {"ME1": (4, 0)}


@pytest.mark.parametrize(
    ("process", "what"), [(Early, "the time"), (Guessing, "a random number"), (Keeping, "the time")]
)
def test_a_process_that_acts_on_the_time_or_on_random_numbers_cannot_be_explored(process, what):
    with pytest.raises(NotExplorable, match=what):
        finished(explored(process))


@for_each(name=READS_THE_CLOCK)
def test_the_wandering_tokens_read_the_clock(name):
    with pytest.raises(NotExplorable):
        finished(exploration(name, None, 2, "", state_limit=500))


@for_each(case=sorted(TOLD_OF_CRASHES, key=str))
def test_an_algorithm_that_is_told_of_crashes_is_not_explored_with_crashes(case):
    name, variant = case
    with pytest.raises(NotExplorable, match="without crashes it can be"):
        finished(exploration(name, variant, 2, "crashes=1"))


def test_the_dice_fall_in_each_way_once():
    class Rolling(MutexProcess):
        def acquire(self):
            self.rolled = (self.random.below(2), self.random.choice("abc"), self.random.below(1))

    runner = StepRunner(Rolling, ((),), None, is_timed=False)
    launched = runner.launch(0, 1)[0].state
    rolled = [dict(result.state.variables)["rolled"] for result in runner.request(0, launched)]
    assert sorted(rolled) == [(a, b, 0) for a in (0, 1) for b in "abc"]


def test_freezing_variables_loses_nothing():
    variables = {"b": deque([1, 2], maxlen=3), "a": {3, 1}, "d": {2: "x", 1: "y"}, "c": [(1, 2), None], "e": (1,)}
    thawed = thaw_variables(freeze_variables(variables))
    assert thawed == variables
    assert {name: type(value) for name, value in thawed.items()} == {n: type(v) for n, v in variables.items()}
    assert thawed["b"].maxlen == 3
    assert list(thawed["d"]) == [2, 1]  # a loop over it depends on this order
    assert hash(freeze_variables(variables)) == hash(freeze_variables(dict(reversed(variables.items()))))
    assert freeze_variables({"a": [1]}) != freeze_variables({"a": deque([1])})
    assert freeze_variables({"d": {1: 1, 2: 2}}) != freeze_variables({"d": {2: 2, 1: 1}})


# ---- leaders -----------------------------------------------------------------------------------------------


@for_each(
    case=[
        ({0: None, 1: None}, [], set(), set()),  # nobody has asked
        ({0: None, 1: None}, [1, 2], {1}, set()),  # P2 has asked and crashed
        ({0: 1, 1: 1}, [], set(), {1}),
        ({0: 1, 1: 1}, [0], set(), {1}),  # it knows one
        ({0: None, 1: 1}, [], {0}, {1}),
        ({0: 2, 1: 1}, [], {0}, {1}),  # P2 has crashed
        ({0: 2, 1: 1, 2: 2}, [], {0, 1, 2}, {1, 2}),
        ({0: 2, 1: 2}, [], set(), set()),  # P2 has crashed, and nobody has called for another
        ({0: 2, 1: 2}, [1], {1}, set()),
        ({0: 2, 1: None}, [], {1}, set()),
    ]
)
def test_nodes_in_doubt_have_yet_to_learn_who_leads(case):
    beliefs, asked, doubting, leading = case
    assert uninformed(beliefs, asked) == doubting
    assert leaders(beliefs, beliefs) == leading


def test_a_node_that_returns_without_memory_has_to_learn_again():
    class Simple(ElectionProcess):
        def start(self):
            self.send(Token(), to=self.peers)
            self.elect(self.id)

        def on_token(self, token, sender):
            self.elect(sender)

    algorithm = Algorithm("toy", "Toy", "a toy", "nowhere", Simple, looks={Token: "ask"})
    system = Exploration(Scenario("toy", nodes=2), algorithm, Bounds(resets=1)).system
    histories, state = [], next(system.initial())
    for wanted in (("request", 0), ("deliver", 1), ("reset", 0)):
        successors = system.successors(state)
        moves = [*successors.steps, *successors.requests, *successors.faults]
        state = next(after for move, after in moves if (move.do, move.node) == wanted)
        histories.append(system.elections(state))
    assert histories == [
        ElectionHistory(has_begun=True, is_under_way=True, informed=frozenset({0}), uninformed=frozenset({1})),
        ElectionHistory(has_begun=True),
        ElectionHistory(has_begun=True, uninformed=frozenset({0})),
    ]


# ---- the search --------------------------------------------------------------------------------------------


def test_slices_find_the_same_as_one_go():
    at_once = exploration("centralized", "grants-twice", 3, "")
    in_slices = exploration("centralized", "grants-twice", 3, "")
    slices = 0
    while in_slices.advance(1):
        slices += 1
        assert in_slices.frontier_size <= len(in_slices.states)
    assert slices > len(in_slices.states)
    assert in_slices.report() == finished(at_once)


def test_it_stops_at_the_state_limit_and_reports_that_it_is_incomplete():
    report = finished(exploration("ricart-agrawala", None, 3, "requests=2", state_limit=500))
    assert not report.is_complete
    assert 500 <= report.states < 520
    assert {finding.property.name: finding.status for finding in report.findings}["ME2"] == NOT_REFUTED


def test_partial_results_are_reported():
    halfway = exploration("uncoordinated", None, 3, "")
    halfway.advance(1)
    report = halfway.report()
    assert not report.is_complete
    assert {f.property.name: f.status for f in report.findings} == {
        "ME1": NOT_REFUTED,
        "no error": NOT_REFUTED,
        "ME2": NOT_REFUTED,
        "entry": HOLDS,  # witnessed already
        "contention": NOT_SEEN,
    }


def held_in_all_reachable_states(explored: Exploration) -> set[str]:
    """The always-properties that hold everywhere, by a search of its own: depth first, without levels or parents."""
    reached = set(explored.system.initial())
    stack, violated = [*reached], set()
    while stack:
        state = stack.pop()
        violated |= {*explored.judge.judge(state).notable}
        successors = explored.system.successors(state)
        for _, after in (*successors.steps, *successors.requests, *successors.faults):
            if after not in reached:
                reached.add(after)
                stack.append(after)
    return {p.name for p in explored.judge.properties if p.when == ALWAYS} - violated


@pytest.mark.parametrize("limit", [3, 40, 200, 10_000])
def test_only_what_holds_in_all_states_is_said_to_hold_and_only_then(limit):
    for name, variant, bounds in (
        ("ricart-agrawala", None, "duplicates=1"),
        ("ricart-agrawala", "neither-defers", ""),
        ("token-ring", None, "losses=1"),
        ("bully", None, "timeouts=1"),
    ):
        explored = exploration(name, variant, 2, bounds, state_limit=limit)
        report = finished(explored)
        holding = {f.property.name for f in report.findings if f.property.when == ALWAYS and f.status == HOLDS}
        assert report.is_complete == (report.states < limit)
        assert holding == (held_in_all_reachable_states(explored) if report.is_complete else set())


def test_final_states_are_deadlocks_only_if_somebody_waits():
    for name, variant in (("ricart-agrawala", None), ("ricart-agrawala", "both-defer"), ("centralized", None)):
        explored = exploration(name, variant, 2, "")
        report = finished(explored)
        ends = [state for state in explored.states if not any(explored.system.successors(state)[:2])]
        waiting = [state for state in ends if explored.judge.snapshot(state).waiting()]
        assert (report.final_states, report.deadlocks) == (len(ends), len(waiting))
        assert bool(waiting) == (variant == "both-defer")


def test_messages_that_keep_a_timer_from_expiring_forever_show_nothing():
    """P0 takes P1 for crashed once the token to it is lost; P1's own timer would end that, if time went on."""
    tokens = Bounds(synchronous=True, losses_of=(("Token", 1),))
    statuses = {}
    for variant in ("acknowledged", "regenerating"):
        scenario = Scenario("token-ring", variant=variant, nodes=3)
        report = finished(Exploration(scenario, catalog.find("token-ring"), tokens, state_limit=3_000))
        statuses[variant] = {f.property.name: f.status for f in report.findings}
    assert statuses["acknowledged"]["ME2"] == BROKEN, "there no timer gives P1 another chance"
    assert statuses["regenerating"]["ME2"] == NOT_REFUTED


def test_liveness_is_left_open_where_only_another_timer_could_serve_a_request():
    statuses = {
        bounds: {f.property.name: f.status for f in finished(exploration("bully", None, 2, bounds)).findings}
        for bounds in ("timeouts=1", "synchronous")
    }
    assert [statuses[bounds]["E2"] for bounds in statuses] == [NOT_REFUTED, HOLDS]


def test_states_are_small():
    assert 100 < finished(exploration("token-ring", None, 5, "requests=2")).bytes_per_state < 220


CALLS = """
from tests.support.state_counts import exploration, finished
from algorithms import scenario_file
from algorithms.engine.check.counterexample import counterexample_scenario
for system in (("ricart-agrawala", "current-clock", 3, ""), ("israeli-jalfon", None, 2, "losses=1")):
    explored = exploration(*system)
    report = finished(explored)
    print(report, scenario_file.dumps(counterexample_scenario(explored, report.shortest())))
"""


def test_results_do_not_depend_on_the_seed_of_hashes():
    first, second = (
        subprocess.run(
            [sys.executable, "-c", CALLS], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        )
        for seed in ("0", "4711")
    )
    assert first.stdout == second.stdout
    assert len(first.stdout) > 1_000
