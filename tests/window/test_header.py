"""The bar at the top: every choice that fits is visible, and the title gives way to them."""

from __future__ import annotations

import itertools

import pytest

from algorithms import catalog, scenario_file
from algorithms.engine.scenario import Scenario
from tests.support.desks import desk_of
from tests.support.interfaces import interface_of
from visual.drawing import fonts
from visual.drawing.shapes import Text
from visual.window import arrangement
from visual.window.desk import Desk
from visual.window.gallery.cards import scenario_of
from visual.window.header import header
from visual.window.panel import Panel, View
from visual.window.state import Interface
from visual.window.widgets import Button, Touch, draw

CHOICES = ["nodes", "seed", "load", "faults", "compare", "theme", "help", "more"]


def header_of(desk: Desk, interface: Interface) -> tuple[View, Panel]:
    region = arrangement.regions(interface).header
    view = View(interface, desk, desk.front, arrangement.look_of(interface), region)
    return view, header(view)


def longest_named() -> Desk:
    named = [(algorithm, variant) for algorithm in catalog.by_name().values() for variant in algorithm.variants]
    algorithm, variant = max(named, key=lambda pair: fonts.width(f"{pair[0].title} · {pair[1]}", 1))
    return desk_of(Scenario(algorithm.name, variant=variant, nodes=16))


@pytest.mark.parametrize("size", [(1024, 768), (1280, 720), (1920, 1080)], ids=str)
def test_the_longest_title_is_set_in_two_lines_before_any_choice_goes(size):
    desk = longest_named()
    view, panel = header_of(desk, interface_of(*size))
    buttons = {widget.id.removeprefix("header."): widget for widget in panel.widgets if isinstance(widget, Button)}
    assert list(buttons) == ["algorithm", *CHOICES]
    lines = [shape.text for shape in draw(buttons["algorithm"], view.look, Touch()) if isinstance(shape, Text)]
    title = " ".join(lines).replace("- ", "-")  # a long name may break after a dash
    assert desk.front.name.startswith(title.rstrip("…"))
    assert len(lines) <= 2
    assert len(title) > 30
    assert desk.front.name in buttons["algorithm"].hint


def test_while_presenting_the_names_of_markers_are_whole():
    for name in scenario_file.names():
        desk = desk_of(scenario_of(name))
        for marker, size in itertools.product(desk.front.scenario.markers, [(1024, 768), (1280, 720)]):
            _, panel = header_of(desk, interface_of(*size, presenting=True, time=marker.at))
            words = " ".join(shape.text for shape in panel.shapes if isinstance(shape, Text))
            assert words.endswith(marker.name), name
