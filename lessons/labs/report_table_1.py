"""Report, table 1: concurrent operations if every component just starts one per period."""

from __future__ import annotations

from math import exp, factorial
from statistics import mean

from lessons.experiments.wandering import CONSTANTS, RANDOM, long_run, time_at
from lessons.laboratory import plots
from lessons.laboratory.lab import Case, Lab, LabRow, Results, Topic, around, row, within

TIME, DMIN, DOP = 1e6, 600.0, 4.0
PERIOD = DMIN * 1.25  # mean of Δmin + U[0, Δmin/2)
PUBLISHED = {  # nodes -> time units with exactly 1, 2, 3 … operations running
    300: (322428, 258358, 138910, 55138, 17644, 4670, 1017, 172, 26, 3, 2),
    150: (360945, 144035, 38048, 7535, 1292, 149, 8, 1),
}
REFUTED = {"quarter": "± Δmin/4", "half": "± Δmin/2", "minus": "− Δmin/2", "end-to-start": "from end to start"}

CASES = {
    **{f"N = {n}": Case(long_run, {"algorithm": RANDOM, "nodes": n, "until": TIME}) for n in PUBLISHED},
    **{
        variant: Case(long_run, {"algorithm": RANDOM, "nodes": 300, "until": TIME / 10, "variant": variant})
        for variant in REFUTED
    },
}


def poisson(nodes: int, inside: int) -> float:
    """The time for which a Poisson process of the same load would have exactly that many running."""
    load = DOP * nodes / PERIOD
    return TIME * exp(-load) * load**inside / factorial(inside)


def loads(results: Results, case: str) -> list[float]:
    """The time average of running operations in each run."""
    return [sum(int(k) * t for k, t in run["concurrency"].items()) / run["time"] for run in results[case]]


def rows(results: Results) -> list[LabRow]:
    table = []
    for nodes, column in PUBLISHED.items():
        case, offered = f"N = {nodes}", DOP * nodes / PERIOD
        printed = sum(k * time for k, time in enumerate(column, 1)) / TIME
        table.append(row(f"{case}: load", loads(results, case), printed, band=around(offered, 0.003)))
        for inside, time in enumerate((TIME - sum(column), *column)):
            law = poisson(nodes, inside)
            name = f"{case}: time with {inside} running (Poisson: {law:,.0f})"
            band = within(0.015, law) if inside <= 3 else None
            table.append(row(name, time_at(results[case], inside), time, band=band))
    for variant, period in REFUTED.items():
        note = f"another reading of the text: a period of Δmin {period} gives another load"
        table.append(row(f"N = 300, period Δmin {period}: load", loads(results, variant), 1.6, holds=False, note=note))
    return table


def plot(results: Results) -> plots.Figure:
    figure, [axes] = plots.panels(1, "Random access: concurrent operations")
    for colour, (nodes, column) in zip((plots.ORANGE, plots.BLUE), PUBLISHED.items(), strict=True):
        ks = range(1, len(column) + 1)
        times = [time_at(results[f"N = {nodes}"], k) for k in ks]
        plots.line(axes, ks, list(map(mean, times)), f"N = {nodes}, measured", colour)
        plots.published(axes, ks, column, f"N = {nodes}, published", marker="s" if nodes == 150 else "o")
    axes.set(yscale="log", xlabel="operations running", ylabel="time units, of a total of 1,000,000")
    axes.legend()
    return figure


LAB = Lab(
    name="report-table-1",
    title="Random access: the baseline",
    topic=Topic.REPORT,
    question="How often do operations overlap if every component simply starts one per period?",
    picture="""\
The time with exactly k operations running, on a logarithmic scale, for 150 and 300 components. Connected marks are
measured, hollow marks are published.""",
    source="A. Ciuffoletti, The Wandering Token (report), section 2, table 1",
    cases=CASES,
    seeds=10,
    quick_seeds=2,
    rows=rows,
    plot=plot,
    parameters=CONSTANTS[RANDOM],
    paragraph="""\
Table 1 can be reproduced. Each component starts an operation of 4 units every Δmin + U[0, Δmin/2) units, from start
to start, 750 on average; so 300 components offer 1.6 times the load that can be served one at a time, and 150 offer
0.8 times. Together, this many independent clocks look like a Poisson process: the number running follows a Poisson
distribution with mean 4 N / 750 to within its own scatter, and falls faster than exponentially for large numbers.
Other readings of "perturbed by a random bias" offer another load, which refutes them. The text compares with "more
than 15 %" and "40 %" of the time with two or more running; its own table gives 19.1 % and 47.6 %.""",
)
