"""Return and cover times of a token's random walk, on different graphs."""

from __future__ import annotations

from math import log
from statistics import mean, stdev

from lessons.experiments.wandering import walk
from lessons.laboratory import plots
from lessons.laboratory.lab import Case, Lab, LabRow, Results, Topic, of_mean, row

NODES, HOPS = 100, 100_000
GRAPHS = ("complete", "random", "grid", "tree", "ring")
CASES = {graph: Case(walk, {"nodes": NODES, "topology": graph, "hops": HOPS}) for graph in GRAPHS}
HARMONIC = sum(1 / k for k in range(1, NODES))
COVER = {  # where there is a formula; the token stays with probability 1 / (degree + 1)
    "complete": (NODES * HARMONIC, "theory: N H(N−1), as for a coupon collector"),
    "ring": (1.5 * NODES * (NODES - 1) / 2, "theory: 1.5 N (N−1) / 2"),
}
# Standard deviation of one run's mean, as a share of it: of the returns in so many hops, and of the visits to all.
RETURNS_SCATTER = {"complete": 0.031, "random": 0.07, "grid": 0.10, "tree": 0.075, "ring": 0.21}
COVERS_SCATTER = {"complete": 0.017, "ring": 0.165}


def rows(results: Results) -> list[LabRow]:
    table = []
    for graph, runs in results.items():
        theory = mean(run["return_in_theory"] for run in runs)
        band = of_mean(theory, RETURNS_SCATTER[graph] * theory, len(runs))
        note = "theory: Σ (degree + 1) / (degree of P0 + 1)"
        table.append(
            row(f"{graph}: hops to return to P0", [run["return"] for run in runs], theory, band=band, note=note)
        )
    for graph, runs in results.items():
        theory, note = COVER.get(graph, (None, ""))
        limits = of_mean(theory, COVERS_SCATTER[graph] * theory, len(runs)) if theory else None
        table.append(
            row(f"{graph}: hops to visit all nodes", [run["cover"] for run in runs], theory, band=limits, note=note)
        )
    for graph, runs in results.items():
        bound = [run["cover"] / (NODES * log(NODES)) for run in runs]
        table.append(row(f"{graph}: hops to visit all nodes / (N ln N)", bound))
    return table


def plot(results: Results) -> plots.Figure:
    figure, [axes] = plots.panels(1, f"Hops of a random walk to visit all {NODES} nodes")
    for place, runs in enumerate(results.values()):
        covers = [run["cover"] for run in runs]
        spread = stdev(covers) if len(covers) > 1 else None
        axes.bar(place, mean(covers), yerr=spread, color=plots.SKY, edgecolor=plots.BLUE, capsize=4)
    axes.axhline(NODES * log(NODES), color=plots.INK, ls="--", label="N ln N")
    plots.published(axes, [GRAPHS.index(graph) for graph in COVER], [hops for hops, _ in COVER.values()], "theory")
    axes.set_xticks(range(len(GRAPHS)), GRAPHS)
    axes.set(yscale="log", ylabel="hops")
    axes.legend()
    return figure


LAB = Lab(
    name="walk-times",
    title="Random walks",
    topic=Topic.BOTH,
    question="How many hops does a randomly wandering token need to visit every node?",
    picture="""\
The mean number of hops to visit all 100 nodes, on a logarithmic scale, for five kinds of graph. The dashed line is N
ln N; hollow marks are the theoretical value where a formula is known.""",
    source="L. Lovász, Random walks on graphs: a survey, 1993; J. Jonasson, 1998: the papers' references",
    cases=CASES,
    seeds=10,
    quick_seeds=4,
    rows=rows,
    plot=plot,
    paragraph="""\
Both papers rely on a random walk that visits every node in O(N log N) hops, and say that a graph with an average
degree of about log N is enough. It is: on the complete graph the walk is that of a coupon collector, N H(N−1), where
H is the harmonic number; on a random graph of that degree it takes two or three times as long, because of the few
nodes with one or two neighbours. On a grid there is another logarithm, and on a tree or a ring the walk takes far
longer. The mean return time depends only on the degrees: on every regular graph it is N. (The token may also stay at
its node, which counts as one of its possible hops, so these are the numbers of a lazy walk.)""",
)
