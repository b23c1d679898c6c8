"""Peer-to-peer, figure 3: messages against the number of nodes, for Sigma, End-to-End and Non-End-to-End."""

from __future__ import annotations

from math import log2, sqrt
from statistics import correlation, mean
from typing import TYPE_CHECKING, Any

from lessons.experiments.peer_to_peer import rounds
from lessons.laboratory.lab import Band, Case, Lab, LabRow, Results, row, within

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIZES = (100, 400, 1000, 2000)
FOR_EVER = 20  # rounds in which nobody doubts that another has a majority
BACKOFF = 20.0  # longer than a request and its answers take
SIGMA: dict[str, Any] = {"algorithm": "sigma", "patience": FOR_EVER, "backoff": BACKOFF}
POLLING = {**SIGMA, "variant": "polling", "poll_time": 1.0}  # every round, give or take a half
CURVES: dict[str, dict[str, Any]] = {
    "Sigma": SIGMA,
    "Sigma, asking again": POLLING,
    "Sigma, asking again, answers routed": {**POLLING, "routed_answers": True},
    "Non-End-to-End": {"algorithm": "non-end-to-end", "patience": FOR_EVER, "backoff": BACKOFF},
    "End-to-End": {"algorithm": "end-to-end", "backoff": BACKOFF},
}
PROTOCOLS = {name: CURVES[name] for name in ("End-to-End", "Non-End-to-End", "Sigma")}  # those of figures 4 and 5
SIGMAS = [name for name in CURVES if name.startswith("Sigma")]
CASES = {
    f"{name}, N = {nodes}": Case(rounds, {**what, "nodes": nodes}) for name, what in CURVES.items() for nodes in SIZES
}
EXPECTED = {  # by another program, written independently of this one
    "Sigma": (5169, 6368, 7138, 7638),
    "Sigma, asking again": (9898, 9843, 10545, 10871),
    "Sigma, asking again, answers routed": (11945, 12536, 14877, 15261),
    "Non-End-to-End": (5121, 6344, 7102, 7629),
    "End-to-End": (5478, 6870, 7868, 8395),
}
RUNS, SCATTER = 10, 0.02  # the runs that its figures are means of; how far one run strays, as a share
PROPOSED = ("End-to-End", "Non-End-to-End")


def messages(results: Results, name: str, nodes: int) -> list[float]:
    """The number of messages that each run has sent."""
    return [run["messages"] for run in results[f"{name}, N = {nodes}"]]


def rows(results: Results) -> list[LabRow]:
    table = [counted(results, name, nodes) for name in CURVES for nodes in SIZES]
    table += [saving(results, sigma, name) for sigma in SIGMAS for name in PROPOSED]
    table += [growth(results, name) for name in CURVES]
    return table


def counted(results: Results, name: str, nodes: int) -> LabRow:
    """Compare the messages with the other program's, within 5 %; the number of retries is random."""
    title, sent = f"{name}, N = {nodes:,}", messages(results, name, nodes)
    expected = EXPECTED[name][SIZES.index(nodes)]
    band = near(expected, len(sent))
    if "asking again" not in name:
        return row(title, sent, band=band)
    holds = band[0] <= mean(sent) <= band[1]
    off = 100 * (mean(sent) / expected - 1)
    note = f"the other program: {expected:,} ({off:+.0f} %)"
    return row(title, sent, holds=holds, note=note + ("" if holds else "; one run strays by 6 %"))


def near(expected: float, runs: int) -> Band:
    """The band of 5 % around the other program's count, for the mean of ten runs; wider for fewer."""
    return within(0.05 + 2 * SCATTER * max(0.0, 1 / sqrt(runs) - 1 / sqrt(RUNS)), expected)


def saving(results: Results, sigma: str, name: str) -> LabRow:
    """The ratio of Sigma's messages to the protocol's: its range and its mean over the sizes."""
    ratios = [mean(messages(results, sigma, n)) / mean(messages(results, name, n)) for n in SIZES]
    holds = min(ratios) >= 1.5 and max(ratios) <= 2.5
    why = "a queue needs no messages while one waits" if sigma == "Sigma" else "longer routes raise all costs alike"
    note = f"{min(ratios):.2f} … {max(ratios):.2f}" + ("" if holds else f": {why}")
    return LabRow(f"{sigma} / {name}", "1.5 … 2.5", mean(ratios), holds=holds, note=note)


def growth(results: Results, name: str) -> LabRow:
    """How well the messages fit the logarithm of the number of nodes, rather than the number itself."""
    sent = [mean(messages(results, name, nodes)) for nodes in SIZES]
    with_log = correlation([log2(nodes) for nodes in SIZES], sent) ** 2
    linear = correlation(SIZES, sent) ** 2
    return LabRow(
        f"{name}, R² with log₂ N",
        "linear in N",
        with_log,
        holds=linear >= with_log,
        note=f"R² with N itself is {linear:.3f}",
    )


def plot(results: Results) -> Figure:
    from lessons.laboratory import plots

    figure, [axes] = plots.panels(1, "65 resources, 20 rounds of 20 requests, 3 replicas")
    colours = (plots.INK, plots.PINK, plots.GREEN, plots.BLUE, plots.ORANGE)
    for colour, name in zip(colours, CURVES, strict=True):
        samples = [messages(results, name, nodes) for nodes in SIZES]
        plots.measured(axes, SIZES, samples, name, colour)
    axes.set(xlabel="nodes", ylabel="messages", ylim=(0, None))
    axes.legend()
    return figure


LAB = Lab(
    name="p2p-figure-3",
    title="Three protocols on an overlay: messages by the number of nodes",
    source="M. Muhammad, A. Cheema, I. Gupta, Efficient Mutual Exclusion in Peer-to-Peer Systems, 2005, figure 3",
    cases=CASES,
    seeds=10,
    quick_seeds=1,
    rows=rows,
    plot=plot,
    paragraph="""\
A hop on the overlay is a message, and so is an answer, which goes straight to whom it is for. In each round a node
gives back one of the resources that it holds with probability ½, so that in small networks, where a node holds
several, all are held longer. The bands are 5 % around what another program, written apart from this one, has counted.
The paper says that its two protocols need 1.5 to 2.5 times less messages than Sigma. Against Sigma as its authors
describe it that does not hold: Non-End-to-End needs about as many, and End-to-End more, for alone it costs 3h + 1
messages for a replica h hops away, the others 2h + 1. It comes near if who waits asks again in every round, and holds
best if answers are routed, too; the replicas keep their queues in either case. What asking again costs hangs on how
long one waits, and strays much from run to run. The messages grow with the logarithm of the number of nodes, as the
routes do, not linearly. The tables here are random ones; with tables on which routes meet early, more requests are
stopped on their way.""",
)
