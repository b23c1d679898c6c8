"""Writing files so that each is whole or not there."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from algorithms.bad_input import BadInput


def write_whole(path: str | Path, parts: Iterable[bytes]) -> None:
    """Write the parts, one after the other, as a file, replacing what is there only when all is written.

    BadInput if it cannot be written there.
    """
    path = Path(path)
    beside = path.parent / f".{path.name}.{os.getpid()}.part"
    try:
        with beside.open("wb") as file:
            file.writelines(parts)
        beside.replace(path)
    except OSError as error:
        raise BadInput(f"{path}: cannot be written ({error.strerror})") from None
    finally:
        beside.unlink(missing_ok=True)
