"""Who asks when, and how long things take: the tables of loads and distributions -> their values."""

from __future__ import annotations

from typing import Any

from msgspec.structs import asdict

from algorithms.engine.randomness import Distribution, Exponential, Fixed, Uniform
from algorithms.engine.workload import LOADS, Load, Request, Saturated
from algorithms.scenario_format import schema
from algorithms.scenario_format.place import Place
from algorithms.scenario_format.tables import read_kind, read_table

DISTRIBUTIONS: dict[str, type[Distribution]] = {"fixed": Fixed, "uniform": Uniform, "exponential": Exponential}


def read_load(value: Any, nodes: int, place: Place) -> Load:
    """A [load] table -> the load on a system of that many nodes. BadInput if it makes no sense."""
    kind, table = read_kind(value, schema.LOADS, "kind of load", place)
    chosen = asdict(table)
    chosen["hold"] = read_distribution(chosen["hold"], place.at("hold"))
    if LOADS[kind] is Saturated:
        chosen["hold"] = above_zero(chosen["hold"], place.at("hold"))
    if "gap" in chosen:
        chosen["gap"] = above_zero(read_distribution(chosen["gap"], place.at("gap")), place.at("gap"))
    if "requests" in chosen:
        requests = enumerate(chosen["requests"])
        chosen["requests"] = tuple(_request(table, nodes, place.at("requests").at(i)) for i, table in requests)
    return LOADS[kind](**chosen)


def read_distribution(value: Any, place: Place) -> Distribution:
    """A number, or a table with a kind -> how long something takes. BadInput for anything else."""
    if isinstance(value, dict):
        kind, table = read_kind(value, schema.DISTRIBUTIONS, "kind of distribution", place)
        if isinstance(table, schema.UniformTable) and table.low > table.high:
            raise place.at("low").expected(f"a time of at most high, {table.high!r}", table.low)
        return DISTRIBUTIONS[kind](**asdict(table))
    if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= schema.LATEST:
        return Fixed(float(value))
    kinds = ", ".join(schema.DISTRIBUTIONS)
    raise place.expected(f"a time of at least 0, at most {schema.LATEST:g}, or a table with a kind ({kinds})", value)


def above_zero(distribution: Distribution, place: Place) -> Distribution:
    """The same distribution. BadInput if it is always 0, where time would stand still and the run never end."""
    if distribution.mean == 0:
        raise place.expected("a time above 0", 0)
    return distribution


def read_node(node: int, nodes: int, place: Place) -> int:
    """The same number. BadInput if there is no such node."""
    if not 0 <= node < nodes:
        raise place.expected(f"a node from 0 to {nodes - 1}", node)
    return node


def _request(value: Any, nodes: int, place: Place) -> Request:
    request = read_table(value, schema.RequestTable, place)
    return Request(request.at, read_node(request.node, nodes, place.at("node")), request.resource)
