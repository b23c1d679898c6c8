"""Elections on a ring: N log N or not, over all arrangements of up to eight numbers."""

from __future__ import annotations

from math import ceil, floor, log2

from lessons.experiments.ring_elections import arrangements
from lessons.laboratory import plots
from lessons.laboratory.lab import Case, Figures, Lab, LabRow, Results, Topic, around, up_to

SIZES = range(2, 9)
TITLES = {
    "le-lann": "Le Lann",
    "chang-roberts": "Chang–Roberts",
    "hirschberg-sinclair": "Hirschberg–Sinclair",
    "franklin": "Franklin",
    "peterson": "Peterson",
}
CASES = {f"{name}, N = {n}": Case(arrangements, {"algorithm": name, "nodes": n}) for name in TITLES for n in SIZES}
MOST = 8


def worst(figures: Figures) -> float:
    """The messages of the most expensive arrangement."""
    return float(max(count for count, _ in figures["messages"]))


def average(figures: Figures) -> float:
    """The mean over all arrangements."""
    total = sum(times for _, times in figures["messages"])
    return float(sum(count * times for count, times in figures["messages"]) / total)


def harmonic(n: int) -> float:
    return sum(1 / k for k in range(1, n + 1))


def rows(results: Results) -> list[LabRow]:
    at = {name: results[f"{name}, N = {MOST}"][0] for name in TITLES}
    rounds = floor(log2(MOST))
    least = min(TITLES, key=lambda name: average(at[name]))
    return [
        _exact("Le Lann: in every arrangement", MOST**2, worst(at["le-lann"])),
        _exact("Chang–Roberts: worst, N(N+1)/2", MOST * (MOST + 1) / 2, worst(at["chang-roberts"])),
        _exact("Chang–Roberts: average, N H(N)", MOST * harmonic(MOST), average(at["chang-roberts"])),
        LabRow(
            "Hirschberg–Sinclair: worst",
            f"≤ {8 * MOST + 8 * ceil(MOST * log2(MOST))}",
            worst(at["hirschberg-sinclair"]),
            band=up_to(8 * MOST + 8 * ceil(MOST * log2(MOST))),
            note="8N + 8⌈N log₂ N⌉, an upper bound",
        ),
        _exact("Franklin: worst, 2N⌊log₂ N⌋ + 2N", 2 * MOST * rounds + 2 * MOST, worst(at["franklin"])),
        _exact("Peterson: worst, 2N⌊log₂ N⌋ + N", 2 * MOST * rounds + MOST, worst(at["peterson"])),
        LabRow(
            "cheapest on average",
            "N log N",
            average(at[least]),
            holds=least not in ("le-lann", "chang-roberts"),
            note=TITLES[least],
        ),
    ]


def _exact(name: str, published: float, measured: float) -> LabRow:
    return LabRow(name, published, measured, band=around(published, 1e-9))


def plot(results: Results) -> plots.Figure:
    figure, panels = plots.panels(2, "Messages to find the leader, over all arrangements")
    for axes, measure, title in zip(panels, (worst, average), ("worst", "average"), strict=True):
        for (name, words), colour in zip(TITLES.items(), plots.COLOURS, strict=False):
            counts = [measure(results[f"{name}, N = {n}"][0]) for n in SIZES]
            axes.plot(list(SIZES), counts, color=colour, marker=plots.MARKERS.get(colour, "o"), label=words)
        axes.plot(list(SIZES), [n * log2(n) for n in SIZES], color=plots.INK, ls="--", label="N log₂ N")
        axes.set(xlabel="N", title=title)
    panels[0].set(ylabel="messages")
    panels[0].legend()
    return figure


LAB = Lab(
    name="n-log-n",
    title="N log N or not",
    topic=Topic.TEXTBOOKS,
    question="How many messages does an election on a ring of N numbers cost, at worst and on average?",
    picture="""\
The messages until the leader is found, without its announcement, for two to eight processes that all call at once: on
the left in the most expensive arrangement of the numbers, on the right on average over all of them. The dashed line
is N log₂ N.""",
    source="Chang & Roberts, 1979; Hirschberg & Sinclair, 1980; Franklin, 1982; Peterson, 1982",
    cases=CASES,
    seeds=1,
    quick_seeds=1,
    rows=rows,
    plot=plot,
    paragraph="""\
All (N−1)! arrangements are run, so nothing here is an estimate: the formulas of Chang and Roberts, Franklin, and
Peterson are met exactly. N log N is a statement about the worst case and about large N. On average Chang–Roberts is
cheaper than all three algorithms with N log N: its mean is N H(N), about 0.69 N log₂ N. Even its worst case, N(N+1)/2,
is not above Peterson's for N up to 13, and for 16 and 17, because Peterson's jumps at the powers of two.
Hirschberg–Sinclair pays for every probe twice, there and back.""",
)
