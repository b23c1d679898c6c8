"""Moments of a run: conditions, and the step in which one becomes true."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Any

from algorithms.engine.events import MESSAGE
from algorithms.engine.process import ElectionProcess
from algorithms.engine.simulation import Simulation
from algorithms.engine.timeline import Timeline
from lessons.asking import copies
from lessons.asking.copies import MOST_STEPS
from lessons.asking.run_events import RunEvent, Watch

ANY = "any"


@dataclass(frozen=True)
class Condition:
    """A moment of a run, as the step in which something happens for the nth time.

    `kind` is a key of `CONDITIONS` and `value` what stands there; `details` are its further keys. With
    `is_before` the moment is the one before that step.
    """

    kind: str
    value: Any
    details: Mapping[str, Any] = field(default_factory=dict)
    nth: int = 1
    is_before: bool = False


CONDITIONS: dict[str, tuple[str, ...]] = {  # key -> the further keys that it may have
    **dict.fromkeys(("time", "step", "end", "quiet", "enters", "leaves", "asks"), ()),
    "arrives": ("at", "from"),
    "sent": ("by", "to"),
    **dict.fromkeys(("light", "tokens", "holds", "leader"), ()),
    "variable": ("node", "is", "has"),
    "fires": ("node",),
    "applies": (),
}
"""A condition has one of these keys."""


def seek(timeline: Timeline, condition: Condition) -> bool:
    """Go on to the step in which the condition becomes true; False, at the end of the run, if it never does."""
    work = seeking(timeline, condition)
    while True:
        try:
            next(work)
        except StopIteration as end:
            return bool(end.value)


def seeking(timeline: Timeline, condition: Condition, slice_of: int = MOST_STEPS) -> Generator[None, None, bool]:
    """Go on likewise, up to that many steps at once; whether the condition becomes true."""
    if condition.kind in ("time", "end", "quiet"):
        until = timeline.scenario.until
        time = condition.value if condition.kind == "time" else until
        yield from copies.towards(timeline, min(time, until), slice_of)
        return bool(time <= until) if condition.kind != "quiet" else timeline.simulation.next_time() is None
    if condition.kind == "step":
        while timeline.step < condition.value and copies.forward(timeline):
            yield
        return bool(timeline.step >= condition.value)
    watch = Watch(timeline)
    is_true = _TESTS[condition.kind]
    is_state = condition.kind in _STATES
    was_true = is_state and is_true(condition, watch)
    count = 0
    if was_true and condition.nth == 1 and not condition.is_before:
        return True
    while watch.forward():
        holds = is_true(condition, watch)
        count += bool(holds and not was_true)
        was_true = is_state and bool(holds)
        if count == condition.nth:
            if condition.is_before:
                copies.seek(timeline, timeline.step - 1)
            return True
        yield
    return False


def find(timeline: Timeline, condition: Condition) -> int | None:
    """The number of steps at which a copy of the run fulfils the condition; None if it never does."""
    copy = copies.copy_of(timeline)
    return copy.step if seek(copy, condition) else None


def is_reached(watch: Watch, condition: Condition) -> bool:
    """Whether the latest step of a watched run fulfils the condition, for the first time or again."""
    run = watch.timeline.simulation
    if condition.kind == "time":
        return bool(run.now > condition.value)
    if condition.kind == "step":
        return bool(watch.timeline.step > condition.value)
    return condition.kind not in ("end", "quiet") and bool(_TESTS[condition.kind](condition, watch))


# ---- what a step did ---------------------------------------------------------------------------------------


def _fits(condition: Condition, event: RunEvent) -> bool:
    kind, value, details = condition.kind, condition.value, condition.details
    if event.kind != kind:
        return False
    if kind in ("enters", "leaves", "asks"):
        return value in (ANY, event.node)
    if kind == "arrives":
        return bool(event.name == value) and _matches(details, {"at": event.node, "from": event.other})
    if kind == "sent":
        return event.name == value and _matches(details, {"by": event.node, "to": event.other})
    return bool(event.name == value) and _matches(details, {"node": event.node})


def _matches(wanted: Mapping[str, Any], got: Mapping[str, Any]) -> bool:
    return all(got[key] == value for key, value in wanted.items())


# ---- the state after a step --------------------------------------------------------------------------------


def holders(run: Simulation) -> list[int]:
    """The processes that hold a token now."""
    return [process.id for process in run.processes if run.is_up(process.id) and process.holding()]


def tokens_in_transit(run: Simulation) -> int:
    """The number of token messages in transit."""
    token = run.algorithm.token
    return sum(type(entry[MESSAGE]) is token for entry in run.queue.in_transit())


def leaders(run: Simulation) -> set[int | None]:
    """The leaders that the live processes believe in; None among them if one believes in nobody."""
    processes = [process for process in run.processes if run.is_up(process.id)]
    return {process.leader for process in processes if isinstance(process, ElectionProcess)}


def _variable(condition: Condition, watch: Watch) -> bool:
    process = watch.timeline.simulation.processes[condition.details["node"]]
    value = getattr(process, condition.value, None)
    if "has" in condition.details:
        try:
            return condition.details["has"] in value  # type: ignore[operator]
        except TypeError:
            return False
    return bool(plain(value) == plain(condition.details.get("is")))


def plain(value: Any) -> Any:
    """A variable's value as TOML has it: sets as sorted lists, tuples as lists."""
    if isinstance(value, set | frozenset):
        return sorted((plain(item) for item in value), key=repr)
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, str | bytes) or not hasattr(value, "__iter__"):
        return value
    return [plain(item) for item in value]


_STATES = ("light", "tokens", "holds", "leader", "variable")
_TESTS: dict[str, Callable[[Condition, Watch], bool]] = {
    **dict.fromkeys(
        ("enters", "leaves", "asks", "arrives", "sent", "fires", "applies"),
        lambda condition, watch: any(_fits(condition, event) for event in watch.latest),
    ),
    "light": lambda condition, watch: condition.value in watch.broken,
    "tokens": lambda condition, watch: watch.tokens == condition.value,
    "holds": lambda condition, watch: holders(watch.timeline.simulation) == [condition.value],
    "leader": lambda condition, watch: leaders(watch.timeline.simulation) == {condition.value},
    "variable": _variable,
}
