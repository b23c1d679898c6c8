"""The reasons why a node waits: for whom and what, and what prevents each of them; and why a run has ended."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from algorithms.engine.applications import is_inside, is_wanting
from algorithms.engine.events import MESSAGE, NODE, SENDER, TIME, Record
from algorithms.engine.rewrite import CARRIER, system_of
from algorithms.engine.simulation import Simulation
from algorithms.engine.topology import Edge
from visual.analysis.term_layout import TermLayout, current_layout
from visual.analysis.wait_for import (
    arriving_messages,
    arriving_tokens,
    awaited_by,
    is_waiting,
    token_holders,
    wait_cycle,
)
from visual.words import (
    Naming,
    is_array,
    join_nodes,
    join_words,
    message_noun,
    message_phrase,
    message_type,
    naming,
    node_name,
)

_MOST_NAMED = 6  # processes that a node waits for
_MOST_MESSAGES = 3  # of its own in transit
_GRANTING = ("grant", "token")  # families of messages that let a process enter


class Reason(NamedTuple):
    """A sentence; `is_permanent` if it means that the node will wait forever."""

    words: str
    is_permanent: bool = False


class _Cause(NamedTuple):
    """What prevents a process from answering, as a sentence about one process ({who}) and about several."""

    one: str
    many: str
    is_permanent: bool = False


def reasons(run: Simulation, node: int) -> list[Reason]:
    """The reasons why `node` is not in the critical section, or knows no leader; empty if it is not waiting."""
    if not run.is_up(node):
        crashed = run.is_crashed(node)
        return [Reason(f"{node_name(node)} itself {'has crashed' if crashed else f'is {run.down[node]}'}.", crashed)]
    if run.algorithm.is_election():
        return list(_of_election(run, node))
    if system_of(run.algorithm):
        return [Reason(words) for words in term_reasons(run, node)]
    if not is_waiting(run, node):
        return []
    awaited = awaited_by(run, node)
    causes = list(_causes(run, node, awaited))
    if run.algorithm.token is not None:
        causes += _about_the_token(run, node)
    causes += _own_messages(run, node) if not causes else []
    causes += [*_insiders(run, causes), *_timers(run, node), *_deadlock(run, node)]
    return [Reason(_summary(run, awaited, node)), *sorted(causes, key=lambda reason: not reason.is_permanent)]


def _summary(run: Simulation, awaited: list[int], node: int) -> str:
    """The sentence about what the node waits for, and from whom."""
    if node in token_holders(run) and run.post.marks.get(node) != "lose":
        return f"{node_name(node)} has the token itself, and does not use it yet."
    what = _needed(run)
    if not awaited:
        return f"{node_name(node)} waits for {what or 'no particular node'}."
    whom = join_nodes(awaited) if len(awaited) <= _MOST_NAMED else f"{len(awaited)} nodes"
    return f"It waits for {what} from {whom}." if what else f"It waits for {whom}."


def _needed(run: Simulation) -> str:
    """The message that lets a process enter, if there is only one kind.

    On an overlay a process waits for the holders of the votes it lacks, which send it no message.
    """
    if run.algorithm.token is not None:
        return "the token"
    kinds = [kind for kind, family in run.algorithm.looks.items() if family in _GRANTING]
    return f"a {message_type(kinds[0])}" if len(kinds) == 1 and not hasattr(run.process_class, "overlay") else ""


# ---- the processes it waits for ----------------------------------------------------------------------------


def _causes(run: Simulation, node: int, awaited: list[int]) -> Iterator[Reason]:
    """What prevents each of the awaited processes from answering; those with the same cause share a sentence."""
    in_transit: dict[Edge, Record] = {}  # the next message on each of its links
    for entry in arriving_messages(run):
        if node in (entry[SENDER], entry[NODE]):
            in_transit.setdefault((entry[SENDER], entry[NODE]), entry)
    by_cause: dict[_Cause, list[int]] = {}
    for other in awaited:
        cause = _cause(run, in_transit, node, other)
        if cause:
            by_cause.setdefault(cause, []).append(other)
    for cause, nodes in by_cause.items():
        yield Reason((cause.one if len(nodes) == 1 else cause.many).format(who=_named(nodes)), cause.is_permanent)


def _named(nodes: list[int]) -> str:
    if len(nodes) <= _MOST_NAMED:
        return join_nodes(nodes)
    named = ", ".join(map(node_name, nodes[: _MOST_NAMED - 1]))
    return f"{named} and {len(nodes) - _MOST_NAMED + 1} more"


def _cause(run: Simulation, in_transit: Mapping[Edge, Record], node: int, other: int) -> _Cause | None:
    """What prevents `other` from answering `node`; None if nothing visible does."""
    if run.is_paused(other):
        return _Cause(
            "{who} is paused: it answers when it goes on, if ever.",
            "{who} are paused: they answer when they go on, if ever.",
        )
    if run.is_gone(other):
        gone = "crashed" if run.is_crashed(other) else "left"
        return _Cause(
            f"{{who}} has {gone}: it will never answer.", f"{{who}} have {gone}: they will never answer.", True
        )
    for link, towards in (((other, node), "from"), ((node, other), "to")):
        entry = in_transit.get(link)
        if entry:
            message, names = entry[MESSAGE], naming(run)
            one, several = _capitalised(message_phrase(message, names)), _capitalised(message_noun(message, names))
            return _Cause(f"{one} {towards} {{who}} is on its way.", f"{several} {towards} {{who}}: all on their way.")
    return _state_of(run, node, other)


def _state_of(run: Simulation, node: int, other: int) -> _Cause | None:
    """The state of `other`, and whether it has recorded that `node` waits."""
    clause = _queued_clause(run, node, other)
    clause_of_many = clause.replace(" has ", " have ", 1)
    process: Any = run.processes[other]
    if is_inside(process):
        return _Cause(
            f"{{who}} is in the critical section{clause}.", f"{{who}} are in the critical section{clause_of_many}."
        )
    if is_wanting(process):
        return _Cause(f"{{who}} wants to enter too{clause}.", f"{{who}} want to enter too{clause_of_many}.")
    return _Cause(f"{{who}} is idle{clause}.", f"{{who}} are idle{clause_of_many}.") if clause else None


def _queued_clause(run: Simulation, node: int, other: int) -> str:
    """The clause that `other` has `node` in the queue or set shown beside it; "" if it has not."""
    name = run.algorithm.chips
    values = getattr(run.processes[other], name, None) if name else None
    if not name or not isinstance(values, Iterable) or isinstance(values, dict) or is_array(values, len(run.processes)):
        return ""
    waiting = list(values)
    if node not in waiting:
        return ""
    place = "" if isinstance(values, set | frozenset) else f", as number {waiting.index(node) + 1} of {len(waiting)}"
    return f", and has {node_name(node)} under “{name.replace('_', ' ')}”{place}"


def _capitalised(label: str) -> str:
    """A message as the beginning of a sentence."""
    return label[0].upper() + label[1:]


# ---- further reasons ---------------------------------------------------------------------------------------


def _about_the_token(run: Simulation, node: int) -> Iterator[Reason]:
    """The sentences about where the token is, or that there is none."""
    in_transit, awaited = arriving_tokens(run), awaited_by(run, node)
    for entry in in_transit[:_MOST_NAMED]:
        if entry[NODE] == node and entry[SENDER] in awaited:  # `_causes` has said so
            continue
        goal = "here" if entry[NODE] == node else f"to {node_name(entry[NODE])}"
        yield Reason(f"The token is on its way {goal} from {node_name(entry[SENDER])}.")
    holders = list(token_holders(run))
    for holder in holders:
        if holder != node or run.post.marks.get(holder) == "lose":
            yield _of_holder(run, holder)
    if not in_transit and not holders:
        if run.timers.due:
            yield Reason("There is no token. A time-out may bring a new one.")
        else:
            yield Reason("There is no token any more: nobody will ever get it.", True)


def _of_holder(run: Simulation, holder: int) -> Reason:
    who = node_name(holder)
    if run.is_crashed(holder):
        return Reason(f"{who} has crashed, and the token with it.", True)
    if run.post.marks.get(holder) == "lose":
        return Reason(f"{who} thinks that it has the token, but that is lost.", True)
    doing = "is in the critical section" if is_inside(run.processes[holder]) else "keeps it for the time"
    return Reason(f"{who} has the token, and {doing if run.is_up(holder) else 'is paused'}.")


def _own_messages(run: Simulation, node: int) -> Iterator[Reason]:
    """Its own messages in transit, as reasons where there are no others."""
    own = [entry for entry in arriving_messages(run) if node in (entry[SENDER], entry[NODE])]
    yield from list(dict.fromkeys(_of_own(entry, node, naming(run)) for entry in own))[:_MOST_MESSAGES]


def _of_own(entry: Record, node: int, names: Naming) -> Reason:
    end = f"to {node_name(entry[NODE])}" if entry[SENDER] == node else f"from {node_name(entry[SENDER])}"
    return Reason(f"{_capitalised(message_phrase(entry[MESSAGE], names))} {end} is on its way.")


def _insiders(run: Simulation, said: list[Reason]) -> Iterator[Reason]:
    """The processes in the critical section, unless a sentence has said so."""
    inside = [node for node, process in enumerate(run.processes) if is_inside(process)]
    if inside and not any("in the critical section" in reason.words for reason in said):
        yield Reason(f"{_named(inside)} {'is' if len(inside) == 1 else 'are'} in the critical section.")


def _timers(run: Simulation, node: int) -> Iterator[Reason]:
    """The times at which its timers run out."""
    for (owner, name), entry in sorted(run.timers.due.items()):
        if owner == node:
            yield Reason(f"Its timer “{name.replace('_', ' ')}” runs out at {entry[TIME]:.1f}.")


def _deadlock(run: Simulation, node: int) -> Iterator[Reason]:
    """The cycle of the wait-for graph that the node is in, if any."""
    cycle = wait_cycle(run, node)
    if cycle:
        path = " → ".join(map(node_name, [*cycle, cycle[0]]))
        yield Reason(f"A circle of waiting: {path}. None of them can go on.", True)


def _of_election(run: Simulation, node: int) -> Iterator[Reason]:
    """The processes it waits for in an election, the messages in transit, or that no election is under way."""
    leader = getattr(run.processes[node], "leader", None)
    awaited, in_transit = awaited_by(run, node), arriving_messages(run)
    if awaited:
        yield Reason(f"In this election it waits for {_named(awaited)}.")
        yield from _causes(run, node, awaited)
    elif leader is None:
        yield Reason(f"{node_name(node)} knows no leader yet.")
    elif not run.is_up(leader):
        yield Reason(f"Its leader {node_name(leader)} has {run.down[leader]}, and it has not noticed.")
    else:
        return
    if not awaited and not in_transit:
        yield Reason("No election is under way.")
    for entry in [] if awaited else in_transit[:_MOST_MESSAGES]:
        way = f"from {node_name(entry[SENDER])} to {node_name(entry[NODE])}"
        yield Reason(f"{_capitalised(message_phrase(entry[MESSAGE], naming(run)))} {way} is on its way.")
    yield from _timers(run, node)


def term_reasons(run: Simulation, node: int) -> Iterator[str]:
    """The sentences about a node of a rewriting system that has data to send; none about others."""
    layout = current_layout(run)
    data = [chip.text for chip in layout.lanes[node].data if chip.light != "gone"]
    if not data:
        return
    yield f"{node_name(node)} has {join_words(data)} to send."
    if "T" in layout.components:
        yield from _of_token(layout, node)
    steps = [step.application for step in run.processes[CARRIER].choices()]
    rules = sorted({application.rule.number for application in steps if application.node == node})
    if rules:
        yield f"Rule{'s' if len(rules) > 1 else ''} {join_words(rules)} can be applied at it."
    else:
        yield "No rule can be applied at it now."


def _of_token(layout: TermLayout, node: int) -> Iterator[str]:
    holders = [lane.node for lane in layout.lanes if lane.has_token and lane.token_light != "gone"]
    if node in holders:
        yield "It has the token."
    elif holders:
        yield f"{join_nodes(holders)} has the token."
    else:
        yield "The token is on its way: it is in a message."


_MOST_AT_REST = 4
_NOBODY = "Nothing will happen any more: nobody asks, and no message is on its way."


def quiescence_sentence(run: Simulation) -> str:
    """The sentence about a run in which no event is due."""
    if system_of(run.algorithm):
        return _NOBODY
    nodes = range(len(run.processes))
    paused = [node for node in nodes if run.is_paused(node)]
    if paused:
        return f"Nothing will happen by itself: {_with_verb(paused, 'is', 'are')} paused."
    waiting = [node for node in nodes if is_waiting(run, node)]
    return f"Nothing will happen any more: {_with_verb(waiting, 'waits', 'wait')} for ever." if waiting else _NOBODY


def _with_verb(nodes: list[int], one: str, many: str) -> str:
    """The nodes with the verb in singular or plural."""
    named = join_nodes(nodes) if len(nodes) <= _MOST_AT_REST else f"{len(nodes)} nodes"
    return f"{named} {one if len(nodes) == 1 else many}"
