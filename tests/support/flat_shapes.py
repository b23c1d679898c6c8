"""The shapes of views as plain lists, to be compared between machines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from tests.support.views import VIEWS, reached
from visual.window.lab import sheet

PROCESSES = ("checking", "lab-running")  # views of work in another process, which a page cannot start
ELSEWHERE = {"Wait", "Measure"}  # what leads to others of that kind
UNIQUE = ("help", "lab", "gallery-labs")  # what the last of their keys shows, it shows there only

FURTHER = (  # views in which other functions run than in those that together have every key
    *("peer-to-peer-crowd-node", "binary-search-64", "plots-election", "peer-to-peer-node", "space-time-logical"),
    *("wandering", "rules", "space-time-down", "local", "token", "binary-search", "presenting-compare"),
    *("peer-to-peer-message", "presenting-waiting-16"),
)


def cover(names: Iterable[str]) -> Iterator[str]:
    """Of these views those that together have each key of all, and those in UNIQUE."""
    seen: set[str] = set()
    for name in sorted(names, key=lambda name: -len(VIEWS[name].keys.split())):
        parts = {*VIEWS[name].keys.split()}
        if name in UNIQUE or not parts <= seen:
            yield name
        seen |= parts


_SHOWN = [n for n, view in VIEWS.items() if n not in PROCESSES and not ELSEWHERE & {*view.keys.split()}]
ALIKE = tuple(dict.fromkeys((*cover(_SHOWN), *FURTHER)))
OWN = ("key", "id")  # names that a machine gives, such as a file's
_CLOCK = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d")


def flat_shapes(name: str) -> list[Any]:
    """The numbers and words of all shapes of a view, back to front, as in a page, which measures no labs."""
    before, sheet.IN_PAGE = sheet.IN_PAGE, True
    try:
        interface, screen = reached(VIEWS[name])
        return list(_flat(screen.shapes(interface)))
    finally:
        sheet.IN_PAGE = before


def _flat(value: Any) -> Iterator[Any]:
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        yield type(value).__name__
        value = [getattr(value, field) for field in value._fields if field not in OWN]
    if isinstance(value, tuple | list):
        yield len(value)
        for one in value:
            yield from _flat(one)
    elif isinstance(value, str):
        yield _CLOCK.sub("now", value)
    else:
        yield value if isinstance(value, int | float) or value is None else repr(value)


def differences(one: list[Any], other: list[Any], tolerance: float) -> list[tuple[Any, Any]]:
    """Pairs of parts that are not alike: numbers further apart than the tolerance, or different words."""
    if len(one) != len(other):
        return [(len(one), len(other))]
    return [pair for pair in zip(one, other, strict=True) if not _alike(*pair, tolerance)]


def _alike(one: Any, other: Any, tolerance: float) -> bool:
    if isinstance(one, float | int) and isinstance(other, float | int):
        return abs(one - other) <= tolerance
    return bool(one == other)
