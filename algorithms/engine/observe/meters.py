"""Counters as folds over the trace: the cost and the service of a run, at any step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from algorithms.engine.events import RULE, Record
from algorithms.engine.observe.charges import Charges, ChargeTotals, Traffic
from algorithms.engine.observe.elections import ElectionCounters, Elections
from algorithms.engine.observe.fold import Fold
from algorithms.engine.observe.observer import Observer, Situation
from algorithms.engine.observe.series import Level, Log, Samples, Spread, Tally
from algorithms.engine.observe.size import size_of
from algorithms.engine.observe.tokens import Tokens
from algorithms.engine.process import Algorithm
from algorithms.engine.scenario import Scenario


@dataclass(frozen=True)
class ResourceCounters:
    """The counters of one of several resources, as in `Counters`."""

    entries: int
    inside: int
    waiting_time: Spread
    synchronisation_delay: Spread


@dataclass(frozen=True)
class Counters:
    """All counters, after `step` steps and at `time`.

    Messages count when they are sent, including copies and messages to crashed nodes; messages to oneself do not count.
    """

    step: int
    time: float
    messages: int
    by_type: dict[str, int]  # name of the message class -> messages
    entries: int
    inside: int  # number of processes in the critical section now
    waiting_time: Spread  # from the request to the entry
    synchronisation_delay: Spread  # from an exit to the next entry, if a process was waiting
    responsiveness: Spread  # memo 440, definition 3: time between entries while any process is waiting
    concurrency: dict[int, float]  # number of processes inside -> total time
    entries_per_node: tuple[int, ...]
    requesters: tuple[int, ...]  # the nodes that have requested or entered
    handled_per_node: tuple[int, ...]  # messages that arrived at each node and were handled
    suspicions: int  # number of times that a process suspected another
    false_suspicions: int  # of these, the number that were wrong: the other was only paused or slow
    tokens: int | None = None  # number of tokens now; None for an algorithm without a token
    token_shares: dict[int, float] | None = None  # number of tokens -> total time
    elections: ElectionCounters | None = None  # for election algorithms only
    charges: ChargeTotals = ChargeTotals()
    counts_free: bool = True  # whether the formula counts entries that cost nothing
    rules: dict[str, int] = field(default_factory=dict)  # rule -> number of applications, in rewriting systems
    resources: tuple[ResourceCounters, ...] = ()  # by resource, if there are several

    @property
    def counted_entries(self) -> int:
        """The complete entries that the cost per entry is over, as the algorithm's formula counts them."""
        return self.charges.complete - (0 if self.counts_free else self.charges.free)

    @property
    def per_entry(self) -> float | None:
        """Messages per complete entry; None before the first."""
        return self.charges.messages / self.counted_entries if self.counted_entries else None

    @property
    def open_requests(self) -> int:
        """Requests that are not over: whose process waits or is inside, or whose messages are in transit."""
        return self.charges.opened - self.charges.complete - self.charges.ended

    @property
    def open_messages(self) -> int:
        """Messages charged to no complete entry so far: those of open requests and of the next entry."""
        return self.messages - self.charges.messages - self.charges.written_off

    @property
    def fairness(self) -> float | None:
        """Jain's index of the entries of the nodes that have requested one; None before the first entry.

        It goes from 1/N (one node has all entries) to 1 (equal).
        """
        return jain([self.entries_per_node[node] for node in self.requesters])


class Meters(Fold):
    """Counts along a run: `advance(trace)` reads new steps, `at(step, time)` gives the counters."""

    def __init__(self, scenario: Scenario, algorithm: Algorithm) -> None:
        super().__init__(scenario, algorithm)
        self.charges = None if algorithm.is_election() else Charges(self.situation, algorithm)
        self.traffic = self.charges or Traffic()
        self.turns = Turns(self.situation)
        several = range(self.situation.resources) if self.situation.has_several_resources else ()
        self.resources = [Turns(self.situation, only=k) for k in several]
        self.suspicions = Suspicions(self.situation)
        self.rules = Rules()
        self.tokens = Tokens(algorithm.token) if algorithm.token else None
        self.elections = Elections(self.situation, algorithm) if algorithm.is_election() else None
        self._counts_free = algorithm.cost is None or not algorithm.cost.low(size_of(scenario, algorithm))
        optional = [observer for observer in (self.tokens, self.elections) if observer]
        self.observe([self.traffic, self.turns, *self.resources, self.suspicions, self.rules, *optional])

    def at(self, step: int, time: float) -> Counters:
        """The counters after `step` steps, at `time`, not before the last of them."""
        nodes = range(self.situation.nodes)
        by_type = {kind.__name__: count for kind, count in self.traffic.sent.at(step).items()}
        entries = [self.turns.entries.count(node, step) for node in nodes]
        return Counters(
            step,
            time,
            messages=sum(by_type.values()),
            by_type=dict(sorted(by_type.items())),
            entries=sum(entries),
            inside=self.turns.inside.at(step),
            waiting_time=self.turns.waiting.spread(step),
            synchronisation_delay=self.turns.handing_over.spread(step),
            responsiveness=self.turns.responses.spread(step),
            concurrency=self.turns.inside.shares(step, time),
            entries_per_node=tuple(entries),
            requesters=tuple(node for node in nodes if entries[node] or self.turns.requests.count(node, step)),
            handled_per_node=tuple(self.traffic.handled.count(node, step) for node in nodes),
            suspicions=self.suspicions.all.count(step),
            false_suspicions=self.suspicions.false.count(step),
            tokens=self.tokens.level.at(step) if self.tokens else None,
            token_shares=self.tokens.level.shares(step, time) if self.tokens else None,
            elections=self.elections.at(step) if self.elections else None,
            charges=self.charges.at(step) if self.charges else ChargeTotals(),
            counts_free=self._counts_free,
            rules=self.rules.applied.at(step),
            resources=tuple(turns.at(step) for turns in self.resources),
        )

    def concurrency_curve(self, step: int, since: float = 0.0, buckets: int | None = None) -> list[tuple[float, int]]:
        """The number of processes inside as a step function up to `step`: see `Level.curve`."""
        return self.turns.inside.curve(step, since, buckets)

    def waiting_times(self, step: int) -> list[float]:
        """The waiting times of all entries up to `step`, in order."""
        return self.turns.waiting.at(step)


class Turns(Observer):
    """Counts entries and measures delays, at the resource `only` or at all."""

    def __init__(self, situation: Situation, only: int | None = None) -> None:
        self.requests = Tally()
        self.entries = Tally()
        self.inside = Level(0)
        self.waiting = Samples()
        self.handing_over = Samples()
        self.responses = Samples()
        self._here = situation
        self._only = only
        self._exit: dict[int, float] = {}  # resource -> time of the last exit, if a process has been waiting since
        self._since: dict[int, float] = {}  # resource -> time since which any process waits and none has entered

    def at(self, step: int) -> ResourceCounters:
        """The counters after `step` steps."""
        entries = sum(self.entries.at(step).values())
        return ResourceCounters(
            entries, self.inside.at(step), self.waiting.spread(step), self.handing_over.spread(step)
        )

    def on_request(self, step: int, time: float, node: int) -> None:
        self.requests.steps[node].append(step)

    def on_asked(self, step: int, time: float, node: int) -> None:
        if self._concerns():
            self._since.setdefault(self._here.resource, time)

    def on_entered(self, step: int, time: float, node: int, asked: float | None) -> None:
        if not self._concerns():
            return
        resource = self._here.resource
        self.entries.steps[node].append(step)
        self._count(step, time)
        if resource in self._exit:
            self.handing_over.add(step, time - self._exit.pop(resource))
        if asked is not None:
            self.waiting.add(step, time - asked)
            if resource in self._since:
                self.responses.add(step, time - self._since.pop(resource))
            if self._here.is_wanted():
                self._since[resource] = time

    def on_left(self, step: int, time: float, node: int) -> None:
        if not self._concerns():
            return
        self._count(step, time)
        self._exit.pop(self._here.resource, None)
        if self._here.is_wanted():
            self._exit[self._here.resource] = time

    def on_resumed(self, step: int, time: float, node: int) -> None:
        if self._concerns():
            self._count(step, time)

    def on_gone(self, step: int, time: float, node: int) -> None:
        self._count(step, time)
        wanted = {resource for resource, _ in self._here.waiting}
        for since in (self._exit, self._since):
            for resource in [resource for resource in since if resource not in wanted]:
                del since[resource]

    def on_back(self, step: int, time: float, node: int, memory: bool) -> None:
        for resource, _ in self._here.waiting:
            if self._only in (None, resource):
                self._since.setdefault(resource, time)

    def _concerns(self) -> bool:
        return self._only in (None, self._here.resource)

    def _count(self, step: int, time: float) -> None:
        inside = self._here.inside
        count = len(inside) if self._only is None else sum(resource == self._only for resource, _ in inside)
        self.inside.set(step, time, count)


class Intervals(Observer):
    """Measures the time between entries of the same process.

    Source: the report on the wandering token, table 4.

    An interval runs from a process's previous entry of any kind (the start of the run counts as one) to its next. An
    entry with a token that the process has just created ends no interval.
    """

    def __init__(self, situation: Situation) -> None:
        self.all = Samples()
        self._last_entry = [0.0] * situation.nodes
        self._creation = (0, -1)  # step and node of the latest creation of a token

    def on_created(self, step: int, time: float, node: int) -> None:
        self._creation = (step, node)

    def on_entered(self, step: int, time: float, node: int, asked: float | None) -> None:
        if self._creation != (step, node):
            self.all.add(step, time - self._last_entry[node])
        self._last_entry[node] = time


class Rules(Observer):
    """Counts the applications of each rule of a rewriting system."""

    def __init__(self) -> None:
        self.applied = Tally()

    def on_applied(self, step: int, record: Record) -> None:
        self.applied.steps[record[RULE]].append(step)


class Suspicions(Observer):
    """Counts suspicions, and the false ones among them."""

    def __init__(self, situation: Situation) -> None:
        self.all: Log[int] = Log()  # the suspects
        self.false: Log[int] = Log()
        self._here = situation

    def on_suspected(self, step: int, time: float, node: int, suspect: int) -> None:
        self.all.add(step, suspect)
        if not self._here.is_gone(suspect):
            self.false.add(step, suspect)


def jain(shares: Sequence[float]) -> float | None:
    """Jain's fairness index (Σx)² / (N Σx²); None if all shares are 0."""
    squares = sum(x * x for x in shares)
    return sum(shares) ** 2 / (len(shares) * squares) if squares else None
