"""Pills in flight that would cover each other, moved apart. How far follows from their places, so that none jumps."""

from __future__ import annotations

import math
from itertools import pairwise

from visual.drawing import marks
from visual.drawing.shapes import Mark
from visual.scene.graph.messages import Track

_ABREAST = 2.2  # from one pill to another beside it, in ems of the label
_FULL = 0.3  # of its width: the part of a pill above another from which on they are as far apart as they get


def abreast(flying: list[Track], found: list[Mark]) -> list[Mark]:
    """The marks with those that would cover others on their lane moved aside: a later one beside an earlier one.

    How far is a continuous function of the places, so that nothing jumps.
    """
    lanes: dict[tuple[int, int], list[int]] = {}
    for i, track in enumerate(flying):
        lanes.setdefault(track.link, []).append(i)
    moved = list(found)
    for together in lanes.values():
        levels: dict[int, float] = {}
        for i in sorted(together, key=lambda i: (flying[i].sent, found[i].id)):
            levels[i] = max((_pushed(flying, found, j, i) * (1 + levels[j]) for j in levels), default=0.0)
            moved[i] = _aside(found[i], flying[i], levels[i])
    return moved


def _pushed(flying: list[Track], found: list[Mark], front: int, back: int) -> float:
    """From 0 to 1: how much the later of two messages on a lane gives way to the earlier; less at the lane's end."""
    need = flying[front].reach + flying[back].reach
    gap = math.dist(found[front][:2], found[back][:2])
    track = flying[front]
    left = math.dist(found[front][:2], (track.x + track.dx, track.y + track.dy))
    return min(1.0, max(0.0, 2 * (need - gap) / need)) * min(1.0, 2 * left / need)


def _aside(mark: Mark, track: Track, level: float) -> Mark:
    """The mark moved to the right of its direction by that many times the height of a pill."""
    length = math.hypot(track.dx, track.dy)
    if not level or not length:
        return mark
    far = level * _ABREAST * mark.size / length
    return mark._replace(x=mark.x - track.dy * far, y=mark.y + track.dx * far)


def fanned(flying: list[Track], found: list[Mark]) -> list[Mark]:
    """The marks with those that a process has sent at once, still close to it, one below the other.

    From the one that flies most nearly straight across, those above it are moved up, those below it down.
    """
    together: dict[tuple[int, float], list[int]] = {}
    for i, track in enumerate(flying):
        if found[i].form == "pill":
            together.setdefault((track.link[0], track.sent), []).append(i)
    moved = list(found)
    for group in together.values():
        group.sort(key=lambda i: (flying[i].y, flying[i].y + flying[i].dy, found[i].id))
        first = min(range(len(group)), key=lambda place: _steepness(flying[group[place]]))
        _pile(group[first:], 1, flying, moved)
        _pile(group[first::-1], -1, flying, moved)
    return moved


def _steepness(track: Track) -> float:
    return abs(track.dy) / (math.hypot(track.dx, track.dy) or 1.0)


def _pile(group: list[int], down: int, flying: list[Track], moved: list[Mark]) -> None:
    """Move each of the marks so far down, or up, that it is clear of the one before; less at the end of its lane."""
    y = moved[group[0]].y if group else 0.0
    for before, i in pairwise(group):
        own = moved[i].y
        y = down * max(down * own, down * y + _height(moved[before], moved[i]))
        moved[i] = moved[i]._replace(y=own + (y - own) * _left(flying[i], moved[i]))


def _height(one: Mark, other: Mark) -> float:
    """From the middle of a pill to that of the next one below it, as far as they are above each other at all."""
    a, b = marks.extent(one), marks.extent(other)
    above = (a.w + b.w) / 2 - abs(one.x - other.x)
    return (a.h + b.h) / 2 * min(1.0, max(0.0, above / (_FULL * min(a.w, b.w))))


def _left(track: Track, mark: Mark) -> float:
    """1, and towards the end of a lane less and less: what is left of it, in lengths of the pill."""
    left = math.dist(mark[:2], (track.x + track.dx, track.y + track.dy))
    return min(1.0, left / (2 * track.reach))
