"""Parameters of an algorithm, each checked against its declaration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from algorithms.authoring.declaration import KINDS
from algorithms.engine.dispatch import parameters_of
from algorithms.engine.process import Algorithm
from algorithms.scenario_format.place import Place
from algorithms.scenario_format.schema import LATEST


def read_parameters(values: Mapping[str, Any], algorithm: Algorithm, nodes: int, place: Place) -> dict[str, Any]:
    """The parameters of a run. BadInput for a name that the algorithm does not declare, or a wrong value."""
    for name in values:
        check_parameter(name, algorithm, place.at(name))
    return {name: read_parameter(name, value, algorithm, nodes, place.at(name)) for name, value in values.items()}


def check_parameter(name: str, algorithm: Algorithm, place: Place) -> None:
    """Check that the algorithm has a parameter of that name."""
    declared = parameters_of(algorithm.process)
    if name not in declared:
        raise place.unknown(f"parameter of {algorithm.name}", name, declared)


def read_parameter(name: str, value: Any, algorithm: Algorithm, nodes: int, place: Place) -> Any:
    """The value of a parameter. BadInput unless it has the type of the default, and the declared bounds hold."""
    parameter = parameters_of(algorithm.process)[name]
    kind = type(parameter.default)
    typed = float(value) if kind is float and type(value) is int and abs(value) <= LATEST else _frozen(value)
    if type(typed) is not kind:
        raise place.expected(KINDS[kind], value)
    if kind in (int, float) and not abs(typed) <= LATEST:
        raise place.expected(f"{KINDS[kind]} of at most {LATEST:g}", value)
    if parameter.low is not None and typed < parameter.low:
        raise place.expected(f"{KINDS[kind]} of at least {parameter.low}", value)
    if parameter.high is not None and typed > parameter.high:
        raise place.expected(f"{KINDS[kind]} of at most {parameter.high}", value)
    if not parameter.fits(typed, nodes):
        raise place.expected(f"{KINDS[kind]}: {parameter.meaning}", value)
    return typed


def _frozen(value: Any) -> Any:
    """Lists as tuples, so that the scenario is immutable."""
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
