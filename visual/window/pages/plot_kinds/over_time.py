"""What changes along the run: tokens, a variable of each node, the histories of a rewriting system."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from algorithms.engine.events import APPLIED, KIND, TERM, TIME
from algorithms.engine.observe.series import Level
from algorithms.engine.rewrite import CARRIER, system_of
from visual.analysis.studies import ValueSeries, VariableStudy
from visual.drawing.shapes import Fill, Line, Pattern, Point, Rect, Shape
from visual.window.pages.plot_kinds.chart import DASHES, Axis, Chart, LegendEntry, number, round_step
from visual.window.panel import View
from visual.window.run_view import RunView
from visual.words import node_name, symbol

if TYPE_CHECKING:  # the first frame does without
    from algorithms.engine.rewrite.rewriting import State, System

COUNT = 240  # columns of a plot of tokens
MOMENTS = 60  # at which a variable is looked at
MOST_CHANGES = 400  # of the selected node's own


def reach(run: RunView, time: float) -> float:
    """The right end of an axis of time: that of the timeline, halved as often as the present is still on it."""
    end = run.horizon
    while end / 2 >= max(time, 1.0):
        end /= 2
    return end


# ---- tokens ------------------------------------------------------------------------------------------------


def has_tokens(run: RunView) -> bool:
    """Whether there are tokens to count."""
    return run.simulation.algorithm.token is not None


def columns_of(run: RunView, use: str, count: int) -> LevelColumns:
    """The columns of a run's tokens for one use, updated as the run grows."""
    return run.cache.get(_columns, use, count)


def _columns(use: str, count: int) -> LevelColumns:
    return LevelColumns(count)


def draw_tokens(view: View, region: Rect) -> list[Shape]:
    """The number of tokens as a step function; none and more than one stand out."""
    run, look, theme, time = view.run, view.look, view.look.theme, view.interface.playback.time
    level = run.ledger.tokens
    assert level is not None
    end = reach(run, time)
    columns = columns_of(run, "plot", COUNT).follow(level, end, max(run.now, 1e-9))
    highest = max(2, *(column.high for column in columns))
    shares = run.ledger.counters(time).token_shares or {}
    chart = Chart(
        look,
        region,
        Axis(0, end, "time"),
        Axis(0, highest + 0.5, whole=True),
        "tokens alive",
        _shares_words(shares),
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
    """The ground under more than one token."""
    theme = view.look.theme
    return Pattern("backhatch", theme.accent, theme.paper, view.look.px(8))


def _steps(columns: list[LevelColumn], wide: float, time: float, more_than: int = 0) -> list[Point]:
    """The highest value of each column as a step function; with `more_than`, nothing where it is not above that."""
    found: list[Point] = []
    for place, column in enumerate(columns):
        value = float(column.high if column.high > more_than else 0)
        if not found or found[-1][1] != value:
            found.append((place * wide, value))
    return [*found, (max(time, found[-1][0]), found[-1][1])]


def _shares_words(shares: dict[int, float]) -> str:
    whole = sum(shares.values())
    if not whole:
        return ""
    more = sum(spent for count, spent in shares.items() if count > 1)
    parts = [("none", shares.get(0, 0.0)), ("1", shares.get(1, 0.0)), ("2+", more)]
    return "   ".join(f"{name}: {100 * spent / whole:.0f} %" for name, spent in parts)


# ---- a variable of each node -------------------------------------------------------------------------------


class Spans(NamedTuple):
    """What a variable has been at one moment: lowest, median and highest of all nodes."""

    low: float
    median: float
    high: float


def has_paced_variable(run: RunView) -> bool:
    """Whether a variable that matters changes by small amounts: a time-out that adapts."""
    algorithm = run.simulation.algorithm
    return algorithm.paced_by is not None and algorithm.badge is not None


def draw_variable(view: View, region: Rect) -> list[Shape]:
    """Lowest, median and highest over time, and the selected node's own."""
    run, look, theme, time = view.run, view.look, view.look.theme, view.interface.playback.time
    study = run.ledger.studies.variable
    assert study is not None
    end = reach(run, time)
    known = min(time, study.reached)
    moments = [*(end * place / MOMENTS for place in range(int(known / end * MOMENTS) + 1)), known]
    spans = [*(_spans(study, moment, study.epoch) for moment in moments[:-1]), _spread(study, known)]
    chosen = view.interface.node
    step = round_step(max(max(span.high for span in spans) - 0.9 * spans[0].low, 1.0) / 3)
    low, high = min(span.low for span in spans), max(span.high for span in spans)
    axis = Axis(step * int(0.9 * low / step), step * (int(high / step) + 1))
    legend = [LegendEntry("dashes", "highest", theme.ink), LegendEntry("line", "median", theme.accent)]
    if chosen is not None:
        legend.append(LegendEntry("line", node_name(chosen), theme.ink))
    chart = Chart(
        look,
        region,
        Axis(0, end, "time"),
        axis,
        f"{symbol(study.name)} of each node",
        _present_words(spans[-1], known, time),
        tuple(legend),
    )
    shapes = chart.frame()
    shapes += chart.stairs([(at, span.high) for at, span in zip(moments, spans, strict=True)], theme.ink, 2.5, DASHES)
    shapes += chart.stairs([(at, span.median) for at, span in zip(moments, spans, strict=True)], theme.accent, 2.5)
    if chosen is not None:
        shapes += chart.stairs(_own(study.of[chosen], known), theme.ink, 2.0)
    return [*shapes, chart.now(time)]


def _present_words(span: Spans, known: float, time: float) -> str:
    """What it is now; while the run is still being read, how far that is."""
    if known < time:
        return f"read up to {number(known)} …"
    return f"now {number(round(span.low))} to {number(round(span.high))}"


def _own(history: ValueSeries, until: float) -> list[Point]:
    """The latest changes of one node's variable, up to that time."""
    last = bisect_right(history.times, until)
    first = max(0, last - MOST_CHANGES)
    changes = list(zip(history.times[first:last], history.values[first:last], strict=True))
    return [*changes, (until, history.at(until))]


@lru_cache(maxsize=1024)
def _spans(study: VariableStudy, moment: float, epoch: int) -> Spans:
    """The spread at a moment that the course has passed: it stays as it is until the next epoch."""
    return _spread(study, moment)


def _spread(study: VariableStudy, moment: float) -> Spans:
    values = sorted(history.at(moment) for history in study.of)
    return Spans(values[0], values[len(values) // 2], values[-1])


class LevelColumn(NamedTuple):
    """The lowest, the highest and the last value in a stretch of time."""

    low: int
    high: int
    last: int


class LevelColumns:
    """The columns of one level over [0, length), `count` of them; only those that have changed are worked out anew.

    Reading on costs as much as what has been added since, however long the run is.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        self._length = 0.0
        self._columns: list[LevelColumn] = []  # all but the last are complete
        self._seen = (0, 0.0)  # of the level: how many change points, and when the last of them was

    def follow(self, level: Level, length: float, end: float) -> list[LevelColumn]:
        """The columns up to the time `end`, as far as the level is known."""
        times = level.times
        seen, last = self._seen
        if length != self._length or seen > len(times) or (seen and times[seen - 1] != last):
            self._length, self._columns = length, []
        wide = length / self._count
        reached = min(self._count, max(1, ceil(end / wide)))
        kept = min(max(0, len(self._columns) - 1), reached)
        del self._columns[kept:]
        self._columns += [_column(level, place * wide, min((place + 1) * wide, end)) for place in range(kept, reached)]
        self._seen = (len(times), times[-1])
        return self._columns


def _column(level: Level, start: float, end: float) -> LevelColumn:
    first = max(0, bisect_right(level.times, start) - 1)
    last = max(first + 1, bisect_right(level.times, end))
    values = level.values[first:last]
    return LevelColumn(min(values), max(values), values[-1])


# ---- histories of a rewriting system -----------------------------------------------------------------------

MOST_STEPS = 2_000  # steps that are looked at, the latest


def has_histories(run: RunView) -> bool:
    """Whether it is a rewriting system."""
    return system_of(run.simulation.algorithm) is not None


def takes_turns(run: RunView) -> bool:
    """Whether nodes ask and are served, so that there is something to wait for."""
    return not has_histories(run)


def draw_histories(view: View, region: Rect) -> list[Shape]:
    """Two step functions, one above the other: what lies between them has not been learnt everywhere."""
    run, look, theme, time = view.run, view.look, view.look.theme, view.interface.playback.time
    system = system_of(run.simulation.algorithm)
    if system is None:
        return []
    lengths = history_lengths(run, system)
    bound = run.simulation.processes[CARRIER].history
    legend = (LegendEntry("line", "longest", theme.accent), LegendEntry("dashes", "shortest local one", theme.ink))
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
    found = [(0.0, *_extremes(system, system.initial(run.scenario.nodes)))]
    for k in range(max(trace.forgotten, steps - MOST_STEPS), steps):
        record = trace.step(k)[-1]
        if record[KIND] == APPLIED:
            found.append((record[TIME], *_extremes(system, record[TERM])))
    return found


def _extremes(system: System, term: State) -> tuple[int, int]:
    """How long the longest history of a term is, and the shortest local one."""
    longest = max((len(history) for history in system.histories(term)), default=0)
    parts = dict(zip(system.components, term, strict=True))
    return longest, min((len(history) for _, history in parts["P"]), default=0) if "P" in parts else longest
