"""Loading of the catalogue's files, with a sentence for an author's mistake."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from importlib import import_module
from importlib.util import find_spec
from traceback import extract_tb
from types import ModuleType

from algorithms.authoring import declaration
from algorithms.authoring.origin import OWN, file_of
from algorithms.authoring.watchdog import no_endless_call
from algorithms.bad_input import BadInput
from algorithms.engine.errors import Misuse, words_of
from algorithms.files import read_text


def load_module(name: str) -> ModuleType:
    """Import a module and check its declarations. BadInput, with file and line, if that fails."""
    with _guard(name):
        module = import_module(name)
        _check(module)
    return module


def load_text(module: ModuleType, text: str) -> None:
    """Execute the text of the module's file in it, and check its declarations. BadInput as for `load_module`."""
    with _guard(module.__name__):
        exec(compile(text, str(module.__file__), "exec"), vars(module))
        _check(module)


def _check(module: ModuleType) -> None:
    if hasattr(module, "ALGORITHM"):
        declaration.check_algorithm(module.ALGORITHM)
    for variants in getattr(module, "VARIANTS", {}).values():
        for variant, facts in variants.items():
            declaration.check_variant(variant, facts)


@contextmanager
def _guard(name: str) -> Iterator[None]:
    """Turn an error while a module is loaded into BadInput."""
    try:
        with no_endless_call(), redirect_stdout(sys.stderr):
            yield
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        line = _line_of(error, name)
        raise BadInput(f"{file_of(name)}{f', line {line}' if line else ''}: {_words_of(error)}") from error


def _line_of(error: BaseException, module: str) -> int | None:
    """The line of the error if it is in the module's file, otherwise the line of its ALGORITHM."""
    if isinstance(error, SyntaxError):
        return error.lineno
    file = _path_of(module)
    lines = [frame.lineno for frame in extract_tb(error.__traceback__) if frame.filename == file]
    if not lines:
        text = read_text(file, "replace").splitlines()
        lines = [number for number, line in enumerate(text, start=1) if line.startswith("ALGORITHM")]
    return lines[-1] if lines else None


def _path_of(module: str) -> str:
    """The path of a module's file, also of one that cannot be imported."""
    if module.startswith(f"{OWN}."):
        return str(sys.modules[module].__file__)
    spec = find_spec(module)
    return spec.origin if spec and spec.origin else ""


def _words_of(error: BaseException) -> str:
    words = error.msg if isinstance(error, SyntaxError) else words_of(error)
    return words if isinstance(error, Misuse) else f"{type(error).__name__}: {words}"
