"""Lecture, decentralized voting: the safety that more votes buy when coordinators forget."""

from __future__ import annotations

from math import sqrt

from lessons.experiments.voting import breach_probability, many_runs
from lessons.laboratory import plots
from lessons.laboratory.lab import Band, Case, Lab, LabRow, Results, Topic, row

N, RUNS = 10, 200
VOTES = (5, 6, 7, 8)  # half, and majorities of growing size
FORGETTING = (0.1, 0.2, 0.4, 0.6)  # probability that a coordinator forgets its vote in time


def case(m: int, p: float) -> str:
    return f"m = {m}, p = {p}"


def band(expected: float) -> Band:
    """The band of four standard deviations of a run, and two breaches more where few are expected."""
    deviation = 4 * sqrt(expected * (1 - expected) / RUNS)
    return max(0.0, expected - deviation), min(1.0, expected + deviation + 2 / RUNS)


def rows(results: Results) -> list[LabRow]:
    table = []
    for m in VOTES:
        for p in FORGETTING:
            expected = breach_probability(N, m, p)
            shares = [run["share"] for run in results[case(m, p)]]
            table.append(
                row(case(m, p), shares, band=band(expected), note=f"by the formula: p^{2 * m - N} = {expected:.2g}")
            )
    return table


def plot(results: Results) -> plots.Figure:
    figure, [axes] = plots.panels(1, "Two inside at a time because coordinators forget")
    for m, colour in zip(VOTES, plots.COLOURS, strict=False):
        shares = [[run["share"] for run in results[case(m, p)]] for p in FORGETTING]
        plots.measured(axes, FORGETTING, shares, f"{m} of {N}, measured", colour)
        ps = [k / 50 for k in range(51)]
        axes.plot(ps, [breach_probability(N, m, p) for p in ps], color=colour, ls=":", lw=1.2)
    axes.set(xlabel="probability that a vote is forgotten", ylabel="probability of two inside (dotted: formula)")
    axes.legend()
    return figure


LAB = Lab(
    name="votes-forgotten",
    title="Forgotten votes",
    topic=Topic.LECTURE,
    question="How much safer does voting become if a process must collect more votes than a majority?",
    picture="""\
The probability that a second process enters, against the probability that a vote is forgotten: one curve for each
number of votes needed. Connected marks are measured, dotted curves are the formula.""",
    source="lecture, 'Fault-tolerance in Decentralized Algorithm'",
    cases={case(m, p): Case(many_runs, {"n": N, "m": m, "p": p, "runs": RUNS}) for m in VOTES for p in FORGETTING},
    seeds=10,
    quick_seeds=2,
    rows=rows,
    plot=plot,
    paragraph="""\
The lecture says that a coordinator which crashes and forgets its vote makes the algorithm safe only with some
probability, and that more votes than a majority help. It gives no numbers; here they are. One process is inside with
m of 10 votes, and each vote is forgotten with probability p before another process asks m coordinators. They have at
least 2m − 10 coordinators in common. The second process enters if all of these have forgotten, with probability
p^(2m − 10). Half of the votes give no protection at all; each vote beyond the smallest majority multiplies the risk
by p², and costs three more messages per entry.""",
)
