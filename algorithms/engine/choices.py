"""The third scheduler beside the clock and the checker is a person, who may let any of these things happen next.

Whatever is chosen becomes an intervention: the run replays from its scenario and what was chosen.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from algorithms.engine.carrier import CARRIER, system_of
from algorithms.engine.events import KIND, LEAVE, MESSAGE, NODE, RESOURCE, SENDER, SEQ, Record
from algorithms.engine.faults import ABSENT, CRASHED, PAUSED
from algorithms.engine.rewriter import pick
from algorithms.engine.rule_text import sentence
from algorithms.engine.simulation import Simulation

_COMES_BACK = {CRASHED: "recover", PAUSED: "resume", ABSENT: "join"}


class Choice(NamedTuple):
    """One thing that can happen next: what to do, in the words of `faults.FAULTS`, and the fields of the event.

    `entry` is the message that it is about, if it is about one, `words` say what it is where the rest does not.
    """

    do: str
    fields: tuple[tuple[str, Any], ...]
    entry: Record | None = None
    words: str = ""


def regular(run: Simulation) -> list[Choice]:
    """What a run does by itself: messages arrive, timers run out, stays in the critical section end, nodes ask.

    In a rewriting system a rule applies.
    """
    if system_of(run.algorithm):
        return list(_applications(run))
    return [*_deliveries(run), *_time_outs(run), *_exits(run), *_requests(run)]


def adverse(run: Simulation) -> list[Choice]:
    """What an adversary may do: take down nodes or let them come back, lose and duplicate messages and tokens."""
    if system_of(run.algorithm):
        return []
    flying = sorted(run.post.in_flight(), key=lambda entry: entry[SEQ])
    on_links = [entry for entry in flying if entry[SENDER] != entry[NODE]]
    befalling = [Choice(do, _naming(entry), entry) for entry in on_links for do in ("drop", "duplicate")]
    token = run.algorithm.token
    in_hands = token is not None and all(type(entry[MESSAGE]) is not token for entry in on_links)
    in_secret = [Choice(f"{fate}-token", ()) for fate in ("lose", "duplicate") if in_hands]
    nodes = range(len(run.processes))
    states = [Choice(_COMES_BACK.get(run.down.get(node, ""), "crash"), (("node", node),)) for node in nodes]
    return [*in_secret, *befalling, *states]


def deliverable(run: Simulation) -> list[Record]:
    """The messages that may arrive next, in the order of their sending: on FIFO channels only the first of each."""
    flying = sorted(run.post.in_flight(), key=lambda entry: entry[SEQ])
    if not run.scenario.network.fifo:
        return flying
    heads: dict[tuple[int, int], Record] = {}
    for entry in flying:
        heads.setdefault((entry[SENDER], entry[NODE]), entry)
    return list(heads.values())


def _applications(run: Simulation) -> Iterator[Choice]:
    """The ways in which rules apply."""
    possible = run.processes[CARRIER].choices()
    for place, step in enumerate(possible):
        event, application = pick(place, len(possible)), step.application
        fields = (("node", event.node), ("timer", event.timer), ("draws", event.draws))
        yield Choice(event.do, fields, words=sentence(application.rule, application.bound))


def _deliveries(run: Simulation) -> Iterator[Choice]:
    return (Choice("deliver", _naming(entry), entry) for entry in deliverable(run))


def _time_outs(run: Simulation) -> Iterator[Choice]:
    return (Choice("fire", (("node", node), ("timer", timer))) for node, timer in sorted(run.timers.due))


def _exits(run: Simulation) -> Iterator[Choice]:
    leaving = sorted({(entry[NODE], entry[RESOURCE]) for entry in run.queue.entries() if entry[KIND] == LEAVE})
    return (Choice("exit", _at(run, node, resource)) for node, resource in leaving)


def _requests(run: Simulation) -> Iterator[Choice]:
    up = (process for process in run.processes if process.id not in run.down)
    free = ((process.id, k) for process in up for k in range(run.applications.resources) if not process.busy(k))
    return (Choice("request", _at(run, node, resource)) for node, resource in free)


def _at(run: Simulation, node: int, resource: int) -> tuple[tuple[str, Any], ...]:
    """The fields of an event at that node, and which of several resources it is about."""
    return (("node", node), ("resource", resource)) if run.applications.resources > 1 else (("node", node),)


def _naming(entry: Record) -> tuple[tuple[str, Any], ...]:
    """The fields of an event that say which message is meant, to the engine and to whoever reads the file."""
    way = (("node", entry[SENDER]), ("to", entry[NODE])) if entry[SENDER] != entry[NODE] else ()
    return (*way, ("message", entry[SEQ]), ("type", type(entry[MESSAGE]).__name__))
