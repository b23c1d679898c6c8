"""Israeli & Jalfon's tokens and Dijkstra's ring: from any state to exactly one token or privilege."""

from __future__ import annotations

from dataclasses import replace

import pytest

from algorithms.engine.events import ENTER, KIND, LEAVE
from algorithms.engine.observe.fold import Fold
from algorithms.engine.observe.tokens import Tokens
from algorithms.engine.randomness import Fixed, Uniform
from algorithms.engine.scenario import Event, Network, Scenario
from algorithms.engine.simulation import Simulation
from algorithms.engine.workload import Poisson, Saturated
from algorithms.mutual_exclusion import israeli_jalfon
from algorithms.mutual_exclusion.israeli_jalfon import IsraeliJalfon, Token
from algorithms.mutual_exclusion.k_state_ring import KStateRing, State
from tests.support.kit import alone, for_each, run

SETTLED = 2000.0
SEEDS = range(5)


def tokens_of(simulation: Simulation) -> list[tuple[float, int]]:
    """The number of tokens over time, as (time, number from then on)."""
    fold = Fold(simulation.scenario, simulation.algorithm)
    tokens = Tokens(simulation.algorithm.token)
    fold.observe([tokens])
    fold.advance(simulation.trace)
    return tokens.level.curve(simulation.steps)


def overlaps_after(simulation: Simulation, time: float) -> int:
    """The number of entries from that time on while another process is inside."""
    inside = overlaps = 0
    for record in simulation.trace.records:
        if record[KIND] == ENTER:
            overlaps += inside > 0 and record[0] >= time
            inside += 1
        elif record[KIND] == LEAVE:
            inside -= 1
    return overlaps


def entries(simulation: Simulation) -> int:
    return sum(record[KIND] == ENTER for record in simulation.trace.records)


# ---- Israeli & Jalfon --------------------------------------------------------------------------------------


def test_two_tokens_that_meet_merge():
    p1 = alone(IsraeliJalfon, node=1, nodes=3)
    p1.get(Token(), sender=0)
    p1.has_reported(("token destroyed",))
    assert p1.process.holding()
    p1.fire("rest")
    assert [message for _, message in p1.outbox] == [Token()]
    assert not p1.process.holding()


@pytest.mark.parametrize("topology", ["ring", "grid", "tree", "random", "complete"])
def test_one_token_per_process_becomes_one_token_on_any_graph(topology):
    simulation = run("israeli-jalfon", 9, topology=topology, load=Poisson(rate=0.01), until=2 * SETTLED)
    counts = [count for _, count in tokens_of(simulation)]
    assert counts[-1] == 1
    assert min(counts[1:]) == 1
    assert max(counts) == 9
    assert overlaps_after(simulation, SETTLED) == 0
    assert entries(simulation) > 100


class InStep(IsraeliJalfon):
    def release(self):
        self.let_go()


@pytest.mark.parametrize(("process", "left"), [(IsraeliJalfon, 1), (InStep, 2)])
def test_tokens_that_walk_in_step_may_never_meet(process, left):
    """On a bipartite graph and with equal stays, the mutant's tokens miss each other."""
    scenario = Scenario("test", nodes=9, topology="grid", load=Saturated(hold=Fixed(2.0)))
    simulation = Simulation(scenario, replace(israeli_jalfon.ALGORITHM, process=process))
    simulation.run(until=SETTLED)
    assert tokens_of(simulation)[-1][1] == left


def test_a_resting_token_survives_a_crash_with_memory():
    p1 = alone(IsraeliJalfon, node=1, nodes=3)
    p1.recover()
    p1.fire("rest")
    assert [message for _, message in p1.outbox] == [Token()]


def test_a_second_token_merges_with_the_first():
    events = [Event(SETTLED, "duplicate-token")]
    simulation = run("israeli-jalfon", 6, *events, until=2 * SETTLED)
    after = [count for time, count in tokens_of(simulation) if time >= SETTLED]
    assert (max(after), after[-1]) == (2, 1)


# ---- Dijkstra ----------------------------------------------------------------------------------------------


def privileges(simulation: Simulation) -> int:
    return sum(process.privileged() for process in simulation.processes)


def test_the_bottom_machine_leads_and_the_others_follow():
    p0, p2 = alone(KStateRing, node=0, nodes=4, k=5), alone(KStateRing, node=2, nodes=4, k=5)
    p0.process.state, p2.process.state = 4, 1
    p0.get(State(4), sender=3)
    p0.has_sent((1, State(0)))
    p2.get(State(1), sender=1)
    p2.has_sent()
    p2.get(State(3), sender=1)
    p2.has_sent((3, State(3)))


@for_each(seed=SEEDS)
def test_one_privilege_is_left_from_any_state(seed):
    network = Network(delay=Uniform(0.5, 1.5), fifo=True)
    simulation = run("k-state-ring", 7, seed=seed, load=Poisson(rate=0.05), network=network, until=SETTLED)
    assert overlaps_after(simulation, 500.0) == 0
    assert entries(simulation) > 100
    for _ in range(200):
        simulation.step()
        assert privileges(simulation) <= 1


def test_the_ring_recovers_from_a_machine_that_forgets_its_state():
    events = [Event(SETTLED, "crash", node=3), Event(SETTLED + 50, "recover", node=3, memory=False)]
    simulation = run("k-state-ring", 7, *events, load=Poisson(rate=0.05), until=2 * SETTLED)
    assert overlaps_after(simulation, SETTLED + 500) == 0
    assert entries(simulation) > 300


def test_with_two_states_the_ring_may_never_stabilize():
    """K must exceed the number of states in the ring and its channels; here K = 2."""
    shared = [
        overlaps_after(
            run("k-state-ring", 7, seed=seed, load=Poisson(rate=0.5), parameters={"k": 2}, until=SETTLED), 500.0
        )
        for seed in SEEDS
    ]
    assert any(shared)
