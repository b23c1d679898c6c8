"""Actions on the graph: nodes, links, topologies, files and the layout.

A change of the graph starts a new run on it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from algorithms import scenario_file
from algorithms.bad_input import BadInput
from algorithms.engine.scenario import Scenario
from algorithms.engine.topology import TOPOLOGIES, Edge
from algorithms.scenario_format.graphs import read_graph_file, with_latencies
from algorithms.scenario_format.place import Place
from visual.scene.graph.placing import NETWORKX_LAYOUTS
from visual.window import intents
from visual.window.action_table import handles
from visual.window.desk import Desk
from visual.window.intents import Do
from visual.window.menus import Entry, Menu
from visual.window.run_actions import MOST_NODES_SHOWN, begin_run
from visual.window.run_view import RunView
from visual.window.state import Interface
from visual.window.subset import among
from visual.words import node_name


@handles(intents.choose_topology)
def choose_topology(interface: Interface, desk: Desk, name: str) -> Interface:
    """Link the nodes as in a topology."""
    return _open_changed(interface, desk, replace(desk.front.scenario, topology=name, edges=None))


@handles(intents.graph_file_typed)
def graph_file_typed(interface: Interface, desk: Desk, text: str) -> Interface:
    """Take nodes and links from a graph file. BadInput if it makes no sense."""
    graph = read_graph_file(Path(text.strip()).expanduser(), Place("graph file"))
    if not 2 <= graph.nodes <= MOST_NODES_SHOWN:
        raise BadInput(f"{text}: expected 2 to {MOST_NODES_SHOWN} nodes, got {graph.nodes}")
    scenario = among(desk.front.scenario, range(min(graph.nodes, desk.front.scenario.nodes)))
    network = replace(scenario.network, links=())  # those of the graph before
    scenario = replace(
        scenario, nodes=graph.nodes, names=graph.names, topology=None, edges=graph.edges, network=network
    )
    return _open_changed(interface, desk, with_latencies(scenario, graph.delays))


@handles(intents.add_node)
def add_node(interface: Interface, desk: Desk, value: None) -> Interface:
    """Add a node, linked as in the topology or to the selected node."""
    scenario = desk.front.scenario
    if scenario.nodes >= MOST_NODES_SHOWN:
        return interface.say(f"There are at most {MOST_NODES_SHOWN} nodes.")
    edges = scenario.edges
    if edges is not None:
        neighbour = scenario.nodes - 1 if interface.node is None else interface.node
        edges = (*edges, (neighbour, scenario.nodes))
    names = (*scenario.names, node_name(scenario.nodes)) if scenario.names else ()
    return _open_changed(interface, desk, replace(scenario, nodes=scenario.nodes + 1, names=names, edges=edges))


@handles(intents.remove_node)
def remove_node(interface: Interface, desk: Desk, node: int) -> Interface:
    """Remove a node; the numbers of later nodes decrease by one."""
    scenario = desk.front.scenario
    if scenario.nodes <= 2:
        return interface.say("At least two nodes are needed.")
    interface = replace(interface, graph=interface.graph._replace(positions=()), selection=None)
    return _open_changed(interface, desk, among(scenario, [n for n in range(scenario.nodes) if n != node]))


@handles(intents.toggle_link)
def toggle_link(interface: Interface, desk: Desk, ends: Edge) -> Interface:
    """Add the link between two nodes, or remove it."""
    links = set(desk.front.simulation.links) ^ {(min(ends), max(ends))}
    return _open_changed(interface, desk, replace(desk.front.scenario, topology=None, edges=tuple(sorted(links))))


def _open_changed(interface: Interface, desk: Desk, scenario: Scenario) -> Interface:
    """Start a run of the changed scenario. BadInput if that is impossible."""
    desk.front.open(scenario_file.loads(scenario_file.dumps(replace(scenario, title="")), "graph"))
    return begin_run(interface, desk)


# ---- where the nodes are -----------------------------------------------------------------------------------


@handles(intents.choose_layout)
def choose_layout(interface: Interface, desk: Desk, name: str) -> Interface:
    """Choose a layout of the graph."""
    return replace(interface, graph=interface.graph._replace(layout=name, positions=()))


@handles(intents.reset_positions)
def reset_positions(interface: Interface, desk: Desk, value: None) -> Interface:
    """Undo all moves of nodes in the picture."""
    return replace(interface, graph=interface.graph._replace(positions=()))


def put(interface: Interface, node: int, place: tuple[float, float]) -> Interface:
    """Draw a node at a place, in shares of the picture's width and height."""
    others = (position for position in interface.graph.positions if position[0] != node)
    return replace(interface, graph=interface.graph._replace(positions=(*others, (node, place))))


_DRAWINGS = {
    "": "default layout",
    "complete": "circle",
    "grid": "grid",
    "tree": "tree",
    "free": "neighbours near each other",
    **{name: name for name in NETWORKX_LAYOUTS},
}


def graph_menu(interface: Interface, run: RunView, chosen: str) -> Menu:
    """The menu of changes, or of the nodes that a `chosen` one needs."""
    if chosen == "node":
        return _nodes(run, "remove which node?", intents.remove_node)
    if chosen == "link":
        return _nodes(run, "add or remove a link of which node?", lambda node: intents.open_menu(f"graph:{node}"))
    if chosen:
        return _others(run, int(chosen))
    scenario = run.scenario
    present = "" if scenario.edges is not None else scenario.topology or run.simulation.algorithm.topology
    return Menu(
        "topology, or a graph file",
        (
            *(Entry(name, intents.choose_topology(name), on=name == present) for name in TOPOLOGIES),
            Entry("nodes and links"),
            Entry("add a node", intents.add_node(), f"{scenario.nodes + 1} nodes"),
            *_changes(interface.node),
            Entry("layout"),
            *(
                Entry(words, intents.choose_layout(name), on=name == interface.graph.layout)
                for name, words in _DRAWINGS.items()
            ),
            Entry("reset positions", intents.reset_positions(), "drag one to move it"),
        ),
        present or "own edges",
        intents.graph_file_typed,
    )


def _changes(node: int | None) -> list[Entry]:
    """Entries to remove or link the selected node; without one they ask which node."""
    if node is None:
        return [
            Entry("remove a node …", intents.open_menu("graph:node")),
            Entry("add or remove a link …", intents.open_menu("graph:link")),
        ]
    name = node_name(node)
    return [
        Entry(f"remove {name}", intents.remove_node(node)),
        Entry(f"add or remove a link of {name} …", intents.open_menu(f"graph:{node}")),
    ]


def _nodes(run: RunView, question: str, does: Callable[[int], Do[Any]]) -> Menu:
    return Menu(question, tuple(Entry(node_name(node), does(node)) for node in range(run.scenario.nodes)))


def _others(run: RunView, node: int) -> Menu:
    """The menu of the other ends of a link, with present links ticked."""
    links = set(run.simulation.links)
    entries = [
        Entry(node_name(other), intents.toggle_link((node, other)), on=(min(node, other), max(node, other)) in links)
        for other in range(run.scenario.nodes)
        if other != node
    ]
    return Menu(f"{node_name(node)} is joined to", tuple(entries))
