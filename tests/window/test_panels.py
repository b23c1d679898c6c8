"""The screen measured on its shapes: nothing is clipped, nothing overlaps, and everything is large enough."""

from __future__ import annotations

import itertools

import pytest

from algorithms import catalog
from algorithms.engine.randomness import Fixed
from algorithms.engine.scenario import Marker, Scenario
from algorithms.engine.workload import Request, Saturated, Script
from tests.support.desks import desk_of
from tests.support.interfaces import changed, interface_of
from tests.support.screens import ALGORITHMS, SCALES, SIZES, check_texts, check_widgets, opened, panels_of, placed_texts
from visual.drawing.picking import bounds, overlap
from visual.drawing.shapes import NOWHERE, Box, Group, Shape, Text
from visual.window import arrangement, intents
from visual.window.actions import perform
from visual.window.gallery.cards import scenario_of
from visual.window.playback import playing
from visual.window.screen import Screen
from visual.window.state import Interface

STATES = {
    "plain": [],
    "node": [intents.select("node:1")],
    "help": [intents.help()],
    "presenting": [intents.present()],
    "presenting a node": [intents.present(), intents.select("node:1")],
    "algorithm menu": [intents.open_menu("algorithm")],
    "load menu": [intents.open_menu("load")],
    "nodes menu": [intents.open_menu("nodes")],
    "faults menu": [intents.open_menu("faults")],
    "notice": [
        intents.say("A sentence that is long enough to be broken into two or three lines where room is scarce.")
    ],
    "no panels": [intents.toggle("counters"), intents.toggle("source")],
    "chrome hidden": [intents.hide_chrome()],
    "space-time": [intents.next_view(), intents.next_view()],
    "list of events": [intents.select("node:1"), intents.open_page("events")],
    "branches": [
        intents.request(),
        intents.seek_step(30),
        intents.schedule(True),
        intents.pick(0),
        intents.open_page("branches"),
    ],
    "naming a branch": [intents.open_page("branches"), intents.name_branch()],
    "notes": [intents.open_page("notes")],
    "check": [intents.open_page("check")],
    "local view": [intents.select("node:1"), intents.local_view()],
    "local view, presenting": [intents.present(), intents.select("node:1"), intents.local_view()],
    "source": [intents.open_page("source")],
    "history": [intents.select("node:1"), intents.open_page("history")],
    "I choose": [intents.schedule(True), intents.open_page("choose")],
}


@pytest.mark.parametrize("state", STATES)
def test_texts_are_whole_and_apart_and_click_targets_large_enough(state):
    opened_once, screen = opened("ricart-agrawala", SIZES[0], STATES[state])
    for (width, height), scale in itertools.product(SIZES, SCALES):
        interface = changed(opened_once, width=width, height=height, scale=scale)
        check_texts(interface, screen)
        if scale == 1.0:
            check_widgets(interface, screen)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_name_of_a_marker_is_visible_until_the_next_step(size, scale):
    scenario = Scenario(
        "uncoordinated",
        nodes=2,
        load=Script(requests=(Request(1.0, 0), Request(5.0, 1)), hold=Fixed(6.0)),
        markers=(Marker(3.0, "P0 is inside, and nobody else is"), Marker(5.0, "both are inside")),
    )
    screen = Screen(desk_of(scenario))
    markers = []
    for time in (2.9, 3.0, 4.9, 5.0, 6.9, 7.1):
        interface = playing.seek(interface_of(*size, scale=scale), screen.desk, time)
        check_texts(interface, screen)
        words = [
            text.words
            for shown in panels_of(screen, interface)
            for text in placed_texts(shown.group.shapes, shown.region)
        ]
        markers.append([name for name in ("P0 is inside", "both are inside") if any(w.startswith(name) for w in words)])
    assert markers == [[], ["P0 is inside"], ["P0 is inside"], ["both are inside"], ["both are inside"], []]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_texts_are_whole_and_apart_for_every_algorithm(algorithm):
    interface, screen = opened(algorithm, SIZES[0], [intents.select("node:1")])
    for width, height in SIZES[:2]:
        check_texts(changed(interface, width=width, height=height), screen)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_regions_divide_the_window(size, scale):
    for view in ("both", "graph", "space-time"):
        for presenting in (False, True):
            interface = interface_of(*size, scale=scale, view=view, presenting=presenting)
            apart = arrangement.regions(interface)._replace(classroom=NOWHERE)  # lies on the others
            regions = [region for region in apart if region.w and region.h]
            assert sum(region.w * region.h for region in regions) == pytest.approx(size[0] * size[1], rel=1e-6)
            for one, other in itertools.combinations(regions, 2):
                common = overlap(one, other)
                assert common.w * common.h < 1


def test_play_pause_and_timeline_are_always_visible():
    opened_once, screen = opened("ricart-agrawala", SIZES[0], [])
    for (width, height), scale in itertools.product(SIZES, SCALES):
        interface = changed(opened_once, width=width, height=height, scale=scale)
        names = {widget.id for widget in screen.widgets(interface)}
        assert names >= {"transport.play", "transport.back", "transport.forward", "transport.timeline"}
        track = next(widget for widget in screen.widgets(interface) if widget.id == "transport.timeline")
        assert track.box.w >= 100


@pytest.mark.parametrize("height", [720, 1080, 2160])
def test_presented_text_is_legible_in_the_last_row(height):
    interface, screen = opened("ricart-agrawala", (height * 16 // 9, height), [intents.present()])
    main, secondary = 0.033 * height, 0.022 * height
    for shown in panels_of(screen, interface):
        for text in placed_texts(shown.group.shapes, shown.region):
            assert text.size >= secondary - 0.01, text
    sentence = screen.desk.front.sentence
    found = [t for s in panels_of(screen, interface) for t in placed_texts(s.group.shapes, s.region)]
    assert all(text.size >= main for text in found if text.words == sentence)
    assert all(text.size >= main for text in found if text.words == "Ricart–Agrawala")


def test_text_in_a_small_window_is_still_readable():
    interface, screen = opened("ricart-agrawala", (1024, 768), [intents.select("node:1")])
    for shown in panels_of(screen, interface):
        for text in placed_texts(shown.group.shapes, shown.region):
            assert text.size >= 9.5, text


def test_every_field_of_the_selected_node_is_shown():
    interface, screen = opened("ricart-agrawala", (1920, 1080), [intents.select("node:1")])
    cards = next(shown for shown in screen.panels(interface) if shown.name == "cards")
    words = " ".join(text.words for text in placed_texts(cards.group.shapes, cards.region))
    for name in vars(screen.desk.front.simulation.processes[1]):
        assert f"{name} =" in words


def test_panels_follow_the_run_while_it_plays_one_at_a_time():
    interface, screen = opened("ricart-agrawala", (1920, 1080), [])
    interface = changed(interface, playing=True)
    before = {shown.name: shown.group.key for shown in screen.panels(interface)}
    screen.desk.front.seek(60)
    interface = changed(
        interface, panel_revision=screen.desk.front.revision, refreshed_at=1.0, time=screen.desk.front.now
    )
    changes = []
    for _ in range(12):
        after = {shown.name: shown.group.key for shown in screen.panels(interface)}
        changes.append(sum(after[name] != before[name] for name in after))
        before = after
    assert max(changes) == 1
    assert sum(changes) >= 4
    still = changed(interface, playing=False)
    assert {shown.name: shown.group.key for shown in screen.panels(still)}.keys() == before.keys()


def test_a_still_picture_is_drawn_over_several_frames_when_one_has_no_time():
    screen, hurried = (opened("ricart-agrawala", (1920, 1080), [intents.select("node:1")])[1] for _ in range(2))
    interface = playing.settle(interface_of(1920, 1080, selection="node:1"), hurried.desk)
    hurried.shapes(interface)
    before = {shown.name: shown.group.shapes for shown in hurried.panels(interface)}
    for run in (screen, hurried):
        later = perform(interface, run.desk, intents.seek_step(3))
    whole, frames = screen.shapes(later), [hurried.shapes(later, stop=0.0)]
    now = {group.key[0]: group.shapes for group in frames[0] if isinstance(group, Group) and group.key}
    assert now["source"] == before["source"], "it waits"
    assert now["transport"] != before["transport"], "it shows the present event at once"
    assert hurried.is_behind
    while hurried.is_behind and len(frames) < 30:
        frames.append(hurried.shapes(later, stop=0.0))
    assert [without_cache_key(shape) for shape in frames[-1]] == [without_cache_key(shape) for shape in whole]
    anew = Screen(screen.desk).shapes(later, stop=0.0)
    assert len(anew) < len(whole)
    assert bounds(anew[0]) == (0, 0, 1920, 1080), "nothing is left of the previous screen"


def without_cache_key(shape: Shape) -> Shape:
    """The shape without its cache key and those of its parts."""
    inner = (
        {"shapes": tuple(without_cache_key(one) for one in shape.shapes), "key": None}
        if isinstance(shape, Group)
        else {}
    )
    return shape._replace(**inner)


def test_a_crowded_graph_is_drawn_once_while_it_stands_still():
    desk = desk_of(Scenario("ricart-agrawala", nodes=30, load=Saturated()))
    desk.front.seek_time(0.5)
    screen = Screen(desk)
    interface = changed(interface_of(1920, 1080), time=0.5)

    def graph(interface: Interface) -> object:
        """The cache key of the graph's picture; None if it is drawn anew."""
        first = screen.shapes(interface)[0]
        return first.key if isinstance(first, Group) else None

    cache_key = graph(interface)
    assert cache_key is not None
    reading = changed(interface, page="events", hover="events.3", focus="events.3", clock=9.0, refreshed_at=9.0)
    assert graph(reading.scrolled("events", 40.0)) == cache_key
    assert graph(changed(reading, playing=True)) is None
    keys = {
        cache_key,
        graph(reading),
        graph(changed(reading, selection="node:1")),
        graph(changed(reading, theme="dark")),
    }
    desk.front.seek(desk.front.timeline.step + 1)
    assert len({*keys, graph(reading)}) == 5
    desk.front.seek(desk.front.timeline.step + 1)
    later = []
    while not later or screen.is_behind:
        groups = (shape for shape in screen.shapes(reading, stop=0.0) if isinstance(shape, Group))
        later.append(next(group.key for group in groups if group.key and group.key[0] == "graph"))
        assert len(later) < 30
    assert later[0] != later[-1], "past the deadline the graph is the previous one; later frames draw it anew"


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scale", [1.0, 1.1, 1.2])
def test_each_light_has_a_sign_and_it_covers_no_word(scale, size):
    screen = Screen(desk_of(scenario_of("lost-token")))
    screen.desk.front.seek(28)
    panel = screen.panel(interface_of(*size, scale=scale, time=screen.desk.front.now, panel_revision=28), "lights")
    words = [bounds(shape) for shape in panel.shapes if isinstance(shape, Text)]
    signs = [bounds(shape) for shape in panel.shapes if not isinstance(shape, Text | Box)]
    for light in panel.widgets:
        inner = [sign for sign in signs if overlap(sign, light.box).w]
        assert inner
        assert all(overlap(sign, light.box) == sign for sign in inner)
        assert not any(overlap(sign, word).w * overlap(sign, word).h for sign in inner for word in words)


def test_the_header_describes_a_variant():
    titles = []
    for variant in (None, "regenerating"):
        screen = Screen(desk_of(Scenario("token-ring", variant=variant)))
        shapes = screen.panel(interface_of(1920, 1080), "header").shapes
        titles.append(" ".join(shape.text for shape in shapes if isinstance(shape, Text)))
    assert "A token travels round a ring" in titles[0]
    assert "elects a process to make a new one" in titles[1]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_no_formula_is_cut_even_in_the_smallest_window(algorithm):
    for variant in (None, *catalog.find(algorithm).variants):
        screen = Screen(desk_of(Scenario(algorithm, variant=variant)))
        words = [s.text for s in screen.panel(interface_of(1024, 768), "counters").shapes if isinstance(s, Text)]
        assert not any(text.endswith("…") for text in words), variant
