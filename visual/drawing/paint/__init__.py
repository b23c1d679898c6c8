"""Draws shapes on pygame surfaces; with the window, the only part that imports pygame.

painter = Painter(theme, scale=1.0)
painter.draw(surface, shapes)
"""

import os

# pygame greets on standard output, where a picture may be going
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame

if not getattr(pygame, "IS_CE", False):
    raise ImportError(
        "pygame has overwritten pygame-ce, which Mutoscope draws with: "
        "run `pip uninstall pygame` and then `pip install --force-reinstall pygame-ce`"
    )

from visual.drawing.paint.painter import Painter, png, render

__all__ = ["Painter", "png", "render"]
