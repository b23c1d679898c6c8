"""Actions on the graph: nodes and links more or less, another topology, a file; and where the nodes are drawn.

Whoever changes the graph begins a fresh run on it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from algorithms import scenario_file
from algorithms.bad_input import BadInput
from algorithms.engine.scenario import Scenario
from algorithms.engine.subset import among
from algorithms.engine.topology import TOPOLOGIES, Edge
from visual.scene.graph.placing import NETWORKX_LAYOUTS
from visual.window import intents
from visual.window.action_table import handles
from visual.window.desk import Desk
from visual.window.intents import Do
from visual.window.menus.entries import Entry, Menu
from visual.window.run_actions import MOST_NODES_SHOWN, begin_run
from visual.window.run_view import RunView
from visual.window.state import Interface
from visual.words import node_name


@handles(intents.choose_topology)
def choose_topology(interface: Interface, desk: Desk, name: str) -> Interface:
    """Join the nodes as that topology has it."""
    return _fresh(interface, desk, replace(desk.front.scenario, topology=name, edges=None))


@handles(intents.graph_file_typed)
def graph_file_typed(interface: Interface, desk: Desk, text: str) -> Interface:
    """The nodes and links of a graph file. BadInput if it makes no sense."""
    from algorithms.scenario_format.graphs import read_graph_file
    from algorithms.scenario_format.place import Place

    graph = read_graph_file(Path(text.strip()).expanduser(), Place("graph file"))
    if not 2 <= graph.nodes <= MOST_NODES_SHOWN:
        raise BadInput(f"{text}: expected 2 to {MOST_NODES_SHOWN} nodes, got {graph.nodes}")
    kept = among(desk.front.scenario, range(min(graph.nodes, desk.front.scenario.nodes)))
    return _fresh(interface, desk, replace(kept, nodes=graph.nodes, topology=None, edges=graph.edges))


@handles(intents.add_node)
def add_node(interface: Interface, desk: Desk, value: None) -> Interface:
    """A node more, joined as the topology has it; in a graph of one's own, to the selected node."""
    scenario = desk.front.scenario
    if scenario.nodes >= MOST_NODES_SHOWN:
        return interface.say(f"There are at most {MOST_NODES_SHOWN} nodes.")
    edges = scenario.edges
    if edges is not None:
        neighbour = scenario.nodes - 1 if interface.node is None else interface.node
        edges = (*edges, (neighbour, scenario.nodes))
    return _fresh(interface, desk, replace(scenario, nodes=scenario.nodes + 1, edges=edges))


@handles(intents.remove_node)
def remove_node(interface: Interface, desk: Desk, node: int) -> Interface:
    """A node less; those after it move up by one."""
    scenario = desk.front.scenario
    if scenario.nodes <= 2:
        return interface.say("Two nodes are the least.")
    interface = replace(interface, graph=interface.graph._replace(moved=()), selection=None)
    return _fresh(interface, desk, among(scenario, [n for n in range(scenario.nodes) if n != node]))


@handles(intents.toggle_link)
def toggle_link(interface: Interface, desk: Desk, ends: Edge) -> Interface:
    """Join two nodes, or part them if they are joined."""
    links = set(desk.front.simulation.links) ^ {(min(ends), max(ends))}
    return _fresh(interface, desk, replace(desk.front.scenario, topology=None, edges=tuple(sorted(links))))


def _fresh(interface: Interface, desk: Desk, scenario: Scenario) -> Interface:
    """A run of the changed scenario. BadInput if it makes no sense for the algorithm."""
    desk.front.open(scenario_file.loads(scenario_file.dumps(replace(scenario, title="")), "graph"))
    return begin_run(interface, desk)


# ---- where the nodes are -----------------------------------------------------------------------------------


@handles(intents.choose_layout)
def choose_layout(interface: Interface, desk: Desk, name: str) -> Interface:
    """Draw the graph another way."""
    return replace(interface, graph=interface.graph._replace(layout=name, moved=()))


@handles(intents.reset_positions)
def reset_positions(interface: Interface, desk: Desk, value: None) -> Interface:
    """Every node back to where it was before it was moved."""
    return replace(interface, graph=interface.graph._replace(moved=()))


def put(interface: Interface, node: int, place: tuple[float, float]) -> Interface:
    """The node drawn at those shares of the picture's width and height."""
    return replace(
        interface,
        graph=interface.graph._replace(
            moved=(*(moved for moved in interface.graph.moved if moved[0] != node), (node, place))
        ),
    )


_DRAWINGS = {
    "": "as the topology has it",
    "complete": "circle",
    "grid": "grid",
    "tree": "tree",
    "free": "neighbours near each other",
    **{name: name for name in NETWORKX_LAYOUTS},
}


def graph_menu(interface: Interface, run: RunView, chosen: str) -> Menu:
    """What there is to change; or, once a link's first end is `chosen`, the nodes for the other."""
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
            Entry("every node back in its place", intents.reset_positions(), "drag one to move it"),
        ),
        present or "own edges",
        intents.graph_file_typed,
    )


def _changes(node: int | None) -> list[Entry]:
    """What can be removed or joined: at once at the selected node, else by asking which."""
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
    """The other ends; those that are joined now are ticked."""
    links = set(run.simulation.links)
    entries = [
        Entry(node_name(other), intents.toggle_link((node, other)), on=_edge(node, other) in links)
        for other in range(run.scenario.nodes)
        if other != node
    ]
    return Menu(f"{node_name(node)} is joined to", tuple(entries))


def _edge(a: int, b: int) -> tuple[int, int]:
    return min(a, b), max(a, b)
