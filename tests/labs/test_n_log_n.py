"""The lab on N log N: each arrangement counts once, and the plot and the rows are made of what was counted."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from math import factorial

import pytest

from lessons.experiments.ring_elections import arrangements
from lessons.labs import n_log_n
from tests.support.kit import for_each


@pytest.mark.parametrize("name", n_log_n.TITLES)
def test_every_arrangement_is_counted_once(name):
    for n in (2, 3, 5):
        figures = arrangements(1, name, n)
        assert sum(times for _, times in figures["messages"]) == factorial(n - 1)


# ---- an oracle: the messages counted from the numbers alone, without a run -----------------------------------


def distance(ids: tuple[int, ...], place: int, way: int) -> int:
    """The hops from a place to the next larger number that way; all the way round from the largest."""
    n = len(ids)
    return next((d for d in range(1, n) if ids[(place + way * d) % n] > ids[place]), n)


def probing(ids: tuple[int, ...], place: int) -> int:
    """The messages that Hirschberg and Sinclair's candidate at that place causes: probes, and answers to those."""
    ends = [distance(ids, place, way) for way in (-1, 1)]
    total, reach = 0, 1
    while True:
        total += sum(min(end, reach) + (reach if end > reach else 0) for end in ends)
        if min(ends) <= reach:
            return total
        reach *= 2


def survivors(ids: list[int]) -> list[int]:
    """The numbers that are larger than both neighbours among those that are left, as in Franklin's rounds."""
    return [ids[i] for i in range(len(ids)) if ids[i] > ids[i - 1] and ids[i] > ids[(i + 1) % len(ids)]]


def rounds(ids: tuple[int, ...]) -> int:
    """The number of rounds until one number is left."""
    left, count = list(ids), 0
    while len(left) > 1:
        left, count = survivors(left), count + 1
    return count


COUNTED = {
    "le-lann": lambda ids: len(ids) ** 2,
    "chang-roberts": lambda ids: sum(distance(ids, place, 1) for place in range(len(ids))),
    "hirschberg-sinclair": lambda ids: sum(probing(ids, place) for place in range(len(ids))),
    "franklin": lambda ids: 2 * len(ids) * (rounds(ids) + 1),
    "peterson": lambda ids: 2 * len(ids) * rounds(ids) + len(ids),
}


@for_each(name=n_log_n.TITLES, n=[2, 3, 4, 5, 6])
def test_what_the_lab_counts_is_what_the_numbers_say(name, n):
    """Of all N! arrangements; the lab has the largest number at P0."""
    oracle = Counter(COUNTED[name](ids) for ids in permutations(range(n)))
    assert {count: n * times for count, times in arrangements(1, name, n)["messages"]} == oracle


def test_averages_and_worst_cases_of_five_numbers():
    found = {name: arrangements(1, name, 5) for name in n_log_n.TITLES}
    assert n_log_n.average(found["chang-roberts"]) == pytest.approx(5 * (1 + 1 / 2 + 1 / 3 + 1 / 4 + 1 / 5))
    assert {name: n_log_n.worst(figures) for name, figures in found.items()} == {
        "le-lann": 25,
        "chang-roberts": 15,
        "hirschberg-sinclair": 55,
        "franklin": 30,
        "peterson": 25,
    }


def test_a_row_out_of_range_is_found(monkeypatch):
    monkeypatch.setattr(n_log_n, "MOST", 4)
    results = {name: [arrangements(1, **case.settings)] for name, case in n_log_n.CASES.items() if name.endswith("4")}
    assert [row.holds for row in n_log_n.rows(results)] == [True, True, True, True, True, True, False]
    results["peterson, N = 4"] = results["franklin, N = 4"]
    assert not n_log_n.rows(results)[5].holds
