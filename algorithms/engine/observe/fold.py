"""Folds: a fold reads each step of a trace once and notifies its observers.

Meters and monitors are folds. Their results are never part of a run's state: they are read off the trace, during the
run or afterwards, and are rolled back when the trace is truncated.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

from algorithms.engine.checkpoint import freeze
from algorithms.engine.dispatch import messages_of
from algorithms.engine.events import (
    APPLIED,
    CREATED,
    DELIVER,
    DESTROYED,
    ELECTED,
    ENTER,
    FAULT,
    KIND,
    KINDS,
    LEADER,
    LEADERS_TERM,
    LEAVE,
    LOST,
    MESSAGE,
    NODE,
    REQUEST,
    RESOURCE,
    RESUMED,
    SUSPECTED,
    TIME,
    Record,
)
from algorithms.engine.membership import ABSENT, CRASHED, PAUSED
from algorithms.engine.observe.observer import Observer, Seat, Situation
from algorithms.engine.observe.series import Series, all_series
from algorithms.engine.process import Algorithm
from algorithms.engine.scenario import Event, Scenario
from algorithms.engine.trace import Trace

if TYPE_CHECKING:
    from algorithms.engine.simulation import Simulation

EVERY = 1_000  # minimum number of steps between two snapshots of a fold
CHUNK = 20_000  # steps per chunk of a run that forgets its trace
_EVENTS = {name: method for name, method in vars(Observer).items() if name.startswith("on_")}


class _Snapshot(NamedTuple):
    """The working states of all observers after some step."""

    steps: int
    now: float
    states: list[dict[str, Any]]
    following: int  # the number of steps at which the next one is due


class Fold:
    """Reads a trace and notifies its `observers`, in their order.

    `steps` is the number of steps read, `now` the time of the last of them.
    """

    def __init__(self, scenario: Scenario, algorithm: Algorithm) -> None:
        self.steps = 0
        self.now = 0.0
        self.situation = Situation(scenario)
        self.observers: list[Observer] = []
        self._listeners: dict[str, list[Callable[..., None]]] = {}  # name of an event -> the methods to call
        self._is_mutex = not algorithm.is_election()  # whether requests are for the critical section
        self._asks = messages_of(algorithm, "ask")
        self._cuts = 0  # number of truncations of the trace handled so far
        self._snapshots: list[_Snapshot] = []
        readers: dict[int, Callable[[int, Record], None]] = {
            LOST: self._lost,
            REQUEST: self._request,
            LEAVE: self._leave,
            ENTER: self._enter,
            RESUMED: self._resumed,
            ELECTED: self._elected,
            CREATED: self._created,
            DESTROYED: self._destroyed,
            SUSPECTED: self._suspected,
            APPLIED: self._applied,
        }
        self._records = tuple(readers.get(kind, _nothing) for kind in range(len(KINDS)))

    def observe(self, observers: Iterable[Observer]) -> None:
        """Register the observers; call this once, before reading anything."""
        self.observers += observers
        kinds = [(observer, type(observer)) for observer in self.observers]
        for name, usual in _EVENTS.items():
            self._listeners[name] = [getattr(o, name) for o, kind in kinds if getattr(kind, name) is not usual]
        self._snapshots.append(self._snapshot())

    # ---- reading -------------------------------------------------------------------------------------------

    def advance(self, trace: Trace) -> None:
        """Read the new steps of the trace, rolling back first if necessary."""
        for cut in trace.cuts[self._cuts :]:
            self.truncate(cut)
        self._cuts = len(trace.cuts)
        while self.steps < len(trace):
            next_save = self._snapshots[-1].following
            self._read(trace, min(len(trace), next_save))
            if self.steps == next_save:
                self._snapshots.append(self._snapshot())
        trace.read = max(trace.read, self.steps)

    def truncate(self, step: int) -> None:
        """Roll back to a snapshot at or before `step`; steps after it will be read again."""
        if step >= self.steps:
            return
        while self._snapshots[-1].steps > step:
            self._snapshots.pop()
        snapshot = self._snapshots[-1]
        self.steps, self.now = snapshot.steps, snapshot.now
        for observer, state in zip(self._all_observers(), snapshot.states, strict=True):
            vars(observer).update(freeze(state))
            for series in all_series(observer):
                series.truncate(self.steps)

    def forget(self) -> None:
        """Keep only totals: from now on, steps before the current one can be neither queried nor rolled back."""
        for observer in self._all_observers():
            for series in all_series(observer):
                series.forget()
        self._snapshots = [self._snapshot()]

    # ---- within --------------------------------------------------------------------------------------------

    def _all_observers(self) -> list[Observer]:
        return [self.situation, *self.observers]

    def _tell(self, name: str, *what: Any) -> None:
        for hear in self._listeners[name]:
            hear(*what)

    def _snapshot(self) -> _Snapshot:
        """The present states. The larger they are, the later the next ones are kept: total memory stays linear."""
        states = [_working_state(observer) for observer in self._all_observers()]
        size = sum(len(value) for state in states for value in state.values() if isinstance(value, Collection))
        return _Snapshot(self.steps, self.now, states, self.steps + max(EVERY, size // 4))

    def _read(self, trace: Trace, goal: int) -> None:
        """The inner loop: a step's event, then its effects."""
        records, starts = trace.records, trace.starts
        first, last = self.steps - trace.forgotten, goal - trace.forgotten
        bounds = starts[first : last + 1]
        if last == len(starts):
            bounds.append(len(records))
        received, sent, begin, end = (self._listeners[f"on_{what}"] for what in ("received", "sent", "step", "end"))
        others, here = self._records, self.situation
        step = self.steps
        for start, after in pairwise(bounds):
            step += 1
            event, effects = records[start], records[start + 1 : after] if after > start + 1 else []
            kind = event[KIND]
            for hear in begin:
                hear(step, event[TIME])
            if kind == DELIVER and not (here.down and here.is_gone(event[NODE])):
                for hear in received:
                    hear(step, event)
            elif kind == FAULT:
                self._fault(step, event, effects)
                effects = []
            elif kind == LEAVE:
                effects = self._exit(step, event, effects)
            else:
                others[kind](step, event)
            for record in effects:
                if record[KIND] == DELIVER:
                    for hear in sent:
                        hear(step, record)
                else:
                    others[record[KIND]](step, record)
            for hear in end:
                hear(step, event)
        self.steps, self.now = step, event[TIME]

    # ---- the kinds of records ------------------------------------------------------------------------------

    def _lost(self, step: int, record: Record) -> None:
        self._tell("on_lost", step, record)

    def _request(self, step: int, record: Record) -> None:
        if not self.situation.is_gone(record[NODE]):
            self._ask(step, record[TIME], record[NODE], record[RESOURCE])

    def _exit(self, step: int, event: Record, effects: list[Record]) -> list[Record]:
        """Handle an exit; with a queued request, the process requests after its messages of release.

        Returns the effects that remain to be handled.
        """
        here, node = self.situation, event[NODE]
        seat = (event[RESOURCE], node)
        if seat in here.waiting or not here.requests.waiting(seat):
            self._leave(step, event)
            return effects
        here.waiting.add(seat)
        self._leave(step, event)
        place = next((i for i, effect in enumerate(effects) if self._is_asking(effect)), len(effects))
        for effect in effects[:place]:
            self._effect(step, effect)
        here.resource = event[RESOURCE]
        self._tell("on_asked", step, event[TIME], node)
        return effects[place:]

    def _is_asking(self, effect: Record) -> bool:
        return effect[KIND] == ENTER or (effect[KIND] == DELIVER and type(effect[MESSAGE]) in self._asks)

    def _effect(self, step: int, effect: Record) -> None:
        if effect[KIND] == DELIVER:
            self._tell("on_sent", step, effect)
        else:
            self._records[effect[KIND]](step, effect)

    def _leave(self, step: int, record: Record) -> None:
        seat = self._seat(record)
        if seat in self.situation.inside:
            self.situation.inside.remove(seat)
            self._tell("on_left", step, record[TIME], record[NODE])

    def _enter(self, step: int, record: Record) -> None:
        here, seat = self.situation, self._seat(record)
        asked = here.requests.close(seat, step) if here.requests.waiting(seat) else None
        here.waiting.discard(seat)
        here.inside.add(seat)
        self._tell("on_entered", step, record[TIME], record[NODE], asked)

    def _resumed(self, step: int, record: Record) -> None:
        self.situation.inside.add(self._seat(record))
        self._tell("on_resumed", step, record[TIME], record[NODE])

    def _seat(self, record: Record) -> Seat:
        """The seat of a record, whose resource becomes the current one."""
        seat = (record[RESOURCE], record[NODE])
        self.situation.resource = record[RESOURCE]
        self.situation.add_seat(seat)
        return seat

    def _elected(self, step: int, record: Record) -> None:
        self._tell("on_elected", step, record[TIME], record[NODE], record[LEADER], record[LEADERS_TERM])

    def _created(self, step: int, record: Record) -> None:
        self._tell("on_created", step, record[TIME], record[NODE])

    def _destroyed(self, step: int, record: Record) -> None:
        self._tell("on_destroyed", step, record[TIME], record[NODE])

    def _suspected(self, step: int, record: Record) -> None:
        self._tell("on_suspected", step, record[TIME], record[NODE], record[4])

    def _applied(self, step: int, record: Record) -> None:
        self._tell("on_applied", step, record)

    # ---- interventions -------------------------------------------------------------------------------------

    def _fault(self, step: int, record: Record, effects: Sequence[Record]) -> None:
        """Handle an intervention, then its effects; a node that leaves acts before it is gone."""
        event, time = record[4], record[TIME]
        act = _ACTS.get(event.do)
        if act:
            act(self, step, time, record[NODE], event)
        copying = event.do in ("duplicate", "duplicate-token")
        for effect in effects:
            if copying and effect[KIND] == DELIVER:
                self._tell("on_copied", step, time, effect)
            else:
                self._effect(step, effect)
        if event.do == "leave":
            self._go_down(step, time, event.node, ABSENT)
        self._tell("on_fault", step, time, event, effects)

    def _crash(self, step: int, time: float, node: int, event: Event) -> None:
        if not self.situation.is_gone(node):
            self._go_down(step, time, node, CRASHED)

    def _recover(self, step: int, time: float, node: int, event: Event) -> None:
        here = self.situation
        if not here.is_crashed(node):
            return
        del here.down[node]
        for seat in here.seats_of(node):
            if not event.memory:
                here.requests.void(seat, step)
            elif seat not in here.interrupted and here.requests.waiting(seat):
                here.waiting.add(seat)
        here.interrupted.difference_update(here.seats_of(node))
        self._tell("on_back", step, time, node, event.memory)

    def _pause(self, step: int, time: float, node: int, event: Event) -> None:
        if self.situation.is_up(node):
            self.situation.down[node] = PAUSED
            self._tell("on_paused", step, time, node)

    def _resume(self, step: int, time: float, node: int, event: Event) -> None:
        if self.situation.is_paused(node):
            del self.situation.down[node]
            self._tell("on_unpaused", step, time, node)

    def _join(self, step: int, time: float, node: int, event: Event) -> None:
        here = self.situation
        if event.node is None:
            node = next(iter(here.absent_nodes()), node)
        if here.is_absent(node):
            del here.down[node]
            self._tell("on_back", step, time, node, False)

    def _renounce(self, step: int, time: float, node: int, event: Event) -> None:
        for seat in self.situation.seats_of(node):
            self.situation.requests.void(seat, step)

    def _demand(self, step: int, time: float, node: int, event: Event) -> None:
        if self.situation.is_up(node):
            self._ask(step, time, node, event.resource or 0)

    def _ask(self, step: int, time: float, node: int, resource: int) -> None:
        """Handle a request of an application; its process waits from now on, unless it is busy."""
        here, seat = self.situation, (resource, node)
        here.resource = resource
        here.add_seat(seat)
        self._tell("on_request", step, time, node)
        if self._is_mutex:
            here.requests.open(seat, step, time)
            if seat not in here.waiting and seat not in here.inside:
                here.waiting.add(seat)
                self._tell("on_asked", step, time, node)

    def _go_down(self, step: int, time: float, node: int, state: str) -> None:
        here = self.situation
        seats = here.seats_of(node)
        if state == CRASHED:
            here.interrupted.update(here.inside.intersection(seats))
        here.down[node] = state
        here.inside.difference_update(seats)
        here.waiting.difference_update(seats)
        self._tell("on_gone", step, time, node)


_ACTS: dict[str, Callable[[Fold, int, float, int, Event], None]] = {
    "crash": Fold._crash,
    "recover": Fold._recover,
    "pause": Fold._pause,
    "resume": Fold._resume,
    "join": Fold._join,
    "leave": Fold._renounce,
    "request": Fold._demand,
}


def run_and_forget(simulation: Simulation, folds: Sequence[Fold], until: float = inf, steps: float = inf) -> None:
    """Run, folding and forgetting the trace chunk by chunk.

    The run ends after time `until`, or after `steps` steps in total.
    """
    more = True
    while more:
        goal = min(steps, simulation.steps + CHUNK)
        more = simulation.run(until, goal) > 0 and simulation.steps < steps
        for fold in folds:
            fold.advance(simulation.trace)
            fold.forget()
        simulation.trace.forget()


def _working_state(observer: Observer) -> dict[str, Any]:
    return freeze({name: value for name, value in vars(observer).items() if not isinstance(value, Series)})


def _nothing(step: int, record: Record) -> None:
    """Ignore a launch, a timer or an entry that waits at a paused node."""
