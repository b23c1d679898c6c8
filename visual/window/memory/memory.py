"""What the window writes down as it goes on: its settings, and the runs that nobody has saved."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from visual.window.memory import settings
from visual.window.memory.unsaved import Keeper
from visual.window.session import Session
from visual.window.state import Interface

INTERVAL = 1.0  # seconds of the interface's clock between two looks at what has changed


class Memory:
    """The memory of one window. What cannot be written is said once, and tried again all the same."""

    def __init__(self, settings_file: Path, unsaved_folder: Path) -> None:
        self._settings_file = settings_file
        self._settings = settings.Settings()
        self._keeper = Keeper(unsaved_folder)
        self._looked = 0.0
        self._told: list[str] = []  # what cannot be written

    def begin(self, interface: Interface) -> Interface:
        """The interface as it was left the last time, with a notice if that could not be read."""
        self._settings, trouble = settings.load(self._settings_file)
        interface = settings.applied(self._settings, interface)
        return interface.say(trouble, 12.0) if trouble else interface

    def keep_up(self, interface: Interface, session: Session, *, at_once: bool = False) -> Interface:
        """Write down what has changed since the last time, at most once in a while unless it is to be `at_once`."""
        if not (at_once or interface.clock >= self._looked + INTERVAL):
            return interface
        self._looked = interface.clock
        troubles = [
            *_troubles("Settings", lambda: self._keep_settings(interface)),
            *_troubles("Unsaved runs", lambda: self._keeper.keep_up(session)),
        ]
        told, self._told = self._told, troubles
        if not troubles or troubles == told:
            return interface
        return interface.say(" ".join(troubles), 12.0)

    def _keep_settings(self, interface: Interface) -> None:
        present = settings.of(interface)
        if present != self._settings:
            settings.save(present, self._settings_file)
            self._settings = present


def _troubles(what: str, keep: Callable[[], None]) -> Iterator[str]:
    """Keep it; a sentence if that cannot be done."""
    try:
        keep()
    except OSError as error:
        yield f"{what} cannot be kept: {error.strerror}, {error.filename}."
