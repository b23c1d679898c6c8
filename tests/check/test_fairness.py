"""Fair liveness, against an oracle that uses networkx, and on algorithms that are known to starve somebody."""

from __future__ import annotations

from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms import catalog, scenario_file
from algorithms.engine.check.counterexample import counterexample_scenario
from algorithms.engine.check.explore import BROKEN, HOLDS, Exploration, Finding
from algorithms.engine.check.fairness import components
from algorithms.engine.check.moves import Bounds, Move
from algorithms.engine.check.process_steps import LocalState
from algorithms.engine.observe.monitors import Monitors
from algorithms.engine.process import Algorithm, MutexProcess
from algorithms.engine.scenario import Network, Scenario
from algorithms.mutual_exclusion.chandy_misra import ChandyMisra
from algorithms.mutual_exclusion.raymond import Raymond
from tests.support.ball import Ball, Throwing
from tests.support.kit import for_each
from tests.support.state_counts import ROWS, broken, exploration, finished

ANY = {"requests": None}


def explored(name: str, variant: str | None = None, nodes: int = 2, fifo: bool = True, **bounds: Any) -> Exploration:
    """A finished exploration of an algorithm in the catalogue; parameters may be among the bounds."""
    limits = {key: bounds.pop(key) for key in list(bounds) if key in Bounds.__dataclass_fields__}
    scenario = Scenario(name, variant=variant, nodes=nodes, parameters=bounds, network=Network(fifo=fifo))
    search = Exploration(scenario, catalog.find(name), Bounds(**limits), wants_fairness=True)
    finished(search)
    return search


def explored_toy(process: type[MutexProcess], like: str | None = None, nodes: int = 2, **bounds: Any) -> Exploration:
    """A finished exploration of a process of ours, declared like an algorithm in the catalogue."""
    base = catalog.find(like) if like else Algorithm("toy", "Toy", "a toy", "nowhere", process, looks={Ball: "token"})
    algorithm = Algorithm(
        "toy", "Toy", "a toy", "nowhere", process, looks=base.looks, topology=base.topology, token=base.token
    )
    search = Exploration(Scenario("toy", nodes=nodes), algorithm, Bounds(**bounds), wants_fairness=True)
    finished(search)
    return search


def finding(search: Exploration) -> Finding:
    return next(f for f in search.report().findings if f.property.name == "fair liveness")


# ---- the oracle --------------------------------------------------------------------------------------------


def actions(search: Exploration, state: int) -> set[Any]:
    """What is possible in a state: messages that can arrive, stays that can end, and timers that are running."""
    system = search.system
    processes = list(enumerate(map(system.process_state, system.process_numbers(state))))
    found: set[Any] = {("exit", node) for node, at in processes if isinstance(at, LocalState) and at.pending_exits}
    found |= {("fire", node, t) for node, at in processes if isinstance(at, LocalState) for t, _ in at.timers}
    for link, row in system.messages(state).items():
        found |= {link} if search.scenario.network.fifo else {(*link, message) for message in row}
    return found


def action(search: Exploration, move: Move) -> Any:
    """The action that a move takes; None for a request."""
    if move.envelope is not None:
        link = (move.sender, move.node)
        return link if search.scenario.network.fifo else (*link, move.envelope.message)
    return {"exit": ("exit", move.node), "fire": ("fire", move.node, move.timer)}.get(move.do)


def starving(search: Exploration) -> set[int]:
    """All states in which a request stays outstanding in a fair run that never leaves these states."""
    system, judge = search.system, search.judge
    graph = nx.MultiDiGraph()
    graph.add_nodes_from(search.states)
    for state in search.states:
        steps, requests, _, _ = system.successors(state)
        for move, after in (*steps, *requests):
            graph.add_edge(state, after, action=action(search, move))
    result = set()
    for node in range(system.nodes):
        outstanding = [state for state in graph if judge.judge(state).obligations >> node & 1]
        part = graph.subgraph(outstanding)
        for members in nx.strongly_connected_components(part):
            inner = part.subgraph(members)
            if not inner.number_of_edges():
                continue
            taken = {a for _, _, a in inner.edges(data="action")}
            always = set.intersection(*(actions(search, state) for state in members))
            if always <= taken:
                result |= members
    return result


NOBODY_STARVES = [
    ("centralized", None, 2, {}),
    ("centralized", None, 3, ANY),
    ("centralized", "polling", 3, {}),
    ("chandy-misra", None, 2, ANY),
    ("chandy-misra", None, 3, {"requests": 2}),
    ("israeli-jalfon", None, 2, ANY),
    ("naimi-trehel", None, 3, ANY),
    ("raymond", None, 3, ANY),
    ("token-ring", None, 3, ANY),
    ("binary-search-token", None, 2, {}),
]
IN_A_DEADLOCK = [
    ("raymond", "asks-once", 3, ANY),
    ("token-ring", None, 3, {"losses": 1}),
    ("token-ring", None, 2, {"requests": None, "crashes": 1}),
]
IN_A_CYCLE = [
    ("centralized", "polling", 2, ANY),
    ("centralized", "polling", 3, ANY),
    ("centralized", "polling", 2, {"requests": None, "fifo": False}),
    ("israeli-jalfon", None, 3, {"every": 2}),
    ("itai-rodeh", None, 2, {}),
]
SYSTEM = ("name", "variant", "nodes", "bounds")


@pytest.mark.parametrize(SYSTEM, NOBODY_STARVES + IN_A_DEADLOCK + IN_A_CYCLE)
def test_it_finds_a_fair_cycle_exactly_where_the_oracle_does(name, variant, nodes, bounds):
    search = explored(name, variant, nodes, **bounds)
    ends = starving(search)
    found = finding(search)
    if found.trail is None:
        assert found.status == HOLDS
        assert not ends
    elif found.trail.cycle:
        earliest = min(map(search.states.index, ends))
        assert found.trail.states[-1] == search.states[earliest]
    else:
        assert not search.system.successors(found.trail.states[-1]).steps


@pytest.mark.parametrize(SYSTEM, IN_A_CYCLE)
def test_in_its_cycle_a_request_stays_outstanding_and_no_action_is_neglected(name, variant, nodes, bounds):
    search = explored(name, variant, nodes, **bounds)
    trail = finding(search).trail
    assert trail is not None
    moves, states = trail.moves[-trail.cycle :], trail.states[-trail.cycle :]
    assert states[-1] == trail.states[-trail.cycle - 1]
    for (move, after), before in zip(zip(trail.moves, trail.states[1:], strict=True), trail.states, strict=False):
        steps, requests, faults, _ = search.system.successors(before)
        assert (move, after) in [*steps, *requests, *faults]
    waiting = (1 << nodes) - 1
    for state in states:
        waiting &= search.judge.judge(state).obligations
    assert waiting
    neglected = set.intersection(*(actions(search, state) for state in states))
    assert neglected <= {action(search, move) for move in moves}


@given(st.integers(1, 12).flatmap(lambda n: st.tuples(st.just(n), st.lists(st.tuples(*[st.integers(0, n - 1)] * 2)))))
def test_components_are_those_of_networkx(drawn):
    count, edges = drawn
    graph = nx.DiGraph(edges)
    graph.add_nodes_from(range(count))
    ours = [sorted(found) for found in components(count, range(count), lambda v: list(graph.successors(v))) if found]
    theirs = [c for c in nx.strongly_connected_components(graph) if len(c) > 1 or graph.has_edge(*[*c] * 2)]
    assert sorted(ours) == sorted(map(sorted, theirs))


# ---- who starves, and who does not -------------------------------------------------------------------------


class PingPong(Throwing):
    """Two processes throw a ball to each other; P1 may enter when it has it, P0 never does."""

    def on_ball(self, ball, sender):
        if self.wants and self.may_enter():
            self.enter()
        else:
            super().on_ball(ball, sender)

    def may_enter(self):
        return self.id == 1

    def release(self):
        self.send(Ball(), to=1 - self.id)


class Both(PingPong):
    """The same, where both may enter."""

    def may_enter(self):
        return True


class OnlyWithoutBall(Throwing):
    """A process that wants enters by its timer, which nothing delays; a ball keeps bouncing between the two."""

    def acquire(self):
        self.set_timer("soon", 1.0)

    def on_soon(self):
        self.enter()


class LastFirst(Raymond):
    """Serves the latest request first."""

    def acquire(self):
        self.queue.appendleft(self.id)

    def on_request(self, request, sender):
        self.queue.appendleft(sender)


class NeverClean(ChandyMisra):
    """A fork that comes is dirty at once, and is given away on the next request before it has been used."""

    def on_fork(self, fork, sender):
        super().on_fork(fork, sender)
        self.dirty.add(sender)


def test_a_process_that_never_enters_starves_and_nobody_else():
    found = finding(explored_toy(PingPong))
    assert (found.status, len(found.trail.moves), found.trail.cycle) == (BROKEN, 3, 2)  # P0 asks; there and back
    assert finding(explored_toy(Both, **ANY)).status == HOLDS


def test_a_timer_that_is_running_expires_in_the_end():
    assert finding(explored_toy(OnlyWithoutBall)).status == HOLDS


@for_each(nodes=[2, 3], name=["centralized", "token-ring", "raymond", "naimi-trehel", "chandy-misra"])
def test_with_queues_or_precedence_nobody_starves_however_often_the_others_request(name, nodes):
    assert finding(explored(name, nodes=nodes, **ANY)).status == HOLDS


@for_each(name=[a.name for a in catalog.by_name().values() if "fair liveness" in a.promises])
def test_an_algorithm_that_promises_fair_liveness_keeps_it(name):
    assert finding(explored(name, nodes=2, requests=2)).status == HOLDS


def test_six_papers_promise_it():
    promising = {a.name for a in catalog.by_name().values() if "fair liveness" in a.promises}
    assert promising == {"chandy-misra", "lamport", "naimi-trehel", "raymond", "ricart-agrawala", "suzuki-kasami"}


def test_a_coordinator_that_refuses_instead_of_queueing_lets_a_process_starve():
    assert finding(explored("centralized", "polling", nodes=2)).status == HOLDS  # with one request each
    starved = explored("centralized", "polling", nodes=2, **ANY)
    assert {f.property.name: f.status for f in starved.report().findings}["ME2"] == HOLDS
    found = finding(starved)
    assert (found.status, len(found.trail.moves), found.trail.cycle) == (BROKEN, 9, 8)


def test_with_stacks_in_place_of_raymonds_queues_two_processes_starve_a_third():
    assert finding(explored_toy(LastFirst, like="raymond", nodes=2, **ANY)).status == HOLDS
    starved = explored_toy(LastFirst, like="raymond", nodes=3, **ANY)
    assert {f.property.name: f.status for f in starved.report().findings}["ME2"] == HOLDS
    assert finding(starved).status == BROKEN
    assert {"request", "exit"} <= {move.do for move in finding(starved).trail.moves[-finding(starved).trail.cycle :]}


def test_without_precedence_three_philosophers_pass_their_forks_round_and_nobody_eats():
    found = finding(explored_toy(NeverClean, like="chandy-misra", nodes=3))
    assert (found.status, len(found.trail.moves), found.trail.cycle) == (BROKEN, 16, 12)
    assert {move.do for move in found.trail.moves[-found.trail.cycle :]} == {"deliver"}  # nobody ever eats


@pytest.mark.parametrize("name", sorted({row.algorithm for row in ROWS}))
def test_what_can_never_be_served_is_not_served_in_fair_runs(name):
    for row in ROWS:
        if row.algorithm != name or row.states >= 400:
            continue
        explored = exploration(*row[:4], wants_fairness=True)
        report = finished(explored)
        assert (report.states, report.depth, report.final_states) == row[4:7]  # nothing else changes
        more = {"fair liveness": broken(report).get("fair liveness")}
        assert broken(report) in (row.broken, row.broken | more), row
        if any(f.trail for f in report.findings if f.property.name in ("ME2", "E2")):
            assert finding(explored).status == BROKEN, row


# ---- the run -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(SYSTEM, IN_A_DEADLOCK + IN_A_CYCLE)
def test_the_run_goes_round_once_and_stops_with_the_request_outstanding(name, variant, nodes, bounds):
    search = explored(name, variant, nodes, **bounds)
    found = finding(search)
    assert found.trail is not None
    scenario = counterexample_scenario(search, found)
    assert scenario_file.loads(scenario_file.dumps(scenario)) == scenario
    run = catalog.simulation(scenario)
    run.run(until=scenario.until)
    monitors = Monitors(scenario, run.algorithm)
    monitors.advance(run.trace)
    if run.is_over():
        monitors.finish(run.trace)
    verdict = monitors.at(run.steps, scenario.until)["E2" if run.algorithm.is_election() else "ME2"]
    assert verdict.status == BROKEN
    assert verdict.detail == scenario.markers[0].name
    if found.trail.cycle:
        assert run.steps == len(found.trail.moves) + 1
        assert "if this repeats" in verdict.detail
