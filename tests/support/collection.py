"""Whether nothing refers to a run any more; the search passes over older objects."""

from __future__ import annotations

import gc
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager

from algorithms.authoring.watchdog import INTERVAL
from algorithms.engine.simulation import Simulation


@contextmanager
def only_new_objects() -> Iterator[None]:
    """Let the collector pass over all that exists already: hundreds of megabytes in a long session."""
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def is_collected(run: weakref.ref[Simulation]) -> bool:
    """Whether nothing holds the run for longer than the watchdog keeps the call that it has sampled."""
    for _ in range(20):
        gc.collect()
        if run() is None:
            return True
        time.sleep(INTERVAL / 5)
    return False
