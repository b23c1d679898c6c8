"""ME3: who asks first is served first, where "first" is happened-before (Lamport, CACM 21(7), 1978).

A vector clock that counts nothing but requests says which requests a process has heard of. Only those still open
matter here, so that clock is kept as a set of requests, one bit each in an integer: merging two is one OR.
"""

from __future__ import annotations

from algorithms.engine.events import NODE, SENDER, SEQ, Record
from algorithms.engine.observer import Situation
from algorithms.engine.verdicts import Monitor

_WIDTH = 512  # requests after which the bits of those that have been served are dropped


class Order(Monitor):
    """Watches the order of entries.

    Every message carries what its sender has heard of. (The second copy that a fault makes brings no news: the first
    arrives before it.) A request that a crash interrupts is excused, and goes before nobody.
    """

    name = "ME3"
    words = "requests are served in the order in which they happened, as far as messages tell"

    def __init__(self, situation: Situation) -> None:
        super().__init__()
        self._heard = [0] * situation.nodes  # by node: the requests it has heard of
        self._carried: dict[int, int] = {}  # serial number of a message in flight -> what its sender had heard of
        self._own: dict[int, int] = {}  # node that waits -> its request
        self._before: dict[int, int] = {}  # node that waits -> the open requests that happened before its own
        self._open = 0  # all open requests
        self._next = 0  # the place of the next request's bit
        self._full = _WIDTH  # when the next reaches this place, it is time to drop bits

    def on_sent(self, step: int, record: Record) -> None:
        heard = self._heard[record[SENDER]]
        if heard:
            self._carried[record[SEQ]] = heard

    def on_received(self, step: int, record: Record) -> None:
        carried = self._carried.pop(record[SEQ], 0)
        if carried:
            self._heard[record[NODE]] |= carried

    def on_lost(self, step: int, record: Record) -> None:
        self._carried.pop(record[SEQ], None)

    def on_asked(self, step: int, time: float, node: int) -> None:
        if self._next >= self._full:
            self._drop_served()
        self._before[node] = self._heard[node] & self._open
        self._own[node] = 1 << self._next
        self._heard[node] |= 1 << self._next
        self._open |= 1 << self._next
        self._next += 1

    def on_entered(self, step: int, time: float, node: int, asked: float | None) -> None:
        if node not in self._own:
            return
        passed = self._before[node] & self._open
        self._close(node)
        if passed:
            other = min(n for n, request in self._own.items() if request & passed)
            self._break(step, time, f"P{node} enters before P{other}, although the request of P{other} happened before")

    def on_gone(self, step: int, time: float, node: int) -> None:
        if node in self._own:
            self._close(node)

    def _close(self, node: int) -> None:
        self._open &= ~self._own.pop(node)
        del self._before[node]

    def _drop_served(self) -> None:
        """Shift the bits of the first requests out, up to the first that is still open."""
        served = (self._open & -self._open).bit_length() - 1 if self._open else self._next
        self._heard = [heard >> served for heard in self._heard]
        for bits in (self._carried, self._own, self._before):
            bits.update((key, bits[key] >> served) for key in bits)
        self._open >>= served
        self._next -= served
        self._full = self._next + _WIDTH
