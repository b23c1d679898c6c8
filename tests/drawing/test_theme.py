"""What everybody can tell apart: contrast as WCAG 2.2 measures it, colours as people with other cones see them."""

import itertools
import math
from dataclasses import FrozenInstanceError

import pytest

from tests.support.legibility import contrast
from visual.drawing.shapes import FAMILIES, Colour, Fill, Pattern
from visual.drawing.theme import NAMES, FamilyLook, StateLook, Theme, load, rgba

OKABE_ITO = {"#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00", "#CC79A7"}

# Linear RGB as seen with a missing kind of cone: Machado, Oliveira, Fernandes, IEEE TVCG 15(6), 2009, severity 1.0.
SIGHT = {
    "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
# Linear sRGB to CIE XYZ, relative to the white point D65.
XYZ = (
    (0.4338886, 0.3762349, 0.1898765),
    (0.2126390, 0.7151687, 0.0721923),
    (0.0177523, 0.1094663, 0.8727814),
)


def transformed(matrix, vector):
    return [sum(factor * value for factor, value in zip(row, vector, strict=True)) for row in matrix]


def lab(colour: Colour, sight: str) -> tuple[float, float, float]:
    """CIE L*a*b* of a colour as it is seen."""
    linear = [
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in (part / 255 for part in rgba(colour)[:3])
    ]
    seen = [min(max(value, 0.0), 1.0) for value in transformed(SIGHT[sight], linear)]
    x, y, z = (
        value ** (1 / 3) if value > 216 / 24389 else (24389 / 27 * value + 16) / 116 for value in transformed(XYZ, seen)
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def difference(one: Colour, other: Colour, sight: str = "usual") -> float:
    """CIE 1976 colour difference."""
    return math.dist(lab(one, sight), lab(other, sight))


def colours_of(fill: Fill) -> set[Colour]:
    return {fill.ink, fill.ground} if isinstance(fill, Pattern) else {fill}


def telling_colour(look: FamilyLook) -> Colour:
    """A ring tells its family by its outline, the others by their fill."""
    return look.outline if look.glyph == "ring" else str(look.fill)


@pytest.fixture(params=NAMES)
def theme(request) -> Theme:
    return load(request.param)


def test_contrast_is_that_of_wcag():
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.005)
    assert contrast("#0072B2", "#0072B2") == 1


def test_colour_difference_is_that_of_cie():
    assert difference("#000000", "#FFFFFF") == pytest.approx(100, abs=0.01)
    assert lab("#FF0000", "usual") == pytest.approx((53.24, 80.09, 67.20), abs=0.05)


def test_unknown_theme_is_refused():
    with pytest.raises(KeyError):
        load("sepia")


def test_theme_cannot_be_changed(theme):
    with pytest.raises(FrozenInstanceError):
        theme.ink = "#FFFFFF"
    with pytest.raises(TypeError):
        theme.states["idle"] = theme.states["crashed"]


def test_text_stands_out(theme):
    plain = itertools.product(
        (theme.ink, theme.muted, theme.ok_text, theme.pending_text, theme.fault_text, theme.accent),
        (theme.paper, theme.chrome, theme.card),
    )
    special = [(theme.ink, theme.lit), (theme.ink, theme.lit_now), (theme.on_accent, theme.accent)]
    looks = [*theme.states.values(), *theme.families.values()]
    labels = [(look.ink, look.halo or look.fill) for look in looks]
    for ink, ground in (*plain, *special, *labels):
        assert contrast(ink, ground) >= 4.5, (ink, ground)


def test_letters_on_a_pattern_have_a_halo_of_its_ground(theme):
    for look in (*theme.states.values(), *theme.families.values()):
        assert look.halo == (look.fill.ground if isinstance(look.fill, Pattern) else None)


def test_graphics_stand_out(theme):
    drawn = (theme.ink, theme.edge, theme.accent, theme.ok, theme.pending, theme.fault)
    pairs = list(itertools.product(drawn, (theme.paper, theme.chrome, theme.card)))
    pairs += [(look.ring, theme.paper) for look in theme.states.values()]
    pairs += [(look.outline, theme.paper) for look in theme.families.values()]
    pairs += [(look.outer, theme.paper) for look in theme.states.values() if look.outer]
    for one, other in pairs:
        assert contrast(one, other) >= 3, (one, other)


@pytest.mark.parametrize("name", ["light", "dark"])
@pytest.mark.parametrize("sight", SIGHT)
def test_states_and_families_are_told_apart_by_colour(name, sight):
    theme = load(name)
    for one, other in itertools.combinations(theme.states.values(), 2):
        assert difference(one.fill, other.fill, sight) >= 20, (one.word, other.word)
    for one, other in itertools.combinations(theme.families.values(), 2):
        assert difference(telling_colour(one), telling_colour(other), sight) >= 15, (one.word, other.word)


@pytest.mark.parametrize("name", ["light", "dark"])
@pytest.mark.parametrize("sight", SIGHT)
def test_those_who_ask_at_once_are_told_apart_by_colour_and_are_no_fault(name, sight):
    theme = load(name)
    for one, other in itertools.combinations((*theme.requesters, theme.fault), 2):
        assert difference(one, other, sight) >= 15, (one, other)


def test_states_and_families_are_told_apart_without_colour(theme):
    def not_colour(look: StateLook | FamilyLook):
        return look.ring_style if isinstance(look, StateLook) else look.glyph

    for looks in (theme.states.values(), theme.families.values()):
        assert len({look.word for look in looks}) == len(looks)
        assert len({not_colour(look) for look in looks}) == len(looks)


def test_every_family_has_a_look(theme):
    assert set(theme.families) == set(FAMILIES)


@pytest.mark.parametrize("name", ["light", "dark"])
def test_coloured_fills_are_okabe_and_ito_s(name):
    for look in (*load(name).states.values(), *load(name).families.values()):
        red, green, blue, _ = rgba(look.fill)
        is_grey = max(red, green, blue) - min(red, green, blue) <= 10
        assert is_grey or look.fill in OKABE_ITO


@pytest.mark.parametrize("name", ["light", "dark"])
def test_vermilion_is_for_faults_only(name):
    theme = load(name)
    looks = (*theme.states.values(), *theme.families.values())
    for colour in (*(look.fill for look in looks), theme.ok, theme.pending, theme.accent):
        assert difference(theme.fault, colour) >= 15


def test_print_is_black_and_white():
    theme = load("print")
    looks = (*theme.states.values(), *theme.families.values())
    used = {value for value in vars(theme).values() if isinstance(value, str) and value.startswith("#")}
    for look in looks:
        used |= {part for part in look if isinstance(part, str) and part.startswith("#")} | colours_of(look.fill)
    assert used == {"#000000", "#FFFFFF"}
