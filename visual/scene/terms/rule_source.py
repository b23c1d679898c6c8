"""The rules of a system as in its file, the last one applied lit, each marked true or false as it applies now."""

from __future__ import annotations

import ast
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from textwrap import dedent
from typing import Any, NamedTuple

from algorithms.engine.events import APPLIED, BOUND, KIND, RULE, Record
from algorithms.engine.line_trace import has_changed, source_text
from algorithms.engine.rewrite import CARRIER
from algorithms.engine.rewrite.rewriting import Bag, History, Rule, System
from algorithms.engine.rewrite.rule_text import term_text
from algorithms.engine.simulation import Simulation
from visual.drawing.shapes import Rect
from visual.drawing.theme import Theme
from visual.scene.options import PLAIN, Options
from visual.scene.source_listing import Function, Lighting, Listing, ListingPage, listing_of, open_page
from visual.words import node_name, subscripted

_NODES = ("x", "y", "z", "u")  # the variables that stand for nodes


class RuleLines(NamedTuple):
    """The lines of a rule in its file.

    `printed` is true of a rule as printed in the paper beside a repaired one; `sides` are the lines of its left and
    right side.
    """

    number: str
    printed: bool
    lines: Function
    sides: frozenset[int]


def rules_page(run: Simulation, rect: Rect, theme: Theme, options: Options = PLAIN) -> ListingPage:
    """The rules, opened at the last one applied; the title has the values of the variables."""
    module = sys.modules[run.process_class.__module__]
    file, base = str(module.__file__), module.SYSTEM
    if has_changed(file):
        return open_page(listing_of(file), Lighting(), rect, theme, options, Path(file).name)
    system: System = run.process_class.system  # type: ignore[attr-defined]
    rules = [_lines_of(rule, base, file) for rule in system.rules]
    record = run.trace.step(run.steps - 1)[-1] if run.steps > run.trace.forgotten else None
    applied = record if record is not None and record[KIND] == APPLIED else None
    now = next((rule for rule in rules if applied and rule.number == applied[RULE]), None)
    enabled = {step.application.rule.number for step in run.processes[CARRIER].choices()}
    light = Lighting(
        ran=now.sides if now else frozenset(),
        now=min(now.sides) if now else 0,
        awake=tuple(rule.lines for rule in rules if rule.number in enabled or rule == now),
        guards=tuple((rule.lines.first, rule.number in enabled) for rule in rules),
    )
    return open_page(_listing(file), light, rect, theme, options, _title(file, applied))


def _title(file: str, applied: Record | None) -> str:
    """The file's name, and the values of the rule's variables."""
    bound = () if applied is None else applied[BOUND]
    values = [f"{name} = {_value(name, term)}" for name, term in bound if not isinstance(term, Bag | History)]
    return "   ".join([Path(file).name, *values])


def _value(name: str, term: Any) -> str:
    return node_name(term) if name in _NODES and isinstance(term, int) else subscripted(term_text(term))


def _lines_of(rule: Rule, base: System, file: str) -> RuleLines:
    """The lines of a variant's rule in the file of the system."""
    usual = next((other for other in base.rules if other.number == rule.number), None)
    other = usual.printed if usual else None
    printed = other is not None and replace(other, words=rule.words) == rule
    places = _rules_in(file)
    return next(place for place in places if (place.number, place.printed) == (rule.number, printed))


@cache
def _system(file: str) -> ast.Assign:
    """The statement SYSTEM = …"""
    tree = ast.parse(source_text(file))
    return next(part for part in tree.body if isinstance(part, ast.Assign) and ast.unparse(part.targets[0]) == "SYSTEM")


@cache
def _listing(file: str) -> Listing:
    """The file from its first rule to the end of the system."""
    lines = source_text(file).splitlines()
    rules = _rules_in(file)
    first, last = rules[0].lines.first, max(rule.lines.last for rule in rules)
    visible_lines = dedent("\n".join(lines[first - 1 : last])).splitlines()
    functions = tuple(sorted(rule.lines for rule in rules if not rule.printed))
    return Listing(file, first, tuple(visible_lines), functions)


@cache
def _rules_in(file: str) -> tuple[RuleLines, ...]:
    """All rules in the file, in order."""
    nested = {
        id(inner)
        for part in ast.walk(_system(file))
        if isinstance(part, ast.keyword) and part.arg == "printed"
        for inner in ast.walk(part)
    }
    calls = [part for part in ast.walk(_system(file)) if isinstance(part, ast.Call) and _is_rule(part)]
    rules = [_rule_lines(call, id(call) in nested) for call in calls]
    return tuple(sorted(rules, key=lambda rule: (rule.lines.first, rule.printed)))


def _is_rule(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id == "Rule"


def _rule_lines(call: ast.Call, printed: bool) -> RuleLines:
    number = ast.literal_eval(call.args[0])
    sides = {line for side in call.args[1:3] for line in range(side.lineno, (side.end_lineno or side.lineno) + 1)}
    last = call.end_lineno or call.lineno
    return RuleLines(number, printed, Function(call.lineno, call.lineno, last), frozenset(sides))
