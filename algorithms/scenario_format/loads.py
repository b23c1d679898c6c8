"""The tables of loads and of distributions of time -> their values."""

from __future__ import annotations

from typing import Any

from algorithms.engine.randomness import Distribution, Fixed, Uniform
from algorithms.engine.workload import LOADS, Load, Request, Saturated
from algorithms.scenario_format.place import Place
from algorithms.scenario_format.schema import DISTRIBUTIONS, LATEST
from algorithms.scenario_format.tables import each, read_kind, read_value


def read_load(value: Any, nodes: int, place: Place) -> Load:
    """A [load] table -> the load on a system of that many nodes. BadInput if it makes no sense."""
    cls, table = read_kind(value, LOADS, "kind of load", place)
    return read_value(
        table,
        cls,
        place,
        hold=read_delay if cls is Saturated else read_distribution,
        gap=read_delay,
        requests=each(lambda request, here: _request(request, nodes, here)),
    )


def read_distribution(value: Any, place: Place) -> Distribution:
    """A number, or a table with a kind -> a distribution of times. BadInput for anything else."""
    if isinstance(value, dict):
        cls, table = read_kind(value, DISTRIBUTIONS, "kind of distribution", place)
        distribution = read_value(table, cls, place)
        if isinstance(distribution, Uniform) and distribution.low > distribution.high:
            raise place.at("low").expected(f"a time of at most high, {distribution.high!r}", distribution.low)
        return distribution
    if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= LATEST:
        return Fixed(float(value))
    kinds = ", ".join(DISTRIBUTIONS)
    raise place.expected(f"a time of at least 0, at most {LATEST:g}, or a table with a kind ({kinds})", value)


def read_delay(value: Any, place: Place) -> Distribution:
    """A distribution of times with a mean above 0, BadInput otherwise: at 0 a load would never let time pass."""
    distribution = read_distribution(value, place)
    if distribution.mean == 0:
        raise place.expected("a time above 0", 0)
    return distribution


def read_node(node: int, nodes: int, place: Place) -> int:
    """The node's number, unchanged. BadInput if there is no such node."""
    if not 0 <= node < nodes:
        raise place.expected(f"a node from 0 to {nodes - 1}", node)
    return node


def _request(value: Any, nodes: int, place: Place) -> Request:
    return read_value(value, Request, place, node=lambda node, here: read_node(node, nodes, here))
