"""The rules of a rewriting system, and how often each applies."""

from __future__ import annotations

from collections import Counter

from algorithms.engine.events import APPLIED, KIND, RULE
from algorithms.engine.rewrite import CARRIER
from algorithms.engine.rewrite.rewriting import Rule, System
from algorithms.engine.rewrite.rule_text import rule_in_general, rule_text
from visual.drawing import fonts
from visual.drawing.shapes import LEADING, Box, Rect, Shape, Text, stacked
from visual.window import intents
from visual.window.panel import Panel, View, heading
from visual.window.widgets import DENSE_TARGET, Look, Target

_LINE = 31.0  # logical pixels from one rule to the next, if it has one line
_WAYS_AT = 0.84  # of the width: where the numbers of ways end
_WORDS_AT, _GAP = 40.0, 44.0  # logical pixels from the left to the words, and from them to the longest number


def rules(view: View, system: System) -> Panel:
    """The table of rules; a click shows a rule as printed."""
    look, region, run = view.look, view.region, view.run
    theme, small = look.theme, look.size("small")
    ways_at, applied_at = region.x + region.w * _WAYS_AT, region.x + region.w
    top = region.y + _rule_height(look, 1)
    middle = (region.y + top) / 2
    shapes: list[Shape] = [heading(look, region.x, middle, "rules")]
    targets: list[Target] = []
    is_asked = view.desk.lesson is not None and view.desk.lesson.is_open  # then the ways might be the answer
    columns = ((ways_at, "ways now"), (applied_at, "applied"))
    for right, words in columns[is_asked:]:
        shapes.append(Text(right, middle, words, small, theme.muted, anchor="end", baseline="middle"))
    ways = Counter(step.application.rule.number for step in run.simulation.processes[CARRIER].choices())
    applied = run.ledger.counters().rules
    last = _last(view)
    for rule in system.rules:
        lines = _words(look, rule, region.w)
        height = _rule_height(look, len(lines))
        if top + height > region.y + region.h + 1:
            break
        box, middle = Rect(region.x - look.px(8), top, region.w + look.px(16), height), top + height / 2
        top += height
        hint = f"rule {rule.number}: {rule_in_general(rule)}"
        targets.append(Target(f"counters.{rule.number}", box, intents.say(rule_text(rule)), hint, dense=True))
        if rule.number == last:
            edge = theme.accent if theme.lit == theme.chrome else None
            shapes.append(Box(*box, theme.lit, edge, look.rule, look.radius / 2))
        ink = theme.ink if ways[rule.number] or is_asked else theme.muted
        shapes += [
            Text(region.x, middle, rule.number, look.px(19), ink, "bold", baseline="middle"),
            *stacked(lines, region.x + look.px(_WORDS_AT), middle, small, ink),
            *([] if is_asked else [_number(ways_at, middle, ways[rule.number], view)]),
            _number(applied_at, middle, applied.get(rule.number, 0), view),
        ]
    return Panel(tuple(shapes), tuple(targets))


def rules_height(look: Look, system: System, width: float) -> float:
    """The height in pixels of the rules and their heading."""
    return _rule_height(look, 1) + sum(_rule_height(look, len(_words(look, rule, width))) for rule in system.rules)


def _words(look: Look, rule: Rule, width: float) -> list[str]:
    """The effect of a rule in up to three lines."""
    room = width * _WAYS_AT - look.px(_WORDS_AT + _GAP)
    return fonts.lines(rule_in_general(rule), room, look.size("small"), 3)


def _rule_height(look: Look, lines: int) -> float:
    """The height in pixels of a rule, enough for a click."""
    return max(look.px(_LINE), DENSE_TARGET) + (lines - 1) * LEADING * look.size("small")


def _number(right: float, middle: float, number: int, view: View) -> Text:
    theme = view.look.theme
    ink = theme.ink if number else theme.muted
    return Text(right, middle, f"{number:,}", view.look.px(19), ink, "bold", "mono", "end", "middle")


def _last(view: View) -> str:
    """The number of the rule applied in the present step; empty at the start."""
    run = view.run.simulation
    record = run.trace.step(run.steps - 1)[-1] if run.steps > run.trace.forgotten else None
    return record[RULE] if record is not None and record[KIND] == APPLIED else ""
