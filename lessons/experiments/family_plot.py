"""The plot of a family: messages and delays of its algorithms, and what each may lose to one fault."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from lessons.experiments.families import FAULTS, Measured
from lessons.laboratory import plots

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH, ROW, MARGINS = 14.0, 0.36, 1.9  # inches: of the figure, of an algorithm, and above and below them all


def plot(rows: Sequence[Measured], title: str, delay_together: str) -> Figure:
    """A row for each algorithm; `delay_together` says what the delay is when all ask."""
    figure, (messages, delays, losses) = plots.panels(3, title)
    figure.set_size_inches(WIDTH, MARGINS + ROW * len(rows))
    _spans(messages, rows, lambda row: row.messages_alone, lambda row: row.messages_together)
    _spans(delays, rows, lambda row: row.delay_alone, lambda row: row.delay_together, delay_together)
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
    axes.set(title="what one fault may break, with two processes", xlim=(-0.5, len(FAULTS) - 0.5))
    axes.set(xticks=range(len(FAULTS)), xticklabels=[f"one {f}" if f != "overtaking" else f for f in FAULTS])
    axes.set(yticks=range(len(rows)), yticklabels=[])
