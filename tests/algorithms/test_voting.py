"""Forgetful coordinators: the closed form compared with runs of the protocol and with all cases."""

from __future__ import annotations

from itertools import product
from math import exp, sqrt

import pytest

from lessons.experiments.voting import breach_probability, breaches
from tests.support.kit import for_each

RUNS = 300


@pytest.mark.parametrize(
    ("n", "m", "asked", "rate"),
    [
        (5, 3, None, 0.05),
        (5, 4, None, 0.1),
        (10, 6, None, 0.05),
        (10, 7, None, 0.15),
        (5, 3, 5, 0.05),
        (10, 6, 8, 0.06),
    ],
    ids=str,
)
def test_runs_break_mutual_exclusion_as_often_as_the_formula_says(n, m, asked, rate):
    time = 10.0
    forgotten = 1 - exp(-rate * time)  # the probability that a coordinator crashes within that time
    expected = breach_probability(n, m, forgotten, asked)
    measured = sum(breaches(seed, n, m, rate, time, asked) for seed in range(RUNS)) / RUNS
    assert 0.05 < expected < 0.95  # otherwise the comparison says little
    assert measured == pytest.approx(expected, abs=4 * sqrt(expected * (1 - expected) / RUNS))


@for_each(case=[(3, 2, 2), (5, 3, 3), (5, 3, 4), (5, 4, 5), (6, 4, 4), (6, 4, 5)])
def test_the_formula_agrees_with_counting_all_cases(case):
    n, m, asked = case
    p = 0.3
    first = set(range(asked))
    second = {(asked + k) % n for k in range(asked)}
    total = 0.0
    for forgotten in product([False, True], repeat=n):
        votes = sum(c not in first or forgotten[c] for c in second)
        weight = 1.0
        for each in forgotten:
            weight *= p if each else 1 - p
        total += weight * (votes >= m)
    assert breach_probability(n, m, p, asked) == pytest.approx(total)


def test_more_votes_are_safer_and_half_of_them_are_unsafe():
    risks = [breach_probability(10, m, 0.2) for m in range(5, 11)]
    assert risks == pytest.approx([1, 0.2**2, 0.2**4, 0.2**6, 0.2**8, 0.2**10])
