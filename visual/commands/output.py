"""Writing a command's result to the standard output, or to a file that exists only when it is complete."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from algorithms.bad_input import BadInput
from algorithms.files import write_whole

STANDARD = (None, "-")  # names of the standard output


def write(name: str | None, parts: Iterable[bytes]) -> None:
    """Write the parts, in order, to the named file or to the standard output. BadInput if that fails."""
    if name not in STANDARD:
        try:
            write_whole(str(name), parts)
        except OSError as error:
            folder = Path(str(name)).parent
            reason = error.strerror if folder.exists() else f"there is no folder {folder}; create it first"
            raise BadInput(f"{name}: cannot be written ({reason})") from None
        return
    sys.stdout.flush()
    for part in parts:
        sys.stdout.buffer.write(part)
