"""Which of several tokens precedes the others, and what those in hand are called.

Tokens that may be generated again carry a stamp, when and by whom they were; of several the smallest precedes, and the
others are spurious: sooner or later they are removed. Tokens without such a stamp are all alike.
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

Birth: TypeAlias = tuple[float, int]
"""When a token was generated, and by whom."""


class TokenPrecedence(NamedTuple):
    """Which token precedes all others, if tokens have stamps, and whether there are others."""

    first: Birth | None
    several: bool


def birth_of(token: Message) -> Birth | None:
    """The stamp of a token; None if it carries none."""
    stamp = getattr(token, "stamp", None)
    return stamp if isinstance(stamp, tuple) else None


def tokens_of(process: Any, kind: type[Message] | None) -> Iterator[Message]:
    """The tokens that a process has in its variables."""
    if kind is None:
        return
    for value in vars(process).values():
        if isinstance(value, kind):
            yield value
        elif isinstance(value, deque | list):
            yield from (item for item in value if isinstance(item, kind))


def births(run: Simulation) -> set[Birth]:
    """The stamps of all tokens that there are: on their way, in hand, at the door of a paused process."""
    kind = run.algorithm.token
    if kind is None:
        return set()
    entries = [*run.queue, *run.held_entries()]
    tokens = [e[MESSAGE] for e in entries if e[KIND] == DELIVER and isinstance(e[MESSAGE], kind)]
    if tokens and birth_of(tokens[0]) is None:
        return set()
    lost = {node for node, fate in run.post.marks.items() if fate == "lose"}
    up = (p for p in run.processes if p.id not in lost and not run.is_gone(p.id))
    tokens += [token for process in up if is_holding(run, process) for token in tokens_of(process, kind)]
    return {birth for token in tokens if (birth := birth_of(token)) is not None}


def token_precedence(moment: Moment) -> TokenPrecedence:
    """How the tokens that there are at that moment stand to each other."""
    found = births(moment.run)
    return TokenPrecedence(min(found, default=None), len(found) > 1)


def is_spurious(token: Message, first: Birth | None) -> bool:
    """Whether another token precedes this one; `first` is the smallest stamp there is."""
    birth = birth_of(token)
    return first is not None and birth is not None and birth > first
