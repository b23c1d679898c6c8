"""Peer-to-peer, figure 3: messages by the number of nodes, for Sigma, End-to-End and Non-End-to-End."""

from __future__ import annotations

from math import log2, sqrt
from statistics import correlation, mean
from typing import TYPE_CHECKING, Any

from lessons.experiments.peer_to_peer import rounds
from lessons.laboratory.lab import Band, Case, Lab, Results, Row, row, within

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIZES = (100, 400, 1000, 2000)
FOR_EVER = 1e6  # nobody doubts that another has a majority
BACKOFF = 20.0  # longer than a request and its answers take
CURVES: dict[str, dict[str, Any]] = {
    "Sigma": {"algorithm": "sigma", "patience": FOR_EVER, "backoff": BACKOFF},
    "Sigma, polling": {"algorithm": "sigma", "variant": "polling", "poll_time": 1.0},
    "Non-End-to-End": {"algorithm": "non-end-to-end", "patience": FOR_EVER, "backoff": BACKOFF},
    "End-to-End": {"algorithm": "end-to-end", "backoff": BACKOFF},
}
CASES = {
    f"{name}, N = {nodes}": Case(rounds, {**what, "nodes": nodes}) for name, what in CURVES.items() for nodes in SIZES
}
EXPECTED = {  # by another program, written independently of this one
    "Sigma": (5169, 6368, 7138, 7638),
    "Non-End-to-End": (5121, 6344, 7102, 7629),
    "End-to-End": (5478, 6870, 7868, 8395),
}
EXPECTED_POLLING = (9898, 9843, 10545, 10871)  # by that program; how its clients poll is not known in detail
RUNS, SCATTER = 10, 0.02  # the runs that its figures are means of; how far one run strays, as a share
PROPOSED = ("End-to-End", "Non-End-to-End")


def messages(results: Results, name: str, nodes: int) -> list[float]:
    """How many each run has sent."""
    return [run["messages"] for run in results[f"{name}, N = {nodes}"]]


def rows(results: Results) -> list[Row]:
    table = [counted(results, name, nodes) for name in CURVES for nodes in SIZES]
    table += [saving(results, sigma, name) for sigma in ("Sigma", "Sigma, polling") for name in PROPOSED]
    table += [growth(results, name) for name in CURVES]
    return table


def counted(results: Results, name: str, nodes: int) -> Row:
    """The messages, within 5 % of what the other program has counted, or beside it."""
    title, sent = f"{name}, N = {nodes}", messages(results, name, nodes)
    if name not in EXPECTED:
        return row(title, sent, note=f"the other program: {EXPECTED_POLLING[SIZES.index(nodes)]:,}")
    return row(title, sent, band=near(EXPECTED[name][SIZES.index(nodes)], len(sent)))


def near(expected: float, runs: int) -> Band:
    """Within 5 % of what the other program has counted, for the mean of ten runs; fewer stray farther."""
    return within(0.05 + 2 * SCATTER * max(0.0, 1 / sqrt(runs) - 1 / sqrt(RUNS)), expected)


def saving(results: Results, sigma: str, name: str) -> Row:
    """How many times as many messages Sigma needs, in the middle of the sizes."""
    ratios = [mean(messages(results, sigma, n)) / mean(messages(results, name, n)) for n in SIZES]
    holds = 1.5 <= mean(ratios) <= 2.5
    note = "" if holds else "a queue at the replica needs no messages while one waits"
    return Row(f"{sigma} / {name}", "1.5 … 2.5", mean(ratios), holds=holds, note=note)


def growth(results: Results, name: str) -> Row:
    """How well the logarithm of the number of nodes explains the messages, against the number itself."""
    sent = [mean(messages(results, name, nodes)) for nodes in SIZES]
    with_log = correlation([log2(nodes) for nodes in SIZES], sent) ** 2
    linear = correlation(SIZES, sent) ** 2
    return Row(
        f"{name}, R² with log₂ N",
        "linear in N",
        with_log,
        holds=linear >= with_log,
        note=f"R² with N itself is {linear:.3f}",
    )


def plot(results: Results) -> Figure:
    from lessons.laboratory import plots

    figure, [axes] = plots.panels(1, "65 resources, 20 rounds of 20 requests, 3 replicas")
    colours = (plots.INK, plots.PINK, plots.BLUE, plots.ORANGE)
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
A hop on the overlay is a message, and so is an answer, which goes straight to whom it is for. The paper says that
its two protocols need 1.5 to 2.5 times less messages than Sigma. That holds only against a Sigma whose replicas
keep no queues, so that those who wait ask again, about once a round. Against Sigma with queues, as its authors
describe it, Non-End-to-End needs about as many messages, and End-to-End more: alone it costs 3h + 1 messages for a
replica h hops away, the others 2h + 1. The messages grow with the logarithm of the number of nodes, as the routes
do, not linearly. The bands are 5 % around what another program, written apart from this one, has counted. How much
polling costs depends on how often one asks. Each poll goes along the routes, so that its cost grows as they do; the
other program's grows by a tenth from 100 to 2,000 nodes, which does not fit polls along routes. The tables here are
random ones; with tables on which routes meet early, more requests are stopped on their way, and at N = 400 both
protocols needed 6 to 13 % less.""",
)
