"""Does it help to wait longer after each regeneration? Recovery from a loss, with and without adaptation."""

from __future__ import annotations

from statistics import mean, stdev
from typing import TYPE_CHECKING

from lessons.experiments.wandering import CONSTANTS, REPORT, durations, share_from, share_long, transient
from lessons.laboratory.lab import Case, Lab, Results, Row, around, row
from lessons.labs.report_table_5 import CASES as WITH

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WITHOUT = {
    f"{name}, off": Case(transient, {**case.settings, "variant": "no-adaptation"}) for name, case in WITH.items()
}
SENTENCE = '"extremely effective in coping with k_load larger than one"'
BANDS = {"N = 150": around(15_000, 6_000), "N = 300": around(52_000, 6_500), "N = 300, off": around(27_500, 9_000)}


def rows(results: Results) -> list[Row]:
    table = [row(f"{case}, duration", durations(results[case]), band=BANDS.get(case)) for case in results]
    for name in WITH:
        ratio = mean(durations(results[name])) / mean(durations(results[f"{name}, off"]))
        table.append(Row(f"{name}, duration with / without", "below 1", ratio, holds=ratio < 1, note=SENTENCE))
    for case, runs in results.items():
        table.append(Row(f"{case}, share of time with 2 or more", None, share_from(runs, 2)))
        table.append(Row(f"{case}, share of time with more than 5", None, share_from(runs, 6)))
        table.append(Row(f"{case}, share of intervals above 3000", None, share_long(runs)))
        table.append(row(f"{case}, longest interval", [run["longest_interval"] for run in runs]))
    return table


def plot(results: Results) -> Figure:
    from lessons.laboratory import plots

    figure, [left, right] = plots.panels(2, "After the loss of the token, with and without adaptation")
    for place, case in enumerate(results):
        off = case.endswith("off")
        colour = plots.ORANGE if off else plots.BLUE
        lengths = durations(results[case])
        left.bar(place, mean(lengths), yerr=stdev(lengths) if len(lengths) > 1 else None, color=colour, capsize=4)
        right.bar(place, 100 * share_from(results[case], 2), color=colour)
    left.set(title="duration", ylabel="units of time")
    right.set(title="two or more operations at once", ylabel="% of the time")
    for axis in (left, right):
        axis.set_xticks(range(len(results)), [case.replace(", ", "\n") for case in results])
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
