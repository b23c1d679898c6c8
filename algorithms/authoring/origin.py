"""The origin of code: an author's algorithm, or the program itself."""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType

OWN = "algorithms.own"  # the package in whose name the files of a person's own are loaded
_PROGRAM = ("authoring", "engine", "examination", "scenario_format")  # packages without algorithms


def file_of(module: str) -> str:
    """The file of a module, by its name; that of a person's own from the working directory if it is there."""
    if module.startswith(f"{OWN}."):
        path = Path(str(sys.modules[module].__file__))
        return str(path.relative_to(Path().resolve()) if path.is_relative_to(Path().resolve()) else path)
    return f"{module.replace('.', '/')}.py"


def module_of(frame: FrameType) -> str:
    """The name of the module whose code runs in the frame."""
    return str(frame.f_globals.get("__name__"))


def is_algorithm_code(frame: FrameType) -> bool:
    """Whether the code in the frame comes from the file of an algorithm."""
    package, *inner = module_of(frame).split(".")
    has_file = not frame.f_code.co_filename.startswith("<")  # the generated methods of a message have none
    return has_file and package == "algorithms" and len(inner) > 1 and inner[0] not in _PROGRAM
