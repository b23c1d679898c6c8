"""Elections recognized in the trace: whether one is under way, who has yet to learn its outcome, what it costs.

Processes report only their beliefs, so elections must be inferred. A process calls an election when it sends, of its
own accord (on a request, a timeout, a recovery), a message whose look is "ask". If none is under way, the announcement
of another leader or a newly known one starts one, too. An election ends when all processes that are up have learnt its
outcome since it started, and agree. Until then, beliefs from an earlier election are out of date.
"""

from __future__ import annotations

from dataclasses import dataclass

from algorithms.engine.dispatch import messages_of
from algorithms.engine.events import FAULT, KIND, LAUNCH, MESSAGE, NODE, REQUEST, SENDER, SEQ, TIME, TIMER, Record
from algorithms.engine.observe.observer import Observer, Situation
from algorithms.engine.observe.series import Log, Samples, Spread, Tally
from algorithms.engine.process import Algorithm

_SPONTANEOUS = (REQUEST, TIMER, FAULT, LAUNCH)


@dataclass(frozen=True)
class Election:
    """One election, from the first call until all live processes agree."""

    start: float
    initiators: tuple[int, ...]  # processes that called it: on a request, a recovery, or a timeout of their own
    calls: int  # total number of calls, including those repeated on a timeout
    messages: dict[str, int]  # name of the message class -> number of messages: those until its end, and their results
    leader: int | None = None  # None while it is under way
    turnaround: float | None = None


@dataclass(frozen=True)
class ElectionCounters:
    """All elections of a run, up to some step."""

    started: int
    finished: int
    turnaround: Spread
    initiators: int  # total of all elections, as are the calls
    calls: int
    complete: int  # number of elections that have finished and have no message in transit
    messages_per_election: float | None  # over the complete ones; None before the first
    open_messages: int  # messages of all others, so far
    latest: Election | None


class Elections(Observer):
    """Follows the elections of a run, for the counters and the monitors E1 and E2.

    `beliefs` maps each node to the leader it believes in, `terms` to the term of that leader; `uninformed` are the
    nodes that are up and have yet to learn the outcome. `changed` are the nodes for which any of this, or being up, has
    changed in the latest step.
    """

    def __init__(self, situation: Situation, algorithm: Algorithm) -> None:
        self.is_under_way = False
        self.number = 0  # number of the latest election, from 1
        self.beliefs: dict[int, int] = {}
        self.terms: dict[int, int] = {}
        self.uninformed: set[int] = set()
        self.changed: set[int] = set()
        self.starts: Log[float] = Log()
        self.ends: Log[tuple[int, int]] = Log()  # number and leader
        self.turnarounds = Samples()
        self.initiators: Log[tuple[int, int]] = Log()  # number of the election and caller
        self.calls: Log[int] = Log()  # number of the election
        self.completions: Log[int] = Log()  # numbers of the elections whose last message has arrived
        self.sent = Tally()  # by number of the election (0: before the first) and message class
        self._here = situation
        self._asks = messages_of(algorithm, "ask")
        self._announces = messages_of(algorithm, "announce")
        self._start = 0.0
        self._informed: set[int] = set()  # nodes that have learnt of a leader in the latest election
        self._sending: list[tuple[int, type, int]] = []  # sender, class and serial number of the step's messages
        self._election_of: dict[int, int] = {}  # serial number of a message in transit -> its election
        self._in_transit: dict[int, int] = {}  # election that is not complete -> its messages in transit
        self._cause = 0  # the election that the message delivered in the current step belongs to; 0: none
        self._learning: dict[int, int] = {}  # node -> leader learnt in the current step

    # ---- for the counters ----------------------------------------------------------------------------------

    def at(self, step: int) -> ElectionCounters:
        """All elections up to that step."""
        started, messages = self.starts.count(step), self.sent.at(step)
        complete = set(self.completions.at(step))
        total = sum(count for (number, _), count in messages.items() if number in complete)
        elections = sum(count for (number, _), count in messages.items() if number)
        return ElectionCounters(
            started,
            finished=self.ends.count(step),
            turnaround=self.turnarounds.spread(step),
            initiators=len(set(self.initiators.at(step))),
            calls=self.calls.count(step),
            complete=len(complete),
            messages_per_election=total / len(complete) if complete else None,
            open_messages=elections - total,
            latest=self.election(started, step) if started else None,
        )

    def election(self, number: int, step: int) -> Election:
        """An election, by its number from 1, as it stands after `step` steps."""
        callers = [caller for n, caller in self.initiators.at(step) if n == number]
        kinds = sorted((kind.__name__, kind) for n, kind in self.sent.at(step) if n == number)
        ends = {
            n: (leader, took) for (n, leader), took in zip(self.ends.at(step), self.turnarounds.values, strict=False)
        }
        return Election(
            self.starts.values[number - 1],
            tuple(dict.fromkeys(callers)),
            self.calls.at(step).count(number),
            {name: self.sent.count((number, kind), step) for name, kind in kinds},
            *ends.get(number, ()),
        )

    # ---- for E1 and E2 -------------------------------------------------------------------------------------

    def has_current_belief(self, node: int) -> bool:
        """Whether the node's belief is up to date, and its leader is not gone."""
        return self._is_informed(node) and not self._here.is_gone(self.beliefs[node])

    def belief_with_term(self, node: int) -> tuple[int, int]:
        """The leader that a node believes in, and its term."""
        return self.beliefs[node], self.terms[node]

    # ---- observing -----------------------------------------------------------------------------------------

    def on_sent(self, step: int, record: Record) -> None:
        if record[NODE] != record[SENDER]:
            self._sending.append((record[SENDER], type(record[MESSAGE]), record[SEQ]))

    def on_received(self, step: int, record: Record) -> None:
        self._arrive(record)

    def on_lost(self, step: int, record: Record) -> None:
        self._arrive(record)

    def on_copied(self, step: int, time: float, record: Record) -> None:
        self.sent.steps[self.number, type(record[MESSAGE])].append(step)

    def on_elected(self, step: int, time: float, node: int, leader: int, term: int) -> None:
        self._learning[node] = leader
        self.terms[node] = term

    def on_gone(self, step: int, time: float, node: int) -> None:
        self.uninformed.discard(node)
        self.changed.add(node)

    def on_paused(self, step: int, time: float, node: int) -> None:
        self.uninformed.discard(node)
        self.changed.add(node)

    def on_unpaused(self, step: int, time: float, node: int) -> None:
        self._return(node)

    def on_back(self, step: int, time: float, node: int, memory: bool) -> None:
        self.beliefs.pop(node, None)  # even with its memory: earlier beliefs are out of date
        self._informed.discard(node)
        self._return(node)

    def on_step(self, step: int, time: float) -> None:
        self.changed.clear()
        self._cause = 0

    def on_end(self, step: int, event: Record) -> None:
        if self._sending or self._learning or self.changed:
            self._follow(step, event)
        if self._in_transit and not self.is_under_way:
            for number in [number for number, count in self._in_transit.items() if not count]:
                del self._in_transit[number]
                self.completions.add(step, number)

    # ---- within --------------------------------------------------------------------------------------------

    def _follow(self, step: int, event: Record) -> None:
        self._call(step, event[TIME], self._callers(event[KIND]), event[KIND] == TIMER)
        number = self.number if self.is_under_way else self._cause
        for _, message, serial in self._sending:
            self.sent.steps[number, message].append(step)
            if number in self._in_transit:
                self._in_transit[number] += 1
                self._election_of[serial] = number
        self._learn()
        self._sending.clear()
        if self.is_under_way and not self.uninformed:
            self._end_election(step, event[TIME])

    def _arrive(self, record: Record) -> None:
        self._cause = self._election_of.pop(record[SEQ], 0)
        if self._cause in self._in_transit:
            self._in_transit[self._cause] -= 1

    def _return(self, node: int) -> None:
        self.changed.add(node)
        if self.number and (node not in self.beliefs or (self.is_under_way and node not in self._informed)):
            self.uninformed.add(node)

    def _callers(self, kind: int) -> list[int]:
        """The processes that call or announce an election in the current step."""
        if kind not in _SPONTANEOUS:
            return []
        callers = [sender for sender, message, _ in self._sending if kind == REQUEST or message in self._asks]
        if not callers and not self.is_under_way:
            announcers = [sender for sender, message, _ in self._sending if message in self._announces]
            callers = [sender for sender in announcers if self.beliefs.get(sender) != sender]
            callers += self._learning
        return list(dict.fromkeys(callers))

    def _call(self, step: int, time: float, callers: list[int], is_on_timeout: bool) -> None:
        repeated = is_on_timeout and self.is_under_way
        if callers and not self.is_under_way:
            self._start_election(step, time)
        for caller in callers:
            self.calls.add(step, self.number)
            if not repeated:
                self.initiators.add(step, (self.number, caller))

    def _start_election(self, step: int, time: float) -> None:
        self.is_under_way = True
        self.number += 1
        self.starts.add(step, time)
        self._in_transit[self.number] = 0
        self._start = time
        self._informed.clear()
        self.uninformed.update(node for node in range(self._here.nodes) if self._here.is_up(node))
        self.changed |= self.uninformed

    def _learn(self) -> None:
        self.beliefs |= self._learning
        self._informed |= self._learning.keys()
        self.uninformed -= self._learning.keys()
        self.changed |= self._learning.keys()
        self._learning.clear()

    def _is_informed(self, node: int) -> bool:
        """Whether the node is up and has a belief from the latest election."""
        return node in self.beliefs and self._here.is_up(node) and (not self.is_under_way or node in self._informed)

    def _end_election(self, step: int, time: float) -> None:
        """End the election if all processes that are up agree."""
        leaders = {leader for node, leader in self.beliefs.items() if self._is_informed(node)}
        if len(leaders) == 1:
            self.is_under_way = False
            self.ends.add(step, (self.number, leaders.pop()))
            self.turnarounds.add(step, time - self._start)
