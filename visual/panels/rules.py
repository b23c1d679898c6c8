"""The rules of a rewriting system: what each does, in how many ways it applies now, how often it has been applied."""

from __future__ import annotations

from collections import Counter

from algorithms.engine.carrier import CARRIER
from algorithms.engine.events import APPLIED, KIND, RULE
from algorithms.engine.rewriting import Rule, System
from algorithms.engine.rule_text import rule_text
from visual import fonts
from visual.interface.inputs import Do
from visual.panels.panel import Panel, View, heading
from visual.panels.side import rule_line
from visual.shapes import Box, Rect, Shape, Text
from visual.widgets import Target


def rules(view: View, system: System) -> Panel:
    """A line for each rule; the one just applied is lit. A click says it as it is printed."""
    look, region, session = view.look, view.region, view.session
    theme, small, line = look.theme, look.size("small"), rule_line(look)
    ways_at, applied_at = region.x + region.w * 0.84, region.x + region.w
    middle = region.y + line / 2
    shapes: list[Shape] = [heading(look, region.x, middle, "rules")]
    targets: list[Target] = []
    for right, words in ((ways_at, "ways now"), (applied_at, "applied")):
        shapes.append(Text(right, middle, words, small, theme.muted, anchor="end", baseline="middle"))
    ways = Counter(step.application.rule.number for step in session.run.processes[CARRIER].choices())
    applied = session.ledger.counters().rules
    last = _last(view)
    for rule in system.rules:
        middle += line
        if middle + line / 2 > region.y + region.h + 1:
            break
        box = Rect(region.x - look.px(8), middle - line / 2, region.w + look.px(16), line)
        said = f"rule {rule.number}: {in_general(rule)}"
        targets.append(Target(f"counters.{rule.number}", box, Do("say", rule_text(rule)), said, dense=True))
        if rule.number == last:
            edge = theme.accent if theme.lit == theme.chrome else None
            shapes.append(Box(*box, theme.lit, edge, look.rule, look.radius / 2))
        ink = theme.ink if ways[rule.number] else theme.muted
        room = ways_at - region.x - look.px(44) - look.px(40)
        words = fonts.shorten(in_general(rule), room, small)
        shapes += [
            Text(region.x, middle, rule.number, look.px(19), ink, "bold", baseline="middle"),
            Text(region.x + look.px(40), middle, words, small, ink, baseline="middle"),
            _number(ways_at, middle, ways[rule.number], view),
            _number(applied_at, middle, applied.get(rule.number, 0), view),
        ]
    return Panel(tuple(shapes), tuple(targets))


def in_general(rule: Rule) -> str:
    """What the rule does, with its variables by name."""
    names = {name: name for name in ("x", "y", "z", "u", "d")}
    return rule.words.format(**names)


def _number(right: float, middle: float, number: int, view: View) -> Text:
    theme = view.look.theme
    ink = theme.ink if number else theme.muted
    return Text(right, middle, f"{number:,}", view.look.px(19), ink, "bold", "mono", "end", "middle")


def _last(view: View) -> str:
    """The number of the rule that was applied last; empty at the beginning."""
    run = view.session.run
    record = run.trace.step(run.steps - 1)[-1] if run.steps > run.trace.forgotten else None
    return record[RULE] if record is not None and record[KIND] == APPLIED else ""
