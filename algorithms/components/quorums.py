"""Quorums: for each process a set of processes, such that any two sets intersect."""

from math import isqrt

PLANES = {
    3: (0, 1),
    7: (0, 1, 3),
    13: (0, 1, 3, 9),
    21: (0, 1, 4, 14, 16),
    31: (0, 1, 3, 8, 12, 18),
}
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


def tree(node, size):
    """The path from the root of a binary tree to the node, and from there along left children to a leaf."""
    above, up = [], node
    while up:
        up = (up - 1) // 2
        above.append(up)
    below, down = [], 2 * node + 1
    while down < size:
        below.append(down)
        down = 2 * down + 1
    return tuple(sorted((*above, node, *below)))


def own(node, size):
    """The node alone: no quorums at all, since two of them do not intersect."""
    return (node,)


QUORUMS = {"grid": grid, "all": everybody, "tree": tree, "own": own}
