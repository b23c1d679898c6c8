"""What an experiment has measured: a curve over numbers, with the learner's answer in it, or bars for names."""

from __future__ import annotations

from lessons.task import AnswerVerdict
from lessons.tasks.experiments import ExperimentKey, ExperimentTask
from visual.drawing import fonts
from visual.drawing.shapes import Box, Rect, Shape, Text
from visual.narration.answers import measure_words, value_words, varied_words
from visual.window.pages.plot_chart import DASHES, TEXT, Axis, Chart, LegendItem, number
from visual.window.widgets import Look

_WIDE = 450.0  # logical pixels, from which there is room for a legend
_NAMES = 0.5  # of the width, at most, for the names beside bars
_NUMBERS = 0.16  # of the width for the numbers
_LEAST = 11.0  # pixels: the smallest letters


def measured_shapes(
    look: Look, region: Rect, task: ExperimentTask, key: ExperimentKey, verdict: AnswerVerdict
) -> list[Shape]:
    """The measured means, as bars where the values are names."""
    is_curve = all(isinstance(value, int | float) for value in key.values)
    return _curve(look, region, task, key, verdict) if is_curve else _bars(look, region, task, key)


def _curve(look: Look, region: Rect, task: ExperimentTask, key: ExperimentKey, verdict: AnswerVerdict) -> list[Shape]:
    """A mark for each value; a number that was answered is a dashed line."""
    given = verdict.given.value if verdict.given is not None and verdict.given.kind == "number" else None
    places = list(key.values)
    most = 1.1 * max([*key.means, given or 0.0, 1e-9])
    room = 0.06 * (places[-1] - places[0])
    is_wide = region.w > look.px(_WIDE)
    unit = varied_words(task.vary).removeprefix("the ") if is_wide else ""
    x = Axis(places[0] - room, places[-1] + room, unit)
    items = (LegendItem("mark", "measured", look.theme.ink), LegendItem("dashes", "your answer", look.theme.accent))
    legend = items[: 1 + (given is not None)] if is_wide else ()
    chart = Chart(look, region, x, Axis(0.0, most), measure_words(task.measure), legend=legend)
    shapes = chart.frame([(value, str(value)) for value in places])
    if given is not None:
        shapes += chart.curve([(x.low, given), (x.high, given)], look.theme.accent, 2.0, DASHES)
    return [*shapes, *chart.marks(list(zip(places, key.means, strict=True)))]


def _bars(look: Look, region: Rect, task: ExperimentTask, key: ExperimentKey) -> list[Shape]:
    """A level bar for each value, with its name and its number, below what they measure."""
    theme, most = look.theme, max(*key.means, 1e-9)
    heading, names = measure_words(task.measure), [value_words(task, value) for value in key.values]
    size = fonts.shrink(heading, region.w, look.px(TEXT), _LEAST, weight="bold")
    size = min(fonts.shrink(name, _NAMES * region.w, size, _LEAST) for name in names)
    row = min(region.h / (len(names) + 1), 2.2 * size)
    left = region.x + max(fonts.width(name, size) for name in names) + look.px(16)
    room = region.x + (1 - _NUMBERS) * region.w - left
    shapes: list[Shape] = [Text(region.x, region.y + row / 2, heading, size, theme.muted, "bold", baseline="middle")]
    for place, (name, mean) in enumerate(zip(names, key.means, strict=True), 1):
        middle, long = region.y + (place + 0.5) * row, max(mean / most * room, 1.0)
        shapes += [
            Text(region.x, middle, name, size, theme.ink, baseline="middle"),
            Box(left, middle - 0.3 * row, long, 0.6 * row, theme.edge),
            Text(left + long + look.px(8), middle, number(mean), size, theme.ink, "bold", baseline="middle"),
        ]
    return shapes
