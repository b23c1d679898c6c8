"""Which code is an algorithm's own: its author's mistakes are told with their place in the file."""

from __future__ import annotations

from types import FrameType

_OURS = ("authoring", "engine", "scenario_format")  # packages beside those with algorithms


def file_of(module: str) -> str:
    """The file of a module, as its name tells."""
    return f"{module.replace('.', '/')}.py"


def module_of(frame: FrameType) -> str:
    """The name of the module whose code runs in the frame."""
    return str(frame.f_globals.get("__name__"))


def is_of_an_algorithm(frame: FrameType) -> bool:
    """Whether what runs in the frame stands in the file of an algorithm."""
    package, *inner = module_of(frame).split(".")
    is_written = not frame.f_code.co_filename.startswith("<")  # a message's own methods are in no file
    return is_written and package == "algorithms" and len(inner) > 1 and inner[0] not in _OURS
