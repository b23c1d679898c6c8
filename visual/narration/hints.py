"""The hints of a question in words."""

from __future__ import annotations

import ast

from algorithms.engine.errors import count_words
from algorithms.engine.rewrite.rewriting import Application
from algorithms.engine.rewrite.rule_text import sentence
from lessons.asking.answers import Answer
from lessons.attempt import Attempt
from lessons.helping import deciding_line, deciding_nodes, evidence_of
from lessons.marking import MOST_HINTS
from lessons.tasks.challenges import ChallengeTask
from lessons.tasks.ordering import OrderKey, violations
from lessons.tasks.repairing import RepairKey
from visual.narration.answers import event_sentence
from visual.narration.choices import choice_words
from visual.words import event_label, join_nodes, subscripted

_TO_COME = "Ask what is still to come: messages in transit, replies that are kept, and timers."
_READ_ON = "Go through the steps one by one, and ask of each what it needs."


def hint_words(attempt: Attempt, level: int) -> str:
    """The hint of a level from 1 to 3; the author's words where the lesson has some."""
    own = attempt.step.task.hints
    if level <= len(own):
        return own[level - 1]
    is_hunting = isinstance(attempt.step.task, ChallengeTask)
    return _ahead(attempt, level) if is_hunting else (_whom, _line, _part)[level - 1](attempt)


def _ahead(attempt: Attempt, level: int) -> str:
    """In a challenge: how far it still is, the kind of the next move, and the move; from where the learner is."""
    par, here = attempt.par, attempt.hunt.here
    if par is None or here is None:
        return "The checker is still working it out."
    if par.moves is None:
        return _WHERE_NONE_LEADS[level - 1]
    if here.moves is None:
        undone = attempt.hunt.moves_to_undo
        back = f"take back {count_words(undone, 'move')}" if undone else "take moves back"
        return f"From here it can no longer be done: {back} (Ctrl+Z)."
    if here.moves == 0:
        return "You are there: press Enter."
    first = here.first
    if level == 1 or first is None:
        return f"From here it takes {count_words(here.moves, 'more move')}."
    if isinstance(first, Application):
        rule = first.rule
        words = f"rule {rule.number}" if level < MOST_HINTS else subscripted(sentence(rule, first.bindings))
        return f"Next: {words}."
    if level < MOST_HINTS:
        return f"Next: {_KINDS[first.do]}."
    message = first.envelope.message if first.envelope else None
    words = choice_words(attempt.run.simulation, first.do, first.node, first.timer, message, first.sender)
    return f"Next: {words}."


_WHERE_NONE_LEADS = (
    "Ask of each move what it would have to change, and whether the algorithm lets it.",
    "Come as near to the goal as you can, and look at what the last step would still need.",
    "The checker has tried all moves in every order: none leads there.",
)
_KINDS = {
    "request": "a process starts something",
    "deliver": "a message arrives",
    "fire": "a timer expires",
    "exit": "a process leaves",
    "crash": "a process crashes",
    "reset": "a process restarts without memory",
    "drop": "a message is lost",
    "duplicate": "a message is duplicated",
}


def _whom(attempt: Attempt) -> str:
    """The node to look at."""
    right = attempt.entry.right
    if isinstance(right, OrderKey):
        return "Follow the arrows and the lines of the processes backwards: what leads here came before."
    if isinstance(right, RepairKey):
        return "Think of two processes that request at the same time."
    if _is_yes_no(right):  # what decides would tell
        return _READ_ON
    nodes = deciding_nodes(attempt.run, evidence_of(attempt.asked, attempt.entry.evidence))
    return f"Look at {join_nodes(nodes)}: what happens there decides it." if nodes else _READ_ON


def _line(attempt: Attempt) -> str:
    """The line that decides."""
    if isinstance(attempt.entry.right, OrderKey):
        return "Two events of one process are always ordered; events of two only by a message, or a chain of them."
    if isinstance(attempt.entry.right, RepairKey):
        return "Exactly one of two that compete may go first, and what is sent must be known by then."
    if _is_yes_no(attempt.entry.right):
        return _TO_COME
    evidence = evidence_of(attempt.asked, attempt.entry.evidence)
    found = deciding_line(attempt.run, evidence[0]) if evidence else None
    return f"The line that decides, in {found.function}: {found.text}" if found else _READ_ON


def _is_yes_no(right: object) -> bool:
    return isinstance(right, Answer) and right.kind == "yes-no"


def _part(attempt: Attempt) -> str:
    """A wrong option, or a part that is right."""
    right = attempt.entry.right
    if attempt.struck is not None:
        return f"Not number {attempt.struck + 1}."
    if isinstance(right, RepairKey):
        return f"It begins with: {ast.unparse(right.lines[0])}"
    if isinstance(right, OrderKey) and right.what == "past":
        return f"{event_label(min(right.past))} is one of them."
    early = violations(right.causes, attempt.order) if isinstance(right, OrderKey) else []
    if early:
        event, cause = (event_sentence(right.events[place], attempt.run.simulation) for place in early[0])
        return f"“{cause.rstrip('.')}” comes before “{event.rstrip('.')}”."
    return _READ_ON
