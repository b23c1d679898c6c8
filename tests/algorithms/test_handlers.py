"""Handlers of one process, one message each: exactly the messages that it sends."""

from __future__ import annotations

import pytest

from algorithms.components.failure_detector import AreYouThere, FailureDetector, IAmHere
from algorithms.components.handover import Acknowledgement, Back
from algorithms.election import bully, chang_roberts, chang_roberts_repairs, ring_election, ring_election_repairs
from algorithms.election.bully import Bully
from algorithms.election.chang_roberts import ChangRoberts
from algorithms.election.ring_election import RingElection
from algorithms.mutual_exclusion import centralized, centralized_variants, ricart_agrawala, voting
from algorithms.mutual_exclusion.centralized import Centralized
from algorithms.mutual_exclusion.centralized_careful_successor import Inquiring, Inquiry, Status
from algorithms.mutual_exclusion.centralized_successor import Electing
from algorithms.mutual_exclusion.ricart_agrawala import Reply, RicartAgrawala
from algorithms.mutual_exclusion.token_ring import Token, TokenRing
from algorithms.mutual_exclusion.token_ring_acknowledged import Acknowledged
from algorithms.mutual_exclusion.token_ring_regenerating import Regenerating
from algorithms.mutual_exclusion.voting import Voting
from algorithms.mutual_exclusion.voting_variants import Tolerant
from tests.support.kit import Alone, alone

# ---- centralized -------------------------------------------------------------------------------------------


def coordinator(process=Centralized, nodes=4) -> Alone:
    return alone(process, node=0, nodes=nodes)


def test_the_coordinator_grants_at_once_while_nobody_is_inside():
    c = coordinator()
    c.get(centralized.Request(), sender=2)
    c.has_sent((2, centralized.Grant()))


def test_the_coordinator_queues_requests_while_a_process_is_inside():
    c = coordinator()
    for sender in (2, 3, 1):
        c.get(centralized.Request(), sender=sender)
    c.has_sent((2, centralized.Grant()))
    c.get(centralized.Release(), sender=2)
    c.has_sent((3, centralized.Grant()))
    c.get(centralized.Release(), sender=3)
    c.has_sent((1, centralized.Grant()))
    c.get(centralized.Release(), sender=1)
    c.has_sent()


def test_a_client_requests_enters_and_releases():
    p = alone(Centralized, node=2, nodes=4)
    p.ask()
    p.has_sent((0, centralized.Request()))
    p.get(centralized.Grant(), sender=0)
    p.has_sent()
    p.has_reported(("entered",))
    p.leave()
    p.has_sent((0, centralized.Release()))


def test_a_coordinator_without_a_queue_refuses_and_the_client_retries():
    c = coordinator(centralized_variants.Polling)
    c.get(centralized.Request(), sender=2)
    c.get(centralized.Request(), sender=3)
    c.has_sent((2, centralized.Grant()), (3, centralized_variants.Denied()))
    c.get(centralized.Release(), sender=2)
    c.has_sent()
    p = alone(centralized_variants.Polling, node=3, nodes=4, poll_time=4.0)
    p.ask()
    p.has_sent((0, centralized.Request()))
    p.get(centralized_variants.Denied(), sender=0)
    p.has_sent()
    assert p.timers == {"poll": 4.0}
    p.fire("poll")
    p.has_sent((0, centralized.Request()))


def test_a_coordinator_that_tells_clients_to_wait_serves_in_order():
    c = coordinator(centralized_variants.ToldToWait)
    c.get(centralized.Request(), sender=2)
    c.get(centralized.Request(), sender=3)
    c.has_sent((2, centralized.Grant()), (3, centralized_variants.Denied()))
    c.get(centralized.Release(), sender=2)
    c.has_sent((3, centralized.Grant()))


def test_an_impatient_client_suspects_the_coordinator_until_the_grant_comes():
    p = alone(centralized_variants.Impatient, node=2, nodes=4)
    p.ask()
    p.fire("grant_timeout")
    p.has_reported(("suspected", 0))
    assert p.process.suspects
    p.get(centralized.Grant(), sender=0)
    assert not p.process.suspects


def test_a_client_watches_the_coordinator_only_while_it_waits():
    p = alone(centralized_variants.Detecting, node=2, nodes=4)
    p.ask()
    p.has_sent((0, centralized.Request()), (0, AreYouThere()))
    p.fire("detector.ping_timeout")
    p.has_reported(("suspected", 0))
    p.has_sent((0, AreYouThere()))
    p.get(IAmHere(), sender=0)
    assert p.process.detector.suspected == set()
    p.get(centralized.Grant(), sender=0)
    assert "detector.ping_timeout" not in p.timers


# ---- a new coordinator -------------------------------------------------------------------------------------


def successor(process) -> Alone:
    """P3 of four, just elected: it is the highest."""
    p = alone(process, node=3, nodes=4)
    p.ask()
    p.fire("detector.ping_timeout")
    p.fire("election.answer_timeout")
    return p


def test_silence_of_the_coordinator_starts_an_election():
    p = alone(Electing, node=1, nodes=4)
    p.ask()
    p.has_sent((0, centralized.Request()), (0, AreYouThere()))
    p.fire("detector.ping_timeout")
    p.has_sent((0, AreYouThere()), (2, bully.Election()), (3, bully.Election()))


def test_a_waiting_client_asks_the_new_coordinator():
    p = alone(Electing, node=1, nodes=4)
    p.ask()
    p.outbox.clear()
    p.get(bully.Coordinator(), sender=3)
    p.has_sent((3, centralized.Request()), (3, AreYouThere()))


def test_a_grant_of_the_old_coordinator_is_ignored():
    p = alone(Electing, node=1, nodes=4)
    p.ask()
    p.get(bully.Coordinator(), sender=3)
    p.reports.clear()
    p.get(centralized.Grant(), sender=0)
    p.has_reported()
    p.get(centralized.Grant(), sender=3)
    p.has_reported(("entered",))


def test_the_unsafe_successor_grants_at_once():
    p = successor(Electing)
    p.get(centralized.Request(), sender=1)
    assert (1, centralized.Grant()) in p.outbox


def test_the_safe_successor_asks_everybody_first():
    p = successor(Inquiring)
    assert {to for to, message in p.outbox if message == Inquiry()} == {0, 1, 2, 3}
    p.outbox.clear()
    p.get(centralized.Request(), sender=1)
    p.has_sent()
    for sender in (1, 3):
        p.get(Status(False), sender=sender)
    p.get(Status(True), sender=2)
    p.has_sent()
    p.fire("inquiry_timeout")  # P0 is dead
    assert ("suspected", 0) in p.reports
    p.has_sent()
    p.get(centralized.Release(), sender=2)
    p.has_sent((1, centralized.Grant()))


def test_the_safe_successor_does_not_wait_for_a_process_that_left_during_its_inquiry():
    p = successor(Inquiring)
    p.get(centralized.Request(), sender=1)
    p.get(Status(True), sender=2)
    p.outbox.clear()
    p.get(centralized.Release(), sender=2)
    p.has_sent()
    for sender in (0, 1, 3):
        p.get(Status(False), sender=sender)
    p.has_sent((1, centralized.Grant()))
    assert "inquiry_timeout" not in p.timers


def test_a_process_inside_says_so():
    p = alone(Inquiring, node=1, nodes=4)
    p.get(Inquiry(), sender=3)
    p.has_sent((3, Status(False)))
    p.ask()
    p.get(centralized.Grant(), sender=0)
    p.outbox.clear()
    p.get(Inquiry(), sender=3)
    p.has_sent((3, Status(True)))


def test_a_recovered_process_has_no_coordinator_until_an_election():
    p = alone(Inquiring, node=0, nodes=4)
    p.recover()
    p.has_sent(*((higher, bully.Election()) for higher in (1, 2, 3)))
    p.ask()
    p.has_sent()
    p.get(bully.Coordinator(), sender=3)
    p.has_sent((3, centralized.Request()), (3, AreYouThere()))


# ---- Ricart–Agrawala ---------------------------------------------------------------------------------------


def test_a_process_that_is_not_waiting_replies_at_once():
    p = alone(RicartAgrawala, node=1, nodes=3)
    p.get(ricart_agrawala.Request((5, 2)), sender=2)
    p.has_sent((2, Reply()))


@pytest.mark.parametrize(("stamp", "replies"), [((1, 0), True), ((1, 2), False), ((2, 0), False)], ids=str)
def test_a_waiting_process_replies_to_an_older_request_and_defers_a_younger(stamp, replies):
    p = alone(RicartAgrawala, node=1, nodes=3)
    p.ask()
    p.has_sent((0, ricart_agrawala.Request((1, 1))), (2, ricart_agrawala.Request((1, 1))))
    p.get(ricart_agrawala.Request(stamp), sender=stamp[1])
    p.has_sent(*[(stamp[1], Reply())] * replies)


def test_a_new_request_is_younger_than_every_request_received():
    p = alone(RicartAgrawala, node=1, nodes=2)
    p.get(ricart_agrawala.Request((7, 0)), sender=0)
    p.outbox.clear()
    p.ask()
    p.has_sent((0, ricart_agrawala.Request((8, 1))))


def test_a_process_enters_with_the_last_reply_and_sends_deferred_replies_when_it_leaves():
    p = alone(RicartAgrawala, node=0, nodes=3)
    p.ask()
    p.get(ricart_agrawala.Request((1, 2)), sender=2)
    p.outbox.clear()
    p.get(Reply(), sender=1)
    p.has_reported()
    p.get(Reply(), sender=2)
    p.has_reported(("entered",))
    p.leave()
    p.has_sent((2, Reply()))
    p.leave()
    p.has_sent()


# ---- voting ------------------------------------------------------------------------------------------------


def test_a_coordinator_has_one_vote():
    p = alone(Voting, node=0, nodes=5)
    p.get(voting.Request(), sender=3)
    p.get(voting.Request(), sender=4)
    p.has_sent((3, voting.Vote()), (4, voting.Denied()))
    p.get(voting.Release(), sender=4)  # it never had the vote
    p.get(voting.Request(), sender=4)
    p.has_sent((4, voting.Denied()))
    p.get(voting.Release(), sender=3)
    p.get(voting.Request(), sender=4)
    p.has_sent((4, voting.Vote()))


def test_a_majority_of_votes_lets_a_process_in():
    p = alone(Voting, node=4, nodes=5)
    p.ask()
    p.has_sent(*((elector, voting.Request()) for elector in (0, 1, 2)))
    for elector in (0, 1):
        p.get(voting.Vote(), sender=elector)
    p.has_reported()
    p.get(voting.Vote(), sender=2)
    p.has_reported(("entered",))
    p.leave()
    p.has_sent(*((elector, voting.Release()) for elector in (0, 1, 2)))


def test_a_process_with_too_few_votes_gives_them_back_and_retries():
    p = alone(Voting, node=4, nodes=5)
    p.ask()
    p.outbox.clear()
    p.get(voting.Vote(), sender=0)
    p.get(voting.Denied(), sender=1)
    p.has_sent()
    p.get(voting.Vote(), sender=2)
    p.has_sent((0, voting.Release()), (2, voting.Release()))
    p.has_reported()
    p.fire("retry")
    p.has_sent(*((elector, voting.Request()) for elector in (0, 1, 2)))


def test_a_process_that_takes_silence_for_a_refusal_gives_back_a_possible_vote():
    p = alone(Tolerant, node=4, nodes=5)
    p.ask()
    p.outbox.clear()
    for elector in (0, 1, 4):
        p.get(voting.Vote(), sender=elector)
    p.has_sent()
    p.fire("answer_timeout")
    p.has_reported(("suspected", 2), ("suspected", 3), ("entered",))
    p.has_sent((2, voting.Release()), (3, voting.Release()))


# ---- token ring --------------------------------------------------------------------------------------------


def test_the_token_is_used_if_wanted_and_passed_on():
    p = alone(TokenRing, node=2, nodes=3)
    p.get(Token(), sender=1)
    p.has_sent((0, Token()))
    p.ask()
    p.get(Token(), sender=1)
    p.has_sent()
    p.has_reported(("entered",))
    p.leave()
    p.has_sent((0, Token()))


def test_a_neighbour_that_does_not_acknowledge_is_skipped():
    p = alone(Acknowledged, node=1, nodes=4)
    p.get(Token(), sender=0)
    p.has_sent((0, Acknowledgement()), (2, Token()))
    p.fire("hops.acknowledgement_timeout")
    p.has_reported(("suspected", 2))
    p.has_sent((3, Token()))
    p.get(Acknowledgement(), sender=3)
    assert p.timers == {}
    p.get(Back(), sender=2)
    p.get(Token(), sender=0)
    p.has_sent((0, Acknowledgement()), (2, Token()))


def test_a_late_acknowledgement_proves_only_that_its_sender_lives():
    p = alone(Acknowledged, node=1, nodes=4)
    p.get(Token(), sender=0)
    p.fire("hops.acknowledgement_timeout")
    assert p.process.hops.purged == {2}
    p.get(Acknowledgement(), sender=2)
    assert p.process.hops.purged == set()
    assert "hops.acknowledgement_timeout" in p.timers
    p.get(Acknowledgement(), sender=3)
    assert p.timers == {}


def test_the_last_live_process_keeps_the_token_circulating():
    p = alone(Acknowledged, node=0, nodes=2)
    p.fire("hops.acknowledgement_timeout")
    p.has_reported(("suspected", 1))
    for _ in range(3):
        p.has_sent()
        assert p.process.holding()
        p.fire("hops.acknowledgement_timeout")  # a round takes its time, or it would go on forever in one moment
        p.has_sent((0, Token()))
        p.get(Token(), sender=0)
        p.has_sent((0, Acknowledgement()))
        p.get(Acknowledgement(), sender=0)
    p.has_reported()


def test_messages_are_handed_over_one_at_a_time():
    p = alone(Acknowledged, node=1, nodes=3)
    p.get(Token(), sender=0)
    p.get(Token(), sender=0)
    p.has_sent((0, Acknowledgement()), (0, Acknowledgement()), (2, Token()))
    assert p.process.holding()
    p.get(Acknowledgement(), sender=2)
    p.has_sent((2, Token()))
    assert not p.process.holding()


def test_a_process_inside_stops_the_election_that_would_regenerate_the_token():
    p = alone(Regenerating, node=1, nodes=4)
    p.ask()
    p.get(Token(), sender=0)
    p.outbox.clear()
    p.get(chang_roberts.Election(3), sender=0)
    p.has_sent((0, Acknowledgement()))


def test_the_winner_makes_a_token_unless_it_has_seen_one_meanwhile():
    p = alone(Regenerating, node=3, nodes=4)
    p.get(Token(), sender=2)
    p.get(Acknowledgement(), sender=0)
    p.outbox.clear()
    p.fire("token_timeout")
    p.has_sent((2, Back()))  # first it makes sure that it is not left out
    p.fire("token_timeout")
    p.has_sent((0, chang_roberts.Election(7)))
    p.get(Acknowledgement(), sender=0)
    p.get(chang_roberts.Election(7), sender=2)
    p.has_reported(("elected", 3), ("token created",))
    p.has_sent((2, Acknowledgement()), (0, chang_roberts.Elected(7)))
    p.get(Acknowledgement(), sender=0)
    p.has_sent((0, Token()))
    p.get(Acknowledgement(), sender=0)
    p.fire("token_timeout")
    p.fire("token_timeout")
    p.get(Token(), sender=2)
    p.outbox.clear()
    p.get(chang_roberts.Election(11), sender=2)
    p.has_sent((2, Acknowledgement()))
    p.has_reported()


def test_a_repeated_proposal_replaces_the_earlier_one():
    p = alone(Regenerating, node=3, nodes=4)
    for _ in range(3):
        p.fire("token_timeout")
    p.outbox.clear()
    p.get(chang_roberts.Election(7), sender=2)  # the first of two
    p.has_sent((2, Acknowledgement()))
    p.has_reported()
    p.get(chang_roberts.Election(11), sender=2)
    p.has_reported(("elected", 3), ("token created",))


def test_a_passing_greater_number_does_not_renew_a_proposal():
    p = alone(Regenerating, node=0, nodes=3)
    p.get(Acknowledgement(), sender=1)
    for _ in range(2):
        p.fire("token_timeout")
    p.get(Token(), sender=2)
    p.get(chang_roberts.Election(4), sender=2)
    for _ in range(3):
        p.get(Acknowledgement(), sender=1)
    assert p.process.election.participant
    p.outbox.clear()
    p.get(chang_roberts.Election(3), sender=2)  # its own, from before the token
    p.has_sent((2, Acknowledgement()))
    p.has_reported()


def test_a_token_held_through_a_crash_is_destroyed():
    p = alone(Regenerating, node=3, nodes=4)
    p.ask()
    p.get(Token(), sender=2)
    p.recover()
    p.outbox.clear()
    p.reports.clear()
    p.leave()
    p.has_sent()
    p.has_reported(("token destroyed",))


# ---- elections ---------------------------------------------------------------------------------------------


def test_bully_asks_higher_processes_and_takes_over_if_none_answers():
    p = alone(Bully, node=2, nodes=5)
    p.ask()
    p.has_sent((3, bully.Election()), (4, bully.Election()))
    p.ask()
    p.has_sent()  # one election at a time is enough
    p.fire("answer_timeout")
    p.has_reported(("suspected", 3), ("suspected", 4), ("elected", 2))
    p.has_sent((0, bully.Coordinator()), (1, bully.Coordinator()))


def test_bully_answers_lower_processes_and_starts_its_own_election():
    p = alone(Bully, node=2, nodes=4)
    p.get(bully.Election(), sender=0)
    p.has_sent((0, bully.Answer()), (3, bully.Election()))
    p.get(bully.Election(), sender=1)
    p.has_sent((1, bully.Answer()))


def test_bully_waits_for_a_higher_process_and_restarts_if_it_falls_silent():
    p = alone(Bully, node=1, nodes=3, coordinator_time=9.0)
    p.ask()
    p.get(bully.Answer(), sender=2)
    assert p.timers == {"coordinator_timeout": 9.0}
    p.outbox.clear()
    p.fire("coordinator_timeout")
    p.has_sent((2, bully.Election()))
    p.get(bully.Coordinator(), sender=2)  # on its way since before the question, which still stands
    assert p.timers == {"answer_timeout": 2.5}
    p.get(bully.Answer(), sender=2)
    p.get(bully.Coordinator(), sender=2)
    assert p.timers == {}
    p.has_reported(("elected", 2), ("elected", 2))


def test_the_highest_takes_over_at_once():
    p = alone(Bully, node=2, nodes=3)
    p.recover()
    assert p.timers == {"answer_timeout": 0}
    p.get(bully.Election(), sender=0)
    p.get(bully.Election(), sender=1)
    p.has_sent((0, bully.Answer()), (1, bully.Answer()))
    p.fire("answer_timeout")  # once for all who have asked meanwhile
    p.has_reported(("elected", 2))
    p.has_sent((0, bully.Coordinator()), (1, bully.Coordinator()))


@pytest.mark.parametrize(("number", "goes_on"), [(7, 7), (3, 5)])
def test_chang_roberts_forwards_the_greater_number(number, goes_on):
    p = alone(ChangRoberts, node=1, nodes=3, ids=(3, 5, 7))
    p.get(chang_roberts.Election(number), sender=0)
    p.has_sent((2, chang_roberts.Election(goes_on)))


def test_chang_roberts_stops_a_smaller_number_after_sending_its_own():
    p = alone(ChangRoberts, node=1, nodes=3, ids=(3, 5, 7))
    p.ask()
    p.has_sent((2, chang_roberts.Election(5)))
    p.get(chang_roberts.Election(3), sender=0)
    p.has_sent()


def test_chang_roberts_leads_when_its_number_returns_and_announces_it_once_round():
    p = alone(ChangRoberts, node=2, nodes=3, ids=(3, 5, 7))
    p.ask()
    p.outbox.clear()
    p.get(chang_roberts.Election(7), sender=1)
    p.has_reported(("elected", 2))
    p.has_sent((0, chang_roberts.Elected(7)))
    p.get(chang_roberts.Elected(7), sender=1)
    p.has_sent()
    p.has_reported()


def test_the_collecting_ring_adds_itself_once():
    p = alone(RingElection, node=1, nodes=3)
    p.get(ring_election.Election((0,)), sender=0)
    p.has_sent((2, ring_election.Election((0, 1))))
    p.get(ring_election.Election((0, 1)), sender=0)
    p.has_sent((2, ring_election.Election((0, 1))))


def test_the_collecting_ring_s_initiator_elects_the_greatest_and_ends_the_announcement():
    p = alone(RingElection, node=1, nodes=3)
    p.ask()
    p.has_sent((2, ring_election.Election((1,))))
    p.get(ring_election.Election((1, 2, 0)), sender=0)
    p.has_reported(("elected", 2))
    p.has_sent((2, ring_election.Coordinator(2, 1)))
    p.get(ring_election.Coordinator(2, 1), sender=0)
    p.has_sent()
    p.has_reported()
    p.get(ring_election.Coordinator(2, 0), sender=0)
    p.has_sent((2, ring_election.Coordinator(2, 0)))
    p.has_reported(("elected", 2))


@pytest.mark.parametrize(
    ("process", "message"),
    [
        (chang_roberts_repairs.Restarting, chang_roberts.Election(2)),
        (chang_roberts_repairs.Restarting, chang_roberts.Elected(2)),
        (ring_election_repairs.Restarting, ring_election.Election((2, 3, 0, 1))),
        (ring_election_repairs.Restarting, ring_election.Coordinator(3, 2)),
    ],
    ids=str,
)
def test_a_process_that_skips_a_dead_neighbour_ends_that_neighbour_s_messages(process, message):
    p = alone(process, node=1, nodes=4)
    p.get(message, sender=0)
    p.has_sent((0, Acknowledgement()), (2, message))
    p.fire("hops.acknowledgement_timeout")
    assert p.outbox == [(3, message)]
    for _ in range(2):
        p.get(Acknowledgement(), sender=3)  # of that, and of a new election, if it was the leader that died
    p.outbox.clear()
    p.get(message, sender=0)
    p.has_sent((0, Acknowledgement()))


# ---- the failure detector ----------------------------------------------------------------------------------


def test_the_detector_suspects_silent_processes_until_they_answer():
    p = alone(FailureDetector, node=0, nodes=4)
    p.process.watch({1, 2})
    p.has_sent((1, AreYouThere()), (2, AreYouThere()))
    p.get(IAmHere(), sender=1)
    p.fire("ping_timeout")
    p.has_reported(("suspected", 2))
    p.has_sent((1, AreYouThere()), (2, AreYouThere()))
    p.get(IAmHere(), sender=1)
    p.fire("ping_timeout")
    p.has_reported()
    p.get(IAmHere(), sender=2)
    assert p.process.suspected == set()


def test_the_detector_gives_signs_of_life():
    p = alone(FailureDetector, node=0, nodes=4)
    p.get(AreYouThere(), sender=3)
    p.has_sent((3, IAmHere()))
