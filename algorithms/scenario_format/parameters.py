"""Parameters of an algorithm, each checked against what it declares."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from algorithms.authoring.declaration import KINDS
from algorithms.engine.dispatch import parameters_of
from algorithms.engine.process import Algorithm
from algorithms.scenario_format.place import Place
from algorithms.scenario_format.schema import LATEST


def read_parameters(values: Mapping[str, Any], algorithm: Algorithm, nodes: int, place: Place) -> dict[str, Any]:
    """The parameters of a run. BadInput if the algorithm has none of that name, or the value makes no sense."""
    for name in values:
        check_parameter(name, algorithm, place.at(name))
    return {name: read_parameter(name, value, algorithm, nodes, place.at(name)) for name, value in values.items()}


def check_parameter(name: str, algorithm: Algorithm, place: Place) -> None:
    """The algorithm has a parameter of that name."""
    declared = parameters_of(algorithm.process)
    if name not in declared:
        raise place.unknown(f"parameter of {algorithm.name}", name, declared)


def read_parameter(name: str, value: Any, algorithm: Algorithm, nodes: int, place: Place) -> Any:
    """The value, if it is of the kind that the parameter's default is, and makes sense."""
    parameter = parameters_of(algorithm.process)[name]
    kind = type(parameter.default)
    taken = float(value) if kind is float and type(value) is int and abs(value) <= LATEST else _frozen(value)
    if type(taken) is not kind:
        raise place.expected(KINDS[kind], value)
    if kind in (int, float) and not abs(taken) <= LATEST:
        raise place.expected(f"{KINDS[kind]} of at most {LATEST:g}", value)
    if parameter.low is not None and taken < parameter.low:
        raise place.expected(f"{KINDS[kind]} of at least {parameter.low}", value)
    if parameter.high is not None and taken > parameter.high:
        raise place.expected(f"{KINDS[kind]} of at most {parameter.high}", value)
    if not parameter.fits(taken, nodes):
        raise place.expected(f"{KINDS[kind]}: {parameter.meaning}", value)
    return taken


def _frozen(value: Any) -> Any:
    """Lists as tuples, so that nobody can change the scenario."""
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
