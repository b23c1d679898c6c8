"""Topologies: named graphs on the nodes 0 … n − 1, as undirected edges."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import isqrt

from algorithms.engine.randomness import Stream, key

Edge = tuple[int, int]
Neighbours = tuple[tuple[int, ...], ...]


def complete(n: int, seed: int) -> list[Edge]:
    """Every node beside every other."""
    return [(a, b) for a in range(n) for b in range(a + 1, n)]


def ring(n: int, seed: int) -> list[Edge]:
    """Node i beside i + 1, and the last beside node 0."""
    return [(i, i + 1) for i in range(n - 1)] + ([(0, n - 1)] if n > 2 else [])


def star(n: int, seed: int) -> list[Edge]:
    """Every node beside node 0."""
    return [(0, i) for i in range(1, n)]


def tree(n: int, seed: int) -> list[Edge]:
    """A binary tree with its root at node 0."""
    return [((i - 1) // 2, i) for i in range(1, n)]


def grid(n: int, seed: int) -> list[Edge]:
    """Rows of about √n nodes, each beside its left and upper neighbour."""
    width = max(1, isqrt(n))
    beside = [(i - 1, i) for i in range(1, n) if i % width]
    below = [(i - width, i) for i in range(width, n)]
    return sorted(beside + below)


def random(n: int, seed: int) -> list[Edge]:
    """A random tree and random edges, with an average degree of about log2 n."""
    stream = Stream(key(seed, "topology"))
    edges = {(stream.below(i), i) for i in range(1, n)}
    wanted = min(n * (n - 1) // 2, max(n - 1, round(n * max(1, n - 1).bit_length() / 2)))
    while len(edges) < wanted:
        a, b = stream.below(n), stream.below(n)
        if a != b:
            edges.add((min(a, b), max(a, b)))
    return sorted(edges)


TOPOLOGIES: dict[str, Callable[[int, int], list[Edge]]] = {
    f.__name__: f for f in (complete, ring, star, tree, grid, random)
}


@lru_cache(maxsize=4)  # the same run is simulated again and again
def edges_of(topology: str, n: int, seed: int) -> tuple[Edge, ...]:
    """The edges of a named graph. KeyError if the name is unknown."""
    return tuple(TOPOLOGIES[topology](n, seed))


@lru_cache(maxsize=4)
def neighbours(n: int, edges: tuple[Edge, ...]) -> Neighbours:
    """The neighbours of each node, in ascending order."""
    beside: list[set[int]] = [set() for _ in range(n)]
    for a, b in edges:
        beside[a].add(b)
        beside[b].add(a)
    return tuple(tuple(sorted(others)) for others in beside)
