"""Precedence among several tokens.

Tokens that can be regenerated carry a stamp, the time and the node of their generation. The token with the smallest
stamp precedes the others, which are spurious and will be removed. Tokens without a stamp are all alike.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias

from algorithms.authoring.queries import is_holding
from algorithms.engine.events import DELIVER, KIND, MESSAGE
from algorithms.engine.process import Message
from algorithms.engine.simulation import Simulation
from visual.analysis.run_cache import Moment

TokenStamp: TypeAlias = tuple[float, int]
"""The time at which a token was generated, and the node that did."""


class TokenPrecedence(NamedTuple):
    """The stamp of the token that precedes all others, if tokens have stamps, and whether there are others."""

    first: TokenStamp | None
    has_several: bool


def stamp_of(token: Message) -> TokenStamp | None:
    """The stamp of a token; None if it carries none."""
    stamp = getattr(token, "stamp", None)
    return stamp if isinstance(stamp, tuple) else None


def tokens_of(process: Any, kind: type[Message] | None) -> Iterator[Message]:
    """The tokens among the variables of a process."""
    if kind is None:
        return
    for value in vars(process).values():
        if isinstance(value, kind):
            yield value
        elif isinstance(value, deque | list):
            yield from (item for item in value if isinstance(item, kind))


def token_stamps(run: Simulation) -> set[TokenStamp]:
    """The stamps of all tokens: in transit, held by a process, or waiting at a paused one."""
    kind = run.algorithm.token
    if kind is None:
        return set()
    entries = [*run.queue, *run.waiting_entries()]
    tokens = [e[MESSAGE] for e in entries if e[KIND] == DELIVER and isinstance(e[MESSAGE], kind)]
    if tokens and stamp_of(tokens[0]) is None:
        return set()
    lost = {node for node, fate in run.post.marks.items() if fate == "lose"}
    up = (p for p in run.processes if p.id not in lost and not run.is_gone(p.id))
    tokens += [token for process in up if is_holding(run, process) for token in tokens_of(process, kind)]
    return {stamp for token in tokens if (stamp := stamp_of(token)) is not None}


def token_precedence(moment: Moment) -> TokenPrecedence:
    """The precedence among the tokens at that moment."""
    stamps = token_stamps(moment.run)
    return TokenPrecedence(min(stamps, default=None), len(stamps) > 1)


def is_spurious(token: Message, first: TokenStamp | None) -> bool:
    """Whether another token precedes this one; `first` is the smallest stamp."""
    stamp = stamp_of(token)
    return first is not None and stamp is not None and stamp > first
