"""Recovery from a loss with and without adaptation: does a longer wait after each regeneration help?"""

from __future__ import annotations

from statistics import mean, stdev
from typing import TYPE_CHECKING

from lessons.experiments.wandering import CONSTANTS, REPORT, durations, share_from, share_long, transient
from lessons.laboratory.lab import Case, Lab, LabRow, Results, of_mean, row
from lessons.labs import report_figure_1
from lessons.labs.report_table_5 import CASES as WITH
from lessons.labs.report_table_5 import DURATIONS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WITHOUT = {
    f"{name}, off": Case(transient, {**case.settings, "variant": "no-adaptation"}) for name, case in WITH.items()
}
WIDTH = 0.38  # of a bar
SENTENCE = '"extremely effective in coping with k_load larger than one"'
EXPECTED = {**DURATIONS, "N = 300, off": (report_figure_1.MEAN, report_figure_1.SD)}


def rows(results: Results) -> list[LabRow]:
    table = []
    for case, runs in results.items():
        band = of_mean(*EXPECTED[case], runs=len(runs)) if case in EXPECTED else None
        table.append(row(f"{case}, duration", durations(runs), band=band))
    for name in WITH:
        ratio = mean(durations(results[name])) / mean(durations(results[f"{name}, off"]))
        table.append(LabRow(f"{name}, duration with / without", "below 1", ratio, holds=ratio < 1, note=SENTENCE))
    for case, runs in results.items():
        table.append(LabRow(f"{case}, share of time with 2 or more", None, share_from(runs, 2)))
        table.append(LabRow(f"{case}, share of time with more than 5", None, share_from(runs, 6)))
        table.append(LabRow(f"{case}, share of intervals above 3000", None, share_long(runs)))
        table.append(row(f"{case}, longest interval", [run["longest_interval"] for run in runs]))
    return table


def plot(results: Results) -> Figure:
    from lessons.laboratory import plots

    figure, [left, right] = plots.panels(2, "After the loss of the token, with and without adaptation")
    for words, colour, cases, beside in (
        ("with adaptation", plots.BLUE, WITH, -WIDTH / 2),
        ("without", plots.ORANGE, WITHOUT, WIDTH / 2),
    ):
        samples = [durations(results[case]) for case in cases]
        spread = [stdev(values) if len(values) > 1 else 0 for values in samples]
        places = [place + beside for place in range(len(cases))]
        left.bar(places, list(map(mean, samples)), WIDTH, yerr=spread, color=colour, capsize=4, label=words)
        right.bar(places, [100 * share_from(results[case], 2) for case in cases], WIDTH, color=colour)
    left.set(title="how long it takes", ylabel="units of time", ylim=(0, None))
    right.set(title="two or more operations at once", ylabel="% of the time")
    for axis in (left, right):
        axis.set_xticks(range(len(WITH)), list(WITH))
    left.legend(loc="upper left")
    return figure


LAB = Lab(
    name="adaptation",
    title="Longer but gentler: the adaptive time-out",
    source="A. Ciuffoletti, The Wandering Token (report), section 5.1",
    cases={**WITH, **WITHOUT},
    seeds=100,
    quick_seeds=20,
    rows=rows,
    plot=plot,
    parameters=CONSTANTS[REPORT],
    paragraph="""\
The report calls the adaptive time-out "extremely effective" for an overloaded system. Measured, recovery after a
loss takes about twice as long with it as without (N = 300), and nearly three times for N = 150, and some components
wait very long. What it gains is calm: the share of time with two or more operations running falls from almost a
fifth to less than a tenth, because fewer time-outs run out at once. Longer, but gentler.""",
)
