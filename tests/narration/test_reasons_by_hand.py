"""The reasons why a node waits at a fixed moment of every algorithm, written down by hand from the papers.

Every message takes 1, and every stay inside 3.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from algorithms import catalog
from algorithms.engine.randomness import Fixed
from algorithms.engine.scenario import Event, Network, Scenario
from algorithms.engine.workload import Request, Script
from tests.support.kit import for_each
from visual.narration.waiting import reasons

Asks = tuple[tuple[float, int], ...]


class Case(NamedTuple):
    """Who requests when, the node that is asked about at a time, and the sentences; "!" before a permanent one."""

    algorithm: str
    asks: Asks
    at: float
    node: int
    words: tuple[str, ...]
    events: tuple[Event, ...] = ()
    variant: str | None = None


DOWN = (Event(0.5, "crash", node=3),)
ELECTED = "In this election it waits for"
CONSENT = "In this election it waits for a consent or elected message from"
ANSWER = f"{ELECTED} an answer or coordinator message from"
CASES = {
    "the request travels": Case(
        "centralized",
        ((1.0, 1),),
        1.5,
        1,
        ("It waits for a grant from P0.", "Its request to P0 is in transit."),
    ),
    "the grant travels": Case(
        "centralized",
        ((1.0, 1),),
        2.5,
        1,
        ("It waits for a grant from P0.", "A grant from P0 is in transit."),
    ),
    "a place in the queue": Case(
        "centralized",
        ((1.0, 1), (1.1, 2), (1.2, 3)),
        3.5,
        3,
        ("It waits for a grant from P0.", "P0 has granted entry to P1, and P3 is number 2 of 2 in its queue."),
    ),
    "the coordinator itself": Case(
        "centralized",
        ((1.0, 1), (3.2, 0)),
        3.5,
        0,
        (
            "It waits for a release message from P1.",
            "P0 has granted entry to P1, and P0 is number 1 of 1 in its queue.",
            "P1 is in the critical section.",
        ),
    ),
    "refused": Case(
        "centralized",
        ((1.0, 1), (1.5, 2)),
        4.0,
        2,
        ("It waits for a grant from P0.", "P0 has granted entry to P1.", "Its poll timer expires at t = 5.5."),
        variant="polling",
    ),
    "votes are given to another": Case(
        "voting",
        ((1.0, 0), (1.5, 1)),
        3.2,
        1,
        (
            "It waits for a vote or denied message from each of P0, P2 and P3; it has 0 of the 3 votes it needs.",
            "A vote from P0 is in transit.",
            "The “denied” messages from P2 and P3 are in transit.",
            "P2 and P3 have voted for P0.",
        ),
    ),
    "an arbiter's only vote": Case(
        "maekawa",
        ((1.0, 0), (1.5, 3)),
        4.2,
        3,
        (
            "It waits for a vote from each of P1 and P2; it has 1 of the 3 votes it needs.",
            "P1 and P2 have voted for P0.",
        ),
    ),
    "a circle of votes": Case(
        "maekawa",
        ((1.0, 0), (1.0, 1)),
        9.0,
        0,
        (
            "It waits for a vote from P1; it has 2 of the 3 votes it needs.",
            "!Deadlock: P0 waits for P1, and P1 waits for P0.",
            "P1 has voted for itself.",
        ),
        variant="plain",
    ),
    "a permission that it lacks": Case(
        "carvalho-roucairol",
        ((1.0, 0), (8.0, 2), (10.5, 0)),
        11.7,
        0,
        (
            "It waits for a reply from P2.",
            "P2 is in the critical section and has deferred its reply to P0: (2,2) is older than (3,0).",
        ),
    ),
    "a clean fork": Case(
        "chandy-misra",
        ((1.0, 1), (2.5, 0), (4.2, 1)),
        8.3,
        1,
        (
            "It waits for a fork from P0.",
            "P0 is in the critical section and has the dirty fork that it shares with P1.",
        ),
    ),
    "a circle of forks": Case(
        "chandy-misra",
        ((1.0, 0), (1.0, 1), (1.0, 2), (1.0, 3)),
        3.0,
        1,
        (
            "It waits for a fork from P0.",
            "!Deadlock: P1 waits for P0, P0 for P3, P3 for P2, and P2 for P1.",
            "P0 has the clean fork that it shares with P1.",
        ),
        variant="circle",
    ),
    "one reply too few": Case(
        "k-entries",
        ((1.0, 1), (1.2, 2), (1.4, 3)),
        3.7,
        3,
        (
            "It waits for a reply from any one of P1 and P2; it needs 1 more.",
            "P1 is in the critical section and has deferred its reply to P3: (1,1) is older than (1,3).",
            "P2 is in the critical section and has deferred its reply to P3: (1,2) is older than (1,3).",
        ),
    ),
    "a deferred reply": Case(
        "ricart-agrawala",
        ((1.0, 1), (1.5, 2)),
        4.2,
        2,
        (
            "It waits for a reply from P1.",
            "P1 is in the critical section and has deferred its reply to P2: (1,1) is older than (1,2).",
        ),
    ),
    "a request the other way is no reason": Case(
        "ricart-agrawala",
        ((1.0, 1), (1.5, 2)),
        2.2,
        1,
        ("It waits for a reply from each of P0, P2 and P3.", "The replies from P0, P2 and P3 are in transit."),
    ),
    "two that defer": Case(
        "ricart-agrawala",
        ((1.0, 1), (1.0, 2)),
        3.5,
        1,
        (
            "It waits for a reply from P2.",
            "!Deadlock: P1 waits for P2, and P2 waits for P1.",
            "P2 has deferred its reply to P1: both clocks are 1, and it goes first on a tie.",
        ),
        variant="both-defer",
    ),
    "one that has forgotten": Case(
        "ricart-agrawala",
        ((1.0, 1), (1.5, 2)),
        9.0,
        2,
        (
            "It waits for a reply from P1.",
            "!Nothing more can happen: P2 waits forever.",
            "P1 has forgotten that P2 waits.",
        ),
        variant="forgetful",
    ),
    "first in its own queue": Case(
        "lamport",
        ((1.0, 1), (1.0, 0)),
        2.5,
        0,
        (
            "It waits for an ack from each of P2 and P3.",
            "Ack (2,2) from P2 is in transit.",
            "Ack (2,3) from P3 is in transit.",
        ),
    ),
    "an older request in the queue": Case(
        "lamport",
        ((1.0, 0), (1.0, 1)),
        3.5,
        1,
        (
            "It waits for a release message from P0.",
            "P0 is in the critical section and has an older request: (1,0) is older than (1,1).",
        ),
    ),
    "the token travels": Case(
        "token-ring", ((1.5, 1),), 2.5, 1, ("P1 waits for the token.", "The token is in transit from P2 to P3.")
    ),
    "the token is used": Case(
        "token-ring",
        ((1.5, 1), (1.5, 2)),
        3.5,
        1,
        ("P1 waits for the token.", "P2 has the token and is in the critical section."),
    ),
    "the token is lost": Case(
        "token-ring",
        ((4.0, 1),),
        9.0,
        1,
        ("P1 waits for the token.", "!The token has been lost; P1 cannot know this."),
        (Event(3.2, "lose-token"),),
    ),
    "the holder has crashed": Case(
        "token-ring",
        ((1.5, 3), (1.7, 1)),
        9.0,
        1,
        ("P1 waits for the token.", "!P3 has crashed with the token; P1 cannot know this."),
        (Event(4.0, "crash", node=3),),
    ),
    "no privilege": Case(
        "k-state-ring",
        ((0.5, 1),),
        0.7,
        1,
        (
            "It waits for a state message from P0; its state 93 equals its neighbour's, 93, so it has no privilege.",
            "State message 64 from P0 is in transit.",
        ),
    ),
    "tokens walk": Case(
        "israeli-jalfon",
        ((3.3, 1),),
        3.5,
        1,
        ("P1 waits for a token.", "2 tokens are in transit from P3 to P2.", "P2 has a token."),
    ),
    "the search has not arrived": Case(
        "ring-search",
        ((0.5, 0), (1.0, 2)),
        2.5,
        2,
        (
            "P2 waits for the token.",
            "Its search message is in transit from P3 to P0.",
            "P0 has the token, is in the critical section and has not received P2's search.",
        ),
    ),
    "the search has arrived": Case(
        "ring-search",
        ((0.5, 0), (1.0, 2)),
        3.2,
        2,
        (
            "P2 waits for the token.",
            "Its search message is in transit from P0 to P1.",
            "P0 has the token, is in the critical section and has a trap for P2, number 1 of 1.",
        ),
    ),
    "a gimme travels": Case(
        "binary-search-token",
        ((0.5, 3), (1.2, 2)),
        1.5,
        2,
        (
            "P2 waits for the token.",
            "Its gimme to P0 is in transit.",
            "The token is in transit from P1 to P2.",
        ),
    ),
    "a broadcast for the token": Case(
        "suzuki-kasami",
        ((0.5, 0), (1.0, 2)),
        2.2,
        2,
        (
            "P2 waits for the token.",
            "P0 has the token, is in the critical section and keeps P2's request 1 until it leaves.",
        ),
    ),
    "the token's own queue": Case(
        "suzuki-kasami",
        ((0.5, 0), (1.0, 2), (1.1, 3)),
        5.0,
        3,
        (
            "P3 waits for the token.",
            "P2 has the token, is in the critical section and has P3 as number 1 of 1 in the token's queue.",
        ),
    ),
    "a request follows the edges": Case(
        "raymond",
        ((0.5, 0), (1.0, 3)),
        3.2,
        3,
        (
            "P3 waits for the token.",
            "P1 has P3 as number 1 of 1 in its queue.",
            "P0 has the token and is in the critical section.",
        ),
    ),
    "a request climbs the fathers": Case(
        "naimi-trehel",
        ((0.5, 0), (1.0, 1), (1.2, 2)),
        2.7,
        2,
        (
            "P2 waits for the token.",
            "Its request is in transit from P0 to P1.",
            "P0 has the token and is in the critical section.",
        ),
    ),
    "a queue of nexts": Case(
        "naimi-trehel",
        ((0.5, 0), (1.0, 1), (1.1, 2)),
        4.7,
        2,
        (
            "P2 waits for the token.",
            "P1 has the token, is in the critical section and passes the token on to P2 when it leaves.",
        ),
    ),
    "a period": Case(
        "random-access",
        ((1.0, 2),),
        2.5,
        2,
        (
            "P2 is waiting; it asks nobody and enters when its period is over.",
            "Its period timer expires at t = 487.5.",
        ),
    ),
    "not long enough ago": Case(
        "wandering-token-report",
        ((1.0, 2),),
        2.5,
        2,
        (
            "P2 waits for the token; a token lets it in only after t = 600.0, Δmin after its last operation.",
            "The token is in transit from P3 to P1.",
            "Its timeout expires at t = 1800.0.",
        ),
    ),
    "the journal's token": Case(
        "wandering-token-journal",
        ((0.2, 2),),
        0.7,
        2,
        ("P2 waits for the token.", "The token is in transit from P0 to P2.", "Its timeout expires at t = 177013.3."),
    ),
    "nobody waits": Case("uncoordinated", ((1.0, 2),), 1.5, 2, ()),
    "Sigma's votes": Case(
        "sigma",
        ((1.0, 1), (1.5, 2)),
        4.5,
        2,
        (
            "It waits for P1; it has 1 of the 2 votes it needs.",
            "P0 has voted for P1.",
            "P1 is in the critical section and has voted for itself.",
            "Its rest timer expires at t = 54.5.",
        ),
    ),
    "End-to-End's queue": Case(
        "end-to-end",
        ((1.0, 1), (1.5, 2)),
        5.7,
        2,
        (
            "P2 is waiting; it has 0 of the 2 votes it needs.",
            "P0 has voted for P1.",
            "P1 is in the critical section and has P2 as number 1 of 1 in the token's queue.",
        ),
    ),
    "Non-End-to-End's votes": Case(
        "non-end-to-end",
        ((1.0, 1), (1.5, 2)),
        4.5,
        2,
        (
            "It waits for P1; it has 1 of the 2 votes it needs.",
            "P0 has voted for P1.",
            "P1 is in the critical section and has voted for itself.",
            "Its rest timer expires at t = 53.5.",
        ),
    ),
    "a number on its way round": Case(
        "chang-roberts",
        ((1.0, 1),),
        2.5,
        1,
        (
            "In this election it waits for an election or elected message from P0.",
            "Election message 2 is in transit from P2 to P3.",
        ),
    ),
    "a list on its way round": Case(
        "ring-election",
        ((1.0, 1),),
        2.5,
        1,
        ("P1 knows no leader yet.", "Election message (1,2) is in transit from P2 to P3."),
    ),
    "every number goes round": Case(
        "le-lann",
        ((1.0, 1),),
        2.5,
        1,
        (
            f"{ELECTED} an election message from P0.",
            "Its election message 1 is in transit from P2 to P3.",
        ),
    ),
    "the answers to a probe": Case(
        "hirschberg-sinclair",
        ((1.0, 1),),
        4.5,
        3,
        (
            f"{ELECTED} an answer or elected message from any one of P0 and P2.",
            "The answers from P0 and P2 are in transit.",
        ),
    ),
    "a bid from one side": Case(
        "franklin",
        ((1.0, 1),),
        3.5,
        0,
        (f"{ELECTED} a bid from P3.", "A bid from P3 is in transit."),
    ),
    "a value that is another's number": Case(
        "peterson",
        ((1.0, 1),),
        4.5,
        0,
        (f"{ELECTED} a one message from P3.", "Its “one” to P1 is in transit."),
    ),
    "a number that it has drawn": Case(
        "itai-rodeh",
        ((1.0, 1),),
        1.5,
        1,
        (f"{ELECTED} a draw or elected message from P0.", "A draw is in transit from P1 to P2."),
    ),
    "an echo": Case(
        "echo-extinction",
        ((1.0, 1),),
        3.5,
        0,
        (f"{ELECTED} a wave or echo message from P3.", "Echo 1 from P3 is in transit."),
    ),
    "two that have not reported": Case(
        "tree-election",
        ((1.0, 1),),
        2.5,
        1,
        (
            f"{ELECTED} a best or elected message from each of P0 and P3.",
            "“best” from P3 is in transit.",
            "P0 has P1 in “missing”.",
        ),
    ),
    "its owner is asked to give it up": Case(
        "afek-gafni",
        ((1.0, 0), (1.0, 2)),
        4.5,
        2,
        (f"{CONSENT} any one of P0, P1 and P3.", "A challenge is in transit from P1 to P0."),
    ),
    "votes for another": Case(
        "raft-election",
        ((1.0, 1), (1.0, 2)),
        3.5,
        2,
        (
            f"{ELECTED} a granted or heartbeat message from any one of P0, P1 and P3;"
            " it has 1 of the 3 votes it needs.",
            "Heartbeat of term 1 from P1 is in transit.",
            "P0 and P3 have voted for P1 in term 1.",
            "P1 has voted for itself in term 1.",
            "Its silence timer expires at t = 17.0.",
        ),
    ),
    "an answer or the timeout": Case(
        "bully",
        ((1.0, 1),),
        2.2,
        1,
        (
            f"{ANSWER} any one of P2 and P3.",
            "An answer from P2 is in transit.",
            "P2 is holding an election.",
            "P3 has crashed and does not answer.",
            "Its answer timeout expires at t = 3.5.",
        ),
        DOWN,
    ),
    "the coordinator or the timeout": Case(
        "bully",
        ((1.0, 1),),
        4.2,
        1,
        (
            "In this election it waits for a coordinator message from any one of P2 and P3.",
            "P2 is holding an election.",
            "P3 has crashed and does not answer.",
            "Its coordinator timeout expires at t = 8.0.",
        ),
        DOWN,
    ),
    "no timeout": Case(
        "bully", ((1.0, 1),), 9.2, 2, (f"{ANSWER} P3.", "!P3 has crashed: it will never answer."), DOWN, "oracle"
    ),
}


def said(case: Case) -> tuple[str, ...]:
    load = Script(requests=tuple(Request(*ask) for ask in case.asks), hold=Fixed(3.0))
    timeline = catalog.timeline(
        Scenario(case.algorithm, nodes=4, variant=case.variant, load=load, events=case.events, network=Network())
    )
    timeline.seek_time(case.at)
    return tuple("!" * why.is_permanent + why.words for why in reasons(timeline.simulation, case.node))


@for_each(name=CASES)
def test_the_reasons_are_those_of_the_paper(name):
    assert said(CASES[name]) == CASES[name].words


SYSTEMS = {
    "s": (
        6,
        2,
        (
            "P2 has d₂,₁ to send.",
            "Rule 2 can append it to the history now.",
            "Rule 1 can be applied at P2 now.",
        ),
    ),
    "s1": (
        6,
        1,
        (
            "P1 has d₁,₁ to send.",
            "Rule 2 can append it to the history now.",
            "Rules 1 and 3 can be applied at P1 now.",
        ),
    ),
    "token": (
        6,
        2,
        (
            "P2 has d₂,₁ to send.",
            "Rule 2 appends it once P2 has the token.",
            "P0 has the token.",
            "Rule 1 can be applied at P2 now.",
        ),
    ),
    "message-passing": (
        6,
        2,
        (
            "P2 has d₂,₁ and d₂,₂ to send.",
            "Rule 3 appends them once P2 has the token.",
            "The token is in transit from P0 to itself.",
            "No rule can be applied at P2 now.",
        ),
    ),
    "search": (
        12,
        1,
        (
            "P1 has d₁,₁ and d₁,₂ to send.",
            "Rule 4 appends them once P1 has the token.",
            "The token has reached P0 in a message from itself.",
            "Rules 2 and 6 can be applied at P1 now.",
        ),
    ),
    "binary-search": (
        13,
        2,
        (
            "P2 has d₂,₁ and d₂,₂ to send.",
            "Rule 4 or 8 appends them once P2 has the token.",
            "The token has reached P1 in a message from P0.",
            "P0 has a trap for P2: once P0 has the token, it may send it to P2.",
            "No rule can be applied at P2 now.",
        ),
    ),
}


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_node_of_a_rewriting_system_is_told_what_its_term_lacks(system):
    timeline = catalog.timeline(Scenario(f"system-{system}", nodes=3, load=Script()))
    step, node, words = SYSTEMS[system]
    timeline.seek(step)
    assert tuple(why.words for why in reasons(timeline.simulation, node)) == words


def test_no_algorithm_is_left_out():
    known = {*(case.algorithm for case in CASES.values()), *(f"system-{system}" for system in SYSTEMS)}
    assert known == set(catalog.by_name())
