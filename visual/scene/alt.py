"""A picture in words, for those who cannot see it: algorithm, step, who is where, what is on its way, breaches."""

from __future__ import annotations

from algorithms.engine.events import MESSAGE, NODE, SENDER, SEQ
from algorithms.engine.simulation import Simulation
from visual.scene.facts import leads, state_of
from visual.scene.messages import in_flight
from visual.scene.words import listed, message_label, node_name, nodes_listed

_MOST_NAMED = 6  # nodes or messages; of more, only so many are named
_STATES = {
    "inside": "In the critical section",
    "wanting": "Wanting to enter",
    "crashed": "Crashed",
    "paused": "Paused",
    "absent": "Not taking part",
}


def alt_text(run: Simulation, t: float) -> str:
    """The present state of a run in a few sentences."""
    count = len(run.processes)
    said = [f"{run.algorithm.title}, {count} processes, step {run.steps}, time {round(t, 2):g}."]
    states = [state_of(run, node) for node in range(count)]
    for state, words in _STATES.items():
        nodes = [node for node in range(count) if states[node] == state]
        if nodes:
            said.append(f"{words}: {_few(list(map(node_name, nodes)))}.")
    if "inside" not in states and not run.algorithm.is_election():
        said.append("Nobody is in the critical section.")
    said += [_leaders(run), _flying(run), *_breaches(run, states)]
    return " ".join(filter(None, said))


def _leaders(run: Simulation) -> str:
    leaders = [node for node in range(len(run.processes)) if leads(run, node)]
    if leaders:
        return f"Leader, in its own eyes: {nodes_listed(leaders)}."
    return "No process takes itself for the leader." if run.algorithm.is_election() else ""


def _flying(run: Simulation) -> str:
    entries = sorted(in_flight(run), key=lambda entry: entry[SEQ])
    if not entries:
        return "No message is in flight."
    ways = [f"{message_label(e[MESSAGE])} from {node_name(e[SENDER])} to {node_name(e[NODE])}" for e in entries]
    return f"In flight: {_few(ways)}."


def _breaches(run: Simulation, states: list[str]) -> list[str]:
    inside = [node for node, state in enumerate(states) if state == "inside"]
    leaders = [node for node, state in enumerate(states) if state in ("idle", "wanting", "inside") and leads(run, node)]
    said = []
    if len(inside) > 1:
        said.append(f"{nodes_listed(inside)} are in the critical section at the same time.")
    if len(leaders) > 1:
        said.append(f"{nodes_listed(leaders)} take themselves for the leader at the same time.")
    return said or ["No breach."]


def _few(words: list[str]) -> str:
    if len(words) <= _MOST_NAMED:
        return listed(words)
    return listed([*words[: _MOST_NAMED - 1], f"{len(words) - _MOST_NAMED + 1} more"])
