"""What of an algorithm ran last: where to read on in its source while no code runs."""

from __future__ import annotations

from functools import lru_cache

from algorithms.engine.dispatch import handler_name
from algorithms.engine.events import DELIVER, KIND, LAUNCH, LEAVE, MESSAGE, REQUEST, TIMER, Record
from algorithms.engine.line_trace import Execution, source_files
from algorithms.engine.process import Process, parts_of
from algorithms.engine.timeline import Timeline
from visual.narration.steps import ran_in

_FAR = 200  # steps that are looked back
_CALLED = {LAUNCH: ("launch",), REQUEST: ("acquire", "start"), LEAVE: ("release",)}


def ran_before(timeline: Timeline) -> Execution:
    """What ran in the latest step in which something did, or seems to have: nothing if there was none of late."""
    steps = range(timeline.step - 1, max(timeline.step - _FAR, 0) - 1, -1)
    found = next((step for step in steps if _is_handled(timeline, step)), None)
    return Execution() if found is None else ran_in(timeline, found)


def _is_handled(timeline: Timeline, step: int) -> bool:
    """Whether the algorithm has a method for the event of that step; told from the trace alone, which is quick.

    A request without any effect mostly waits behind another one of the same process.
    """
    event, *effects = timeline.trace.step(step)
    if event[KIND] == REQUEST and not effects:
        return False
    process = timeline.simulation.process_class
    return any(_has(process, name) for name in _names(event))  # type: ignore[arg-type]


def _names(event: Record) -> tuple[str, ...]:
    """What a method that handles such an event is called."""
    if event[KIND] == DELIVER:
        return (handler_name(type(event[MESSAGE])),)
    return (f"on_{event[4]}",) if event[KIND] == TIMER else _CALLED.get(event[KIND], ())


@lru_cache(maxsize=64)
def _has(process: type[Process], name: str) -> bool:
    """Whether a method of that name is the algorithm's own, or one of its parts', and not only the engine's."""
    owners = (process, *(part.process for part in parts_of(process).values()))
    methods = (getattr(owner, name, None) for owner in owners)
    return any(method.__code__.co_filename in source_files(process) for method in methods if method is not None)
