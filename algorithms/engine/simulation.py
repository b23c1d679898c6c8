"""The simulation: processes, channels, load and faults on one event queue. `step` is the primitive.

Nothing here knows an algorithm, the wall clock or a screen. Local computation takes no time: the rules that a handler
enables run in the same step.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from heapq import heappop
from math import inf
from operator import itemgetter
from typing import Any

from algorithms.engine import faults
from algorithms.engine.applications import Applications, activity
from algorithms.engine.dispatch import (
    Bells,
    Handlers,
    connect,
    parameters_of,
    reset,
    rules_of,
    set_parameter,
    settle,
    with_parameters,
)
from algorithms.engine.errors import Misuse
from algorithms.engine.events import (
    APPLIED,
    CREATED,
    DELIVER,
    DESTROYED,
    ELECTED,
    ENTER,
    FAULT,
    HELD,
    KIND,
    LAUNCH,
    LEAVE,
    LOST,
    MESSAGE,
    NODE,
    REQUEST,
    RESOURCE,
    SENDER,
    SUSPECTED,
    TIME,
    TIMER,
    EventQueue,
    Record,
)
from algorithms.engine.gc_pause import NO_COLLECTION
from algorithms.engine.membership import ABSENT, Availability, Members
from algorithms.engine.network import Post
from algorithms.engine.played import playing
from algorithms.engine.process import Algorithm, Process
from algorithms.engine.randomness import Prescribed, Stream, key
from algorithms.engine.scenario import Event, Scenario
from algorithms.engine.timers import Timers
from algorithms.engine.topology import neighbours
from algorithms.engine.trace import Trace

_ANYWAY = (FAULT, LOST)  # what happens even if the node is down: a message is lost in transit


class Simulation(Availability):
    """One run of `algorithm` under `scenario`, with `interventions` in the order of their steps.

    Public for reading only: `now`, `steps`, `processes`, `queue`, `timers`, `down` (node -> crashed, paused or absent),
    `inboxes` (node -> the entries that wait while it is paused), `applications` (the load and queued requests),
    `post` (the channels and messages in transit), `trace`, `links`, `tuned` (parameters changed since the start, by
    name).
    """

    def __init__(self, scenario: Scenario, algorithm: Algorithm, interventions: Iterable[Event] = ()) -> None:
        self.scenario = scenario
        self.algorithm = algorithm = algorithm.of(scenario.variant)
        self.interventions = list(interventions)
        self.links = scenario.links(algorithm.topology)
        self.neighbours = neighbours(scenario.nodes, self.links)
        self.members = Members(range(scenario.nodes))
        self.process_class = with_parameters(algorithm.process, scenario.parameters)
        self.tuned: dict[str, Any] = {}
        self.trace = Trace()
        self.queue = EventQueue()
        self.post = Post(self)
        self.processes: list[Any] = self._create_processes()
        self.now = 0.0
        self.steps = 0
        self.seq = 0
        self.failed_step: int | None = None  # the step, from 1 on, that an error of the algorithm interrupted last
        self.query_error: Exception | None = None  # the latest error of a query of the algorithm's state
        self.down: dict[int, str] = {}
        self.inboxes: dict[int, list[Record]] = {}
        self.timers = Timers(self)
        self.applications = Applications(self)
        self.streams: dict[tuple[str, int], Stream] = {}
        self._own_streams: dict[int, Stream] = {}  # those of the processes, which are also in `streams`
        self._rules = rules_of(self.process_class)
        self._handlers, self._bells = Handlers(self.process_class), Bells(self.process_class)
        self._actions: tuple[Callable[[Record], None], ...] = (
            self._deliver,
            lambda entry: None,  # LOST: recording it is enough
            self._ring,
            self.applications.ask,
            self.applications.leave,
            self._do_event,
            self._launch,
        )
        self.set_timer = self.timers.start
        self._open()

    # ---- running -------------------------------------------------------------------------------------------

    def step(self) -> bool:
        """Execute the next event, whatever its time; False if the run is over."""
        return self.run(steps=self.steps + 1) == 1

    def run(self, until: float = inf, steps: float = inf) -> int:
        """Execute events up to time `until`, inclusive, and to `steps` steps in total.

        Returns the number of events executed.
        """
        before = self.steps
        try:
            while self.steps < steps and self._run_stretch(until, steps):
                pass
        except BaseException:
            self.failed_step = self.steps
            raise
        return self.steps - before

    def _run_stretch(self, until: float, steps: float) -> bool:
        """Execute the next intervention, or all events before it; False if nothing is left to do."""
        intervention = self._next_intervention()
        due = inf if intervention is None else intervention.steps_before
        if intervention is not None and due == self.steps:
            if intervention.at > until:
                return False
            self._intervene(intervention)
            return True
        with NO_COLLECTION:
            self._run_queue(until, min(steps, due))
        return self.steps == due

    def next_time(self) -> float | None:
        """The time of the next event; None if the run is over."""
        intervention = self._next_intervention()
        if intervention is not None and intervention.step == self.steps:
            return max(self.now, intervention.at)
        while (entry := self.queue.peek()) is not None:
            if entry[KIND] != TIMER or self.timers.due.get(entry[NODE : NODE + 2]) is entry:
                return float(entry[0])
            self.queue.pop()
            self.timers.runs_out(entry)
        return None

    def is_over(self) -> bool:
        """Whether nothing more can happen, other than requests of processes that wait already or are gone."""
        intervention = self._next_intervention()
        if intervention is not None and intervention.step == self.steps:
            return False
        if self.algorithm.is_election():
            return self.next_time() is None
        return all(self._is_idle(entry) for entry in self.queue)

    def _is_idle(self, entry: Record) -> bool:
        """Whether an entry of the queue changes nothing for any process."""
        kind, node = entry[KIND], entry[NODE]
        if kind == TIMER:
            return self.timers.due.get(entry[NODE : NODE + 2]) is not entry
        return kind == REQUEST and (self.is_gone(node) or self.processes[node].busy(entry[RESOURCE]))

    def _run_queue(self, until: float, steps: float) -> None:
        """The inner loop; what happens most often, deliveries and timers, is written out here."""
        heap, lane = self.queue.heap, self.queue.lane
        processes, handlers, rules = self.processes, self._handlers, self._rules
        bells, runs_out = self._bells, self.timers.runs_out
        down, actions = self.down, self._actions
        records, begin = self.trace.records, self.trace.starts.append
        record = records.append
        done = self.steps
        try:
            while done < steps:
                if lane and (not heap or lane[0] < heap[0]):  # EventQueue.pop
                    if lane[0][0] > until:
                        break
                    entry = lane.popleft()
                elif heap and heap[0][0] <= until:
                    entry = heappop(heap)
                else:
                    break
                self.now, kind, node = entry[0], entry[2], entry[3]
                if kind == TIMER and not runs_out(entry):
                    continue
                done += 1
                begin(len(records))
                if down and node in down and kind not in _ANYWAY:
                    self._reach_absent(entry)
                    continue
                record(entry)
                process = processes[node]
                if kind == DELIVER:
                    message = entry[4]
                    handlers[type(message)](process, message, entry[5])
                elif kind == TIMER:
                    bells[entry[4]](process)
                else:
                    actions[kind](entry)
                    continue
                for guard, _ in rules:
                    if guard(process):
                        self.settle(process)
                        break
        finally:
            self.steps = done

    def _intervene(self, event: Event) -> None:
        """Execute an intervention as a step; for a choice of the scheduler, the chosen entry."""
        self.now = max(self.now, event.at)
        self._postpone_overdue(event)
        chosen = faults.chosen_entry(self, event)
        entry = chosen or (self.now, self.number(), FAULT, -1 if event.node is None else event.node, event)
        self.trace.starts.append(len(self.trace.records))
        self.steps += 1
        if self.down and entry[NODE] in self.down and entry[KIND] not in _ANYWAY:
            self._reach_absent(entry)
        else:
            self.trace.records.append(entry)
            played = nullcontext() if event.acts is None else playing(self, entry, event)
            with self._loaded_dice(entry[NODE], event.draws), played:
                self._actions[entry[KIND]](entry)

    @contextmanager
    def _loaded_dice(self, node: int, draws: tuple[float, ...]) -> Iterator[None]:
        """Prescribe the random numbers that the algorithm at `node` draws within the block."""
        if not draws:
            yield
            return
        usual = self.stream(node)
        self._own_streams[node] = Prescribed(draws, then=usual)
        try:
            yield
        finally:
            self._own_streams[node] = usual

    def _postpone_overdue(self, event: Event) -> None:
        """Postpone entries that are overdue because the scheduler has chosen a later one first.

        They are due now; timers, exits and messages to oneself a unit of time later, even if they are due just now: the
        effect of the choice should be visible. Entries that no timer needs any more are dropped.
        """
        entries = self.queue.entries()
        find = bisect_right if event.do in faults.CHOICES else bisect_left
        late = find(entries, self.now, key=itemgetter(TIME))
        if late:
            now = self.now
            postponed = [
                self._postponed(entry) if entry[KIND] != DELIVER or entry[SENDER] == entry[NODE] else (now, *entry[1:])
                for entry in entries[:late]
                if entry[KIND] != TIMER or self.timers.is_queued(entry)
            ]  # no call for each: there may be thousands of messages
            self.queue.restore(sorted([*postponed, *entries[late:]]))

    def _postponed(self, entry: Record) -> Record:
        """The same entry, due later; a timer is updated to refer to it."""
        to_oneself = entry[KIND] == DELIVER and entry[SENDER] == entry[NODE]
        moved = (self.now + 1 if to_oneself or entry[KIND] in (TIMER, LEAVE) else self.now, *entry[1:])
        if entry[KIND] == TIMER:
            self.timers.replace(entry, moved)
        return moved

    def _next_intervention(self) -> Event | None:
        place = bisect_left(self.interventions, self.steps, key=lambda event: event.steps_before)
        return self.interventions[place] if place < len(self.interventions) else None

    # ---- the events ----------------------------------------------------------------------------------------

    def _launch(self, entry: Record) -> None:
        for process in self.processes:
            if self.is_up(process.id):
                process.launch()
                self.settle(process)

    def _deliver(self, entry: Record) -> None:
        process = self.processes[entry[NODE]]
        message = entry[MESSAGE]
        self._handlers[type(message)](process, message, entry[SENDER])
        self.settle(process)

    def _ring(self, entry: Record) -> None:
        process = self.processes[entry[NODE]]
        self._bells[entry[4]](process)
        self.settle(process)

    def _do_event(self, entry: Record) -> None:
        event = entry[4]
        if event.every:
            self.queue.push((self.now + event.every, self.number(), *entry[KIND:]))
        faults.apply(self, event)

    def settle(self, process: Process) -> None:
        """Run the rules of a process that the current step has enabled."""
        if self._rules:
            settle(process, self._rules)

    def _reach_absent(self, entry: Record) -> None:
        """Handle an entry for a node that is down: it waits or is lost."""
        node, kind, records = entry[NODE], entry[KIND], self.trace.records
        if self.is_paused(node):
            self.inboxes.setdefault(node, []).append(entry)
            records.append((self.now, entry[1], HELD, node, entry))
            return
        records.append(entry)
        if kind == DELIVER:
            self.post.lose(entry)
            self._notify_sender(entry)
        elif kind == REQUEST:
            self.applications.miss(node)

    def _notify_sender(self, message: Record) -> None:
        """Tell the sender that the receiver is gone, as a refused connection would."""
        sender = message[SENDER]
        if self.is_up(sender):
            process = self.processes[sender]
            process.unreached(message[MESSAGE], message[NODE])
            self.settle(process)

    # ---- the host of the processes -------------------------------------------------------------------------

    def cancel_timer(self, node: int, name: str) -> None:
        self.timers.cancel(node, name)

    def entered(self, node: int, hold: float | None, resource: int = 0) -> None:
        self.trace.records.append((self.now, 0, ENTER, node, resource))
        self.applications.enter(node, hold, resource)

    def elected(self, node: int, leader: int, term: int) -> None:
        self.trace.records.append((self.now, 0, ELECTED, node, leader, term))

    def suspected(self, node: int, suspect: int) -> None:
        self.trace.records.append((self.now, 0, SUSPECTED, node, suspect))

    def token_created(self, node: int) -> None:
        self.trace.records.append((self.now, 0, CREATED, node))

    def token_destroyed(self, node: int) -> None:
        self.trace.records.append((self.now, 0, DESTROYED, node))
        self.post.destroyed(node)

    def applied(self, node: int, *what: Any) -> None:
        self.trace.records.append((self.now, 0, APPLIED, node, *what))

    def stream(self, node: int) -> Stream:
        stream = self._own_streams.get(node)
        if stream is None:
            stream = self._own_streams[node] = self.stream_of("algorithm", node)
        return stream

    # ---- for faults, the load and checkpoints --------------------------------------------------------------

    def stream_of(self, use: str, node: int) -> Stream:
        """The random stream for one use at one node."""
        stream = self.streams.get((use, node))
        if stream is None:
            stream = self.streams[use, node] = Stream(key(self.scenario.seed, use, node))
        return stream

    def state_of(self, node: int) -> str:
        """The state of a node: "crashed", "paused" or "absent", otherwise "inside", "wanting" or "idle"."""
        return self.down.get(node) or activity(self.processes[node])

    def introduce(self, node: int) -> None:
        """Update the peers of a node that has come or gone, and its neighbours'."""
        absent = set(self.absent_nodes())
        for other in (node, *self.neighbours[node]):
            self.processes[other].peers = tuple(n for n in self.neighbours[other] if n not in absent)

    def update_membership(self) -> None:
        """Make all peers and the membership agree with `down`."""
        absent = set(self.absent_nodes())
        for process, beside in zip(self.processes, self.neighbours, strict=True):
            process.peers = tuple(node for node in beside if node not in absent) if absent else beside
            (self.members.remove if self.is_gone(process.id) else self.members.add)(process.id)

    def tune(self, values: dict[str, Any]) -> None:
        """Set these parameters, and reset all others to the scenario's values."""
        declared = parameters_of(self.process_class)
        for name in {**self.tuned, **values}:
            usual = self.scenario.parameters.get(name, declared[name].default)
            set_parameter(self.process_class, name, values.get(name, usual))
        self.tuned = values

    def waiting_entries(self) -> list[Record]:
        """The entries that wait at paused nodes, by node and in order of arrival."""
        return [entry for node in sorted(self.inboxes) for entry in self.inboxes[node]]

    def remove_waiting(self, entry: Record) -> None:
        """Remove an entry that waits at a paused node."""
        waiting = [other for other in self.inboxes.pop(entry[NODE]) if other is not entry]
        if waiting:
            self.inboxes[entry[NODE]] = waiting

    def readmit(self, entries: list[Record]) -> None:
        """Requeue entries that have waited at a paused node; they happen now, in order of arrival."""
        for entry in entries:
            again = (self.now, *entry[1:])
            if entry[KIND] == TIMER:
                self.timers.start_again(again)
            else:
                self.queue.push(again)

    # ---- within --------------------------------------------------------------------------------------------

    def _create_processes(self) -> list[Any]:
        processes = []
        for node, peers in enumerate(self.neighbours):
            process = self.process_class()
            connect(process, self, self.post.sender(node), node, peers, self.scenario.nodes)
            processes.append(process)
        return processes

    def _open(self) -> None:
        """Set everything up, and enqueue the launch, the scenario's events and the first requests."""
        members = self.scenario.members if self.scenario.members is not None else self.scenario.nodes
        self.down.update(dict.fromkeys(range(members, self.scenario.nodes), ABSENT))
        self.update_membership()
        for node, process in enumerate(self.processes):
            reset(process)
            if process.id != node:
                raise Misuse(f"P{node} changes its own id")
        self.queue.push((0.0, 0, LAUNCH, -1))
        for event in sorted((e for e in self.scenario.events if e.step is None), key=lambda e: e.at):
            node = -1 if event.node is None else event.node
            self.queue.push((event.at, self.number(), FAULT, node, event))
        self.applications.open(self.applications.load)

    def number(self) -> int:
        """The next serial number."""
        self.seq += 1
        return self.seq
