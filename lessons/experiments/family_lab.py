"""A lab for a family: the cost of each algorithm as claimed and as measured, and what it loses to one fault."""

from __future__ import annotations

from dataclasses import asdict
from math import inf

from algorithms import catalog
from algorithms.engine.observe.size import Size, size_of
from algorithms.engine.process import Cost
from algorithms.engine.scenario import Scenario
from lessons.experiments.families import Measured, compared, measure
from lessons.experiments.family_plot import plot
from lessons.laboratory.lab import Case, Figures, Lab, LabRow, Results, Topic

NODES = 8


def figures(seed: int, algorithm: str, nodes: int) -> Figures:
    """The measurements of one algorithm, the same for every seed."""
    return asdict(measure(catalog.find(algorithm), nodes))


def family_lab(family: str, paragraph: str) -> Lab:
    """The lab for a family of the catalogue, such as "election"."""
    asked = "an election" if family == "election" else "an entry"
    return Lab(
        name=f"all-of-{family.replace(' ', '-')}",
        title=f"All algorithms side by side: {family}",
        topic=Topic.TEXTBOOKS,
        question=f"What does {asked} cost with each of the algorithms, and which fault does each survive?",
        picture=f"""\
A line for each algorithm, with {NODES} processes: messages on the left, delay in the middle. Blue is {asked} that one
process asks for, from the cheapest to the dearest; the orange square is the average if all ask at once. On the right
are the properties that a single fault can break: none is written where the algorithm survives it.""",
        source="the papers of the algorithms",
        cases={
            a.title: Case(figures, {"algorithm": a.name, "nodes": NODES})
            for a in sorted(compared(family), key=lambda algorithm: algorithm.title)
        },
        seeds=1,
        quick_seeds=1,
        rows=_rows,
        plot=lambda results: plot(_measured(results), family, NODES),
        paragraph=paragraph,
    )


def _measured(results: Results) -> list[Measured]:
    return [Measured(**found) for (found,) in results.values()]


def _rows(results: Results) -> list[LabRow]:
    """For each algorithm, the dearest that one process asks for, against the formula, and the average if all ask."""
    found = []
    for row in _measured(results):
        algorithm = catalog.find(row.algorithm)
        size, cost = size_of(Scenario(row.algorithm, nodes=NODES), algorithm), algorithm.cost
        assert cost is not None
        found.append(_against(cost, size, f"{row.title}: one process asks", row.messages_alone[1]))
        broken = "; ".join(f"{fault}: {', '.join(names)}" for fault, names in row.lost.items() if names)
        note = f"a single fault may break: {broken}" if broken else "survives each single fault"
        found.append(LabRow(f"{row.title}: all ask at once", None, row.messages_together, note=note))
    return found


def _against(cost: Cost, size: Size, name: str, measured: float) -> LabRow:
    """A row with the verdict on a formula; none where the formula leaves out what its note says."""
    low, high = float(cost.low(size)), float(cost.high(size)) if cost.high else inf
    is_met = low <= measured <= high
    band = (low, high) if high < inf and (is_met or not cost.note) else None
    return LabRow(name, cost.formula, measured, band=band, holds=is_met or None, note=cost.note)
