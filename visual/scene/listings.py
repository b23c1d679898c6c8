"""Source files as they are shown: which of their lines, and how lines that are too long go on below.

listing(file).lines, rows(listing(file), 60)
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from algorithms.engine.line_trace import comments, source_text

VALUE = "  false"  # what may stand at the right of a guard
_HANGING = 4  # columns by which what goes on below is moved to the right
_LEAST = 12  # columns of words beside the indentation, at least


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


class Row(NamedTuple):
    """A row of letters: the number of the line that it is of, what of its code and of its comment it has."""

    number: int
    code: str
    comment: str = ""
    is_last: bool = True  # of the line


@cache
def listing(file: str) -> Listing:
    """The classes of a source file."""
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


def longest_code(shown: Listing) -> int:
    """How many columns the longest line takes without its comment."""
    return max((len(_parted(shown, number)[0].rstrip()) for number in _numbers(shown)), default=0)


@lru_cache(maxsize=16)
def rows(shown: Listing, columns: int) -> tuple[Row, ...]:
    """The lines in rows of at most so many columns: nothing of them is left out.

    A comment that finds no room beside its code goes on below it.
    """
    found: list[Row] = []
    for number in _numbers(shown):
        *before, last = _rows_of(number, *_parted(shown, number), columns)
        found += [*(row._replace(is_last=False) for row in before), last]
    return tuple(found)


def _numbers(shown: Listing) -> range:
    return range(shown.first, shown.first + len(shown.lines))


def _parted(shown: Listing, number: int) -> tuple[str, str]:
    """A line's code with the blanks after it, and its comment; one that is alone on its line comes after blanks."""
    text = shown.lines[number - shown.first]
    blanks = len(text) - len(text.lstrip())
    if text[blanks:].startswith("# "):
        return text[:blanks], text[blanks:]
    comment = comments(shown.file).get(number)
    place = text.rfind("# " + comment) if comment else -1
    return (text[:place], text[place:]) if place >= 0 else (text, "")


def _rows_of(number: int, code: str, comment: str, columns: int) -> Iterator[Row]:
    indent = len(code) - len(code.lstrip())
    is_guard = code.lstrip().startswith(("@when", "lambda self"))
    *before, last = _folded(code, indent, columns - (len(VALUE) if is_guard else 0))
    yield from (Row(number, piece) for piece in before)
    if len(last) + len(comment) <= columns:
        yield Row(number, last, comment)
        return
    hanging = indent
    if code.strip():
        yield Row(number, last.rstrip())
        hanging += _HANGING
    words = textwrap.wrap(comment.removeprefix("# "), max(columns - hanging - 2, _LEAST))
    yield from (Row(number, " " * hanging, f"# {line}") for line in words)


def _folded(code: str, indent: int, columns: int) -> list[str]:
    """Code in pieces of at most so many columns, broken after blanks, else after opening brackets, if there are any."""
    room = max(columns, indent + _HANGING + _LEAST)
    pieces = []
    while len(code.rstrip()) > room:
        least = len(code) - len(code.lstrip()) + _LEAST
        end = next((end for character in " (" if (end := code.rfind(character, 0, room) + 1) > least), room)
        pieces.append(code[:end].rstrip())
        code = " " * (indent + _HANGING) + code[end:].lstrip()
    return [*pieces, code]
