"""Partial-order reduction: a single message arrives first where the order of events makes no difference.

From most states the exploration need not try every order of the events that can happen. If the arrival t of a message
commutes with everything that can happen before it, t alone is tried, together with the faults of its message; all
other events are tried after it. Such a set of events is a persistent, or ample, set (Godefroid, Partial-Order Methods
for the Verification of Concurrent Systems, 1996, chapter 4; Clarke, Grumberg & Peled, Model Checking, chapter 10):

    C0   A state with steps keeps at least one.
    C1   Along every path from the state, t is possible and commutes with each event, until t itself happens. Events at
         different processes always commute: channels are queues or bags, and a process sees only its own state. At the
         process of t, see below. Where a process may crash or a link be cut, nothing is left out.
    C2   t hides nothing: a state that violates a property violates it after t as well. See `Judge.may_hide`.
    C3   No cycle consists only of states with one step: t leads to a state that is expanded later.

How C1 is known: at a process, an arrival t is *eager* in a state of the process if it commutes, with the same messages
sent on each channel, with every exit, request and timeout possible there, and with every arrival a that has ever been
computed in the state after t; and if t is also eager in the state after each of these. All events of one process are
known only when the exploration ends. So where a new one refutes an arrival that has been used as eager, the exploration
begins again, with what it has learnt.

That suffices. Let w be a path from a state s in which t was tried alone. By induction on the length of w, then on the
number of states with a single step ahead, each event of w has been computed in the state in which its process takes it.
For let w1 be a beginning of w without t that commutes with t, and a the next event. Then w1 and a also are a path from
the state after t. So a has been computed after t and w1, and has been found to commute with t. (Flanagan & Godefroid,
POPL 2005, also find dependences while they explore, but along one path at a time.)

It follows that for each path w there is an explored one that makes the events of w, and some eager arrivals, in another
order. So the reduced graph has exactly the final states and deadlocks of the full one, at the same distance, since no
arrival is left over in them. A state from which a request can no longer be met is followed by such a state in the
reduced graph, and one there is one in the full graph, since the arrivals in between are steps and not requests or
faults. Distances of other violations may be larger.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable
from typing import NamedTuple

from algorithms.engine.check.election_history import ElectionEvent
from algorithms.engine.check.encoding import DIGIT_MASK, State
from algorithms.engine.check.moves import Channel, LocalMove, Successors
from algorithms.engine.check.process_steps import NotExplorable
from algorithms.engine.check.properties import Judge
from algorithms.engine.check.transitions import TransitionSystem
from algorithms.engine.errors import Endless

LONGEST_CHAIN = 10  # of eager arrivals each of which relies on the next; most of them are in states never reached
MOST_RELIED_ON = 8  # arrivals for each that the exploration has asked for, and FREE ones
FREE = 1_000
UNKNOWN = (NotExplorable, Endless, OverflowError)  # what happens in such a state may be beyond what can be explored


class Arrival(NamedTuple):
    """The arrival of a message at a process in the state of that number."""

    channel: Channel
    message: int
    number: int


LocalEvent = tuple[str, str | None]  # what happens, as in a `Move`, and the timer concerned
Event = Arrival | LocalEvent
Step = tuple[int, tuple[tuple[Channel, int], ...], tuple[ElectionEvent, ...]]  # the state after it, and its effects


class EagerArrivals:
    """The arrivals that need not wait for other events."""

    def __init__(self, system: TransitionSystem, judge: Judge) -> None:
        self._has_erred = False
        self._system, self._judge = system, judge
        judge.notes_reads = True
        self._reliers: dict[Arrival, set[Arrival]] = {}  # eager arrivals, each with those that are eager only if it is
        self._relied_on: dict[Arrival, set[Arrival]] = {}  # the same, the other way round
        self._roots: set[Arrival] = set()  # eager arrivals that the exploration has asked for
        self._chain: dict[Arrival, int] = {}
        self._asked = 0  # arrivals that the exploration has asked for before any other relied on them
        self._late: set[Arrival] = set()  # arrivals that are not eager
        self._used: set[Arrival] = set()
        self._leading_to: defaultdict[tuple[int, int], dict[Arrival, None]] = defaultdict(dict)  # eager, by state after
        self._computed: defaultdict[tuple[int, int], list[Arrival]] = defaultdict(list)  # by process and state before
        self._unchecked: deque[tuple[Arrival, Event]] = deque()
        self._choices: dict[tuple[int, int, int], tuple[Arrival, LocalMove] | None] = {}
        self._eager_steps: dict[Arrival, Step | None] = {}
        self._names_read = 0

    def successors(self, state: State, is_ahead: Callable[[State], bool]) -> Successors | None:
        """The successors that suffice, the step among them leading `ahead`; None if all are needed."""
        system = self._system
        if system.new_arrivals or len(self._judge.names_read) != self._names_read:
            self._learn()
        if system.is_stopped(state) or system.may_lose_channels(state):
            return None
        for channel in system.channels:
            contents = state >> channel.offset & DIGIT_MASK
            if contents:
                choice = self._choice(channel, contents, state >> channel.receiver_offset & DIGIT_MASK)
                if choice is not None:
                    arrival, (move, effect) = choice
                    after = system.after(state, effect)
                    if is_ahead(after):
                        self._used.add(arrival)
                        return Successors([(move, after)], [], system.faults_on(state, channel), is_cut_short=False)
        return None

    def has_erred(self) -> bool:
        """Whether an arrival that was used as eager has turned out not to be, since the last time."""
        self._learn()
        has_erred, self._has_erred = self._has_erred, False
        return has_erred

    # ---- within --------------------------------------------------------------------------------------------

    def _learn(self) -> None:
        """Examine the arrivals that have been computed since the last time."""
        if len(self._judge.names_read) != self._names_read:
            self._names_read = len(self._judge.names_read)
            self._eager_steps.clear()
            for arrival in [arrival for arrival in self._reliers if self._eager_step(arrival) is None]:
                self._refute(arrival)
        new = self._system.new_arrivals
        while new or self._unchecked:
            if new:
                arrival = Arrival(*new.pop())
                place = arrival.channel.receiver, arrival.number
                self._computed[place].append(arrival)
                self._unchecked += ((eager, arrival) for eager in self._leading_to[place])
            else:
                eager, event = self._unchecked.popleft()
                if eager in self._reliers and not self._is_same_channel(eager, event):
                    self._check(eager, event)

    def _choice(self, channel: Channel, contents: int, number: int) -> tuple[Arrival, LocalMove] | None:
        """The eager arrival on a channel with these contents at a process in the state of that number."""
        cache_key = (channel.offset, contents, number)
        if cache_key in self._choices:
            choice = self._choices[cache_key]
            if choice is None or choice[0] in self._reliers:  # once refuted, no arrival is eager again
                return choice
        choice = self._choices[cache_key] = self._new_choice(channel, contents, number)
        return choice

    def _new_choice(self, channel: Channel, contents: int, number: int) -> tuple[Arrival, LocalMove] | None:
        for message, step in self._system.arrivals_on(channel, contents, number):
            arrival = Arrival(channel, message, number)
            self._add(arrival)
            self._learn()
            if arrival in self._reliers:
                return arrival, step
        return None

    def _add(self, arrival: Arrival, relier: Arrival | None = None) -> None:
        """Assume that an arrival is eager, and that another one relies on it, until it is refuted."""
        if arrival not in self._reliers and arrival not in self._late:
            self._reliers[arrival], self._relied_on[arrival] = set(), set()
            self._chain[arrival] = 0 if relier is None else self._chain[relier] + 1
            step, events = self._eager_step(arrival), self._local_events(*place_before(arrival))
            self._asked += relier is None
            is_far = self._chain[arrival] > LONGEST_CHAIN or len(self._chain) > FREE + MOST_RELIED_ON * self._asked
            if step is None or events is None or (is_far and relier is not None):
                self._refute(arrival)
            else:
                place = arrival.channel.receiver, step[0]
                self._leading_to[place][arrival] = None
                self._unchecked += ((arrival, other) for other in self._computed[place])
                self._unchecked += ((arrival, event) for event in events)
        if arrival in self._late:
            if relier is not None:
                self._refute(relier)
        elif relier is None:
            self._roots.add(arrival)
        else:
            self._reliers[arrival].add(relier)
            self._relied_on[relier].add(arrival)

    def _refute(self, arrival: Arrival) -> None:
        """Remember that an arrival is not eager, and so none that relies on it."""
        late = [arrival]
        while late:
            arrival = late.pop()
            if arrival in self._reliers:
                self._late.add(arrival)
                self._has_erred |= arrival in self._used
                late += self._reliers[arrival]
                self._forget(arrival)

    def _forget(self, arrival: Arrival) -> None:
        """Forget an arrival, and those that are needed for it only."""
        needless = [arrival]
        while needless:
            arrival = needless.pop()
            del self._reliers[arrival]
            for other in self._relied_on.pop(arrival):
                if other in self._reliers:
                    self._reliers[other].discard(arrival)
                    if not self._reliers[other] and other not in self._roots:
                        needless.append(other)

    def _is_same_channel(self, eager: Arrival, event: Event) -> bool:
        """Whether an event is an arrival that cannot come before an eager one, or is the same one."""
        if not isinstance(event, Arrival) or event.channel is not eager.channel:
            return False
        return self._system.is_fifo or event.message == eager.message

    def _check(self, eager: Arrival, event: Event) -> None:
        """Refute an eager arrival unless it commutes with an event, and is eager after it."""
        node, number = place_before(eager)
        own = self._eager_step(eager)
        assert own is not None
        before = self._steps(node, event, number)
        after = self._steps(node, event, own[0])
        if before is None or after is None or len(before) != len(after):
            self._refute(eager)
            return
        for first, second in zip(before, after, strict=True):
            has_failed = [self._system.is_failed(step[0]) for step in (first, second)]
            if all(has_failed):
                continue
            later = eager._replace(number=first[0])
            then = None if any(has_failed) else self._eager_step(later)
            if then is None or self._joined(first, then) != self._joined(own, second):
                self._refute(eager)
                return
            self._add(later, eager)

    def _joined(self, first: Step, second: Step) -> object:
        """The effects of two steps of a process, one after the other."""
        sent: dict[Channel, list[int]] = {}
        for channel, message in (*first[1], *second[1]):
            sent.setdefault(channel, []).append(message)
        rows = sent if self._system.is_fifo else {channel: sorted(row) for channel, row in sent.items()}
        return second[0], rows, first[2] + second[2]

    def _eager_step(self, arrival: Arrival) -> Step | None:
        """The step of an arrival; None if it fails, depends on chance or may hide something."""
        if arrival not in self._eager_steps:
            self._eager_steps[arrival] = self._new_eager_step(arrival)
        return self._eager_steps[arrival]

    def _new_eager_step(self, arrival: Arrival) -> Step | None:
        node, number = place_before(arrival)
        steps = self._steps(node, arrival, number)
        if steps is None or len(steps) != 1:
            return None
        after, sent, events = steps[0]
        if events or self._system.is_failed(after):
            return None
        count = self._system.count_tokens
        gained = count(message for _, message in sent) - count([arrival.message])
        return None if self._judge.may_hide(node, number, after, gained) else steps[0]

    def _steps(self, node: int, event: Event, number: int) -> list[Step] | None:
        """The possible steps of a process at an event in the state of that number; None if they are not known."""
        try:
            if isinstance(event, Arrival):
                moves = self._system.arrival(event.channel, event.message, number)
            else:
                moves = tuple(step for step in self._system.local_steps(node, number) if _event_of(step) == event)
        except UNKNOWN:
            return None
        return [(self._system.number_after(node, number, effect), effect.sent, effect.events) for _, effect in moves]

    def _local_events(self, node: int, number: int) -> set[LocalEvent] | None:
        """What a process may do by itself in the state of that number; None if that is not known."""
        try:
            return {_event_of(step) for step in self._system.local_steps(node, number)}
        except UNKNOWN:
            return None


def place_before(arrival: Arrival) -> tuple[int, int]:
    """The process at which a message arrives, and the number of its state."""
    return arrival.channel.receiver, arrival.number


def _event_of(step: LocalMove) -> LocalEvent:
    return step[0].do, step[0].timer
