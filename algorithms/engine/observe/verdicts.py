"""Verdicts of monitors: a property holds so far, is pending or overdue, or is broken."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from math import inf
from typing import NamedTuple

from algorithms.engine.observe.observer import Observer, Seat
from algorithms.engine.observe.series import Log, Requests
from algorithms.engine.scenario import Scenario

HOLDS, PENDING, OVERDUE, BROKEN = "holds", "pending", "overdue", "broken"
NOT_PROMISED = "not promised by this algorithm"
FAIR_LIVENESS = "fair liveness"  # the property of the checker that nobody waits forever in a fair run
CONVERGENCE = "convergence"  # the property of the checker that in the end there is exactly one privilege
MOST_NAMED = 8  # maximum number of nodes named in a sentence

NAMES = {"ME1": "safety", "ME2": "liveness", "ME3": "order", "E1": "agreement", "E2": "termination"}
"""The plain names, on screen too, of the abbreviations in the lecture notes."""


class Breach(NamedTuple):
    """A violation of a property, evident once `step` steps have been executed."""

    monitor: str
    step: int
    time: float
    detail: str  # a clause
    nodes: tuple[int, ...] = ()  # the nodes that it concerns
    promised: bool = True  # whether the algorithm promises the property

    def sentence(self) -> str:
        """The breach as a sentence, also for a toast: “One token” fails at step 26: the token has been lost."""
        return f"“{title(self.monitor)}” fails at step {self.step}: {self.detail}.{_remark(self.promised)}"

    def caption(self) -> str:
        """The breach as part of the caption of its step."""
        remark = "" if self.promised else " (Not promised.)"  # there is not much room
        return f"“{title(self.monitor)}” fails: {self.detail}.{remark}"


@dataclass(frozen=True)
class Verdict:
    """A monitor's verdict after some step.

    `step`, `time` and `detail` are those of the first breach. Of an overdue property, `detail` says who waits.
    """

    name: str
    words: str  # the property in words
    status: str = HOLDS
    step: int | None = None
    time: float | None = None
    detail: str = ""
    nodes: tuple[int, ...] = ()  # those waited for, or those that a breach concerns
    promised: bool = True  # whether the algorithm promises the property

    def sentence(self) -> str:
        """The status in words."""
        if self.status == BROKEN:
            return f"broken at step {self.step}: {self.detail}"
        if self.status == HOLDS:
            return "holds so far"
        if self.detail:
            return f"{self.status}: {self.detail}"
        named = ", ".join(f"P{node}" for node in self.nodes[:MOST_NAMED])
        more = len(self.nodes) - MOST_NAMED
        return f"{self.status}: {named}" + (f" and {more} more" if more > 0 else "")

    def message(self) -> str:
        """The verdict as a toast: the breach, or what the status means."""
        if self.status == BROKEN:
            return Breach(self.name, self.step or 0, self.time or 0.0, self.detail, (), self.promised).sentence()
        said = self.detail if self.status == OVERDUE else f"{title(self.name)}: {self.words}"
        return f"{said}.{_remark(self.promised)}"


def _remark(promised: bool) -> str:
    return "" if promised else f" ({NOT_PROMISED[0].upper()}{NOT_PROMISED[1:]}.)"


def title(name: str) -> str:
    """The plain name of a property, with a capital."""
    plain = NAMES.get(name, name)
    return f"{plain[0].upper()}{plain[1:]}"


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
        self.promised = True  # whether the algorithm promises the property

    def at(self, step: int, time: float, end: Breach | None = None) -> Verdict:
        """The verdict after `step` steps, at `time`; `end` is the breach by the run's end, if it has ended by then."""
        first = self.breaches.first(step) or end
        return self._verdict(BROKEN, *first[1:5]) if first else self._verdict(HOLDS)

    def breach_by_end(self, step: int, time: float) -> Breach | None:
        """The breach if nothing more can happen after `step` steps, at `time`."""
        return None

    def _break(self, step: int, time: float, detail: str, nodes: Collection[int] = ()) -> None:
        self.breaches.add(step, self._breach(step, time, detail, nodes))

    def _breach(self, step: int, time: float, detail: str, nodes: Collection[int]) -> Breach:
        return Breach(self.name, step, time, detail, tuple(sorted(nodes)), self.promised)

    def _verdict(
        self,
        status: str,
        step: int | None = None,
        time: float | None = None,
        detail: str = "",
        nodes: Collection[int] = (),
    ) -> Verdict:
        return Verdict(self.name, self.words, status, step, time, detail, tuple(sorted(nodes)), self.promised)


class Promise(Monitor):
    """Monitors that every claim is met eventually; one that has waited longer than `patience` is overdue.

    It is broken only where nothing more can happen, or where the checker has shown that a claim in the run, once
    overdue, is never met, or is not met if the moves since then are repeated forever (`Scenario.shows`).
    """

    def __init__(self, scenario: Scenario) -> None:
        super().__init__()
        self._claims: Requests[Seat] = Requests()
        self._patience = inf if scenario.patience is None else scenario.patience
        self._shown = {self.name: self._never, FAIR_LIVENESS: self._never_so}.get(scenario.shows or "")

    def at(self, step: int, time: float, end: Breach | None = None) -> Verdict:
        verdict = super().at(step, time, end)
        claims = self._claims.at(step)
        if verdict.status == BROKEN or not claims:
            return verdict
        overdue = [node for (_, node), since in claims.items() if time > since + self._patience]
        if not overdue:
            return self._verdict(PENDING, nodes={node for _, node in claims})
        seat, since = _oldest(claims)
        if self._shown:
            return self._verdict(BROKEN, step, since + self._patience, self._shown(seat, since))
        return self._verdict(OVERDUE, detail=self._late(seat, since), nodes=set(overdue))

    def breach_by_end(self, step: int, time: float) -> Breach | None:
        claims = self._claims.at(step)
        waiting = {node for _, node in claims}
        return self._breach(step, time, self._never(*_oldest(claims)), waiting) if claims else None

    def has_claim(self, node: int, step: int) -> bool:
        """Whether a claim of the node is open after `step` steps."""
        return any(claimant == node for _, claimant in self._claims.at(step))

    def _late(self, seat: Seat, since: float) -> str:
        raise NotImplementedError

    def _never(self, seat: Seat, since: float) -> str:
        raise NotImplementedError

    def _never_so(self, seat: Seat, since: float) -> str:
        raise NotImplementedError


def _oldest(claims: Mapping[Seat, float]) -> tuple[Seat, float]:
    return min(claims.items(), key=lambda claim: (claim[1], claim[0][1]))


def rounded(time: float) -> str:
    """A time in a sentence: "11.3", "40"."""
    return f"{time:.1f}".removesuffix(".0")
