"""Verdicts of monitors: a property holds so far, is pending, or has been violated."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import NamedTuple

from algorithms.engine.observe.observer import Observer, Seat
from algorithms.engine.observe.series import Log, Requests

HOLDS, PENDING, BROKEN = "holds", "pending", "broken"
MOST_NAMED = 8  # maximum number of nodes named in a sentence


class Breach(NamedTuple):
    """A violation of a property, evident once `step` steps have been executed."""

    monitor: str
    step: int
    time: float
    detail: str  # one sentence


@dataclass(frozen=True)
class Verdict:
    """A monitor's verdict after some step; `step`, `time` and `detail` are those of the first breach, if any."""

    name: str
    words: str  # the property in words
    status: str = HOLDS
    step: int | None = None
    time: float | None = None
    detail: str = ""
    nodes: tuple[int, ...] = ()  # the nodes that a pending property waits for

    def sentence(self) -> str:
        """The status in words."""
        if self.status == BROKEN:
            return f"broken at step {self.step}: {self.detail}"
        if self.status == PENDING:
            named = ", ".join(f"P{node}" for node in self.nodes[:MOST_NAMED])
            more = len(self.nodes) - MOST_NAMED
            return f"pending: {named}" + (f" and {more} more" if more > 0 else "")
        return "holds so far"


class Breaches(Log[Breach]):
    """The breaches of one property, in order."""

    def first(self, step: int) -> Breach | None:
        """The first breach, if it is at or before `step`."""
        return self.values[0] if self.count(step) else None

    def forget(self) -> None:
        """Drop all breaches in the past but the first."""
        del self.values[1:]
        super().forget()


class Monitor(Observer):
    """Monitors one property."""

    name: str
    words: str

    def __init__(self) -> None:
        self.breaches = Breaches()

    def at(self, step: int, time: float, over: bool = False) -> Verdict:
        """The verdict after `step` steps, at `time`; `over` if the run ends there."""
        first = self.breaches.first(step)
        return self._broken(first) if first else Verdict(self.name, self.words)

    def _break(self, step: int, time: float, detail: str) -> None:
        self.breaches.add(step, Breach(self.name, step, time, detail))

    def _broken(self, breach: Breach) -> Verdict:
        return Verdict(self.name, self.words, BROKEN, *breach[1:])


class Promise(Monitor):
    """Monitors that every claim is met eventually, and within `patience` if that is set."""

    def __init__(self, patience: float | None) -> None:
        super().__init__()
        self._claims: Requests[Seat] = Requests()
        self._patience = patience
        self._due: deque[tuple[float, Seat, float]] = deque()  # deadline, seat and time of each claim, in order

    def at(self, step: int, time: float, over: bool = False) -> Verdict:
        verdict = super().at(step, time)
        claims = self._claims.at(step)
        if verdict.status == BROKEN or not claims:
            return verdict
        seat, since = min(claims.items(), key=lambda claim: (claim[1], claim[0][1]))
        if self._patience is not None and time > since + self._patience:
            return self._broken(Breach(self.name, step, since + self._patience, self._late(seat, since)))
        if over:
            return self._broken(Breach(self.name, step, time, self._never(seat, since)))
        return Verdict(self.name, self.words, PENDING, nodes=tuple(sorted({node for _, node in claims})))

    def on_step(self, step: int, time: float) -> None:
        while self._due and time > self._due[0][0]:
            deadline, seat, since = self._due.popleft()
            oldest = self._claims.oldest(seat)
            if oldest is not None and oldest <= since:
                self._break(step, deadline, self._late(seat, since))

    def _claim(self, seat: Seat, step: int, time: float) -> None:
        self._claims.open(seat, step, time)
        if self._patience is not None:
            self._due.append((time + self._patience, seat, time))

    def _late(self, seat: Seat, since: float) -> str:
        raise NotImplementedError

    def _never(self, seat: Seat, since: float) -> str:
        raise NotImplementedError
