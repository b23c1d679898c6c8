"""The messages of a stretch of a trace, each with the moments and steps of its sending and its end."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from math import inf
from typing import NamedTuple

from algorithms.engine.events import DUE, KIND, LOST, NODE, SENDER, SENT, SEQ, TIME, Record
from algorithms.engine.trace import Trace
from visual.analysis.logical_time import LogicalTimes

UNKNOWN = -1
"""Stands for a step outside the stretch, or one that has not happened yet."""


class MessageFlight(NamedTuple):
    """One message on its way from one process to another; its times are along the axis of the diagram."""

    record: Record
    sent: float
    due: float  # when it arrives, or would have arrived
    end: float = inf  # when it arrived or vanished; infinite while it is on its way
    sent_in: int = UNKNOWN
    ended_in: int = UNKNOWN
    lost: bool = False

    @property
    def id(self) -> str:
        """Its id for picking."""
        return f"message:{self.record[SEQ]}"


def flights(trace: Trace, steps: Iterable[int], nodes: Collection[int]) -> list[MessageFlight]:
    """All messages between two different ones of these processes that are sent or end in these steps, in real time."""
    found: dict[int, MessageFlight] = {}
    among = frozenset(nodes)
    for k, records in trace.those(steps):
        event = records[0]
        for record in records:
            node, kind = record[NODE], record[KIND]
            if node not in among or kind > LOST or record[SENDER] not in among or record[SENDER] == node:
                continue
            if record is event or kind == LOST:
                _end(found, record, k)
            else:
                found[record[SEQ]] = MessageFlight(record, record[SENT], record[TIME], sent_in=k)
    return list(found.values())


def before_step(flight: MessageFlight, step: int) -> MessageFlight:
    """The message as it was known before step `step` was executed."""
    if flight.ended_in < step:
        return flight
    due = flight.record[DUE] if flight.lost else flight.due
    return flight._replace(due=due, end=inf, ended_in=UNKNOWN, lost=False)


def in_logical_time(flight: MessageFlight, logical_times: LogicalTimes) -> MessageFlight:
    """The message between the logical times of its sending and its receipt; one that has none takes one unit."""
    sent = float(logical_times.of_step(logical_times.sent_in.get(flight.record[SEQ], 0)))
    taken = logical_times.received_in(flight.record[SEQ])
    due = sent + 1.0 if taken is None or flight.ended_in == UNKNOWN else float(logical_times.of_step(taken))
    end = inf if flight.ended_in == UNKNOWN else sent + 0.5 if flight.lost else due
    return flight._replace(sent=sent, due=due, end=end)


def _end(found: dict[int, MessageFlight], record: Record, k: int) -> None:
    """The message of that record has arrived, or is lost, in step k."""
    lost = record[KIND] == LOST
    due = record[DUE] if lost else record[TIME]
    sent_in = found[record[SEQ]].sent_in if record[SEQ] in found else UNKNOWN
    found[record[SEQ]] = MessageFlight(record, record[SENT], due, record[TIME], sent_in, k, lost)
