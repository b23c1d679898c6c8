"""The algorithm's real source, with the lines that ran in a step lit, and the guards of its rules true or false.

page = page_of(process_class, execution(timeline, k), rect, theme, options)
shapes = source(page, rect, theme, options)

There is no other pseudo-code: this is the file that runs, the one that the caption comes from. It turns over like a
book, to the first page that holds the whole function that ran, and stands still while the lines that run are on it.

For a rewriting system the listing has its rules, the last one applied lit, each marked true or false as it applies.
"""

from __future__ import annotations

import ast
import sys
import textwrap
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from textwrap import dedent
from typing import Any, NamedTuple

from algorithms.engine.events import APPLIED, BOUND, KIND, RULE, Record
from algorithms.engine.observe.line_trace import (
    Execution,
    cached_by_file,
    comments,
    has_changed,
    source_files,
    source_text,
)
from algorithms.engine.process import Process
from algorithms.engine.rewrite import CARRIER
from algorithms.engine.rewrite.rewriting import Bag, History, Rule, System
from algorithms.engine.rewrite.rule_text import term_text
from algorithms.engine.simulation import Simulation
from visual.drawing import fonts
from visual.drawing.shapes import Box, Group, Rect, Shape, Text
from visual.drawing.theme import Theme
from visual.narration.captions import caption_line
from visual.scene.options import PLAIN, Options
from visual.words import node_name, subscripted

_PITCH = 1.5  # from one line to the next, in ems
_SMALLEST = 15.5  # logical pixels of code: 11 pixels in a window of 1280x720
_LEAST_TITLE = 0.75  # of its usual size: a title that would have to be smaller is cut
_MARGIN = 0.7  # ems at either side of the code
_VALUES = {True: "true", False: "false"}


class ListingPage(NamedTuple):
    """The visible part of a listing: `visible` rows starting at row `first`, with highlights.

    `size` is the size of the letters in pixels.
    """

    title: str
    listing: Listing
    light: Lighting
    rows: tuple[CodeRow, ...]
    first: int
    visible: int
    size: float

    @property
    def line(self) -> float:
        """The height of a row in pixels."""
        return _PITCH * self.size

    @property
    def visible_rows(self) -> tuple[CodeRow, ...]:
        """The rows on the page."""
        return self.rows[self.first : self.first + self.visible]

    def scrolled(self, rows: int) -> ListingPage:
        """The page that begins `rows` rows below the top of the listing, clamped to its end."""
        return self._replace(first=min(max(rows, 0), max(len(self.rows) - self.visible, 0)))


class Lighting(NamedTuple):
    """The highlights of a listing, by line number."""

    ran: frozenset[int] = frozenset()
    now: int = 0  # the line of the caption; 0 for none
    awake: tuple[Function, ...] = ()  # the functions in which something ran
    guards: tuple[tuple[int, bool], ...] = ()


def shown_file(process: type[Process], ran: Execution) -> str:
    """The file that explains a step best: the caption's, else the last one that ran, else the algorithm's."""
    best = caption_line(ran.lines) or (ran.lines[-1] if ran.lines else None)
    return best.file if best else source_files(process)[0]


def page_of(
    process: type[Process],
    ran: Execution,
    rect: Rect,
    theme: Theme,
    options: Options = PLAIN,
    before: Execution | None = None,
) -> ListingPage:
    """The page with the lines that ran, for a panel; if none ran, those that ran `before`, without highlights."""
    execution = ran if ran.lines else before or ran
    listing = listing_of(shown_file(process, execution))
    page = open_page(listing, _lighting(listing, execution), rect, theme, options, Path(listing.file).name)
    return page._replace(light=_lighting(listing, ran))


def open_page(listing: Listing, light: Lighting, rect: Rect, theme: Theme, options: Options, title: str) -> ListingPage:
    """The listing, opened at the page with the highlights."""
    area = area_of(rect, theme, options)
    size = _size(listing, area.w, theme, options)
    rows = wrapped_rows(listing, int((area.w - 2 * _MARGIN * size) / fonts.width("0", size, "mono")))
    visible = max(1, int((area.h - size) / (_PITCH * size)))
    return ListingPage(title, listing, light, rows, _first_row(listing, rows, light, visible), visible, size)


def source(page: ListingPage, rect: Rect, theme: Theme, options: Options = PLAIN) -> list[Shape]:
    """The panel: a title, usually the file's name, above the page."""
    large = theme.sizes.heading * options.scale
    size = fonts.shrink(page.title, rect.w, large, _LEAST_TITLE * large, weight="bold")
    head = fonts.shorten(page.title, rect.w, size, weight="bold")
    title = Text(rect.x, rect.y + large, head, size, theme.muted, "bold")
    return [title, _code(page, area_of(rect, theme, options), theme, options)]


def area_of(rect: Rect, theme: Theme, options: Options) -> Rect:
    """The rectangle of the code within the panel."""
    head = 1.6 * theme.sizes.heading * options.scale
    return Rect(rect.x, rect.y + head, rect.w, rect.h - head)


def _lighting(listing: Listing, ran: Execution) -> Lighting:
    here = [line for line in ran.lines if line.file == listing.file]
    now = caption_line(here)
    awake = tuple(f for f in listing.functions if any(f.first <= line.number <= f.last for line in here))
    numbers = {line.number for line in here} | {function.definition for function in awake}
    guards = tuple((guard.number, guard.true) for guard in ran.guards if guard.file == listing.file)
    return Lighting(frozenset(numbers), now.number if now else 0, awake, guards)


# ---- drawing -----------------------------------------------------------------------------------------------


def _code(page: ListingPage, rect: Rect, theme: Theme, options: Options) -> Group:
    """The code on its ground, as a group with its own origin."""
    size, light = page.size, page.light
    shapes: list[Shape] = [Box(0, 0, rect.w, rect.h, theme.chrome, radius=theme.sizes.radius * options.scale)]
    shapes += _grounds(page, rect.w, theme)
    for place, row in enumerate(page.visible_rows):
        shapes += _row(page, row, (0.5 + place) * page.line + size / 2, rect.w, theme)
    key = ("source", page.listing.file, page.first, light, rect.w, rect.h, theme.name, size)
    return Group(tuple(shapes), rect.x, rect.y, Rect(0, 0, rect.w, rect.h), key=key, id="source")


def _grounds(page: ListingPage, width: float, theme: Theme) -> list[Shape]:
    """The highlights under the rows whose lines ran, one box under consecutive rows."""
    light, size = page.light, page.size
    edge = theme.accent if theme.lit == theme.chrome else None
    wide = width - (0.25 + _MARGIN) * size  # beside it is the bar of the scroller
    shapes: list[Shape] = []
    top = size / 2
    for (ran, now), together in groupby(
        page.visible_rows, lambda row: (row.number in light.ran, row.number == light.now)
    ):
        high = len(list(together)) * page.line
        if ran:
            ground, stroke = (theme.lit_now, size / 6) if now else (theme.lit, size / 16)
            shapes.append(Box(0.25 * size, top, wide, high, ground, edge, stroke, size / 5))
        top += high
    return shapes


def _row(page: ListingPage, row: CodeRow, middle: float, width: float, theme: Theme) -> list[Shape]:
    """One row of code; `middle` is the y of its middle."""
    light, size = page.light, page.size
    shapes: list[Shape] = []
    value = dict(light.guards).get(row.number) if row.is_last else None
    if value is not None:
        ink, right = theme.ok_text if value else theme.muted, width - (0.3 + _MARGIN) * size
        shapes.append(Text(right, middle, _VALUES[value], size, ink, "bold", "mono", "end", "middle"))
    return [*shapes, *_lettering(page, row, middle, theme)]


def _lettering(page: ListingPage, row: CodeRow, middle: float, theme: Theme) -> list[Shape]:
    """Code in ink, muted in functions that did not run; comments muted, except for the caption."""
    light, size = page.light, page.size
    awake = any(function.first <= row.number <= function.last for function in light.awake)
    weight: fonts.Weight = "bold" if row.number == light.now else "normal"
    left = _MARGIN * size
    after = left + fonts.width(row.code, size, "mono")
    pieces = [
        (left, row.code, theme.ink if awake else theme.muted),
        (after, row.comment, theme.ink if weight == "bold" else theme.muted),
    ]
    return [
        Text(x, middle, text, size, ink, weight, "mono", baseline="middle") for x, text, ink in pieces if text.strip()
    ]


def _size(listing: Listing, width: float, theme: Theme, options: Options) -> float:
    """The theme's size of code, or less if the longest line without its comment needs it, but legible."""
    size = theme.sizes.code * options.scale
    needed = width / (fonts.width("0", 1.0, "mono") * (longest_code(listing) + len(VALUE)) + 2 * _MARGIN)
    return max(min(size, needed), _SMALLEST * options.scale)


# ---- turning over ------------------------------------------------------------------------------------------


class _Stretch(NamedTuple):
    """The indexes of the first and the last row of consecutive lines."""

    first: int
    last: int


def _stretch(rows: Sequence[CodeRow], first: int, last: int) -> _Stretch:
    """The rows of the lines from `first` to `last`."""
    number = attrgetter("number")
    return _Stretch(bisect_left(rows, first, key=number), bisect_right(rows, last, key=number) - 1)


def _first_row(listing: Listing, rows: Sequence[CodeRow], light: Lighting, visible: int) -> int:
    """The first row of the page that holds the function that ran; 0 if none ran."""
    if not light.ran:
        return 0
    target = light.now or max(light.ran)
    function = next((f for f in light.awake if f.first <= target <= f.last), Function(target, target, target))
    stretch = _stretch(rows, function.first, function.last)
    if stretch.last - stretch.first >= visible:  # no page holds it all
        stretch = _stretch(rows, target, min(target + 1, function.last))
    starts = _page_starts([_stretch(rows, f.first, f.last) for f in listing.functions], visible)
    start = next(
        (first for first in starts if first <= stretch.first and stretch.last < first + visible), stretch.first
    )
    first = max(min(start, len(rows) - visible), 0)
    while first and rows[first - 1].number == rows[first].number:  # not in the middle of a line
        first += 1
    return first


def _page_starts(functions: Sequence[_Stretch], visible: int) -> list[int]:
    """The first rows of pages: each begins with the first function that the page before does not hold whole."""
    starts = [0]
    for function in functions:
        if function.last >= starts[-1] + visible:
            starts.append(function.first)
            while function.last >= starts[-1] + visible:
                starts.append(starts[-1] + max(visible - 1, 1))
    return starts


VALUE = "  false"  # the widest value at the right of a guard
_HANGING = 4  # columns of hanging indentation
_LEAST = 12  # columns of words beside the indentation, at least


class Function(NamedTuple):
    """The lines of a function: the first, decorators included, the one with def, and the last."""

    first: int
    definition: int
    last: int


class Listing(NamedTuple):
    """The lines of a file from its first class to its last."""

    file: str
    first: int  # the number of the first line
    lines: tuple[str, ...]
    functions: tuple[Function, ...]
    hidden: frozenset[int] = frozenset()  # the numbers of lines that are not shown


class CodeRow(NamedTuple):
    """A row of the listing: the number of its line, and its parts of the line's code and comment."""

    number: int
    code: str
    comment: str = ""
    is_last: bool = True  # of the line


@cached_by_file
def listing_of(file: str) -> Listing:
    """The listing of the classes of a source file."""
    text = source_text(file)
    tree = ast.parse(text)
    classes = [part for part in tree.body if isinstance(part, ast.ClassDef)]
    lines = text.splitlines()
    first, last = (classes[0].lineno, classes[-1].end_lineno or len(lines)) if classes else (1, len(lines))
    functions = (part for part in ast.walk(tree) if isinstance(part, ast.FunctionDef))
    places = [
        Function(
            min([part.lineno, *(d.lineno for d in part.decorator_list)]), part.lineno, part.end_lineno or part.lineno
        )
        for part in functions
    ]
    return Listing(file, first, tuple(lines[first - 1 : last]), tuple(sorted(places)))


def longest_code(listing: Listing) -> int:
    """The number of columns of the longest line without its comment."""
    return max((len(_parted(listing, number)[0].rstrip()) for number in _numbers(listing)), default=0)


@lru_cache(maxsize=16)
def wrapped_rows(listing: Listing, columns: int) -> tuple[CodeRow, ...]:
    """The lines wrapped into rows of at most `columns` columns; nothing is left out.

    A comment without room beside its code continues below it.
    """
    result: list[CodeRow] = []
    for number in _numbers(listing):
        if number in listing.hidden:
            continue
        *before, last = _rows_of(number, *_parted(listing, number), columns)
        result += [*(row._replace(is_last=False) for row in before), last]
    return tuple(result)


def _numbers(listing: Listing) -> range:
    return range(listing.first, listing.first + len(listing.lines))


def _parted(listing: Listing, number: int) -> tuple[str, str]:
    """A line's code with the blanks after it, and its comment; the code may be blanks alone."""
    text = listing.lines[number - listing.first]
    blanks = len(text) - len(text.lstrip())
    if text[blanks:].startswith("# "):
        return text[:blanks], text[blanks:]
    comment = comments(listing.file).get(number)
    place = text.rfind("# " + comment) if comment else -1
    return (text[:place], text[place:]) if place >= 0 else (text, "")


def _rows_of(number: int, code: str, comment: str, columns: int) -> Iterator[CodeRow]:
    indent = len(code) - len(code.lstrip())
    is_guard = code.lstrip().startswith(("@when", "lambda self"))
    *before, last = _folded(code, indent, columns - (len(VALUE) if is_guard else 0))
    yield from (CodeRow(number, piece) for piece in before)
    if len(last) + len(comment) <= columns:
        yield CodeRow(number, last, comment)
        return
    hanging = indent
    if code.strip():
        yield CodeRow(number, last.rstrip())
        hanging += _HANGING
    words = textwrap.wrap(comment.removeprefix("# "), max(columns - hanging - 2, _LEAST))
    yield from (CodeRow(number, " " * hanging, f"# {line}") for line in words)


def _folded(code: str, indent: int, columns: int) -> list[str]:
    """Code in pieces of at most `columns` columns, broken after blanks, else after opening brackets."""
    room = max(columns, indent + _HANGING + _LEAST)
    pieces = []
    while len(code.rstrip()) > room:
        least = len(code) - len(code.lstrip()) + _LEAST
        end = next((end for character in " (" if (end := code.rfind(character, 0, room) + 1) > least), room)
        pieces.append(code[:end].rstrip())
        code = " " * (indent + _HANGING) + code[end:].lstrip()
    return [*pieces, code]


# ---- rules of a rewriting system ---------------------------------------------------------------------------


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
    return open_page(
        _listing(file, any(rule.printed for rule in rules)), light, rect, theme, options, _title(file, applied)
    )


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


@cached_by_file
def _system(file: str) -> ast.Assign:
    """The statement SYSTEM = …"""
    tree = ast.parse(source_text(file))
    return next(part for part in tree.body if isinstance(part, ast.Assign) and ast.unparse(part.targets[0]) == "SYSTEM")


@cached_by_file
def _listing(file: str, shows_printed: bool) -> Listing:
    """The file from its first rule to the end of the system, without the remarks about the rules."""
    lines = source_text(file).splitlines()
    rules = _rules_in(file)
    first, last = rules[0].lines.first, max(rule.lines.last for rule in rules)
    visible_lines = dedent("\n".join(lines[first - 1 : last])).splitlines()
    functions = tuple(sorted(rule.lines for rule in rules if not rule.printed))
    asides = ("why", "words") if shows_printed else ("why", "words", "printed")
    hidden = {
        line
        for part in ast.walk(_system(file))
        if isinstance(part, ast.keyword) and part.arg in asides and lines[part.lineno - 1].strip().startswith(asides)
        for line in range(part.lineno, (part.end_lineno or part.lineno) + 1)
    }
    return Listing(file, first, tuple(visible_lines), functions, frozenset(hidden))


@cached_by_file
def _rules_in(file: str) -> tuple[RuleLines, ...]:
    """All rules in the file, in order."""
    nested = {
        id(inner)
        for part in ast.walk(_system(file))
        if isinstance(part, ast.keyword) and part.arg == "printed"
        for inner in ast.walk(part)
    }
    calls = (part for part in ast.walk(_system(file)) if isinstance(part, ast.Call))
    named = (call for call in calls if isinstance(call.func, ast.Name) and call.func.id == "Rule")
    rules = [_rule_lines(call, id(call) in nested) for call in named]
    return tuple(sorted(rules, key=lambda rule: (rule.lines.first, rule.printed)))


def _rule_lines(call: ast.Call, printed: bool) -> RuleLines:
    number = ast.literal_eval(call.args[0])
    sides = {line for side in call.args[1:3] for line in range(side.lineno, (side.end_lineno or side.lineno) + 1)}
    last = call.end_lineno or call.lineno
    return RuleLines(number, printed, Function(call.lineno, call.lineno, last), frozenset(sides))
