"""Convergence: whether a self-stabilizing algorithm ends up with exactly one privilege, whatever it begins with.

Dijkstra, CACM 17(11), 1974: a state is legitimate if there is exactly one privilege in it and in every later one, and
a legitimate state must be reached. Here a state is astray if none can be reached from it by what happens by itself.
Chance may be against a randomized algorithm for a while, but not forever.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Sequence


def first_astray(
    has_one: Sequence[int], row: Callable[[int], Sequence[int]], expanded: int, unknown: Collection[int], hope: bool
) -> Generator[None, None, int | None]:
    """The first state from which no legitimate one can be reached; None if there is none.

    `has_one` says of each state whether it has exactly one privilege, and `row` gives the successors of the first
    `expanded`. What follows the `unknown` states is not known: with `hope`, a legitimate state. There is a pause after
    each state.
    """
    legitimate = bytearray(has_one)
    for number in (*unknown, *range(expanded, len(has_one))):
        legitimate[number] = hope
    yield from _until_stable(legitimate, row, expanded, min)
    yield from _until_stable(legitimate, row, expanded, max)
    return next((number for number, is_saved in enumerate(legitimate) if not is_saved), None)


def _until_stable(
    values: bytearray, row: Callable[[int], Sequence[int]], expanded: int, rule: Callable[[list[int]], int]
) -> Generator[None, None, None]:
    """Let the value of each state be the least or greatest of its own and its successors', until nothing changes."""
    changed = True
    while changed:
        changed = False
        for number in reversed(range(expanded)):
            value = rule([values[number], *[values[after] for after in row(number)]])
            if value != values[number]:
                values[number] = value
                changed = True
            yield
