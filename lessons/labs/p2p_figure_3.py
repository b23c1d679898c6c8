"""Peer-to-peer, figure 3: messages against the number of nodes, for Sigma, End-to-End and Non-End-to-End."""

from __future__ import annotations

from math import log2
from statistics import correlation, mean
from typing import Any

from lessons.experiments.peer_to_peer import rounds
from lessons.laboratory import plots
from lessons.laboratory.lab import Band, Case, Lab, LabRow, Results, Topic, around_mean, row

SIZES = (100, 400, 1000, 2000)
FOREVER = 20  # rounds for which every client assumes that another has a majority
BACKOFF = 20.0  # longer than a request and its answers take
SIGMA: dict[str, Any] = {"algorithm": "sigma", "patience": FOREVER, "backoff": BACKOFF}
POLLING = {**SIGMA, "variant": "polling", "poll_time": 1.0}  # every round, give or take a half
CURVES: dict[str, dict[str, Any]] = {
    "Sigma": SIGMA,
    "Sigma, polling": POLLING,
    "Sigma, polling, responses routed": {**POLLING, "routed_answers": True},
    "Non-End-to-End": {"algorithm": "non-end-to-end", "patience": FOREVER, "backoff": BACKOFF},
    "End-to-End": {"algorithm": "end-to-end", "backoff": BACKOFF},
}
PROTOCOLS = {name: CURVES[name] for name in ("End-to-End", "Non-End-to-End", "Sigma")}  # those of figures 4 and 5
SIGMAS = [name for name in CURVES if name.startswith("Sigma")]
CASES = {
    f"{name}, N = {nodes}": Case(rounds, {**what, "nodes": nodes}) for name, what in CURVES.items() for nodes in SIZES
}
EXPECTED = {  # by another program, written independently of this one
    "Sigma": (5169, 6368, 7138, 7638),
    "Sigma, polling": (9898, 9843, 10545, 10871),
    "Sigma, polling, responses routed": (11945, 12536, 14877, 15261),
    "Non-End-to-End": (5121, 6344, 7102, 7629),
    "End-to-End": (5478, 6870, 7868, 8395),
}
RUNS, SCATTER = 10, 0.02  # runs in the means of that program; standard deviation of one run, as a share
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
    title, sent = f"{name}, N = {nodes:,}: messages", messages(results, name, nodes)
    expected = EXPECTED[name][SIZES.index(nodes)]
    band = near(expected, len(sent))
    if "polling" not in name:
        return row(title, sent, band=band)
    holds = band[0] <= mean(sent) <= band[1]
    off = 100 * (mean(sent) / expected - 1)
    note = f"an independent program: {expected:,} ({off:+.0f} %)"
    return row(title, sent, holds=holds, note=note + ("" if holds else "; single runs vary by 6 %"))


def near(expected: float, runs: int) -> Band:
    """The band of 5 % around the other program's count, for the mean of ten runs; wider for fewer."""
    return around_mean(expected, 0.05 * expected, SCATTER * expected, runs, RUNS)


def saving(results: Results, sigma: str, name: str) -> LabRow:
    """The ratio of Sigma's messages to the protocol's: its range and its mean over the sizes."""
    ratios = [mean(messages(results, sigma, n)) / mean(messages(results, name, n)) for n in SIZES]
    holds = min(ratios) >= 1.5 and max(ratios) <= 2.5
    why = "a waiting client in a queue sends nothing" if sigma == "Sigma" else "longer routes raise all costs alike"
    note = f"{min(ratios):.2f} … {max(ratios):.2f}" + ("" if holds else f": {why}")
    return LabRow(f"{sigma} / {name}", "1.5 … 2.5", mean(ratios), holds=holds, note=note)


def growth(results: Results, name: str) -> LabRow:
    """How well the messages fit the logarithm of the number of nodes, rather than the number itself."""
    sent = [mean(messages(results, name, nodes)) for nodes in SIZES]
    with_log = correlation([log2(nodes) for nodes in SIZES], sent) ** 2
    linear = correlation(SIZES, sent) ** 2
    return LabRow(
        f"{name}: fit to log₂ N (R²)",
        "linear in N",
        with_log,
        holds=linear >= with_log,
        note=f"R² of the fit to N itself: {linear:.3f}",
    )


def plot(results: Results) -> plots.Figure:
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
    title="Messages vs. nodes",
    topic=Topic.P2P,
    question="Do the two proposed protocols need 1.5 to 2.5 times fewer messages than Sigma?",
    picture="""\
Messages in 20 rounds of 20 requests, against the number of nodes: one curve for each protocol, and two more for a
Sigma whose waiting clients poll.""",
    source="M. Muhammad, A. Cheema, I. Gupta, Efficient Mutual Exclusion in Peer-to-Peer Systems, 2005, figure 3",
    cases=CASES,
    seeds=10,
    quick_seeds=1,
    rows=rows,
    plot=plot,
    paragraph="""\
One hop on the overlay is one message, and so is a response, which goes directly to its receiver. In each round a
node releases one of its resources with probability ½. The expected ranges are 5 % around the counts of an
independent program. Against Sigma as its authors describe it, the paper's claim does not hold: Non-End-to-End needs
about as many messages, and End-to-End more, because without competition it costs 3h + 1 messages for a replica h
hops away, and the others 2h + 1. The ratio comes near the claim if waiting clients poll in every round, and nearest
if responses are routed as well. The cost of polling varies greatly from run to run. The messages grow with the
logarithm of the number of nodes, as the routes do, and not linearly. The routing tables here are random; with tables
on which routes meet early, more requests would be stopped before they reach the replica.""",
)
