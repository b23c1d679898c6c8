"""Elections read off the trace: when one is under way, who has yet to learn its outcome, what it has cost.

A process announces what it believes, and nothing else, so an election has to be recognised. It is called for when,
of its own accord (asked to, on a time-out, on coming back), a process sends a call: a message whose look is "ask".
While none is under way an announcement, or simply knowing a leader, opens one just as well. It is over when everybody
who is up has learnt its outcome since, and all agree. What was learnt in an earlier election is out of date until then.
"""

from __future__ import annotations

from dataclasses import dataclass

from algorithms.engine.dispatch import messages_of
from algorithms.engine.events import FAULT, KIND, LAUNCH, MESSAGE, NODE, REQUEST, SENDER, TIME, TIMER, Record
from algorithms.engine.observe.observer import Observer, Situation
from algorithms.engine.observe.series import Log, Samples, Spread, Tally
from algorithms.engine.process import Algorithm

_OF_ONES_OWN_ACCORD = (REQUEST, TIMER, FAULT, LAUNCH)


@dataclass(frozen=True)
class Election:
    """One election: from the first call for it to the moment when everybody up knew the same leader."""

    start: float
    initiators: tuple[int, ...]  # who called for it: was asked to, came back, or was the first to miss a leader
    calls: int  # how often it was called for in all, calls repeated on a time-out included
    messages: dict[str, int]  # name of the message class -> messages, up to the next election
    leader: int | None = None  # None while it is under way
    turnaround: float | None = None


@dataclass(frozen=True)
class ElectionCounters:
    """All elections of a run, up to some step."""

    started: int
    finished: int
    turnaround: Spread
    initiators: int  # of all elections together, as are the calls
    calls: int
    messages_per_election: float | None  # None before the first
    latest: Election | None


class Elections(Observer):
    """Follows the elections of a run: for the counters, and for what E1 and E2 ask.

    `beliefs` says whom each node takes for the leader, `missing` who is up and has yet to learn; after each step
    `news` are the nodes for which either, or being up at all, has changed in it.
    """

    def __init__(self, situation: Situation, algorithm: Algorithm) -> None:
        self.under_way = False
        self.number = 0  # of the latest election, from 1
        self.beliefs: dict[int, int] = {}
        self.missing: set[int] = set()
        self.news: set[int] = set()
        self.starts: Log[float] = Log()
        self.ends: Log[tuple[int, int]] = Log()  # number and leader
        self.turnarounds = Samples()
        self.initiators: Log[tuple[int, int]] = Log()  # number of the election and caller
        self.calls: Log[int] = Log()  # number of the election
        self.sent = Tally()  # by number and message class; 0 for what is sent before the first election
        self._here = situation
        self._asks = messages_of(algorithm, "ask")
        self._announces = messages_of(algorithm, "announce")
        self._start = 0.0
        self._fresh: set[int] = set()  # who has learnt something in the latest election
        self._sending: list[tuple[int, type]] = []  # sender and class of the messages of the present step
        self._learning: dict[int, int] = {}  # what is learnt in the present step

    # ---- what the counters ask -----------------------------------------------------------------------------

    def at(self, step: int) -> ElectionCounters:
        """All elections up to that step."""
        started, messages = self.starts.count(step), self.sent.at(step)
        total = sum(count for (number, _), count in messages.items() if number)
        return ElectionCounters(
            started,
            finished=self.ends.count(step),
            turnaround=self.turnarounds.spread(step),
            initiators=len(set(self.initiators.at(step))),
            calls=self.calls.count(step),
            messages_per_election=total / started if started else None,
            latest=self.election(started, step) if started else None,
        )

    def election(self, number: int, step: int) -> Election:
        """One election, counted from 1, as it stands after that many steps."""
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

    # ---- what E1 and E2 ask --------------------------------------------------------------------------------

    def counts(self, node: int) -> bool:
        """Whether it matters at present whom the node takes for the leader: not if that one has crashed."""
        return self._has_learnt(node) and not self._here.is_gone(self.beliefs[node])

    # ---- hearing -------------------------------------------------------------------------------------------

    def on_sent(self, step: int, record: Record) -> None:
        if record[NODE] != record[SENDER]:
            self._sending.append((record[SENDER], type(record[MESSAGE])))

    def on_copied(self, step: int, time: float, record: Record) -> None:
        self.sent.steps[self.number, type(record[MESSAGE])].append(step)

    def on_elected(self, step: int, time: float, node: int, leader: int) -> None:
        self._learning[node] = leader

    def on_gone(self, step: int, time: float, node: int) -> None:
        self.missing.discard(node)
        self.news.add(node)

    def on_paused(self, step: int, time: float, node: int) -> None:
        self.missing.discard(node)
        self.news.add(node)

    def on_unpaused(self, step: int, time: float, node: int) -> None:
        self._return(node)

    def on_back(self, step: int, time: float, node: int, memory: bool) -> None:
        self.beliefs.pop(node, None)  # with its memory or without: what it knew before is out of date
        self._fresh.discard(node)
        self._return(node)

    def on_step(self, step: int, time: float) -> None:
        self.news.clear()

    def on_end(self, step: int, event: Record) -> None:
        if not (self._sending or self._learning or self.news):
            return
        self._call(step, event[TIME], self._callers(event[KIND]), event[KIND] == TIMER)
        for _, message in self._sending:
            self.sent.steps[self.number, message].append(step)
        self._learn()
        self._sending.clear()
        if self.under_way and not self.missing:
            self._close(step, event[TIME])

    # ---- within --------------------------------------------------------------------------------------------

    def _return(self, node: int) -> None:
        self.news.add(node)
        if self.number and (node not in self.beliefs or (self.under_way and node not in self._fresh)):
            self.missing.add(node)

    def _callers(self, kind: int) -> list[int]:
        """Who calls for an election in the present step, or opens one by making its outcome known."""
        if kind not in _OF_ONES_OWN_ACCORD:
            return []
        callers = [sender for sender, message in self._sending if kind == REQUEST or message in self._asks]
        if not callers and not self.under_way:
            callers = [sender for sender, message in self._sending if message in self._announces]
            callers += self._learning
        return list(dict.fromkeys(callers))

    def _call(self, step: int, time: float, callers: list[int], on_a_timeout: bool) -> None:
        repeated = on_a_timeout and self.under_way
        if callers and not self.under_way:
            self._open(step, time)
        for caller in callers:
            self.calls.add(step, self.number)
            if not repeated:
                self.initiators.add(step, (self.number, caller))

    def _open(self, step: int, time: float) -> None:
        self.under_way = True
        self.number += 1
        self.starts.add(step, time)
        self._start = time
        self._fresh.clear()
        self.missing.update(node for node in range(self._here.nodes) if self._here.is_up(node))
        self.news |= self.missing

    def _learn(self) -> None:
        self.beliefs |= self._learning
        self._fresh |= self._learning.keys()
        self.missing -= self._learning.keys()
        self.news |= self._learning.keys()
        self._learning.clear()

    def _has_learnt(self, node: int) -> bool:
        """Whether the node is up and takes somebody for the leader, since the election under way began."""
        return node in self.beliefs and self._here.is_up(node) and (not self.under_way or node in self._fresh)

    def _close(self, step: int, time: float) -> None:
        """The election is over, if all who are up agree."""
        leaders = {leader for node, leader in self.beliefs.items() if self._has_learnt(node)}
        if len(leaders) == 1:
            self.under_way = False
            self.ends.add(step, (self.number, leaders.pop()))
            self.turnarounds.add(step, time - self._start)
