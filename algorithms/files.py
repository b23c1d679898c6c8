"""Reading of text files, and atomic writing of files."""

from __future__ import annotations

import os
from collections.abc import Iterable
from itertools import chain, count
from pathlib import Path


def read_text(path: str | Path, errors: str = "strict") -> str:
    """The text of a file in UTF-8, without a byte order mark. OSError or UnicodeDecodeError if that fails."""
    return Path(path).read_bytes().decode("utf-8-sig", errors).replace("\r\n", "\n")


def write_whole(path: str | Path, parts: Iterable[bytes]) -> None:
    """Write the parts as one file, which replaces an existing file only once it is complete.

    OSError, with the file's name, if that fails.
    """
    path = Path(path)
    temporary = path.parent / f".{path.name}.{os.getpid()}.part"
    try:
        with temporary.open("wb") as file:
            file.writelines(parts)
        temporary.replace(path)
    except OSError as error:
        error.filename = str(path)  # missing when the disk is full
        raise
    finally:
        temporary.unlink(missing_ok=True)


def free_path(path: Path) -> Path:
    """The path itself if nothing is there yet, else the first of name-2, name-3, … that is free."""
    others = (path.with_name(f"{path.stem}-{number}{path.suffix}") for number in count(2))
    return next(free for free in chain([path], others) if not free.exists())
