"""Peer-to-peer, figure 5: messages against the rate of churn, on 3,000 nodes."""

from __future__ import annotations

from statistics import mean
from typing import TYPE_CHECKING, Any

from lessons.experiments.peer_to_peer import rounds
from lessons.laboratory.lab import Case, Lab, LabRow, Results, around, row, up_to
from lessons.labs.p2p_figure_3 import PROTOCOLS, near

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NODES = 3000
CHURN = (0, 1000, 2000, 3000)
MOST = CHURN[-1]


def case(name: str, churn: int, mend: bool = False, **more: Any) -> Case:
    """Rounds with failing nodes, as in the paper; with `mend` they join the ends of their paths."""
    paths = {} if name == "Sigma" else {"mend": mend}
    return Case(rounds, {**PROTOCOLS[name], **paths, "nodes": NODES, "churn": churn, **more})


CASES = {f"{name}, churn {churn}": case(name, churn) for name in PROTOCOLS for churn in CHURN}
CASES |= {f"{name}, paths mended": case(name, MOST, mend=True) for name in PROTOCOLS if name != "Sigma"}
CASES |= {f"{name}, state lost": case(name, MOST, handover=False) for name in PROTOCOLS}
EXPECTED = {  # by another program, without churn and with the most
    "End-to-End": (8491, 8813),
    "Non-End-to-End": (7711, 8298),
}


def messages(results: Results, name: str, churn: int) -> list[float]:
    """The number of messages that each run has sent, without the overlay's own upkeep."""
    return [run["messages"] for run in results[f"{name}, churn {churn}"]]


def rows(results: Results) -> list[LabRow]:
    table = [counted(results, name, churn) for name in PROTOCOLS for churn in CHURN]
    table += [growth(results, name) for name in PROTOCOLS]
    table += [mended(results, name) for name in EXPECTED]
    table += [breaches(results, name) for name in PROTOCOLS]
    return [*table, *(lost(results, name) for name in PROTOCOLS), upkeep(results)]


def counted(results: Results, name: str, churn: int) -> LabRow:
    """Compare the messages with the other program's, within 5 %, without churn and with the most."""
    title, sent = f"{name}, churn {churn:,}", messages(results, name, churn)
    if name not in EXPECTED or churn not in (0, MOST):
        return row(title, sent)
    return row(title, sent, band=near(EXPECTED[name][churn == MOST], len(sent)))


def growth(results: Results, name: str) -> LabRow:
    """The increase of the messages under the most churn, in percent."""
    more = rise(results, name, messages(results, name, MOST))
    published = "rises" if name in EXPECTED else None
    return LabRow(f"{name}: more messages, %", published, more, holds=more > 0 if published else None)


def mended(results: Results, name: str) -> LabRow:
    """The same if leaving nodes join the ends of their paths."""
    sent = [run["messages"] for run in results[f"{name}, paths mended"]]
    note = "what goes along a mended path meets no gap, and has fewer hops to go"
    return LabRow(f"{name}, paths mended: more messages, %", None, rise(results, name, sent), note=note)


def rise(results: Results, name: str, sent: list[float]) -> float:
    """The increase over the messages without churn, in percent."""
    return 100 * (mean(sent) / mean(messages(results, name, 0)) - 1)


def breaches(results: Results, name: str) -> LabRow:
    doubled = [run["breaches"] for churn in CHURN for run in results[f"{name}, churn {churn}"]]
    return row(f"{name}: double entries, state handed over", doubled, band=up_to(0))


def lost(results: Results, name: str) -> LabRow:
    doubled = [run["breaches"] for run in results[f"{name}, state lost"]]
    return row(f"{name}: double entries, state lost", doubled, band=around(100, 35), note="at the most churn")


def upkeep(results: Results) -> LabRow:
    sent = [run["upkeep"] for name in PROTOCOLS for run in results[f"{name}, churn {MOST}"]]
    return row("upkeep at the most churn", sent, note="newcomers present themselves, replicas are handed over")


def plot(results: Results) -> Figure:
    from lessons.laboratory import plots

    figure, [axes] = plots.panels(1, f"{NODES:,} nodes, 65 resources, 3 replicas, state handed over")
    for colour, name in zip(plots.COLOURS, PROTOCOLS, strict=False):
        plots.measured(axes, CHURN, [messages(results, name, churn) for churn in CHURN], name, colour)
    axes.set(xlabel="nodes that come or go in each round", ylabel="messages", ylim=(0, None))
    axes.legend()
    return figure


LAB = Lab(
    name="p2p-figure-5",
    title="Three protocols on an overlay: messages by the rate of churn",
    source="M. Muhammad, A. Cheema, I. Gupta, Efficient Mutual Exclusion in Peer-to-Peer Systems, 2005, figure 5",
    cases=CASES,
    seeds=10,
    quick_seeds=1,
    rows=rows,
    plot=plot,
    paragraph="""\
At the end of each round half as many nodes as the rate of churn says fail, and as many come; those who ask stay, as
in the paper. The state of a replica is handed on to whoever answers for it next; then nothing is entered twice. A
path that has lost a node stays broken: what goes along it runs into the gap and on by the overlay from there, and
fewer requests are stopped on their way. So the messages rise a little with churn, as the paper says; the bands are 5
% around what another program, written apart from this one, has counted. If those who leave join the ends of their
paths instead, End-to-End needs even less than without churn: paths become shorter. In a few runs of Non-End-to-End a
client that has a single vote, and knows of no majority for another, yields it after every back-off, for many rounds:
the means with such a run among them stray widely. The upkeep of the overlay itself is not counted, as in the paper,
and is most of the traffic. If the state of replicas is lost with the nodes, all three protocols let two in about a
hundred times a run: that the replicas' states survive is not a detail.""",
)
