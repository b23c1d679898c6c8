"""Quorums: for each process a set of processes, such that any two sets intersect."""

from itertools import chain
from math import isqrt

PLANES = {3: (0, 1), 7: (0, 1, 3), 13: (0, 1, 3, 9), 21: (0, 1, 4, 14, 16), 31: (0, 1, 3, 8, 12, 18)}
"""Size -> a difference set: its translations are the lines of a projective plane, and two lines meet in one point."""


def grid(node, size):
    """The line of a projective plane, where there is one of that size; otherwise the row and the column in a grid."""
    if size in PLANES:
        return tuple(sorted((node + difference) % size for difference in PLANES[size]))
    width = isqrt(size - 1) + 1
    return tuple(j for j in range(size) if j // width == node // width or j % width == node % width)


def everybody(node, size):
    """All processes."""
    return tuple(range(size))


def tree(node, size, crashed=frozenset()):
    """The path from the root of a binary tree to the node, and from there along left children to a leaf.

    A crashed process is replaced by two paths, one from each of its children, and a child that has no path by its
    sibling; None if that leaves no quorum. D. Agrawal, A. El Abbadi, ACM TOCS 9(1), 1991.
    """
    way = {node}
    while node:
        node = (node - 1) // 2
        way.add(node)

    def path(top):
        children = sorted((c for c in (2 * top + 1, 2 * top + 2) if c < size), key=lambda child: child not in way)
        if top in crashed:
            paths = [path(child) for child in children]
            return (*chain(*paths),) if paths and None not in paths else None
        rest = next((found for found in map(path, children) if found), None) if children else ()
        return None if rest is None else (top, *rest)

    quorum = path(0)
    return quorum and tuple(sorted(quorum))


def own(node, size):
    """The node alone: no quorums at all, since two of them do not intersect."""
    return (node,)


QUORUMS = {"grid": grid, "all": everybody, "tree": tree, "own": own}
