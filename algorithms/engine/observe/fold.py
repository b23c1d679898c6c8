"""Reading along: a fold goes through the steps of a trace once each and tells its observers what happened in them.

Meters and monitors are folds. What they count is never part of a run's state; it is read off the trace, while the
run goes on or afterwards, and is set back when the trace is cut.
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

EVERY = 1_000  # steps between two saved states of a fold
CHUNK = 20_000  # steps of a run that forgets its trace


class _Saved(NamedTuple):
    """The working states of all observers after some step."""

    steps: int
    now: float
    states: list[dict[str, Any]]

    def reach(self) -> int:
        """How many steps it will do for: the more it holds the more, so that all of them together stay small."""
        size = sum(len(value) for state in self.states for value in state.values() if isinstance(value, Collection))
        return max(EVERY, size // 4)


class Fold:
    """Reads a trace and tells `observers` about it; they are told in this order.

    `steps` is how many steps have been read, `now` the time of the last of them.
    """

    def __init__(self, scenario: Scenario, algorithm: Algorithm) -> None:
        self.steps = 0
        self.now = 0.0
        self.situation = Situation(scenario)
        self.observers: list[Observer] = []
        self._hearers: dict[str, list[Callable[..., None]]] = {}  # on_… -> the methods to call
        self._turns = not algorithm.is_election()  # whether a request is one for the critical section
        self._asks = messages_of(algorithm, "ask")
        self._cuts = 0  # how many cuts of the trace have been heeded
        self._saved: list[_Saved] = []
        hearers: dict[int, Callable[[int, Record], None]] = {
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
        self._records = tuple(hearers.get(kind, _nothing) for kind in range(len(KINDS)))

    def observe(self, observers: Iterable[Observer]) -> None:
        """Tell these observers what happens. To be called once, before anything is read."""
        self.observers += observers
        for name in vars(Observer):
            if name.startswith("on_"):
                self._hearers[name] = _own_methods(name, self.observers)
        self._saved.append(self._save())

    # ---- going along ---------------------------------------------------------------------------------------

    def advance(self, trace: Trace) -> None:
        """Read the steps of the trace that are new, after going back to where it was cut, if it was."""
        for cut in trace.cuts[self._cuts :]:
            self.truncate(cut)
        self._cuts = len(trace.cuts)
        while self.steps < len(trace):
            next_save = self._saved[-1].steps + self._saved[-1].reach()
            self._read(trace, min(len(trace), next_save))
            if self.steps == next_save:
                self._saved.append(self._save())
        trace.read = max(trace.read, self.steps)

    def truncate(self, step: int) -> None:
        """Take back what was read after `step` (and a little more, which will be read again)."""
        if step >= self.steps:
            return
        while self._saved[-1].steps > step:
            self._saved.pop()
        saved = self._saved[-1]
        self.steps, self.now = saved.steps, saved.now
        for observer, state in zip(self._everybody(), saved.states, strict=True):
            vars(observer).update(freeze(state))
            for series in all_series(observer):
                series.truncate(self.steps)

    def forget(self) -> None:
        """Keep totals only: from now on nothing can be asked about, or taken back, before the present step."""
        for observer in self._everybody():
            for series in all_series(observer):
                series.forget()
        self._saved = [self._save()]

    # ---- within --------------------------------------------------------------------------------------------

    def _everybody(self) -> list[Observer]:
        return [self.situation, *self.observers]

    def _tell(self, name: str, *what: Any) -> None:
        for hear in self._hearers[name]:
            hear(*what)

    def _save(self) -> _Saved:
        return _Saved(self.steps, self.now, [_working_state(observer) for observer in self._everybody()])

    def _read(self, trace: Trace, goal: int) -> None:
        """The inner loop: a step's event, then its effects."""
        records, starts = trace.records, trace.starts
        first, last = self.steps - trace.forgotten, goal - trace.forgotten
        bounds = starts[first : last + 1]
        if last == len(starts):
            bounds.append(len(records))
        received, sent, begin, end = (self._hearers[f"on_{what}"] for what in ("received", "sent", "step", "end"))
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
        """A process leaves; if a request has queued up, it asks after it has told others that it left.

        Returns the effects that are still to be told.
        """
        here, node = self.situation, event[NODE]
        seat = (event[RESOURCE], node)
        if seat in here.wants or not here.requests.waiting(seat):
            self._leave(step, event)
            return effects
        here.wants.add(seat)
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
        asked = None
        if seat not in here.inside and here.requests.waiting(seat):
            asked = here.requests.close(seat, step)
        here.wants.discard(seat)
        here.inside.add(seat)
        self._tell("on_entered", step, record[TIME], record[NODE], asked)

    def _resumed(self, step: int, record: Record) -> None:
        self.situation.inside.add(self._seat(record))
        self._tell("on_resumed", step, record[TIME], record[NODE])

    def _seat(self, record: Record) -> Seat:
        """Whose turn at which resource the record is about; that resource is the present one now."""
        seat = (record[RESOURCE], record[NODE])
        self.situation.resource = record[RESOURCE]
        self.situation.take_seat(seat)
        return seat

    def _elected(self, step: int, record: Record) -> None:
        self._tell("on_elected", step, record[TIME], record[NODE], record[4])

    def _created(self, step: int, record: Record) -> None:
        self._tell("on_created", step, record[TIME], record[NODE])

    def _destroyed(self, step: int, record: Record) -> None:
        self._tell("on_destroyed", step, record[TIME], record[NODE])

    def _suspected(self, step: int, record: Record) -> None:
        self._tell("on_suspected", step, record[TIME], record[NODE], record[4])

    def _applied(self, step: int, record: Record) -> None:
        self._tell("on_applied", step, record)

    # ---- what is done to the run ---------------------------------------------------------------------------

    def _fault(self, step: int, record: Record, effects: Sequence[Record]) -> None:
        """What is done, its effects, and what only comes after them: a node that leaves acts before it is gone."""
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
            elif seat not in here.cut_short and here.requests.waiting(seat):
                here.wants.add(seat)
        here.cut_short.difference_update(here.seats_of(node))
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
        """The application at a node asks; its process does so too, unless it is busy."""
        here, seat = self.situation, (resource, node)
        here.resource = resource
        here.take_seat(seat)
        self._tell("on_request", step, time, node)
        if self._turns:
            here.requests.open(seat, step, time)
            if seat not in here.wants and seat not in here.inside:
                here.wants.add(seat)
                self._tell("on_asked", step, time, node)

    def _go_down(self, step: int, time: float, node: int, state: str) -> None:
        here = self.situation
        seats = here.seats_of(node)
        if state == CRASHED:
            here.cut_short.update(here.inside.intersection(seats))
        here.down[node] = state
        here.inside.difference_update(seats)
        here.wants.difference_update(seats)
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
    """Run on up to time `until` or that many steps in all, folding the trace a chunk at a time and forgetting it."""
    more = True
    while more:
        goal = min(steps, simulation.steps + CHUNK)
        more = simulation.run(until, goal) > 0 and simulation.steps < steps
        for fold in folds:
            fold.advance(simulation.trace)
            fold.forget()
        simulation.trace.forget()


def _own_methods(name: str, observers: Iterable[Observer]) -> list[Callable[..., None]]:
    """The methods of that name, of those observers that do not leave it at hearing nothing."""
    return [getattr(o, name) for o in observers if getattr(type(o), name) is not getattr(Observer, name)]


def _working_state(observer: Observer) -> dict[str, Any]:
    return freeze({name: value for name, value in vars(observer).items() if not isinstance(value, Series)})


def _nothing(step: int, record: Record) -> None:
    """Launches, timers and what waits at a paused process count for nothing by themselves."""
