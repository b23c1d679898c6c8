"""Checkpoints: a run's state at one step, from which it can be resumed.

Deep copies were 2,000 times as slow: processes hold plain values or flat containers of them, so a shallow copy of
each variable is a full one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from algorithms.engine.applications import SavedApplications
from algorithms.engine.errors import Misuse, short
from algorithms.engine.events import Record
from algorithms.engine.network import SavedPost
from algorithms.engine.process import Message
from algorithms.engine.timers import SavedTimers

if TYPE_CHECKING:
    from algorithms.engine.simulation import Simulation

DEEPEST = 100  # tuples within tuples
_CONTAINERS = (list, set, dict, deque)
_SIMPLE = frozenset((int, str, type(None), bool, float))
_NESTED = (tuple, frozenset)
_PLAIN = (int, float, str, bytes, type(None), tuple, frozenset, Message)


class Checkpoint(NamedTuple):
    """Everything a run's future depends on, at one step; later steps change none of it."""

    steps: int
    now: float
    seq: int
    queue: list[Record]
    states: list[dict[str, Any]]
    timers: SavedTimers
    down: dict[int, str]
    inboxes: dict[int, list[Record]]
    applications: SavedApplications
    counts: dict[tuple[str, int], int]
    post: SavedPost
    tuned: dict[str, Any]


def save(run: Simulation, before: Checkpoint | None = None) -> Checkpoint:
    """A checkpoint of the present state, sharing unchanged parts with the checkpoint `before`."""
    earlier = before.states if before else [{}] * len(run.processes)
    try:
        states = [
            old if _is_same(old, vars(process)) else _copy_of(process)
            for old, process in zip(earlier, run.processes, strict=True)
        ]
    except Misuse:
        run.failed_step = run.steps
        raise
    return Checkpoint(
        run.steps,
        run.now,
        run.seq,
        run.queue.entries(),
        states,
        run.timers.save(),
        run.down.copy(),
        {node: list(entries) for node, entries in run.inboxes.items()},
        run.applications.save(),
        {name: stream.count for name, stream in run.streams.items() if stream.count},
        run.post.save(before.post if before else None),
        run.tuned,
    )


def restore(run: Simulation, saved: Checkpoint) -> None:
    """Go to a checkpoint of this same run. The trace stays as it is."""
    run.steps, run.now, run.seq = saved.steps, saved.now, saved.seq
    run.queue.restore(saved.queue)
    for process, state in zip(run.processes, saved.states, strict=True):
        if not _is_same(vars(process), state):
            process.__dict__ = freeze(state)
    run.timers.restore(saved.timers)
    run.down.clear()
    run.down.update(saved.down)
    run.update_membership()
    run.inboxes = {node: list(entries) for node, entries in saved.inboxes.items()}
    run.applications.restore(saved.applications)
    for name, stream in run.streams.items():  # the streams stay, with the block of numbers that they have read
        stream.count = saved.counts.get(name, 0)
    run.post.restore(saved.post)
    if run.tuned != saved.tuned:
        run.tune(saved.tuned)


def lay_under(run: Simulation, saved: Checkpoint) -> None:
    """Put a run of another program, with the same scenario, into the state of a checkpoint of this one.

    Its next step shows what that program would do there. Its random streams go on where those of the other run are.
    """
    for name in saved.counts:
        run.stream_of(*name)
    restore(run, saved)


def _is_same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two states are equal; False if they cannot be compared, as values that contain themselves."""
    try:
        return one == other
    except Exception:  # an author's own class may raise anything
        return False


def _copy_of(process: Any) -> dict[str, Any]:
    """A copy of a process's state. Misuse if a shallow copy of a variable would not be a full one."""
    check_state(process)
    return freeze(vars(process))


def check_state(process: Any) -> None:
    """Misuse if a process keeps something nested that can be changed: going back would not undo the change."""
    for name, value in vars(process).items():
        if not is_flat(value):
            expected = "a number, a text, a flat tuple, a message, or a list, set, dict or deque of such"
            raise Misuse(f"P{process.id} keeps {short(value)} in self.{name}; expected {expected}")


def is_flat(value: Any) -> bool:
    """Whether a value is plain, or a container of plain values."""
    if value.__class__ not in _CONTAINERS:
        return value.__class__ in _SIMPLE or (isinstance(value, _PLAIN) and is_constant(value))
    items = value.values() if isinstance(value, dict) else value
    if _SIMPLE.issuperset(map(type, items)):  # by far the most frequent
        return True
    return all(item.__class__ in _SIMPLE or (isinstance(item, _PLAIN) and is_constant(item)) for item in items)


def is_constant(value: Any) -> bool:
    """Whether a plain value or message is immutable, and shallow enough to compare."""
    parts = value.__dict__.values() if isinstance(value, Message) else value if value.__class__ in _NESTED else ()
    if _is_too_deep(parts, DEEPEST):
        return False
    try:
        hash(value)  # a tuple or a message may hold a list
    except Exception:  # an author's own class may raise anything
        return False
    return True


def _is_too_deep(values: Iterable[Any], levels: int) -> bool:
    return any(value.__class__ in _NESTED and (not levels or _is_too_deep(value, levels - 1)) for value in values)


def freeze(state: dict[str, Any]) -> dict[str, Any]:
    """A copy of a process's state: plain values as they are, flat containers copied."""
    return {name: v.copy() if v.__class__ in _CONTAINERS else v for name, v in state.items()}
