"""Token passing in three messages: at most one holder, under any delays and losses."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from algorithms.components.three_messages import Acknowledgement, Commitment, Offer, ThreeMessages
from algorithms.engine.check.moves import Move
from algorithms.engine.events import CREATED, DESTROYED, KIND, LOST, MESSAGE
from algorithms.engine.process import Part
from algorithms.engine.randomness import Uniform
from algorithms.engine.scenario import Event, Network
from algorithms.engine.workload import Closed
from lessons.experiments import fates
from lessons.experiments.fates import LOST as NEVER
from lessons.experiments.fates import Passing, PassingWithoutIdentifier, Token, all_cases
from tests.support.kit import Alone, alone, entries, run
from tests.support.state_counts import exploration

DELAYS = (0.12, 0.73, 1.61)  # in time-outs
TOKEN = Token()


def sender(process=Passing) -> Alone:
    """P0, which has offered its token to P1 and will then try P2."""
    return alone(process, node=0, nodes=3, targets=(1, 2))


def receiver(**parameters: int) -> Alone:
    return alone(Passing, node=1, nodes=3, targets=(1,), **parameters)


def test_the_sender_keeps_the_token_until_its_offer_is_acknowledged():
    p0 = sender()
    assert p0.process.holding()
    p0.get(Acknowledgement(TOKEN, 1), sender=1)
    p0.has_sent((1, Commitment(TOKEN, 1)))
    assert not p0.process.holding()


def test_without_an_acknowledgement_the_sender_offers_the_token_to_another():
    p0 = sender()
    p0.fire("passing.acknowledgement_timeout")
    p0.has_sent((2, Offer(TOKEN, 2)))
    assert p0.process.holding()


def test_an_acknowledgement_of_an_abandoned_attempt_is_ignored():
    p0 = sender()
    p0.fire("passing.acknowledgement_timeout")
    p0.outbox.clear()
    p0.get(Acknowledgement(TOKEN, 1), sender=1)
    p0.has_sent()


def test_without_identifiers_a_late_acknowledgement_counts_for_the_present_attempt():
    p0 = sender(PassingWithoutIdentifier)
    p0.fire("passing.acknowledgement_timeout")
    p0.outbox.clear()
    p0.get(Acknowledgement(TOKEN, 0), sender=1)
    p0.has_sent((2, Commitment(TOKEN, 0)))


def test_the_receiver_holds_the_token_only_once_it_is_committed():
    p1 = receiver()
    p1.get(Offer(TOKEN, 1), sender=0)
    p1.has_sent((0, Acknowledgement(TOKEN, 1)))
    assert not p1.process.holding()
    p1.get(Commitment(TOKEN, 1), sender=0)
    assert p1.process.holding()


def test_a_late_commitment_loses_the_token():
    p1 = receiver()
    p1.get(Offer(TOKEN, 1), sender=0)
    p1.fire("passing.commitment_timeout")
    p1.get(Commitment(TOKEN, 1), sender=0)
    assert not p1.process.holding()
    p1.has_reported(("token destroyed",))


def test_a_process_that_awaits_a_commitment_answers_no_other_offer():
    p1 = receiver()
    p1.get(Offer(TOKEN, 1), sender=0)
    p1.outbox.clear()
    p1.get(Offer(TOKEN, 1), sender=2)
    p1.has_sent()


def test_only_a_newer_offer_of_the_same_sender_replaces_an_older_one():
    p1 = receiver()
    p1.get(Offer(TOKEN, 2), sender=0)
    p1.outbox.clear()
    p1.get(Offer(TOKEN, 1), sender=0)
    p1.has_sent()
    p1.get(Offer(TOKEN, 3), sender=0)
    p1.has_sent((0, Acknowledgement(TOKEN, 3)))


@pytest.mark.parametrize(("present", "new", "newer"), [(3, 1, True), (3, 0, True), (3, 2, False), (3, 3, False)])
def test_attempt_numbers_wrap_around(present, new, newer):
    p1 = receiver(identifiers=4)
    p1.get(Offer(TOKEN, present), sender=0)
    p1.outbox.clear()
    p1.get(Offer(TOKEN, new), sender=0)
    p1.has_sent(*[(0, Acknowledgement(TOKEN, new))] * newer)


def test_a_process_that_recovers_with_memory_offers_its_token_again():
    p0 = sender()
    p0.recover()
    p0.has_sent((2, Offer(TOKEN, 2)))
    assert p0.process.holding()


def test_a_recovered_process_no_longer_awaits_a_commitment():
    p1 = receiver()
    p1.get(Offer(TOKEN, 1), sender=0)
    p1.recover()
    p1.outbox.clear()
    p1.get(Offer(TOKEN, 1), sender=2)
    p1.has_sent((2, Acknowledgement(TOKEN, 1)))


@pytest.mark.parametrize(("attempts", "kept", "passed", "lost"), [(1, 6, 1, 1), (2, 36, 14, 14), (3, 216, 148, 148)])
def test_outcomes_over_all_combinations_of_losses(attempts, kept, passed, lost):
    ended = all_cases(1, tuple(range(1, attempts + 1)), (0.12, NEVER))
    assert ended["cases"] == {"kept": kept, "passed": passed, "lost": lost}
    assert ended["holders"] == 1


def test_delays_lose_the_token_exactly_when_only_the_receiver_gives_up():
    ended = all_cases(1, (1,), (0.12, 0.41, 0.73, 1.09, 1.61))
    assert ended["cases"]["lost"] == 16
    assert (ended["unexpected"], ended["holders"]) == (0, 1)


@pytest.mark.parametrize("targets", [(1, 2), (1, 1)])
def test_with_identifiers_a_timely_commitment_never_fails(targets):
    ended = all_cases(1, targets, (*DELAYS, NEVER))
    assert ended["cases"].get("lost in time", 0) == 0
    assert ended["holders"] == 1


def test_without_identifiers_a_timely_commitment_may_fail():
    ended = all_cases(1, (1, 2), DELAYS, identifier=False)
    assert ended["cases"]["lost in time"] > 0
    assert ended["holders"] == 1


class Generous(ThreeMessages):
    """A mutant that hands over the token with the offer, and keeps it: why acknowledgements are needed."""

    def on_offer(self, offer, sender):
        super().on_offer(offer, sender)
        self.owner.on_token(offer.token, sender)


class GenerousPassing(Passing):
    passing = Part(Generous)


def test_a_mutant_that_takes_the_token_with_the_offer_has_two_holders(monkeypatch):
    monkeypatch.setitem(fates.PROCESSES, True, GenerousPassing)
    assert all_cases(1, (1, 2), (0.12, NEVER))["holders"] > 1


SMALL = {
    "wandering-token-report": {"dmin": 32.0, "dmax": 96.0},
    "wandering-token-journal": {"dmin": 32.0, "gamma": 256.0},
}


@pytest.mark.parametrize("algorithm", SMALL)
def test_a_wandering_token_is_lost_only_with_a_commitment(algorithm):
    network = Network(delay=Uniform(0.01, 0.2), loss=0.1)
    simulation = run(algorithm, 8, variant="three-messages", network=network, until=3000.0, parameters=SMALL[algorithm])
    records = simulation.trace.records
    made = sum(record[KIND] == CREATED for record in records)
    removed = sum(record[KIND] == DESTROYED for record in records)
    lost = sum(record[KIND] == LOST and type(record[MESSAGE]) is Commitment for record in records)
    held = sum((p.token is not None) + len(p.waiting) + len(p.passing.tokens) for p in simulation.processes)
    flying = sum(type(entry[MESSAGE]) is Commitment for entry in simulation.queue.in_transit())
    assert made - removed - lost == held + flying
    assert lost > 10


# ---- under the token ring, exhaustively --------------------------------------------------------------------

VARIANTS = {"three-messages": "identifiers=4", "three-messages-without-identifier": ""}  # and their number
LATE, LOSSES = "requests=0 timeouts=2", "requests=0 synchronous losses=2"


def anything(move: Move) -> bool:
    """Allow every step."""
    return True


def commitments_arrive_in_time(move: Move) -> bool:
    """Allow no loss of a commitment, and no timeout while waiting for one."""
    lost = move.envelope is not None and move.do == "drop" and type(move.envelope.message) is Commitment
    return not lost and move.timer != "passing.commitment_timeout"


def numbers_of_tokens(variant: str, bounds: str, may_happen: Callable[[Move], bool]) -> set[int]:
    """The numbers of tokens of three processes, over all states reachable by allowed steps."""
    explored = exploration("token-ring", variant, 3, f"{VARIANTS[variant]} {bounds}")
    reached = set(explored.system.initial())
    waiting = list(reached)
    while waiting:
        found = explored.system.successors(waiting.pop())
        new = {state for move, state in (*found.steps, *found.faults) if may_happen(move)} - reached
        reached |= new
        waiting += new
    return {explored.judge.snapshot(state).tokens for state in reached}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("bounds", [LATE, LOSSES])
def test_on_a_ring_there_is_never_more_than_one_token(variant, bounds):
    assert numbers_of_tokens(variant, bounds, anything) == {0, 1}


@pytest.mark.parametrize("bounds", [LATE, LOSSES])
def test_on_a_ring_the_token_is_lost_only_with_a_lost_or_late_commitment(bounds):
    assert numbers_of_tokens("three-messages", bounds, commitments_arrive_in_time) == {1}


def test_on_a_ring_without_identifiers_a_timely_commitment_may_lose_the_token():
    assert numbers_of_tokens("three-messages-without-identifier", LATE, commitments_arrive_in_time) == {0, 1}


def test_on_a_ring_a_dead_neighbour_is_skipped():
    crash = Event(40.0, "crash", node=2)
    simulation = run("token-ring", 5, crash, variant="three-messages", load=Closed(think=10.0))
    assert {node for time, node in entries(simulation) if time > 450} == {0, 1, 3, 4}


def test_on_a_ring_a_token_on_offer_survives_a_crash_with_memory():
    crash = (Event(1.5, "crash", node=0), Event(60.0, "recover", node=0, memory=True))
    simulation = run("token-ring", 5, *crash, variant="three-messages", load=Closed(think=10.0))
    assert {node for time, node in entries(simulation) if time > 450} == set(range(5))
