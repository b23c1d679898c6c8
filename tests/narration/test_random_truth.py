"""What explains random runs is so by their traces: captions, reasons, lights and counts.

Two thousand runs are examined by python -m tests.support.random_truth; here is a sample of them.
"""

from __future__ import annotations

import pytest

from tests.support.random_truth import EVERYTHING, examine

SAMPLE = 40


@pytest.mark.parametrize("part", range(4))
def test_nothing_that_is_said_about_a_run_contradicts_its_trace(part: int) -> None:
    for number in range(part, SAMPLE, 4):
        chosen = number * len(EVERYTHING) // SAMPLE  # from all families
        assert examine(chosen, seed=1) == [], chosen
