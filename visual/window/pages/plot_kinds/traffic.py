"""How the work is spread: the messages that each node has handled."""

from __future__ import annotations

from collections.abc import Sequence

from visual.drawing.shapes import Rect, Shape
from visual.window.pages.plot_kinds.chart import Axis, Chart, number, round_step
from visual.window.panel import View
from visual.window.run_view import RunView
from visual.words import node_name

_SINGLE = 64  # nodes: with more, bars are too thin to stand apart


def fits(run: RunView) -> bool:
    """Whether messages are sent at all."""
    return bool(run.simulation.algorithm.looks)


def _who(handled: Sequence[int], most: int) -> str:
    """The node that has handled most, or how many share that."""
    shared = handled.count(most)
    return node_name(handled.index(most)) if shared == 1 else f"{shared} nodes"


def draw(view: View, region: Rect) -> list[Shape]:
    """A bar for each node; of many nodes the outline of all bars."""
    look = view.look
    handled = view.run.ledger.counters().handled_per_node
    most, nodes = max(handled), len(handled)
    step = max(1.0, round_step(max(most, 4) / 4))
    y = Axis(0, step * -int(-max(most, 4) // step), whole=True)
    mean = sum(handled) / nodes
    note = f"mean {number(round(mean, 1))}, most {most:,} ({_who(handled, most)})" if most else ""
    chart = Chart(look, region, Axis(0, nodes, whole=True), y, "messages handled", note)
    every = max(1, round(round_step(nodes / (chart.area.w / look.px(70)))))
    shapes = chart.frame([(node + 0.5, node_name(node)) for node in range(0, nodes, every)])
    if not most:
        return [*shapes, chart.said("no message has arrived yet")]
    if nodes <= _SINGLE:
        return [*shapes, *chart.bars(handled, look.theme.accent, 0.8, 0.1)]
    steps = [*enumerate(map(float, handled)), (nodes, float(handled[-1]))]
    return [*shapes, *chart.hill(steps, look.theme.accent)]
