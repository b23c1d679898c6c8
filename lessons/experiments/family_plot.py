"""The plot of a family: messages and delays of its algorithms, and what each may lose to one fault."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from lessons.experiments.families import FAULTS, Measured
from lessons.laboratory import plots

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROW, MARGINS = 0.32, 1.9  # inches: of an algorithm, and above and below them all
ASPECT = plots.SIZE[0] / plots.SIZE[1]  # the place of a plot in the window has it


_WHEN_ALL_ASK = {
    "mutual exclusion": "mean per entry, and mean delay from an exit to the next entry",
    "election": "messages of the election, and delay until everyone knows the leader",
}


def plot(rows: Sequence[Measured], family: str, nodes: int) -> Figure:
    """A row for each algorithm of the family, measured with that number of processes."""
    figure, (messages, delays, losses) = plots.panels(3, f"{family}, n = {nodes}")
    height = MARGINS + ROW * len(rows)
    figure.set_size_inches(ASPECT * height, height)
    grid = messages.get_gridspec()
    assert grid is not None
    grid.set_width_ratios((1, 1, 1.6))
    _spans(messages, rows, lambda row: row.messages_alone, lambda row: row.messages_together)
    _spans(delays, rows, lambda row: row.delay_alone, lambda row: row.delay_together, _WHEN_ALL_ASK[family])
    _lost(losses, rows)
    messages.set(title="messages", yticks=range(len(rows)), yticklabels=[row.title for row in rows])
    delays.set(title="delay, in message times", yticks=range(len(rows)), yticklabels=[])
    for axes in (messages, delays, losses):
        axes.set_ylim(len(rows) - 0.5, -0.5)
    figure.legend(*delays.get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return figure


def _spans(
    axes: Axes,
    rows: Sequence[Measured],
    alone: Callable[[Measured], tuple[float, float]],
    together: Callable[[Measured], float],
    when_all: str = "",
) -> None:
    """Lines from the least to the most when one process asks, and marks where all ask."""
    places = range(len(rows))
    low, high = zip(*map(alone, rows), strict=True)
    axes.hlines(places, low, high, color=plots.BLUE, linewidth=3)
    axes.plot([*low, *high], [*places, *places], "o", color=plots.BLUE, label="one process asks: least and most")
    axes.plot(
        list(map(together, rows)),
        places,
        "s",
        ms=11,
        mew=2,
        mfc="none",
        color=plots.ORANGE,
        label=f"all ask: {when_all}",
    )
    axes.set_xlim(left=-0.02 * axes.get_xlim()[1])


def _lost(axes: Axes, rows: Sequence[Measured]) -> None:
    """The properties that a fault may cost, written into the row of the algorithm and the column of the fault."""
    for place, row in enumerate(rows):
        for column, fault in enumerate(FAULTS):
            if row.lost[fault]:
                words = ", ".join(row.lost[fault])
                axes.text(column, place, words, ha="center", va="center", fontsize=9, color=plots.INK)
    axes.grid(visible=False)
    axes.set(title="broken by a fault, n = 2", xlim=(-0.5, len(FAULTS) - 0.5))
    axes.set(xticks=range(len(FAULTS)), xticklabels=[f"one {f}" if f != "overtaking" else f for f in FAULTS])
    axes.set(yticks=range(len(rows)), yticklabels=[])
