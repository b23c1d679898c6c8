"""Plots over time: tokens, a variable of each node, histories."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from algorithms.engine.events import APPLIED, KIND, TERM, TIME
from algorithms.engine.observe.series import Level
from algorithms.engine.rewrite import CARRIER
from visual.analysis.studies import ValueSeries, VariableStudy
from visual.drawing.shapes import Fill, Line, Pattern, Point, Rect, Shape
from visual.window.diagram.scrolling import FLIGHTS
from visual.window.pages.plot_kinds.chart import DASHES, Axis, Chart, LegendItem, number, round_step, shares_words
from visual.window.panel import View
from visual.window.run_view import RunView
from visual.words import node_name, symbol

if TYPE_CHECKING:  # the first frame does without
    from algorithms.engine.rewrite.rewriting import State, System

COUNT = 240  # columns of a plot of tokens
MOMENTS = 60  # samples of a variable along the axis
MOST_CHANGES = 400  # of the selected node's variable that are drawn


def reach(run: RunView, time: float) -> float:
    """The right end of an axis of time, not far beyond the present; at least a page of the diagram."""
    end = run.horizon
    while end / 2 >= max(time, FLIGHTS * run.flight):
        end /= 2
    return end


# ---- tokens ------------------------------------------------------------------------------------------------


def has_tokens(run: RunView) -> bool:
    """Whether the algorithm has tokens to count."""
    return run.simulation.algorithm.token is not None


def columns_of(run: RunView, use: str, count: int) -> LevelColumns:
    """The cached columns of a run's tokens for one use."""
    return run.cache.get(_columns, use, count)


def _columns(use: str, count: int) -> LevelColumns:
    return LevelColumns(count)


def draw_tokens(view: View, region: Rect) -> list[Shape]:
    """The number of tokens as a step function, with anomalies highlighted."""
    run, look, theme, time = view.run, view.look, view.look.theme, view.interface.playback.time
    level = run.ledger.tokens
    assert level is not None
    end = reach(run, time)
    columns = columns_of(run, "plot", COUNT).follow(level, end, max(run.now, 1e-9))
    highest = max(2, *(column.high for column in columns))
    chart = Chart(
        look,
        region,
        Axis(0, end, "time"),
        Axis(0, highest + 0.5, whole=True),
        "tokens alive",
        shares_words(run.ledger.counters(time).token_shares or {}, "none"),
    )
    wide = end / COUNT
    shapes = chart.frame()
    foot = chart.area.y + chart.area.h
    for place, column in enumerate(columns):
        if column.low == 0:
            x1, x2 = chart.x(place * wide), chart.x((place + 1) * wide)
            shapes.append(Line(x1, foot, x2, foot, theme.fault, look.px(7)))
    shapes += chart.hill(_steps(columns, wide, time, 1), several(view))
    return [*shapes, *chart.stairs(_steps(columns, wide, time), theme.accent, 2.5), chart.now(time)]


def several(view: View) -> Fill:
    """The fill below more than one token."""
    theme = view.look.theme
    return Pattern("backhatch", theme.accent, theme.paper, view.look.px(8))


def _steps(columns: list[LevelColumn], wide: float, time: float, more_than: int = 0) -> list[Point]:
    """The highest values as a step function, 0 unless above `more_than`."""
    steps: list[Point] = []
    for place, column in enumerate(columns):
        value = float(column.high if column.high > more_than else 0)
        if not steps or steps[-1][1] != value:
            steps.append((place * wide, value))
    return [*steps, (max(time, steps[-1][0]), steps[-1][1])]


# ---- a variable of each node -------------------------------------------------------------------------------


class ValueRange(NamedTuple):
    """The lowest, median and highest value of a variable over all nodes."""

    low: float
    median: float
    high: float


def has_paced_variable(run: RunView) -> bool:
    """Whether the algorithm paces itself by a variable: an adaptive timeout."""
    algorithm = run.simulation.algorithm
    return algorithm.paced_by is not None and algorithm.badge is not None


def draw_variable(view: View, region: Rect) -> list[Shape]:
    """The lowest, median and highest value, and the selected node's."""
    run, look, theme, time = view.run, view.look, view.look.theme, view.interface.playback.time
    study = run.ledger.studies.variable
    assert study is not None
    end = reach(run, time)
    until = min(time, study.reached)
    moments = [*(end * place / MOMENTS for place in range(int(until / end * MOMENTS) + 1)), until]
    ranges = [*(_past_range(study, moment, study.epoch) for moment in moments[:-1]), _range_at(study, until)]
    node = view.interface.node
    step = round_step(max(max(values.high for values in ranges) - 0.9 * ranges[0].low, 1.0) / 3)
    low, high = min(values.low for values in ranges), max(values.high for values in ranges)
    axis = Axis(step * int(0.9 * low / step), step * (int(high / step) + 1))
    legend = [LegendItem("dashes", "highest", theme.ink), LegendItem("line", "median", theme.accent)]
    if node is not None:
        legend.append(LegendItem("line", node_name(node), theme.ink))
    chart = Chart(
        look,
        region,
        Axis(0, end, "time"),
        axis,
        f"{symbol(study.name)} of each node",
        _present_words(ranges[-1], until, time),
        tuple(legend),
    )
    shapes = chart.frame()
    highest = [(at, values.high) for at, values in zip(moments, ranges, strict=True)]
    medians = [(at, values.median) for at, values in zip(moments, ranges, strict=True)]
    shapes += chart.stairs(highest, theme.ink, 2.5, DASHES)
    shapes += chart.stairs(medians, theme.accent, 2.5)
    if node is not None:
        shapes += chart.stairs(_changes(study.of[node], until), theme.ink, 2.0)
    return [*shapes, chart.now(time)]


def _present_words(values: ValueRange, until: float, time: float) -> str:
    """The present range of values, or the progress of reading the run."""
    if until < time:
        return f"read up to {number(until)} …"
    return f"now {number(round(values.low))} to {number(round(values.high))}"


def _changes(history: ValueSeries, until: float) -> list[Point]:
    """The latest changes of one node's variable up to a time."""
    last = bisect_right(history.times, until)
    first = max(0, last - MOST_CHANGES)
    changes = list(zip(history.times[first:last], history.values[first:last], strict=True))
    return [*changes, (until, history.at(until))]


@lru_cache(maxsize=1024)
def _past_range(study: VariableStudy, moment: float, epoch: int) -> ValueRange:
    """The range at a past moment, constant within an epoch."""
    return _range_at(study, moment)


def _range_at(study: VariableStudy, moment: float) -> ValueRange:
    values = sorted(history.at(moment) for history in study.of)
    return ValueRange(values[0], values[len(values) // 2], values[-1])


class LevelColumn(NamedTuple):
    """The lowest, highest and last value of a level in an interval."""

    low: int
    high: int
    last: int


class LevelColumns:
    """`count` columns of one level over [0, length), updated incrementally.

    An update takes time in proportion to the addition, not to the run.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        self._length = 0.0
        self._columns: list[LevelColumn] = []  # all but the last are complete
        self._last_change = (0, 0.0)  # the number and time of the last change point read

    def follow(self, level: Level, length: float, end: float) -> list[LevelColumn]:
        """The columns up to the time `end`, or the end of the level."""
        times = level.times
        count, last = self._last_change
        if length != self._length or count > len(times) or (count and times[count - 1] != last):
            self._length, self._columns = length, []
        wide = length / self._count
        reached = min(self._count, max(1, ceil(end / wide)))
        complete = min(max(0, len(self._columns) - 1), reached)
        del self._columns[complete:]
        self._columns += [
            _column(level, place * wide, min((place + 1) * wide, end)) for place in range(complete, reached)
        ]
        self._last_change = (len(times), times[-1])
        return self._columns


def _column(level: Level, start: float, end: float) -> LevelColumn:
    first = max(0, bisect_right(level.times, start) - 1)
    last = max(first + 1, bisect_right(level.times, end))
    values = level.values[first:last]
    return LevelColumn(min(values), max(values), values[-1])


# ---- histories of a rewriting system -----------------------------------------------------------------------

MOST_STEPS = 2_000  # the latest steps, which are drawn


def has_histories(run: RunView) -> bool:
    """Whether the algorithm is a rewriting system."""
    return run.system is not None


def takes_turns(run: RunView) -> bool:
    """Whether nodes request and enter, so that there are durations."""
    return not has_histories(run)


def draw_histories(view: View, region: Rect) -> list[Shape]:
    """The lengths of the longest history and the shortest local one."""
    run, look, theme, time = view.run, view.look, view.look.theme, view.interface.playback.time
    system = run.system
    if system is None:
        return []
    lengths = history_lengths(run, system)
    bound = run.simulation.processes[CARRIER].history
    legend = (LegendItem("line", "longest", theme.accent), LegendItem("dashes", "shortest local one", theme.ink))
    words = f"now {lengths[-1][1]} and {lengths[-1][2]}"
    axis = Axis(0, max(bound, *(longest for _, longest, _ in lengths)) + 0.5, whole=True)
    chart = Chart(look, region, Axis(0, reach(run, time), "time"), axis, "length of histories", words, legend)
    last = (max(time, lengths[-1][0]), *lengths[-1][1:])
    longest: list[Point] = [(at, float(most)) for at, most, _ in (*lengths, last)]
    shortest: list[Point] = [(at, float(least)) for at, _, least in (*lengths, last)]
    stairs = [*chart.stairs(longest, theme.accent, 2.5), *chart.stairs(shortest, theme.ink, 2.0, DASHES)]
    return [*chart.frame(), *stairs, chart.now(time)]


def history_lengths(run: RunView, system: System) -> list[tuple[float, int, int]]:
    """(time, longest, shortest) after each of the latest steps up to the present one."""
    trace, steps = run.timeline.trace, run.timeline.step
    lengths = [(0.0, *_extremes(system, system.initial(run.scenario.nodes)))]
    for k in range(max(trace.forgotten, steps - MOST_STEPS), steps):
        record = trace.step(k)[-1]
        if record[KIND] == APPLIED:
            lengths.append((record[TIME], *_extremes(system, record[TERM])))
    return lengths


def _extremes(system: System, term: State) -> tuple[int, int]:
    """The lengths of a term's longest history and shortest local one."""
    longest = max((len(history) for history in system.histories(term)), default=0)
    parts = dict(zip(system.components, term, strict=True))
    return longest, min((len(history) for _, history in parts["P"]), default=0) if "P" in parts else longest
