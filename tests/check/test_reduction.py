"""The reduced exploration against a plain one: verdicts, distances, final states and values; and mutants of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import active_children
from typing import Any

import pytest

from algorithms import catalog
from algorithms.engine.check.explore import BROKEN, Exploration
from algorithms.engine.check.moves import Bounds
from algorithms.engine.check.properties import Judge, Scope
from algorithms.engine.check.reduced import FEW, ReducedExploration
from algorithms.engine.check.reduction import EagerArrivals
from algorithms.engine.check.transitions import TransitionSystem
from algorithms.engine.process import Algorithm, Message, MutexProcess
from algorithms.engine.scenario import Scenario
from tests.support.ball import Ball, Throwing
from tests.support.kit import for_each
from tests.support.reductions import differences
from tests.support.state_counts import ROWS, broken, finished, system_of

SMALL = 110  # states; the larger ones: python -m tests.support.reductions
LARGER = {
    ("centralized", "electing-unsafe", 2, "synchronous losses=1"),
    ("franklin", None, 3, ""),
    ("hirschberg-sinclair", None, 2, ""),
    ("maekawa", "plain", 3, ""),
    ("ricart-agrawala", "both-defer", 3, ""),
    ("suzuki-kasami", None, 3, ""),
    ("token-ring", "acknowledged", 2, "synchronous"),
}

System = tuple[Scenario, Algorithm, Bounds]


@for_each(row=[row for row in ROWS if row.states <= SMALL or row[:4] in LARGER])
def test_a_reduced_exploration_finds_the_same(row):
    assert list(differences(*system_of(*row[:4]), row.broken)) == []


# ---- small systems in which something goes wrong only in one order -----------------------------------------


class News(Message):
    """Of account if it comes at the wrong time."""


class Playing(Throwing):
    """Plays ball with its neighbour forever, and enters whenever it likes."""

    def acquire(self):
        self.enter()


class Spoiled(MutexProcess):
    """P0 never enters once news from P2 has come before the ball from P1."""

    def setup(self):
        self.has_ball = self.is_spoiled = False

    def launch(self):
        if self.id == 1:
            self.send(Ball(), to=0)

    def acquire(self):
        if self.id == 2:
            self.send(News(), to=0)
        if not self.is_spoiled:
            self.enter()

    def on_ball(self, ball, sender):
        self.has_ball = True

    def on_news(self, news, sender):
        self.is_spoiled = self.is_spoiled or self.spoils()

    def spoils(self):
        return not self.has_ball


class SpoiledLater(Spoiled):
    """… only once the second news has."""

    def setup(self):
        super().setup()
        self.news = 0

    def launch(self):
        super().launch()
        if self.id == 2:
            self.send(News(), to=0)
            self.send(News(), to=0)

    def spoils(self):
        self.news += 1
        return self.news == 2 and not self.has_ball


def toy(process: type[MutexProcess], nodes: int, *requests: int) -> System:
    algorithm = Algorithm("toy", "Toy", "a toy", "nowhere", process, looks={Ball: "token", News: "ask"})
    return Scenario("toy", nodes=nodes), algorithm, Bounds(requests=requests)


PLAYING, SPOILED, SPOILED_LATER = toy(Playing, 2, 1, 1), toy(Spoiled, 3, 1, 0, 1), toy(SpoiledLater, 3, 1, 0, 0)


@pytest.mark.parametrize("system", [PLAYING, SPOILED, SPOILED_LATER], ids=["playing", "spoiled", "spoiled later"])
def test_what_goes_wrong_in_one_order_only_is_found(system):
    expected = broken(finished(Exploration(*system)))
    assert expected
    assert list(differences(*system, expected)) == []


def test_few_arrivals_are_tried_in_states_that_are_never_reached():
    """Its lists of failed processes can grow in so many ways there that it would not end."""
    scope = Scope({"E1", "E2", "no error"})
    system = system_of("ring-election", "restarting", 3, "synchronous")
    search = Exploration(*system, state_limit=1_250, scope=scope, reduces=True)
    finished(search)
    assert 5_000 < len(search.system._arrivals) < 10_000


# ---- mutants -----------------------------------------------------------------------------------------------

LOSING = system_of("binary-search-token", None, 2, "losses=1")
_add = EagerArrivals._add
MUTANTS: dict[str, tuple[type, str, Any, System]] = {
    "arrivals are never examined": (EagerArrivals, "_check", lambda *_: None, LOSING),
    "exits, requests and timeouts are not examined": (EagerArrivals, "_local_events", lambda *_: set(), LOSING),
    "only the first event before an arrival is examined": (
        EagerArrivals,
        "_add",
        lambda self, arrival, relier=None: None if relier else _add(self, arrival),
        SPOILED_LATER,
    ),
    "what is learnt later changes nothing": (
        EagerArrivals,
        "has_erred",
        lambda self: self._learn(),
        SPOILED,
    ),
    "a cycle may leave everything out": (Exploration, "_is_ahead", lambda *_: True, PLAYING),
    "an arrival may hide a violation": (
        Judge,
        "may_hide",
        lambda *_: False,
        system_of("hirschberg-sinclair", None, 2, ""),
    ),
    "crashes are forgotten": (
        TransitionSystem,
        "may_lose_channels",
        lambda *_: False,
        system_of("chang-roberts", None, 2, "crashes=1"),
    ),
    "losses are forgotten": (TransitionSystem, "faults_on", lambda *_: [], LOSING),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_of_the_reduction_is_caught(name, monkeypatch):
    owner, attribute, mutant, system = MUTANTS[name]
    expected = broken(finished(Exploration(*system)))
    assert list(differences(*system, expected)) == []
    monkeypatch.setattr(owner, attribute, mutant)
    assert list(differences(*system, expected)) != []


# ---- the exploration of all states that comes first, and of some that comes last -----------------------------


def test_few_states_are_explored_as_they_are():
    system = system_of("ricart-agrawala", None, 3, "")
    report = finished(ReducedExploration(*system))
    assert (report.states, report.is_reduced) == (finished(Exploration(*system)).states, False)
    assert report.states < FEW


def test_a_property_that_is_sought_ends_the_exploration():
    system = system_of("maekawa", "plain", 3, "requests=2")
    search = ReducedExploration(*system, sought=["ME2"], few=100)
    report = finished(search)
    (finding,) = [finding for finding in report.findings if finding.property.name == "ME2"]
    assert (finding.status, len(finding.trail.moves), report.is_complete) == (BROKEN, 6, False)


# ---- several processes ------------------------------------------------------------------------------------


LIMITED = (*system_of("lamport", "clockless", 3, ""), 1_000)  # states: ME3 is broken in what a helper explores only


@contextmanager
def failing(name: str) -> Iterator[Algorithm]:
    """An algorithm that cannot be found in another process."""
    raise LookupError(name)
    yield


@pytest.mark.parametrize("guard", [catalog.guarded, failing], ids=["helped", "in vain"])
def test_several_processes_find_what_one_finds(guard):
    alone = ReducedExploration(*LIMITED, few=100)
    shared = ReducedExploration(*LIMITED, few=100, cores=2, guard=guard)
    report = finished(alone)
    assert finished(shared) == report
    assert broken(report)["ME3"]
    assert [bool(part.states) for part in shared._parts] == [True, guard is failing] * 2


def test_no_process_outlives_a_search_that_is_given_up():
    search, before = ReducedExploration(*LIMITED, few=100, cores=2, guard=catalog.guarded), active_children()
    while len(active_children()) == len(before):
        search.advance(10)
    search._work.close()
    assert len(active_children()) == len(before)
