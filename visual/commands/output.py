"""Where a command's result goes: the program's output, or a file that is there only when it is whole."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from algorithms.bad_input import BadInput
from algorithms.files import write_whole

STANDARD = (None, "-")  # names of the program's own output


def write(name: str | None, parts: Iterable[bytes]) -> None:
    """Write the parts, one after the other, to the file of that name or to the output. BadInput if that cannot be."""
    if name not in STANDARD:
        try:
            write_whole(str(name), parts)
        except OSError as error:
            raise BadInput(f"{name}: cannot be written ({error.strerror})") from None
        return
    sys.stdout.flush()
    for part in parts:
        sys.stdout.buffer.write(part)
