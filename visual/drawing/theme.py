"""Colours and sizes: `assets/theme.toml` as frozen values, and the arithmetic that judges them.

theme = load("light")
theme.ink, theme.states["wanting"].fill, theme.families["ask"].glyph, theme.sizes.body
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeAlias

from visual.drawing.shapes import Colour, Family, Fill, Pattern

Ring: TypeAlias = Literal["thin", "thick", "double", "dashed", "dotted"]
Glyph: TypeAlias = Literal["disc", "ring", "triangle", "diamond", "square", "star"]


class Sizes(NamedTuple):
    """Logical pixels in a window of 1920x1080 at interface scale 1; the layout multiplies."""

    title: float
    heading: float
    body: float
    small: float
    code: float
    clock: float
    message: float
    crowd: float
    stroke: float
    rule: float
    edge: float
    radius: float
    gap: float
    target: float


class StateLook(NamedTuple):
    """How a node in one state looks, in four channels: fill, ring, word, glyph.

    `ink` is the text on the fill and `halo` the colour around its letters, where the fill is a pattern.
    `outer` is the colour of the second ring of "double".
    """

    fill: Fill
    ink: Colour
    ring: Colour
    outer: Colour | None
    halo: Colour | None
    ring_style: Ring
    word: str
    glyph: str


class FamilyLook(NamedTuple):
    """How a family of messages looks: fill and outline of the pill, `ink` of its label, glyph, word."""

    fill: Fill
    ink: Colour
    outline: Colour
    halo: Colour | None
    glyph: Glyph
    word: str


@dataclass(frozen=True)
class Theme:
    """One set of colours.

    Grounds are paper, chrome, card, lit and lit_now; `…_text` is the shade of a colour for text on them.
    `requesters` tell apart those who ask at the same time.
    """

    name: str
    paper: Colour
    chrome: Colour
    card: Colour
    ink: Colour
    muted: Colour
    edge: Colour
    rule: Colour
    track: Colour
    accent: Colour
    on_accent: Colour
    lit: Colour
    lit_now: Colour
    ok: Colour
    ok_text: Colour
    pending: Colour
    pending_text: Colour
    fault: Colour
    fault_text: Colour
    requesters: tuple[Colour, ...]
    states: Mapping[str, StateLook]
    families: Mapping[Family, FamilyLook]
    sizes: Sizes


NAMES = ("light", "dark", "print")


@cache
def load(name: str) -> Theme:
    """The theme of that name; KeyError for any other than those in `NAMES`."""
    table = tomllib.loads(resources.files("assets").joinpath("theme.toml").read_text("utf-8"))
    colours: dict[str, Any] = table[name]
    states = {state: _state(table["state"][state], look) for state, look in colours.pop("state").items()}
    families = {family: _family(table["family"][family], look) for family, look in colours.pop("family").items()}
    return Theme(
        name=name,
        states=MappingProxyType(states),
        families=MappingProxyType(families),
        sizes=Sizes(**table["sizes"]),
        requesters=tuple(colours.pop("requesters")),
        **colours,
    )


def _state(common: dict[str, str], look: dict[str, Any]) -> StateLook:
    return StateLook(
        fill=_fill(look["fill"]),
        ink=look["ink"],
        ring=look["ring"],
        outer=look.get("outer"),
        halo=look.get("halo"),
        ring_style=common["ring"],  # type: ignore[arg-type]
        word=common["word"],
        glyph=common.get("glyph", ""),
    )


def _family(common: dict[str, str], look: dict[str, Any]) -> FamilyLook:
    return FamilyLook(
        fill=_fill(look["fill"]),
        ink=look["ink"],
        outline=look["outline"],
        halo=look.get("halo"),
        glyph=common["glyph"],  # type: ignore[arg-type]
        word=common["word"],
    )


def _fill(value: str | dict[str, Any]) -> Fill:
    return value if isinstance(value, str) else Pattern(**value)


@lru_cache(maxsize=256)
def rgba(colour: Colour) -> tuple[int, int, int, int]:
    """`#RRGGBB` or `#RRGGBBAA` as four numbers from 0 to 255."""
    value = bytes.fromhex(colour[1:])
    return value[0], value[1], value[2], value[3] if len(value) == 4 else 255


def over(colour: Colour, ground: Colour) -> Colour:
    """The opaque colour that results from a translucent colour on a ground."""
    *above, share = rgba(colour)
    mixed = (round((a * share + b * (255 - share)) / 255) for a, b in zip(above, rgba(ground), strict=False))
    return "#" + "".join(f"{value:02X}" for value in mixed)
