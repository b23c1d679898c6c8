"""Writing a command's result to the standard output, or to a file that exists only when it is complete."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeVar

from algorithms.bad_input import BadInput
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
