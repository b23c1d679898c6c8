"""Answers as plain values: their kinds, their names in files, and how much of one is right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from algorithms.engine.scenario import Scenario

NOBODY, SEVERAL = "nobody", "several"
YES, NO = "yes", "no"
BEFORE, AFTER, CONCURRENT = RELATIONS = "before", "after", "concurrent"
NOTHING = "nothing"

Stays = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Answer:
    """The answer to a question; two are equal if kind and value are.

    `value` by kind: a node's number, "nobody" or "several"; a tuple of groups of nodes that are inside together; a
    number; a variable's value as TOML has it; a frozenset; "yes" or "no"; the name of a light or "nothing"; "before",
    "after" or "concurrent". `evidence` are the steps that decide it, `example` is another run that shows it.
    """

    kind: str
    value: Any
    evidence: tuple[int, ...] = ()
    example: Scenario | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Answer) and (self.kind, self.value) == (other.kind, other.value)

    def __hash__(self) -> int:
        return hash((self.kind, repr(self.value)))


def as_json(answer: Answer) -> Any:
    """The value for a JSON file: nodes as numbers, sets as sorted lists, stays as lists of lists."""
    if answer.kind == "set":
        return sorted((list(item) if isinstance(item, tuple) else item for item in answer.value), key=repr)
    if answer.kind == "stays":
        return [list(group) for group in answer.value]
    return answer.value


def from_file(kind: str, value: Any) -> Answer | None:
    """The answer of a kind that a lesson's file gives in words; None if it is none of that kind."""
    if kind == "node":
        node = value if value in (NOBODY, SEVERAL) else _node(value)
        return None if node is None else Answer(kind, node)
    if kind == "stays":
        groups = [_group(item) for item in value] if isinstance(value, list) else [None]
        return None if None in groups else Answer(kind, tuple(group for group in groups if group is not None))
    if kind == "set":
        items = (
            [_node(item) if _node(item) is not None else item for item in value] if isinstance(value, list) else None
        )
        hashable = (tuple(item) if isinstance(item, list) else item for item in items or ())
        return None if items is None else Answer(kind, frozenset(hashable))
    if kind == "number":
        return Answer(kind, value) if isinstance(value, int | float) and not isinstance(value, bool) else None
    words = {"yes-no": (YES, NO), "relation": RELATIONS}.get(kind)
    if words:
        return Answer(kind, value) if value in words else None
    if kind == "light":
        return Answer(kind, value) if isinstance(value, str) else None
    return Answer(kind, value)


def from_json(kind: str, value: Any) -> Answer:
    """The answer of a kind that a file of answers gives. ValueError, with what was expected, if it is none."""
    answer = from_file(kind, value)
    if answer is None:
        raise ValueError(f"an answer of the kind {kind}")
    return answer


def _node(value: Any) -> int | None:
    """The number in "P3", or a number itself, as JSON has nodes."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return int(value[1:]) if isinstance(value, str) and value[:1] == "P" and value[1:].isdigit() else None


def _group(value: Any) -> tuple[int, ...] | None:
    """The nodes in "P1 + P2", or in a list as JSON has them, in ascending order."""
    parts = [part.strip() for part in value.split("+")] if isinstance(value, str) else value
    nodes = [_node(part) for part in parts] if isinstance(parts, list) else [None]
    return None if None in nodes else tuple(sorted(node for node in nodes if node is not None))


def share(right: Answer, given: Answer, within: float | None = None) -> float:
    """The share of an answer that is right, from 0 to 1."""
    if right == given:
        return 1.0
    if right.kind != given.kind:
        return 0.0
    if right.kind == "set":
        return share_of(right.value, given.value)
    if right.kind == "stays":
        places = max(len(right.value), len(given.value))
        same = sum(bool(one == other) for one, other in zip(right.value, given.value, strict=False))
        return same / places
    if right.kind == "number" and within:
        miss = abs(given.value - right.value)
        tolerance = within * abs(right.value)
        return 1.0 if miss <= tolerance else 0.5 if miss <= 2 * tolerance else 0.0
    return 0.0


def share_of(right: frozenset[Any], given: frozenset[Any]) -> float:
    """How much of a set is right, from 0 to 1."""
    return len(right & given) / len(right | given) if right | given else 1.0
