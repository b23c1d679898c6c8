"""Runs in which something was done by hand, written down while they go on: whatever ends the program, they are there.

Each such run has a file of its own, a saved run like any other; two that are compared have one together. It goes once
the person saves the run elsewhere; of the others the latest few stay and are offered in the gallery.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

import platformdirs

from algorithms import scenario_file
from algorithms.engine.scenario import Event
from algorithms.engine.timeline import Timeline
from visual.window.desk import Desk
from visual.window.memory import settings
from visual.window.state import Interface

MOST = 8  # files that stay


def folder() -> Path:
    """Where the files are."""
    return Path(platformdirs.user_state_dir("mutoscope")) / "unsaved"


def files(where: Path) -> list[Path]:
    """The files that are there, the latest first."""
    return sorted(where.glob("*.toml"), key=lambda file: (file.stat().st_mtime, file.name), reverse=True)


class Autosave:
    """Keeps one window's runs."""

    def __init__(self, where: Path) -> None:
        self._where = where
        self._written: dict[Timeline, tuple[Event, ...]] = {}  # whose runs are in the file, and what was done by hand
        self._file: Path | None = None

    def keep_up(self, desk: Desk) -> None:
        """Write down what is not saved elsewhere, or forget what is. OSError if that cannot be done."""
        if any(run.saved_interventions != run.timeline.branch.interventions for run in desk.runs):
            self._keep(desk)
        elif {run.timeline for run in desk.runs} == set(self._written):
            self._forget()

    def _keep(self, desk: Desk) -> None:
        """Write the runs down, if what has been done by hand has changed."""
        from visual.window.compare.actions import pair_of  # the first frame does without

        done = {run.timeline: run.timeline.branch.interventions for run in desk.runs}
        if done == self._written:
            return
        if self._file is None or self._would_lose(done):
            self._file = self._new_file(desk.front.scenario.algorithm)
        scenario, beside = pair_of(desk)
        scenario_file.save(scenario, self._file, beside)
        self._written = done

    def _would_lose(self, done: dict[Timeline, tuple[Event, ...]]) -> bool:
        """Whether the file has what nobody could bring back: other runs, or what was done in one that is left out."""
        left_out = [deeds for timeline, deeds in self._written.items() if timeline not in done]
        goes_on = any(timeline in done for timeline in self._written)
        return not goes_on or any(deed.by_hand for deeds in left_out for deed in deeds)

    def _forget(self) -> None:
        """Everything done in these runs is in another file."""
        if self._file is not None:
            self._file.unlink(missing_ok=True)
        self._written, self._file = {}, None

    def _new_file(self, algorithm: str) -> Path:
        """A name that no file has, after the oldest have gone."""
        self._where.mkdir(parents=True, exist_ok=True)
        for old in files(self._where)[MOST - 1 :]:
            old.unlink(missing_ok=True)
        now = datetime.now().strftime("%Y-%m-%d-%H%M%S")
        number = 1
        while (path := self._where / f"{algorithm}-{now}-{os.getpid()}-{number}.toml").exists():
            number += 1
        return path


INTERVAL = 1.0  # seconds of the interface's clock between two looks at what has changed


class Memory:
    """The memory of one window. What cannot be written is said once, and tried again all the same."""

    def __init__(self, settings_file: Path, unsaved_folder: Path) -> None:
        self._settings_file = settings_file
        self._settings = settings.Settings()
        self._keeper = Autosave(unsaved_folder)
        self._looked = 0.0
        self._told: list[str] = []  # what cannot be written

    def begin(self, interface: Interface) -> Interface:
        """The interface as it was left the last time, with a notice if that could not be read."""
        self._settings, trouble = settings.load(self._settings_file)
        interface = settings.applied(self._settings, interface)
        return interface.say(trouble, 12.0) if trouble else interface

    def keep_up(self, interface: Interface, desk: Desk, *, at_once: bool = False) -> Interface:
        """Write down what has changed since the last time, at most once in a while unless it is to be `at_once`."""
        if not (at_once or interface.clock >= self._looked + INTERVAL):
            return interface
        self._looked = interface.clock
        troubles = [
            *_troubles("Settings", lambda: self._keep_settings(interface)),
            *_troubles("Unsaved runs", lambda: self._keeper.keep_up(desk)),
        ]
        told, self._told = self._told, troubles
        if not troubles or troubles == told:
            return interface
        return interface.say(" ".join(troubles), 12.0)

    def _keep_settings(self, interface: Interface) -> None:
        present = settings.from_interface(interface)
        if present != self._settings:
            settings.save(present, self._settings_file)
            self._settings = present


def _troubles(what: str, keep: Callable[[], None]) -> Iterator[str]:
    """Keep it; a sentence if that cannot be done."""
    try:
        keep()
    except OSError as error:
        yield f"{what} cannot be kept: {error.strerror}, {error.filename}."
