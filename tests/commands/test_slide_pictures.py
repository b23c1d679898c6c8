"""Pictures for a lecture hall and for a paper: every part whole, text as large as promised, and widths exact."""

from __future__ import annotations

import re
from itertools import cycle, product
from pathlib import Path
from xml.etree import ElementTree

import pytest

from algorithms import catalog, scenario_file
from algorithms.engine.observe.monitors import Monitors
from algorithms.engine.rewrite import system_of
from algorithms.engine.scenario import Scenario
from algorithms.engine.workload import Saturated
from tests.support.desks import desk_of
from tests.support.interfaces import interface_of
from tests.support.legibility import drawn, faults
from tests.support.shapes import clipped, flat, placed, texts
from tests.support.slides import picture, scenario
from visual.command_line import main
from visual.commands.picture_options import PANELS
from visual.commands.pictures import Instant, RunPictures
from visual.drawing.export import Picture
from visual.drawing.picking import all_bounds
from visual.drawing.shapes import Box, Group, Mark, Pattern, Polygon, Rect, Shape, Text
from visual.drawing.theme import NAMES, load
from visual.scene.still import CROPS, Still, half, still, trimmed
from visual.window.arrangement import look_of
from visual.window.compare import rival_of
from visual.window.panel import sentence

SVG = "{http://www.w3.org/2000/svg}"
FORMATS = [(1280, 720), (1024, 768), (1920, 1080)]
FEW = 8  # nodes: a slide with more is not for the last row
TALK = ["deferred-reply", "lost-token", "coordinator-crash", "bully-worst", "equal-stamps", "refused"]


def letters(a_picture: Picture) -> list[tuple[float, str]]:
    """The size of every text as a share of the height, but for those inside the signs of a legend."""
    without_signs = [_without_signs(shape) for shape in a_picture.shapes]
    sizes = [
        (s.size, s.text if isinstance(s, Text) else s.label) for s in flat(without_signs) if isinstance(s, Text | Mark)
    ]
    return [(size / a_picture.size[1], words) for size, words in sizes if words]


def _without_signs(shape: Shape) -> Shape:
    if isinstance(shape, Group) and shape.id == "legend":
        return shape._replace(shapes=tuple(part for part in shape.shapes if not isinstance(part, Group)))
    return shape


# ---- nothing is clipped, and all of it can be read ---------------------------------------------------------


@pytest.mark.parametrize("crop", [*CROPS, *PANELS])
def test_nothing_is_clipped_in_any_crop_theme_and_format(crop):
    """In each format, presented or not, in one theme: the themes differ only in colours, and take turns."""
    for place, name in enumerate(TALK):
        for number, (size, presenting) in enumerate(product(FORMATS, (False, True))):
            theme = NAMES[(place + number) % len(NAMES)]
            shown = picture(name, crop, size=size, theme=theme, presenting=presenting)
            assert not clipped(shown.shapes, size), (name, size, theme, presenting)


@pytest.mark.parametrize("name", [name for name in scenario_file.names() if scenario(name).nodes <= FEW])
def test_in_a_presentation_all_text_is_3_percent_of_the_height_and_names_are_more(name):
    run = RunPictures(scenario(name)).timeline.simulation
    if system_of(run.algorithm):
        pytest.skip("a term is a table, with more in it than the last row can read")
    for size in FORMATS[:2]:
        for crop in ("graph", "spacetime", "source", "lights"):
            shown = picture(name, crop, size=size, presenting=True)
            assert not clipped(shown.shapes, size), crop
            sizes = letters(shown)
            assert sizes
            small = {words for share, words in sizes if share < 0.03}
            assert not small, (crop, size)
            names = {f"P{node}" for node in range(scenario(name).nodes)}
            drawn = [share for share, words in sizes if words in names]
            if crop == "spacetime":
                assert drawn
                assert min(drawn) >= 0.044
            if crop == "graph":
                assert max(drawn, default=1) >= 0.044


def test_every_scenario_is_whole_and_legible_in_a_spread_of_crops_themes_and_formats():
    """Each in one crop, theme, format and moment; terms are tables."""
    looks = cycle(product((*CROPS, "counters"), FORMATS, NAMES))
    for place, name in enumerate(scenario_file.names()):
        (crop, size, theme), run, presenting = next(looks), scenario(name), bool(place % 4)
        times = [marker.at for marker in run.markers] + [0.37 * run.until, 0.71 * run.until]
        time = times[place % len(times)]
        shown = picture(name, crop, time, size=size, theme=theme, presenting=presenting)
        where = name, crop, size, theme, time
        assert not clipped(shown.shapes, size), where
        found = faults(list(drawn(shown.shapes, load(theme))), Rect(0, 0, *size))
        assert not [fault for fault in found if fault.kind == "leaves" or not fault.is_crowding()], where
        if presenting and not system_of(RunPictures(run).timeline.simulation.algorithm):
            assert not {words for share, words in letters(shown) if share < 0.0299}, where


SYSTEMS = ["rules-binary-search", "untyped-history"]


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("size", FORMATS)
def test_a_presented_term_has_the_whole_slide_and_its_words_are_for_the_last_row(name, size):
    for time in (5.0, 24.0):
        shown = picture(name, "full", time, size=size, presenting=True)
        assert not clipped(shown.shapes, size)
        found = {words: share for share, words in letters(shown)}
        assert min(share for words, share in found.items() if words.islower() and words.isascii()) >= 0.0299
        assert min(found.values()) >= 0.0195, "cells hold many signs"
        assert {"has something to send", "sent"} <= {*found}


def headline(shown: Picture) -> Text:
    """The scenario's title, after the algorithm's."""
    return [shape for shape in shown.shapes if isinstance(shape, Text)][1]


def test_titles_shrink_before_they_are_cut():
    cut = []
    for name in scenario_file.names():
        head = headline(picture(name, "full", size=(1280, 720), presenting=True))
        assert head.size >= 0.0299 * 720
        if head.text != scenario(name).title:
            cut.append(name)
            assert head.size < 0.0305 * 720, "as small as a headline gets"
    assert len(cut) <= 8, cut


@pytest.mark.parametrize("size", FORMATS)
def test_two_runs_on_a_slide_have_large_graphs_and_whole_words_in_their_titles(size):
    """Half a slide has room for the nodes' names and states, but for no diagram, and for no title of a word or two."""
    for name in TALK:
        left = scenario(name)
        right = rival_of(left, "token-ring").scenario
        look = half(Still(size=size, presenting=True), left, right)
        for run in (RunPictures(left), RunPictures(right)):
            shown, words = run.at(Instant(time=left.until / 2), look), f"P{left.nodes - 1}"
            assert not clipped(shown.shapes, shown.size)
            nodes = [one for one in shown.shapes if isinstance(one, Group) and one.id.startswith("node:")]
            assert len(nodes) == left.nodes
            assert max(one.y for one in nodes) - min(one.y for one in nodes) > 0.2 * size[1], name
            named = [one.size for one in flat(shown.shapes) if isinstance(one, Text) and one.text == words]
            assert len(named) == 1, "in the node's circle"
            assert named[0] >= 0.0439 * size[1]
            title = headline(shown).text
            assert title.startswith("t = ") or len(title) > 0.6 * len(run.timeline.scenario.title)


@pytest.mark.parametrize(("name", "time"), [("captive-without-an-answer", 5.5), ("one-side-ahead", 5.5)])
def test_a_caption_shrinks_before_its_end_is_cut(name, time):
    shown = picture(name, "full", time, size=(1280, 720), presenting=True)
    last = max((shape for shape in shown.shapes if isinstance(shape, Text)), key=lambda shape: shape.y)
    assert last.text.endswith(".")
    assert last.size >= 0.0299 * 720


def test_what_a_step_breaks_is_said_to_the_end():
    """In a picture and in the window; what the step did is cut rather, where there is no room for all."""
    said = cut = 0
    for name in scenario_file.names():
        run = desk_of(scenario(name)).front
        for time in [marker.at for marker in scenario(name).markers]:
            run.seek_time(time)
            if not (broken := [breach.caption() for breach in run.ledger.breaches]):
                continue
            look = Still(presenting=True, title="", legend=False, reopen=False)
            drawn = [one for one in still(run.timeline, time, look).shapes if isinstance(one, Text)]
            low = sorted((one for one in drawn if one.y > 0.85 * 720), key=lambda one: one.y)
            window = look_of(interface_of(1280, 720, presenting=True))
            for lines in (low, sentence(window, run.sentence, 20.0, 600.0, 1200.0)):
                words = " ".join(line.text for line in lines)
                said, cut = said + 1, cut + ("…" in words)
                assert words.endswith(" ".join(broken)), name
                assert len(lines) <= 2
    assert said > 40
    assert 0 < cut < 20


@pytest.mark.parametrize("name", TALK)
@pytest.mark.parametrize("crop", ["full", "counters", "plots"])
def test_what_a_talk_shows_can_be_read_in_the_last_row(name, crop):
    for size in FORMATS:
        assert not {words for share, words in letters(picture(name, crop, size=size, presenting=True)) if share < 0.03}


def test_larger_text_is_larger_and_still_whole():
    for crop in ("graph", "spacetime", "full"):
        usual, large = (picture("deferred-reply", crop, text=text) for text in (1.0, 1.6))
        assert not clipped(large.shapes, large.size)
        means = [sum(share for share, _ in sizes) / len(sizes) for sizes in map(letters, (usual, large))]
        assert means[1] > 1.25 * means[0], crop


# ---- parts -------------------------------------------------------------------------------------------------


def test_title_and_caption_can_be_words_of_ones_own_or_none():
    for crop in (*CROPS, *PANELS):
        words = texts(picture("deferred-reply", crop, title="My title", caption="My caption").shapes)
        assert "My title" in words
        assert "My caption" in words
        bare = " ".join(texts(picture("deferred-reply", crop, title="", caption="").shapes))
        assert "Ricart–Agrawala" not in bare
        assert "P2 receives" not in bare


def test_every_crop_can_have_a_legend():
    for crop in (*CROPS, *PANELS):
        (drawn,) = [
            s for s in picture("deferred-reply", crop, legend=True).shapes if isinstance(s, Group) and s.id == "legend"
        ]
        assert {"waiting", "critical section", "request", "reply"} <= set(texts([drawn]))
        without = picture("deferred-reply", crop, legend=False)
        assert not any(isinstance(s, Group) and s.id == "legend" for s in without.shapes)


@pytest.mark.parametrize("crop", ["graph", "spacetime", "full"])
def test_a_series_keeps_its_places_whatever_the_legend_explains(crop):
    """A crash, a lost message and a token held come and go in the legend; nothing else moves."""
    for name in ("coordinator-crash", "lost-token", "bully-two-crashes"):
        places = set()
        for part in range(8):
            moment = scenario(name).until * part / 8
            shown = picture(name, crop, time=moment, presenting=True, span=(0.0, scenario(name).until))
            nodes = [s for s in shown.shapes if isinstance(s, Group) and s.id.startswith("node:")]
            names = [s for s in flat(shown.shapes) if isinstance(s, Text) and s.id.startswith("node:")]
            places.add((*((s.id, s.x, s.y) for s in nodes), *((s.id, s.x, s.y) for s in names)))
        assert len(places) == 1, name


def test_the_legend_of_a_diagram_shows_its_bars():
    shown = picture("deferred-reply", "spacetime")
    (drawn,) = [s for s in shown.shapes if isinstance(s, Group) and s.id == "legend"]
    in_legend = {s.fill for s in flat([drawn]) if isinstance(s, Box)}
    in_diagram = {s.fill for s in flat(s for s in shown.shapes if s is not drawn) if isinstance(s, Box)}
    assert {_plain(fill) for fill in in_legend} == {_plain(fill) for fill in in_diagram}


def _plain(fill: object) -> object:
    return fill._replace(pitch=1) if isinstance(fill, Pattern) else fill


def test_what_is_to_come_is_hidden_or_pale():
    hidden, dim = (picture("deferred-reply", "spacetime", time=5.6, ahead=ahead) for ahead in (False, True))
    pale = [[s for s in one.shapes if isinstance(s, Group) and s.opacity < 1] for one in (hidden, dim)]
    assert not pale[0]
    assert len(pale[1]) == 1
    assert len(list(flat(pale[1]))) > 5
    assert dim.description == hidden.description


def test_the_cursor_can_be_left_out():
    accent = load("light").accent
    with_, without = (picture("deferred-reply", "spacetime", cursor=cursor) for cursor in (True, False))
    found = [any(isinstance(s, Polygon) and s.fill == accent for s in flat(one.shapes)) for one in (with_, without)]
    assert found == [True, False]


def test_a_diagram_spans_the_times_asked_for():
    shown = picture("deferred-reply", "spacetime", time=8.0, span=(2.0, 8.0))
    numbers = sorted(float(words) for words in texts(shown.shapes) if words.replace(".", "").isdigit())
    assert numbers[0] >= 2
    assert numbers[-1] == 8


def test_a_selected_event_lights_its_causes():
    accent = load("light").accent
    plain, lit = (picture("deferred-reply", "spacetime", selected=selected) for selected in ("", "event:12"))
    counts = [sum(getattr(s, "stroke", None) == accent for s in flat(one.shapes)) for one in (plain, lit)]
    assert counts[1] > counts[0] + 2


def test_what_one_node_knows_leaks_nothing():
    shown = picture("deferred-reply", "full", node=3)
    assert shown.title == "Only what P3 knows"
    words = " ".join([*texts(shown.shapes), shown.description])
    assert "IN CS" not in words  # P2 is inside, which P3 cannot know
    assert "P2 receives" not in words


# ---- for a paper -------------------------------------------------------------------------------------------


@pytest.fixture
def in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("in_an_empty_folder")
@pytest.mark.parametrize(("width", "millimetres"), [("84mm", 84), ("8.4cm", 84), ("3in", 76.2), ("240pt", 84.667)])
def test_a_width_on_paper_is_exact_and_text_has_the_size_asked_for(width, millimetres):
    words = ["--crop", "spacetime", "--to", "8", "--no-cursor", "--tight"]
    assert main(["shot", "deferred-reply", *words, "--width", width, "--font-size", "8pt", "-o", "a.svg"]) == 0
    root = ElementTree.parse("a.svg").getroot()
    zoom = float(root.get("width")) / float(root.get("viewBox").split()[2])
    assert float(root.get("width")) * 25.4 / 96 == pytest.approx(millimetres, abs=0.02)
    sizes = {e.text: float(e.get("font-size")) * zoom * 72 / 96 for e in root.iter(f"{SVG}text")}
    assert sizes["waiting"] == pytest.approx(8, abs=0.05)
    assert min(sizes.values()) >= 0.7 * 8
    assert not any("mutoscope" in words or "receives" in words for words in sizes)


def test_a_tight_picture_ends_where_the_drawing_ends():
    pictures = [picture("lost-token", "graph", time=time, caption="", legend=False) for time in (3.0, 40.0)]
    tight = trimmed(pictures, 5)
    assert len({one.size for one in tight}) == 1
    assert tight[0].size[0] < 900
    union = all_bounds(shape for one in tight for shape in one.shapes)
    assert (union.x, union.y) == pytest.approx((5, 5), abs=0.01)
    for one in tight:
        assert not clipped(one.shapes, one.size)
        assert all(box.x >= 0 and box.y >= 0 for _, box in placed(one.shapes))
    assert [one.size[0] for one in trimmed(pictures, 5, keeps_width=True)] == [1280, 1280]


# ---- moments -----------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("in_an_empty_folder")
@pytest.mark.parametrize(
    ("at", "times"),
    [
        ("markers", ["2"]),
        ("end", ["10"]),
        ("0..2/0.5", ["0", "0.5", "1", "1.5", "2"]),
        ("1..1/1", ["1"]),
        ("9,markers,end", ["9", "2", "10"]),
    ],
)
def test_moments_can_be_markers_the_end_and_a_range(at, times, capsys):
    assert main(["shot", "equal-stamps", "--at", at, "-o", "{n}.svg"]) == 0
    files = capsys.readouterr().out.splitlines()
    said = [ElementTree.parse(file).getroot().find(f"{SVG}desc").text for file in files]
    assert [text.partition("time ")[2].partition(". ")[0] for text in said] == times


@pytest.mark.usefixtures("in_an_empty_folder")
def test_a_missing_folder_is_told_before_anything_is_drawn(monkeypatch, capsys):
    monkeypatch.setattr("visual.commands.shot.pictures", lambda *_: pytest.fail("a picture was drawn"))
    assert main(["shot", "equal-stamps", "-o", "no/such/{n}.svg"]) == 2
    assert "there is no folder no/such; create it first" in capsys.readouterr().err
    assert not list(Path().iterdir())


def test_alt_text_names_every_breach():
    crowded = Scenario("uncoordinated", nodes=4, load=Saturated(), until=12.0)
    timeline = catalog.timeline(crowded)
    timeline.seek_time(12.0)
    monitors = Monitors(timeline.scenario, timeline.algorithm)
    monitors.advance(timeline.trace)
    breaches = monitors.breaches(timeline.step)
    assert len(breaches) > 8
    assert {str(breach.step) for breach in breaches} <= set(re.findall(r"\d+", still(timeline).description))
