"""The algorithm's real source, with the lines that ran in a step lit, and the guards of its rules true or false.

page = page_of(process_class, execution(timeline, k), rect, theme, options)
shapes = source(page, rect, theme, options)

There is no other pseudo-code: this is the file that runs. The file shown is the one that the caption is from. It is
turned over like a book, to the first page on which the whole function that ran can be seen, so that it stands still
for as long as what runs is on the page.
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


class Page(NamedTuple):
    """What of a listing is seen: from line `first` on as many as are `visible`, in letters of that size, so lit."""

    title: str
    listing: Listing
    light: Lighting
    first: int
    visible: int
    size: float

    @property
    def line(self) -> float:
        """The height of a line in pixels."""
        return _PITCH * self.size

    def scrolled(self, lines: int) -> Page:
        """The page that begins so many lines below the listing's beginning, as far as there are any."""
        last = max(len(self.listing.lines) - self.visible, 0)
        return self._replace(first=self.listing.first + min(max(lines, 0), last))


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


def page_of(process: type[Process], ran: Execution, rect: Rect, theme: Theme, options: Options = PLAIN) -> Page:
    """The page on which one sees what ran, in a panel of that size."""
    shown = listing(shown_file(process, ran))
    return opened(shown, _lighting(shown, ran), rect, theme, options, Path(shown.file).name)


def opened(shown: Listing, light: Lighting, rect: Rect, theme: Theme, options: Options, title: str) -> Page:
    """The listing, opened at the page on which one sees what is lit."""
    area = area_of(rect, theme, options)
    size = _size(shown, area.w, theme, options)
    visible = max(1, int((area.h - size) / (_PITCH * size)))
    return Page(title, shown, light, _turned_to(shown, light, visible), visible, size)


def source(page: Page, rect: Rect, theme: Theme, options: Options = PLAIN) -> list[Shape]:
    """The panel: the title, mostly the file's name, and below it the page."""
    size = theme.sizes.heading * options.scale
    head = fonts.shorten(page.title, rect.w, size, weight="bold")
    title = Text(rect.x, rect.y + size, head, size, theme.muted, "bold")
    return [title, _code(page, area_of(rect, theme, options), theme, options)]


def area_of(rect: Rect, theme: Theme, options: Options) -> Rect:
    """Where in the panel the code is."""
    head = 1.6 * theme.sizes.heading * options.scale
    return Rect(rect.x, rect.y + head, rect.w, rect.h - head)


def _lighting(shown: Listing, ran: Execution) -> Lighting:
    here = [line for line in ran.lines if line.file == shown.file]
    now = caption_line(here)
    awake = tuple(f for f in shown.functions if any(f.first <= line.number <= f.last for line in here))
    numbers = {line.number for line in here} | {function.definition for function in awake}
    guards = tuple((guard.number, guard.true) for guard in ran.guards if guard.file == shown.file)
    return Lighting(frozenset(numbers), now.number if now else 0, awake, guards)


# ---- drawing -----------------------------------------------------------------------------------------------


def _code(page: Page, rect: Rect, theme: Theme, options: Options) -> Group:
    """The code on its ground, with its upper left corner at (0, 0) of a group."""
    _, shown, light, first, visible, size = page
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


def _turned_to(shown: Listing, light: Lighting, visible: int) -> int:
    """The number of the first line of the page on which the function that ran is seen; the first if nothing did."""
    if not light.ran:
        return shown.first
    target = light.now or max(light.ran)
    found = next((f for f in light.awake if f.first <= target <= f.last), Function(target, target, target))
    if found.last - found.first >= visible:  # no page holds it all
        found = Function(target, target, min(target + 1, found.last))
    starts = _page_starts(shown, visible)
    start = next((first for first in starts if first <= found.first and found.last < first + visible), found.first)
    return max(min(start, shown.first + len(shown.lines) - visible), shown.first)


def _page_starts(shown: Listing, visible: int) -> list[int]:
    """Where pages begin: each with the first function that the page before does not hold as a whole."""
    starts = [shown.first]
    for function in shown.functions:
        if function.last >= starts[-1] + visible:
            starts.append(function.first)
            while function.last >= starts[-1] + visible:
                starts.append(starts[-1] + visible - 1)
    return starts
