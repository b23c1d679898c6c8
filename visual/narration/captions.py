"""The caption of a step: the comment on the last of its lines that has something to say, with its values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from algorithms.engine.observe.caption_text import INITIALIZERS, Placeholder, fill, placeholders
from algorithms.engine.observe.line_trace import ExecutedLine, comments
from visual.words import PLAIN, Naming, join_nodes, notation_of, sorted_values, tuple_text, value_text

_MOST_NAMED = 5  # processes; more are counted
_BEFORE_BREACH = re.compile(r" (?=“[^”]+” fails: )")


def caption(lines: Iterable[ExecutedLine], names: Naming = PLAIN) -> str | None:
    """The comment of `caption_line` with its values, without its full stop; None if there is none."""
    line = caption_line(lines)
    if line is None:
        return None
    comment = _comment(line)
    texts = [_text(hole, value, names) for hole, value in _filled(comment, line)]
    return fill(comment, lambda i: texts[i]).rstrip(".")


def cut(words: str, fits: Callable[[str], bool]) -> str:
    """A caption that fits: what a step does loses its last words, so that what it breaks is whole."""
    said, *broken = _BEFORE_BREACH.split(words)
    kept = said.split()
    while kept and not fits(words):
        kept.pop()
        words = " ".join([" ".join(kept).rstrip(",:;") + "…", *broken])
    return words


def caption_line(lines: Iterable[ExecutedLine]) -> ExecutedLine | None:
    """The last of the lines that has a comment, except for comments about no process, as in "replies to P{set()}"."""
    return next((line for line in reversed([*lines]) if _says_something(line)), None)


def _comment(line: ExecutedLine) -> str:
    return comments(line.file).get(line.number, "")


def _says_something(line: ExecutedLine) -> bool:
    comment = _comment(line)
    if not comment or line.function in INITIALIZERS:
        return False
    return not any(hole.is_node and value in ((), frozenset(), None) for hole, value in _filled(comment, line))


def _filled(comment: str, line: ExecutedLine) -> Iterable[tuple[Placeholder, Any]]:
    """The placeholders with their values, or with their names where the line was not observed."""
    holes = placeholders(comment)
    return zip(holes, line.values or [hole.expression for hole in holes], strict=True)


def _text(hole: Placeholder, value: Any, names: Naming) -> str:
    if isinstance(value, str):
        return value
    if hole.is_node:
        nodes = [value] if isinstance(value, int) else sorted_values({*value})
        return join_nodes(nodes) if len(nodes) <= _MOST_NAMED else f"{len(nodes)} processes"
    if hole.notation:
        return notation_of(hole.notation, value, names)
    return tuple_text(value) if isinstance(value, tuple) else value_text(value)
