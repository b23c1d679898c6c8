"""The lab on N log N: each arrangement counts once, and the plot and the rows are made of what was counted."""

from __future__ import annotations

from math import factorial

import pytest

from lessons.experiments.ring_elections import arrangements
from lessons.labs import n_log_n


@pytest.mark.parametrize("name", n_log_n.TITLES)
def test_every_arrangement_is_counted_once(name):
    for n in (2, 3, 5):
        figures = arrangements(1, name, n)
        assert sum(times for _, times in figures["messages"]) == factorial(n - 1)


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
