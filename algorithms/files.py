"""Reading of text files, and atomic writing of files."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable
from contextlib import suppress
from itertools import chain, count
from pathlib import Path
from shutil import copymode


def read_text(path: str | Path, errors: str = "strict") -> str:
    """The text of a file in UTF-8, without a byte order mark. OSError or UnicodeDecodeError if that fails.

    A pipe or device counts as failure: reading it might never end.
    """
    if is_special(path):
        raise OSError(errno.EINVAL, "it is not a file", str(path))
    return Path(path).read_bytes().decode("utf-8-sig", errors).replace("\r\n", "\n")


def write_whole(path: str | Path, parts: Iterable[bytes]) -> None:
    """Write the parts as one file, which replaces an existing file only once it is complete.

    A link still leads to the file, and the file keeps its mode. OSError, with the file's name, if that fails, or if
    there is something that is not a file.
    """
    target = Path(os.path.realpath(path))
    temporary = target.with_name(f".{target.name[:50]}.{os.getpid()}.part")
    try:
        if is_special(target):
            raise OSError(errno.EINVAL, "it is not a file")
        if target.exists() and not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        with temporary.open("wb") as file:
            file.writelines(parts)
        if target.exists():
            copymode(target, temporary)
        temporary.replace(target)
    except OSError as error:
        error.filename = str(path)  # missing when the disk is full
        raise
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def is_special(path: str | Path) -> bool:
    """Whether there is something other than a file: a folder, a pipe, a device, or a link that leads to itself."""
    return not os.path.isfile(path) and (os.path.exists(path) or os.path.islink(os.path.realpath(path)))


def free_path(path: Path) -> Path:
    """The path itself if nothing is there yet, else the first of name-2, name-3, … that is free."""
    others = (path.with_name(f"{path.stem}-{number}{path.suffix}") for number in count(2))
    return next(free for free in chain([path], others) if not os.path.lexists(free))
