"""Own modules that a test adds to the catalogue and removes."""

from __future__ import annotations

import importlib
import sys

from algorithms import catalog

OWN = "algorithms.mutual_exclusion.ricart_agrawala_token"


def forget_own() -> None:
    """Let the catalogue read its folders again, without an algorithm of one's own."""
    sys.modules.pop(OWN, None)
    vars(sys.modules["algorithms.mutual_exclusion"]).pop("ricart_agrawala_token", None)
    importlib.invalidate_caches()
    for known in (catalog.by_family, catalog.by_name, catalog._modules_by_family, catalog._in_own_file):
        known.cache_clear()
