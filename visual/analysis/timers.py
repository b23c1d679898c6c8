"""The timers of a run that are drawn: those whose duration is a declared parameter."""

from __future__ import annotations

from typing import NamedTuple

from algorithms.engine.dispatch import parameters_of
from algorithms.engine.events import TIME
from algorithms.engine.part import parts_of
from algorithms.engine.process import Process
from algorithms.engine.simulation import Simulation


class ShownTimer(NamedTuple):
    """A running timer of a node: when it expires, and for how long it runs in total."""

    node: int
    due: float
    duration: float


def shown_timers(run: Simulation) -> list[ShownTimer]:
    """The next declared timer of each node that has one running."""
    durations = timer_durations(run.process_class)
    next_of: dict[int, ShownTimer] = {}
    for (node, name), entry in sorted(run.timers.due.items(), key=lambda item: item[1]):
        duration = durations.get(name.rpartition(".")[2], 0.0)
        if duration > 0 and node not in next_of and run.is_up(node):
            next_of[node] = ShownTimer(node, entry[TIME], duration)
    return list(next_of.values())


def timer_durations(process: type[Process]) -> dict[str, float]:
    """The duration of each timer that a parameter of the process or of its parts declares."""
    inner = [timer_durations(part.process) for part in parts_of(process).values()]
    own = {p.timer: getattr(process, n) for n, p in parameters_of(process).items() if p.timer and hasattr(process, n)}
    return {name: duration for found in (*inner, own) for name, duration in found.items()}
