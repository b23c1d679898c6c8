"""The report of `rules --refines`: the systems that a system refines, and the two runs where it does not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from textwrap import wrap
from typing import NamedTuple

from algorithms import scenario_file
from algorithms.engine.rewrite.reductions import Limits, ReachableStates, Refinement, Step, reachable_states
from algorithms.engine.rewrite.rewriter import INTERVAL, with_steps
from algorithms.engine.rewrite.rewriting import State, System, highest_datum
from algorithms.engine.rewrite.rule_text import term_text
from algorithms.engine.scenario import Marker, Scenario
from algorithms.rewriting_systems import catalog, refinements
from visual.commands.output import write

COLUMN = 62  # characters of one run
NOTHING = "nothing"  # the abstract rules for a step that the abstract system does not see


class ExplainedStep(NamedTuple):
    """A step of the concrete run and the abstract steps that explain it; None where no abstract steps do."""

    step: Step
    explained: list[Step] | None


def report_refinements(system: System, variant: str | None, limits: Limits, folder: Path | None) -> None:
    """Print, for each refinement claimed of the system, whether it holds; where it fails, the two runs side by side.

    The runs are also written into `folder`, if given, to be played.
    """
    reached = reachable_states(system, limits)
    base = system.name.split()[0]
    for refinement in (*refinements.AS_PRINTED, *refinements.REPAIRED, *refinements.DIRECT):
        if refinement.concrete.name == base:
            claim = replace(refinement, concrete=system)
            wrong = claim.unexplained(reached)
            fails = f"fails at rule {wrong.application.rule.number}" if wrong else "holds"
            print(f"{refinement.name}: {system.title} refines {refinement.abstract.title}: {fails}")
            if wrong:
                rows = _rows(claim, reached, wrong)
                print("\n".join(_table(claim, rows, limits)))
                if folder:
                    _save(folder, list(_runs(claim, variant, rows, limits)))


def _save(folder: Path, runs: list[tuple[str, Scenario]]) -> None:
    """Write the runs, and print the command that plays them, side by side if there are two."""
    for file, scenario in runs:
        write(str(folder / file), [scenario_file.dumps(scenario).encode()])
    print("mutoscope play", " --beside ".join(str(folder / file) for file, _ in runs))


def _rows(refinement: Refinement, reached: ReachableStates, wrong: Step) -> list[ExplainedStep]:
    steps = [*reached.reduction(wrong.before), wrong]
    return [ExplainedStep(step, refinement.explanation(step, reached.limits)) for step in steps]


def _table(refinement: Refinement, rows: list[ExplainedStep], limits: Limits) -> Iterator[str]:
    """Two columns: the steps of the concrete run, and the abstract rules and terms beside them."""
    concrete, abstract = refinement.concrete, refinement.abstract
    start = concrete.initial(limits.nodes)
    blocks = [(concrete.title, start, abstract.title, refinement.mapping(start))]
    blocks += [(f"rule {_number(row)}", row.step.after, _answer(row), _mapped(refinement, row)) for row in rows]
    for left, state, right, mapped in blocks:
        yield from _beside([left, *_lines(concrete, state)], [right, *_lines(abstract, mapped)])
        yield ""


def _number(row: ExplainedStep) -> str:
    return row.step.application.rule.number


def _answer(row: ExplainedStep) -> str:
    """The rules by which the abstract system follows."""
    if row.explained is None:
        return "no rule leads here"
    numbers = [step.application.rule.number for step in row.explained]
    return f"rule{'s' * (len(numbers) > 1)} {', '.join(numbers)}" if numbers else NOTHING


def _mapped(refinement: Refinement, row: ExplainedStep) -> State:
    return refinement.mapping(row.step.after)


def _lines(system: System, state: State) -> Iterator[str]:
    """A term, component by component."""
    for name, part in zip(system.components, state, strict=True):
        yield from wrap(f"  {name}  {term_text(part)}", COLUMN, subsequent_indent="     ")


def _beside(left: list[str], right: list[str]) -> Iterator[str]:
    for one, other in zip_longest(left, right, fillvalue=""):
        yield f"{one:{COLUMN}} │ {other}".rstrip()


def _runs(
    refinement: Refinement, variant: str | None, rows: list[ExplainedStep], limits: Limits
) -> Iterator[tuple[str, Scenario]]:
    """The concrete run, and the abstract run up to where it can follow, each with the name of its file.

    A concrete step and the abstract steps that explain it have the same time.
    """
    name = refinement.name.lower().replace(" ", "-").replace(",", "")
    concrete, abstract = refinement.concrete, refinement.abstract
    steps = [(row.step, time * INTERVAL) for time, row in enumerate(rows, 1)]
    followed = [(step, time * INTERVAL) for time, row in enumerate(rows, 1) for step in row.explained or ()]
    end = len(rows) * INTERVAL
    last = Marker(end, f"rule {_number(rows[-1])}: {abstract.title} cannot follow")
    title = f"{refinement.name}: {concrete.title} goes where {abstract.title} cannot follow"
    yield f"{name}-concrete.toml", _run(concrete, variant, steps, limits, title, last)
    if not _is_repaired(abstract):
        title = f"{refinement.name}: {abstract.title}, up to where it can follow"
        yield f"{name}-abstract.toml", _run(abstract, None, followed, limits, title, last)


def _is_repaired(system: System) -> bool:
    """Whether it has more rules than in the catalog, and so cannot be played."""
    return len(catalog.find(system.name).rules) < len(system.rules)


def _run(
    system: System, variant: str | None, steps: list[tuple[Step, float]], limits: Limits, title: str, last: Marker
) -> Scenario:
    """The run of these steps, each at its time, within the tightest limits that allow them."""
    terms = [system.initial(limits.nodes), *(step.after for step, _ in steps)]
    requests = max(highest_datum(term, node) for term in terms for node in range(limits.nodes))
    history = max(len(history) for term in terms for history in system.histories(term))
    parameters = {"requests": requests, "history": max(history, 1), "messages": limits.messages or 0}
    scenario = Scenario(
        system.name.split()[0],
        title=title,
        variant=variant,
        nodes=limits.nodes,
        until=last.at + INTERVAL / 2,
        parameters=parameters,
        markers=(last,),
    )
    return with_steps(scenario, system, [step for step, _ in steps], [time for _, time in steps])
