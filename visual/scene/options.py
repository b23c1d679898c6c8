"""The options of a scene, and the sizes that follow from them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from visual.drawing.theme import Sizes, Theme

if TYPE_CHECKING:
    from visual.scene.graph.layout import Layout

_DESIGN_HEIGHT = 1080
LEAST_PRESENTED = 0.031  # of the height: the smallest text of a presentation
_LARGE, _PRIMARY = 0.0441, 0.0334  # of the height: names and badges; words about what the lesson is about
_THICK = 3.0  # pixels: the thinnest line of a presentation
FLIGHT = 0.8  # seconds that an average message is in transit at speed 1x, in the window and in films
MOST_DRAWN = 10_000  # nodes of a picture: more take minutes to place, and nobody can tell them apart


@dataclass(frozen=True)
class Options:
    """The options of a scene.

    `scale` is the number of pixels per logical pixel of the 1920x1080 design. While `presenting`, text is sized for
    the last row of a lecture hall: `least` of the height or more. Otherwise, where text `shrinks`, a row of a legend
    becomes smaller rather than two. `arrows` point at the receivers of messages: in stills, and while paused.
    `selected` is the id of a shape ("node:3", "message:117", "event:41"). `ahead` makes the space-time diagram include
    steps executed after the present one, and `cursor` draws a line at the present. `letters` stand in it beside the
    events of these steps.
    """

    scale: float = 1.0
    presenting: bool = False
    arrows: bool = True
    selected: str = ""
    ahead: bool = True
    letters: tuple[tuple[int, str], ...] = ()
    cursor: bool = True
    least: float = LEAST_PRESENTED
    shrinks: bool = True

    @property
    def presented(self) -> float:
        """The size of words while presenting, in pixels."""
        return self.least * _DESIGN_HEIGHT * self.scale


class Measures(NamedTuple):
    """Sizes in pixels for one layout. A text of size 0 is left out for want of room."""

    radius: float
    stroke: float  # the idle ring; others are multiples
    edge: float
    selection: float  # the ring around a selected node
    name: float  # a node's name inside its circle
    word: float  # its state in words, inside the circle
    word_room: float  # the width for it
    lines: tuple[float, float]  # the heights of name and word there, in radii
    least_word: float  # the smallest word there; a longer one reaches beyond the circle
    outer_word: float  # … or beside it, where the circle has no room
    badge: float
    chip: float
    label: float  # a message's label
    pills: bool  # whether messages have room for a pill, or are dots in a crowd
    types: bool  # whether there is room on pills for the type of the message
    crowd: bool  # whether there are so many nodes that most messages have no label
    spares: bool  # whether words and boxes that would reach another node are left out, as there is no room for all


PLAIN = Options()

_SMALLEST = 11.0  # the smallest size of text that is drawn at all, times the scale
_SMALLEST_PILL = 12.0  # the smallest label of a pill, times the scale
_TYPED = 9.5  # the typical length of a pill with type and stamp, in ems
_SHORTEST = 5.5  # and one with the type alone
_TOKEN_TEXT = 15.0  # logical pixels: words about tokens and active nodes
_BADGE_SHARE = 0.15  # of the distance of two nodes: a badge's text
_PILL_SHARE = 0.1  # a pill's label, of the distance of two nodes: pills are wide
_FILLED, _PRESENTED_FILLED = 1.6, 1.74  # radii: higher lines of text, one below the other, do not fit into a circle
_SPARING_FILLED = 2.4  # … where the lower one may reach beyond it, since few nodes have a word
_SMALL_WORD = 14.0  # the size of the state's word in small nodes, times the scale
_SMALL_CHIP = 16.0  # the size of chips beside small nodes, times the scale
_WIDE_WORD = 4.5  # ems: the width of a state's word
_ROOM_BESIDE = 0.75  # usual radii: the room for a line of text between a node and the rectangle's edge
_GAP_BESIDE = 0.35  # radii: how much farther away that line is from a larger node
_UPRIGHT = 1.4  # widths to a height of the room below which a circle is narrow,
_NARROW_TEXT = 0.0255  # … and of the width, the text that there is room for
CROWD = 40  # nodes
_FEW, FEW_NODES = 8, 10  # nodes
_NAME_AT, _WORD_AT = -0.36, 0.3  # the heights of name and word in a large circle of a presentation, in radii
HALF_CAPITAL, _HALF_BAND = 0.38, 0.6  # … and in a small one their halves, with a gap, in ems
_HALF_LETTER = 0.28  # the height of small letters above and below their middle, in ems
_LARGEST_NAME = 3.0  # radii: a larger name does not fit into a circle even when shrunk
_WIDER = 1.1  # … of which a number has this much room for each of its digits at least
_WHOLE_NAME = 1.3  # radii: the largest digit that does not touch the circle


def measures(layout: Layout, theme: Theme, options: Options) -> Measures:
    """The sizes that fit the layout's nodes; while presenting, names and clocks take 4.4 % of the height or more."""
    return _measures(layout, theme.sizes, options)


@lru_cache(maxsize=16)  # asked for by each part of the picture, in every frame
def _measures(layout: Layout, sizes: Sizes, options: Options) -> Measures:
    scale, radius = options.scale, layout.radius
    height = options.presented / LEAST_PRESENTED if options.presenting else 0.0
    least = least_text(layout, options) if options.presenting else 0.0
    thinnest = _THICK if options.presenting else 1.0
    digits = len(str(layout.graph.nodes - 1))
    label = min(sizes.message * scale, 0.46 * radius, _PILL_SHARE * layout.spacing)
    presented = _presented_label(layout, height, least)
    fits = bool(layout.circle) or _SHORTEST * presented <= layout.spacing
    pills = fits and label >= _SMALLEST_PILL * scale
    crowd = layout.graph.nodes > CROWD
    many = layout.graph.nodes > FEW_NODES
    spares = options.presenting and not layout.circle and not crowd
    word = _legible(max(0.32 * radius, min(0.42 * radius, _SMALL_WORD * scale), least), scale)
    filled = _PRESENTED_FILLED if options.presenting and not layout.circle else _FILLED
    filled = _SPARING_FILLED if spares and many else filled
    if word + _LARGE * height > filled * radius:
        word = 0.0
    outer_word = 0.0 if word else _outer_word(layout, least, scale)
    name = _legible(max((0.68 if word else 0.8) * radius, _LARGE * height), scale)
    small_chip = min(0.5 * radius, _SMALL_CHIP * scale) if radius >= _SMALL_CHIP * scale else 0.0
    chip = _PRIMARY * height if layout.graph.nodes <= _FEW else 0.0 if crowd else least
    lines = _presented_lines(name, word, radius) if options.presenting else (-0.2, 0.43)
    stroke = max(min(sizes.stroke * scale, 0.09 * radius), scale, thinnest)
    return Measures(
        radius=radius,
        stroke=stroke,
        edge=max(sizes.edge * scale, thinnest) if options.presenting else sizes.edge * scale,
        selection=(2.4 if options.presenting else 1.0) * stroke,
        name=min(name, _WHOLE_NAME * radius) if max(name, _WIDER * least * digits) <= _LARGEST_NAME * radius else 0.0,
        word=word,
        word_room=_chord(lines[1], word, radius) - stroke if options.presenting else 1.45 * radius,
        lines=lines,
        least_word=min(word, least if options.presenting else _SMALLEST * scale),
        outer_word=outer_word,
        badge=_legible(
            max(0.4 * radius, min(_LARGE * height, _BADGE_SHARE * layout.spacing), 0.0 if crowd else least), scale
        ),
        chip=_legible(max(min(0.36 * radius, sizes.body * scale), small_chip, chip), scale),
        label=max(label, presented) if pills else max(sizes.crowd * scale, 0.0 if crowd else least),
        pills=pills,
        types=_TYPED * max(label, presented) <= layout.spacing,
        crowd=crowd,
        spares=spares,
    )


def _presented_lines(name: float, word: float, radius: float) -> tuple[float, float]:
    """The heights of name and word in a circle, in radii, such that a band behind the word is clear of the name."""
    apart = HALF_CAPITAL * name + _HALF_BAND * word
    return _NAME_AT, max(_WORD_AT, _NAME_AT + apart / radius)


def least_text(layout: Layout, options: Options) -> float:
    """The smallest text of a graph while presenting, in pixels: smaller around a narrow circle."""
    is_narrow = layout.circle and layout.rect.w < _UPRIGHT * layout.rect.h
    return min(options.presented, _NARROW_TEXT * layout.rect.w) if is_narrow else options.presented


def token_text(options: Options) -> float:
    """The size of words about tokens and active nodes, however small the nodes are."""
    return options.presented if options.presenting else _TOKEN_TEXT * options.scale


def _chord(line: float, word: float, radius: float) -> float:
    """The width of a circle at the outer end of the small letters of a word whose middle is at `line` radii."""
    outer = abs(line) * radius + _HALF_LETTER * word
    return 2 * math.sqrt(max(radius**2 - outer**2, 0.0))


def _outer_word(layout: Layout, least: float, scale: float) -> float:
    """The size of the state's word beside circles, if it keeps clear of the next node and within the rectangle."""
    from visual.scene.graph.layout import LARGEST  # the first frame does without

    usual = min(layout.radius, LARGEST * min(layout.rect.w, layout.rect.h))
    room = _ROOM_BESIDE * usual - _GAP_BESIDE * (layout.radius - usual)
    size = _legible(max(min(_SMALL_WORD * scale, room), least), scale)
    is_clear = _WIDE_WORD * size <= layout.spacing - 2 * layout.radius and size <= room
    return size if is_clear and not layout.circle else 0.0


def _presented_label(layout: Layout, height: float, least: float) -> float:
    """The smallest label of a message that the last row can read; smaller between few nodes near each other.

    Around a circle of identifiers labels are never cut, and all messages are pills.
    """
    primary = _PRIMARY * height
    if layout.circle:
        return primary if _TYPED * primary <= layout.spacing else least
    return primary if layout.graph.nodes > _FEW else min(primary, max(least, layout.spacing / _SHORTEST))


def _legible(size: float, scale: float) -> float:
    return size if size >= _SMALLEST * scale else 0.0
