"""What happened in a step: a sentence made from its records and from the algorithm's own comment.

The comment is that of the last line that ran and has one, with the values that the line used: the program is the
explanation, so that no second text can drift away from it. A comment "it defers its reply" goes on about the process
of the event; any other is a reason for what happened, or a sentence of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from algorithms.authoring.queries import query_past
from algorithms.engine.check.own_acts import would_do
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
from algorithms.engine.faults import FAULTS, find_message, holders
from algorithms.engine.membership import ABSENT, CRASHED, PAUSED
from algorithms.engine.observe.line_trace import ExecutedLine, Execution, execution_in, source_files
from algorithms.engine.part import parts_of
from algorithms.engine.process import Algorithm, Process
from algorithms.engine.rewrite import system_of
from algorithms.engine.rewrite.rule_text import sentence as rule_sentence
from algorithms.engine.scenario import Event
from algorithms.engine.simulation import Simulation
from algorithms.engine.timeline import Timeline
from algorithms.engine.workload import of_resource
from visual.narration.captions import caption, caption_line
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
    timer_name,
    value_text,
)

_FIRST_LETTER = re.compile(r"[^\W\d_]")
_ELAPSED = re.compile(r"(^|: )[^:]*\b(?:has|have)\b[^:]* for \d[^:]*$")  # the reason of a timer that was due
_ITS = "it "  # begins a comment about the process that runs the line
_MOST_NAMED = 4  # nodes; more are counted
_LONG_AGO = 2.0  # mean delays after which a sentence tells when its step was


class PriorState(NamedTuple):
    """The part of the state before a step that its sentence needs and its records lack."""

    is_busy: bool = False  # whether a request of the event's node has to wait behind another
    holders: tuple[int, ...] = ()  # the nodes that hold a token
    fates: Mapping[int, str] = MappingProxyType({})  # holder -> "lose" or "duplicate": what its token has met
    message: Record | None = None  # the message that a fault affects
    absent: tuple[int, ...] | None = None  # the nodes that do not take part; None if unknown
    state: str | None = None  # why the event's node is down: "" if it is up, None if unknown
    is_early: bool = False  # whether a timer is made to expire before it is due


def step_sentence(timeline: Timeline, step: int, ran: Execution | None = None, reveals: bool = True) -> str:
    """The sentence about step `step`, counted from 0, which has been executed; the timeline does not move.

    Without `ran`, the lines that ran in it, the step is executed once more. Where a person has played the node,
    the sentence also `reveals` what its algorithm would have done.
    """
    ran = execution_of(timeline, step) if ran is None else ran
    if (event := played_event(timeline, step)) is not None:
        return _played_sentence(timeline, event, ran, reveals)
    return narrate(timeline.trace.step(step), ran, _before(timeline, step), timeline.simulation)


def dated(said: str, run: Simulation, time: float) -> str:
    """The sentence about a run's last step, with its time if that is long before `time`."""
    if run.steps and time > run.now + _LONG_AGO * run.scenario.network.flight:
        return f"At t = {round(run.now, 2):g}: {said}"
    return said


def played_event(timeline: Timeline, step: int) -> Event | None:
    """The intervention in which a person decided what the node does in that step; None if nobody did."""
    events = (event for event in timeline.branch.interventions if event.step == step and event.acts is not None)
    return next(events, None)


def _played_sentence(timeline: Timeline, event: Event, ran: Execution, reveals: bool) -> str:
    """What happened to the node, what it did by hand, and what its algorithm would have done."""
    step, run = event.steps_before, timeline.simulation
    records = timeline.trace.step(step)
    head = "" if event.do == "act" else narrate(records[:1], Execution(), _before(timeline, step), run)
    acted = own_acts_words(records, run)
    who = node_name(records[0][NODE])
    said = f"{head} By hand, {'it' if head else who} {acted or 'does nothing'}".lstrip()
    own = query_past(timeline, step, lambda: would_do(run, event), None) if reveals else None
    if own is None:
        return f"{said}."
    would = own_acts_words(own, run)
    if would == acted:
        return f"{said}, as its algorithm would."
    comment = "" if event.do == "act" else _comment(ran.lines, _before(timeline, step), run)
    if comment.startswith(_ITS):
        return f"{said}. Its algorithm {comment.removeprefix(_ITS)}."
    return f"{said}. Its algorithm {would or 'does nothing here'}{comment and f': {comment}'}."


def own_acts_words(records: list[Record], run: Simulation) -> str:
    """What the node of a step does in it as others notice: "sends a reply to P1"; "" for nothing."""
    event, names = records[0], naming(run)
    sent = [effect for effect in records[1:] if effect[NODE] != event[NODE]]
    enters = [_EFFECT_WORDS[ENTER](effect, names) for effect in records[1:] if effect[KIND] == ENTER]
    return join_words([*enters, *_sendings(event, sent, run)])


def execution_of(timeline: Timeline, step: int) -> Execution:
    """The lines that run in that step, found by executing it once more; none if that fails."""
    return query_past(timeline, step, lambda: execution_in(timeline, timeline.repeat), Execution())


def brief_sentence(records: list[Record], run: Simulation) -> str:
    """The sentence from the records alone: quick to make, and without the algorithm's comment."""
    event, effects = records[0], records[1:]
    lost = next((effect for effect in effects if effect[KIND] == LOST), None)
    joins = event[KIND] == FAULT and event[4].do == "join"
    newcomers = [effect[SENDER] for effect in effects if joins and effect[KIND] == DELIVER][:1]  # it sends something
    return narrate(records, Execution(), PriorState(message=lost, absent=tuple(newcomers) or None), run)


def narrate(records: list[Record], ran: Execution, before: PriorState, run: Simulation) -> str:
    """The sentence about a step with these records, in which the lines of `ran` were executed."""
    event, effects = records[0], records[1:]
    if effects and effects[-1][KIND] == APPLIED:
        return _rule_sentence(effects[-1], run.algorithm)
    if event[KIND] == FAULT and event[4].do == "act":
        return f"By hand, {node_name(event[NODE])} {own_acts_words(records, run) or 'does nothing'}."
    stopped = event[KIND] == HELD or (event[KIND] == FAULT and event[4].do == "pause")
    if stopped and system_of(run.algorithm):
        return "No rule is applied any more."
    lines = _lines_to_tell(event, ran)
    line, comment = caption_line(lines), _comment(lines, before, run)
    goes_on = _goes_on(event, line) and comment.startswith(_ITS)
    asks = event[KIND] == LEAVE and any(line.function == "acquire" for line in ran.lines)
    again = ["immediately requests it again"] if asks else []
    phrases = [*again, *_effect_phrases(event, effects, run, sends=not comment)]
    deeds = [*phrases, comment.removeprefix(_ITS)] if goes_on else phrases
    text = _join(event, _head(event, effects, before, run), deeds)
    if comment and not goes_on:
        if line and comment.startswith(_ITS):
            comment = f"{node_name(line.node)} {comment.removeprefix(_ITS)}"
        is_reason = phrases and _goes_on(event, line) and ":" not in f"{text}{comment}"
        text = f"{text}: {comment}" if is_reason else f"{text}. {_capitalised(comment)}"
    return _capitalised(text if text.endswith(("?", "!")) else f"{text}.")


def _comment(lines: tuple[ExecutedLine, ...], before: PriorState, run: Simulation) -> str:
    """The algorithm's comment, without the time that has not passed where a timer is made to expire."""
    comment = caption(lines, naming(run)) or ""
    return _ELAPSED.sub("", comment) if before.is_early else comment


def _goes_on(event: Record, line: ExecutedLine | None) -> bool:
    """Whether the line's comment is about the subject of the event's clause."""
    is_own = event[KIND] not in (LAUNCH, FAULT) or (event[KIND] == FAULT and event[4].do == "request")
    return line is not None and line.node == event[NODE] and is_own


def _lines_to_tell(event: Record, ran: Execution) -> tuple[ExecutedLine, ...]:
    """The lines whose comments may be told: none at the launch, if several processes act."""
    acts = event[KIND] != LAUNCH or len({line.node for line in ran.lines if caption_line([line])}) < 2
    return ran.lines if acts else ()


def _capitalised(text: str) -> str:
    return _FIRST_LETTER.sub(lambda match: match[0].upper(), text, count=1)


def _rule_sentence(record: Record, algorithm: Algorithm) -> str:
    """The sentence about the rule of a rewriting system that was applied."""
    system = system_of(algorithm)
    text = subscripted(rule_sentence(system.rule(record[RULE]), record[BOUND])) if system else ""
    return f"{text[0].upper()}{text[1:]}."


def _before(timeline: Timeline, step: int) -> PriorState:
    event = timeline.trace.event(step)
    if event[KIND] not in (REQUEST, FAULT) and not _is_lost_on_arrival(timeline.trace.step(step)):
        return PriorState(is_early=expires_early(timeline, step))
    return query_past(timeline, step, lambda: _prior_state(timeline.simulation, event), PriorState())


def expires_early(timeline: Timeline, step: int) -> bool:
    """Whether a timer is made to expire in that step, before it is due."""
    event = timeline.trace.event(step)
    if event[KIND] != TIMER or not any(each.step == step for each in timeline.branch.interventions):
        return False
    now, timer = event[TIME], event[NODE : NODE + 2]
    return query_past(timeline, step, lambda: bool(timeline.simulation.timers.due[timer][TIME] > now), False)


def _prior_state(run: Simulation, event: Record) -> PriorState:
    """What the sentence about that event needs from the present state, which is the one before it."""
    intervention = event[4] if event[KIND] == FAULT else None
    return PriorState(
        run.processes[event[NODE]].busy((intervention.resource or 0) if intervention else event[RESOURCE]),
        tuple(holders(run)),
        dict(run.post.marks),
        find_message(run, intervention) if intervention and "message" in FAULTS[intervention.do].needs else None,
        tuple(run.absent_nodes()),
        run.down.get(event[NODE], ""),
    )


def _is_lost_on_arrival(records: list[Record]) -> bool:
    """Whether the event is the arrival of a message at a node that is down."""
    event, *effects = records
    return event[KIND] == DELIVER and any(effect[KIND] == LOST and effect[SEQ] == event[SEQ] for effect in effects)


def _join(event: Record, head: str, phrases: list[str]) -> str:
    """The event and its effects in one line; the subject of the effects is never a timer."""
    if not phrases:
        return head
    if event[KIND] == TIMER:
        return f"{head}: it {join_words(phrases)}"
    if event[KIND] == LAUNCH or (event[KIND] == FAULT and event[4].do != "request"):
        return f"{head}; {join_words(phrases)}"
    return join_words([head, *phrases]).replace(
        "critical section and enters the critical section", "critical section and enters"
    )


# ---- the event ---------------------------------------------------------------------------------------------


def _head(event: Record, effects: list[Record], before: PriorState, run: Simulation) -> str:
    """The clause about the event itself."""
    kind, node, names = event[KIND], event[NODE], naming(run)
    who = node_name(node)
    if kind == DELIVER:
        return _received(event, _is_lost_on_arrival([event, *effects]), before, run)
    if kind == LOST:
        sender, message = node_name(event[SENDER]), event[MESSAGE]
        if event[TIME] == event[SENT]:
            return f"{sender}'s {message_noun(message, names)} to {who} is lost before it is sent"
        return f"{message_phrase(message, names)} from {sender} to {who} is lost in transit"
    if kind == REQUEST:
        return _wanting(who, before, run, event[RESOURCE])
    if kind == LEAVE:
        return f"{who} leaves the critical section{of_resource(event[RESOURCE], names.has_several)}"
    if kind == FAULT and event[4].do == "request":
        return _wanting(who, before, run, event[4].resource or 0)
    if kind == FAULT and before.state in _UNCHANGED.get(event[4].do, {}):
        return f"nothing changes: {who} {_UNCHANGED[event[4].do][before.state]}"
    if kind == TIMER:
        return f"{who}'s {timer_name(event[4], names)} {'is made to expire' if before.is_early else 'expires'}"
    if kind == FAULT:
        return _FAULT_WORDS.get(event[4].do, _as_listed)(
            Intervention(event[4], node_name(node), effects, before, names)
        )
    return _OTHER_HEADS[kind](event, names)


def _received(event: Record, is_lost: bool, before: PriorState, run: Simulation) -> str:
    message, sender, receiver, names = event[MESSAGE], event[SENDER], node_name(event[NODE]), naming(run)
    noun, whose = message_noun(message, names), node_name(sender)
    if is_lost:
        return f"{whose}'s {noun} reaches {receiver}, which {_ABSENCES.get(before.state or '', 'is down')}, and is lost"
    phrase = message_phrase(message, names)
    if sender == event[NODE]:
        what = f"its own {noun}"
    elif run.algorithm.token is type(message) and "ME1" in run.algorithm.promises:
        what = f"the {noun} from {whose}"
    else:
        what = f"{whose}'s {noun}" if phrase == noun and not noun.startswith("“") else f"{phrase} from {whose}"
    return f"{receiver} receives {what}{message_details(message, names)}"


_ABSENCES = {CRASHED: "has crashed", ABSENT: "is not a member", PAUSED: "is paused"}


def _wanting(who: str, before: PriorState, run: Simulation, resource: int) -> str:
    if before.state:
        what = "call for an election" if run.algorithm.is_election() else "request"
        return f"{who}'s {what} is skipped: {who} {_ABSENCES[before.state]}"
    if run.algorithm.is_election():
        return f"{who} calls an election"
    which = of_resource(resource, naming(run).has_several)
    if before.is_busy:
        return f"{who} is to request the critical section{which} again after its present request"
    return f"{who} requests the critical section{which}"


def _held(event: Record, names: Naming) -> str:
    who, entry = node_name(event[NODE]), event[4]
    what = message_phrase(entry[MESSAGE], names) if entry[KIND] == DELIVER else _WAITING_WORDS[entry[KIND]]
    return f"{what} waits at {who}, which is paused"


_WAITING_WORDS = {TIMER: "a timer", REQUEST: "a request", LEAVE: "leaving the critical section", LOST: "a message"}
_OTHER_HEADS: dict[int, Callable[[Record, Naming], str]] = {
    LAUNCH: lambda event, names: "the run begins",
    HELD: _held,
}


# ---- interventions -----------------------------------------------------------------------------------------


class Intervention(NamedTuple):
    """An intervention: the event, the name of its node, its effects, and the state before it."""

    event: Event
    who: str
    effects: list[Record]
    before: PriorState
    names: Naming


_UNCHANGED: dict[str, dict[str | None, str]] = {  # intervention -> the states of its node in which it does nothing
    "crash": {CRASHED: "has already crashed", ABSENT: _ABSENCES[ABSENT]},
    "recover": {"": "has not crashed", PAUSED: "is paused and has not crashed", ABSENT: _ABSENCES[ABSENT]},
    "pause": {CRASHED: "has crashed", PAUSED: "is already paused", ABSENT: _ABSENCES[ABSENT]},
    "resume": {"": "is not paused", CRASHED: "has crashed and is not paused", ABSENT: _ABSENCES[ABSENT]},
    "leave": {ABSENT: _ABSENCES[ABSENT]},
}


def _as_listed(action: Intervention) -> str:
    return FAULTS[action.event.do].words


def _recovers(action: Intervention) -> str:
    return f"{action.who} recovers, {'with its memory intact' if action.event.memory else 'having lost its memory'}"


def _joins(action: Intervention) -> str:
    """The node that joins: the one named by the event or, without one, the first absent node."""
    absent, node = action.before.absent, action.event.node
    if absent is None:
        return f"{'a node' if node is None else action.who} joins"
    if node is None:
        return f"{node_name(absent[0])} joins" if absent else "there is no node left to join"
    return f"{action.who} joins" if node in absent else f"{action.who} is already a member"


def _message_fault(what: str) -> Callable[[Intervention], str]:
    """The phrase for a fault that affects a message."""

    def say(action: Intervention) -> str:
        message = action.before.message
        if message is None:
            return f"there is no such message in transit to be {what}"
        way = f"from {node_name(message[SENDER])} to {node_name(message[NODE])}"
        return f"{message_phrase(message[MESSAGE], action.names)} {way} is {what}"

    return say


def _token_fault(verb: str, what: str) -> Callable[[Intervention], str]:
    """The phrase for a fault that affects the token."""

    def say(action: Intervention) -> str:
        if any(effect[KIND] in (DELIVER, LOST) for effect in action.effects):
            return f"the token is {what} in transit"
        there, fates = action.before.holders, action.before.fates
        if not there:
            return f"there is no token to {verb}"
        hit = next((node for node in there if node not in fates), None)
        if hit is None:
            fate = "lost" if fates[there[0]] == "lose" else "duplicated"
            return f"nothing changes: the token that {node_name(there[0])} holds has been {fate} already"
        holder = node_name(hit)
        return f"the token is {what} while {holder} holds it; {holder} cannot know this"

    return say


def _partitioned(action: Intervention) -> str:
    return "the network is partitioned: " + " / ".join(join_nodes(group) for group in action.event.groups)


def _channels(action: Intervention) -> str:
    """The link that an intervention affects, or the direction of it."""
    other = node_name(action.event.to or 0)
    return (
        f"the link between {action.who} and {other}" if action.event.both else f"the way from {action.who} to {other}"
    )


def _healed(action: Intervention) -> str:
    if action.event.to is None:
        return "all links are restored"
    return f"{_channels(action)} is restored"


_FAULT_WORDS: dict[str, Callable[[Intervention], str]] = {
    "crash": lambda action: f"{action.who} crashes",
    "recover": _recovers,
    "pause": lambda action: f"{action.who} is paused; to the others this looks like a crash",
    "resume": lambda action: f"{action.who} resumes",
    "join": _joins,
    "leave": lambda action: f"{action.who} leaves the system",
    "drop": _message_fault("dropped"),
    "delay": _message_fault("delayed"),
    "duplicate": _message_fault("duplicated"),
    "lose-token": _token_fault("lose", "lost"),
    "duplicate-token": _token_fault("duplicate", "duplicated"),
    "cut": lambda action: f"{_channels(action)} is cut",
    "heal": _healed,
    "partition": _partitioned,
    "load": lambda action: "the load changes",
    "tune": lambda action: f"from now on {symbol(action.event.parameter or '')} is {value_text(action.event.value)}",
}


# ---- the effects -------------------------------------------------------------------------------------------


def _effect_phrases(event: Record, effects: list[Record], run: Simulation, *, sends: bool) -> list[str]:
    """The phrases for the effects, in the order of the records; sent messages only if `sends`."""
    visible = [effect for effect in effects if effect[KIND] in _EFFECT_WORDS]
    names = naming(run)
    if event[KIND] in (LAUNCH, FAULT):
        actors: dict[str, list[int]] = {}
        for effect in visible:
            actors.setdefault(_EFFECT_WORDS[effect[KIND]](effect, names), []).append(effect[NODE])
        clauses = [f"{_each(nodes, len(run.processes))} {phrase}" for phrase, nodes in actors.items()]
        return [*clauses, *_losses(event, effects)]
    suspects = [effect[4] for effect in visible if effect[KIND] == SUSPECTED]
    phrases = (
        [f"suspects that {join_nodes(suspects)} {'have' if len(suspects) > 1 else 'has'} crashed"] if suspects else []
    )
    phrases += [_EFFECT_WORDS[effect[KIND]](effect, names) for effect in visible if effect[KIND] != SUSPECTED]
    return [*phrases, *_sendings(event, effects, run)] if sends else phrases


def _each(actors: list[int], nodes: int) -> str:
    """The subject for nodes that all do the same."""
    who = sorted(set(actors))
    if len(who) == 1:
        return node_name(who[0])
    return "every process" if len(who) == nodes else f"each of {_few(who)}"


def _few(nodes: list[int]) -> str:
    return join_nodes(nodes) if len(nodes) <= _MOST_NAMED else f"{len(nodes)} nodes"


def _elected(record: Record, names: Naming) -> str:
    who, leader = record[NODE], record[4]
    return "becomes leader" if leader == who else f"accepts {node_name(leader)} as leader"


_EFFECT_WORDS: dict[int, Callable[[Record, Naming], str]] = {
    ENTER: lambda record, names: f"enters the critical section{of_resource(record[RESOURCE], names.has_several)}",
    RESUMED: lambda record, names: "is still in the critical section",
    ELECTED: _elected,
    CREATED: lambda record, names: "creates a token",
    DESTROYED: lambda record, names: "destroys its token",
    SUSPECTED: lambda record, names: f"suspects that {node_name(record[4])} has crashed",
}


def _losses(event: Record, effects: list[Record]) -> list[str]:
    """The phrase for messages lost through an intervention, unless its own phrase names the message."""
    lost = sum(effect[KIND] == LOST for effect in effects)
    if event[KIND] != FAULT or not lost or event[4].do in ("drop", "lose-token"):
        return []
    return ["a message in transit is lost" if lost == 1 else f"{lost} messages in transit are lost"]


def _sendings(event: Record, effects: list[Record], run: Simulation) -> list[str]:
    receivers: dict[str, list[int]] = {}
    for effect in effects:
        if effect[KIND] == DELIVER and effect[SENDER] == event[NODE]:
            receivers.setdefault(message_phrase(effect[MESSAGE], naming(run)), []).append(effect[NODE])
    return [f"sends {what} to {_addressed(whom, len(run.processes))}" for what, whom in receivers.items()]


def _addressed(receivers: list[int], nodes: int) -> str:
    """The receivers, with the number of messages where some node receives several."""
    whom = sorted(set(receivers))
    to = "every other process" if len(whom) == nodes - 1 > 1 else _few(whom)
    return to if len(whom) == len(receivers) else f"{to} ({len(receivers)} total)"


_MOST_STEPS_BACK = 200
_METHODS = {LAUNCH: ("launch",), REQUEST: ("acquire", "start"), LEAVE: ("release",)}


def latest_execution(timeline: Timeline) -> Execution:
    """The lines that ran in the latest step that the algorithm handles; none if there is none nearby."""
    steps = range(timeline.step - 1, max(timeline.step - _MOST_STEPS_BACK, 0) - 1, -1)
    latest = next((step for step in steps if _is_handled(timeline, step)), None)
    return Execution() if latest is None else execution_of(timeline, latest)


def _is_handled(timeline: Timeline, step: int) -> bool:
    """Whether the algorithm has a method for the event of that step, judging by the trace alone.

    A request without effects counts as not handled: it usually waits behind another one of its process.
    """
    event, *effects = timeline.trace.step(step)
    if event[KIND] == REQUEST and not effects:
        return False
    process = timeline.simulation.process_class
    return any(_defines(process, name) for name in _method_names(event))  # type: ignore[arg-type]


def _method_names(event: Record) -> tuple[str, ...]:
    """The names of the methods that handle such an event."""
    if event[KIND] == DELIVER:
        return (handler_name(type(event[MESSAGE])),)
    return (f"on_{event[4]}",) if event[KIND] == TIMER else _METHODS.get(event[KIND], ())


@lru_cache(maxsize=64)
def _defines(process: type[Process], name: str) -> bool:
    """Whether the algorithm or one of its parts defines a method of that name, and not only the engine."""
    owners = (process, *(part.process for part in parts_of(process).values()))
    methods = (getattr(owner, name, None) for owner in owners)
    return any(method.__code__.co_filename in source_files(process) for method in methods if method is not None)
