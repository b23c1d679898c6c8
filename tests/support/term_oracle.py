"""Which rules of Systems S and Search apply, and what a step changes, read from the terms that a trace prints."""

from __future__ import annotations

import re
from typing import Any

NOBODY, EMPTY = "⊥", "∅"


def pairs(text: str) -> dict[int, str]:
    """(node, value) for the values of all nodes, as printed: "(0, φ_0) | (1, d_1,1)"."""
    return {int(node): value for node, value in re.findall(r"\((\d+), ([^()]*)\)", text)}


def rules_of_system_s(term: list[str]) -> set[str]:
    """Rule 1 for a node that has not had its one datum, rule 2 for anybody in Q."""
    waiting, history = pairs(term[0]), term[1]
    fresh = [x for x, value in waiting.items() if f"d_{x},1" not in value + history]
    return {f"rule {number}" for number, applies in ((1, fresh), (2, waiting)) if applies}


def rules_of_search(term: list[str], most_messages: int) -> set[str]:
    """The rules of System Search, each node having one datum; some rules need room for one more message."""
    waiting, holder, received, sent, traps = pairs(term[0]), term[2], term[3], term[4], term[5]
    has_room = sum(part.count("token") + part.count("search") for part in (received, sent)) < most_messages
    ready = [x for x, value in waiting.items() if value.startswith("d")]
    free = [x for x in ready if str(x) != holder and f"({x}, τ_{x})" not in traps]
    diverted = [trap for trap in re.findall(r"\((\d+), τ_(\d+)\)", traps) if trap[0] == holder != trap[1]]
    everything = " ".join(term)
    applies = {
        1: [x for x in waiting if f"d_{x},1" not in everything],
        2: sent != EMPTY,
        3: holder == NOBODY and "token" in received,
        4: holder != NOBODY and has_room,
        5: free and has_room,
        6: "search" in received,
        7: diverted and has_room,
    }
    return {f"rule {number}" for number, whether in applies.items() if whether}


def is_a_step_there(before: list[str], effect: dict[str, Any], system: str) -> str:
    """Whether a step is one of the more abstract system, or none there; for steps that append nothing.

    Such a step must change nothing of what the abstract system has: System S has Q and one history, System Token the
    histories of the nodes too, and System Message-Passing no searches and no traps.
    """
    after = effect["term"]
    if system == "system-message-passing":
        kept = [re.sub(r"\(\d+, \(\d+, \(search, τ_\d+\)\)\)", "", part).strip(" |∅") for part in (*before, *after)]
        same = kept[: len(before) - 1] == kept[len(before) : -1]
    else:
        parts = {"system-s": (0, 1), "system-token": (0, 1)}[system]
        same = all(before[part] == after[part] for part in parts)
    return "yes" if same else "no"


def first_breach(terms: list[list[str]]) -> str:
    """The first of: another number of tokens than one, a history that is no beginning of the longest; or "nothing".

    The terms are those of System Token (Q, H, P, T) or of Message-Passing and Search (Q, P, T, I, O, …).
    """
    for term in terms:
        is_token = len(term) == 4
        holder, messages = (term[3], "") if is_token else (term[2], term[3] + term[4])
        if (holder != NOBODY) + messages.count("token") != 1:
            return "one token"
        histories = [term[1]] if is_token else []
        histories += list(pairs(term[2] if is_token else term[1]).values())
        events = [history.replace(EMPTY, "").split() for history in histories]
        longest = max(events, key=len)
        if any(one != longest[: len(one)] for one in events):
            return "prefix property"
    return "nothing"
