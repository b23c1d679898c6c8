"""Ways of drawing that networkx has; it is imported when one of them is chosen."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from algorithms.engine.topology import Edge
from visual.drawing.shapes import Point

NAMES = ("spring", "spiral", "planar")
"""networkx has them as `spring_layout` and so on; all are the same each time."""


@lru_cache(maxsize=8)
def spread_by(name: str, nodes: int, links: tuple[Edge, ...]) -> tuple[Point, ...]:
    """A place in the unit square for each node."""
    import networkx

    graph = networkx.Graph()
    graph.add_nodes_from(range(nodes))
    graph.add_edges_from(links)
    draw: Callable[..., dict[int, Point]] = getattr(networkx, f"{name}_layout")
    try:
        found = draw(graph, **({"seed": 0} if name == "spring" else {}))
    except networkx.NetworkXException:  # not every graph can be drawn without crossings
        found = networkx.circular_layout(graph)
    places = [found[node] for node in range(nodes)]
    xs, ys = [_fitted([place[axis] for place in places]) for axis in (0, 1)]
    return tuple(zip(xs, ys, strict=True))


def _fitted(values: list[float]) -> list[float]:
    """The values stretched from 0 to 1; all in the middle where they are the same."""
    low, high = min(values), max(values)
    return [(float(v) - low) / (high - low) if high > low else 0.5 for v in values]
