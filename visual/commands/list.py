"""List the algorithms, with their assumptions and costs, and the scenarios that come with the program."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from itertools import groupby
from textwrap import wrap
from typing import Any

from algorithms import catalog, scenario_file
from algorithms.authoring import own_file
from algorithms.bad_input import BadInput
from algorithms.engine.dispatch import parameters_of
from algorithms.engine.process import Algorithm
from visual.words import assumption_words

_LINE = 100  # characters

EXAMPLES = """\
  mutoscope list
  mutoscope list bully
  mutoscope list --json"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "name", metavar="NAME|FILE", nargs="?", help="explain this algorithm (default: list everything)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Print the lists. BadInput afterwards if a file of the catalog has a mistake and is missing from them."""
    if arguments.name and own_file.is_file(arguments.name):
        own = catalog.find(own_file.trust(arguments.name))
        _print([_algorithm("your own", own)], [], arguments, is_explained=True)
        return 0
    wanted = catalog.find(arguments.name).name if arguments.name else None
    algorithms = [
        _algorithm(family, algorithm)
        for family, members in catalog.by_family().items()
        for algorithm in members
        if wanted in (None, algorithm.name)
    ]
    scenarios = [
        scenario for scenario in map(_scenario, scenario_file.names()) if wanted in (None, scenario["algorithm"])
    ]
    _print(algorithms, scenarios, arguments, is_explained=wanted is not None)
    if broken := catalog.broken():
        raise BadInput(broken[0])
    return 0


def _print(
    algorithms: list[dict[str, Any]],
    scenarios: list[dict[str, str]],
    arguments: argparse.Namespace,
    *,
    is_explained: bool,
) -> None:
    """Print the lists; with `is_explained`, how the only algorithm works comes first."""
    if arguments.json:
        print(json.dumps({"algorithms": algorithms, "scenarios": scenarios}, ensure_ascii=False, indent=2))
        return
    explained = [*_explanation(algorithms[0]), ""] if is_explained else []
    width = max((len(s["name"]) for s in scenarios), default=0)
    listed = [f"  {s['name']:{width}}  {s['title']} ({s['algorithm']})" for s in scenarios]
    print("\n".join([*explained, *_algorithm_lines(algorithms), *(["", "SCENARIOS"] if listed else []), *listed]))


def _algorithm(family: str, algorithm: Algorithm) -> dict[str, Any]:
    cost = algorithm.cost
    return {
        "name": algorithm.name,
        "title": algorithm.title,
        "family": family,
        "summary": algorithm.summary,
        "explanation": algorithm.explanation,
        "symbols": dict(algorithm.symbols),
        "source": algorithm.source,
        "assumes": list(algorithm.assumes),
        "topology": algorithm.topology,
        "cost": None if cost is None else {"formula": cost.formula, "note": cost.note},
        "variants": {name: variant.summary for name, variant in algorithm.variants.items()},
        "parameters": {
            name: {"default": parameter.default, "meaning": parameter.meaning}
            for name, parameter in parameters_of(algorithm.process).items()
        },
    }


def _scenario(name: str) -> dict[str, str]:
    tables = scenario_file.read(scenario_file.find(name))
    return {"name": name, "title": tables.get("title", ""), "algorithm": tables["algorithm"]}


def _algorithm_lines(algorithms: list[dict[str, Any]]) -> list[str]:
    """A paragraph for each algorithm, under its family's name."""
    lines: list[str] = []
    width = max(len(a["name"]) for a in algorithms)
    for family, members in groupby(algorithms, key=lambda a: a["family"]):
        lines += [*([""] if lines else []), family.upper()]
        for algorithm in members:
            first, *others = _facts(algorithm)
            lines.append(f"  {algorithm['name']:{width}}  {first}")
            lines += [f"  {'':{width}}  {other}" for other in others]
    return lines


def _explanation(algorithm: dict[str, Any]) -> Iterator[str]:
    """The algorithm's title, how it works, and the meanings of its symbols."""
    yield algorithm["title"]
    yield from wrap(algorithm["explanation"], _LINE)
    for letter, meaning in algorithm["symbols"].items():
        yield f"  {letter}: {meaning}"


def _facts(algorithm: dict[str, Any]) -> Iterator[str]:
    yield algorithm["summary"]
    what = "election" if algorithm["family"] == "election" else "entry"
    cost = f"; {algorithm['cost']['formula']} messages per {what}" if algorithm["cost"] else ""
    yield f"assumes {assumption_words(algorithm['assumes'])}{cost}"
    for name, summary in algorithm["variants"].items():
        yield f"--variant {name}: {summary}"
    for name, parameter in algorithm["parameters"].items():
        yield f"--param {name}={json.dumps(parameter['default'])}: {parameter['meaning']}"
