"""Where the two papers contradict themselves, with the figures."""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from statistics import mean
from typing import Any

from lessons.experiments.wandering import (
    RANDOM,
    REPORT,
    durations,
    journal_run,
    long_run,
    share_below,
    shares,
    time_at,
    time_from,
)
from lessons.laboratory import plots
from lessons.laboratory.lab import Case, Figures, Lab, LabRow, Results, Topic, row
from lessons.labs.adaptation import WITHOUT
from lessons.labs.report_table_1 import PUBLISHED as TABLE_1
from lessons.labs.report_table_5 import CASES as TRANSIENTS
from lessons.labs.report_table_5 import PUBLISHED as TABLE_5

DOP = 4.0
IDLE = '"only due to network unreliability", but tokens also rest at nodes that do not use them'
REFERENCE = {n: f"random access, N = {n}" for n in (150, 300)}
CASES = {
    "figure 2": Case(long_run, {"algorithm": REPORT, "nodes": 150, "until": 1e6, "variant": "figure-2"}),
    **{name: Case(long_run, {"algorithm": RANDOM, "nodes": n, "until": 1e6}) for n, name in REFERENCE.items()},
    **TRANSIENTS,
    **WITHOUT,
    "journal, N = 300": Case(journal_run, {"nodes": 300}),
    "journal, N = 360": Case(journal_run, {"nodes": 360}),
    "journal, no losses": Case(journal_run, {"nodes": 300, "loss_every": 1e9}),
}


def rows(results: Results) -> list[LabRow]:
    return [*_report(results), *_journal(results)]


def _report(results: Results) -> list[LabRow]:
    figure_2 = results["figure 2"]
    least = {150: 15, 300: 40}
    table = [
        row("figure 2 as printed: idle time", time_at(figure_2, 0), 334_028, **no("it removes the good token too")),
        LabRow("table 2, N = 150: Δmin = 1.5 Δop N", 600, 1.5 * DOP * 150, **no("the value of its own formula")),
        LabRow("table 5, N = 300: sum of the column", 100, sum(TABLE_5[300]), **no("the column counts 100 transients")),
    ]
    for nodes, name in REFERENCE.items():
        runs = results[name]
        printed = 100 * sum(TABLE_1[nodes][1:]) / 1e6
        note = f"the text's figure; its own table 1 says {printed:.1f}"
        both = [100 * share for share in shares(time_from(runs, 2), runs)]
        table.append(row(f"random access, N = {nodes}: two or more running, %", both, least[nodes], **no(note)))
    table.append(_exponential(results[REFERENCE[300]]))
    for name in TRANSIENTS:
        ratio = mean(durations(results[name])) / mean(durations(results[f"{name}, no adaptation"]))
        words = f"adaptation, {name}: time to recover, with / without"
        table.append(LabRow(words, "below 1", ratio, holds=ratio < 1, note='"extremely effective"'))
    return table


def _exponential(runs: Sequence[Figures]) -> LabRow:
    """Compare the decay of the times with 1, 2, 3 … running at both ends: equal if it is exponential."""
    first, second, fifth, sixth = (mean(time_at(runs, k)) for k in (1, 2, 5, 6))
    steeper = log(fifth / sixth) / log(first / second)
    note = '"falls exponentially", but a Poisson distribution falls ever faster'
    return LabRow("random access, N = 300: fall from 5 to 6 running / from 1 to 2", 1, steeper, **no(note))


def _journal(results: Results) -> list[LabRow]:
    full, more, calm = (results[f"journal, {case}"] for case in ("N = 300", "N = 360", "no losses"))
    below = [100 * share for share in share_below(full, "intervals", 1200.0)]
    together = [100 * share for share in shares(time_from(more, 2), more)]
    idle = [100 * share for share in shares(time_at(calm, 0), calm)]
    gaps = [run["time"] / run["needless_generations"] for run in calm]
    most = [max(int(k) for k in run["tokens"]) for run in full]
    return [
        row("journal: intervals below 1200 s, %", below, 80, **no("300 downloads of 4 s take 1200 s")),
        row("journal, N = 360: two or more downloads, %", together, "up to 10", **no("the paper's figure 3")),
        row("journal, without losses: idle, %", idle, 0, **no(IDLE)),
        row("journal: seconds between timeouts", gaps, 1200, **no('"every 2 Δmin": only after a common start')),
        row("journal: most tokens in a run", most, 2, **no('"spurious tokens never exceed the number of two"')),
    ]


def no(note: str) -> dict[str, Any]:
    """The fields of a row that does not hold, with the reason."""
    return {"holds": False, "note": note}


def plot(results: Results) -> plots.Figure:
    figure, [axes] = plots.panels(1, "Measured values, as a percentage of the published ones")
    claims = [(line.name, line.measured, line.published) for line in rows(results)]
    shares = [(name, 100 * value / claim) for name, value, claim in claims if isinstance(claim, int | float) and claim]
    axes.barh(range(len(shares)), [share for _, share in shares], color=plots.SKY, edgecolor=plots.BLUE)
    axes.set_yticks(range(len(shares)), [name for name, _ in shares], fontsize=9)
    axes.axvline(100, color=plots.INK, lw=1.6)
    axes.invert_yaxis()
    axes.set(xlabel="% of the published figure")
    return figure


LAB = Lab(
    name="contradictions",
    title="Contradictions",
    topic=Topic.BOTH,
    question="Which sentences and figures of the two papers disagree with the rest of the same paper?",
    picture="""\
Each bar is a measured value as a percentage of the published one. A bar that ends at the line would agree with the
paper.""",
    source="A. Ciuffoletti, The Wandering Token, report and journal version",
    cases=CASES,
    seeds=10,
    quick_seeds=2,
    rows=rows,
    plot=plot,
    paragraph="""\
None of these sentences and figures agrees with the rest of its paper, and none can be reproduced. Figure 2 of the
report removes every token except the one served last, which is not the rule in the text. Table 2 gives a formula
that does not yield the value beside it, and a column of table 5 adds up to 99 transients, not 100. The text quotes
less than table 1 shows. The decay called exponential is that of a Poisson distribution, which is faster. The
adaptive timeout makes recovery longer, not shorter. The journal's 80 % of intervals below 1200 s contradicts its own
load; its rhythm of timeouts holds only for the first one; and the resource is also idle because tokens rest at nodes
that do not use them.""",
)
