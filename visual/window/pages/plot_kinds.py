"""The plots: curves over time, distributions of durations and messages, concurrency with its zones."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from math import ceil, exp, factorial, inf
from typing import TYPE_CHECKING, NamedTuple

from algorithms.engine.events import APPLIED, KIND, TERM, TIME
from algorithms.engine.observe.offered_load import offered_load
from algorithms.engine.observe.series import Level, Samples
from algorithms.engine.process import MutexProcess
from algorithms.engine.rewrite import CARRIER
from algorithms.engine.scenario import Zone
from visual.analysis.studies import ValueSeries, VariableStudy
from visual.drawing.shapes import Box, Fill, Line, Pattern, Point, Rect, Shape
from visual.window.diagram.scrolling import FLIGHTS
from visual.window.pages.plot_chart import DASHES, Axis, Chart, LegendItem, hatch, number, round_step, shares_words
from visual.window.panel import View
from visual.window.run_view import RunView
from visual.words import node_name, symbol

if TYPE_CHECKING:
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


CLASSES = 12  # the approximate number of classes of durations


class Durations(NamedTuple):
    """Measured durations, with a heading and a sentence for before there are any."""

    title: str
    samples: Samples
    nothing: str


def durations_of(run: RunView) -> Durations:
    """The durations that matter in a run: of elections, turns or waiting."""
    algorithm, ledger = run.simulation.algorithm, run.ledger
    if algorithm.is_election():
        return Durations("how long elections took", ledger.turnarounds, "no election is over yet")
    if algorithm.paced_by:
        return Durations("time between turns of a node", ledger.intervals, "nobody has had a turn yet")
    return Durations("waiting time", ledger.waiting_times, "nobody has waited and entered yet")


def classes(samples: Samples, step: int) -> tuple[float, list[int]]:
    """The width of the classes, and the number of samples in each."""
    longest = samples.spread(step).max or 0.0
    width = round_step(longest / CLASSES) if longest else 1.0
    count = int(longest / width) + 1
    return width, samples.histogram(step, width, count)


def draw_durations(view: View, region: Rect) -> list[Shape]:
    """A histogram of the durations."""
    run, look = view.run, view.look
    durations, step = durations_of(run), run.timeline.step
    spread = durations.samples.spread(step)
    width, counts = classes(durations.samples, step)
    share = [count / max(spread.samples, 1) for count in counts]
    highest = max([*share, 0.05])
    top = round_step(highest / 4)
    y = Axis(0, top * -int(-highest // top), share=True)
    note = f"mean {_short(spread.mean)}, longest {_short(spread.max)}" if spread.mean is not None else ""
    columns = max(len(counts), 2)
    chart = Chart(look, region, Axis(0, columns, "time"), y, durations.title, note)
    labels = [(place / width, number(place)) for place in Axis(0, columns * width).ticks(chart.area.w / look.px(70))]
    shapes = chart.frame(labels)
    if not spread.samples:
        return [*shapes, chart.message(durations.nothing)]
    return [*shapes, *chart.bars(share, look.theme.accent, 0.9, 0.05)]


def _short(value: float | None) -> str:
    return "–" if value is None else number(round(value, 1 if value < 100 else 0))


# ---- messages that each node has handled -------------------------------------------------------------------

_SINGLE = 64  # nodes: with more, bars are too thin to be told apart


def has_messages(run: RunView) -> bool:
    """Whether the algorithm sends messages."""
    return bool(run.simulation.algorithm.looks)


def _busiest(handled: Sequence[int], most: int) -> str:
    """The node with most messages, or the number of such nodes."""
    shared = handled.count(most)
    return node_name(handled.index(most)) if shared == 1 else f"{shared} nodes"


def draw_messages_handled(view: View, region: Rect) -> list[Shape]:
    """A bar per node, or for many nodes the outline of the bars."""
    look = view.look
    handled = view.run.ledger.counters().handled_per_node
    most, nodes = max(handled), len(handled)
    step = max(1.0, round_step(max(most, 4) / 4))
    y = Axis(0, step * -int(-max(most, 4) // step), whole=True)
    mean = sum(handled) / nodes
    note = f"mean {number(round(mean, 1))}, most {most:,} ({_busiest(handled, most)})" if most else ""
    chart = Chart(look, region, Axis(0, nodes, whole=True), y, "messages handled", note)
    every = max(1, round(round_step(nodes / (chart.area.w / look.px(70)))))
    shapes = chart.frame([(node + 0.5, node_name(node)) for node in range(0, nodes, every)])
    if not most:
        return [*shapes, chart.message("no message has arrived yet")]
    if nodes <= _SINGLE:
        return [*shapes, *chart.bars(handled, look.theme.accent, 0.8, 0.1)]
    steps = [*enumerate(map(float, handled)), (nodes, float(handled[-1]))]
    return [*shapes, *chart.hill(steps, look.theme.accent)]


MOST = 5  # inside: that number and all greater ones share a column


def has_critical_section(run: RunView) -> bool:
    """Whether the algorithm has a critical section."""
    return issubclass(run.simulation.process_class, MutexProcess)


def measured_shares(run: RunView, time: float) -> list[float]:
    """The shares of time with 0, 1, 2, … inside, up to `time`."""
    return shares(run.ledger.counters(time).concurrency)


def baseline_shares(run: RunView, time: float) -> list[float]:
    """The same shares under the baseline algorithm; empty without one."""
    baseline = run.ledger.studies.baseline
    return shares(baseline.concurrency(time)) if baseline and baseline.reached else []


def shares(spent: dict[int, float]) -> list[float]:
    """Time by number -> shares of time, the last for MOST or more."""
    whole = sum(spent.values())
    if not whole:
        return []
    below = [spent.get(count, 0.0) / whole for count in range(MOST)]
    return [*below, sum(time for count, time in spent.items() if count >= MOST) / whole]


def poisson(load: float) -> list[float]:
    """The shares of a Poisson distribution: independent arrivals at that load that never wait."""
    below = [exp(-load) * load**count / factorial(count) for count in range(MOST)]
    return [*below, max(0.0, 1 - sum(below))]


def draw_shares(view: View, region: Rect) -> list[Shape]:
    """Bars for measured and baseline shares, circles for the Poisson distribution."""
    run, look, theme = view.run, view.look, view.look.theme
    here = measured_shares(run, view.interface.playback.time)
    soft = run.simulation.algorithm.paced_by is not None
    load = offered_load(run.simulation) if soft else None
    chance = poisson(load) if load is not None else []
    other = baseline_shares(run, view.interface.playback.time) if soft else []
    visible = (k + 1 for row in (here, chance, other) for k, share in enumerate(row) if share >= 0.001)
    rows = max(3, max(visible, default=0))
    x = Axis(0, rows, whole=True)
    y = Axis(0, _top(max((*here, *chance, *other, 0.1))), share=True)
    chart = Chart(look, region, x, y, "share of time with 0, 1, 2 … in the CS", legend=_legend(view, load, bool(other)))
    names = [(place + 0.5, f"{place}+" if place == MOST else str(place)) for place in range(rows)]
    shapes = chart.frame(names)
    if not here:
        return [*shapes, chart.message("no time has passed yet")]
    width = 0.38 if other else 0.6
    fill: Fill = theme.accent
    shapes += chart.bars(here[:rows], fill, width, 0.1 if other else 0.2)
    shapes += chart.bars(other[:rows], hatch(look), width, 0.52)
    if chance:
        shapes += chart.marks([(place + 0.5, share) for place, share in enumerate(chance[:rows])])
        return shapes
    words = [f"{100 * share:.1f} %" if share else "" for share in here[:rows]]
    return [*shapes, *chart.labels(here[:rows], words)]


def _legend(view: View, load: float | None, baseline: bool) -> tuple[LegendItem, ...]:
    if load is None:
        return ()
    theme, studies = view.look.theme, view.run.ledger.studies
    legend = [LegendItem("bar", "measured", theme.accent)]
    if baseline and studies.baseline:
        legend.append(LegendItem("bar", studies.baseline.name.lower(), hatch(view.look)))
    return (*legend, LegendItem("mark", f"Poisson({load:.2f})", theme.paper))


def _top(highest: float) -> float:
    """The end of the upright axis: a round share above `highest`."""
    step = round_step(highest / 4)
    return min(1.0, step * -int(-highest * 1.08 // step))


# ---- zones -------------------------------------------------------------------------------------------------

STAYS = 25.0  # the width of the plot in mean stays
PRESENT = 0.9  # of the width: the present, once the run is longer than the plot


def has_zones(run: RunView) -> bool:
    """Whether the scenario names zones of concurrency."""
    return bool(run.scenario.zones)


def zone_of(zones: tuple[Zone, ...], count: int) -> int:
    """The index of the zone for that number inside."""
    return next((place for place, zone in enumerate(zones) if count <= (inf if zone.upto is None else zone.upto)), 0)


def shares_by_zone(zones: tuple[Zone, ...], spent: dict[int, float]) -> list[float]:
    """The share of time in each zone, from time by number inside."""
    whole = sum(spent.values()) or 1.0
    shares = [0.0] * len(zones)
    for count, time in spent.items():
        shares[zone_of(zones, count)] += time / whole
    return shares


def draw_zones(view: View, region: Rect) -> list[Shape]:
    """The number inside as a step function, filled by zone."""
    run, look, theme, time = view.run, view.look, view.look.theme, view.interface.playback.time
    zones = run.scenario.zones
    counted = run.ledger.counters(time)
    inside = sum(count * time for count, time in counted.concurrency.items())
    width = round_step(STAYS * (inside / counted.entries if counted.entries and inside else 1.0))  # mean stays
    start = max(0.0, time - PRESENT * width)
    steps = [*run.ledger.concurrency_curve(start), (time, 0)]
    top = max(zones[-2].upto or 1 if len(zones) > 1 else 1, *(count for _, count in steps)) + 1
    shares = shares_by_zone(zones, counted.concurrency)
    legend = tuple(
        LegendItem("bar", f"{zone.name} {100 * share:.1f} %", _zone_fill(view, place))
        for place, (zone, share) in enumerate(zip(zones, shares, strict=True))
    )
    axes = Axis(start, start + width, "time"), Axis(0, top, whole=True)
    chart = Chart(look, region, *axes, "number inside at the same time, by zone", legend=legend)
    shapes = chart.frame()
    foot = chart.area.y + chart.area.h
    for (since, count), (until, _) in pairwise(steps):
        x1, x2, y = chart.x(since), chart.x(until), chart.y(count)
        if count:
            outline = theme.ink if zone_of(zones, count) else None
            shapes.append(Box(x1, y, x2 - x1, foot - y, _zone_fill(view, zone_of(zones, count)), outline, look.rule))
    for zone in zones[:-1]:
        y = chart.y(zone.upto or 0)
        shapes.append(Line(chart.area.x, y, chart.area.x + chart.area.w, y, theme.muted, look.px(1.5), (6.0, 4.0)))
    return [*shapes, chart.now(time)]


def _zone_fill(view: View, place: int) -> Fill:
    """The fill of a zone: plain for the first, then denser."""
    look, theme = view.look, view.look.theme
    if place == 0:
        return theme.accent
    if place == 1:
        return Pattern("hatch", theme.ink, theme.paper, look.px(9))
    return Pattern("crosshatch", theme.fault, theme.paper, look.px(8))
