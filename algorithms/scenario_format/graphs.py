"""Graphs of nodes, from a list of edges or from a file: its edges, the names of its nodes and the delays of its links.

What a run cannot use is refused, not dropped: one-way edges, loops, and edges between the same two nodes that differ.
"""

from __future__ import annotations

import os
import re
from ast import literal_eval
from codecs import BOM_UTF8
from collections.abc import Iterable, Mapping
from dataclasses import replace
from io import BytesIO
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

from algorithms.engine.errors import words_of
from algorithms.engine.randomness import Fixed
from algorithms.engine.scenario import LinkSettings, Scenario
from algorithms.engine.topology import Edge
from algorithms.files import read_text
from algorithms.scenario_format.place import Place, path_words
from algorithms.scenario_format.schema import LATEST

READERS = {
    ".graphml": "read_graphml",
    ".gml": "read_gml",
    ".gexf": "read_gexf",
    ".net": "read_pajek",
    ".adjlist": "read_adjlist",
}  # formats that networkx reads
LISTS = (".edgelist", ".edges", ".txt")  # a line for each edge: its nodes and perhaps its delay
DELAYS = ("latency", "delay", "weight")  # attributes of an edge that give its delay; the first counts
MOST_BYTES = 5_000_000  # of a file: a larger graph would fill the memory
LONGEST_NAME = 40  # characters
Link = tuple[Any, Any]  # the names of a sender and a receiver in the file


class GraphFile(NamedTuple):
    """The graph in a file, on the nodes 0 … nodes − 1: each undirected edge once, in order.

    `names` are those of the nodes, unless they are their numbers; `delays` those of its channels, where it has any.
    """

    nodes: int
    edges: tuple[Edge, ...]
    names: tuple[str, ...] = ()
    delays: Mapping[Edge, float] = {}


def read_graph_file(path: Path, place: Place) -> GraphFile:
    """The graph in a file. Nodes with whole numbers for names are in their order, others in the order of the file.

    BadInput if there is no such file, it cannot be read, or a run cannot use what it says.
    """
    kinds = (*READERS, *LISTS)
    if path.suffix.lower() not in kinds:
        raise place.expected(f"a file that ends in {', '.join(kinds)}", path.name)
    if not os.path.isfile(path):
        raise place.wrong(f"there is no file {path_words(path)}")
    if path.stat().st_size > MOST_BYTES:
        raise place.wrong(f"{path} has {path.stat().st_size:,} bytes; expected at most {MOST_BYTES:,}")
    place = Place(f"{place}: {path.name}")
    try:
        labels, edges = (_listed if path.suffix.lower() in LISTS else _by_networkx)(path, place)
    except (OSError, UnicodeDecodeError) as error:
        raise place.wrong(f"it cannot be read ({error})") from None
    if not labels:
        raise place.wrong("a graph without nodes")
    return _numbered(labels, edges)


def undirected(pairs: Iterable[tuple[int, int]]) -> tuple[Edge, ...]:
    """Each edge once, the smaller node first, in order; edges from a node to itself are dropped."""
    return tuple(sorted({(min(a, b), max(a, b)) for a, b in pairs if a != b}))


def read_names(names: tuple[str, ...], nodes: int, place: Place) -> tuple[str, ...]:
    """The names of the nodes, unchanged. BadInput unless each node has a short one of its own."""
    if names and len(names) != nodes:
        raise place.expected(f"{nodes} names, one for each node", len(names))
    known: set[str] = set()
    for i, name in enumerate(names):
        if not (name.strip() and name.isprintable() and len(name) <= LONGEST_NAME):
            raise place.at(i).expected(f"a name of 1 to {LONGEST_NAME} characters in one line", name)
        if name in known:
            raise place.at(i).wrong(f"two nodes are called {name}")
        known.add(name)
    return names


def with_latencies(scenario: Scenario, delays: Mapping[Edge, float]) -> Scenario:
    """The scenario with these delays of channels, where its own links give none."""
    if not delays:
        return scenario
    channels = {link: LinkSettings(*link, Fixed(delay), both=False) for link, delay in delays.items()}
    for link, own in scenario.network.channels().items():
        channels[link] = replace(own, delay=own.delay or (channels[link].delay if link in channels else None))
    return replace(scenario, network=replace(scenario.network, links=tuple(channels.values())))


# ---- what the file says ------------------------------------------------------------------------------------


class _Edges:
    """The edges of a file, and the delay of each direction; None where it gives none."""

    def __init__(self, place: Place) -> None:
        self.delays: dict[Link, float | None] = {}
        self._place = place

    def add(self, a: Any, b: Any, delay: Any, is_directed: bool = False) -> None:
        """Add an edge. BadInput for a loop, a delay that is none, or two delays of one edge."""
        if a == b:
            raise self._place.wrong(f"an edge leads from {a} to itself; expected edges between two nodes")
        takes = None if delay is None else self._time(a, b, delay)
        for link in ((a, b),) if is_directed else ((a, b), (b, a)):
            if self.delays.setdefault(link, takes) != takes:
                raise self._place.wrong(f"two edges between {a} and {b} have different delays; expected one edge")

    def _time(self, a: Any, b: Any, delay: Any) -> float:
        try:
            takes = float(delay)
        except (TypeError, ValueError):
            takes = -1.0
        if not (isfinite(takes) and 0 <= takes <= LATEST):
            raise self._place.wrong(f"the delay between {a} and {b} is {delay!r:.40}; expected a time of at least 0")
        return takes

    def finished(self) -> dict[Link, float | None]:
        """All channels with their delays. BadInput for an edge in one direction only, or delays for some edges only."""
        for a, b in self.delays:
            if (b, a) not in self.delays:
                raise self._place.wrong(
                    f"the edge from {a} to {b} leads one way; expected edges both ways, or an undirected graph"
                    " (an event cut with both = false closes one direction)"
                )
        return self.delays


def _listed(path: Path, place: Place) -> tuple[dict[Any, str], dict[Link, float | None]]:
    """The names of the nodes and the channels, from a line for each edge; words may be separated by commas."""
    edges = _Edges(place)
    names: dict[Any, str] = {}
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        content = line.partition("#")[0].strip()
        words = re.split(r"\s*[,;]\s*|\s+", content, maxsplit=2)
        if not content:
            continue
        if len(words) < 2 or not all(words[:2]):
            raise place.wrong(f"line {number}: expected two nodes and perhaps a delay, got {content!r:.40}")
        names |= {words[0]: words[0], words[1]: words[1]}
        edges.add(words[0], words[1], _delay_of_line(words[2]) if len(words) > 2 else None)
    return names, edges.finished()


def _delay_of_line(words: str) -> Any:
    """ "3.5" or, as networkx writes it, "{'weight': 3.5}" -> the delay; None if there is none."""
    if not words.startswith("{"):
        return words
    try:
        return _delay(literal_eval(words))
    except (ValueError, SyntaxError):
        return words


def _delay(facts: Any) -> Any:
    return next((facts[name] for name in DELAYS if name in facts), None)


def _by_networkx(path: Path, place: Place) -> tuple[dict[Any, str], dict[Link, float | None]]:
    """The names of the nodes and the channels, from a file of a format that networkx reads."""
    import networkx  # slow to import

    try:
        content = path.read_bytes().removeprefix(BOM_UTF8)
        if path.suffix.lower() == ".adjlist":
            content = content.replace(b",", b" ")
        graph = getattr(networkx, READERS[path.suffix.lower()])(BytesIO(content))
    except Exception as error:  # each reader fails in its own way on a file of another format
        raise place.wrong(f"not a graph that networkx can read ({words_of(error) or type(error).__name__})") from None
    edges = _Edges(place)
    facts = list(graph.edges(data=True))
    says_nothing = all(_delay(own) in (None, 1, 1.0) for _, _, own in facts)  # such are Pajek's usual weights
    for a, b, own in facts:
        edges.add(a, b, None if says_nothing else _delay(own), graph.is_directed())
    labels = [str(own.get("label", own.get("name", node))) for node, own in graph.nodes(data=True)]
    unique = len(set(labels)) == len(labels)
    return {node: label if unique else str(node) for node, label in zip(graph, labels, strict=True)}, edges.finished()


def _numbered(labels: Mapping[Any, str], channels: Mapping[Link, float | None]) -> GraphFile:
    """The graph with numbers for its nodes."""
    order = list(labels)
    if all(re.fullmatch(r"\d{1,9}", str(node)) for node in order):
        order.sort(key=lambda node: int(str(node)))
    number = {node: place for place, node in enumerate(order)}
    names = tuple(labels[node][:LONGEST_NAME] for node in order)
    are_numbers = names == tuple(map(str, range(len(order))))
    delays = {(number[a], number[b]): takes for (a, b), takes in channels.items() if takes is not None}
    edges = undirected((number[a], number[b]) for a, b in channels)
    return GraphFile(len(order), edges, () if are_numbers else names, dict(sorted(delays.items())))
