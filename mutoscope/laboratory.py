"""The labs from Python: a table or figure of a paper, reproduced."""

from __future__ import annotations

from typing import Any


def lab(name: str, *, seeds: int | None = None, quick: bool = False, jobs: int = -1) -> dict[str, Any]:
    """Measure a lab; what `mutoscope lab NAME --json` prints. Finished runs are kept for the next time."""
    from lessons.laboratory import catalog  # loads every lab
    from lessons.laboratory.lab import LabReport
    from lessons.laboratory.sweep import Store, sweep

    found = catalog.find(name)
    count = found.seeds_of(seeds, quick)
    results = sweep(found.cases, range(1, count + 1), Store(), jobs, lambda *progress: None)
    return LabReport(found, count, tuple(found.rows(results))).as_json()
