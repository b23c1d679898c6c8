"""Peer-to-peer, figure 5: messages by the rate of churn, on 3,000 nodes."""

from __future__ import annotations

from statistics import mean
from typing import TYPE_CHECKING, Any

from lessons.experiments.peer_to_peer import rounds
from lessons.laboratory.lab import Case, Lab, Results, Row, around, row, up_to
from lessons.labs.p2p_figure_3 import near
from lessons.labs.p2p_figure_4 import PROTOCOLS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NODES = 3000
CHURN = (0, 1000, 2000, 3000)
MOST = CHURN[-1]


def case(name: str, churn: int, **more: Any) -> Case:
    return Case(rounds, {**PROTOCOLS[name], "nodes": NODES, "churn": churn, **more})


CASES = {f"{name}, churn {churn}": case(name, churn) for name in PROTOCOLS for churn in CHURN}
CASES |= {f"{name}, state lost": case(name, MOST, handover=False) for name in PROTOCOLS}
EXPECTED = {  # by another program, without churn and with the most
    "End-to-End": (8491, 8813),
    "Non-End-to-End": (7711, 8298),
}


def messages(results: Results, name: str, churn: int) -> list[float]:
    """How many each run has sent, those of the overlay's own upkeep not counted."""
    return [run["messages"] for run in results[f"{name}, churn {churn}"]]


def rows(results: Results) -> list[Row]:
    table = [counted(results, name, churn) for name in PROTOCOLS for churn in CHURN]
    table += [growth(results, name) for name in PROTOCOLS]
    table += [breaches(results, name) for name in PROTOCOLS]
    return [*table, *(lost(results, name) for name in PROTOCOLS), upkeep(results)]


def counted(results: Results, name: str, churn: int) -> Row:
    """The messages; without churn within 5 % of what the other program has counted."""
    title, sent = f"{name}, churn {churn:,}", messages(results, name, churn)
    if name not in EXPECTED or churn not in (0, MOST):
        return row(title, sent)
    expected = EXPECTED[name][churn == MOST]
    if churn == 0:
        return row(title, sent, band=near(expected, len(sent)))
    return row(title, sent, note=f"the other program: {expected:,}; here who leaves joins the ends of its paths")


def growth(results: Results, name: str) -> Row:
    """By how much the most churn raises the messages, in per cent."""
    still, moving = mean(messages(results, name, 0)), mean(messages(results, name, MOST))
    published = "rises" if name in EXPECTED else None
    holds = moving > still if published else None
    note = (
        ""
        if holds in (None, True)
        else "fewer of a client's requests are stopped, each with an ENQUEUE of its own; upkeep is counted apart"
    )
    return Row(f"{name}: more messages, %", published, 100 * (moving / still - 1), holds=holds, note=note)


def breaches(results: Results, name: str) -> Row:
    doubled = [run["breaches"] for churn in CHURN for run in results[f"{name}, churn {churn}"]]
    return row(f"{name}: double entries, state handed over", doubled, band=up_to(0))


def lost(results: Results, name: str) -> Row:
    doubled = [run["breaches"] for run in results[f"{name}, state lost"]]
    return row(f"{name}: double entries, state lost", doubled, band=around(100, 35), note="at the most churn")


def upkeep(results: Results) -> Row:
    sent = [run["upkeep"] for name in PROTOCOLS for run in results[f"{name}, churn {MOST}"]]
    return row(
        "upkeep at the most churn", sent, note="newcomers present themselves, replicas and paths are handed over"
    )


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
At the end of each round half as many nodes as the rate of churn says leave, and as many come; those who ask stay,
as in the paper. Who leaves hands on what it knows of replicas, and joins the ends of the paths that it was on; a
newcomer is handed what it answers for. Then nothing is entered twice, and churn hardly changes the number of
messages: where fewer requests are stopped on their way, a client that has lost sends one ENQUEUE instead of up to
three, and paths become shorter when nodes on them leave. The paper sees a slight rise; so does another program,
written apart from this one, in which a path that has lost a node is given up. The upkeep of the overlay itself is
not counted, as in the paper, and is most of the traffic. If the state of replicas is lost with the nodes, all three
protocols let two in about a hundred times a run: that the replicas' states survive is not a detail.""",
)
