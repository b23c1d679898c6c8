"""Algorithms in files of one's own: named by their path, run only if a person trusts them, loaded again on demand.

The name of such an algorithm is its file's path from the working directory, "mine.py", or the whole path if it is
elsewhere. Everything that takes the name of an algorithm takes such a name.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from hashlib import sha256
from os import stat_result
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from algorithms.authoring import loading
from algorithms.authoring.origin import OWN
from algorithms.bad_input import BadInput
from algorithms.files import read_text

SUFFIX = ".py"


class OwnFile(NamedTuple):
    """A file as it was when it was loaded."""

    module: ModuleType
    digest: str
    stat: tuple[int, int]


class Untrusted(BadInput):
    """A scenario names a file whose code nobody has agreed to run."""

    def __init__(self, file: str, place: object = "") -> None:
        source = f"{place}: " if place else ""
        super().__init__(f"{source}it would run the code in {file}; add --trust if you trust that file")
        self.file = file


TRUST = "MUTOSCOPE_TRUST"  # environment variable, and so known to processes that this one starts: the trusted paths
_ALL = "*"
_loaded: dict[str, OwnFile] = {}  # name -> its file


def is_file(name: str) -> bool:
    """Whether the name of an algorithm is that of a file."""
    return name.endswith(SUFFIX)


def name_of(path: str | Path, folder: Path = Path()) -> str:
    """The name of the algorithm in a file; the path is relative to `folder`."""
    whole = (folder / path).resolve()
    here = Path().resolve()
    return (whole.relative_to(here) if whole.is_relative_to(here) else whole).as_posix()


def path_from(name: str, folder: Path | None) -> str:
    """The path of the file for a scenario in that folder: "./mine.py" if it is within, else from the root."""
    whole = Path(name).resolve()
    if folder is not None and whole.is_relative_to(folder.resolve()):
        return f"./{whole.relative_to(folder.resolve()).as_posix()}"
    return whole.as_posix()


def trust(name: str | Path) -> str:
    """Agree to run the code of a file, and return its name."""
    _trust(str(Path(name).resolve()))
    return name_of(name)


def trust_all() -> None:
    """Agree to run the code of every file that a scenario names."""
    _trust(_ALL)


def _trust(path: str) -> None:
    trusted = _trusted()
    if path not in trusted:
        os.environ[TRUST] = "\n".join([*trusted, path])


def _trusted() -> list[str]:
    return os.environ.get(TRUST, "").split("\n")


def load(name: str) -> OwnFile:
    """The file of that name, loaded once. BadInput with file and line if that fails, Untrusted if it must not run."""
    name = name_of(name)
    if {_ALL, str(Path(name).resolve())}.isdisjoint(_trusted()):
        raise Untrusted(name)
    if name not in _loaded:
        _loaded[name] = _load(name)
    return _loaded[name]


def reload(name: str) -> None:
    """Load a file again, so that new runs use it as it is now. BadInput, and the old code stays, if that fails."""
    name = name_of(name)
    state = _state_of(name) or (0, 0)
    try:
        _loaded[name] = _load(name)
    except BadInput:
        _loaded[name] = _loaded[name]._replace(stat=state)  # reported once
        raise


def changed(names: Iterable[str]) -> list[str]:
    """Those of the names whose files have been saved since they were loaded."""
    return [
        name for name in map(name_of, names) if name in _loaded and _state_of(name) not in (_loaded[name].stat, None)
    ]


def _load(name: str) -> OwnFile:
    from algorithms.engine.observe import line_trace  # the first frame does without

    state = _state_of(name)
    try:
        text = read_text(name)
    except OSError as error:
        reason = "there is no such file" if state is None else f"it cannot be read ({error.strerror})"
        raise BadInput(f"{name}: {reason}") from None
    except UnicodeDecodeError as error:
        raise BadInput(f"{name}: expected text in UTF-8, got other bytes at {error.start}") from None
    path = str(Path(name).resolve())
    module = ModuleType(f"{OWN}.f{sha256(path.encode()).hexdigest()[:12]}")
    module.__file__ = path
    before = sys.modules.get(module.__name__)
    sys.modules[module.__name__] = module
    try:
        loading.load_text(module, text)
        if not hasattr(module, "ALGORITHM"):
            raise BadInput(f"{name}: expected ALGORITHM = Algorithm(name=…, …) in the file")
    except BadInput:
        _put_back(module.__name__, before)
        raise
    line_trace.remember_text(path, text)
    return OwnFile(module, sha256(text.encode()).hexdigest()[:16], state or (0, 0))


def _put_back(name: str, before: ModuleType | None) -> None:
    del sys.modules[name]
    if before is not None:
        sys.modules[name] = before


def _state_of(name: str) -> tuple[int, int] | None:
    """Size and time of the file's last change; None if there is no file."""
    try:
        found: stat_result = Path(name).stat()
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_size
