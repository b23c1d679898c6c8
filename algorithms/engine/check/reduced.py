"""The exploration of fewer states, with the same verdicts and equally short counter-examples.

It begins with all states, since small systems are quickly explored and their exact number is worth knowing. Where there
are many it goes over to a reduced graph, see `reduction`.

What the checker remembers for ME3, the requests that each process knows of, keeps most events from commuting. So the
other properties are checked without it, and ME3 for the requests of one process at a time.

Other violations than deadlocks may be found too far away. Then the exploration of all states goes on, until what is
known to be broken has been broken there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from math import inf

from algorithms.engine.check.explore import NOT_REFUTED, NOT_SEEN, STATE_LIMIT, CheckReport, Exploration, Finding, Trail
from algorithms.engine.check.moves import Bounds
from algorithms.engine.check.properties import ORDER, Scope
from algorithms.engine.observe.verdicts import BROKEN, HOLDS
from algorithms.engine.process import Algorithm
from algorithms.engine.scenario import Scenario

FEW = 10_000  # states that are explored before any reduction


class ReducedExploration(Exploration):
    """An exploration of all states while they are `few`, and then of fewer where possible.

    `states` and the other values of an exploration are those of all; `report` and `progress` are about both. With
    properties `sought`, only these are judged, and the exploration ends once they are broken.
    """

    def __init__(
        self,
        scenario: Scenario,
        algorithm: Algorithm,
        bounds: Bounds,
        state_limit: int = STATE_LIMIT,
        sought: Collection[str] = (),
        few: float = FEW,
    ) -> None:
        super().__init__(scenario, algorithm, bounds, state_limit, scope=Scope(sought or None), sought=sought)
        can_reduce = self.judge.can_reduce() and bounds.timeouts is None
        self._few = few if can_reduce else inf
        self._parts: list[Exploration] = []

    @property
    def progress(self) -> str:
        """The progress of the search, in words."""
        if not self._parts or self._few == inf:
            return super().progress
        frontier = sum(part.frontier_size for part in self._parts)
        return f"{self._states_of_parts():,} states, {frontier:,} still to explore"

    def report(self) -> CheckReport:
        """The results so far."""
        full = super().report()
        if not self._parts or not self._parts[0].is_finished:
            return full
        reports = [part.report() for part in self._parts]
        return replace(
            reports[0],
            states=self._states_of_parts(),
            is_complete=all(report.is_complete for report in reports),
            is_reduced=True,
            findings=tuple(self._joined(finding, reports) for finding in full.findings),
        )

    # ---- within --------------------------------------------------------------------------------------------

    def _search(self) -> Iterator[None]:
        yield from self._reach_all()
        is_large = self._expanded >= self._few
        self._few = inf
        if is_large:
            yield from self._search_parts()
        else:
            yield from super()._search()

    def _is_over(self) -> bool:
        """Whether nothing is left to seek, or there are too many states."""
        return self._expanded >= self._few or super()._is_over()

    def _search_parts(self) -> Iterator[None]:
        """Explore the reduced graphs, and then as many of all states as the shortest trails need."""
        others = {property_.name for property_ in self.judge.properties} - {ORDER.name}
        scopes = [Scope(others), *(Scope({ORDER.name}, node) for node in self.system.tracked)]
        limits = self.scenario, self.algorithm, self.bounds, self._state_limit
        self._parts = [
            Exploration(*limits, scope=scope, reduces=True, sought=[*filter(scope.includes, self._sought)])
            for scope in scopes
        ]
        for part in self._parts:
            yield from part.work()
        findings = [finding for part in self._parts for finding in part.report().findings if finding.trail]
        distant = {finding.property.name for finding in findings if not self.has_broken(finding.property.name)}
        eventual = self.judge.eventual.name
        if self._parts[0].has_deadlock and not self._sought:
            distant.discard(eventual)
        if eventual in distant and not self._parts[0].has_deadlock:  # it shows in the shape of the graph
            self._parts.clear()
            yield from super()._search()
        elif distant:
            is_all = bool(self._sought)
            self._sought = distant
            yield from self._reach_all()
            if is_all and self._is_over():
                self._parts.clear()

    def _states_of_parts(self) -> int:
        return sum(len(part.states) for part in self._parts)

    def _joined(self, nearest: Finding, reports: list[CheckReport]) -> Finding:
        """What the parts have found about a property, with the trail to the nearest violation if that is known."""
        if nearest.status in (BROKEN, HOLDS):
            return nearest
        own = [
            (part, finding) for part, report in zip(self._parts, reports, strict=True) for finding in report.findings
        ]
        own = [(part, finding) for part, finding in own if finding.property == nearest.property]
        trails = [self._replayed(part, finding.trail) for part, finding in own if finding.trail]
        statuses = [finding.status for _, finding in own]
        status = next(status for status in (BROKEN, NOT_REFUTED, NOT_SEEN, HOLDS) if status in statuses)
        return replace(nearest, status=status, trail=min(trails, key=lambda trail: len(trail.moves), default=None))

    def _replayed(self, part: Exploration, trail: Trail) -> Trail:
        """The trail of a part in the states of this system, which may remember more."""
        starts = zip(part.system.initial(), self.system.initial(), strict=True)
        states = [next(own for start, own in starts if start == trail.states[0])]
        for move in trail.moves:
            states += self.system.by_move(states[-1], move)
        return trail._replace(states=tuple(states))
