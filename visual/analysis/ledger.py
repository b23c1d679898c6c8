"""Everything worked out along one run for its panels, each part brought up to date when it is asked for."""

from __future__ import annotations

from collections.abc import Sequence

from algorithms.engine.observe.fold import Fold
from algorithms.engine.observe.meters import Counters, Intervals, Meters
from algorithms.engine.observe.monitors import Monitors
from algorithms.engine.observe.series import Level, Samples
from algorithms.engine.observe.verdicts import Breach, Verdict
from algorithms.engine.timeline import Timeline
from visual.analysis.event_index import EventFilter, EventIndex, Ticks
from visual.analysis.logical_time import LogicalTimes
from visual.analysis.run_cache import Moment, RunCache
from visual.analysis.spells import SpellObserver, Spells, term_observers
from visual.analysis.studies import Studies, VariableHistory

CURVE_POINTS = 400  # at most, in the concurrency plot


class Ledger:
    """The analyses of one timeline, at whichever step it shows."""

    def __init__(self, timeline: Timeline, cache: RunCache | None = None) -> None:
        scenario, algorithm = timeline.scenario, timeline.algorithm
        self.timeline = timeline
        self.cache = cache or RunCache(timeline.simulation)
        self._meters = Meters(scenario, algorithm)
        self._monitors = Monitors(scenario, algorithm)
        self._node_fold = Fold(scenario, algorithm)
        self._spells = SpellObserver(self._node_fold.situation)
        self._intervals = Intervals(self._node_fold.situation)
        terms = term_observers(self._spells.spells, algorithm)
        self._node_fold.observe([self._spells, self._intervals, *terms])
        self._ticks = Ticks()
        self._logical_times = LogicalTimes(len(timeline.simulation.processes))
        self._event_index = EventIndex()
        self._studies: Studies | None = None
        self._breaches: tuple[Moment, list[Breach]] | None = None  # cached: each frame asks for the same
        self._counters: tuple[tuple[Moment, float], Counters] | None = None  # cached: several panels ask for the same
        self._variable_history: VariableHistory | None = None

    def keep_up(self) -> None:
        """Read the new part of the trace now, so that no panel has to wait for it later."""
        trace = self.timeline.trace
        for fold in (self._meters, self._monitors, self._node_fold):
            fold.advance(trace)
        self._logical_times.follow(trace)
        self._event_index.follow(trace)

    def counters(self, time: float | None = None) -> Counters:
        """All counters at the present step, and at a `time` between it and the next, if given."""
        run = self.timeline.simulation
        instant = Moment(run), run.now if time is None else max(time, run.now)
        if self._counters is None or self._counters[0] != instant:
            self._meters.advance(self.timeline.trace)
            self._counters = instant, self._meters.at(self.timeline.step, instant[1])
        return self._counters[1]

    def concurrency_curve(self, since: float) -> list[tuple[float, int]]:
        """The number of processes in the critical section up to the present step: (time, number from then on)."""
        self._meters.advance(self.timeline.trace)
        return self._meters.concurrency_curve(self.timeline.step, since, CURVE_POINTS)

    @property
    def tokens(self) -> Level | None:
        """The number of tokens over the executed part of the run; None for an algorithm without tokens."""
        self._meters.advance(self.timeline.trace)
        return self._meters.tokens.level if self._meters.tokens else None

    @property
    def waiting_times(self) -> Samples:
        """The times from request to entry, for all entries so far."""
        self._meters.advance(self.timeline.trace)
        return self._meters.turns.waiting

    @property
    def turnarounds(self) -> Samples:
        """The durations of elections; empty for an algorithm that elects nobody."""
        self._meters.advance(self.timeline.trace)
        return self._meters.elections.turnarounds if self._meters.elections else Samples()

    @property
    def intervals(self) -> Samples:
        """The times from one entry of a process to its next."""
        self._node_fold.advance(self.timeline.trace)
        return self._intervals.all

    @property
    def studies(self) -> Studies:
        """The studies that run beside the timeline, started on first use."""
        if self._studies is None:
            self._studies = Studies(self.timeline)
        return self._studies

    @property
    def verdicts(self) -> list[Verdict]:
        """The verdict of each monitor at the present step."""
        self._watch()
        return list(self._monitors.at(self.timeline.step, self.timeline.simulation.now).values())

    @property
    def breaches(self) -> list[Breach]:
        """The breaches by the present step."""
        now = Moment(self.timeline.simulation)
        if self._breaches is None or self._breaches[0] != now:
            self._watch()
            self._breaches = now, self._monitors.breaches_at(self.timeline.step)
        return self._breaches[1]

    @property
    def breach_times(self) -> list[float]:
        """The time of each monitor's first breach in the executed part of the run."""
        self._watch()
        breaches = self._monitors.breaches(self.timeline.frontier)
        first = {breach.monitor: breach.time for breach in reversed(breaches)}
        return list(first.values())

    @property
    def logical_times(self) -> LogicalTimes:
        """The logical times of all executed steps."""
        self._logical_times.follow(self.timeline.trace)
        return self._logical_times

    @property
    def spells(self) -> Spells:
        """The state of each process over time."""
        self._node_fold.advance(self.timeline.trace)
        return self._spells.spells

    def matching_steps(self, wanted: EventFilter) -> Sequence[int]:
        """The executed steps, counted from 0, that pass the filter."""
        self._event_index.follow(self.timeline.trace)
        return self._event_index.steps(wanted)

    def notable(self, present: int, direction: int) -> int | None:
        """The nearest notable step, counted from 0, before (-1) or after (+1) the state after `present` steps."""
        self._event_index.follow(self.timeline.trace)
        return self._event_index.notable(present, direction)

    def variable_history(self, node: int) -> VariableHistory:
        """The history of a node's variables, up to the last step read; the latest node's is cached."""
        if self._variable_history is None or self._variable_history.node != node:
            self._variable_history = VariableHistory(self.timeline, node)
        return self._variable_history

    def ticks(self, horizon: float) -> dict[str, set[int]]:
        """Kind of tick -> the grains with such a tick, on a timeline of length `horizon`."""
        return self._ticks.follow(self.timeline.trace, horizon)

    def _watch(self) -> None:
        timeline = self.timeline
        self._monitors.advance(timeline.trace)
        if timeline.step == timeline.frontier and timeline.simulation.is_over():
            self._monitors.finish(timeline.trace)
