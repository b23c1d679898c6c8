"""One sentence saying what a step did: from its records, and from the algorithm's own comment on what it did.

The comment is the one on the last line that ran and has one: the program is the explanation, and no second text can
drift away from it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import NamedTuple

from algorithms.authoring.queries import is_holding, query_past
from algorithms.engine.dispatch import handler_name
from algorithms.engine.events import (
    APPLIED,
    BOUND,
    CREATED,
    DELIVER,
    DESTROYED,
    ELECTED,
    ENTER,
    FAULT,
    HELD,
    KIND,
    LAUNCH,
    LEAVE,
    LOST,
    MESSAGE,
    NODE,
    REQUEST,
    RESOURCE,
    RESUMED,
    RULE,
    SENDER,
    SENT,
    SEQ,
    SUSPECTED,
    TIME,
    TIMER,
    Record,
)
from algorithms.engine.faults import FAULTS, find_message
from algorithms.engine.line_trace import ExecutedLine, Execution, comments, execution, source_files
from algorithms.engine.part import parts_of
from algorithms.engine.process import Algorithm, Process
from algorithms.engine.rewrite import system_of
from algorithms.engine.rewrite.rule_text import sentence as rule_sentence
from algorithms.engine.scenario import Event
from algorithms.engine.simulation import Simulation
from algorithms.engine.timeline import Timeline
from algorithms.engine.workload import of_resource
from visual.words import (
    Naming,
    join_nodes,
    join_words,
    message_details,
    message_noun,
    message_phrase,
    naming,
    node_name,
    subscripted,
    symbol,
    value_text,
)

_FIRST_LETTER = re.compile(r"[^\W\d_]")
_FIRST_VALUES = ("setup", "begin")  # there a comment explains a variable, not what is done
_MANY = 4  # nodes beyond that are counted, not named


class PriorState(NamedTuple):
    """What the records do not say: something of the state before the step."""

    busy: bool = False  # whether a request of the event's node has to queue up
    holder: int | None = None  # who holds a token
    message: Record | None = None  # the message that a fault befalls
    absent: tuple[int, ...] | None = None  # who does not take part; None if that is not known


def step_sentence(timeline: Timeline, step: int, ran: Execution | None = None) -> str:
    """What step `step`, counted from 0, did. It has been executed; the timeline stays where it is.

    Who knows what ran in it saves executing it once more.
    """
    ran = execution_of(timeline, step) if ran is None else ran
    return narrate(timeline.trace.step(step), ran, _before(timeline, step), timeline.simulation)


def execution_of(timeline: Timeline, step: int) -> Execution:
    """What runs in that step, which is executed once more; nothing if it fails then."""
    return query_past(timeline, lambda: execution(timeline, step), Execution())


def brief_sentence(records: list[Record], run: Simulation) -> str:
    """What a step of that run did, from its records alone: quick to tell, and without the algorithm's comment."""
    event, effects = records[0], records[1:]
    lost = next((effect for effect in effects if effect[KIND] == LOST), None)
    joins = event[KIND] == FAULT and event[4].do == "join"
    newcomers = [effect[SENDER] for effect in effects if joins and effect[KIND] == DELIVER][:1]  # it sends something
    return narrate(records, Execution(), PriorState(message=lost, absent=tuple(newcomers) or None), run)


def narrate(records: list[Record], ran: Execution, before: PriorState, run: Simulation) -> str:
    """The sentence about a step of that run with those records, in which that ran."""
    event, effects = records[0], records[1:]
    if effects and effects[-1][KIND] == APPLIED:
        return _rule_sentence(effects[-1], run.algorithm)
    stopped = event[KIND] == HELD or (event[KIND] == FAULT and event[4].do == "pause")
    if stopped and system_of(run.algorithm):
        return "No rule is applied any more."
    comment = caption(ran.lines)
    again = ["asks again at once"] if event[KIND] == LEAVE and _asks(ran) else []
    deeds = [*again, *_deeds(event, effects, run, sends=comment is None)]
    said = _join(event, _head(event, effects, before, run), deeds)
    said = f"{said} — {comment}" if comment else said
    said = said if said.endswith(("?", "!")) else f"{said}."
    return _FIRST_LETTER.sub(lambda found: found[0].upper(), said, count=1)


def _asks(ran: Execution) -> bool:
    return any(line.function == "acquire" for line in ran.lines)


def _rule_sentence(record: Record, algorithm: Algorithm) -> str:
    """What the rule of a rewriting system did."""
    system = system_of(algorithm)
    said = subscripted(rule_sentence(system.rule(record[RULE]), record[BOUND])) if system else ""
    return f"{said[0].upper()}{said[1:]}."


def caption(lines: Iterable[ExecutedLine]) -> str | None:
    """The comment on the last of the lines that has one; None if none has."""
    line = caption_line(lines)
    return comments(line.file)[line.number].rstrip(".") if line else None


def caption_line(lines: Iterable[ExecutedLine]) -> ExecutedLine | None:
    """The last of the lines that has a comment."""
    telling = [line for line in lines if line.function not in _FIRST_VALUES and line.number in comments(line.file)]
    return telling[-1] if telling else None


def _before(timeline: Timeline, step: int) -> PriorState:
    event = timeline.trace.event(step)
    if event[KIND] not in (REQUEST, FAULT):
        return PriorState()
    return query_past(
        timeline, lambda: timeline.look_back(step, lambda: _found(timeline.simulation, event)), PriorState()
    )


def _found(run: Simulation, event: Record) -> PriorState:
    """What the sentence has to know of the state before that event, which is the present one."""
    doing = event[4] if event[KIND] == FAULT else None
    return PriorState(
        run.processes[event[NODE]].busy((doing.resource or 0) if doing else event[RESOURCE]),
        next((process.id for process in run.processes if is_holding(run, process)), None),
        find_message(run, doing) if doing and "message" in FAULTS[doing.do].needs else None,
        tuple(run.absent_nodes()),
    )


def _join(event: Record, head: str, deeds: list[str]) -> str:
    """What happened and what came of it in one line; a timer is not who acts."""
    if not deeds:
        return head
    if event[KIND] == TIMER:
        return f"{head}: it {join_words(deeds)}"
    if event[KIND] in (LAUNCH, FAULT):
        return f"{head}; {join_words(deeds)}"
    return join_words([head, *deeds]).replace(
        "critical section and enters the critical section", "critical section and enters"
    )


# ---- the event ---------------------------------------------------------------------------------------------


def _head(event: Record, effects: list[Record], before: PriorState, run: Simulation) -> str:
    """Who does what."""
    kind, node, names = event[KIND], event[NODE], naming(run)
    who = node_name(node)
    if kind == DELIVER:
        return _received(event, effects, names)
    if kind == LOST:
        sender, message = node_name(event[SENDER]), event[MESSAGE]
        if event[TIME] == event[SENT]:
            return f"{sender} has sent nothing to {who}: the {message_noun(message, names)} was lost in its hands"
        return f"{message_phrase(message, names)} from {sender} to {who} is lost on its way"
    if kind == REQUEST:
        return _wanting(who, before, run, event[RESOURCE])
    if kind == LEAVE:
        return f"{who} leaves the critical section{of_resource(event[RESOURCE], names.several)}"
    if kind == FAULT and event[4].do == "request":
        return _wanting(who, before, run, event[4].resource or 0)
    if kind == FAULT:
        return _FAULT_WORDS.get(event[4].do, _as_listed)(
            Intervention(event[4], node_name(node), effects, before, names)
        )
    return _OTHER_HEADS[kind](event, names)


def _received(event: Record, effects: list[Record], names: Naming) -> str:
    message, sender, receiver = event[MESSAGE], event[SENDER], node_name(event[NODE])
    if any(effect[KIND] == LOST and effect[SEQ] == event[SEQ] for effect in effects):
        phrase = f"{message_phrase(message, names)} from {node_name(sender)}"
        return f"{phrase} reaches {receiver}, which is not there, and is lost"
    if sender == event[NODE]:
        got = f"its own {message_noun(message, names)}"
    else:
        got = f"{message_phrase(message, names)} from {node_name(sender)}"
    return f"{receiver} gets {got}{message_details(message, names)}"


def _wanting(who: str, before: PriorState, run: Simulation, resource: int) -> str:
    if run.algorithm.is_election():
        return f"{who} asks for an election"
    which = of_resource(resource, naming(run).several)
    if before.busy:
        return f"{who} wants to enter once more, after its present request{which}"
    return f"{who} wants the critical section{which}"


def _held(event: Record, names: Naming) -> str:
    who, entry = node_name(event[NODE]), event[4]
    what = message_phrase(entry[MESSAGE], names) if entry[KIND] == DELIVER else _WAITING_WORDS[entry[KIND]]
    return f"{what} waits at {who}, which is paused"


def _timer(name: str, names: Naming) -> str:
    """A timer of a part by its own name; one for each of several resources, "rest 1", by the resource's: "rest B"."""
    words = name.rpartition(".")[2].replace("_", " ").split(" ")
    return " ".join(names.resource(int(word)) if names.several and word.isdigit() else word for word in words)


_WAITING_WORDS = {TIMER: "a timer", REQUEST: "a request", LEAVE: "the end of its turn", LOST: "a message"}
_OTHER_HEADS: dict[int, Callable[[Record, Naming], str]] = {
    TIMER: lambda event, names: f"{node_name(event[NODE])}’s timer “{_timer(event[4], names)}” runs out",
    LAUNCH: lambda event, names: "the run begins",
    HELD: _held,
}


# ---- what is done to the run -------------------------------------------------------------------------------


class Intervention(NamedTuple):
    """Something done to the run: the event, the name of its node, what came of it, and what was before."""

    event: Event
    who: str
    effects: list[Record]
    before: PriorState
    names: Naming


def _as_listed(deed: Intervention) -> str:
    return FAULTS[deed.event.do].words


def _recovers(deed: Intervention) -> str:
    return f"{deed.who} recovers, {'knowing what it knew' if deed.event.memory else 'having forgotten everything'}"


def _joins(deed: Intervention) -> str:
    """Who joins: the node that is named, else the first of those who do not take part yet."""
    absent, node = deed.before.absent, deed.event.node
    if absent is None:
        return f"{'a node' if node is None else deed.who} joins"
    if node is None:
        return f"{node_name(absent[0])} joins" if absent else "nobody joins, for everybody takes part already"
    return f"{deed.who} joins" if node in absent else f"{deed.who} takes part already"


def _befalls(what: str) -> Callable[[Intervention], str]:
    """The sentence for what befalls a message."""

    def say(deed: Intervention) -> str:
        message = deed.before.message
        if message is None:
            return f"the message that was to be {what} is not on its way"
        way = f"from {node_name(message[SENDER])} to {node_name(message[NODE])}"
        return f"{message_phrase(message[MESSAGE], deed.names)} {way} is {what}"

    return say


def _token(what: str) -> Callable[[Intervention], str]:
    """The sentence for what befalls the token."""

    def say(deed: Intervention) -> str:
        if any(effect[KIND] in (DELIVER, LOST) for effect in deed.effects):
            return f"the token is {what} on its way"
        if deed.before.holder is None:
            return f"there is no token that could be {what}"
        return f"the token is {what} in the hands of {node_name(deed.before.holder)}, which does not notice"

    return say


def _parted(deed: Intervention) -> str:
    return "the network falls apart: " + " / ".join(join_nodes(group) for group in deed.event.groups)


def _healed(deed: Intervention) -> str:
    if deed.event.to is None:
        return "all links are whole again"
    return f"the link between {deed.who} and {node_name(deed.event.to)} is whole again"


_FAULT_WORDS: dict[str, Callable[[Intervention], str]] = {
    "crash": lambda deed: f"{deed.who} crashes",
    "recover": _recovers,
    "pause": lambda deed: f"{deed.who} stands still, which looks like a crash from outside",
    "resume": lambda deed: f"{deed.who} goes on",
    "join": _joins,
    "leave": lambda deed: f"{deed.who} leaves for good",
    "drop": _befalls("dropped"),
    "delay": _befalls("held up"),
    "duplicate": _befalls("doubled"),
    "lose-token": _token("lost"),
    "duplicate-token": _token("doubled"),
    "cut": lambda deed: f"the link between {deed.who} and {node_name(deed.event.to or 0)} is cut",
    "heal": _healed,
    "partition": _parted,
    "load": lambda deed: "the load changes",
    "tune": lambda deed: f"from now on {symbol(deed.event.parameter or '')} is {value_text(deed.event.value)}",
}


# ---- the effects -------------------------------------------------------------------------------------------


def _deeds(event: Record, effects: list[Record], run: Simulation, *, sends: bool) -> list[str]:
    """What came of the event, in the order of the records; messages sent only where no comment speaks of them."""
    told_of = [effect for effect in effects if effect[KIND] in _DEEDS]
    names = naming(run)
    if event[KIND] in (LAUNCH, FAULT):
        doers: dict[str, list[int]] = {}
        for effect in told_of:
            doers.setdefault(_DEEDS[effect[KIND]](effect, names), []).append(effect[NODE])
        named = [f"{_each(nodes, len(run.processes))} {deed}" for deed, nodes in doers.items()]
        return [*named, *_losses(event, effects)]
    suspects = [effect[4] for effect in told_of if effect[KIND] == SUSPECTED]
    deeds = [f"takes {join_nodes(suspects)} for crashed"] if suspects else []
    deeds += [_DEEDS[effect[KIND]](effect, names) for effect in told_of if effect[KIND] != SUSPECTED]
    return [*deeds, *_sendings(event, effects, run)] if sends else deeds


def _each(doers: list[int], nodes: int) -> str:
    """Who does the same."""
    who = sorted(set(doers))
    if len(who) == 1:
        return node_name(who[0])
    return "everybody" if len(who) == nodes else f"each of {_few(who)}"


def _few(nodes: list[int]) -> str:
    return join_nodes(nodes) if len(nodes) <= _MANY else f"{len(nodes)} nodes"


def _elected(record: Record, names: Naming) -> str:
    who, leader = record[NODE], record[4]
    return "is the leader now" if leader == who else f"takes {node_name(leader)} for the leader"


_DEEDS: dict[int, Callable[[Record, Naming], str]] = {
    ENTER: lambda record, names: f"enters the critical section{of_resource(record[RESOURCE], names.several)}",
    RESUMED: lambda record, names: "finds itself in the critical section still",
    ELECTED: _elected,
    CREATED: lambda record, names: "makes a token",
    DESTROYED: lambda record, names: "lets the token end",
    SUSPECTED: lambda record, names: f"takes {node_name(record[4])} for crashed",
}


def _losses(event: Record, effects: list[Record]) -> list[str]:
    """The messages that a crash or a cut takes along; where a fault is about one message, it is named already."""
    lost = sum(effect[KIND] == LOST for effect in effects)
    if event[KIND] != FAULT or not lost or event[4].do in ("drop", "lose-token"):
        return []
    return ["a message on its way is lost" if lost == 1 else f"{lost} messages on their way are lost"]


def _sendings(event: Record, effects: list[Record], run: Simulation) -> list[str]:
    receivers: dict[str, list[int]] = {}
    for effect in effects:
        if effect[KIND] == DELIVER and effect[SENDER] == event[NODE]:
            receivers.setdefault(message_phrase(effect[MESSAGE], naming(run)), []).append(effect[NODE])
    return [f"sends {what} to {_addressed(whom, len(run.processes))}" for what, whom in receivers.items()]


def _addressed(receivers: list[int], nodes: int) -> str:
    """To whom; of several messages to the same node there is one to each of its replicas, say."""
    whom = sorted(set(receivers))
    to = "everybody else" if len(whom) == nodes - 1 > 1 else _few(whom)
    return to if len(whom) == len(receivers) else f"{to} ({len(receivers)} in all)"


_FAR = 200  # steps that are looked back
_CALLED = {LAUNCH: ("launch",), REQUEST: ("acquire", "start"), LEAVE: ("release",)}


def latest_execution(timeline: Timeline) -> Execution:
    """What ran in the latest step in which something did, or seems to have: nothing if there was none of late."""
    steps = range(timeline.step - 1, max(timeline.step - _FAR, 0) - 1, -1)
    found = next((step for step in steps if _is_handled(timeline, step)), None)
    return Execution() if found is None else execution_of(timeline, found)


def _is_handled(timeline: Timeline, step: int) -> bool:
    """Whether the algorithm has a method for the event of that step; told from the trace alone, which is quick.

    A request without any effect mostly waits behind another one of the same process.
    """
    event, *effects = timeline.trace.step(step)
    if event[KIND] == REQUEST and not effects:
        return False
    process = timeline.simulation.process_class
    return any(_has(process, name) for name in _names(event))  # type: ignore[arg-type]


def _names(event: Record) -> tuple[str, ...]:
    """What a method that handles such an event is called."""
    if event[KIND] == DELIVER:
        return (handler_name(type(event[MESSAGE])),)
    return (f"on_{event[4]}",) if event[KIND] == TIMER else _CALLED.get(event[KIND], ())


@lru_cache(maxsize=64)
def _has(process: type[Process], name: str) -> bool:
    """Whether a method of that name is the algorithm's own, or one of its parts', and not only the engine's."""
    owners = (process, *(part.process for part in parts_of(process).values()))
    methods = (getattr(owner, name, None) for owner in owners)
    return any(method.__code__.co_filename in source_files(process) for method in methods if method is not None)
