"""Plots of labs, as PNG and SVG: the same figures always give the same bytes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from statistics import mean, stdev
from typing import TYPE_CHECKING, Any

from algorithms.files import write_whole
from lessons.laboratory.lab import Results

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BLUE, ORANGE, GREEN, PINK, SKY = "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9"  # Okabe & Ito
MARKERS = {BLUE: "o", ORANGE: "s", GREEN: "^", PINK: "D", SKY: "v"}  # so that curves are told apart without colour
COLOURS = (BLUE, ORANGE, GREEN, PINK, SKY, "#1A1A1A")
INK, MUTED = "#1A1A1A", "#595959"
SIZE, DPI = (8.0, 4.5), 120  # so that letters of 13 points are 12 pixels in a window of 1280x720

_STYLE: Any = {  # names that matplotlib checks when it is used
    "font.family": "DejaVu Sans",
    "font.size": 13,
    "figure.titlesize": "medium",
    "axes.titlesize": "medium",
    "legend.fontsize": "small",
    "svg.hashsalt": "mutoscope",
    "svg.fonttype": "none",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": MUTED,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#DDDDDD",
    "legend.frameon": False,
    "lines.linewidth": 2.0,
}


def panels(count: int, title: str) -> tuple[Figure, list[Axes]]:
    """A figure with `count` plots side by side."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # slow to import
    from matplotlib.figure import Figure

    figure = Figure(figsize=SIZE, dpi=DPI, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots(1, count, squeeze=False)[0]
    for axis in axes:
        axis.xaxis.set_major_formatter("{x:,g}")
        axis.yaxis.set_major_formatter("{x:,g}")
    figure.suptitle(title, color=INK)
    return figure, list(axes)


def published(axes: Axes, x: Sequence[float], y: Sequence[float], label: str = "published", **look: Any) -> None:
    """Plot the paper's figures: hollow marks, no line."""
    axes.plot(x, y, **{"marker": "o", "ls": "", "mfc": "none", "mec": INK, "ms": 9, "mew": 1.6, "label": label, **look})


def measured(
    axes: Axes, x: Sequence[float], samples: Sequence[Sequence[float]], label: str, colour: str = BLUE
) -> None:
    """Plot measured figures: the mean at each x, with error bars of one standard deviation of a run."""
    bars = [stdev(values) for values in samples] if len(samples[0]) > 1 else None
    means = [mean(values) for values in samples]
    marker = MARKERS.get(colour, "o")
    axes.errorbar(x, means, yerr=bars, color=colour, marker=marker, ms=5, capsize=3, elinewidth=1.2, label=label)


def line(axes: Axes, x: Sequence[float], y: Sequence[float], label: str, colour: str = BLUE) -> None:
    """Plot measured figures as a line, without error bars."""
    axes.plot(x, y, color=colour, marker=MARKERS.get(colour, "o"), ms=5, label=label)


def write(plot: Callable[[Results], Figure], results: Results, folder: Path, name: str) -> None:
    """Draw the plot, and write name.png and name.svg."""
    for kind in ("png", "svg"):
        write_whole(folder / f"{name}.{kind}", [rendered(lambda: plot(results), kind)])


def rendered(plot: Callable[[], Figure], kind: str) -> bytes:
    """The plot as a png, svg or pdf, without a date and without a name of the program."""
    from matplotlib import rc_context  # slow to import

    facts = {"png": ("Software",), "svg": ("Date", "Creator"), "pdf": ("CreationDate", "Creator", "Producer")}
    with rc_context(_STYLE):
        file = BytesIO()
        plot().savefig(file, format=kind, metadata=dict.fromkeys(facts[kind]))
        return file.getvalue()
