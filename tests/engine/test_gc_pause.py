"""The window spares old objects; how often young ones are collected is for others to say."""

from __future__ import annotations

import gc

from algorithms.engine.gc_pause import spare_old


def test_how_often_young_objects_are_collected_stays_as_it_was_set():
    before = gc.get_threshold()
    try:
        gc.set_threshold(12_345, 17, 10)
        for spared in (True, False):
            spare_old(spared)
            *young, old = gc.get_threshold()
            assert young == [12_345, 17]
            assert (old > 1_000_000) == spared
    finally:
        gc.set_threshold(*before)
