"""What the processes take for the leader, and whether that will do. Asked by the monitors and by the checker alike.

Beliefs are those of the processes that are up: node -> the leader as far as it knows, None if it knows none. To go
on believing in a leader that has crashed is no fault as long as nobody has called for another.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

Beliefs = Mapping[int, int | None]


def leaders(beliefs: Beliefs, among: Iterable[int]) -> set[int]:
    """The processes up that one of `among` takes for the leader."""
    named = (beliefs[node] for node in among if node in beliefs)
    return {leader for leader in named if leader is not None and leader in beliefs}


def in_doubt(beliefs: Beliefs, asked: Iterable[int]) -> set[int]:
    """Who has yet to learn: where there is one leader, whoever does not know it; where there are more, everybody;
    where there is none, whoever has `asked`, and whoever knows nothing while others know a leader that is gone."""
    leading = leaders(beliefs, beliefs)
    if leading:
        return {node for node, leader in beliefs.items() if len(leading) > 1 or leader not in leading}
    known = any(leader is not None for leader in beliefs.values())
    ignorant = {node for node, leader in beliefs.items() if leader is None} if known else set()
    return ignorant.union(node for node in asked if node in beliefs)
