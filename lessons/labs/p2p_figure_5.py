"""Peer-to-peer, figure 5: messages against the rate of churn, on 3,000 nodes."""

from __future__ import annotations

from statistics import mean
from typing import Any

from lessons.experiments.peer_to_peer import rounds
from lessons.laboratory import plots
from lessons.laboratory.lab import Case, Lab, LabRow, Results, Topic, around_mean, row, up_to
from lessons.labs.p2p_figure_3 import PROTOCOLS, RUNS, near

NODES = 3000
CHURN = (0, 1000, 2000, 3000)
MOST = CHURN[-1]
LOST_SCATTER = 15  # standard deviation of one run's double entries if state is lost; ten for Sigma alone


def case(name: str, churn: int, mend: bool = False, **more: Any) -> Case:
    """Rounds with failing nodes, as in the paper; with `mend` the gaps in their paths are closed."""
    paths = {} if name == "Sigma" else {"mend": mend}
    return Case(rounds, {**PROTOCOLS[name], **paths, "nodes": NODES, "churn": churn, **more})


CASES = {f"{name}, churn {churn}": case(name, churn) for name in PROTOCOLS for churn in CHURN}
CASES |= {f"{name}, paths repaired": case(name, MOST, mend=True) for name in PROTOCOLS if name != "Sigma"}
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
    title, sent = f"{name}, churn {churn:,}: messages", messages(results, name, churn)
    if name not in EXPECTED or churn not in (0, MOST):
        return row(title, sent)
    return row(title, sent, band=near(EXPECTED[name][churn == MOST], len(sent)))


def growth(results: Results, name: str) -> LabRow:
    """The increase of the messages under the most churn, in percent."""
    more = rise(results, name, messages(results, name, MOST))
    published = "rises" if name in EXPECTED else None
    return LabRow(
        f"{name}: more messages than without churn, %", published, more, holds=more > 0 if published else None
    )


def mended(results: Results, name: str) -> LabRow:
    """The same if leaving nodes join the ends of their paths."""
    sent = [run["messages"] for run in results[f"{name}, paths repaired"]]
    note = "a message on a repaired path meets no gap and has fewer hops to go"
    return LabRow(
        f"{name}, paths repaired: more messages than without churn, %", None, rise(results, name, sent), note=note
    )


def rise(results: Results, name: str, sent: list[float]) -> float:
    """The increase over the messages without churn, in percent."""
    return 100 * (mean(sent) / mean(messages(results, name, 0)) - 1)


def breaches(results: Results, name: str) -> LabRow:
    doubled = [run["breaches"] for churn in CHURN for run in results[f"{name}, churn {churn}"]]
    return row(f"{name}: double entries, replica state handed over", doubled, band=up_to(0))


def lost(results: Results, name: str) -> LabRow:
    doubled = [run["breaches"] for run in results[f"{name}, state lost"]]
    band = around_mean(100, 35, LOST_SCATTER, len(doubled), RUNS)
    return row(f"{name}: double entries, replica state lost", doubled, band=band, note="at the most churn")


def upkeep(results: Results) -> LabRow:
    sent = [run["upkeep"] for name in PROTOCOLS for run in results[f"{name}, churn {MOST}"]]
    return row(
        "overlay maintenance messages at the most churn",
        sent,
        note="new nodes announce themselves, and replicas are handed over",
    )


def plot(results: Results) -> plots.Figure:
    figure, [axes] = plots.panels(1, f"{NODES:,} nodes, 65 resources, 3 replicas, state handed over")
    for colour, name in zip(plots.COLOURS, PROTOCOLS, strict=False):
        plots.measured(axes, CHURN, [messages(results, name, churn) for churn in CHURN], name, colour)
    axes.set(xlabel="nodes that join or leave in each round", ylabel="messages", ylim=(0, None))
    axes.legend()
    return figure


LAB = Lab(
    name="p2p-figure-5",
    title="Messages vs. churn",
    topic=Topic.P2P,
    question="How does the cost change when nodes join and leave all the time, and does mutual exclusion survive it?",
    picture="""\
Messages in 20 rounds of 20 requests, against the number of nodes that join or leave in each round: one curve for
each protocol, with one standard deviation of a run.""",
    source="M. Muhammad, A. Cheema, I. Gupta, Efficient Mutual Exclusion in Peer-to-Peer Systems, 2005, figure 5",
    cases=CASES,
    seeds=10,
    quick_seeds=1,
    rows=rows,
    plot=plot,
    paragraph="""\
At the end of each round, half of the churn leaves and as many nodes join; nodes that request stay, as in the paper.
The state of a replica is handed over to the node that becomes responsible for it; then mutual exclusion is never
broken. A path that has lost a node stays broken: a message on it meets the gap and continues on the overlay, and
fewer requests are stopped before they reach the replica. So the messages rise a little with churn, as the paper
says. If a leaving node joins the ends of its paths instead, paths become shorter, and End-to-End needs fewer
messages than without churn. In a few runs of Non-End-to-End a client with a single vote yields it after every back-
off, for many rounds; a mean that includes such a run is far from the others. The maintenance of the overlay is most
of the traffic; it is not counted, as in the paper. If the state of replicas is lost with the nodes, all three
protocols let two in about a hundred times per run.""",
)
