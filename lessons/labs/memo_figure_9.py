"""Memo 440, figure 9: responsiveness at one request per 10 units, against the number of nodes."""

from __future__ import annotations

from math import log2
from statistics import mean
from typing import Any

from lessons.experiments.memo_440 import BINARY, LINEAR, RING, loaded_run
from lessons.laboratory import plots
from lessons.laboratory.lab import Case, Lab, LabRow, Results, Topic, around, row, within

SIZES = (2, 8, 32, 100, 200, 500, 1000)
GAP, TIME = 10.0, 10_000.0
CURVES: dict[str, dict[str, Any]] = {
    "ring": {"algorithm": RING},
    "binary search": {"algorithm": BINARY},
    "as printed, no clean-up": {"algorithm": BINARY, "variant": "no-clean-up"},
}
OTHERS: dict[str, dict[str, Any]] = {
    "linear search": {"algorithm": LINEAR},
    "linear search, circulating": {"algorithm": LINEAR, "variant": "circulating"},
    **{
        name.replace("-", " "): {"algorithm": BINARY, "variant": name}
        for name in ("directed", "inverse-clean-up", "one-gimme", "push", "push-and-pull", "loans-leave-marks")
    },
}
CASES = {
    **{
        f"{name}, N = {nodes}": Case(loaded_run, {**what, "nodes": nodes, "gap": GAP, "until": TIME})
        for name, what in CURVES.items()
        for nodes in SIZES
    },
    **{
        f"{name}, N = 100": Case(loaded_run, {**what, "nodes": 100, "gap": GAP, "until": TIME})
        for name, what in OTHERS.items()
    },
}
RING_BANDS = {
    2: within(0.05, 1.0),
    8: within(0.15, 3.45),
    32: within(0.15, 8.31),
    100: around(10.4, 1.5),
    200: around(10.48, 1.5),
    500: around(10.51, 1.5),
    1000: around(10.51, 1.5),
}
BANDS = {
    2: within(0.05, 1.0),
    8: within(0.05, 2.57),
    32: around(3.9, 0.25),
    100: around(4.87, 0.35),
    200: around(5.36, 0.35),
    500: around(5.93, 0.4),
}


def each(results: Results, case: str, what: str) -> list[float]:
    """One figure of each run of the case."""
    return [run[what] for run in results[case]]


def per_entry(results: Results, case: str) -> LabRow:
    """The messages per entry, with a note of their kinds."""
    kinds = results[case][0]["messages"]
    counts = {kind: mean(run["messages"].get(kind, 0.0) for run in results[case]) for kind in kinds}
    note = " + ".join(f"{count:.2f} {kind}" for kind, count in counts.items())
    return row(f"{case}: messages per entry", [sum(run["messages"].values()) for run in results[case]], note=note)


def rows(results: Results) -> list[LabRow]:
    table = []
    for nodes in SIZES:
        ring, binary, printed = (f"{name}, N = {nodes}" for name in CURVES)
        bound = log2(nodes)
        table += [
            row(f"{ring}: responsiveness", each(results, ring, "responsiveness"), band=RING_BANDS[nodes]),
            row(f"{binary}: responsiveness", each(results, binary, "responsiveness"), band=BANDS.get(nodes)),
            below_log(f"{printed}: responsiveness", each(results, printed, "responsiveness"), bound),
        ]
    table += [
        row("ring, N = 100: waiting time", each(results, "ring, N = 100", "waiting"), band=around(49.5, 5)),
        row(
            "binary search, N = 100: waiting time",
            each(results, "binary search, N = 100", "waiting"),
            band=around(6.73, 0.35),
        ),
        LabRow(
            "binary search: most unused loans in any run",
            None,
            max(run["useless_loans"] for nodes in SIZES for run in results[f"binary search, N = {nodes}"]),
            band=(0, 0),
        ),
    ]
    for name in ("ring", *list(CURVES)[1:], *OTHERS):
        case = f"{name}, N = 100"
        if name in OTHERS:
            table.append(row(f"{case}: responsiveness", each(results, case, "responsiveness")))
        if name not in ("ring", "binary search"):
            table.append(row(f"{case}: waiting time", each(results, case, "waiting")))
        if name != "ring":
            table.append(
                LabRow(f"{case}: worst responsiveness", None, max(each(results, case, "worst_responsiveness")))
            )
        table.append(per_entry(results, case))
    return table


def below_log(name: str, samples: list[float], bound: float) -> LabRow:
    """Figure 9's claim about the binary search: "the average responsiveness is bounded by log n"."""
    holds = mean(samples) <= bound + 0.01
    return row(name, samples, f"up to {bound:.2f}", holds=holds, note="" if holds else "stale traps divert the token")


def plot(results: Results) -> plots.Figure:
    figure, panels = plots.panels(2, "One request per 10 time units in the whole system")
    for axes, what in zip(panels, ("responsiveness", "waiting"), strict=True):
        for colour, name in zip((plots.ORANGE, plots.BLUE, plots.PINK), CURVES, strict=True):
            samples = [each(results, f"{name}, N = {nodes}", what) for nodes in SIZES]
            plots.measured(axes, SIZES, samples, name, colour)
        axes.plot(
            SIZES, [log2(nodes) for nodes in SIZES], color=plots.INK, ls="--", lw=1.2, label="published bound, log₂ N"
        )
        axes.set(xscale="log", xlabel="nodes", ylabel="time units")
        axes.set_xticks([2, 8, 32, 100, 1000], ["2", "8", "32", "100", "1,000"])
        axes.minorticks_off()
    panels[0].set(title="responsiveness (definition 3)")
    panels[1].set(title="waiting time", ylim=(0, 60))
    panels[0].legend(fontsize=9.5)
    return figure


LAB = Lab(
    name="memo-figure-9",
    title="Responsiveness vs. nodes",
    topic=Topic.MEMO,
    question="On a ring and with binary search, how do waiting times grow with the number of nodes?",
    picture="""\
Left: responsiveness, the time for which at least one node waits before any waiting node receives the token. Right:
the time that a node waits for its own entry. The dashed line is the published bound, log₂ N.""",
    source="B. Englert, L. Rudolph, A. Shvartsman, MIT CSG Memo 440, section 4.3, figure 9",
    cases=CASES,
    seeds=8,
    quick_seeds=2,
    rows=rows,
    plot=plot,
    paragraph="""\
Figure 9 can be reproduced, with the rules repaired and with clean-up by the token. On the ring the mean
responsiveness (definition 3) approaches 1 / (1 − e^−0.1) = 10.5, and the waiting time approaches N / 2. With the
binary search both stay below log₂ N + 1, and the responsiveness below log₂ N. Without clean-up, as figure 7 is
printed, it does not: traps of requests that were satisfied elsewhere divert the token needlessly, four times per
entry at N = 100, and the bound fails from N = 32 to N = 200. The search costs about log₂ N gimmes and two loans per
entry on top of the token's hops, of which it saves few at this load. Among the refinements, one outstanding gimme
per node saves messages but loses the logarithmic bound; inverse clean-up lengthens the token's path; directed search
stops early and waits longer; push asks every node each time, which takes N messages, not log N.""",
)
