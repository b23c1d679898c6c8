"""Writing files so that each is whole or not there."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path


def write_whole(path: str | Path, parts: Iterable[bytes]) -> None:
    """Write the parts, one after the other, as a file, replacing what is there only when all is written.

    OSError, with the file's name, if that cannot be done.
    """
    path = Path(path)
    beside = path.parent / f".{path.name}.{os.getpid()}.part"
    try:
        with beside.open("wb") as file:
            file.writelines(parts)
        beside.replace(path)
    except OSError as error:
        error.filename = str(path)  # on a full disk it has none
        raise
    finally:
        beside.unlink(missing_ok=True)
