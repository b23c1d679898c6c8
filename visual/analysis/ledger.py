"""What is folded over a run for its panels: counters, verdicts, lives, ticks. Each is brought up to date when asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from algorithms.engine.observe.fold import Fold
from algorithms.engine.observe.meters import Counters, Intervals, Meters
from algorithms.engine.observe.monitors import Monitors
from algorithms.engine.observe.series import Level, Samples
from algorithms.engine.observe.verdicts import Verdict
from algorithms.engine.timeline import Timeline
from visual.analysis.event_index import EventFilter, EventIndex, Ticks
from visual.analysis.logical_time import LogicalTimes
from visual.analysis.run_cache import Moment, RunCache
from visual.analysis.spells import SpellObserver, Spells

if TYPE_CHECKING:
    from visual.analysis.studies import Studies, VariableHistory

CURVE_POINTS = 400  # of the concurrency plot at most


class Ledger:
    """The books of one timeline, for whatever step it shows."""

    def __init__(self, timeline: Timeline, cache: RunCache | None = None) -> None:
        scenario, algorithm = timeline.scenario, timeline.algorithm
        self.timeline = timeline
        self.cache = cache or RunCache(timeline.simulation)
        self._meters = Meters(scenario, algorithm)
        self._monitors = Monitors(scenario, algorithm)
        self._chronicle = Fold(scenario, algorithm)
        self._spells = SpellObserver(self._chronicle.situation)
        self._intervals = Intervals(self._chronicle.situation)
        self._chronicle.observe([self._spells, self._intervals])
        self._ticks = Ticks()
        self._logical_times = LogicalTimes(len(timeline.simulation.processes))
        self._event_index = EventIndex()
        self._studies: Studies | None = None
        self._counted: tuple[tuple[Moment, float], Counters] | None = None  # several panels ask for the same
        self._variable_history: VariableHistory | None = None

    def keep_up(self) -> None:
        """Read what is new in the run, so that nobody has to wait for it later."""
        trace = self.timeline.trace
        for fold in (self._meters, self._monitors, self._chronicle):
            fold.advance(trace)
        self._logical_times.follow(trace)
        self._event_index.follow(trace)

    def counters(self, time: float | None = None) -> Counters:
        """All that is counted, at the present step, and at a time between it and the next if one is given."""
        run = self.timeline.simulation
        asked = Moment(run), run.now if time is None else max(time, run.now)
        if self._counted is None or self._counted[0] != asked:
            self._meters.advance(self.timeline.trace)
            self._counted = asked, self._meters.at(self.timeline.step, asked[1])
        return self._counted[1]

    def concurrency_curve(self, since: float) -> list[tuple[float, int]]:
        """How many have been in the critical section, up to the present step: (time, number from then on)."""
        self._meters.advance(self.timeline.trace)
        return self._meters.concurrency_curve(self.timeline.step, since, CURVE_POINTS)

    @property
    def tokens(self) -> Level | None:
        """How many tokens there have been, as far as the run has been executed; None for an algorithm without."""
        self._meters.advance(self.timeline.trace)
        return self._meters.tokens.level if self._meters.tokens else None

    @property
    def waiting_times(self) -> Samples:
        """From the request to the entry, of all entries so far."""
        self._meters.advance(self.timeline.trace)
        return self._meters.turns.waiting

    @property
    def turnarounds(self) -> Samples:
        """How long elections have taken; none for algorithms that elect nobody."""
        self._meters.advance(self.timeline.trace)
        return self._meters.elections.turnarounds if self._meters.elections else Samples()

    @property
    def intervals(self) -> Samples:
        """From one entry of a process to its next."""
        self._chronicle.advance(self.timeline.trace)
        return self._intervals.all

    @property
    def studies(self) -> Studies:
        """What is worked out beside the run."""
        if self._studies is None:
            from visual.analysis.studies import Studies  # only for whoever looks at plots

            self._studies = Studies(self.timeline)
        return self._studies

    @property
    def verdicts(self) -> list[Verdict]:
        """What each monitor says at the present step."""
        self._watch()
        return list(self._monitors.at(self.timeline.step, self.timeline.simulation.now).values())

    @property
    def breach_times(self) -> list[float]:
        """When each of the monitors saw its first breach, as far as the run has been executed."""
        self._watch()
        breaches = self._monitors.breaches(self.timeline.frontier)
        first = {breach.monitor: breach.time for breach in reversed(breaches)}
        return list(first.values())

    @property
    def logical_times(self) -> LogicalTimes:
        """The logical times of all that has happened."""
        self._logical_times.follow(self.timeline.trace)
        return self._logical_times

    @property
    def spells(self) -> Spells:
        """What each process has been over time."""
        self._chronicle.advance(self.timeline.trace)
        return self._spells.spells

    def matching_steps(self, question: EventFilter) -> Sequence[int]:
        """The steps, counted from 0, that are asked for, as far as the run has been executed."""
        self._event_index.follow(self.timeline.trace)
        return self._event_index.steps(question)

    def notable(self, present: int, direction: int) -> int | None:
        """The nearest notable step, counted from 0, before (-1) or after (+1) the state after `present` steps."""
        self._event_index.follow(self.timeline.trace)
        return self._event_index.notable(present, direction)

    def variable_history(self, node: int) -> VariableHistory:
        """What the variables of the node have been, as far as that has been worked out; it is kept for one node."""
        if self._variable_history is None or self._variable_history.node != node:
            from visual.analysis.studies import VariableHistory  # only for whoever looks at it

            self._variable_history = VariableHistory(self.timeline, node)
        return self._variable_history

    def ticks(self, horizon: float) -> dict[str, set[int]]:
        """Kind of tick -> the grains of a timeline of that length that hold one."""
        return self._ticks.follow(self.timeline.trace, horizon)

    def _watch(self) -> None:
        timeline = self.timeline
        self._monitors.advance(timeline.trace)
        if timeline.step == timeline.frontier and timeline.simulation.next_time() is None:
            self._monitors.finish()
