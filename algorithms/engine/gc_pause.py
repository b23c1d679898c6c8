"""Pausing Python's cycle collector while a run executes or is watched.

A trace contains no cycles. Traversing all of it repeatedly would cost a third of the time, and each time a pause.
"""

from __future__ import annotations

import gc
from types import TracebackType

_FULL = gc.get_threshold()[2]  # collections of younger objects after which all objects are traversed
_NEVER, _SELDOM = 1_000_000_000, 10 * _FULL


def spare_old(spared: bool) -> None:
    """Collect young objects only if `spared`: traversing all objects of a long run takes 0.1 to 0.3 s.

    Otherwise old objects are collected rarely; call `tidy_up` for that when nobody is waiting.
    """
    gc.set_threshold(*gc.get_threshold()[:2], _NEVER if spared else _SELDOM)


def tidy_up() -> None:
    """Collect all objects, if a full collection is due."""
    if gc.get_count()[2] >= _FULL:
        gc.collect()


class NoCollection:
    """`with NO_COLLECTION:` disables the collector; may be nested."""

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
