"""Memo 440: which system refines which, by the mappings that the proofs of lemmas 1 to 3 and theorem 1 sketch.

Three of the refinements hold only after the abstract system has been given a rule that it lacks; `REPAIRED` has these
systems. Safety is easiest to see in the mappings to System S1, which need no repair: the longest history is the global
one.
"""

from algorithms.engine.rewrite.reductions import Refinement
from algorithms.engine.rewrite.rewriting import Bag, Rule, _
from algorithms.rewriting_systems import (
    system_binary_search,
    system_message_passing,
    system_s,
    system_s1,
    system_search,
    system_token,
)
from algorithms.rewriting_systems.terms import NOBODY, SEARCH, TOKEN, H, I, O, P, W, longest, tau_of, trap, x, y, z

S, S1, TOKEN_SYSTEM = system_s.SYSTEM, system_s1.SYSTEM, system_token.SYSTEM
MESSAGE_PASSING, SEARCH_SYSTEM = system_message_passing.SYSTEM, system_search.SYSTEM
BINARY_SEARCH = system_binary_search.SYSTEM


def in_token(state):
    """Map Message-Passing to System Token: the token has arrived, H is the longest history."""
    queue, local, holder, received, sent = state
    if holder == NOBODY:
        holder = next((x for x, _ in received), None)
        if holder is None:
            holder = next(y for _, (y, _) in sent)
    return queue, longest(state, 1, 3, 4), local, holder


def in_message_passing(state):
    """Map Search to Message-Passing: without search messages and traps."""
    queue, local, holder, received, sent, _ = state
    return queue, local, holder, _tokens_only(received), _tokens_only(sent)


def in_search(state):
    """Map BinarySearch to Search: a loan is a token, and a search has no arc."""
    queue, local, holder, received, sent, traps = state
    return queue, local, holder, _plain(received), _plain(sent), traps


def in_s1(state):
    """Map Message-Passing, Search or BinarySearch to System S1: H is the longest history."""
    return state[0], longest(state, 1, 3, 4), state[1]


def _tokens_only(messages):
    return Bag((a, (b, content)) for a, (b, (kind, content)) in messages if kind != SEARCH)


def _plain(messages):
    return Bag((a, (b, _plain_content(*message))) for a, (b, message) in messages)


def _plain_content(kind, content):
    return (SEARCH, tau_of(content[-1])) if kind == SEARCH else (TOKEN, content)


COPY = Rule("3", (_, H, P | (y, _), _), (_, H, P | (y, H), _))  # rule 3 of S1
PASS = Rule(
    "pass", (_, P | (x, H), x, _, O), (_, P | (x, H), NOBODY, _, O | (x, (y, H))), any_node=y
)  # the token goes on, and nothing is appended
SEARCH_PASS = Rule(
    "pass", (_, P | (x, H), x, _, O, _), (_, P | (x, H), NOBODY, _, O | (x, (y, (TOKEN, H))), _), any_node=y
)
ONLY_TRAP = Rule("6a", (_, _, _, I | (x, (y, (SEARCH, z))), _, W), (_, _, _, I, _, trap(W, (x, z))))  # the search ends

AS_PRINTED = (
    Refinement("Lemma 1", S1, S, lambda state: state[:2], {"1": (("1",),), "2": (("2",),)}),
    Refinement("Lemma 2", TOKEN_SYSTEM, S1, lambda state: state[:3], {"1": (("1",),), "2": (("2", "3"),)}),
    Refinement("Lemma 3", MESSAGE_PASSING, TOKEN_SYSTEM, in_token, {"1": (("1",),), "3": (("2",),), "4": (("3",),)}),
    Refinement(
        "Search",
        SEARCH_SYSTEM,
        MESSAGE_PASSING,
        in_message_passing,
        {"1": (("1",),), "2": (("2",),), "3": (("4",),), "4": (("3",),), "7": (("pass",),)},
    ),
    Refinement(
        "Theorem 1",
        BINARY_SEARCH,
        SEARCH_SYSTEM,
        in_search,
        {
            "1": (("1",),),
            "2": (("2",),),
            "3": (("3",),),
            "4": (("4",), ("4", "2", "3", "4")),  # data, and then the mark
            "5": (("5",),),
            "6": (("6",),),
            "6a": (("6a",),),
            "7": (("7",),),
            "8": (("3", "4"), ("3", "pass")),
        },
    ),
)


def _repaired(refinement, *rules):
    return Refinement(
        f"{refinement.name}, repaired",
        refinement.concrete,
        refinement.abstract.with_rules(*rules),
        refinement.mapping,
        refinement.by,
    )


REPAIRED = (
    _repaired(AS_PRINTED[2], COPY),
    _repaired(AS_PRINTED[3], PASS),
    _repaired(AS_PRINTED[4], ONLY_TRAP, SEARCH_PASS),
)
DIRECT = (
    Refinement(
        "Message-Passing in S1", MESSAGE_PASSING, S1, in_s1, {"1": (("1",),), "3": (("2", "3"),), "4": (("3",),)}
    ),
    Refinement("Search in S1", SEARCH_SYSTEM, S1, in_s1, {"1": (("1",),), "3": (("3",),), "4": (("2", "3"),)}),
    Refinement(
        "BinarySearch in S1",
        BINARY_SEARCH,
        S1,
        in_s1,
        {"1": (("1",),), "3": (("3",),), "4": (("2", "3"), ("2", "2", "3")), "8": (("3",), ("2", "3"))},
    ),
)
