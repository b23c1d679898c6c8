"""Convergence: in the end exactly one privilege, against a count of privileges by hand and an oracle with networkx."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms import catalog
from algorithms.authoring.declaration import check_algorithm
from algorithms.engine.check.convergence import first_astray
from algorithms.engine.check.counterexample import counterexample_scenario
from algorithms.engine.check.explore import BROKEN, HOLDS, NOT_REFUTED, Exploration, Finding
from algorithms.engine.check.moves import Bounds
from algorithms.engine.observe.invariants import privileges_in
from algorithms.engine.process import Algorithm
from algorithms.engine.scenario import Scenario
from algorithms.engine.simulation import Simulation
from algorithms.mutual_exclusion import israeli_jalfon
from algorithms.mutual_exclusion.israeli_jalfon import IsraeliJalfon
from tests.support.state_counts import finished


def convergence(name: str, algorithm: Algorithm | None = None, nodes: int = 2, **bounds: Any) -> tuple[Any, Finding]:
    """A finished exploration, and what it says about convergence; parameters may be among the bounds."""
    limits = {key: bounds.pop(key) for key in list(bounds) if key in Bounds.__dataclass_fields__}
    scenario = Scenario(name, nodes=nodes, parameters=bounds)
    search = Exploration(scenario, algorithm or catalog.find(name), Bounds(**limits))
    report = finished(search)
    return search, next(finding for finding in report.findings if finding.property.name == "convergence")


@pytest.mark.parametrize(("k", "status"), [(2, BROKEN), (3, BROKEN), (4, HOLDS)])
def test_dijkstra_s_ring_needs_more_states_than_machines_and_messages(k, status):
    """Two machines, and at most one message in transit from one of them: K = 4 is enough."""
    assert convergence("k-state-ring", synchronous=True, k=k)[1].status == status


def test_a_ring_with_too_few_states_goes_round_with_several_privileges_for_ever():
    search, finding = convergence("k-state-ring", synchronous=True, k=2)
    trail = finding.trail
    assert trail is not None
    assert trail.cycle > 0
    assert trail.states[-1] == trail.states[len(trail.moves) - trail.cycle]
    counts = [search.judge.privileges(search.judge.snapshot(state)) for state in trail.states]
    assert set(counts) == {3}  # two machines and a message, each different from the one on its left
    example = counterexample_scenario(search, finding)
    run = Simulation(example, search.algorithm)
    run.run(until=example.markers[-1].at)
    assert privileges_in(run) == 3
    assert example.markers[-1].name == "there are 3 privileges, and there can never be exactly one for good"


def test_tokens_that_meet_become_one_unless_they_are_lost():
    assert convergence("israeli-jalfon")[1].status == HOLDS
    search, finding = convergence("israeli-jalfon", losses=1)
    assert finding.status == BROKEN
    words = counterexample_scenario(search, finding).markers[-1].name
    assert words == "no token is left, and there can never be exactly one for good"


class NeverMerging(IsraeliJalfon):
    def on_token(self, token, sender):
        if self.token:
            self.send(token, to=self.next_hop())
        else:
            self.take()


def test_a_mutant_whose_tokens_pass_each_other_never_converges():
    mutant = replace(israeli_jalfon.ALGORITHM, process=NeverMerging)
    assert convergence("israeli-jalfon", mutant)[1].status == BROKEN


def test_what_the_bounds_keep_from_happening_might_lead_to_one_privilege():
    assert convergence("israeli-jalfon", timeouts=0)[1].status == NOT_REFUTED


@pytest.mark.parametrize("name", ["token-ring", "ricart-agrawala"])
def test_only_who_promises_to_converge_is_asked(name):
    search = Exploration(Scenario(name, nodes=2), catalog.find(name), Bounds())
    assert "convergence" not in {one.name for one in search.judge.properties}


def test_who_promises_it_says_what_is_counted():
    uncounted = replace(catalog.find("k-state-ring"), privileges=None)
    with pytest.raises(ValueError, match="expected a token, or privileges"):
        check_algorithm(uncounted)


@given(
    st.lists(st.booleans(), min_size=1, max_size=7).flatmap(
        lambda has_one: st.tuples(
            st.just(has_one),
            st.lists(
                st.lists(st.integers(0, len(has_one) - 1), max_size=3), min_size=len(has_one), max_size=len(has_one)
            ),
        )
    )
)
def test_astray_is_who_reaches_no_state_from_which_all_that_follow_have_one(system):
    has_one, rows = system
    graph = nx.DiGraph()
    graph.add_nodes_from(range(len(has_one)))
    graph.add_edges_from((state, after) for state, row in enumerate(rows) for after in row)
    ahead = {state: {state, *nx.descendants(graph, state)} for state in graph}
    legitimate = {state for state in graph if all(has_one[after] for after in ahead[state])}
    astray = [state for state in graph if not ahead[state] & legitimate]
    search = first_astray(has_one, rows.__getitem__, len(rows), (), hope=True)
    assert result_of(search) == (astray[0] if astray else None)


def result_of(search: Generator[None, None, int | None]) -> int | None:
    """What a search comes to in the end."""
    while True:
        try:
            next(search)
        except StopIteration as end:
            return end.value
