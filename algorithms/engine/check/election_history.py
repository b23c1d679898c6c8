"""The elections so far, as a component of a state.

It remembers whether an election is under way, and which nodes have learnt its outcome. This agrees with what
`elections.Elections` reads off a run's trace, in no more bits than E1 and E2 need.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple


class ElectionHistory(NamedTuple):
    """The elections so far."""

    has_begun: bool = False  # there has been an election
    is_under_way: bool = False
    informed: frozenset[int] = frozenset()  # nodes that have learnt of a leader in the election under way
    uninformed: frozenset[int] = frozenset()  # nodes that are up and have yet to learn

    def counts_belief(self, node: int) -> bool:
        """Whether the leader that the node believes in matters at present."""
        return not self.is_under_way or node in self.informed


class ElectionEvent(NamedTuple):
    """The contribution of one node's step to an election."""

    node: int
    is_call: bool  # spontaneously calls an election
    is_opening: bool  # spontaneously announces an outcome, which opens an election unless one is under way
    has_learnt: bool  # accepts a leader
    has_forgotten: bool = False  # has come back without memory


def after_events(
    history: ElectionHistory, events: Iterable[ElectionEvent], beliefs: Mapping[int, int | None]
) -> ElectionHistory:
    """The history after a step; `beliefs` are those of all nodes up after it."""
    events = list(events)
    for event in events:
        if event.has_forgotten:
            history = _after_reset(history, event.node, beliefs)
    if not history.is_under_way and any(event.is_call or event.is_opening for event in events):
        history = ElectionHistory(True, True, frozenset(), frozenset(beliefs))
    learners = {event.node for event in events if event.has_learnt}
    history = history._replace(informed=history.informed | learners, uninformed=history.uninformed - learners)
    return _ended_if_decided(history, beliefs)


def after_crash(history: ElectionHistory, node: int, beliefs: Mapping[int, int | None]) -> ElectionHistory:
    """The history after a node has crashed; `beliefs` are those of the other nodes."""
    left = history._replace(informed=history.informed - {node}, uninformed=history.uninformed - {node})
    return _ended_if_decided(left, beliefs)


def _after_reset(history: ElectionHistory, node: int, beliefs: Mapping[int, int | None]) -> ElectionHistory:
    """The history after a node has crashed and come back without memory."""
    others = {other: belief for other, belief in beliefs.items() if other != node}
    history = after_crash(history, node, others)
    return history._replace(uninformed=history.uninformed | {node}) if history.has_begun else history


def _ended_if_decided(history: ElectionHistory, beliefs: Mapping[int, int | None]) -> ElectionHistory:
    """End the election if all nodes that are up have learnt of the same leader."""
    leaders = {belief for node, belief in beliefs.items() if belief is not None and history.counts_belief(node)}
    if history.is_under_way and not history.uninformed and len(leaders) == 1:
        history = history._replace(is_under_way=False)
    return history if history.is_under_way else history._replace(informed=frozenset())
