"""A step whose acts a person chooses: the node sends and enters as told, and its algorithm keeps its memory.

The handler and the rules run as always and change the node's variables. What they send to others, and that they enter,
happens only if it was chosen; chosen acts that are not the algorithm's follow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING

from algorithms.engine.events import FAULT, KIND, LOST, NODE, Record
from algorithms.engine.faults import CHOICES
from algorithms.engine.process import Message, MutexProcess, Process, Send
from algorithms.engine.scenario import Event, NodeAct

if TYPE_CHECKING:
    from algorithms.engine.simulation import Simulation

ENTERING = NodeAct("enter")


def sending(message: Message, to: int, names: Iterable[str] | None = None) -> NodeAct:
    """The act of sending a message, with its fields of these names; with all for None."""
    if names is None:
        names = [field.name for field in fields(message)] if is_dataclass(message) else ()
    values = tuple((name, getattr(message, name)) for name in names if hasattr(message, name))
    return NodeAct("send", type(message).__name__, to, values)


@contextmanager
def playing(run: Simulation, entry: Record, event: Event) -> Iterator[None]:
    """Let the node of an entry do the acts of an intervention instead of what its algorithm would do in the block.

    Nothing is changed if the choice was of something that is no longer there.
    """
    node, acts = entry[NODE], event.acts or ()
    is_missed = entry[KIND] == LOST or (entry[KIND] == FAULT and event.do in CHOICES)
    if is_missed or not run.is_up(node):
        yield
        return
    process, done, is_held = run.processes[node], set[NodeAct](), False
    send, entered = process.send, run.entered

    def send_if_chosen(message: Message, to: int | Iterable[int]) -> None:
        for receiver in (to,) if isinstance(to, int) else sorted(to):
            done.add(act := sending(message, receiver))
            if act in acts or receiver == node:  # to itself it may say anything
                send(message, receiver)

    def enter_if_chosen(node: int, hold: float | None, resource: int = 0) -> None:
        nonlocal is_held
        done.add(ENTERING)
        is_held = ENTERING not in acts
        if not is_held:
            entered(node, hold, resource)

    _set_send(process, send_if_chosen)
    run.entered = enter_if_chosen  # type: ignore[method-assign]
    try:
        yield
    finally:
        _set_send(process, send)
        del run.entered
    if is_held:
        process.inside, process.wants = False, True
    for act in acts:
        if act not in done:
            _perform(run, process, act)


def _set_send(process: Process, send: Send) -> None:
    process.send = send
    for part in process._parts.values():
        _set_send(part, send)


def _perform(run: Simulation, process: Process, act: NodeAct) -> None:
    """Do an act that the algorithm would not have done; entering is impossible without a request."""
    if act.do == "send":
        (kind,) = (kind for kind in run.algorithm.looks if kind.__name__ == act.type)
        process.send(kind(**dict(act.fields)), to=act.to)  # type: ignore[arg-type]
    elif isinstance(process, MutexProcess) and process.wants and not process.inside:
        process.enter()
