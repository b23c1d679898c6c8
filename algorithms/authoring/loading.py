"""Loading of the catalogue's files, with a sentence for an author's mistake."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from importlib import import_module
from importlib.util import find_spec
from traceback import extract_tb
from types import ModuleType

from algorithms.authoring import declaration
from algorithms.authoring.origin import file_of
from algorithms.authoring.watchdog import no_endless_call
from algorithms.bad_input import BadInput
from algorithms.engine.errors import Misuse, words_of
from algorithms.files import read_text


def load_module(name: str) -> ModuleType:
    """Import a module and check its declarations. BadInput, with file and line, if that fails."""
    try:
        with no_endless_call(), redirect_stdout(sys.stderr):
            module = import_module(name)
            if hasattr(module, "ALGORITHM"):
                declaration.check_algorithm(module.ALGORITHM)
            for variants in getattr(module, "VARIANTS", {}).values():
                for variant, facts in variants.items():
                    declaration.check_variant(variant, facts)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        line = _line_of(error, name)
        raise BadInput(f"{file_of(name)}{f', line {line}' if line else ''}: {_words_of(error)}") from error
    return module


def _line_of(error: BaseException, module: str) -> int | None:
    """The line of the error if it is in the module's file, otherwise the line of its ALGORITHM."""
    if isinstance(error, SyntaxError):
        return error.lineno
    spec = find_spec(module)
    file = spec.origin if spec and spec.origin else ""
    lines = [frame.lineno for frame in extract_tb(error.__traceback__) if frame.filename == file]
    if not lines:
        text = read_text(file, "replace").splitlines()
        lines = [number for number, line in enumerate(text, start=1) if line.startswith("ALGORITHM")]
    return lines[-1] if lines else None


def _words_of(error: BaseException) -> str:
    words = error.msg if isinstance(error, SyntaxError) else words_of(error)
    return words if isinstance(error, Misuse) else f"{type(error).__name__}: {words}"
