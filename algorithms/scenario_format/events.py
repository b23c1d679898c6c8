"""[[event]] tables -> events, each checked for what its deed needs and what the algorithm knows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from algorithms.engine.dispatch import handler_name
from algorithms.engine.faults import FAULTS
from algorithms.engine.part import parts_of
from algorithms.engine.process import Algorithm, Message, Process
from algorithms.engine.scenario import Event
from algorithms.scenario_format import schema
from algorithms.scenario_format.loads import read_load, read_node
from algorithms.scenario_format.parameters import check_parameter, read_parameter
from algorithms.scenario_format.place import Place
from algorithms.scenario_format.tables import read_table, words_of

NAMES_OF_A_MESSAGE = ("message", "node", "to", "type")  # any of them tells which one is meant
NEED_A_TOKEN = ("lose-token", "duplicate-token")


def read_event(value: Any, algorithm: Algorithm, nodes: int, place: Place) -> Event:
    """One [[event]] of a run of `algorithm`, as its variant has it. BadInput if it makes no sense."""
    table = read_table(value, schema.EventTable, place)
    if table.do not in FAULTS:
        raise place.at("do").unknown("event", table.do, FAULTS)
    _check_needs(table, value, place)
    _check_nodes(table, nodes, place)
    _check_names(table, algorithm, place)
    return Event(
        at=table.at,
        do=table.do,
        node=table.node,
        to=table.to,
        message=table.message,
        resource=table.resource,
        type=table.type,
        timer=table.timer,
        memory=table.memory,
        delay=table.delay,
        groups=tuple(map(tuple, table.groups)),
        load=None if table.load is None else read_load(table.load, nodes, place.at("load")),
        parameter=table.parameter,
        value=_value(table, algorithm, nodes, place),
        every=table.every,
        draws=tuple(table.draws),
        step=table.step,
        by_hand=table.by_hand,
    )


def _value(table: schema.EventTable, algorithm: Algorithm, nodes: int, place: Place) -> Any:
    """What a parameter is set to, as the parameter allows it."""
    if table.parameter is None:
        return None
    check_parameter(table.parameter, algorithm, place.at("parameter"))
    return read_parameter(table.parameter, table.value, algorithm, nodes, place.at("value"))


def _check_needs(table: schema.EventTable, value: dict[str, Any], place: Place) -> None:
    """Everything is there that the deed needs."""
    for need in FAULTS[table.do].needs:
        if need == "message":
            if not any(name in value for name in NAMES_OF_A_MESSAGE):
                raise place.wrong(
                    f"{table.do} needs a message: its number, or node, to or type of the oldest in flight"
                )
        elif need not in value:
            wanted = words_of(schema.EventTable, need)
            raise place.at(need).wrong(f"expected {wanted}, which {table.do} needs, got nothing")
    if table.every is not None and table.step is not None:
        raise place.at("every").wrong("expected either every or step, got both")
    if table.do == "heal" and (table.node is None) != (table.to is None):
        missing = "node" if table.node is None else "to"
        raise place.at(missing).wrong("heal needs both node and to, or neither for all links")


def _check_nodes(table: schema.EventTable, nodes: int, place: Place) -> None:
    """Every node named is there, and in one group only."""
    for name, node in (("node", table.node), ("to", table.to)):
        if node is not None:
            read_node(node, nodes, place.at(name))
    if table.node is not None and table.node == table.to:
        raise place.at("to").expected("another node than the event's own", table.to)
    seen: set[int] = set()
    for g, group in enumerate(table.groups):
        for i, node in enumerate(group):
            where = place.at("groups").at(g).at(i)
            read_node(node, nodes, where)
            if node in seen:
                raise where.wrong(f"node {node} is in two groups")
            seen.add(node)


def _check_names(table: schema.EventTable, algorithm: Algorithm, place: Place) -> None:
    """The algorithm has such a message, timer or token."""
    messages = [message.__name__ for message in algorithm.looks]
    if table.type is not None and table.type not in messages:
        raise place.at("type").unknown(f"message of {algorithm.name}", table.type, messages)
    timers = timers_of(algorithm.process, algorithm.looks)
    if table.timer is not None and table.timer.partition(" ")[0] not in timers:  # "rest 3": rest, of resource 3
        raise place.at("timer").unknown(f"timer of {algorithm.name}", table.timer, timers)
    if table.do in NEED_A_TOKEN and algorithm.token is None:
        raise place.at("do").wrong(f"{table.do} needs an algorithm with a token, and {algorithm.name} has none")


def timers_of(process: type[Process], messages: Iterable[type[Message]]) -> list[str]:
    """The timers that processes of that class handle; "election.timeout" is one of the part `election`."""
    handlers = set(map(handler_name, messages))
    own = [name.removeprefix("on_") for name in dir(process) if name.startswith("on_") and name not in handlers]
    parts = parts_of(process).items()
    return [*own, *(f"{name}.{timer}" for name, part in parts for timer in timers_of(part.process, messages))]
