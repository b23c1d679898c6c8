"""Beliefs about the leader, and the processes that have yet to learn it; for the monitors and the checker.

Beliefs map each process that is up to the leader it believes in, or None. Believing in a leader that has crashed is
no violation as long as nobody has called for another.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

Beliefs = Mapping[int, int | None]


def leaders(beliefs: Beliefs, among: Iterable[int]) -> set[int]:
    """The processes up that any of `among` believes to be the leader."""
    named = (beliefs[node] for node in among if node in beliefs)
    return {leader for leader in named if leader is not None and leader in beliefs}


def uninformed(beliefs: Beliefs, askers: Iterable[int]) -> set[int]:
    """The processes that have yet to learn the leader.

    With one leader, those that do not believe in it; with several, all. With none, the `askers`, who have called for an
    election, and those without any belief while others believe in a leader that is gone.
    """
    leading = leaders(beliefs, beliefs)
    if leading:
        return {node for node, leader in beliefs.items() if len(leading) > 1 or leader not in leading}
    without = {node for node, leader in beliefs.items() if leader is None}
    if len(without) == len(beliefs):
        without = set()
    return without.union(node for node in askers if node in beliefs)
