"""A time, or a table with one condition -> a Condition that makes sense in its scenario."""

from __future__ import annotations

from typing import Any

from algorithms import catalog
from algorithms.engine.observe.monitors import Monitors
from algorithms.engine.rewrite import system_of
from algorithms.engine.scenario import Scenario
from algorithms.scenario_format.events import timers_of
from algorithms.scenario_format.loads import read_node
from algorithms.scenario_format.place import Place
from algorithms.scenario_format.tables import describe, read_keys
from lessons.asking.moments import ANY, CONDITIONS, Condition
from lessons.reading.schema import CONDITION_VALUES, Time

_NODES = ("at", "from", "by", "to", "node", "holds", "leader")


def read_condition(value: Any, scenario: Scenario, place: Place) -> Condition:
    """The condition. BadInput, with the place, unless there is exactly one and it names what the scenario has."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return Condition("time", read_keys({"time": value}, {"time": Time}, place)["time"])
    if not isinstance(value, dict):
        raise place.expected(describe(Time) + ", or a table with one condition", value)
    kinds = [key for key in value if key in CONDITIONS]
    if len(kinds) != 1:
        got = f"two ({', '.join(kinds)})" if kinds else "none"
        raise place.wrong(f"expected one condition of {', '.join(CONDITIONS)}, got {got}")
    kind = kinds[0]
    allowed = (kind, *CONDITIONS[kind], "nth", "edge")
    given = read_keys(value, {key: CONDITION_VALUES[key] for key in allowed}, place)
    _check(kind, given, scenario, place)
    if given.get("edge", "before") != "before":
        raise place.at("edge").expected('"before"', given["edge"])
    if kind == "applies":
        given[kind] = str(given[kind])
    details = {key: given[key] for key in CONDITIONS[kind] if key in given}
    return Condition(kind, given[kind], details, given.get("nth", 1), "edge" in given)


def _check(kind: str, given: dict[str, Any], scenario: Scenario, place: Place) -> None:
    algorithm = catalog.find(scenario.algorithm).of(scenario.variant)
    for key in _NODES:
        if key in given and isinstance(given[key], int):
            read_node(given[key], scenario.nodes, place.at(key))
    if kind in ("enters", "leaves", "asks") and given[kind] != ANY:
        if not isinstance(given[kind], int) or isinstance(given[kind], bool):
            raise place.at(kind).expected(f'the number of a node, or "{ANY}"', given[kind])
        read_node(given[kind], scenario.nodes, place.at(kind))
    if kind in ("arrives", "sent"):
        names = [message.__name__ for message in algorithm.looks]
        place.at(kind).check_known(f"message of {algorithm.name}", given[kind], names)
    if kind == "light":
        read_light(given[kind], scenario, place.at(kind))
    if kind == "fires":
        timers = timers_of(algorithm.process, algorithm.looks)
        if given[kind].partition(" ")[0] not in timers:
            raise place.at(kind).unknown(f"timer of {algorithm.name}", given[kind], timers)
    if kind in ("tokens", "holds") and algorithm.token is None:
        raise place.at(kind).wrong(f"{algorithm.name} has no token")
    if kind == "applies":
        system = system_of(algorithm)
        rules = [rule.number for rule in system.rules] if system else []
        place.at(kind).check_known(f"rule of {algorithm.name}", str(given[kind]), rules)
    if kind == "leader" and not algorithm.is_election():
        raise place.at(kind).wrong(f"{algorithm.name} elects no leader")
    if kind == "variable":
        if "node" not in given:
            raise place.at("node").wrong("expected the node whose variable it is, got nothing")
        if ("is" in given) == ("has" in given):
            raise place.wrong('expected either "is" or "has"')


def read_light(name: str, scenario: Scenario, place: Place) -> str:
    """The name of a property that is monitored in the scenario. BadInput if there is no such light."""
    algorithm = catalog.find(scenario.algorithm).of(scenario.variant)
    lights = Monitors(scenario, algorithm).by_name
    place.check_known(f"light of {algorithm.name}", name, lights)
    return name
