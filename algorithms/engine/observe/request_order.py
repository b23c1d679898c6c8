"""ME3: requests are served in happened-before order (Lamport, CACM 21(7), 1978).

A vector clock that counts only requests represents the requests that a process knows of. Only pending ones matter here,
so the clock is a set of requests, one bit each in an integer: merging two clocks is one OR.
"""

from __future__ import annotations

from typing import Any

from algorithms.engine.events import NODE, SENDER, SEQ, Record
from algorithms.engine.observe.observer import Seat, Situation
from algorithms.engine.observe.verdicts import Monitor

_WIDTH = 512  # number of requests after which the bits of served ones are dropped


class RequestOrder(Monitor):
    """Fairness: no process enters before one whose request happened before its own.

    Every message carries the requests that its sender knows of. (A copy made by a fault adds nothing: the original
    arrives first.) A request interrupted by a crash no longer precedes any other.
    """

    name = "ME3"
    words = "if one request happened before another, it is served first"

    def __init__(self, situation: Situation) -> None:
        super().__init__()
        self._here = situation
        self._known_requests = [0] * situation.nodes  # by node: the requests that it knows of
        self._carried_requests: dict[int, int] = {}  # serial number of a message -> the requests that it carries
        self._request_of: dict[Seat, int] = {}  # waiting seat -> its request
        self._predecessors: dict[Seat, int] = {}  # waiting seat -> earlier requests for its resource
        self._pending: dict[int, int] = {}  # resource -> all pending requests
        self._next = 0  # index of the next request's bit
        self._limit = _WIDTH  # index at which bits are dropped again

    def on_sent(self, step: int, record: Record) -> None:
        requests = self._known_requests[record[SENDER]]
        if requests:
            self._carried_requests[record[SEQ]] = requests

    def on_received(self, step: int, record: Record) -> None:
        requests = self._carried_requests.pop(record[SEQ], 0)
        if requests:
            self._known_requests[record[NODE]] |= requests

    def on_lost(self, step: int, record: Record) -> None:
        self._carried_requests.pop(record[SEQ], None)

    def on_asked(self, step: int, time: float, node: int) -> None:
        if self._next >= self._limit:
            self._drop_served()
        resource = self._here.resource
        pending, request = self._pending.get(resource, 0), 1 << self._next
        self._predecessors[resource, node] = self._known_requests[node] & pending
        self._request_of[resource, node] = request
        self._known_requests[node] |= request
        self._pending[resource] = pending | request
        self._next += 1

    def on_entered(self, step: int, time: float, node: int, asked: float | None) -> None:
        seat = (self._here.resource, node)
        if seat not in self._request_of:
            return
        passed = self._predecessors[seat] & self._pending[seat[0]]
        self._close(seat)
        if passed:
            other = min(n for (_, n), request in self._request_of.items() if request & passed)
            words = f"P{node} enters ahead of P{other}, whose request happened before its own"
            self._break(step, time, words, {node, other})

    def on_gone(self, step: int, time: float, node: int) -> None:
        for seat in self._here.seats_of(node):
            if seat in self._request_of:
                self._close(seat)

    def _close(self, seat: Seat) -> None:
        self._pending[seat[0]] &= ~self._request_of.pop(seat)
        del self._predecessors[seat]

    def _drop_served(self) -> None:
        """Shift out the bits of all requests before the first pending one."""
        lowest = ((bits & -bits).bit_length() - 1 for bits in self._pending.values() if bits)
        served = min(lowest, default=self._next)
        self._known_requests = [requests >> served for requests in self._known_requests]
        all_bits: list[dict[Any, int]] = [self._carried_requests, self._request_of, self._predecessors, self._pending]
        for bits in all_bits:
            bits.update((key, bits[key] >> served) for key in bits)
        self._next -= served
        self._limit = self._next + _WIDTH
