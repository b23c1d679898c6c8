"""The messages in part of a trace, each with the times and steps of its sending and its end."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from math import inf
from typing import NamedTuple

from algorithms.engine.events import DUE, KIND, LOST, NODE, SENDER, SENT, SEQ, TIME, Record
from algorithms.engine.trace import Trace
from visual.analysis.logical_time import LogicalTimes

UNKNOWN = -1
"""A step outside that part, or one that has not happened yet."""


class MessageFlight(NamedTuple):
    """One message from one process to another; its times are along the axis of the diagram."""

    record: Record
    sent: float
    due: float  # when it arrives, or would have arrived
    end: float = inf  # when it arrived or was lost; infinite while it is in transit
    sent_in: int = UNKNOWN
    ended_in: int = UNKNOWN
    lost: bool = False

    @property
    def id(self) -> str:
        """The id of its shapes, for picking."""
        return f"message:{self.record[SEQ]}"


def flights(trace: Trace, steps: Iterable[int], nodes: Collection[int]) -> list[MessageFlight]:
    """The messages between two of these nodes that are sent, delivered or lost in these steps, in real time."""
    by_serial: dict[int, MessageFlight] = {}
    among = frozenset(nodes)
    for k, records in trace.steps_at(steps):
        event = records[0]
        for record in records:
            node, kind = record[NODE], record[KIND]
            if node not in among or kind > LOST or record[SENDER] not in among or record[SENDER] == node:
                continue
            if record is event or kind == LOST:
                _end(by_serial, record, k)
            else:
                by_serial[record[SEQ]] = MessageFlight(record, record[SENT], record[TIME], sent_in=k)
    return list(by_serial.values())


def before_step(flight: MessageFlight, step: int) -> MessageFlight:
    """The message as it was before step `step` was executed."""
    if flight.ended_in < step:
        return flight
    due = flight.record[DUE] if flight.lost else flight.due
    return flight._replace(due=due, end=inf, ended_in=UNKNOWN, lost=False)


def in_logical_time(flight: MessageFlight, logical_times: LogicalTimes) -> MessageFlight:
    """The message from the logical time of its sending to that of its receipt, or one unit long without a receipt."""
    sent = float(logical_times.of_step(logical_times.sent_in.get(flight.record[SEQ], 0)))
    received = logical_times.received_in(flight.record[SEQ])
    due = sent + 1.0 if received is None or flight.ended_in == UNKNOWN else float(logical_times.of_step(received))
    end = inf if flight.ended_in == UNKNOWN else sent + 0.5 if flight.lost else due
    return flight._replace(sent=sent, due=due, end=end)


def _end(by_serial: dict[int, MessageFlight], record: Record, k: int) -> None:
    """Note that the message was delivered or lost in step `k`."""
    lost = record[KIND] == LOST
    due = record[DUE] if lost else record[TIME]
    sent_in = by_serial[record[SEQ]].sent_in if record[SEQ] in by_serial else UNKNOWN
    by_serial[record[SEQ]] = MessageFlight(record, record[SENT], due, record[TIME], sent_in, k, lost)
