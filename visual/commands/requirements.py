"""Packages that a piece of work requires, checked before the work begins."""

from __future__ import annotations

import os
from importlib import import_module

from algorithms.bad_input import BadInput


def require_extra(module: str, extra: str, subject: str) -> None:
    """Raise BadInput with the line that installs `extra` unless `module` can be imported.

    `subject` begins the sentence: "a cluster needs".
    """
    try:
        import_module(module)
    except ImportError:
        raise BadInput(f"{subject} {module}: python -m pip install 'mutoscope[{extra}]'") from None


def require_pygame_ce() -> None:
    """Raise BadInput with what to do unless `import pygame` finds pygame-ce."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # a greeting has no place in a picture's bytes
    try:
        pygame = import_module("pygame")
    except ImportError:
        raise BadInput("the window and PNG files need pygame-ce: python -m pip install pygame-ce") from None
    if not getattr(pygame, "IS_CE", False):
        raise BadInput(
            "plain pygame has overwritten pygame-ce: python -m pip uninstall -y pygame pygame-ce, "
            "then python -m pip install pygame-ce"
        )
