"""The reasons why a node of a rewriting system has not appended its data yet: which rule would, and what it lacks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from algorithms.engine.rewrite import CARRIER
from algorithms.engine.rewrite.rewriting import Call, Filled, Rule, Term
from algorithms.engine.simulation import Simulation
from visual.analysis.term_layout import TermLayout, current_layout
from visual.words import join_nodes, join_words, node_name

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
