"""How many tokens there are: those in hand and those in flight, counted by what the trace tells."""

from __future__ import annotations

from collections.abc import Sequence

from algorithms.engine.events import DELIVER, KIND, LOST, MESSAGE, NODE, SENDER, SENT, SEQ, TIME, Record
from algorithms.engine.observe.observer import Observer
from algorithms.engine.observe.series import Level
from algorithms.engine.process import Message
from algorithms.engine.scenario import Event


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
        self._sent: tuple[int, Record] = (0, ())  # the latest token message that was sent, and in which step
        self._fate: str | None = None  # what had happened to that token in the hands of its sender
        self._marks: dict[int, str] = {}  # holder whose token met its fate unnoticed -> what happened to it

    def on_sent(self, step: int, record: Record) -> None:
        if type(record[MESSAGE]) is not self._token:
            return
        sender, twin = record[SENDER], self._is_twin(step, record)
        self._sent = (step, record)
        if not twin and (self._fate or self._marks):
            self._fate = self._marks.pop(sender, None)
        if self._fate == "lose-token":
            return  # a ghost: the token was lost when its sender held it
        self._flying.add(record[SEQ])
        if sender in self._hands and (not twin or self._fate):
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
        if self._marks.get(node) == "lose-token":
            del self._marks[node]  # what ends is the token that was lost in its hands
        elif node in self._hands:
            self._take(node)
            self._change(step, time, -1)

    def on_gone(self, step: int, time: float, node: int) -> None:
        if node in self._hands:
            self._laid_down[node] = self._hands.pop(node)
            self._change(step, time, -self._laid_down[node])

    def on_back(self, step: int, time: float, node: int, memory: bool) -> None:
        had = self._laid_down.pop(node, 0)
        if not memory:
            self._marks.pop(node, None)
        elif had:
            self._hands[node] = had
            self._change(step, time, had)

    def on_fault(self, step: int, time: float, event: Event, effects: Sequence[Record]) -> None:
        holder = min((node for node in self._hands if node not in self._marks), default=None)
        if holder is None or event.do not in ("lose-token", "duplicate-token") or _hit_in_flight(effects):
            return
        self._marks[holder] = event.do
        if event.do == "lose-token":
            self._take(holder)
            self._change(step, time, -1)
        else:
            self._give(holder)
            self._change(step, time, +1)

    def _is_twin(self, step: int, record: Record) -> bool:
        """Whether the network has made two of one message: a record that follows another's at once is its copy."""
        before, other = self._sent
        return step == before and record[SEQ] == other[SEQ] + 1 and record[NODE:] == other[NODE:]

    def _give(self, node: int) -> None:
        self._hands[node] = self._hands.get(node, 0) + 1

    def _take(self, node: int) -> None:
        left = self._hands.pop(node) - 1
        if left:
            self._hands[node] = left

    def _change(self, step: int, time: float, by: int) -> None:
        self.level.set(step, time, self.level.value + by)


def _hit_in_flight(effects: Sequence[Record]) -> bool:
    """Whether losing or duplicating the token met one in flight, of which there is then a record."""
    return any(effect[KIND] in (LOST, DELIVER) for effect in effects)
