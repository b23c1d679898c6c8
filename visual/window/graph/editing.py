"""Actions on the graph: nodes and links more or less, another topology, a file; and where the nodes are drawn.

Whoever changes the graph begins a fresh run on it.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from algorithms import scenario_file
from algorithms.bad_input import BadInput
from algorithms.engine.scenario import Scenario
from algorithms.engine.subset import among
from algorithms.engine.topology import Edge
from visual.window.action_table import action
from visual.window.menus.contents import MOST_NODES
from visual.window.menus.entries import selected
from visual.window.run_actions import begun
from visual.window.session import Session
from visual.window.state import Interface


@action
def choose_topology(interface: Interface, session: Session, name: str) -> Interface:
    """Join the nodes as that topology has it."""
    return _fresh(interface, session, replace(session.scenario, topology=name, edges=None))


@action
def graph_file_typed(interface: Interface, session: Session, text: str) -> Interface:
    """The nodes and links of a graph file. BadInput if it makes no sense."""
    from algorithms.scenario_format.graphs import read_graph_file
    from algorithms.scenario_format.place import Place

    graph = read_graph_file(Path(text.strip()).expanduser(), Place("graph file"))
    if not 2 <= graph.nodes <= MOST_NODES:
        raise BadInput(f"{text}: expected 2 to {MOST_NODES} nodes, got {graph.nodes}")
    kept = among(session.scenario, range(min(graph.nodes, session.scenario.nodes)))
    return _fresh(interface, session, replace(kept, nodes=graph.nodes, topology=None, edges=graph.edges))


@action
def add_node(interface: Interface, session: Session, value: None) -> Interface:
    """A node more, joined as the topology has it; in a graph of one's own, to the selected node."""
    scenario = session.scenario
    if scenario.nodes >= MOST_NODES:
        return interface.say(f"There are at most {MOST_NODES} nodes.")
    edges = scenario.edges
    if edges is not None:
        edges = (*edges, (selected(interface).get("node", scenario.nodes - 1), scenario.nodes))
    return _fresh(interface, session, replace(scenario, nodes=scenario.nodes + 1, edges=edges))


@action
def remove_node(interface: Interface, session: Session, node: int) -> Interface:
    """A node less; those after it move up by one."""
    scenario = session.scenario
    if scenario.nodes <= 2:
        return interface.say("Two nodes are the least.")
    interface = replace(interface, moved=(), selection="")
    return _fresh(interface, session, among(scenario, [n for n in range(scenario.nodes) if n != node]))


@action
def switch_link(interface: Interface, session: Session, ends: Edge) -> Interface:
    """Join two nodes, or part them if they are joined."""
    links = set(session.run.links) ^ {(min(ends), max(ends))}
    return _fresh(interface, session, replace(session.scenario, topology=None, edges=tuple(sorted(links))))


def _fresh(interface: Interface, session: Session, scenario: Scenario) -> Interface:
    """A run of the changed scenario. BadInput if it makes no sense for the algorithm."""
    session.open(scenario_file.loads(scenario_file.dumps(replace(scenario, title="")), "graph"))
    return begun(interface, session)


# ---- where the nodes are -----------------------------------------------------------------------------------


@action
def draw_as(interface: Interface, session: Session, name: str) -> Interface:
    """Draw the graph another way."""
    return replace(interface, drawn=name, moved=())


@action
def unmove(interface: Interface, session: Session, value: None) -> Interface:
    """Every node back to where it was before it was moved."""
    return replace(interface, moved=())


def put(interface: Interface, node: int, place: tuple[float, float]) -> Interface:
    """The node drawn at those shares of the picture's width and height."""
    return replace(interface, moved=(*(moved for moved in interface.moved if moved[0] != node), (node, place)))
