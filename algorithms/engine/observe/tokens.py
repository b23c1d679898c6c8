"""The number of tokens, held or in transit, according to the trace."""

from __future__ import annotations

from collections.abc import Sequence

from algorithms.engine.events import DELIVER, KIND, LOST, MESSAGE, NODE, SENDER, SENT, SEQ, TIME, Record
from algorithms.engine.observe.observer import Observer
from algorithms.engine.observe.series import Level
from algorithms.engine.process import Message
from algorithms.engine.scenario import Event


class Tokens(Observer):
    """Counts live tokens.

    A process holds a token once a token message has reached it or it has created one, until it sends or destroys one. A
    token in transit lives until it arrives or is lost. The tokens of a crashed process are gone, but return with its
    memory.
    """

    def __init__(self, token: type[Message]) -> None:
        self.level = Level(0)
        self._token = token
        self._holders: dict[int, int] = {}  # holder -> number of tokens that it holds
        self._in_transit: set[int] = set()  # serial numbers of tokens in transit
        self._crashed_holders: dict[int, int] = {}  # crashed node -> number of tokens that it held
        self._last_sent: tuple[int, Record] = (0, ())  # step and record of the latest token message sent
        self._fate: str | None = None  # fate of that token while its sender held it
        self._marks: dict[int, str] = {}  # holder -> fate of its token, which it has not noticed

    def holders(self) -> list[int]:
        """The nodes that hold a token."""
        return sorted(self._holders)

    def on_sent(self, step: int, record: Record) -> None:
        if type(record[MESSAGE]) is not self._token:
            return
        sender, twin = record[SENDER], self._is_twin(step, record)
        self._last_sent = (step, record)
        if not twin and (self._fate or self._marks):
            self._fate = self._marks.pop(sender, None)
        if self._fate == "lose-token":
            return  # the token was lost while its sender held it
        self._in_transit.add(record[SEQ])
        if sender in self._holders and (not twin or self._fate):
            self._remove_token(sender)
        else:
            self._change(step, record[SENT], +1)

    def on_copied(self, step: int, time: float, record: Record) -> None:
        if type(record[MESSAGE]) is self._token:
            self._in_transit.add(record[SEQ])
            self._change(step, time, +1)

    def on_received(self, step: int, record: Record) -> None:
        if record[SEQ] in self._in_transit:
            self._in_transit.remove(record[SEQ])
            self._add_token(record[NODE])

    def on_lost(self, step: int, record: Record) -> None:
        if record[SEQ] in self._in_transit:
            self._in_transit.remove(record[SEQ])
            self._change(step, record[TIME], -1)

    def on_created(self, step: int, time: float, node: int) -> None:
        self._add_token(node)
        self._change(step, time, +1)

    def on_destroyed(self, step: int, time: float, node: int) -> None:
        if self._marks.get(node) == "lose-token":
            del self._marks[node]  # the token that it destroys was lost while it held it
        elif node in self._holders:
            self._remove_token(node)
            self._change(step, time, -1)

    def on_gone(self, step: int, time: float, node: int) -> None:
        if node in self._holders:
            self._crashed_holders[node] = self._holders.pop(node)
            self._change(step, time, -self._crashed_holders[node])

    def on_back(self, step: int, time: float, node: int, memory: bool) -> None:
        had = self._crashed_holders.pop(node, 0)
        if not memory:
            self._marks.pop(node, None)
        elif had:
            self._holders[node] = had
            self._change(step, time, had)

    def on_fault(self, step: int, time: float, event: Event, effects: Sequence[Record]) -> None:
        holder = min((node for node in self._holders if node not in self._marks), default=None)
        if holder is None or event.do not in ("lose-token", "duplicate-token") or _hit_in_transit(effects):
            return
        self._marks[holder] = event.do
        if event.do == "lose-token":
            self._remove_token(holder)
            self._change(step, time, -1)
        else:
            self._add_token(holder)
            self._change(step, time, +1)

    def _is_twin(self, step: int, record: Record) -> bool:
        """Whether a record is the network's copy of the one directly before it."""
        before, other = self._last_sent
        return step == before and record[SEQ] == other[SEQ] + 1 and record[NODE:] == other[NODE:]

    def _add_token(self, node: int) -> None:
        self._holders[node] = self._holders.get(node, 0) + 1

    def _remove_token(self, node: int) -> None:
        left = self._holders.pop(node) - 1
        if left:
            self._holders[node] = left

    def _change(self, step: int, time: float, by: int) -> None:
        self.level.set(step, time, self.level.value + by)


def _hit_in_transit(effects: Sequence[Record]) -> bool:
    """Whether a fault has lost or duplicated a token in transit; then there is a record of it."""
    return any(effect[KIND] in (LOST, DELIVER) for effect in effects)
