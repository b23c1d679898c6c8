"""Tests of algorithms in files from Python: what `mutoscope test` does."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from algorithms.bad_input import BadInput
from algorithms.examination import demands
from algorithms.examination.examiner import LIMIT, PASSED, examine


class Tested(NamedTuple):
    """The result of the trials of one file: "passed", "failed" or "undecided", and what was found in each."""

    status: str
    flaws: dict[str, list[str]]  # trial -> sentences, where it has not passed


def test(file: str | Path, *, against: str | Path | None = None, seconds: float = LIMIT) -> Tested:  # noqa: PT028
    """Try everything that holds for every algorithm on a file, and what the file of demands `against` adds."""
    if not Path(file).is_file():
        raise BadInput(f"{file}: there is no such file")
    spec = Path(against) if against is not None else None
    if spec:
        demands.read(spec)
    report = examine(Path(file), spec, seconds)
    return Tested(report.status, {r.trial: list(r.words) for r in report.results if r.status != PASSED})
