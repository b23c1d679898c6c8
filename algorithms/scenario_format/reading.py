"""The tables of a scenario file -> a Scenario, with every value checked against its algorithm and nodes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from algorithms import catalog
from algorithms.authoring import own_file
from algorithms.engine.dispatch import parameters_of
from algorithms.engine.process import Algorithm
from algorithms.engine.rewrite import MOST_NODES_IN_TERM, system_of
from algorithms.engine.scenario import Flight, LinkSettings, Marker, Network, Scenario, Zone
from algorithms.engine.topology import TOPOLOGIES
from algorithms.engine.workload import Load, Script
from algorithms.scenario_format.events import read_event
from algorithms.scenario_format.graphs import GraphFile, read_graph_file, read_names, undirected, with_latencies
from algorithms.scenario_format.loads import read_distribution, read_load, read_node
from algorithms.scenario_format.parameters import read_parameters
from algorithms.scenario_format.place import Place
from algorithms.scenario_format.schema import FORMAT, MOST_IN_FILE, Name
from algorithms.scenario_format.tables import check_format, each, read_fields, read_keys, read_value, with_fields

MOST_COMPLETE = 3_000  # nodes of a complete graph: 4.5 million edges


def read_scenario(tables: dict[str, Any], place: Place, folder: Path) -> Scenario:
    """The scenario that the tables describe; graph files are relative to `folder`. BadInput if it makes no sense."""
    check_format(tables, FORMAT, place)
    given = read_fields(tables, Scenario, place)
    del given["format"]
    algorithm = _algorithm(given, place, folder)
    graph = _graph_file(given, place, folder) if isinstance(given.get("topology"), dict) else None
    given |= _graph_of_file(given, graph, place) if graph else _graph(given, algorithm, place)
    nodes = given["nodes"]
    if system_of(algorithm) and nodes > MOST_NODES_IN_TERM:
        raise place.at("nodes").expected(f"at most {MOST_NODES_IN_TERM} nodes of a rewriting system", nodes)
    if given.get("members", 0) > nodes:
        raise place.at("members").expected(f"at most {nodes}, as many as there are nodes", given["members"])
    scenario = with_fields(
        Scenario,
        given,
        place,
        names=lambda names, here: read_names(names, nodes, here),
        network=lambda table, here: _network(table, nodes, here),
        load=lambda table, here: _load(table, algorithm, nodes, here),
        parameters=lambda table, here: read_parameters(table, algorithm, nodes, here),
        event=each(lambda table, here: read_event(table, algorithm, nodes, here)),
        marker=each(_marker),
        zone=_zones,
    )
    _check_resources(scenario, algorithm, place)
    return with_latencies(scenario, graph.delays) if graph else scenario


def _algorithm(given: dict[str, Any], place: Place, folder: Path) -> Algorithm:
    """The algorithm, perhaps in a file of one's own, which is then named from the working directory."""
    name, variant, digest = given["algorithm"], given.get("variant"), given.pop("digest", None)
    if own_file.is_file(name):
        name = given["algorithm"] = _own_file(own_file.name_of(name, folder), digest, place)
    if not catalog.is_known(name):
        raise place.at("algorithm").unknown("algorithm", name, catalog.by_name())
    algorithm = catalog.find(name)
    if variant is not None and variant not in algorithm.variants:
        raise place.at("variant").unknown(f"variant of {algorithm.name}", variant, algorithm.variants)
    return algorithm.of(variant)


def _own_file(name: str, digest: str | None, place: Place) -> str:
    """The name of an algorithm's file, once it is loaded. BadInput if it is not the one that a saved run names."""
    try:
        file = own_file.load(name)
    except own_file.Untrusted as error:
        raise own_file.Untrusted(error.file, place.at("algorithm")) from None
    if digest not in (None, file.digest):
        raise place.at("digest").wrong(
            f"{name} has changed since this was saved; restore that file, or remove this line to run the new one"
        )
    return name


def _network(table: Any, nodes: int, place: Place) -> Network:
    def end(node: int, here: Place) -> int:
        return read_node(node, nodes, here)

    def flight(table: Any, here: Place) -> Flight:
        return read_value(table, Flight, here, node=end, to=end)

    def channel(table: Any, here: Place) -> LinkSettings:
        own: LinkSettings = read_value(table, LinkSettings, here, node=end, to=end, delay=read_distribution)
        if own.node == own.to:
            raise here.at("to").expected("another node than the link's own", own.to)
        return own

    network: Network = read_value(
        table, Network, place, delay=read_distribution, links=each(channel), flights=each(flight)
    )
    known: set[tuple[int, int]] = set()
    for i, own in enumerate(network.links):
        if (own.node, own.to) in known:
            raise place.at("links").at(i).wrong(f"the link from {own.node} to {own.to} is listed already")
        known.add((own.node, own.to))
    return network


# ---- the graph ---------------------------------------------------------------------------------------------


def _graph(given: dict[str, Any], algorithm: Algorithm, place: Place) -> dict[str, Any]:
    """The number of nodes, and the edges where no named topology gives them."""
    nodes, topology, edges = given.get("nodes", Scenario.nodes), given.get("topology"), given.get("edges")
    if topology is not None and (not isinstance(topology, str) or topology not in TOPOLOGIES):
        raise place.at("topology").unknown("topology", topology, TOPOLOGIES)
    if edges is None:
        if (topology or algorithm.topology) == "complete" and nodes > MOST_COMPLETE:
            raise place.at("nodes").expected(f"at most {MOST_COMPLETE} nodes for a complete graph", nodes)
        return {"nodes": nodes}
    if topology is not None:
        raise place.at("edges").wrong("expected either topology or edges, got both")
    for i, edge in enumerate(edges):
        for end, node in enumerate(edge):
            read_node(node, nodes, place.at("edges").at(i).at(end))
    return {"nodes": nodes, "edges": undirected(edges)}


def _graph_file(given: dict[str, Any], place: Place, folder: Path) -> GraphFile:
    here = place.at("topology")
    name = read_keys(given["topology"], {"file": Name}, here, required=["file"])["file"]
    graph = read_graph_file(folder / name, here.at("file"))
    if graph.nodes > MOST_IN_FILE:
        raise here.at("file").expected(f"a graph of at most {MOST_IN_FILE} nodes", graph.nodes)
    return graph


def _graph_of_file(given: dict[str, Any], graph: GraphFile, place: Place) -> dict[str, Any]:
    """The scenario's keys that a graph file gives; names of the scenario's own replace the file's."""
    if given.get("nodes", graph.nodes) != graph.nodes:
        file = given["topology"]["file"]
        raise place.at("nodes").expected(f"{graph.nodes}, as many as {file} has, or no nodes at all", given["nodes"])
    if "edges" in given:
        raise place.at("edges").wrong("expected either topology or edges, got both")
    names = given.get("names", graph.names)
    return {"nodes": graph.nodes, "edges": graph.edges, "names": names, "topology": None}


# ---- what belongs to the algorithm -------------------------------------------------------------------------


def _load(table: Any, algorithm: Algorithm, nodes: int, place: Place) -> Load:
    load = read_load(table, nodes, place) if table else Load()
    if system_of(algorithm) and type(load) is not Load:
        raise place.wrong(f"{algorithm.name} has no load: that a node has something to send is one of its rules")
    return load


def _check_resources(scenario: Scenario, algorithm: Algorithm, place: Place) -> None:
    """Check that every request is for a resource that exists."""
    declared = parameters_of(algorithm.process).get("resources")
    resources = scenario.parameters.get("resources", declared.default) if declared else 1
    requests = scenario.load.requests if isinstance(scenario.load, Script) else ()
    asked = [(place.at("load").at("requests").at(i), request.resource) for i, request in enumerate(requests)]
    asked += [(place.at("event").at(i), event.resource or 0) for i, event in enumerate(scenario.events)]
    for where, resource in asked:
        if resource >= resources:
            raise where.at("resource").expected(f"a resource from 0 to {resources - 1}", resource)


def _marker(table: Any, place: Place) -> Marker:
    """The marker; its answer needs a question."""
    marker: Marker = read_value(table, Marker, place)
    if marker.answer and not marker.question:
        raise place.at("answer").wrong("expected a question that it answers, got an answer alone")
    return marker


def _zones(tables: list[dict[str, Any]], place: Place) -> tuple[Zone, ...]:
    """The zones: each allows more than the one before, and only the last has no bound."""
    zones: list[Zone] = []
    for i, table in enumerate(tables):
        zone = read_value(table, Zone, place.at(i))
        before = zones[-1].upto if zones else 0
        is_last = i + 1 == len(tables)
        if before is None or (zone.upto is None) != is_last or (zone.upto is not None and zone.upto <= before):
            wanted = "nothing, in the last zone" if is_last else f"a number above {before}"
            raise place.at(i).at("upto").expected(wanted, zone.upto)
        zones.append(zone)
    return tuple(zones)
