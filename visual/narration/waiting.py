"""The reasons why a node waits: what it waits for, what in transit ends that, and what holds each of the others back.

A reason is what would unblock the node: a message in transit to it, its own request in transit, the token's place, or
the state of a process that keeps it waiting.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from algorithms.engine.applications import is_inside, is_wanting
from algorithms.engine.events import MESSAGE, NODE, SENDER, SEQ, Record
from algorithms.engine.process import Process
from algorithms.engine.rewrite import CARRIER, system_of
from algorithms.engine.rewrite.rewriting import Call, Filled, Rule, Term
from algorithms.engine.simulation import Simulation
from algorithms.engine.waits import Wait
from visual.analysis.term_layout import TermLayout, current_layout
from visual.analysis.wait_for import (
    arriving_tokens,
    election_messages,
    holds_on,
    is_deadlocked,
    is_gone_for_good,
    is_over,
    is_stuck_behind,
    is_token_gone,
    is_waiting,
    relevant_messages,
    timers_of,
    token_holders,
    tokens_at_paused_nodes,
    usable_tokens,
    wait_at,
    wait_cycle,
)
from visual.words import (
    Naming,
    is_array,
    is_noun,
    join_nodes,
    join_words,
    message_noun,
    message_phrase,
    message_type,
    naming,
    node_name,
    own_label,
    timer_name,
)

_MOST_NAMED = 6  # processes that a node waits for
_MOST_MESSAGES = 3  # in transit elsewhere
_MOST_SPELT_OUT = 3  # nodes of a cycle, each with its verb
_GRANTING = ("grant", "token")  # families of messages that let a process enter


class Reason(NamedTuple):
    """A sentence, with the nodes and the messages (by serial number) that it is about.

    `is_permanent` if it means that the node will wait forever.
    """

    words: str
    is_permanent: bool = False
    nodes: tuple[int, ...] = ()
    messages: tuple[int, ...] = ()


def reasons(run: Simulation, node: int) -> list[Reason]:
    """The reasons why `node` is not in the critical section, or knows no leader; empty if it is not waiting."""
    if not run.is_up(node):
        state = "has crashed" if run.is_crashed(node) else f"is {run.down[node]}"
        return [Reason(f"{node_name(node)} itself {state}.", is_gone_for_good(run, node))]
    if run.algorithm.is_election():
        return list(_of_election(run, node))
    if system_of(run.algorithm):
        return [Reason(words) for words in term_reasons(run, node)]
    if not is_waiting(run, node):
        return []
    causes = [*_messages(run, node), *_others(run, node), *_about_the_token(run, node)]
    causes += [*_insiders(run, causes), *_timers(run, node)]
    causes += _deadlock(run, node, causes)
    return [Reason(_summary(run, node)), *sorted(causes, key=lambda reason: not reason.is_permanent)]


# ---- what it waits for -------------------------------------------------------------------------------------


def _summary(run: Simulation, node: int) -> str:
    """The sentence about what the node waits for, and from which processes."""
    wait, me = wait_at(run, node), node_name(node)
    note = f"; {_compact(wait.note)}" if wait.note else ""
    token = "a token" if len(arriving_tokens(run)) + len(list(token_holders(run))) > 1 else "the token"
    if node in usable_tokens(run):
        return f"{me} has {token} itself{note or ' but does not use it yet'}."
    if run.algorithm.token is not None:
        return f"{me} waits for {token}{note}."
    if not wait.nodes:
        return f"{me} is waiting{note}."
    what = _needed(run, wait)
    return f"It waits for {what} from {_whom(wait)}{note}." if what else f"It waits for {_whom(wait)}{note}."


def _whom(wait: Wait) -> str:
    nodes = sorted(wait.nodes)
    names = join_nodes(nodes) if len(nodes) <= _MOST_NAMED else f"{len(nodes)} nodes"
    if len(nodes) == 1:
        return names
    return f"any one of {names}" if wait.is_any else f"each of {names}" if wait.messages else names


def _needed(run: Simulation, wait: Wait) -> str:
    """The kind of message that the node waits for; "" if that is not known.

    On an overlay a node waits for those that have its votes, which send it no message.
    """
    kinds = [message_type(kind) for kind in wait.messages]
    if not kinds and not hasattr(run.process_class, "overlay"):
        kinds = [message_type(kind) for kind, family in run.algorithm.looks.items() if family in _GRANTING]
        kinds = kinds if len(kinds) == 1 else []
    noun = " or ".join(kinds)
    article = "an" if noun[:1] in tuple("aeiou") and noun[:3] != "one" else "a"
    return f"{article} {noun}{' message' if len(kinds) > 1 or not is_noun(noun) else ''}" if noun else ""


def _compact(words: str) -> str:
    """The words with tuples as in the papers: "(2, 1)" -> "(2,1)"."""
    return re.sub(r"(?<=\d), (?=\d)", ",", words)


# ---- messages in transit -----------------------------------------------------------------------------------


def _messages(run: Simulation, node: int) -> Iterator[Reason]:
    """The relevant messages in transit; equal ones share a sentence."""
    entries = relevant_messages(run, node)
    names = naming(run)
    tokens = {entry[SEQ] for entry in arriving_tokens(run)}  # told with the token's place
    alike: dict[tuple[str, str, int], list[Record]] = {}
    for entry in entries:
        if entry[SEQ] not in tokens:
            kind = "to" if entry[NODE] == node else "own" if entry[SENDER] == node else "forwarded"
            sender = entry[SENDER] if kind == "forwarded" else node
            alike.setdefault((kind, message_noun(entry[MESSAGE], names), sender), []).append(entry)
    for (kind, _, _), group in alike.items():
        yield _in_transit(kind, group, names)


def _in_transit(kind: str, group: list[Record], names: Naming) -> Reason:
    """The sentence about equal messages to the node, of its own, forwarded for it, or of others."""
    message, serials = group[0][MESSAGE], tuple(entry[SEQ] for entry in group)
    ends = tuple(sorted({entry[SENDER if kind == "to" else NODE] for entry in group}))
    noun = message_noun(message, names)
    its = f"Its {noun.removesuffix(own_label(message)).rstrip()}"  # "request", not "request for P2", of P2's own
    if kind == "to" and len(ends) == 1:
        words = f"{_capitalised(message_phrase(message, names))} from {_named(ends)} is in transit."
    elif kind == "to":
        words = f"{_capitalised(_plural(noun))} from {_named(ends)} are in transit."
    elif kind == "own":
        words = f"{its} to {_named(ends)} is in transit."
    else:
        what = its if kind == "forwarded" else _capitalised(message_phrase(message, names))
        words = f"{what} is in transit from {node_name(group[0][SENDER])} to {_named(ends)}."
    return Reason(words, nodes=ends, messages=serials)


def _plural(noun: str) -> str:
    """ "reply" -> "the replies"; a quoted name stays as it is."""
    if not noun.isalpha():
        return f"the {noun.removesuffix(' message')} messages"
    return f"the {noun[:-1]}ies" if noun.endswith("y") else f"the {noun}s"


def _named(nodes: Iterable[int]) -> str:
    nodes = sorted(nodes)
    if len(nodes) <= _MOST_NAMED:
        return join_nodes(nodes)
    named = ", ".join(map(node_name, nodes[: _MOST_NAMED - 1]))
    return f"{named} and {len(nodes) - _MOST_NAMED + 1} more"


def _capitalised(label: str) -> str:
    """A message as the beginning of a sentence."""
    return label[0].upper() + label[1:]


# ---- those who keep it waiting -----------------------------------------------------------------------------


def _others(run: Simulation, node: int) -> Iterator[Reason]:
    """What holds back each of the others that matter; those with the same clauses share a sentence."""
    wait, holds = wait_at(run, node), holds_on(run, node)
    holders = set(token_holders(run))
    pending = {end for e in relevant_messages(run, node) for end in (e[SENDER], e[NODE])}
    alike: dict[tuple[tuple[str, ...], bool], list[int]] = {}
    for other in sorted({*wait.nodes, *holds, *holders}):
        is_stuck = is_stuck_behind(run, node, other)
        if run.is_paused(other) or run.is_gone(other):
            needed = other in wait.nodes and (not wait.is_any or wait.timers is not None)  # a timer waits for it
            clauses = _absent(run, other, is_stuck) if needed and other not in holders else ()
        elif other in pending and other not in holds:
            clauses = ()
        elif other == node or other in holders:
            clauses = (holds[other],) if other in holds and other == node else ()
        else:
            clauses = _doing(run, node, other, holds.get(other, ""))
        if clauses:
            alike.setdefault((clauses, is_stuck), []).append(other)
    for (clauses, is_stuck), nodes in alike.items():
        yield Reason(_about(nodes, clauses), is_stuck, tuple(nodes))


def _absent(run: Simulation, other: int, is_stuck: bool) -> tuple[str, ...]:
    if run.is_paused(other):
        return ("is paused and cannot answer until it resumes",)
    gone = "has crashed" if run.is_crashed(other) else "has left"
    if run.algorithm.token is not None:
        return (f"{gone}: the token cannot come from it any more" if is_stuck else gone,)
    return (f"{gone}: it will never answer" if is_stuck else f"{gone} and does not answer",)


def _doing(run: Simulation, node: int, other: int, hold: str) -> tuple[str, ...]:
    """The clauses about the state of `other`, and about why it keeps `node` waiting."""
    process: Any = run.processes[other]
    explains = run.process_class.keeps_waiting is not Process.keeps_waiting
    hold = _compact(hold) if explains else _queued(run, node, other)
    inside = ("is in the critical section",) if is_inside(process) else ()
    if hold:
        return (*inside, hold)
    if run.algorithm.token is not None or run.algorithm.is_election():
        return ()  # its neighbour on the way of the token: the token's place is what matters
    return inside or (("is waiting too",) if is_wanting(process) and not explains else ())


def _queued(run: Simulation, node: int, other: int) -> str:
    """The clause that `other` has `node` in the queue or set shown beside it; "" if it has not."""
    rows = ((name, getattr(run.processes[other], name, None)) for name in run.algorithm.rows_of_chips())
    found: tuple[str, Any] | None = next(((name, values) for name, values in rows if _has(values, node, run)), None)
    if found is None:
        return ""
    name, values = found
    waiting = list(values)
    place = "" if isinstance(values, set | frozenset) else f", as number {waiting.index(node) + 1} of {len(waiting)}"
    return f"has {node_name(node)} in “{name.replace('_', ' ')}”{place}"


def _has(values: Any, node: int, run: Simulation) -> bool:
    """Whether a variable is a collection of nodes, and not one of values by node, and has that node."""
    is_collection = isinstance(values, Iterable) and not isinstance(values, dict)
    return is_collection and not is_array(values, len(run.processes)) and node in list(values)


_PLURALS = (  # of the words in clauses about a process
    *(("has", "have"), ("is", "are"), ("it", "they"), ("itself", "themselves"), ("does", "do"), ("resumes", "resume")),
    *(("goes", "go"), ("its reply", "their replies")),
)


def _about(nodes: Iterable[int], clauses: tuple[str, ...]) -> str:
    """ "P1 and P3 have crashed and do not answer."."""
    nodes = list(nodes)
    words = join_words(list(clauses))
    if len(nodes) > 1:
        for one, many in _PLURALS:
            words = re.sub(rf"\b{one}\b", many, words)
    return f"{_named(nodes)} {words}."


def _insiders(run: Simulation, said: list[Reason]) -> Iterator[Reason]:
    """The processes in the critical section, where nothing else is known to keep the node waiting."""
    inside = [other for other, process in enumerate(run.processes) if is_inside(process) and run.is_up(other)]
    is_known = said and not hasattr(run.process_class, "overlay")  # there, replicas keep it waiting for others
    is_known = is_known or any("in the critical section" in reason.words for reason in said)
    if inside and not is_known and run.applications.resources == 1:
        yield Reason(_about(inside, ("is in the critical section",)), False, tuple(inside))


def _timers(run: Simulation, node: int) -> Iterator[Reason]:
    """The timers that may end the wait, and when they expire."""
    for name, due in timers_of(run, node):
        yield Reason(f"Its {timer_name(name, naming(run))} expires at t = {due:.1f}.", nodes=(node,))


def _deadlock(run: Simulation, node: int, said: list[Reason]) -> Iterator[Reason]:
    """The cycle of the wait-for graph that the node is in; or that nothing can happen any more."""
    is_lost = run.algorithm.token is not None and is_token_gone(run)  # which is why they wait, not for each other
    cycle = [] if is_lost else wait_cycle(run, node)
    if cycle:
        pairs = list(zip(map(node_name, cycle), map(node_name, [*cycle[1:], cycle[0]]), strict=True))
        shorter = len(cycle) > _MOST_SPELT_OUT
        parts = [f"{a} {'' if shorter and k else 'waits '}for {b}" for k, (a, b) in enumerate(pairs)]
        yield Reason(f"Deadlock: {', '.join(parts[:-1])}, and {parts[-1]}.", True, tuple(cycle))
    elif not any(reason.is_permanent for reason in said) and is_deadlocked(run, node):
        end = "Nothing more can happen" if is_over(run) else "No message or timer can help any more"
        yield Reason(f"{end}: {node_name(node)} waits forever.", True)


# ---- the token ---------------------------------------------------------------------------------------------


def _about_the_token(run: Simulation, node: int) -> Iterator[Reason]:
    """The sentences about where the token is, or that there is none."""
    if run.algorithm.token is None:
        return
    in_transit, holders, stopped = arriving_tokens(run), list(token_holders(run)), tokens_at_paused_nodes(run)
    the = "The token" if len(in_transit) + len(holders) + len(stopped) == 1 else "A token"
    in_transit.sort(key=lambda entry: entry[NODE] != node)
    if len(in_transit) > _MOST_MESSAGES:
        yield Reason(f"{len(in_transit)} tokens are in transit.", messages=tuple(entry[SEQ] for entry in in_transit))
        in_transit = [entry for entry in in_transit if entry[NODE] == node]
    links: dict[tuple[int, int], list[int]] = {}
    for entry in in_transit:
        links.setdefault((entry[SENDER], entry[NODE]), []).append(entry[SEQ])
    for (sender, receiver), serials in links.items():
        what = f"{the} is" if len(serials) == 1 else f"{len(serials)} tokens are"
        way = f"from {node_name(sender)} to {node_name(receiver)}"
        yield Reason(f"{what} in transit {way}.", nodes=(receiver,), messages=tuple(serials))
    for other in stopped:
        yield Reason(f"{the} has reached {node_name(other)}, which is paused.", nodes=(other,))
    holds = holds_on(run, node)
    for holder in holders:
        if holder != node or run.post.marks.get(holder) == "lose":
            yield _of_holder(run, node, holder, the.lower(), holds.get(holder, ""))
    if not (arriving_tokens(run) or holders or stopped):
        me, gone = node_name(node), is_token_gone(run)
        end = " A timeout may bring a new one." if run.timers.due else ""
        yield Reason(f"The token has been lost; {me} cannot know this.{end}", gone)


def _of_holder(run: Simulation, node: int, holder: int, token: str, hold: str) -> Reason:
    who, gone = node_name(holder), is_token_gone(run)
    if run.is_gone(holder):
        how = "crashed" if run.is_crashed(holder) else "left"
        if run.post.marks.get(holder) == "lose":
            lost = f"{token.capitalize()} was lost while {who} held it, before it {how}"
            return Reason(f"{lost}; {node_name(node)} cannot know this.", gone, (holder,))
        return Reason(f"{who} has {how} with {token}; {node_name(node)} cannot know this.", gone, (holder,))
    if run.post.marks.get(holder) == "lose":
        return Reason(f"{who} believes that it has {token}, but it has been lost.", gone, (holder,))
    doing = ["is in the critical section"] if is_inside(run.processes[holder]) else []
    doing += ["is paused"] if run.is_paused(holder) else []
    doing += [_compact(hold)] if hold else []
    return Reason(f"{who} {join_words([f'has {token}', *doing])}.", False, (holder,))


# ---- elections ---------------------------------------------------------------------------------------------


def _of_election(run: Simulation, node: int) -> Iterator[Reason]:
    """What it waits for in an election, the messages in transit, or that no election is under way."""
    leader, wait, me = getattr(run.processes[node], "leader", None), wait_at(run, node), node_name(node)
    if wait.nodes:
        note = f"; {wait.note}" if wait.note else ""
        yield Reason(f"In this election it waits for {_needed(run, wait)} from {_whom(wait)}{note}.")
        causes = [*_messages(run, node), *_others(run, node)]
        yield from sorted(causes, key=lambda reason: not reason.is_permanent)
        yield from () if any(reason.is_permanent for reason in causes) else _deadlock(run, node, causes)
    elif leader is None:
        yield Reason(f"{me} knows no leader yet.")
    elif not run.is_up(leader):
        gone = f"Its leader {node_name(leader)} {'is' if run.is_paused(leader) else 'has'} {run.down[leader]}"
        yield Reason(f"{gone}; {me} does not know this.", nodes=(leader,))
    else:
        return
    elsewhere = [] if relevant_messages(run, node) else election_messages(run)
    timers = list(_timers(run, node))
    if not wait.nodes and not elsewhere and not run.timers.due:
        yield Reason("No election is under way.")
    alike: dict[tuple[str, int], list[Record]] = {}
    for entry in elsewhere:
        alike.setdefault((message_noun(entry[MESSAGE], naming(run)), entry[SENDER]), []).append(entry)
    for group in list(alike.values())[:_MOST_MESSAGES]:
        yield _in_transit("", group, naming(run))
    yield from timers


# ---- the end of a run ------------------------------------------------------------------------------------


_MOST_AT_REST = 4
_OVER = "The run is over: no pending requests, no messages in transit."


def quiescence_sentence(run: Simulation) -> str:
    """The sentence about a run in which no event is due."""
    if system_of(run.algorithm):
        return _OVER
    nodes = range(len(run.processes))
    paused = [node for node in nodes if run.is_paused(node)]
    if paused:
        return f"Nothing more can happen until {_with_verb(paused, 'resumes', 'resume')}."
    waiting = [node for node in nodes if is_waiting(run, node)]
    return f"Deadlock: nothing more can happen; {_with_verb(waiting, 'waits', 'wait')} forever." if waiting else _OVER


def _with_verb(nodes: list[int], one: str, many: str) -> str:
    """The nodes with the verb in singular or plural."""
    named = join_nodes(nodes) if len(nodes) <= _MOST_AT_REST else f"{len(nodes)} nodes"
    return f"{named} {one if len(nodes) == 1 else many}"


_APPENDING = ("⊕", "marked")  # the functions that make a history longer


def term_reasons(run: Simulation, node: int) -> Iterator[str]:
    """The sentences about a node of a rewriting system that has data to send; none about others."""
    layout = current_layout(run)
    data = [chip.text for chip in layout.lanes[node].data if chip.light != "gone"]
    if not data:
        return
    carrier, me = run.processes[CARRIER], node_name(node)
    steps = [step.application for step in carrier.choices()]
    here = sorted({application.rule.number for application in steps if application.node == node})
    appending = [rule.number for rule in carrier.system.rules if _appends(rule, layout)]
    them = "them" if len(data) > 1 else "it"
    yield f"{me} has {join_words(data)} to send."
    if now := [number for number in appending if number in here]:
        yield f"Rule {' or '.join(now)} can append {them} to the history now."
    else:
        yield f"Rule {' or '.join(appending)} appends {them} once {me} has the token."
    if "T" in layout.components:
        yield from _of_token(layout, node)
    others = [number for number in here if number not in now]
    if others:
        yield f"Rule{'s' if len(others) > 1 else ''} {join_words(others)} can be applied at {me} now."
    elif not now:
        yield f"No rule can be applied at {me} now."


def _appends(rule: Rule, layout: TermLayout) -> bool:
    """Whether the rule makes a history longer: not the data to send, which are in component Q."""
    return any(_grows(term) for name, term in zip(layout.components, rule.right, strict=True) if name != "Q")


def _grows(term: Term) -> bool:
    if isinstance(term, Call):
        return term.name in _APPENDING
    parts: Iterable[Term] = term.items if isinstance(term, Filled) else term if isinstance(term, tuple) else ()
    return any(map(_grows, parts))


def _of_token(layout: TermLayout, node: int) -> Iterator[str]:
    """Where the token is, and what leads it to the node."""
    lanes = layout.lanes
    holders = [lane.node for lane in lanes if lane.has_token and lane.token_light != "gone"]
    sent = [(lane.node, chip) for lane in lanes for chip in lane.sent if chip.family == "token"]
    received = [(lane.node, chip) for lane in lanes for chip in lane.received if chip.family == "token"]
    there = [(at, chip) for at, chip in (*sent, *received) if chip.light != "gone"]
    token = "The token" if len(holders) + len(there) == 1 else "A token"
    if node in holders:
        yield "It has the token."
    elif holders:
        yield f"{join_nodes(holders)} has the token."
    for at, chip in there:
        other = "itself" if chip.other == at else node_name(chip.other)
        if (at, chip) in sent:
            yield f"{token} is in transit from {node_name(at)} to {other}."
        else:
            yield f"{token} has reached {node_name(at)} in a message from {other}."
    traps = [lane.node for lane in lanes for trap in lane.traps if trap.other == node and trap.light != "gone"]
    if traps := [at for at in traps if at != node]:
        me, verb, who = node_name(node), "has", join_nodes(traps)
        if len(traps) > 1:
            verb, who = "have", "one of them"
        yield f"{join_nodes(traps)} {verb} a trap for {me}: once {who} has the token, it may send it to {me}."
