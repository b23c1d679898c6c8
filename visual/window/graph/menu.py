"""The menu of the graph: who is joined to whom, and how it is drawn."""

from __future__ import annotations

from algorithms.engine.topology import TOPOLOGIES
from visual.scene.graph.networkx_layouts import NAMES
from visual.scene.graph.node_names import node_name
from visual.window.inputs import Do
from visual.window.menus.entries import Entry, Menu, selected
from visual.window.session import Session
from visual.window.state import Interface

_DRAWINGS = {
    "": "as the topology has it",
    "complete": "circle",
    "grid": "grid",
    "tree": "tree",
    "free": "neighbours near each other",
    **{name: name for name in NAMES},
}


def graph_menu(interface: Interface, session: Session, chosen: str) -> Menu:
    """What there is to change; or, once a link's first end is `chosen`, the nodes for the other."""
    if chosen == "node":
        return _nodes(session, "remove which node?", "remove_node")
    if chosen == "link":
        return _nodes(session, "add or remove a link of which node?", "open_menu", "graph:")
    if chosen:
        return _others(session, int(chosen))
    scenario = session.scenario
    present = "" if scenario.edges is not None else scenario.topology or session.run.algorithm.topology
    return Menu(
        "topology, or a graph file",
        (
            *(Entry(name, Do("choose_topology", name), on=name == present) for name in TOPOLOGIES),
            Entry("nodes and links"),
            Entry("add a node", Do("add_node"), f"{scenario.nodes + 1} nodes"),
            *_changes(selected(interface).get("node")),
            Entry("layout"),
            *(Entry(words, Do("draw_as", name), on=name == interface.drawn) for name, words in _DRAWINGS.items()),
            Entry("every node back in its place", Do("unmove"), "drag one to move it"),
        ),
        present or "own edges",
        "graph_file_typed",
    )


def _changes(node: int | None) -> list[Entry]:
    """What can be removed or joined: at once at the selected node, else by asking which."""
    if node is None:
        return [
            Entry("remove a node …", Do("open_menu", "graph:node")),
            Entry("add or remove a link …", Do("open_menu", "graph:link")),
        ]
    name = node_name(node)
    return [
        Entry(f"remove {name}", Do("remove_node", node)),
        Entry(f"add or remove a link of {name} …", Do("open_menu", f"graph:{node}")),
    ]


def _nodes(session: Session, question: str, action: str, prefix: str = "") -> Menu:
    nodes = range(session.scenario.nodes)
    return Menu(question, tuple(Entry(node_name(n), Do(action, f"{prefix}{n}" if prefix else n)) for n in nodes))


def _others(session: Session, node: int) -> Menu:
    """The other ends; those that are joined now are ticked."""
    links = set(session.run.links)
    entries = [
        Entry(node_name(other), Do("switch_link", (node, other)), on=_edge(node, other) in links)
        for other in range(session.scenario.nodes)
        if other != node
    ]
    return Menu(f"{node_name(node)} is joined to", tuple(entries))


def _edge(a: int, b: int) -> tuple[int, int]:
    return min(a, b), max(a, b)
