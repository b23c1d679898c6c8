"""How much of a run is executed between two looks at the clock, so that no frame waits long for it."""

from __future__ import annotations

_STEPS = 200
_LARGE = 15  # nodes of a system from which one step may be long: it may send to all others


def steps_of_slice(nodes: int) -> int:
    """So many steps of a system with so many nodes."""
    return max(1, _STEPS * _LARGE // max(_LARGE, nodes))
