"""[[event]] tables -> events, each with the fields that it needs and with names that the algorithm knows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, replace
from typing import Any

from algorithms.engine.dispatch import handler_name
from algorithms.engine.faults import FAULTS
from algorithms.engine.part import parts_of
from algorithms.engine.process import Algorithm, ElectionProcess, Message, MutexProcess, Process
from algorithms.engine.scenario import Event, NodeAct
from algorithms.scenario_format.loads import read_load, read_node
from algorithms.scenario_format.parameters import check_parameter, read_parameter
from algorithms.scenario_format.place import Place
from algorithms.scenario_format.schema import KEYS
from algorithms.scenario_format.tables import describe, each, read_fields, with_fields

NAMES_OF_A_MESSAGE = ("message", "node", "to", "type")  # any of them identifies it
NEED_A_TOKEN = ("lose-token", "duplicate-token")


def read_event(value: Any, algorithm: Algorithm, nodes: int, place: Place) -> Event:
    """One [[event]] of a run of `algorithm`, the variant in use. BadInput if it makes no sense."""
    given = read_fields(value, Event, place)
    if given["do"] not in FAULTS:
        raise place.at("do").unknown("event", given["do"], FAULTS)
    _check_needs(given, place)
    load, setting = given.pop("load", None), given.pop("value", None)
    acts = each(lambda act, here: read_act(act, algorithm, nodes, here))
    event = with_fields(Event, given, place, acts=acts)
    _check_nodes(event, nodes, place)
    _check_names(event, algorithm, place)
    if load is not None:
        event = replace(event, load=read_load(load, nodes, place.at("load")))
    if event.parameter is not None:
        check_parameter(event.parameter, algorithm, place.at("parameter"))
        setting = read_parameter(event.parameter, setting, algorithm, nodes, place.at("value"))
        event = replace(event, value=setting)
    return event


def read_act(value: Any, algorithm: Algorithm, nodes: int, place: Place) -> NodeAct:
    """What a node does in the place of its algorithm. BadInput if the algorithm's processes cannot do that."""
    given = read_fields(value, NodeAct, place)
    if not issubclass(algorithm.process, MutexProcess | ElectionProcess):
        raise place.wrong(f"the processes of {algorithm.name} cannot be played by hand")
    if given["do"] == "enter":
        if given.keys() != {"do"} or algorithm.is_election():
            raise place.expected("send with a type and to, or enter alone in a critical section", value)
        return NodeAct("enter")
    for key in ("type", "to"):
        if key not in given:
            raise place.missing(key, f"{describe(KEYS[NodeAct][key])}, which send needs")
    kinds = {message.__name__: message for message in algorithm.looks}
    if given["type"] not in kinds:
        raise place.at("type").unknown(f"message of {algorithm.name}", given["type"], kinds)
    read_node(given["to"], nodes, place.at("to"))
    values, names = given.get("fields", {}), [field.name for field in fields(kinds[given["type"]])]  # type: ignore[arg-type]
    if sorted(values) != sorted(names):
        raise place.at("fields").expected(f"the fields of {given['type']} ({', '.join(names) or 'none'})", values)
    return NodeAct("send", given["type"], given["to"], tuple((name, _constant(values[name])) for name in names))


def _constant(value: Any) -> Any:
    """A value of a message, which cannot change: tuples for lists."""
    return tuple(map(_constant, value)) if isinstance(value, list) else value


def _check_needs(given: dict[str, Any], place: Place) -> None:
    """Check that the table gives everything that the event needs."""
    do = given["do"]
    for need in FAULTS[do].needs:
        if need == "message":
            if not any(name in given for name in NAMES_OF_A_MESSAGE):
                raise place.wrong(f"{do} needs a message: its number, or node, to or type of the oldest in flight")
        elif need not in given:
            raise place.missing(need, f"{describe(KEYS[Event][need])}, which {do} needs")
    if "every" in given and "step" in given:
        raise place.at("every").wrong("expected either every or step, got both")
    if do == "heal" and ("node" in given) != ("to" in given):
        missing = "to" if "node" in given else "node"
        raise place.at(missing).wrong("heal needs both node and to, or neither for all links")


def _check_nodes(event: Event, nodes: int, place: Place) -> None:
    """Check that every node exists, and that no node is in two groups."""
    for name, node in (("node", event.node), ("to", event.to)):
        if node is not None:
            read_node(node, nodes, place.at(name))
    if event.node is not None and event.node == event.to:
        raise place.at("to").expected("another node than the event's own", event.to)
    grouped: set[int] = set()
    for g, group in enumerate(event.groups):
        for i, node in enumerate(group):
            where = place.at("groups").at(g).at(i)
            read_node(node, nodes, where)
            if node in grouped:
                raise where.wrong(f"node {node} is in two groups")
            grouped.add(node)


def _check_names(event: Event, algorithm: Algorithm, place: Place) -> None:
    """Check that the algorithm has the event's message type, timer and token."""
    messages = [message.__name__ for message in algorithm.looks]
    if event.type is not None and event.type not in messages:
        raise place.at("type").unknown(f"message of {algorithm.name}", event.type, messages)
    timers = timers_of(algorithm.process, algorithm.looks)
    if event.timer is not None and event.timer.partition(" ")[0] not in timers:  # "rest 3": rest, of resource 3
        raise place.at("timer").unknown(f"timer of {algorithm.name}", event.timer, timers)
    if event.do in NEED_A_TOKEN and algorithm.token is None:
        raise place.at("do").wrong(f"{event.do} needs an algorithm with a token, and {algorithm.name} has none")


def timers_of(process: type[Process], messages: Iterable[type[Message]]) -> list[str]:
    """The timers that processes of that class handle; "election.timeout" belongs to the part `election`."""
    handlers = set(map(handler_name, messages))
    own = [name.removeprefix("on_") for name in dir(process) if name.startswith("on_") and name not in handlers]
    parts = parts_of(process).items()
    return [*own, *(f"{name}.{timer}" for name, part in parts for timer in timers_of(part.process, messages))]
