"""ME3: who asks first is served first, where "first" is happened-before (Lamport, CACM 21(7), 1978).

A vector clock that counts nothing but requests says which requests a process has heard of. Only those still open
matter here, so that clock is kept as a set of requests, one bit each in an integer: merging two is one OR.
"""

from __future__ import annotations

from typing import Any

from algorithms.engine.events import NODE, SENDER, SEQ, Record
from algorithms.engine.observe.observer import Seat, Situation
from algorithms.engine.observe.verdicts import Monitor

_WIDTH = 512  # requests after which the bits of those that have been served are dropped


class RequestOrder(Monitor):
    """Watches the order of entries.

    Every message carries what its sender has heard of. (The second copy that a fault makes brings no news: the first
    arrives before it.) A request that a crash interrupts is excused, and goes before nobody.
    """

    name = "ME3"
    words = "requests are served in the order in which they happened, as far as messages tell"

    def __init__(self, situation: Situation) -> None:
        super().__init__()
        self._here = situation
        self._heard = [0] * situation.nodes  # by node: the requests it has heard of
        self._carried: dict[int, int] = {}  # serial number of a message in flight -> what its sender had heard of
        self._own: dict[Seat, int] = {}  # who waits -> the request
        self._before: dict[Seat, int] = {}  # who waits -> the open requests that happened before, for the same resource
        self._open: dict[int, int] = {}  # resource -> all open requests
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
        resource = self._here.resource
        open_requests, request = self._open.get(resource, 0), 1 << self._next
        self._before[resource, node] = self._heard[node] & open_requests
        self._own[resource, node] = request
        self._heard[node] |= request
        self._open[resource] = open_requests | request
        self._next += 1

    def on_entered(self, step: int, time: float, node: int, asked: float | None) -> None:
        seat = (self._here.resource, node)
        if seat not in self._own:
            return
        passed = self._before[seat] & self._open[seat[0]]
        self._close(seat)
        if passed:
            other = min(n for (_, n), request in self._own.items() if request & passed)
            self._break(step, time, f"P{node} enters before P{other}, although the request of P{other} happened before")

    def on_gone(self, step: int, time: float, node: int) -> None:
        for seat in self._here.seats_of(node):
            if seat in self._own:
                self._close(seat)

    def _close(self, seat: Seat) -> None:
        self._open[seat[0]] &= ~self._own.pop(seat)
        del self._before[seat]

    def _drop_served(self) -> None:
        """Shift the bits of the first requests out, up to the first that is still open."""
        lowest = ((bits & -bits).bit_length() - 1 for bits in self._open.values() if bits)
        served = min(lowest, default=self._next)
        self._heard = [heard >> served for heard in self._heard]
        all_bits: list[dict[Any, int]] = [self._carried, self._own, self._before, self._open]
        for bits in all_bits:
            bits.update((key, bits[key] >> served) for key in bits)
        self._next -= served
        self._full = self._next + _WIDTH
