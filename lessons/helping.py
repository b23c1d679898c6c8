"""Hints of a question: the node to look at, the line that decides, and a wrong option or a right part."""

from __future__ import annotations

from typing import NamedTuple

from algorithms.engine.events import NODE
from algorithms.engine.observe.line_trace import execution, source_text
from algorithms.engine.timeline import Timeline
from lessons.asking import copies
from lessons.tasks.decisions import Decision

_MOST_NODES = 3


class DecidingLine(NamedTuple):
    """A line of the algorithm that runs in the step that decides, and the function that it stands in."""

    text: str
    function: str


def deciding_nodes(run: Timeline, evidence: tuple[int, ...]) -> tuple[int, ...]:
    """The nodes of the steps that decide, in their order; `evidence` are numbers of steps."""
    ahead = _at(run, evidence)
    found = (ahead.trace.event(step - 1)[NODE] for step in evidence if 0 < step <= len(ahead.trace))
    return tuple(dict.fromkeys(node for node in found if node >= 0))[:_MOST_NODES]


def deciding_line(run: Timeline, step: int) -> DecidingLine | None:
    """The last line of the algorithm that runs in a step, counted from 1; None if none does."""
    ahead = _at(run, (step,))
    lines = execution(ahead, step - 1).lines if 0 < step <= ahead.frontier else ()
    if not lines:
        return None
    line = lines[-1]
    text = source_text(line.file).splitlines()[line.number - 1].partition("  #")[0].strip()
    return DecidingLine(text, line.function)


def evidence_of(asked: object, evidence: tuple[int, ...]) -> tuple[int, ...]:
    """The steps that decide the present question: those of a node's decision, or those of the answer."""
    return (asked.step + 1,) if isinstance(asked, Decision) else evidence


def _at(run: Timeline, evidence: tuple[int, ...]) -> Timeline:
    """A copy of the run that has executed the steps."""
    ahead = copies.copy_of(run)
    while ahead.step < max(evidence, default=0) and copies.forward(ahead):
        pass
    return ahead
