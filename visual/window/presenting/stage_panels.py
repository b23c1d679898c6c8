"""Panels that a presentation puts on the stage, in letters for the last row: counters as a line, lights as words."""

from __future__ import annotations

from collections.abc import Callable

from algorithms.engine.errors import count_words
from algorithms.engine.observe.verdicts import NAMES
from visual.drawing import fonts
from visual.drawing.icons import icon_shapes
from visual.drawing.shapes import Rect, Shape, Text
from visual.window.arrangement import PRESENTING
from visual.window.pages.run import STATUS_ICONS, formula_words, status_colours, status_words
from visual.window.pages.source import code
from visual.window.panel import Panel, View, ground, level_rule, upright_rule
from visual.window.run_view import RunView
from visual.window.widgets import Look

LARGE, LEAST, CODE = 0.04, 0.03, 0.0222  # shares of the window's height: letters
_BETWEEN = "  ·  "


def counters_line(view: View) -> Panel:
    """The most important counters of each run as one line; what has no room is left out, from the end."""
    return _of_each_run(view, _counters)


def lights_line(view: View) -> Panel:
    """The properties of each run in words, with their signs."""
    return _of_each_run(view, _lights)


def stage_code(view: View) -> Panel:
    """The source of the algorithm, in letters of 2.2 % of the height."""
    look, region = view.look, view.region
    unit = CODE * view.interface.display.height / look.theme.sizes.code
    larger = view._replace(look=Look(look.theme, PRESENTING * unit, unit), region=inner(region, 0.5 * look.bar(28)))
    listing = code(larger)
    rule = upright_rule(look, region.x, region.y, region.y + region.h)
    return Panel((ground(view, look.theme.paper), rule, *listing.shapes), listing.widgets)


def inner(rect: Rect, margin: float) -> Rect:
    """The rectangle without a margin on all sides."""
    return Rect(rect.x + margin, rect.y + margin, rect.w - 2 * margin, rect.h - 2 * margin)


def _of_each_run(view: View, draw: Callable[[View, RunView, Rect], list[Shape]]) -> Panel:
    """The band, divided among the runs."""
    region, runs = view.region, view.desk.runs
    wide, pad = region.w / len(runs), 0.02 * region.h + view.look.bar(28)
    shapes: list[Shape] = [ground(view), level_rule(view.look, region.x, region.x + region.w, region.y)]
    for place, run in enumerate(runs):
        shapes += draw(view, run, Rect(region.x + place * wide + pad, region.y, wide - 2 * pad, region.h))
    return Panel(tuple(shapes))


def counter_words(run: RunView) -> list[str]:
    """The counters of a run in words, the most important ones first."""
    counted, algorithm = run.ledger.counters(), run.simulation.algorithm
    elections = counted.elections
    turn, cost = ("entry", counted.per_entry) if elections is None else ("election", elections.messages_per_election)
    formula = formula_words(run.scenario, algorithm)
    words = [count_words(counted.messages, "message")]
    if cost is not None:
        words.append(f"{cost:,.1f} per {turn}" + (f" (formula: {formula})" if formula else ""))
    if elections is not None:
        return [*words, f"{count_words(elections.finished, 'election')} over"]
    words.append(count_words(counted.entries, "entry"))
    if counted.waiting_time.mean is not None:
        words.append(f"mean waiting time {counted.waiting_time.mean:,.1f}")
    return words


def _counters(view: View, run: RunView, box: Rect) -> list[Shape]:
    height, words = view.interface.display.height, counter_words(run)
    least = LEAST * height
    while len(words) > 1 and fonts.width(_BETWEEN.join(words), least, weight="bold") > box.w:
        words.pop()
    line = _BETWEEN.join(words)
    size = fonts.shrink(line, box.w, LARGE * height, least, weight="bold")
    return [Text(box.x, box.y + box.h / 2, line, size, view.look.theme.ink, "bold", baseline="middle")]


def _lights(view: View, run: RunView, box: Rect) -> list[Shape]:
    height, look = view.interface.display.height, view.look
    verdicts = run.ledger.verdicts
    words = [f"{NAMES.get(verdict.name, verdict.name)}: {status_words(verdict)}" for verdict in verdicts]
    sign = 1.4  # of the letters' size, for the sign and the space beside it
    gap = 0.9
    natural = sum(fonts.width(each, 1.0, weight="bold") + sign + gap for each in words)
    size = max(min(LARGE * height, box.w / max(natural, 1.0)), LEAST * height)
    shapes: list[Shape] = []
    left, middle = box.x, box.y + box.h / 2
    for verdict, each in zip(verdicts, words, strict=True):
        width = fonts.width(each, size, weight="bold") + sign * size
        if left + width > box.x + box.w + 1:
            break
        line, ink = status_colours(look, verdict)
        icon = STATUS_ICONS.get(verdict.status, "tick")
        shapes += icon_shapes(icon, left + 0.45 * size, middle, 0.8 * size, line, look.theme.chrome)
        shapes.append(Text(left + sign * size, middle, each, size, ink, "bold", baseline="middle"))
        left += width + gap * size
    return shapes
