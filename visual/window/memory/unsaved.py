"""Automatic saving of runs with interventions, so that they survive any end of the program.

Each such run, or pair of runs, has a file like any saved run. The file is deleted once the person saves the run
elsewhere; the latest of the others stay and are offered in the gallery.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

import platformdirs

from algorithms import scenario_file
from algorithms.engine.errors import words_of
from algorithms.engine.scenario import Event
from algorithms.engine.timeline import Timeline
from visual.window.desk import Desk
from visual.window.memory import settings
from visual.window.state import Interface

MOST = 8  # files that stay


def folder() -> Path:
    """The folder of the files."""
    return Path(platformdirs.user_state_dir("mutoscope")) / "unsaved"


def files(where: Path) -> list[Path]:
    """The files in a folder, latest first. Links to nothing, pipes and folders are none; nor is what nobody may see."""
    try:
        found = [file for file in where.glob("*.toml") if os.path.isfile(file)]
    except OSError:
        return []
    return sorted(found, key=lambda file: (_changed(file), file.name), reverse=True)


def _changed(file: Path) -> float:
    """The time of the file's last change; 0 if it has disappeared since."""
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0


class Autosave:
    """The automatic saving of one window's runs."""

    def __init__(self, where: Path) -> None:
        self._where = where
        self._written: dict[Timeline, tuple[Event, ...]] = {}  # run in the file -> its interventions
        self._file: Path | None = None

    def is_behind(self, desk: Desk) -> bool:
        """Whether the file is not what it should be: these runs' interventions, or none if they are saved elsewhere."""
        done = _done(desk)
        return done != self._written if _is_unsaved(desk) else done.keys() == self._written.keys()

    def keep_up(self, desk: Desk) -> None:
        """Save the runs, or delete the file if they are saved elsewhere. May raise OSError."""
        if not self.is_behind(desk):
            return
        if _is_unsaved(desk):
            self._save(desk, _done(desk))
        else:
            self._delete()

    def _save(self, desk: Desk, done: dict[Timeline, tuple[Event, ...]]) -> None:
        from visual.window.compare import pair_of  # the first frame does without

        if self._file is None or self._would_lose(done):
            self._file = self._new_file(Path(desk.front.scenario.algorithm).stem)
        scenario, beside = pair_of(desk)
        scenario_file.save(scenario, self._file, beside)
        self._written = done

    def _would_lose(self, done: dict[Timeline, tuple[Event, ...]]) -> bool:
        """Whether saving would lose other runs of the file, or interventions of one that is gone."""
        removed = [events for timeline, events in self._written.items() if timeline not in done]
        continues = any(timeline in done for timeline in self._written)
        return not continues or any(event.by_hand for events in removed for event in events)

    def _delete(self) -> None:
        """Delete the file, since the runs are saved elsewhere."""
        if self._file is not None:
            self._file.unlink(missing_ok=True)
        self._written, self._file = {}, None

    def _new_file(self, algorithm: str) -> Path:
        """A free file name, after deleting the oldest files."""
        self._where.mkdir(parents=True, exist_ok=True)
        for old in files(self._where)[MOST - 1 :]:
            old.unlink(missing_ok=True)
        now = datetime.now().strftime("%Y-%m-%d-%H%M%S")
        number = 1
        while os.path.lexists(path := self._where / f"{algorithm}-{now}-{os.getpid()}-{number}.toml"):
            number += 1
        return path


def _done(desk: Desk) -> dict[Timeline, tuple[Event, ...]]:
    """The interventions in each run."""
    return {run.timeline: run.timeline.branch.interventions for run in desk.runs}


def _is_unsaved(desk: Desk) -> bool:
    """Whether the person's files lack an intervention."""
    return any(run.saved_interventions != run.timeline.branch.interventions for run in desk.runs)


INTERVAL = 1.0  # seconds of the interface's clock between two checks for changes


class Memory:
    """The memory of one window. An error is reported once, and writing is tried again."""

    def __init__(self, settings_file: Path, unsaved_folder: Path) -> None:
        self._settings_file = settings_file
        self._settings = settings.Settings()
        self._autosave = Autosave(unsaved_folder)
        self._checked_at = 0.0
        self._saved_at = -INTERVAL  # when runs were
        self._recorded: object = None  # the attempt at a lesson, and its revision, as last written
        self._errors: list[str] = []  # as last reported

    def begin(self, interface: Interface) -> Interface:
        """The interface with the saved settings, and a notice if they cannot be read."""
        self._settings, trouble = settings.load(self._settings_file)
        interface = settings.applied(self._settings, interface)
        return interface.say(trouble, 12.0) if trouble else interface

    def keep_up(self, interface: Interface, desk: Desk, *, at_once: bool = False) -> Interface:
        """Write changes, once per INTERVAL or `at_once`; an intervention at once, before another run can be opened."""
        clock = interface.clock
        is_behind = self._autosave.is_behind(desk)
        is_due = clock >= self._checked_at + INTERVAL or (is_behind and clock >= self._saved_at + INTERVAL)
        if not (at_once or is_due):
            return interface
        self._checked_at = clock
        if is_behind:
            self._saved_at = clock
        errors = [
            *_errors("Settings", lambda: self._save_settings(interface)),
            *_errors("Unsaved runs", lambda: self._autosave.keep_up(desk)),
            *_errors("Progress", lambda: self._save_progress(interface, desk)),
        ]
        is_new = errors and errors != self._errors
        self._errors = errors
        return interface.say(" ".join(errors), 12.0) if is_new else interface

    def _save_settings(self, interface: Interface) -> None:
        present = settings.from_interface(interface)
        if present != self._settings:
            settings.save(present, self._settings_file)
            self._settings = present

    def _save_progress(self, interface: Interface, desk: Desk) -> None:
        """Record the progress in a lesson; nothing while presenting, since the audience answers then."""
        attempt = desk.lesson
        if attempt is None or interface.display.presenting:
            return
        present = (attempt, attempt.revision)
        if present != self._recorded:
            from visual.window.memory import progress  # the first frame does without

            known = progress.load(progress.path())
            progress.record(known, attempt)
            progress.save(known, progress.path())
            self._recorded = present


def _errors(what: str, save: Callable[[], None]) -> Iterator[str]:
    """Save something; yields a sentence if that fails."""
    try:
        save()
    except OSError as error:
        yield f"{what} cannot be kept: {error.strerror}, {error.filename}."
    except (ValueError, RecursionError) as error:  # a text that is not UTF-8, say
        yield f"{what} cannot be kept: {words_of(error)}."
