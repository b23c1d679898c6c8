"""Pictures of the window's panels: source, counters, plots and lights, and of what one node knows."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from algorithms.bad_input import BadInput
from algorithms.engine.rewrite import system_of
from visual.drawing.export import Picture
from visual.drawing.picking import all_bounds
from visual.drawing.shapes import Box, Rect, Shape
from visual.drawing.theme import Theme
from visual.narration.local_knowledge import NO_VIEW, local_knowledge
from visual.scene.graph.layout import arrange
from visual.scene.still import Body, Still, still
from visual.window.desk import Desk
from visual.window.graph.local_view import local_graph
from visual.window.pages.plots import PLOTS
from visual.window.pages.run import counters, row_of_lights
from visual.window.pages.source import code
from visual.window.panel import Panel, View
from visual.window.run_view import RunView
from visual.window.state import Interface, Selection
from visual.window.widgets import Look
from visual.words import node_name

_TABLE = 620.0  # logical pixels: the width of the table of counters
_LIGHT = 190.0, 92.0  # … the size of a light
_CODE = 700.0  # … the width at which code has its usual size
_PLOT = 560.0, 236.0  # … the size of a plot
_LEAST_CODE, _LEAST_PLOT = 500.0, 480.0  # logical pixels that a presentation is high at most, so that text is 3 % of it
_GAP = 0.03  # of the width: around each panel


def panel_picture(run: RunView, t: float, look: Still, panel: str) -> Picture:
    """The picture of a panel, one of `PANELS`, at time t."""
    return still(run.timeline, t, look, run.cache, _panel_body(run, t, look, panel))


def local_picture(run: RunView, t: float, look: Still, node: int) -> Picture:
    """The picture of what one node knows, in its own words. BadInput if there is no such node."""
    if system_of(run.simulation.algorithm):
        raise BadInput(f"--view: {NO_VIEW}")
    if node >= run.scenario.nodes:
        last = node_name(run.scenario.nodes - 1)
        raise BadInput(f"--view: there is no {node_name(node)}; expected a node up to {last}")
    knowledge = local_knowledge(run.ledger, node)

    def body(rect: Rect, theme: Theme) -> list[Shape]:
        layout = arrange(run.simulation, rect, largest=look.largest)
        ground = Box(*rect, None)
        return local_graph(knowledge, run.simulation, layout, theme, look.options, ground)

    said = replace(look, caption=knowledge.sentence if look.caption is None else look.caption)
    picture = still(run.timeline, t, said, run.cache, body)
    title = f"Only what {node_name(node)} knows"
    return replace(picture, title=title, description=f"{title}. {knowledge.sentence}")


def _panel_body(run: RunView, t: float, look: Still, panel: str) -> Body:
    """The panel at time t, with a margin around it."""
    interface = replace(Interface().at(t), selection=Selection.of(look.selected))
    desk = Desk(run)

    def body(rect: Rect, theme: Theme) -> tuple[Shape, ...]:
        pad = _GAP * rect.w
        inner = Rect(rect.x + pad, rect.y + pad, rect.w - 2 * pad, rect.h - 2 * pad)
        view = View(interface, desk, run, Look(theme, look.unit, look.unit), inner)
        return PANELS[panel](view, look)

    return body


def _with_unit(view: View, unit: float, region: Rect) -> View:
    return view._replace(look=Look(view.look.theme, unit, unit), region=region)


def _as_large_as_fits(view: View, panel: Callable[[View], Panel], width: float) -> tuple[Shape, ...]:
    """A panel of that width in logical pixels, in the middle of the region."""
    x, y, w, h = view.region
    natural = all_bounds(panel(_with_unit(view, 1.0, Rect(0, 0, width, 10 * h))).shapes)
    unit = min(w / width, h / (natural.y + natural.h))
    region = Rect(x + (w - width * unit) / 2, y, width * unit, (natural.y + natural.h) * unit)
    return panel(_with_unit(view, unit, region._replace(y=y + (h - region.h) / 2))).shapes


def _lights(view: View, look: Still) -> tuple[Shape, ...]:
    """The lights in as many rows as make them largest."""
    verdicts = view.run.ledger.verdicts
    if not verdicts:
        raise BadInput("--crop: no properties of this algorithm are watched, so it has no lights")
    grid = _grid(len(verdicts), _LIGHT, view.region)
    width, height = (grid.unit * side for side in _LIGHT)
    x, y, w, h = view.region
    left, top = x + (w - grid.columns * width) / 2, y + (h - grid.rows * height) / 2
    shapes: list[Shape] = []
    for row in range(grid.rows):
        those = verdicts[row * grid.columns : (row + 1) * grid.columns]
        gap = view.look.theme.sizes.gap * grid.unit
        region = Rect(left, top + row * height, len(those) * width - gap, height - gap)
        shapes += row_of_lights(_with_unit(view, grid.unit, region), those).shapes
    return tuple(shapes)


def _source(view: View, look: Still) -> tuple[Shape, ...]:
    unit = max(view.look.unit, look.text * 0.6 * view.region.w / _CODE)
    if look.presenting:
        unit = max(unit, look.text * look.size[1] / _LEAST_CODE)
    return code(_with_unit(view, unit, view.region)).shapes


def _plots(view: View, look: Still) -> tuple[Shape, ...]:
    """The plots that the algorithm has, in as many columns as make them largest; in a presentation the first ones."""
    suitable = [plot for plot in PLOTS if plot.suits(view.run)]
    x, y, w, h = view.region
    grid = _grid(len(suitable), _PLOT, view.region)
    while look.presenting and grid.cells > 1 and grid.unit < look.size[1] / _LEAST_PLOT:
        grid = _grid(grid.cells - 1, _PLOT, view.region)
    width, height = w / grid.columns, h / grid.rows
    shapes: list[Shape] = []
    for place, plot in enumerate(suitable[: grid.cells]):
        row, column = divmod(place, grid.columns)
        cell = Rect(x + column * width, y + row * height, width - 0.04 * w, height - 0.03 * h)
        shapes += plot.draw(_with_unit(view, grid.unit, cell), cell)
    return tuple(shapes)


class _Grid(NamedTuple):
    """Cells in rows and columns, and the pixels per logical pixel at which they fill a region."""

    cells: int
    columns: int
    rows: int
    unit: float


def _grid(cells: int, cell: tuple[float, float], region: Rect) -> _Grid:
    """The grid whose cells are the largest."""
    grids = []
    for columns in range(1, cells + 1):
        rows = math.ceil(cells / columns)
        unit = min(region.w / columns / cell[0], region.h / rows / cell[1])
        grids.append(_Grid(cells, columns, rows, unit))
    return max(grids, key=lambda grid: grid.unit)


PANELS: dict[str, Callable[[View, Still], tuple[Shape, ...]]] = {
    "source": _source,
    "counters": lambda view, look: _as_large_as_fits(view, counters, _TABLE),
    "plots": _plots,
    "lights": _lights,
}
"""The name of a panel -> what draws it for a picture."""
