"""A command's result, on the standard output or in a complete file; its progress; and the packages that it takes."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Self, TypeVar

from algorithms.bad_input import BadInput
from algorithms.clock import wall_clock
from algorithms.engine.errors import words_of
from algorithms.files import is_special, write_whole

Kind = TypeVar("Kind", bound=str)
STANDARD = (None, "-")  # names of the standard output


def kind_of(target: str, kinds: Sequence[Kind], what: str) -> Kind:
    """The format, one of `kinds`, that the name of a file asks for. BadInput, with `what` was expected, for another."""
    for kind in kinds:
        if target.lower().endswith(f".{kind}"):
            return kind
    raise BadInput(f"{target}: expected {what} that ends in {', '.join(f'.{kind}' for kind in kinds)}")


def made_folder(name: str | None) -> Path | None:
    """The folder to write to, created if necessary; None without a name."""
    if name is None:
        return None
    try:
        Path(name).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"{name}: cannot create this folder ({error.strerror})") from None
    return Path(name)


def require_folder(name: str) -> None:
    """BadInput unless the folder of a file exists, so that nothing is drawn in vain."""
    folder = Path(name).parent
    if name not in STANDARD and len(name) < 1000 and not os.path.exists(folder):
        raise BadInput(f"{name[:200]}: cannot be written (there is no folder {folder}; create it first)")


def write(name: str | None, parts: Iterable[bytes]) -> None:
    """Write the parts, in order, to the named file or to the standard output. BadInput if that fails."""
    if name not in STANDARD:
        file = str(name)
        try:
            if is_special(file):  # a pipe or a device, which stays what it is
                with open(file, "wb") as stream:
                    stream.writelines(parts)
            else:
                write_whole(file, parts)
        except BrokenPipeError:
            raise
        except (OSError, ValueError) as error:
            require_folder(file)
            reason = error.strerror if isinstance(error, OSError) else words_of(error)
            raise BadInput(f"{file[:200]}: cannot be written ({reason})") from None
        return
    sys.stdout.flush()
    for part in parts:
        sys.stdout.buffer.write(part)


QUIET = 0.5  # seconds before a bar is worth showing
EVERY = 0.1  # seconds between two updates of the bar
WIDTH = 30


class ProgressBar:
    """The share of some work that is done; a context manager that removes the bar at the end."""

    def __init__(self, work: str) -> None:
        self._work = work
        self._is_terminal = sys.stderr.isatty()
        self._start = self._last = wall_clock()
        self._is_visible = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        """Remove the bar."""
        if self._is_visible:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def show(self, share: float) -> None:
        """Show a `share` of the work, from 0 to 1, as done."""
        if self._is_terminal:
            self._write(bar(self._work, share, wall_clock() - self._start))

    def say(self, words: str) -> None:
        """Show the progress of work whose total is unknown, in words."""
        self._write(f"{self._work}: {words}")

    def _write(self, line: str) -> None:
        now = wall_clock()
        if not self._is_terminal or now - self._start < QUIET or now - self._last < EVERY:
            return
        self._last = now
        self._is_visible = True
        sys.stderr.write(f"\r{line}\x1b[K")
        sys.stderr.flush()


def bar(work: str, share: float, spent: float) -> str:
    """ "running ━━━━━━────  60 %, 4 s left" after `spent` seconds."""
    done = round(WIDTH * share)
    left = f", {spent * (1 - share) / share:.0f} s left" if share > 0 else ""
    return f"{work} {'━' * done}{'─' * (WIDTH - done)} {100 * share:3.0f} %{left}"


# ---- packages, checked before the work begins --------------------------------------------------------------


def require_extra(module: str, extra: str, subject: str) -> None:
    """Raise BadInput with the line that installs `extra` unless `module` can be imported.

    `subject` begins the sentence: "a cluster needs".
    """
    try:
        import_module(module)
    except ImportError:
        raise BadInput(f'{subject} {module}: python -m pip install "mutoscope[{extra}]"') from None


def require_pygame_ce() -> None:
    """Raise BadInput with what to do unless `import pygame` finds pygame-ce."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # a greeting has no place in a picture's bytes
    try:
        pygame = import_module("pygame")
    except ImportError:
        raise BadInput("the window and PNG files need pygame-ce: python -m pip install pygame-ce") from None
    if not getattr(pygame, "IS_CE", False):
        raise BadInput(
            "plain pygame has overwritten pygame-ce: python -m pip uninstall -y pygame pygame-ce, "
            "then python -m pip install pygame-ce"
        )
