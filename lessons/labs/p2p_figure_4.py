"""Peer-to-peer, figure 4: the distribution of messages over the nodes, with 1, 3, 5 and 8 replicas."""

from __future__ import annotations

from statistics import mean

from algorithms.engine.errors import count_words
from lessons.experiments.peer_to_peer import rounds
from lessons.laboratory import plots
from lessons.laboratory.lab import Case, Lab, LabRow, Results, Topic, row
from lessons.labs.p2p_figure_3 import PROTOCOLS, near

NODES = 500
REPLICAS = (1, 3, 5, 8)
CASES = {
    f"{name}, n = {count}": Case(rounds, {**what, "nodes": NODES, "replicas": count})
    for name, what in PROTOCOLS.items()
    for count in REPLICAS
}
EXPECTED = dict(zip(REPLICAS, (5.1, 14.4, 23.7, 38.2), strict=True))  # End-to-End, by another program

CLEARLY = 0.02  # more than the coefficient varies from run to run


def of(results: Results, name: str, count: int, what: str) -> list[float]:
    """One figure of each run of a protocol with `count` replicas."""
    return [run[what] for run in results[f"{name}, n = {count}"]]


def rows(results: Results) -> list[LabRow]:
    table = [load(results, name, count) for name in PROTOCOLS for count in REPLICAS]
    table += [evenness(results, name) for name in PROTOCOLS]
    return [*table, *(largest(results, name) for name in PROTOCOLS)]


def load(results: Results, name: str, count: int) -> LabRow:
    """The mean messages that a node handles: within 5 % of the other program's, if that is known."""
    title, loads = f"{name}, n = {count}: mean load of a node", of(results, name, count, "mean load")
    return row(title, loads, band=near(EXPECTED[count], len(loads)) if name == "End-to-End" else None)


def evenness(results: Results, name: str) -> LabRow:
    """The Gini coefficient with three replicas, beside plain Sigma's: lower is more even."""
    shares = of(results, name, 3, "gini")
    sigma = mean(of(results, "Sigma", 3, "gini"))
    if name == "Sigma":
        return row(f"{name}, n = 3: Gini coefficient", shares, note="0: equal loads; 1: one node does everything")
    holds = mean(shares) < sigma - CLEARLY
    note = "" if holds else f"Sigma's is {sigma:.2f}"
    return row(f"{name}, n = 3: Gini coefficient", shares, "more even than Sigma", holds=holds, note=note)


def largest(results: Results, name: str) -> LabRow:
    times = mean(of(results, name, 3, "largest load")) / mean(of(results, name, 3, "mean load"))
    return row(f"{name}, n = 3: largest load", of(results, name, 3, "largest load"), note=f"{times:.0f} times the mean")


def plot(results: Results) -> plots.Figure:
    figure, axes = plots.panels(len(PROTOCOLS), f"Distribution of the load over {NODES} nodes")
    for axis, name in zip(axes, PROTOCOLS, strict=True):
        for colour, count in zip(plots.COLOURS, REPLICAS, strict=False):
            steps = zip(*of(results, name, count, "shares"), strict=True)
            loads = [mean(step) for step in steps]
            parts = [k / (len(loads) - 1) for k in range(len(loads))]
            axis.plot(loads, parts, color=colour, label=count_words(count, "replica"))
        axis.set(title=name, xlabel="messages handled", ylim=(0, 1))
    axes[0].set(ylabel="share of the nodes with at most this load")
    axes[-1].legend(loc="lower right")
    return figure


LAB = Lab(
    name="p2p-figure-4",
    title="Distribution of the load",
    topic=Topic.P2P,
    question="Do the two proposed protocols spread the load more evenly than Sigma?",
    picture="""\
For each protocol, the share of the nodes that handle at most the number of messages on the horizontal axis: one
curve for each number of replicas. The further right a curve, the more work; the steeper, the more even.""",
    source="M. Muhammad, A. Cheema, I. Gupta, Efficient Mutual Exclusion in Peer-to-Peer Systems, 2005, figure 4",
    cases=CASES,
    seeds=10,
    quick_seeds=1,
    rows=rows,
    plot=plot,
    paragraph="""\
With n replicas of each resource, the load of a node is the number of messages that it handles in 20 rounds of 20
requests for 65 resources. It grows with the number of replicas, as the paper says: each further replica must be
asked, informed and released. The expected ranges are 5 % around the counts of an independent program. The claim that
the proposed protocols spread the load more evenly than others is not confirmed: among 500 nodes the clients are few,
and the nodes that hold the queue and the token do the work that the replicas are spared. By the Gini coefficient
End-to-End is no more even than Sigma, whose replicas lie at as many places.""",
)
