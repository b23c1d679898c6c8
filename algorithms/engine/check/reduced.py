"""The exploration of fewer states, with the same verdicts and equally short counter-examples.

It begins with all states, since small systems are quickly explored and their exact number is worth knowing. Where there
are many it goes over to a reduced graph, see `reduction`.

What the checker remembers for ME3, the requests that each process knows of, keeps most events from commuting. So the
other properties are checked without it, and ME3 for the requests of one process at a time.

Other violations than deadlocks may be found too far away. Then the exploration of all states goes on, until what is
known to be broken has been broken there.

The parts do not depend on one another, so several processes share them; see `helper`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from math import inf

from algorithms.engine.check.explore import NOT_REFUTED, NOT_SEEN, STATE_LIMIT, CheckReport, Exploration, Finding, Trail
from algorithms.engine.check.helper import Guard, Part, PartReport, helper, report_of
from algorithms.engine.check.moves import Bounds
from algorithms.engine.check.properties import ORDER, Scope
from algorithms.engine.observe.verdicts import BROKEN, HOLDS
from algorithms.engine.process import Algorithm
from algorithms.engine.scenario import Scenario

FEW = 10_000  # states that are explored before any reduction
WAIT = 0.1  # seconds for which it waits for reports of helpers


class ReducedExploration(Exploration):
    """An exploration of all states while they are `few`, and then of fewer where possible.

    `states` and the other values of an exploration are those of all; `report` and `progress` are about both. With
    properties `sought`, only these are judged, and the exploration ends once they are broken. Up to `cores` processes
    share the work where it has parts; the `guard` finds the algorithm in another one.
    """

    def __init__(
        self,
        scenario: Scenario,
        algorithm: Algorithm,
        bounds: Bounds,
        state_limit: int = STATE_LIMIT,
        sought: Collection[str] = (),
        few: float = FEW,
        cores: int = 1,
        guard: Guard | None = None,
    ) -> None:
        super().__init__(scenario, algorithm, bounds, state_limit, scope=Scope(sought or None), sought=sought)
        can_reduce = self.judge.can_reduce() and bounds.timeouts is None
        self._few = few if can_reduce else inf
        self._cores, self._guard = cores, guard
        self._parts: list[Exploration] = []  # not begun by this process if a helper explores them
        self._elsewhere: dict[int, PartReport] = {}  # by the number of the part

    @property
    def progress(self) -> str:
        """The progress of the search, in words."""
        known: list[Exploration | PartReport] = [self._elsewhere.get(n, part) for n, part in enumerate(self._parts)]
        if all(part.is_finished for part in known):
            return super().progress
        states = sum(len(part.states) if isinstance(part, Exploration) else part.check.states for part in known)
        return f"{states:,} states, {sum(part.frontier_size for part in known):,} still to explore"

    def report(self) -> CheckReport:
        """The results so far."""
        full = super().report()
        reports = self._reports()
        if not reports or not reports[0].is_finished:
            return full
        return replace(
            reports[0].check,
            states=sum(report.check.states for report in reports),
            is_complete=all(report.check.is_complete for report in reports),
            is_reduced=True,
            findings=tuple(self._joined(finding, reports) for finding in full.findings),
        )

    # ---- within --------------------------------------------------------------------------------------------

    def _search(self) -> Iterator[bool | None]:
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

    def _search_parts(self) -> Iterator[bool | None]:
        """Explore the reduced graphs, and then as many of all states as the shortest trails need."""
        others = {property_.name for property_ in self.judge.properties} - {ORDER.name}
        scopes = [Scope(others), *(Scope({ORDER.name}, node) for node in self.system.tracked)]
        limits = {"scenario": self.scenario, "bounds": self.bounds, "state_limit": self._state_limit}
        sought = [tuple(filter(scope.includes, self._sought)) for scope in scopes]
        parts: list[Part] = [
            {**limits, "scope": scope, "sought": own, "reduces": True}
            for scope, own in zip(scopes, sought, strict=True)
        ]
        self._parts = [Exploration(algorithm=self.algorithm, **part) for part in parts]
        yield from self._explore_parts(parts)
        reports = self._reports()
        findings = [finding for report in reports for finding in report.check.findings if finding.trail]
        distant = {finding.property.name for finding in findings if not self.has_broken(finding.property.name)}
        eventual = self.judge.eventual.name
        if reports[0].has_deadlock and not self._sought:
            distant.discard(eventual)
        if eventual in distant and not reports[0].has_deadlock:  # it shows in the shape of the graph
            self._parts.clear()
            yield from super()._search()
        elif distant:
            is_all = bool(self._sought)
            self._sought = distant
            yield from self._reach_all()
            if is_all and self._is_over():
                self._parts.clear()

    def _explore_parts(self, parts: Sequence[Part]) -> Iterator[bool | None]:
        """Explore every part, here or in a helper."""
        numbers, cores = range(len(parts)), min(self._cores, len(parts)) if self._guard else 1
        with ExitStack() as stack:
            shares = [{number: parts[number] for number in numbers[start::cores]} for start in range(1, cores)]
            connections = [stack.enter_context(helper(self._guard, share)) for share in shares if self._guard]
            for number in numbers[::cores]:
                yield from self._parts[number].work()
            while connections:
                for connection in [*connections]:
                    try:
                        if connection.poll(WAIT):
                            number, self._elsewhere[number] = connection.recv()
                    except EOFError:
                        connections.remove(connection)
                yield True
        for number, report in enumerate(self._reports()):
            if not report.is_finished:  # its helper has failed
                self._elsewhere.pop(number, None)
                yield from self._parts[number].work()

    def _reports(self) -> list[PartReport]:
        """What is known of each part."""
        return [self._elsewhere.get(number) or report_of(part) for number, part in enumerate(self._parts)]

    def _joined(self, nearest: Finding, reports: list[PartReport]) -> Finding:
        """What the parts have found about a property, with the trail to the nearest violation if that is known."""
        if nearest.status in (BROKEN, HOLDS):
            return nearest
        findings = [finding for report in reports for finding in report.check.findings]
        own = [finding for finding in findings if finding.property == nearest.property]
        trails = [self._replayed(finding.trail) for finding in own if finding.trail]
        statuses = [finding.status for finding in own]
        status = next(status for status in (BROKEN, NOT_REFUTED, NOT_SEEN, HOLDS) if status in statuses)
        return replace(nearest, status=status, trail=min(trails, key=lambda trail: len(trail.moves), default=None))

    def _replayed(self, trail: Trail) -> Trail:
        """The trail of a part in the states of this system, which may remember more."""
        states = [list(self.system.initial())[trail.states[0]]]
        for move in trail.moves:
            states += self.system.by_move(states[-1], move)
        return trail._replace(states=tuple(states))
