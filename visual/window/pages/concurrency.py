"""How many processes are in the critical section, over the last stretch of time, and for what shares of the time."""

from __future__ import annotations

from itertools import pairwise

from visual.drawing.shapes import Box, Shape
from visual.window.pages.plot_kinds.chart import Axis, Chart, hatch
from visual.window.panel import Panel, View
from visual.words.names import naming

_FLIGHTS = 60.0  # mean delays that the plot is wide
_PRESENT = 0.85  # where the present is, once the run is longer than the plot is wide


def concurrency(view: View) -> Panel:
    """The step function up to the present, and the shares of all the time; more than one inside stands out.

    Of several resources all are counted together.
    """
    session, look, theme, time = view.session, view.look, view.look.theme, view.interface.time
    width = min(max(_FLIGHTS * (session.scenario.network.delay.mean or 1.0), 1.0), session.horizon)
    start = max(0.0, time - _PRESENT * width)
    points = session.ledger.concurrency_curve(start)
    steps = [*points, (time, points[-1][1])]
    highest = max(2, *(count for _, count in points))
    axes = Axis(start, start + width, "time"), Axis(0, highest + 0.3, whole=True)
    chart = Chart(look, view.region, *axes, "in the CS", _shares(view))
    shapes: list[Shape] = chart.frame()
    foot = chart.area.y + chart.area.h
    meant = session.run.algorithm.paced_by or naming(session.run).several  # it is no fault then
    fill = hatch(look) if meant else f"{theme.fault}66"
    for (since, count), (until, _) in pairwise(steps):
        if count > 1:
            x, y = chart.x(since), chart.y(count)
            shapes.append(Box(x, y, max(chart.x(until) - x, 1.0), foot - y, fill, None, 0))
    return Panel((*shapes, *chart.stairs(steps, theme.accent, 3.5), chart.now(time)))


def _shares(view: View) -> str:
    """ "0: 38 %  1: 62 %  2+: 0 %"."""
    spent = view.session.ledger.counters(view.interface.time).concurrency
    whole = sum(spent.values())
    if not whole:
        return ""
    more = sum(time for count, time in spent.items() if count > 1)
    parts = (("0", spent.get(0, 0.0)), ("1", spent.get(1, 0.0)), ("2+", more))
    return "   ".join(f"{name}: {100 * time / whole:.0f} %" for name, time in parts)
