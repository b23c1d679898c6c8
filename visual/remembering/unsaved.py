"""Runs in which something was done by hand, written down while they go on: whatever ends the program, they are there.

Each such run has a file of its own, a saved run like any other. It goes once the person saves the run elsewhere; of
the others the latest few stay and are offered in the gallery.
"""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

import platformdirs

from algorithms import scenario_file
from algorithms.engine.scenario import Event
from algorithms.engine.timeline import Timeline

MOST = 8  # files that stay


def folder() -> Path:
    """Where the files are."""
    return Path(platformdirs.user_state_dir("mutoscope")) / "unsaved"


def found(where: Path) -> list[Path]:
    """The files that are there, the latest first."""
    return sorted(where.glob("*.toml"), key=lambda file: (file.stat().st_mtime, file.name), reverse=True)


class Keeper:
    """Keeps one window's runs."""

    def __init__(self, where: Path) -> None:
        self._where = where
        self._timeline: Timeline | None = None  # whose run it is
        self._written: tuple[Event, ...] | None = None
        self._file: Path | None = None

    def keep(self, timeline: Timeline) -> None:
        """Write the run down, if what has been done by hand has changed. OSError if that cannot be done."""
        if timeline is not self._timeline:
            self._timeline, self._written, self._file = timeline, None, None
        by_hand = timeline.branch.interventions
        if by_hand == self._written:
            return
        if self._file is None:
            self._file = self._new_file(timeline.scenario.algorithm)
        scenario_file.save(scenario_file.saved_run(timeline), self._file)
        self._written = by_hand

    def forget(self, timeline: Timeline) -> None:
        """Everything done in this run is in another file."""
        if timeline is self._timeline and self._file is not None:
            self._file.unlink(missing_ok=True)
            self._written, self._file = None, None

    def _new_file(self, algorithm: str) -> Path:
        """A name that no file has, after the oldest have gone."""
        self._where.mkdir(parents=True, exist_ok=True)
        for old in found(self._where)[MOST - 1 :]:
            old.unlink(missing_ok=True)
        now = datetime.now().strftime("%Y-%m-%d-%H%M%S")
        number = 1
        while (path := self._where / f"{algorithm}-{now}-{os.getpid()}-{number}.toml").exists():
            number += 1
        return path
