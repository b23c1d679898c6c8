"""Runs the cases of a lab for all seeds, on several cores, and caches finished runs.

The figures of a run are stored as soon as it ends, under a digest of everything that they depend on, the program
included. So a second start resumes where the first stopped, and labs share their common runs. The order in which runs
end makes no difference.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

import platformdirs

from algorithms.files import write_whole
from lessons.laboratory.lab import Case, Figures, Results

_ROOT = Path(__file__).parents[2]
_SOURCES = ("algorithms/**/*.py", "lessons/experiments/*.py")  # sources that the figures of a run depend on


@dataclass(frozen=True)
class Run:
    """One case with one seed."""

    case: Case
    seed: int

    def figures(self) -> Figures:
        """Execute the run. Its figures pass through JSON, so fresh and cached ones are the same."""
        figures: Figures = json.loads(json.dumps(self.case.measure(self.seed, **self.case.settings)))
        return figures

    @property
    def key(self) -> str:
        """A digest of everything that its figures depend on."""
        measure = self.case.measure
        what = [program(), measure.__module__, measure.__qualname__, self.case.settings, self.seed]
        return sha256(json.dumps(what, sort_keys=True).encode()).hexdigest()[:32]


@cache
def program() -> str:
    """A digest of the source files that a run's figures depend on."""
    digest = sha256()
    for path in sorted(path for pattern in _SOURCES for path in _ROOT.glob(pattern)):
        digest.update(path.relative_to(_ROOT).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()


class Store:
    """The figures of finished runs, a small file each; by default in the user's cache folder."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or Path(platformdirs.user_cache_dir("mutoscope")) / "labs"

    def get(self, run: Run) -> Figures | None:
        """The run's figures, if they are stored. An incomplete file counts as missing."""
        try:
            figures: Figures = json.loads(self._path(run).read_text(encoding="utf-8"))
        except (FileNotFoundError, json.JSONDecodeError):
            return None
        return figures

    def has(self, run: Run) -> bool:
        """Whether the run's figures are stored."""
        return self._path(run).is_file()

    def put(self, run: Run, figures: Figures) -> None:
        """Store the run's figures."""
        path = self._path(run)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(str(path), [json.dumps(figures).encode()])

    def _path(self, run: Run) -> Path:
        return self._folder / run.key[:2] / f"{run.key}.json"


Show = Callable[[float], None]  # called with the finished share of the outstanding work


def sweep(
    cases: Mapping[str, Case], seeds: Sequence[int], store: Store, jobs: int = 1, show: Show = lambda share: None
) -> Results:
    """Run all cases: name of a case -> the figures of its runs, in the order of the seeds.

    `jobs` is the number of parallel runs; -1 means one per core.
    """
    wanted = {name: [Run(case, seed) for seed in seeds] for name, case in cases.items()}
    runs = _distinct(wanted)
    by_key = {run.key: figures for run in runs if (figures := store.get(run)) is not None}
    todo = [run for run in runs if run.key not in by_key]
    for done, (run, figures) in enumerate(_execute(todo, jobs), 1):
        store.put(run, figures)
        by_key[run.key] = figures
        show(done / len(todo))
    return {name: [by_key[run.key] for run in some] for name, some in wanted.items()}


def finished(cases: Mapping[str, Case], seeds: Sequence[int], store: Store) -> float:
    """The share of a sweep's runs that is cached, from 0 to 1."""
    runs = _distinct({name: [Run(case, seed) for seed in seeds] for name, case in cases.items()})
    return sum(store.has(run) for run in runs) / len(runs)


def _distinct(wanted: Mapping[str, Sequence[Run]]) -> list[Run]:
    """All runs, seed by seed; a run that several cases share comes once."""
    return list({run.key: run for some in zip(*wanted.values(), strict=True) for run in some}.values())


def _execute(runs: Sequence[Run], jobs: int) -> Iterator[tuple[Run, Figures]]:
    """Execute the runs; yield each with its figures as it ends."""
    if not runs:
        return iter(())
    from joblib import Parallel, delayed  # slow to import
    from joblib.externals.loky.backend import resource_tracker

    from algorithms.engine.check.helper import ctrl_c_deferred  # with the checker

    os.environ["PYTHONSAFEPATH"] = "1"  # or workers would import files of the current folder
    work = Parallel(n_jobs=jobs, return_as="generator_unordered", pre_dispatch="all", batch_size=1)
    with ctrl_c_deferred(resource_tracker.ensure_running):
        executed: Iterator[tuple[Run, Figures]] = work(delayed(_executed)(run) for run in runs)
    return executed


def _executed(run: Run) -> tuple[Run, Figures]:
    return run, run.figures()
