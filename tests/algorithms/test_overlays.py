"""The overlays: every route ends at the responsible node, after about the papers' number of hops."""

from __future__ import annotations

from math import log2
from random import Random

import pytest

from algorithms.peer_to_peer.chord import Chord
from algorithms.peer_to_peer.overlay import BITS, CIRCLE, TABLES, Overlay, clockwise, distance, identifier
from algorithms.peer_to_peer.pastry import Pastry
from tests.support.kit import for_each

KINDS = (Chord, Pastry)
SIZES = (1, 2, 3, 5, 17, 100)


def placed(kind: type[Overlay], size: int, seed: int = 1, **more: object) -> Overlay:
    places = {node: identifier(seed, "node", node) for node in range(size)}
    return kind(places, near=min(1, size - 1), seed=seed, **more)


def keys(count: int) -> list[int]:
    random = Random(1)
    return [random.randrange(CIRCLE) for _ in range(count)]


def hops(overlay: Overlay, count: int = 400) -> float:
    """The mean number of hops over random keys and starts."""
    random = Random(2)
    size = len(overlay.places)
    return sum(len(overlay.route(random.randrange(size), key)) - 1 for key in keys(count)) / count


@for_each(size=SIZES)
def test_in_chord_the_first_node_from_the_key_on_is_responsible(size):
    overlay = placed(Chord, size)
    for key in [*keys(50), *overlay.places.values()]:
        nearest = min(overlay.places, key=lambda node: clockwise(key, overlay.places[node]))
        assert overlay.responsible(key) == nearest


@for_each(size=SIZES)
def test_in_pastry_the_node_nearest_to_the_key_is_responsible(size):
    overlay = placed(Pastry, size)
    for key in [*keys(50), *overlay.places.values()]:
        assert overlay.responsible(key) == min(overlay.places, key=lambda node: distance(key, overlay.places[node]))


@for_each(tables=TABLES, kind=KINDS, size=SIZES)
def test_every_route_ends_at_the_responsible_node_without_cycles(kind, size, tables):
    overlay = placed(kind, size, tables=tables)
    for key in keys(10):
        for node in overlay.places:
            route = overlay.route(node, key)
            assert route[-1] == overlay.responsible(key)
            assert len(set(route)) == len(route)


@pytest.mark.parametrize("b", [1, 2, 4, 8])
def test_each_hop_of_pastry_shares_more_digits_with_the_key_if_any_node_does(b):
    overlay = placed(Pastry, 200, b=b)
    for key in keys(100):
        for here, there in zip((route := overlay.route(0, key)), route[1:-1], strict=False):
            before, after = overlay.digits_shared(here, key), overlay.digits_shared(there, key)
            somebody = any(overlay.digits_shared(node, key) > before for node in overlay.places)
            assert after > before if somebody else after == before


def test_a_finger_of_chord_lies_within_its_power_of_two():
    for tables in TABLES:
        overlay = placed(Chord, 50, tables=tables)
        for node, place in overlay.places.items():
            for i in range(BITS):
                there = {other for other, at in overlay.places.items() if 2**i <= clockwise(place, at) < 2 ** (i + 1)}
                finger = overlay.finger(node, i)
                assert finger in there if there else finger is None


@pytest.mark.parametrize("tables", TABLES)
def test_hops_grow_with_the_logarithm_of_the_number_of_nodes(tables):
    for size in (64, 256, 1024):
        assert hops(placed(Chord, size, tables=tables)) == pytest.approx(log2(size) / 2 + 0.75, abs=0.5)
        assert hops(placed(Pastry, size, tables=tables)) == pytest.approx(log2(size) / 2 * 0.78, abs=0.4)
        assert hops(placed(Pastry, size, tables=tables, b=4)) == pytest.approx(log2(size) / 4, abs=0.6)


def test_an_overlay_is_a_pure_function_of_membership_and_seed():
    for kind in KINDS:
        first, second = placed(kind, 60, tables="random"), placed(kind, 60, tables="random")
        other = kind(first.places, seed=2, tables="random")
        routes = [[overlay.route(n, key) for n in range(60) for key in keys(5)] for overlay in (first, second, other)]
        assert routes[0] == routes[1] != routes[2]


def test_routes_meet_earlier_with_convergent_tables_than_with_random_ones():
    def met_before_the_end(overlay: Overlay) -> int:
        random = Random(3)
        met = 0
        for key in keys(300):
            a, b = (overlay.route(random.randrange(200), key) for _ in "ab")
            met += bool(set(a[:-1]) & set(b[:-1]))
        return met

    convergent, random = (placed(Pastry, 200, tables=tables) for tables in TABLES)
    assert met_before_the_end(convergent) > 2 * met_before_the_end(random)
