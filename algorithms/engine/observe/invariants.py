"""Invariants of an algorithm, evaluated in one state: of its processes, and perhaps of the messages in transit."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from inspect import signature
from typing import TYPE_CHECKING, Any

from algorithms.engine.events import DELIVER, KIND, MESSAGE, NODE, SENDER
from algorithms.engine.process import Invariant, Message

if TYPE_CHECKING:
    from algorithms.engine.simulation import Simulation

InTransit = Iterable[tuple[int, int, Message]]
"""The messages in transit, each with its sender and receiver."""


@cache  # asked in each state
def sees_messages(invariant: Callable[..., Any]) -> bool:
    """Whether an invariant takes the messages in transit as well as the processes."""
    return sum(parameter.default is parameter.empty for parameter in signature(invariant).parameters.values()) > 1


def holds(invariant: Invariant, processes: list[Any], messages: Callable[[], InTransit]) -> bool:
    """Whether an invariant holds for these processes; `messages` are only asked for if it sees them."""
    return bool(value_of(invariant, processes, messages))


def value_of(function: Callable[..., Any], processes: list[Any], messages: Callable[[], InTransit]) -> Any:
    """The value of an invariant, or of another function that takes the same."""
    return function(processes, list(messages())) if sees_messages(function) else function(processes)


def in_transit(run: Simulation) -> InTransit:
    """The messages in transit in a run, and those that wait at a paused process."""
    waiting = (entry for entry in run.waiting_entries() if entry[KIND] == DELIVER)
    arriving = (entry for entry in run.queue.in_transit() if entry[KIND] == DELIVER)
    return ((entry[SENDER], entry[NODE], entry[MESSAGE]) for entry in (*arriving, *waiting))


def privileges_in(run: Simulation) -> int | None:
    """The number of privileges in the present state of a run; None if its algorithm does not count them."""
    count = run.algorithm.privileges
    up = [process for process in run.processes if not run.is_gone(process.id)]
    return None if count is None else int(value_of(count, up, lambda: in_transit(run)))
