"""Alternative text for a picture of a run: the algorithm, the step, states, messages in transit, and breaches."""

from __future__ import annotations

from collections.abc import Sequence

from algorithms.engine.errors import count_words
from algorithms.engine.events import MESSAGE, NODE, SENDER, SEQ
from algorithms.engine.observe.verdicts import Breach, title
from algorithms.engine.rewrite import CARRIER, system_of
from algorithms.engine.rewrite.rewriting import System
from algorithms.engine.rewrite.rule_text import term_text
from algorithms.engine.simulation import Simulation
from visual.narration.node_facts import is_leader, shown_state
from visual.words import join_nodes, join_words, message_phrase, naming, node_name

_MOST_NAMED = 6  # nodes or messages; the rest is counted
_STATES = {
    "inside": "In the critical section",
    "wanting": "Waiting to enter",
    "asleep": "Not yet aware of an election",
    "participant": "Taking part in the election",
    "active": "Still able to win",
    "candidate": "Still able to win",
    "relay": "Only passing messages on",
    "awaiting answers": "Waiting for answers",
    "awaiting coordinator": "Waiting for the coordinator",
    "crashed": "Crashed",
    "paused": "Paused",
    "absent": "Not taking part",
}


def alt_text(run: Simulation, t: float, breaches: Sequence[Breach] = ()) -> str:
    """The present state of a run in a few sentences, with its breaches."""
    if system := system_of(run.algorithm):
        return _term(run, system, breaches)
    count = len(run.processes)
    sentences = [f"{run.algorithm.title}, {count_words(count, 'process')}, step {run.steps}, time {round(t, 2):g}."]
    states = [shown_state(run, node) for node in range(count)]
    for state, words in _STATES.items():
        nodes = [node for node in range(count) if states[node] == state]
        if nodes:
            sentences.append(f"{words}: {_few(list(map(node_name, nodes)))}.")
    if "inside" not in states and not run.algorithm.is_election():
        sentences.append("Nobody is in the critical section.")
    return " ".join(filter(None, [*sentences, _leaders(run), _in_transit(run), _broken(breaches)]))


def _term(run: Simulation, system: System, breaches: Sequence[Breach]) -> str:
    """The same for a rewriting system: its term, component by component."""
    head = f"{run.algorithm.title}, {count_words(run.scenario.nodes, 'node')}, step {run.steps}."
    parts = zip(system.components, run.processes[CARRIER].term, strict=True)
    return " ".join([head, *(f"{name}: {term_text(part)}." for name, part in parts), _broken(breaches)])


def _leaders(run: Simulation) -> str:
    leaders = [node for node in range(len(run.processes)) if is_leader(run, node)]
    if leaders:
        return f"Believing to be the leader: {join_nodes(leaders)}."
    return "No process believes that it is the leader." if run.algorithm.is_election() else ""


def _in_transit(run: Simulation) -> str:
    entries, names = sorted(run.queue.between_processes(), key=lambda entry: entry[SEQ]), naming(run)
    if not entries:
        return "No message is in transit."
    ways = [f"{message_phrase(e[MESSAGE], names)} from {node_name(e[SENDER])} to {node_name(e[NODE])}" for e in entries]
    return f"In transit: {_few(ways)}."


def _broken(breaches: Sequence[Breach]) -> str:
    """All breaches: the first ones in a sentence each, then the steps of the others by property."""
    if not breaches:
        return "No breach."
    named, others = [breach.sentence() for breach in breaches[:_MOST_NAMED]], breaches[_MOST_NAMED:]
    for name in dict.fromkeys(breach.monitor for breach in others):
        steps = [str(breach.step) for breach in others if breach.monitor == name]
        named.append(f"“{title(name)}” also fails at step{'s' * (len(steps) > 1)} {join_words(steps)}.")
    return " ".join(named)


def _few(words: list[str]) -> str:
    if len(words) <= _MOST_NAMED:
        return join_words(words)
    return join_words([*words[: _MOST_NAMED - 1], f"{len(words) - _MOST_NAMED + 1} more"])
