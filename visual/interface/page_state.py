"""What the pages of the column at the right remember, as plain values."""

from __future__ import annotations

from typing import NamedTuple


class Sieve(NamedTuple):
    """What the list of events leaves out: kinds of events, and perhaps all that is not about the selected node."""

    hidden: frozenset[str] = frozenset()
    of_node: bool = False
