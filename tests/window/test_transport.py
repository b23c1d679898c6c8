"""The sentence on the present event and the marker's name: side by side, or one below the other."""

from __future__ import annotations

import pytest

from algorithms import scenario_file
from tests.support.desks import desk_of
from tests.support.interfaces import interface_of
from visual.drawing import fonts
from visual.drawing.shapes import Text
from visual.window.playback import playing
from visual.window.screen import Screen
from visual.window.state import Interface

SENTENCE, MOMENT = "P3 recovers, having lost its memory.", "P2 and P3 have forgotten their votes"


def lines(interface: Interface) -> dict[str, Text]:
    """The texts of header and bar after P3 has recovered, by their first letters."""
    screen = Screen(desk_of(scenario_file.load(scenario_file.find("more-votes"))))
    interface = playing.seek(interface, screen.desk, 7.5)
    shown = [shape for shown in screen.panels(interface) for shape in shown.panel.shapes]
    return {shape.text[:10]: shape for shape in shown if isinstance(shape, Text)}


@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_the_name_of_the_marker_gives_way_to_the_sentence(scale):
    found = lines(interface_of(1024, 768, scale=scale))
    sentence, name = found[SENTENCE[:10]], found[MOMENT[:10]]
    assert sentence.text == SENTENCE
    assert sentence.y == name.y
    end = sentence.x + fonts.width(sentence.text, sentence.size, weight="bold")
    assert end + 16 < name.x - fonts.width(name.text, name.size)


@pytest.mark.parametrize(("size", "scale"), [((1280, 720), 2.0), ((1024, 768), 1.0), ((800, 600), 1.5)])
def test_a_long_sentence_has_two_lines_rather_than_lose_its_reason(size, scale):
    screen = Screen(desk_of(scenario_file.load(scenario_file.find("deferred-reply"))))
    interface = playing.seek(interface_of(*size, scale=scale), screen.desk, 5.6)
    (bar,) = [shown.panel.shapes for shown in screen.panels(interface) if shown.name == "transport"]
    shown = " ".join(shape.text for shape in bar if isinstance(shape, Text))
    assert screen.desk.sentence in shown
    assert screen.desk.sentence.endswith("its own (1,2) is older than (2,3).")


def test_while_presenting_the_name_of_the_marker_is_above_the_sentence():
    found = lines(interface_of(1024, 768, presenting=True))
    assert found[SENTENCE[:10]].text == SENTENCE
    assert found[MOMENT[:10]].text == MOMENT
    assert found[MOMENT[:10]].y < 100
