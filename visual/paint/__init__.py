"""Draws shapes on pygame surfaces; with the window, the only part that imports pygame.

painter = Painter(theme, scale=1.0)
painter.draw(surface, shapes)
"""

from visual.paint.painter import Painter

__all__ = ["Painter"]
