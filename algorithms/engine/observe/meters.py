"""Counters as folds over the trace: what a run has cost and how well it has served, at any of its steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from algorithms.engine.events import MESSAGE, NODE, RULE, SENDER, Record
from algorithms.engine.observe.elections import ElectionCounters, Elections
from algorithms.engine.observe.fold import Fold
from algorithms.engine.observe.observer import Observer, Situation
from algorithms.engine.observe.series import Level, Log, Samples, Spread, Tally
from algorithms.engine.observe.tokens import Tokens
from algorithms.engine.process import Algorithm
from algorithms.engine.scenario import Scenario


@dataclass(frozen=True)
class ResourceCounters:
    """What is counted for one resource of several; the words are those of `Counters`."""

    entries: int
    inside: int
    waiting_time: Spread
    synchronisation_delay: Spread


@dataclass(frozen=True)
class Counters:
    """All that is counted, after `step` steps and at `time`.

    Messages count when they are sent, those to the dead and second copies included; messages to oneself do not.
    """

    step: int
    time: float
    messages: int
    by_type: dict[str, int]  # name of the message class -> messages
    entries: int
    inside: int  # how many are in the critical section now
    waiting_time: Spread  # from the request to the entry
    synchronisation_delay: Spread  # from an exit to the next entry, where somebody was waiting
    responsiveness: (
        Spread  # memo 440, definition 3: while somebody wants, from the last entry (or since then) to the next
    )
    concurrency: dict[int, float]  # how many are inside -> for how long in all
    entries_per_node: tuple[int, ...]
    handled_per_node: tuple[int, ...]  # messages that arrived at each node and were handled
    suspicions: int  # how often a process took another for crashed
    false_suspicions: int  # how often it was wrong: the other was alive, perhaps paused or slow
    tokens: int | None = None  # how many tokens there are now; None for an algorithm without
    token_shares: dict[int, float] | None = None  # how many tokens -> for how long in all
    elections: ElectionCounters | None = None  # for election algorithms only
    rules: dict[str, int] = field(default_factory=dict)  # number of a rule -> how often applied, in rewriting systems
    resources: tuple[ResourceCounters, ...] = ()  # one by one, if there are several

    @property
    def per_entry(self) -> float | None:
        """Messages per entry; None before the first."""
        return self.messages / self.entries if self.entries else None

    @property
    def fairness(self) -> float | None:
        """Jain's index of the entries per node: 1 if all have as many, 1/N if one has all; None before the first."""
        return jain(self.entries_per_node)


class Meters(Fold):
    """Counts along a run: `advance(trace)` reads what is new, `at(step, time)` tells the counters there."""

    def __init__(self, scenario: Scenario, algorithm: Algorithm) -> None:
        super().__init__(scenario, algorithm)
        self.traffic = Traffic()
        self.turns = Turns(self.situation)
        several = range(self.situation.resources) if self.situation.several else ()
        self.resources = [Turns(self.situation, only=k) for k in several]
        self.suspicions = Suspicions(self.situation)
        self.rules = Rules()
        self.tokens = Tokens(algorithm.token) if algorithm.token else None
        self.elections = Elections(self.situation, algorithm) if algorithm.is_election() else None
        optional = [observer for observer in (self.tokens, self.elections) if observer]
        self.observe([self.traffic, self.turns, *self.resources, self.suspicions, self.rules, *optional])

    def at(self, step: int, time: float) -> Counters:
        """The counters after `step` steps, which have been read, at `time`, which may lie after the last of them."""
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
            handled_per_node=tuple(self.traffic.handled.count(node, step) for node in nodes),
            suspicions=self.suspicions.all.count(step),
            false_suspicions=self.suspicions.false.count(step),
            tokens=self.tokens.level.at(step) if self.tokens else None,
            token_shares=self.tokens.level.shares(step, time) if self.tokens else None,
            elections=self.elections.at(step) if self.elections else None,
            rules=self.rules.applied.at(step),
            resources=tuple(turns.at(step) for turns in self.resources),
        )

    def concurrency_curve(self, step: int, since: float = 0.0, buckets: int | None = None) -> list[tuple[float, int]]:
        """How many are inside as a step function up to that step: see `Level.curve`."""
        return self.turns.inside.curve(step, since, buckets)

    def token_curve(self, step: int, since: float = 0.0, buckets: int | None = None) -> list[tuple[float, int]]:
        """How many tokens there are as a step function up to that step; empty for an algorithm without."""
        return self.tokens.level.curve(step, since, buckets) if self.tokens else []

    def waiting_times(self, step: int) -> list[float]:
        """The waiting times of all entries up to that step, in order: for a histogram."""
        return self.turns.waiting.at(step)


class Traffic(Observer):
    """Messages sent, by class, and handled, by node."""

    def __init__(self) -> None:
        self.sent = Tally()
        self.handled = Tally()

    def on_sent(self, step: int, record: Record) -> None:
        if record[NODE] != record[SENDER]:
            self.sent.steps[type(record[MESSAGE])].append(step)

    def on_copied(self, step: int, time: float, record: Record) -> None:
        self.on_sent(step, record)

    def on_received(self, step: int, record: Record) -> None:
        if record[NODE] != record[SENDER]:
            self.handled.steps[record[NODE]].append(step)


class Turns(Observer):
    """Entries, and how long they took to come: to the resource `only`, or to any."""

    def __init__(self, situation: Situation, only: int | None = None) -> None:
        self.entries = Tally()
        self.inside = Level(0)
        self.waiting = Samples()
        self.handing_over = Samples()
        self.responses = Samples()
        self._here = situation
        self._only = only
        self._exit: dict[int, float] = {}  # resource -> the time of the last exit, if somebody has been waiting since
        self._since: dict[int, float] = {}  # resource -> since when somebody wants and nobody has been let in

    def at(self, step: int) -> ResourceCounters:
        """The counters after that many steps."""
        entries = sum(self.entries.at(step).values())
        return ResourceCounters(
            entries, self.inside.at(step), self.waiting.spread(step), self.handing_over.spread(step)
        )

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
        wanted = {resource for resource, _ in self._here.wants}
        for since in (self._exit, self._since):
            for resource in [resource for resource in since if resource not in wanted]:
                del since[resource]

    def on_back(self, step: int, time: float, node: int, memory: bool) -> None:
        for resource, _ in self._here.wants:
            if self._only in (None, resource):
                self._since.setdefault(resource, time)

    def _concerns(self) -> bool:
        return self._only in (None, self._here.resource)

    def _count(self, step: int, time: float) -> None:
        inside = self._here.inside
        count = len(inside) if self._only is None else sum(resource == self._only for resource, _ in inside)
        self.inside.set(step, time, count)


class Intervals(Observer):
    """How much time lies between two entries of each process (the report on the wandering token, table 4).

    An interval runs from a process's previous entry of any kind (the start of the run counts as one) to its next; who
    enters with a token of its own making ends none.
    """

    def __init__(self, situation: Situation) -> None:
        self.all = Samples()
        self._last_entry = [0.0] * situation.nodes
        self._generated = (0, -1)  # step and node of the latest generation of a token

    def on_created(self, step: int, time: float, node: int) -> None:
        self._generated = (step, node)

    def on_entered(self, step: int, time: float, node: int, asked: float | None) -> None:
        if self._generated != (step, node):
            self.all.add(step, time - self._last_entry[node])
        self._last_entry[node] = time


class Rules(Observer):
    """How often each rule of a rewriting system has been applied."""

    def __init__(self) -> None:
        self.applied = Tally()

    def on_applied(self, step: int, record: Record) -> None:
        self.applied.steps[record[RULE]].append(step)


class Suspicions(Observer):
    """How often a process takes another for crashed, and how often wrongly."""

    def __init__(self, situation: Situation) -> None:
        self.all: Log[int] = Log()  # who is suspected
        self.false: Log[int] = Log()
        self._here = situation

    def on_suspected(self, step: int, time: float, node: int, suspect: int) -> None:
        self.all.add(step, suspect)
        if not self._here.is_gone(suspect):
            self.false.add(step, suspect)


def jain(shares: Sequence[float]) -> float | None:
    """Jain's fairness index (Σx)² / (N Σx²); None if there is nothing to share."""
    squares = sum(x * x for x in shares)
    return sum(shares) ** 2 / (len(shares) * squares) if squares else None
