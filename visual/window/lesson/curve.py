"""The curve of an experiment: what was measured at each value, with the learner's answer in it."""

from __future__ import annotations

from lessons.lesson import ExperimentTask
from lessons.marking import AnswerVerdict
from lessons.tasks.experiments import ExperimentKey
from visual.drawing.shapes import Rect, Shape
from visual.narration.experiments import value_words, varied_words
from visual.narration.measures import measure_words
from visual.window.pages.plot_kinds.chart import DASHES, Axis, Chart, LegendItem
from visual.window.widgets import Look

_WIDE = 450.0  # logical pixels, from which there is room for a legend


def curve_shapes(
    look: Look, region: Rect, task: ExperimentTask, key: ExperimentKey, verdict: AnswerVerdict
) -> list[Shape]:
    """A mark for each value, in their order; a number that was answered is a dashed line."""
    given = verdict.given.value if verdict.given.kind == "number" else None
    numbers = [isinstance(value, int | float) for value in key.values]
    places = list(key.values) if all(numbers) else list(range(len(key.values)))
    most = 1.1 * max([*key.means, given or 0.0, 1e-9])
    room = 0.06 * (places[-1] - places[0])
    is_wide = region.w > look.px(_WIDE)
    unit = varied_words(task.vary).removeprefix("the ") if is_wide else ""
    x = Axis(places[0] - room, places[-1] + room, unit)
    items = (LegendItem("mark", "measured", look.theme.ink), LegendItem("dashes", "your answer", look.theme.accent))
    legend = items[: 1 + (given is not None)] if is_wide else ()
    chart = Chart(look, region, x, Axis(0.0, most), measure_words(task.measure), legend=legend)
    shapes = chart.frame([(place, value_words(task, value)) for place, value in zip(places, key.values, strict=True)])
    if given is not None:
        shapes += chart.curve([(x.low, given), (x.high, given)], look.theme.accent, 2.0, DASHES)
    return [*shapes, *chart.marks(list(zip(places, key.means, strict=True)))]
