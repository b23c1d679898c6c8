"""Whether nothing refers to a run any more; the search passes over older objects."""

from __future__ import annotations

import gc
import time
import weakref

from algorithms.authoring.watchdog import INTERVAL
from algorithms.engine.simulation import Simulation


def pass_over_old_objects() -> None:
    """Let the collector pass over all that exists already, from now on: hundreds of megabytes in a long session.

    There is no way back: `gc.unfreeze()` would give it all that was passed over since the session began.
    """
    gc.collect()
    gc.freeze()


def is_collected(run: weakref.ref[Simulation]) -> bool:
    """Whether nothing holds the run for longer than the watchdog keeps the call that it has sampled."""
    for _ in range(20):
        gc.collect()
        if run() is None:
            return True
        time.sleep(INTERVAL / 5)
    return False
