"""Journal, figure 5: the number of tokens over a run with a loss every 10,000 s."""

from __future__ import annotations

from statistics import mean

from lessons.experiments.wandering import CONSTANTS, JOURNAL, journal_run
from lessons.laboratory import plots
from lessons.laboratory.lab import Case, Lab, LabRow, Results, Topic, row, up_to

DMIN, GAMMA, NODES = 600.0, 180_000.0, 300
EVERY = '"every 2 Δmin" holds only after a common start: each visit draws a new timeout'
LOSSES, NO_LOSSES = "losses", "no losses"
CASES = {LOSSES: Case(journal_run, {"nodes": NODES}), NO_LOSSES: Case(journal_run, {"nodes": NODES, "loss_every": 1e9})}


def rows(results: Results) -> list[LabRow]:
    runs, calm = results[LOSSES], results[NO_LOSSES]
    most = [max(int(k) for k in run["tokens"]) for run in runs]
    latencies = [latency for run in runs for latency in run["latencies"]]
    gaps = [run["time"] / run["needless_generations"] for run in calm]
    return [
        LabRow("most tokens in any run", 2, max(most), band=up_to(5)),
        row("most tokens in one run, on average", most, 2, holds=False, note='"never exceed the number of two"'),
        row("time without a token, %", [100 * run["tokens"].get("0", 0) / run["time"] for run in runs]),
        LabRow("seconds from a loss to the next token", '"may be relevant"', mean(latencies)),
        LabRow(
            "seconds to the first timeout of a common start",
            1200,
            DMIN + GAMMA / NODES,
            note="calculated: Δmin + γ / N",
        ),
        row("seconds between timeouts while a token exists", gaps, 1200, holds=False, note=EVERY),
    ]


def plot(results: Results) -> plots.Figure:
    figure, [axes] = plots.panels(1, "Number of tokens, with a loss every 10,000 s (N = 300, first seed)")
    first = results[LOSSES][0]
    times, levels = zip(*first["token_curve"], strict=True)
    axes.step([*times, first["time"]], [*levels, levels[-1]], where="post", color=plots.BLUE, lw=1.2, label="measured")
    axes.axhline(2, color=plots.INK, ls="--", lw=1.2, label="published: never more than 2")
    axes.set(xlabel="time, s", ylabel="tokens", yticks=range(max(levels) + 2), ylim=(-0.1, max(levels) + 1.4))
    axes.legend(loc="upper right")
    return figure


LAB = Lab(
    name="journal-figure-5",
    title="Number of tokens",
    topic=Topic.JOURNAL,
    question="How many tokens exist at a time if the token is lost every 10,000 s?",
    picture="""\
The number of tokens during the run with the first seed. The dashed line is the published maximum; every gap at 0
follows a loss.""",
    source="A. Ciuffoletti, The Wandering Token (journal version), section 3, figure 5",
    cases=CASES,
    seeds=30,
    quick_seeds=4,
    rows=rows,
    plot=plot,
    parameters=CONSTANTS[JOURNAL],
    paragraph="""\
The picture matches the published one: one token most of the time, narrow spikes where a timeout generated a second
token that the sandwich rule soon removed, and gaps after the losses. Three tokens occur in nearly every run, so
"never exceed two" describes one lucky run. "Timeouts expire every 2 Δmin" is true of the first one after a common
start; in the steady state every visit of a token draws a new timeout, which must first outlast Δmin, and the gap is
about 1,780 s. After a loss it takes about 780 s until some node generates a new token.""",
)
