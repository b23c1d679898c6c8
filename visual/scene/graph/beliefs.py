"""What nodes believe of others, drawn on the believer's own end of the way to them: belief is not truth."""

from __future__ import annotations

from visual.drawing.shapes import Shape, Text
from visual.drawing.theme import Theme
from visual.narration.node_facts import Facts
from visual.scene.graph.layout import Layout
from visual.scene.options import Options, measures

SUSPICION = "✕?"
_FAR = 1.62  # from the believer's middle, in radii


def suspicions(facts: list[Facts], layout: Layout, theme: Theme, options: Options) -> list[Shape]:
    """A sign for each process that another takes for crashed."""
    sizes = measures(layout, theme, options)
    if not sizes.chip:
        return []
    signs: list[Shape] = []
    for seen in facts:
        for other in seen.suspects:
            x, y, ux, uy, _ = layout.ways[seen.node, other]
            far = _FAR * sizes.radius
            signs.append(
                Text(
                    x + ux * far,
                    y + uy * far,
                    SUSPICION,
                    sizes.chip,
                    theme.fault_text,
                    "bold",
                    "sans",
                    "middle",
                    "middle",
                    theme.paper,
                )
            )
    return signs
