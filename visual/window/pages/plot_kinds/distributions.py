"""Plots of distributions: durations as histograms, and messages by node."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from algorithms.engine.observe.series import Samples
from visual.drawing.shapes import Rect, Shape
from visual.window.pages.plot_kinds.chart import Axis, Chart, number, round_step
from visual.window.panel import View
from visual.window.run_view import RunView
from visual.words import node_name

CLASSES = 12  # the approximate number of classes of durations


class Durations(NamedTuple):
    """Measured durations, with a heading and a sentence for before there are any."""

    title: str
    samples: Samples
    nothing: str


def durations_of(run: RunView) -> Durations:
    """The durations that matter in a run: of elections, turns or waiting."""
    algorithm, ledger = run.simulation.algorithm, run.ledger
    if algorithm.is_election():
        return Durations("how long elections took", ledger.turnarounds, "no election is over yet")
    if algorithm.paced_by:
        return Durations("time between turns of a node", ledger.intervals, "nobody has had a turn yet")
    return Durations("waiting time", ledger.waiting_times, "nobody has waited and entered yet")


def classes(samples: Samples, step: int) -> tuple[float, list[int]]:
    """The width of the classes, and the number of samples in each."""
    longest = samples.spread(step).max or 0.0
    width = round_step(longest / CLASSES) if longest else 1.0
    count = int(longest / width) + 1
    return width, samples.histogram(step, width, count)


def draw_durations(view: View, region: Rect) -> list[Shape]:
    """A histogram of the durations."""
    run, look = view.run, view.look
    durations, step = durations_of(run), run.timeline.step
    spread = durations.samples.spread(step)
    width, counts = classes(durations.samples, step)
    share = [count / max(spread.samples, 1) for count in counts]
    highest = max([*share, 0.05])
    top = round_step(highest / 4)
    y = Axis(0, top * -int(-highest // top), share=True)
    note = f"mean {_short(spread.mean)}, longest {_short(spread.max)}" if spread.mean is not None else ""
    columns = max(len(counts), 2)
    chart = Chart(look, region, Axis(0, columns, "time"), y, durations.title, note)
    labels = [(place / width, number(place)) for place in Axis(0, columns * width).ticks(chart.area.w / look.px(70))]
    shapes = chart.frame(labels)
    if not spread.samples:
        return [*shapes, chart.message(durations.nothing)]
    return [*shapes, *chart.bars(share, look.theme.accent, 0.9, 0.05)]


def _short(value: float | None) -> str:
    return "–" if value is None else number(round(value, 1 if value < 100 else 0))


# ---- messages that each node has handled -------------------------------------------------------------------

_SINGLE = 64  # nodes: with more, bars are too thin to be told apart


def has_messages(run: RunView) -> bool:
    """Whether the algorithm sends messages."""
    return bool(run.simulation.algorithm.looks)


def _busiest(handled: Sequence[int], most: int) -> str:
    """The node with most messages, or the number of such nodes."""
    shared = handled.count(most)
    return node_name(handled.index(most)) if shared == 1 else f"{shared} nodes"


def draw_messages_handled(view: View, region: Rect) -> list[Shape]:
    """A bar per node, or for many nodes the outline of the bars."""
    look = view.look
    handled = view.run.ledger.counters().handled_per_node
    most, nodes = max(handled), len(handled)
    step = max(1.0, round_step(max(most, 4) / 4))
    y = Axis(0, step * -int(-max(most, 4) // step), whole=True)
    mean = sum(handled) / nodes
    note = f"mean {number(round(mean, 1))}, most {most:,} ({_busiest(handled, most)})" if most else ""
    chart = Chart(look, region, Axis(0, nodes, whole=True), y, "messages handled", note)
    every = max(1, round(round_step(nodes / (chart.area.w / look.px(70)))))
    shapes = chart.frame([(node + 0.5, node_name(node)) for node in range(0, nodes, every)])
    if not most:
        return [*shapes, chart.message("no message has arrived yet")]
    if nodes <= _SINGLE:
        return [*shapes, *chart.bars(handled, look.theme.accent, 0.8, 0.1)]
    steps = [*enumerate(map(float, handled)), (nodes, float(handled[-1]))]
    return [*shapes, *chart.hill(steps, look.theme.accent)]
