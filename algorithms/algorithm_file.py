"""A file of the catalogue -> its module, or the sentence that says where it makes no sense.

Whoever writes an algorithm of their own makes mistakes: these are theirs, not the program's.
"""

from __future__ import annotations

from importlib import import_module
from traceback import extract_tb
from types import ModuleType

from algorithms.bad_input import BadInput
from algorithms.engine.anatomy import handler_of
from algorithms.engine.process import Algorithm

LOOKS = ("ask", "grant", "announce", "token", "deny", "spurious")  # the families of messages


def load(name: str) -> ModuleType:
    """The module of that name. BadInput, with file and line, if it cannot be imported or what it declares is wrong."""
    try:
        module = import_module(name)
        if hasattr(module, "ALGORITHM"):
            _check(module.ALGORITHM)
    except Exception as error:
        file = f"{name.replace('.', '/')}.py"
        raise BadInput(f"{file}{_line_of(error, file)}: {_words_of(error)}") from error
    return module


def _check(algorithm: Algorithm) -> None:
    """Each message is handled and has a look that there is. TypeError or ValueError if not."""
    for message, look in algorithm.looks.items():
        handler_of(algorithm.process, message)
        if look not in LOOKS:
            raise ValueError(f"{message.__name__} looks {look!r}; expected one of {', '.join(LOOKS)}")


def _line_of(error: Exception, file: str) -> str:
    """Where in the file it went wrong, if it was in there."""
    if isinstance(error, SyntaxError):
        lines = [error.lineno]
    else:
        lines = [frame.lineno for frame in extract_tb(error.__traceback__) if frame.filename.endswith(file)]
    return f", line {lines[-1]}" if lines else ""


def _words_of(error: Exception) -> str:
    words = error.msg if isinstance(error, SyntaxError) else str(error)
    return f"{type(error).__name__}: {words}"
