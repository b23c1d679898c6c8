"""Python's cycle collector, kept out of the way while a run executes, and while one is watched.

A trace holds no cycles. Walking all of it again and again would cost a third of the time, and each walk a pause.
"""

from __future__ import annotations

import gc
from types import TracebackType

_USUAL = gc.get_threshold()
_NEVER = 1_000_000_000  # collections of younger objects
_SELDOM = 10 * _USUAL[2]


def spare_old(spared: bool) -> None:
    """Whether cycles are looked for among young objects only: a look at all those of a long run takes 0.1 to 0.3 s.

    Otherwise they are looked for among the old ones seldom; `tidy_up` is to do that while nobody waits.
    """
    gc.set_threshold(*_USUAL[:2], _NEVER if spared else _SELDOM)


def tidy_up() -> None:
    """Look for cycles among all objects, if it is time for that."""
    if gc.get_count()[2] >= _USUAL[2]:
        gc.collect()


class NoCollection:
    """`with NO_COLLECTION:` no cycle is looked for within; may be nested."""

    def __init__(self) -> None:
        self._depth = 0
        self._was_enabled = False

    def __enter__(self) -> None:
        if self._depth == 0:
            self._was_enabled = gc.isenabled()
            gc.disable()
        self._depth += 1

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._depth -= 1
        if self._depth == 0 and self._was_enabled:
            gc.enable()


NO_COLLECTION = NoCollection()
