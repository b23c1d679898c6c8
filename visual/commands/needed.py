"""What has to be installed for a piece of work, checked before any of it is done."""

from __future__ import annotations

import os
from importlib import import_module

from algorithms.bad_input import BadInput


def extra(module: str, name: str, who: str) -> None:
    """BadInput with the line that installs the extra `name`, unless `module` is there. `who` is "films need", say."""
    try:
        import_module(module)
    except ImportError:
        raise BadInput(f"{who} {module}: python -m pip install 'mutoscope[{name}]'") from None


def pygame_ce() -> None:
    """BadInput that says what to do, unless pygame-ce is what `import pygame` finds."""
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
