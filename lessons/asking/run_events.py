"""What happens in a run, step by step, in the words of questions and conditions."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

from algorithms.engine.events import KIND, MESSAGE, NODE, RULE, SENDER, TIMER, Record
from algorithms.engine.observe.fold import Fold
from algorithms.engine.observe.monitors import Monitors
from algorithms.engine.observe.observer import Observer
from algorithms.engine.observe.tokens import Tokens
from algorithms.engine.observe.verdicts import BROKEN
from algorithms.engine.timeline import Timeline
from lessons.asking import copies


class RunEvent(NamedTuple):
    """One thing that a step did.

    `kind` is enters, leaves, asks, arrives, sent, fires, applies or elected; `other` is the sender of an arrival, the
    receiver of a sending, or the leader.
    """

    kind: str
    node: int
    name: Any = None  # the type of a message, the name of a timer, the number of a rule
    other: int | None = None
    message: Any = None


class _Recorder(Observer):
    """Records the events of the latest step."""

    def __init__(self, is_election: bool) -> None:
        self.latest: list[RunEvent] = []
        self._is_election = is_election  # then every request of an application is a call for an election

    def on_request(self, step: int, time: float, node: int) -> None:
        if self._is_election:
            self.latest.append(RunEvent("asks", node))

    def on_step(self, step: int, time: float) -> None:
        self.latest.clear()

    def on_sent(self, step: int, record: Record) -> None:
        message = record[MESSAGE]
        self.latest.append(RunEvent("sent", record[SENDER], type(message).__name__, record[NODE], message))

    def on_received(self, step: int, record: Record) -> None:
        message = record[MESSAGE]
        self.latest.append(RunEvent("arrives", record[NODE], type(message).__name__, record[SENDER], message))

    def on_asked(self, step: int, time: float, node: int) -> None:
        self.latest.append(RunEvent("asks", node))

    def on_entered(self, step: int, time: float, node: int, asked: float | None) -> None:
        self.latest.append(RunEvent("enters", node))

    def on_left(self, step: int, time: float, node: int) -> None:
        self.latest.append(RunEvent("leaves", node))

    def on_elected(self, step: int, time: float, node: int, leader: int, term: int) -> None:
        self.latest.append(RunEvent("elected", node, other=leader))

    def on_applied(self, step: int, record: Record) -> None:
        self.latest.append(RunEvent("applies", record[NODE], record[RULE]))

    def on_end(self, step: int, event: Record) -> None:
        if event[KIND] == TIMER:
            self.latest.append(RunEvent("fires", event[NODE], event[4]))


class Watch:
    """Reads a run's trace up to its present step, and says what the latest step did."""

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline
        self._recorder = _Recorder(timeline.algorithm.is_election())
        self._tokens = Tokens(timeline.algorithm.token) if timeline.algorithm.token else None
        self._fold = Fold(timeline.scenario, timeline.algorithm)
        self._fold.observe([self._recorder, *([self._tokens] if self._tokens else [])])
        self.situation = self._fold.situation
        self.read()

    @property
    def latest(self) -> list[RunEvent]:
        """The events of the latest step, in order."""
        return self._recorder.latest

    @cached_property
    def _monitors(self) -> Monitors:
        return Monitors(self.timeline.scenario, self.timeline.algorithm)

    @property
    def broken(self) -> list[str]:
        """The names of the properties that are broken now."""
        timeline = self.timeline
        self._monitors.advance(timeline.trace)
        verdicts = self._monitors.at(timeline.step, timeline.simulation.now)
        return [name for name, verdict in verdicts.items() if verdict.status == BROKEN]

    @property
    def tokens(self) -> int | None:
        """The number of tokens, held or in transit; None for an algorithm without one."""
        return self._tokens.level.value if self._tokens else None

    def read(self) -> None:
        """Read the steps that the run has taken since."""
        self._fold.advance(self.timeline.trace)

    def forward(self) -> bool:
        """Take a step and read it; False at the end of the scenario."""
        went = copies.forward(self.timeline)
        if went:
            self.read()
        return went


def ahead(timeline: Timeline) -> Iterator[tuple[int, list[RunEvent]]]:
    """(number of steps, what the last of them did) for each step until the scenario ends. The run goes on."""
    watch = Watch(timeline)
    while watch.forward():
        yield timeline.step, list(watch.latest)
