"""The bodies and lines of a repair in a lesson, and what the checker says about them, in words."""

from __future__ import annotations

import ast
from typing import Any

from algorithms.engine.observe.verdicts import NAMES
from lessons.tasks.assembled import RuleSource
from lessons.tasks.repairing import UNUSED, RepairKey, RepairOutcome

LEFT_OUT = "— left out below this line —"


def repair_words(key: RepairKey) -> str:
    """The question."""
    if key.options:
        if isinstance(key.method, RuleSource):
            return f"Which form of {key.method.name} is right?"
        return f"Which lines make “{key.method.name}” right?"
    more = ", and leave out those that do not belong there" if UNUSED in key.start else ""
    return f"Put the lines of “{key.method.name}” in order{more}."


def place_words(key: RepairKey, place: int) -> str:
    """A body, or a line, as code."""
    if key.options:
        return key.options[place].text
    return LEFT_OUT if place == UNUSED else ast.unparse(key.lines[place])


def outcome_words(outcome: RepairOutcome) -> str:
    """What the checker says."""
    if outcome.failure:
        return f"The checker cannot go on: {outcome.failure}"
    if not outcome.broken:
        every = f"holds in all {outcome.states:,} states"
        return every if outcome.is_complete else f"not broken in {outcome.states:,} states, which are not all"
    moves = f"{outcome.moves} move{'s' * (outcome.moves != 1)}"
    if outcome.broken == "no error":
        return f"a step fails after {moves}"
    return f"breaks {NAMES.get(outcome.broken, outcome.broken)} in {moves}"


def verdict_words(fault: tuple[Any, ...]) -> str:
    """The mistake in a repair, or why it is right."""
    if fault[0] == "outcome":
        words = outcome_words(fault[1])
        if fault[1].failure:
            return words
        return f"The checker: {'' if fault[1].broken == 'no error' else 'it '}{words}."
    intruders = fault[1]
    if intruders:
        return f"{intruders} of these lines do not belong here." if intruders > 1 else "One line does not belong here."
    return "A line is missing."


def repair_lines(key: RepairKey) -> list[str]:
    """The right answer, for the key."""
    lines = [key.method.head]
    for option in key.options:
        text = option.text.replace("\n", "; ")
        lines.append(f"  {text}  ({option.variant or 'the algorithm'}): {outcome_words(option.outcome)}")
    order = [place_words(key, place) for place in key.right_order()] if key.lines else []
    lines += [f"  {number}  {line}" for number, line in enumerate(order, 1)]
    if order:
        lines.append("and any other order in which the checker finds nothing broken")
    return lines
