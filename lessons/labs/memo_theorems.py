"""Memo 440, lemmas 4 to 6 and theorems 2 and 3: the bounds, as measured maxima over many runs."""

from __future__ import annotations

from math import ceil, log2
from statistics import mean

from lessons.experiments.memo_440 import BINARY, LINEAR, RING, loaded_run
from lessons.laboratory import plots
from lessons.laboratory.lab import Case, Lab, LabRow, Results, Topic, up_to

SIZES = (2, 3, 4, 5, 8, 16, 32, 64, 100)
GAPS = (0.01, 1, 3, 10)  # from every node always waiting to loads at which the search matters
TIME = 2_000.0
LINEAR_SIZE = 100
UNFAIR, UNFAIR_SIZE = "own turn first, N = 64", 64
PRINTED, BUSY, BUSY_RING, PUSH = (
    "no clean-up, N = 100",
    "binary search, N = 64, busy",
    "ring, N = 64, busy",
    "push, N = 100",
)
CASES = {
    **{
        f"N = {nodes}, gap {gap}": Case(loaded_run, {"algorithm": BINARY, "nodes": nodes, "gap": gap, "until": TIME})
        for nodes in SIZES
        for gap in GAPS
    },
    "ring": Case(loaded_run, {"algorithm": RING, "nodes": LINEAR_SIZE, "gap": 10, "until": TIME}),
    "linear search": Case(loaded_run, {"algorithm": LINEAR, "nodes": LINEAR_SIZE, "gap": 10, "until": TIME}),
    BUSY: Case(loaded_run, {"algorithm": BINARY, "nodes": UNFAIR_SIZE, "gap": 0.001, "until": TIME}),
    BUSY_RING: Case(loaded_run, {"algorithm": RING, "nodes": UNFAIR_SIZE, "gap": 0.001, "until": TIME}),
    UNFAIR: Case(
        loaded_run, {"algorithm": BINARY, "variant": "my-turn-first", "nodes": UNFAIR_SIZE, "gap": 0.001, "until": TIME}
    ),
    PRINTED: Case(loaded_run, {"algorithm": BINARY, "variant": "no-clean-up", "nodes": 100, "gap": 10, "until": TIME}),
    PUSH: Case(loaded_run, {"algorithm": BINARY, "variant": "push", "nodes": 100, "gap": 10, "until": TIME}),
}


def highest(results: Results, what: str, *cases: str) -> float:
    """The maximum of a figure over all runs of the cases."""
    figures: list[float] = [run[what] for case in cases for run in results[case]]
    return max(figures)


def rows(results: Results) -> list[LabRow]:
    table = []
    for nodes in SIZES:
        cases, log = [f"N = {nodes}, gap {gap}" for gap in GAPS], ceil(log2(nodes))
        others = highest(results, "most_to_others", *cases)
        more = "" if others <= nodes else "nodes that requested a moment earlier elsewhere are served as well"
        table += [
            LabRow(
                f"lemma 6, N = {nodes}: most gimmes", "O(log N)", highest(results, "gimmes", *cases), band=up_to(log)
            ),
            LabRow(
                f"theorem 2, N = {nodes}: worst responsiveness",
                "O(log N)",
                highest(results, "worst_responsiveness", *cases),
                band=up_to(log + 2),
            ),
            LabRow(
                f"theorem 3, N = {nodes}: most entries of one other node during a wait",
                f"up to {log2(nodes):.2f}",
                highest(results, "most_to_one", *cases),
                band=up_to(log),
            ),
            LabRow(
                f"theorem 3, N = {nodes}: most entries of all other nodes during a wait",
                f"up to {nodes}",
                others,
                holds=others <= nodes,
                note=more,
            ),
            LabRow(
                f"theorem 3, N = {nodes}: the same, with ⌈log₂ N⌉ more allowed", None, others, band=up_to(nodes + log)
            ),
        ]
    return [
        *table,
        LabRow(
            "lemma 4, ring, N = 100: worst responsiveness",
            "O(N)",
            highest(results, "worst_responsiveness", "ring"),
            band=up_to(LINEAR_SIZE),
        ),
        LabRow(
            "lemma 5, linear search, N = 100: worst responsiveness",
            "O(N)",
            highest(results, "worst_responsiveness", "linear search"),
            band=up_to(LINEAR_SIZE),
        ),
        *what_fails(results),
    ]


def what_fails(results: Results) -> list[LabRow]:
    """The same claims without one of their conditions, and claims that do not hold."""
    return [
        LabRow(
            f"theorem 2, {PRINTED}: worst responsiveness",
            "O(log N)",
            highest(results, "worst_responsiveness", PRINTED),
            holds=False,
            note="stale traps divert the token needlessly",
        ),
        LabRow(
            f"theorem 3, {UNFAIR}: most entries of one other node during a wait",
            f"up to {log2(UNFAIR_SIZE):.0f}",
            highest(results, "most_to_one", UNFAIR),
            holds=False,
            note="the holder's own trap must take its place in the queue",
        ),
        LabRow(
            "busy, N = 64: entries per time unit, binary search / ring",
            '"high throughput"',
            mean(run["per_unit"] for run in results[BUSY]) / mean(run["per_unit"] for run in results[BUSY_RING]),
            holds=False,
            note="a loan takes two units, a hop on the ring takes one",
        ),
        LabRow(
            f"{PUSH}: probes per entry",
            '"only logarithmic"',
            mean(run["messages"]["probe"] for run in results[PUSH]),
            holds=False,
            note="a token that does not know which node is waiting must ask all of them",
        ),
    ]


def plot(results: Results) -> plots.Figure:
    figure, panels = plots.panels(3, "Binary search: the largest values over all runs and loads")
    claims = (
        ("gimmes", "gimmes per request\n(lemma 6)", 0),
        ("worst_responsiveness", "responsiveness\n(theorem 2)", 2),
        ("most_to_one", "entries of one other node\nduring a wait (theorem 3)", 0),
    )
    for axes, (what, title, slack) in zip(panels, claims, strict=True):
        worst = [highest(results, what, *(f"N = {nodes}, gap {gap}" for gap in GAPS)) for nodes in SIZES]
        plots.line(axes, SIZES, worst, "measured")
        bound = [ceil(log2(nodes)) + slack for nodes in SIZES]
        axes.plot(SIZES, bound, color=plots.INK, ls="--", lw=1.2, label=f"⌈log₂ N⌉{f' + {slack}' if slack else ''}")
        axes.set(title=title, xscale="log", xlabel="nodes", ylim=(0, 10))
        axes.set_xticks([2, 8, 32, 100], ["2", "8", "32", "100"])
        axes.minorticks_off()
        axes.legend()
    return figure


LAB = Lab(
    name="memo-theorems",
    title="The bounds of Memo 440",
    topic=Topic.MEMO,
    question="Do the memo's bounds hold for the repaired rules?",
    picture="""\
The largest value over all runs and loads, for each number of nodes, and the bound as a dashed line. A measured curve
at or below its bound agrees with the memo.""",
    source="B. Englert, L. Rudolph, A. Shvartsman, MIT CSG Memo 440, lemmas 4 to 6, theorems 2 and 3",
    cases=CASES,
    seeds=12,
    quick_seeds=3,
    rows=rows,
    plot=plot,
    paragraph="""\
With the rules repaired the logarithmic bounds hold, with small constants: a request is forwarded at most ⌈log₂ N⌉
times for every N, some waiting node is served within ⌈log₂ N⌉ + 2 units, and while one node waits, no other node
enters more than ⌈log₂ N⌉ times. The bound on all other nodes together does not hold: they can enter a few more than
N times. Each condition is needed: with the traps as printed, never cleaned up, responsiveness is no longer
logarithmic; and if the holder of the token always takes its own turn first, one node can enter 65 times while
another waits (N = 64). Two claims do not hold at all: high throughput in busy systems (a loan takes two units where
the ring takes one), and a push that finds waiting nodes with a logarithmic number of messages (its probes must reach
every node).""",
)
