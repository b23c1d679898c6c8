"""What `rules --refines` prints: which systems another one refines; where it does not, the two runs side by side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from textwrap import wrap
from typing import NamedTuple

from algorithms import scenario_file
from algorithms.engine.reductions import Limits, Reached, Refinement, Step, reach
from algorithms.engine.rewriter import recorded
from algorithms.engine.rewriting import State, System
from algorithms.engine.rule_text import term_text
from algorithms.engine.scenario import Scenario
from algorithms.rewriting_systems import catalog, refinements
from visual.commands.output import write

COLUMN = 62  # characters of one run
NOTHING = "nothing"  # what a step comes to that the abstract system does not see


class Row(NamedTuple):
    """One step of the concrete run, and the abstract rules it comes to; None where there are none that would do."""

    step: Step
    explained: list[Step] | None


def compare(system: System, variant: str | None, limits: Limits, folder: Path | None) -> None:
    """For each system that this one refines: whether it does, or a run of it beside what that one sees of it.

    The runs are written into `folder`, if one is given, to be played.
    """
    reached = reach(system, limits)
    base = system.name.split()[0]
    for refinement in (*refinements.AS_PRINTED, *refinements.REPAIRED, *refinements.DIRECT):
        if refinement.concrete.name == base:
            meant = replace(refinement, concrete=system)
            wrong = meant.unexplained(reached)
            fails = f"fails at rule {wrong.application.rule.number}" if wrong else "holds"
            print(f"{refinement.name}: {system.title} refines {refinement.abstract.title}: {fails}")
            if wrong:
                rows = _rows(meant, reached, wrong)
                print("\n".join(_table(meant, rows, limits)))
                for file, scenario in _runs(meant, variant, rows, limits) if folder else ():
                    write(str(folder / file), [scenario_file.dumps(scenario).encode()])  # type: ignore[operator]
                    print(f"mutoscope play {folder / file}")  # type: ignore[operator]


def _rows(refinement: Refinement, reached: Reached, wrong: Step) -> list[Row]:
    steps = [*reached.reduction(wrong.before), wrong]
    return [Row(step, refinement.explanation(step, reached.limits)) for step in steps]


def _table(refinement: Refinement, rows: list[Row], limits: Limits) -> Iterator[str]:
    """Two columns: each step of the concrete run, and beside it the abstract rules and what they lead to."""
    concrete, abstract = refinement.concrete, refinement.abstract
    start = concrete.initial(limits.nodes)
    blocks = [(concrete.title, start, abstract.title, refinement.mapping(start))]
    blocks += [(f"rule {_number(row)}", row.step.after, _answer(row), _seen(refinement, row)) for row in rows]
    for left, state, right, seen in blocks:
        yield from _beside([left, *_lines(concrete, state)], [right, *_lines(abstract, seen)])
        yield ""


def _number(row: Row) -> str:
    return row.step.application.rule.number


def _answer(row: Row) -> str:
    """By which rules the abstract system follows."""
    if row.explained is None:
        return "no rule leads here"
    numbers = [step.application.rule.number for step in row.explained]
    return f"rule{'s' * (len(numbers) > 1)} {', '.join(numbers)}" if numbers else NOTHING


def _seen(refinement: Refinement, row: Row) -> State:
    return refinement.mapping(row.step.after)


def _lines(system: System, state: State) -> Iterator[str]:
    """A term, component by component."""
    for name, part in zip(system.components, state, strict=True):
        yield from wrap(f"  {name}  {term_text(part)}", COLUMN, subsequent_indent="     ")


def _beside(left: list[str], right: list[str]) -> Iterator[str]:
    for one, other in zip_longest(left, right, fillvalue=""):
        yield f"{one:{COLUMN}} │ {other}".rstrip()


def _runs(
    refinement: Refinement, variant: str | None, rows: list[Row], limits: Limits
) -> Iterator[tuple[str, Scenario]]:
    """The concrete run, and the abstract one as far as it follows, each with the name of its file."""
    name = refinement.name.lower().replace(" ", "-").replace(",", "")
    concrete = [row.step for row in rows]
    abstract = [step for row in rows for step in row.explained or ()]
    title = f"{refinement.name}: {refinement.concrete.title} goes where {refinement.abstract.title} cannot follow"
    last = f"rule {_number(rows[-1])}, which nothing in {refinement.abstract.title} comes to"
    yield f"{name}-concrete.toml", _run(refinement.concrete, variant, concrete, limits, title, last)
    if refinement.abstract.name in catalog.by_name() and len(refinement.abstract.rules) == _rules(refinement):
        title = f"{refinement.name}: {refinement.abstract.title}, as far as it can follow"
        yield f"{name}-abstract.toml", _run(refinement.abstract, None, abstract, limits, title, "here it cannot follow")


def _rules(refinement: Refinement) -> int:
    """How many rules the abstract system has in the catalogue: a repaired one has more, and cannot be played."""
    return len(catalog.find(refinement.abstract.name).rules)


def _run(system: System, variant: str | None, steps: list[Step], limits: Limits, title: str, last: str) -> Scenario:
    parameters = {"requests": limits.requests, "history": limits.history, "messages": limits.messages or 0}
    scenario = Scenario(system.name.split()[0], title=title, variant=variant, nodes=limits.nodes, parameters=parameters)
    return recorded(scenario, system, steps, last)
