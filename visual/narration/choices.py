"""What may happen next, in a few words: the same in the list of choices and in a hint."""

from __future__ import annotations

from algorithms.engine.check.choices import RESET
from algorithms.engine.faults import FAULTS
from algorithms.engine.process import Message
from algorithms.engine.simulation import Simulation
from visual.words import message_label, naming, node_name, timer_name

_VERBS = {
    "exit": "leaves the critical section",
    "request": "requests the critical section",
    "crash": "crashes",
    RESET: "restarts without memory",
    "recover": "recovers",
    "resume": "resumes",
    "join": "joins",
}


def choice_words(
    run: Simulation,
    do: str,
    node: int | None,
    timer: str | None = None,
    message: Message | None = None,
    sender: int | None = None,
) -> str:
    """A choice: what a node does, or what becomes of a message or a timer of it."""
    if node is None:
        return FAULTS[do].words
    who = node_name(node)
    if message is not None and sender is not None:
        words = f"{message_label(message, naming(run))}, {node_name(sender)} → {who}"
        return words if do == "deliver" else f"{do} {words}"
    if do == "fire":
        return f"{who}'s {timer_name(timer or '', naming(run))} expires"
    if do == "request" and run.algorithm.is_election():
        return f"{who} starts an election"
    return f"{who} {_VERBS.get(do, do)}"
