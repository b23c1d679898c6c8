"""How many tokens there are: those in hand and those in flight, counted by what the trace tells."""

from __future__ import annotations

from collections.abc import Sequence

from algorithms.engine.events import KIND, LOST, MESSAGE, NODE, SENDER, SENT, SEQ, TIME, Record
from algorithms.engine.observer import Observer
from algorithms.engine.process import Message
from algorithms.engine.scenario import Event
from algorithms.engine.series import Level


class Tokens(Observer):
    """Counts live tokens.

    A process has a token in hand once a token message has reached it or it has created one, until it sends one or
    lets it end. A token in flight lives until it arrives or vanishes. What a crashed process had in hand is gone, but
    comes back with its memory.
    """

    def __init__(self, token: type[Message]) -> None:
        self.level = Level(0)
        self._token = token
        self._hands: dict[int, int] = {}  # node -> tokens in hand, where there are any
        self._flying: set[int] = set()  # the serial numbers of those in flight
        self._laid_down: dict[int, int] = {}  # crashed node -> tokens it had in hand
        self._emptied: set[int] = set()  # nodes whose token was lost in their hands, unnoticed: they will send a ghost

    def on_sent(self, step: int, record: Record) -> None:
        if type(record[MESSAGE]) is self._token:
            sender = record[SENDER]
            if sender in self._emptied:
                self._emptied.remove(sender)
                return
            self._flying.add(record[SEQ])
            if sender in self._hands:
                self._take(sender)
            else:
                self._change(step, record[SENT], +1)

    def on_copied(self, step: int, time: float, record: Record) -> None:
        if type(record[MESSAGE]) is self._token:
            self._flying.add(record[SEQ])
            self._change(step, time, +1)

    def on_received(self, step: int, record: Record) -> None:
        if record[SEQ] in self._flying:
            self._flying.remove(record[SEQ])
            self._give(record[NODE])

    def on_lost(self, step: int, record: Record) -> None:
        if record[SEQ] in self._flying:
            self._flying.remove(record[SEQ])
            self._change(step, record[TIME], -1)

    def on_created(self, step: int, time: float, node: int) -> None:
        self._give(node)
        self._change(step, time, +1)

    def on_destroyed(self, step: int, time: float, node: int) -> None:
        if node in self._hands:
            self._take(node)
            self._change(step, time, -1)

    def on_gone(self, step: int, time: float, node: int) -> None:
        if node in self._hands:
            self._laid_down[node] = self._hands.pop(node)
            self._change(step, time, -self._laid_down[node])

    def on_back(self, step: int, time: float, node: int, memory: bool) -> None:
        had = self._laid_down.pop(node, 0)
        if had and memory:
            self._hands[node] = had
            self._change(step, time, had)

    def on_fault(self, step: int, time: float, event: Event, effects: Sequence[Record]) -> None:
        holder = min(self._hands, default=None)
        if holder is None:
            return
        if event.do == "lose-token" and not any(effect[KIND] == LOST for effect in effects):
            self._take(holder)
            self._emptied.add(holder)
            self._change(step, time, -1)
        elif event.do == "duplicate-token" and not effects:
            self._give(holder)
            self._change(step, time, +1)

    def _give(self, node: int) -> None:
        self._hands[node] = self._hands.get(node, 0) + 1

    def _take(self, node: int) -> None:
        left = self._hands.pop(node) - 1
        if left:
            self._hands[node] = left

    def _change(self, step: int, time: float, by: int) -> None:
        self.level.set(step, time, self.level.value + by)
