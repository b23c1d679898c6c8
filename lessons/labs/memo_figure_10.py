"""Memo 440, figure 10: responsiveness of 100 nodes against the time between two requests."""

from __future__ import annotations

from math import log2
from statistics import mean

from lessons.experiments.memo_440 import BINARY, RING, loaded_run
from lessons.laboratory import plots
from lessons.laboratory.lab import Band, Case, Lab, LabRow, Results, Topic, around, row, within
from lessons.labs.memo_figure_9 import each, per_entry

NODES = 100
GAPS = (0.5, 1, 2, 5, 10, 50, 100, 200, 500, 1000)
REQUESTS, TIME = 300, 10_000.0  # as long as so many requests take, and no shorter than that
RING_EXPECTED = dict(zip(GAPS, (1.16, 1.58, 2.54, 5.50, 10.4, 31.4, 39.2, 45.1, 47.9, 48.8), strict=True))
EXPECTED = dict(zip(GAPS, (1.92, 1.98, 2.13, 3.83, 4.89, 6.01, 6.24, 6.34, 6.36, 6.38), strict=True))
ADAPTIVE = "adaptive speed, gap 1000"
CASES = {
    **{
        f"{name}, gap {gap}": Case(
            loaded_run, {"algorithm": algorithm, "nodes": NODES, "gap": gap, "until": max(TIME, REQUESTS * gap)}
        )
        for name, algorithm in (("ring", RING), ("binary search", BINARY))
        for gap in GAPS
    },
    ADAPTIVE: Case(
        loaded_run,
        {"algorithm": BINARY, "variant": "adaptive-speed", "nodes": NODES, "gap": 1000, "until": REQUESTS * 1000},
    ),
}


def ring_band(gap: float) -> Band:
    """The band for the ring: wider where few requests make the mean uncertain."""
    return around(RING_EXPECTED[gap], 7) if gap > 10 else within(0.15, RING_EXPECTED[gap])


def rows(results: Results) -> list[LabRow]:
    table = []
    for gap in GAPS:
        ring, binary = f"ring, gap {gap}", f"binary search, gap {gap}"
        table += [
            row(f"{ring}: responsiveness", each(results, ring, "responsiveness"), band=ring_band(gap)),
            row(
                f"{binary}: responsiveness",
                each(results, binary, "responsiveness"),
                band=around(EXPECTED[gap], 0.35 if gap == 10 else 0.25),
            ),
            row(f"{binary}: waiting time", each(results, binary, "waiting")),
            per_entry(results, binary),
        ]
    busy = [mean(each(results, f"{name}, gap 0.5", "per_unit")) for name in ("binary search", "ring")]
    limit = each(results, "binary search, gap 1000", "responsiveness")
    table += [
        row("binary search, gap 1000: against the limit", limit, "below log₂ 100", band=(0.0, log2(NODES))),
        LabRow(
            "entries per time unit when busy: binary search / ring",
            '"high throughput"',
            busy[0] / busy[1],
            holds=False,
            note="a loan takes two units, a hop on the ring takes one",
        ),
        row(f"{ADAPTIVE}: responsiveness", each(results, ADAPTIVE, "responsiveness")),
        per_entry(results, ADAPTIVE),
    ]
    return table


def plot(results: Results) -> plots.Figure:
    figure, [axes] = plots.panels(1, "Responsiveness of 100 nodes (definition 3)")
    for colour, name in ((plots.ORANGE, "ring"), (plots.BLUE, "binary search")):
        samples = [each(results, f"{name}, gap {gap}", "responsiveness") for gap in GAPS]
        plots.measured(axes, GAPS, samples, name, colour)
    axes.axhline(log2(NODES), color=plots.INK, ls="--", lw=1.2, label="published limits: log₂ 100 and N / 2")
    axes.axhline(NODES / 2, color=plots.INK, ls="--", lw=1.2)
    axes.set(xscale="log", xlabel="time units between two requests", ylabel="time units")
    axes.set_xticks(GAPS, [str(gap) for gap in GAPS])
    axes.minorticks_off()
    axes.legend()
    return figure


LAB = Lab(
    name="memo-figure-10",
    title="Responsiveness vs. load",
    topic=Topic.MEMO,
    question="On a ring and with binary search, how fast is some waiting node served, from busy to idle?",
    picture="""\
Responsiveness: the time for which at least one node waits before any waiting node receives the token. It is drawn
against the mean time between two requests in the whole system, so busy is at the left; the dashed lines are
published limits.""",
    source="B. Englert, L. Rudolph, A. Shvartsman, MIT CSG Memo 440, section 4.3, figure 10",
    cases=CASES,
    seeds=5,
    quick_seeds=2,
    rows=rows,
    plot=plot,
    paragraph="""\
Figure 10 can be reproduced: as requests become rarer, the responsiveness of the ring approaches N / 2, and that of
the binary search approaches log₂ 100 = 6.64 from below. The abstract's claim about busy systems cannot: there the
ring serves a node at every hop, one per unit; the binary search finds traps at once and serves them by loans, there
and back, so it serves only one node in two units, and the token hardly moves round the ring. A waiting node does not
request again here; if its further requests counted as waiting too, the mean waiting times at the two busiest loads
would be shorter. A token with adaptive speed (it rests one unit longer at every node after each round without an
entry) saves two thirds of the hops at one request per 1000 units, and waiting times hardly grow.""",
)
