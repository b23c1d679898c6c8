"""What the textbooks say about mutual exclusion, exact for N = 2 … 10, in runs of the shipped algorithms.

“Alone” is one process that asks while nobody else does, “together” all at time 0, once. Messages take 1 and stays 1.
"""

from __future__ import annotations

from collections import Counter

from tests.support.kit import entries, for_each, run, sent
from tests.support.loads import asks

SIZES = range(2, 11)


# ---- Suzuki–Kasami -----------------------------------------------------------------------------------------


@for_each(n=SIZES)
def test_suzuki_kasami_takes_n_messages_or_none(n):
    for node in range(1, n):
        alone = run("suzuki-kasami", n, load=asks(node))
        assert sent(alone) == Counter(Request=n - 1, Token=1)
        assert entries(alone) == [(2.0, node)]
    at_home = run("suzuki-kasami", n, load=asks(0))
    assert (entries(at_home), sent(at_home).total()) == ([(0.0, 0)], 0)


@for_each(n=SIZES)
def test_suzuki_kasami_together_hands_the_token_on_in_one_message_per_entry(n):
    together = run("suzuki-kasami", n, load=asks(*range(n)))
    assert sent(together) == Counter(Request=(n - 1) ** 2, Token=n - 1)  # the token is at P0, which sends no request
    times = [time for time, _ in entries(together)]
    assert times == [2.0 * turn for turn in range(n)], "a stay, and a message from one to the next"
