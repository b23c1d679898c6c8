"""Recovery from a loss with and without adaptation: does a longer wait after each regeneration help?"""

from __future__ import annotations

from statistics import mean, stdev

from lessons.experiments.wandering import CONSTANTS, REPORT, durations, share_from, share_long, transient
from lessons.laboratory import plots
from lessons.laboratory.lab import Case, Lab, LabRow, Results, Topic, of_mean, row
from lessons.labs import report_figure_1
from lessons.labs.report_table_5 import CASES as WITH
from lessons.labs.report_table_5 import DURATIONS

WITHOUT = {
    f"{name}, no adaptation": Case(transient, {**case.settings, "variant": "no-adaptation"})
    for name, case in WITH.items()
}
WIDTH = 0.38  # of a bar
SENTENCE = '"extremely effective in coping with k_load larger than one"'
EXPECTED = {**DURATIONS, "N = 300, no adaptation": (report_figure_1.MEAN, report_figure_1.SD)}


def rows(results: Results) -> list[LabRow]:
    table = []
    for case, runs in results.items():
        band = of_mean(*EXPECTED[case], runs=len(runs)) if case in EXPECTED else None
        table.append(row(f"{case}: time to recover", durations(runs), band=band))
    for name in WITH:
        ratio = mean(durations(results[name])) / mean(durations(results[f"{name}, no adaptation"]))
        table.append(
            LabRow(
                f"{name}: time to recover, with / without adaptation", "below 1", ratio, holds=ratio < 1, note=SENTENCE
            )
        )
    for case, runs in results.items():
        table.append(LabRow(f"{case}: share of time with two or more running", None, share_from(runs, 2)))
        table.append(LabRow(f"{case}: share of time with more than five running", None, share_from(runs, 6)))
        table.append(LabRow(f"{case}: share of intervals above 3000", None, share_long(runs)))
        table.append(row(f"{case}: longest interval between two operations", [run["longest_interval"] for run in runs]))
    return table


def plot(results: Results) -> plots.Figure:
    figure, [left, right] = plots.panels(2, "After the loss of the token, with and without adaptation")
    for words, colour, cases, beside in (
        ("with adaptation", plots.BLUE, WITH, -WIDTH / 2),
        ("without adaptation", plots.ORANGE, WITHOUT, WIDTH / 2),
    ):
        samples = [durations(results[case]) for case in cases]
        spread = [stdev(values) if len(values) > 1 else 0 for values in samples]
        places = [place + beside for place in range(len(cases))]
        left.bar(places, list(map(mean, samples)), WIDTH, yerr=spread, color=colour, capsize=4, label=words)
        right.bar(places, [100 * share_from(results[case], 2) for case in cases], WIDTH, color=colour)
    left.set(title="time to recover", ylabel="time units", ylim=(0, None))
    right.set(title="two or more operations at once", ylabel="% of the time")
    for axis in (left, right):
        axis.set_xticks(range(len(WITH)), list(WITH))
    left.legend(loc="upper left")
    return figure


LAB = Lab(
    name="adaptation",
    title="Adaptive timeouts",
    topic=Topic.REPORT,
    question="After the token is lost, does the adaptive timeout help an overloaded system?",
    picture="""\
Left: the mean time from the loss to the last moment without a token, with one standard deviation. Right: the share
of this time with two or more operations running. Each pair of bars is one number of nodes.""",
    source="A. Ciuffoletti, The Wandering Token (report), section 5.1",
    cases={**WITH, **WITHOUT},
    seeds=100,
    quick_seeds=20,
    rows=rows,
    plot=plot,
    parameters=CONSTANTS[REPORT],
    paragraph="""\
The report calls the adaptive timeout "extremely effective" for an overloaded system. Measured, recovery after a loss
takes about twice as long with it as without it for N = 300, and nearly three times as long for N = 150; some
components wait very long. What it gains is fewer conflicts: the share of time with two or more operations running
falls from almost a fifth to less than a tenth for N = 300, because fewer timeouts expire together.""",
)
