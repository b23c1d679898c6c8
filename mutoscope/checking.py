"""The checker from Python: every interleaving of a small system."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from algorithms import catalog, scenario_file
from algorithms.authoring import own_file
from algorithms.authoring.failures import guard_algorithm
from algorithms.bad_input import BadInput
from algorithms.engine.check.counterexample import counterexample_scenario
from algorithms.engine.check.explore import STATE_LIMIT, Exploration
from algorithms.engine.check.moves import Bounds
from algorithms.engine.check.process_steps import NotExplorable
from algorithms.scenario_format.place import Place
from mutoscope.runs import SimulatedRun

_SLICE = 1_000  # states between two looks


class Checked(NamedTuple):
    """The result of a check: property -> sentence, and the counter-examples as runs."""

    states: int
    is_complete: bool
    properties: dict[str, str]
    counterexamples: dict[str, SimulatedRun]


def check(
    algorithm: str,
    *,
    nodes: int = 3,
    variant: str | None = None,
    states: int = STATE_LIMIT,
    fifo: bool = True,
    fair: bool = False,
    parameters: dict[str, Any] | None = None,
    **bounds: Any,
) -> Checked:
    """Try every order of events. `bounds`: requests, crashes, losses, duplicates, resets, timeouts, synchronous.

    `fair` adds the property “fair liveness”; `requests=None` is any number of requests.
    """
    if own_file.is_file(algorithm):
        algorithm = own_file.trust(algorithm)
    found = catalog.find(algorithm)
    unknown = [name for name in bounds if name not in Bounds.__dataclass_fields__]
    if unknown:
        raise TypeError(
            f"check() has no bound {unknown[0]!r}; expected one of {', '.join(Bounds.__dataclass_fields__)}"
        )
    tables: dict[str, Any] = {"format": 1, "algorithm": algorithm, "nodes": nodes, "network": {"fifo": fifo}}
    tables |= {"variant": variant} if variant else {}
    tables |= {"parameters": parameters} if parameters else {}
    scenario = scenario_file.build(tables, Place(algorithm), Path())
    with guard_algorithm(found, "cannot be checked"):
        exploration = Exploration(scenario, found, Bounds(**bounds), states, wants_fairness=fair)
        try:
            while exploration.advance(_SLICE):
                pass
        except NotExplorable as error:
            raise BadInput(f"{algorithm} cannot be checked: {error}") from None
        report = exploration.report()
        examples = {
            finding.property.name: SimulatedRun(counterexample_scenario(exploration, finding))
            for finding in report.findings
            if finding.trail
        }
    sentences = {finding.property.name: report.sentence(finding) for finding in report.findings}
    return Checked(report.states, report.is_complete, sentences, examples)
