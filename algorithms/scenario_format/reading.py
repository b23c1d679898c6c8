"""The tables of a scenario file -> a Scenario, every value checked against the system it is meant for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from algorithms import catalog
from algorithms.engine.dispatch import parameters_of
from algorithms.engine.process import Algorithm
from algorithms.engine.rewrite import MOST_NODES_IN_TERM, system_of
from algorithms.engine.scenario import Event, Flight, Marker, Network, Scenario, Zone
from algorithms.engine.topology import TOPOLOGIES, Edge
from algorithms.engine.workload import Load, Script
from algorithms.scenario_format import schema
from algorithms.scenario_format.events import read_event
from algorithms.scenario_format.graphs import read_graph_file, undirected
from algorithms.scenario_format.loads import above_zero, read_distribution, read_load, read_node
from algorithms.scenario_format.parameters import read_parameters
from algorithms.scenario_format.place import Place
from algorithms.scenario_format.tables import read_table

USUAL_NODES = 5
MOST_COMPLETE = 3_000  # nodes of a complete graph: 4.5 million edges


def read_scenario(tables: dict[str, Any], place: Place, folder: Path) -> Scenario:
    """The scenario that the tables describe; graph files lie in or below `folder`. BadInput if it makes no sense."""
    if "format" not in tables:
        raise place.at("format").wrong(f"expected {schema.FORMAT}, the format this version reads, got nothing")
    if tables["format"] != schema.FORMAT or isinstance(tables["format"], bool):
        raise place.at("format").expected(f"{schema.FORMAT}, the format this version reads", tables["format"])
    file = read_table(tables, schema.ScenarioTable, place)
    algorithm = _algorithm(file, place)
    nodes, edges = _graph(file, algorithm, place, folder)
    if system_of(algorithm) and nodes > MOST_NODES_IN_TERM:
        raise place.at("nodes").expected(f"at most {MOST_NODES_IN_TERM} nodes of a rewriting system", nodes)
    scenario = Scenario(
        algorithm=algorithm.name,
        title=file.title,
        variant=file.variant,
        nodes=nodes,
        members=_members(file, nodes, place),
        seed=file.seed,
        until=file.until,
        topology=file.topology if edges is None else None,
        edges=edges,
        network=_network(file.network, nodes, place.at("network")),
        load=_load(file, algorithm, nodes, place.at("load")),
        parameters=read_parameters(file.parameters, algorithm, nodes, place.at("parameters")),
        patience=file.patience,
        events=_events(file, algorithm, nodes, place.at("event")),
        markers=tuple(_marker(table, place.at("marker").at(i)) for i, table in enumerate(file.marker)),
        zones=_zones(file.zone, place.at("zone")),
        notes=file.notes,
    )
    _check_resources(scenario, algorithm, place)
    return scenario


def _algorithm(file: schema.ScenarioTable, place: Place) -> Algorithm:
    if not catalog.is_known(file.algorithm):
        raise place.at("algorithm").unknown("algorithm", file.algorithm, catalog.by_name())
    algorithm = catalog.find(file.algorithm)
    if file.variant is not None and file.variant not in algorithm.variants:
        raise place.at("variant").unknown(f"variant of {algorithm.name}", file.variant, algorithm.variants)
    return algorithm.of(file.variant)


def _members(file: schema.ScenarioTable, nodes: int, place: Place) -> int | None:
    if file.members is not None and file.members > nodes:
        raise place.at("members").expected(f"at most {nodes}, as many as there are nodes", file.members)
    return file.members


def _network(value: dict[str, Any], nodes: int, place: Place) -> Network:
    table = read_table(value, schema.NetworkTable, place)
    delay = above_zero(read_distribution(table.delay, place.at("delay")), place.at("delay"))
    flights = tuple(_flight(flight, nodes, place.at("flights").at(i)) for i, flight in enumerate(table.flights))
    return Network(delay, table.fifo, table.loss, table.duplicate, flights)


def _flight(value: Any, nodes: int, place: Place) -> Flight:
    table = read_table(value, schema.FlightTable, place)
    ends = (read_node(table.node, nodes, place.at("node")), read_node(table.to, nodes, place.at("to")))
    return Flight(*ends, tuple(table.takes))


# ---- the graph ---------------------------------------------------------------------------------------------


def _graph(
    file: schema.ScenarioTable, algorithm: Algorithm, place: Place, folder: Path
) -> tuple[int, tuple[Edge, ...] | None]:
    """How many nodes there are, and the edges between them if no named topology says so."""
    nodes = USUAL_NODES if file.nodes is None else file.nodes
    if isinstance(file.topology, dict):
        return _graph_of_file(file, place, folder)
    if file.topology is not None and (not isinstance(file.topology, str) or file.topology not in TOPOLOGIES):
        raise place.at("topology").unknown("topology", file.topology, TOPOLOGIES)
    if file.edges is None:
        if (file.topology or algorithm.topology) == "complete" and nodes > MOST_COMPLETE:
            raise place.at("nodes").expected(f"at most {MOST_COMPLETE} nodes for a complete graph", nodes)
        return nodes, None
    if file.topology is not None:
        raise place.at("edges").wrong("expected either topology or edges, got both")
    for i, edge in enumerate(file.edges):
        for end, node in enumerate(edge):
            read_node(node, nodes, place.at("edges").at(i).at(end))
    return nodes, undirected(file.edges)


def _graph_of_file(file: schema.ScenarioTable, place: Place, folder: Path) -> tuple[int, tuple[Edge, ...]]:
    here = place.at("topology")
    name = read_table(file.topology, schema.GraphFileTable, here).file
    graph = read_graph_file(folder / name, here.at("file"))
    if graph.nodes > schema.MOST_IN_FILE:
        raise here.at("file").expected(f"a graph of at most {schema.MOST_IN_FILE} nodes", graph.nodes)
    if file.nodes not in (None, graph.nodes):
        raise place.at("nodes").expected(f"{graph.nodes}, as many as {name} has, or no nodes at all", file.nodes)
    if file.edges is not None:
        raise place.at("edges").wrong("expected either topology or edges, got both")
    return graph.nodes, graph.edges


# ---- what belongs to the algorithm -------------------------------------------------------------------------


def _load(file: schema.ScenarioTable, algorithm: Algorithm, nodes: int, place: Place) -> Load:
    load = read_load(file.load, nodes, place) if file.load else Load()
    if system_of(algorithm) and type(load) is not Load:
        raise place.wrong(f"{algorithm.name} has no load: that a node has something to send is one of its rules")
    return load


def _events(file: schema.ScenarioTable, algorithm: Algorithm, nodes: int, place: Place) -> tuple[Event, ...]:
    return tuple(read_event(table, algorithm, nodes, place.at(i)) for i, table in enumerate(file.event))


def _check_resources(scenario: Scenario, algorithm: Algorithm, place: Place) -> None:
    """Whoever asks asks for one of the resources that there are."""
    declared = parameters_of(algorithm.process).get("resources")
    resources = scenario.parameters.get("resources", declared.default) if declared else 1
    requests = scenario.load.requests if isinstance(scenario.load, Script) else ()
    asked = [(place.at("load").at("requests").at(i), request.resource) for i, request in enumerate(requests)]
    asked += [(place.at("event").at(i), event.resource or 0) for i, event in enumerate(scenario.events)]
    for where, resource in asked:
        if resource >= resources:
            raise where.at("resource").expected(f"a resource from 0 to {resources - 1}", resource)


def _marker(value: Any, place: Place) -> Marker:
    table = read_table(value, schema.MarkerTable, place)
    return Marker(table.at, table.name)


def _zones(values: list[dict[str, Any]], place: Place) -> tuple[Zone, ...]:
    """Each allows more than the one before, and only the last any number."""
    zones: list[Zone] = []
    for i, value in enumerate(values):
        table = read_table(value, schema.ZoneTable, place.at(i))
        before = zones[-1].upto if zones else 0
        last = i + 1 == len(values)
        if before is None or (table.upto is None) != last or (table.upto is not None and table.upto <= before):
            wanted = "nothing, in the last zone" if last else f"a number above {before}"
            raise place.at(i).at("upto").expected(wanted, table.upto)
        zones.append(Zone(table.name, table.upto))
    return tuple(zones)
