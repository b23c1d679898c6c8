"""The algorithm's real source, with the lines that ran in a step lit, and the guards of its rules true or false.

shapes = source(process_class, execution(timeline, k), rect, theme, options)

There is no other pseudo-code: this is the file that runs. The file shown is the one that the caption is from, and it is
scrolled to the function that the caption is in.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from typing import NamedTuple

from algorithms.engine.lines import Execution, comments, source_files
from algorithms.engine.process import Process
from visual import fonts
from visual.scene.narration import caption_line
from visual.scene.options import PLAIN, Options
from visual.shapes import Box, Group, Rect, Shape, Text
from visual.theme import Theme

_PITCH = 1.5  # from one line to the next, in ems
_SMALLEST = 12.0  # logical pixels of code
_ABOVE = 0.2  # of the panel's height is above the function that is shown
_VALUES = {True: "true", False: "false"}


class Function(NamedTuple):
    """Where a function is: its first line, decorators included, the line with def, and its last."""

    first: int
    definition: int
    last: int


class Listing(NamedTuple):
    """What of a file is shown: its lines without what comes before the first class and after the last."""

    file: str
    first: int  # the number of the first line
    lines: tuple[str, ...]
    functions: tuple[Function, ...]


class Lighting(NamedTuple):
    """Which lines of a listing are lit, and how."""

    ran: frozenset[int]
    now: int  # the line that the caption is from; 0 for none
    awake: tuple[Function, ...]  # the functions in which something ran
    guards: tuple[tuple[int, bool], ...]


@cache
def listing(file: str) -> Listing:
    """The classes of a source file."""
    text = Path(file).read_text("utf-8")
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


def shown_file(process: type[Process], ran: Execution) -> str:
    """The file that explains a step best: the caption's, else the last that ran, else the algorithm's own."""
    best = caption_line(ran.lines) or (ran.lines[-1] if ran.lines else None)
    return best.file if best else source_files(process)[0]


def source(process: type[Process], ran: Execution, rect: Rect, theme: Theme, options: Options = PLAIN) -> list[Shape]:
    """The panel: the file's name, and below it as much of the code as there is room for."""
    shown = listing(shown_file(process, ran))
    return written(shown, _lighting(shown, ran), rect, theme, options, Path(shown.file).name)


def written(shown: Listing, light: Lighting, rect: Rect, theme: Theme, options: Options, title: str) -> list[Shape]:
    """The title, and below it as much of the listing as there is room for."""
    size = theme.sizes.heading * options.scale
    head = fonts.shorten(title, rect.w, size, weight="bold")
    return [
        Text(rect.x, rect.y + size, head, size, theme.muted, "bold"),
        _code(shown, light, Rect(rect.x, rect.y + 1.6 * size, rect.w, rect.h - 1.6 * size), theme, options),
    ]


def _lighting(shown: Listing, ran: Execution) -> Lighting:
    here = [line for line in ran.lines if line.file == shown.file]
    now = caption_line(here)
    awake = tuple(f for f in shown.functions if any(f.first <= line.number <= f.last for line in here))
    numbers = {line.number for line in here} | {function.definition for function in awake}
    guards = tuple((guard.number, guard.true) for guard in ran.guards if guard.file == shown.file)
    return Lighting(frozenset(numbers), now.number if now else 0, awake, guards)


# ---- drawing -----------------------------------------------------------------------------------------------


def _code(shown: Listing, light: Lighting, rect: Rect, theme: Theme, options: Options) -> Group:
    """The code on its ground, with its upper left corner at (0, 0) of a group."""
    size = _size(shown, rect.w, theme, options)
    visible = max(1, int((rect.h - size) / (_PITCH * size)))
    first = _scrolled(shown, light, visible)
    shapes: list[Shape] = [Box(0, 0, rect.w, rect.h, theme.chrome, radius=theme.sizes.radius * options.scale)]
    for row, number in enumerate(range(first, min(first + visible, shown.first + len(shown.lines)))):
        shapes += _row(shown, light, number, (0.5 + row) * _PITCH * size + size / 2, rect.w, size, theme)
    key = ("source", shown.file, first, light, rect.w, rect.h, theme.name, size)
    return Group(tuple(shapes), rect.x, rect.y, Rect(0, 0, rect.w, rect.h), key=key, id="source")


def _row(
    shown: Listing, light: Lighting, number: int, middle: float, width: float, size: float, theme: Theme
) -> list[Shape]:
    """One line of code, its ground lit where it ran; `middle` is its height."""
    shapes: list[Shape] = []
    if number in light.ran:
        ground = theme.lit_now if number == light.now else theme.lit
        top, edge = middle - _PITCH * size / 2, theme.accent if theme.lit == theme.chrome else None
        shapes.append(Box(0.25 * size, top, width - 0.5 * size, _PITCH * size, ground, edge, size / 16, size / 5))
    room = width - 1.4 * size
    value = dict(light.guards).get(number)
    if value is not None:
        ink = theme.ok_text if value else theme.muted
        shapes.append(Text(width - 0.7 * size, middle, _VALUES[value], size, ink, "bold", "mono", "end", "middle"))
        room -= fonts.width("false ", size, "mono", "bold")
    return [*shapes, *_lettering(shown, light, number, middle, room, size, theme)]


def _lettering(
    shown: Listing, light: Lighting, number: int, middle: float, room: float, size: float, theme: Theme
) -> list[Shape]:
    """Code in ink, or muted in functions that did not run; comments muted, except the one that is the caption."""
    code, comment = _parted(shown, number)
    awake = any(function.first <= number <= function.last for function in light.awake)
    weight: fonts.Weight = "bold" if number == light.now else "normal"
    x, after = 0.7 * size, fonts.width(code, size, "mono") if comment else 0.0
    pieces = [
        (x, fonts.shorten(code, room, size, "mono"), theme.ink if awake else theme.muted),
        (x + after, fonts.shorten(comment, room - after, size, "mono"), theme.ink if weight == "bold" else theme.muted),
    ]
    return [
        Text(place, middle, text, size, ink, weight, "mono", baseline="middle")
        for place, text, ink in pieces
        if text.strip("…")
    ]


def _parted(shown: Listing, number: int) -> tuple[str, str]:
    """A line's code with the blanks after it, and its comment."""
    text = shown.lines[number - shown.first]
    comment = comments(shown.file).get(number)
    place = text.rfind("# " + comment) if comment else -1
    return (text[:place], text[place:]) if place > 0 else (text, "")


def _size(shown: Listing, width: float, theme: Theme, options: Options) -> float:
    """As large as the theme says, or as small as the longest line without its comment needs."""
    longest = max(len(_parted(shown, shown.first + i)[0].rstrip()) for i in range(len(shown.lines)))
    size = theme.sizes.code * options.scale
    needed = width / (fonts.width("0", 1.0, "mono") * (longest + 7) + 1.4)
    return max(min(size, needed), _SMALLEST * options.scale)


def _scrolled(shown: Listing, light: Lighting, visible: int) -> int:
    """The number of the first line shown."""
    last = shown.first + len(shown.lines) - visible
    if last <= shown.first or not light.ran:
        return shown.first
    target = light.now or max(light.ran)
    function = next((f for f in light.awake if f.first <= target <= f.last), Function(target, target, target))
    first = min(function.first - int(_ABOVE * visible), max(function.first, target))
    first = max(first, target - visible + 2)  # a long function shows the line in question, not its beginning
    return min(max(first, shown.first), last)
