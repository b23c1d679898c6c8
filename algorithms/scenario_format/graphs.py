"""Graphs of nodes, from a list of edges or from a file that networkx can read."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from algorithms.engine.topology import Edge
from algorithms.scenario_format.place import Place

READERS = {
    ".graphml": "read_graphml",
    ".gml": "read_gml",
    ".gexf": "read_gexf",
    ".net": "read_pajek",
    ".adjlist": "read_adjlist",
    ".edgelist": "read_edgelist",
    ".edges": "read_edgelist",
    ".txt": "read_edgelist",
}


class GraphFile(NamedTuple):
    """The graph in a file, on the nodes 0 … nodes − 1: each undirected edge once, in order."""

    nodes: int
    edges: tuple[Edge, ...]


def read_graph_file(path: Path, place: Place) -> GraphFile:
    """The graph in a file. Nodes named 0 … n − 1 keep their numbers; others are numbered in the order of the file.

    BadInput if there is no such file, or networkx cannot read it.
    """
    if path.suffix.lower() not in READERS:
        raise place.expected(f"a file that ends in {', '.join(READERS)}", path.name)
    if not path.is_file():
        raise place.wrong(f"there is no file {path}")
    import networkx

    try:
        graph = getattr(networkx, READERS[path.suffix.lower()])(path)
    except Exception as error:  # each reader fails in its own way on a file of another format
        reason = str(error).strip().splitlines() or [type(error).__name__]
        raise place.wrong(f"{path.name} is not a graph that networkx can read ({reason[0]})") from None
    if not graph:
        raise place.wrong(f"{path.name} is a graph without nodes")
    number = _numbers(list(graph))
    return GraphFile(len(graph), undirected((number[a], number[b]) for a, b in graph.edges()))


def undirected(pairs: Iterable[tuple[int, int]]) -> tuple[Edge, ...]:
    """Each edge once, the smaller node first, in order; edges from a node to itself are dropped."""
    return tuple(sorted({(min(a, b), max(a, b)) for a, b in pairs if a != b}))


def _numbers(names: list[Any]) -> dict[Any, int]:
    as_text = {str(name): name for name in names}
    if as_text.keys() == set(map(str, range(len(names)))):
        return {name: int(text) for text, name in as_text.items()}
    return {name: number for number, name in enumerate(names)}
