"""The gallery: its cards, and that each of them opens."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import pytest

from algorithms import catalog, scenario_file
from algorithms.engine.scenario import Scenario
from algorithms.engine.workload import Poisson
from tests.support.desks import desk_of
from tests.support.interfaces import changed, interface_of
from tests.support.legibility import contrast
from tests.support.screens import pressed
from tests.support.shapes import flat
from visual.drawing.picking import contains, overlap
from visual.drawing.shapes import Box, Group, Mark, Rect, Shape, Text
from visual.window import compare, intents
from visual.window.arrangement import look_of
from visual.window.gallery import cards
from visual.window.gallery.page import grid
from visual.window.inputs import Dropped, Typed
from visual.window.memory import unsaved
from visual.window.screen import Screen
from visual.window.state import Interface
from visual.window.update import update
from visual.window.widgets import Button, Target, TextField, Touch, draw

SIZES = [(1024, 768), (1280, 720), (1920, 1080), (3840, 2160)]


@pytest.fixture(autouse=True)
def _no_runs_of_mine(tmp_path, monkeypatch):
    monkeypatch.setattr(unsaved, "folder", lambda: tmp_path / "unsaved")


@pytest.fixture
def screen():
    for section in cards.SECTIONS:
        cards.items(section, Interface())  # cached: no frame has to load them
    return Screen(desk_of(Scenario("token-ring")))


def highlighted(interface: Interface) -> cards.Item:
    return cards.items(interface.section, interface)[interface.gallery.card]


def test_the_gallery_opens_over_the_paused_run_and_esc_closes_it(screen):
    opened = pressed(interface_of(playing=True), screen, "Ctrl+O")
    assert (opened.section, opened.playback.playing, opened.mode()) == (cards.SECTIONS[0], False, "browsing")
    assert pressed(opened, screen, "Esc").section == ""
    assert pressed(opened, screen, "Ctrl+O").section == ""


def test_every_scenario_and_algorithm_has_a_card():
    found = {card.does.value for section in cards.SECTIONS for card in cards.items(section, Interface())}
    assert found >= {*scenario_file.names(), *catalog.by_name()}


def _names(section: str) -> list[str]:
    return [card.does.value for card in cards.items(section, Interface())]


def test_a_beginner_finds_the_basic_algorithms_first():
    assert set(cards.BASIC) <= set(catalog.by_name())
    names = _names("algorithms")
    for algorithms in catalog.by_family().values():
        family = {algorithm.name for algorithm in algorithms}
        basic = [name for name in cards.BASIC if name in family]
        assert [name for name in names if name in family][: len(basic)] == basic


def test_every_scenario_has_its_place_in_one_family_and_the_easiest_begin():
    names = [name for family in cards.families() for level in cards.LEVELS for name in family.get(level, ())]
    assert sorted(names) == sorted(scenario_file.names())
    assert cards.families()[0]["title"] == "Start here"
    assert names[:2] == ["two-cash-machines", "coordinator"]
    assert all({*family} <= {"title", "words", *cards.LEVELS} for family in cards.families())


def test_a_search_finds_what_stands_in_other_sections_and_is_forgotten(screen):
    interface = pressed(Interface(), screen, "Ctrl+O", "Tab", "Ctrl+F")
    for letter in "mutex":
        interface = update(interface, screen, Typed(letter))
    found = cards.items("scenarios", interface)
    assert {"two-cash-machines", "coordinator", "ricart-agrawala", "sigma"} <= {card.does.value for card in found}
    assert "bully" not in {card.does.value for card in found}
    assert list(dict.fromkeys(card.heading for card in found))[:2] == ["scenarios", "algorithms"]
    again = pressed(interface, screen, "Enter", "Ctrl+O", "Ctrl+O")
    assert (again.section, again.gallery.words) == ("scenarios", "")


def test_a_dropped_file_opens_and_is_under_yours(screen, tmp_path):
    file = tmp_path / "mine.toml"
    scenario_file.save(Scenario("bully", notes="Watch P4."), file)
    opened = update(Interface(), screen, Dropped(str(file)))
    assert screen.desk.front.scenario.algorithm == "bully"
    assert opened.display.page == "notes", "what to watch"
    assert str(file) in {card.does.value for card in cards.items("yours", opened)}
    broken = update(opened, screen, Dropped(str(tmp_path / "none.toml")))
    assert "none.toml" in broken.notice.words


def test_the_arrows_reach_every_card_and_show_it_whole(screen):
    interface = pressed(Interface(), screen, "Ctrl+O", "Tab")
    cards_visited = []
    for _ in cards.items(interface.section, interface):
        placed = grid(interface)
        box = placed.box(interface.gallery.card)
        assert box.y >= placed.area.y - 1
        assert box.y + box.h <= placed.area.y + placed.area.h + 1
        cards_visited.append(interface.gallery.card)
        interface = pressed(interface, screen, "Right")
    assert cards_visited == list(range(len(cards_visited)))
    assert pressed(interface, screen, "Right").gallery.card == cards_visited[-1], "it stays at the last"


def test_down_goes_to_the_card_below(screen):
    interface = pressed(Interface(), screen, "Ctrl+O", "Tab", "Right")
    below = pressed(interface, screen, "Down")
    first, second = grid(interface).box(interface.gallery.card), grid(below).box(below.gallery.card)
    assert first.x == second.x
    assert below.gallery.card == len(grid(interface).rows[0][0]) + 1


def test_enter_opens_the_highlighted_scenario(screen):
    for name in scenario_file.names():
        interface = pressed(Interface(), screen, "Ctrl+O", "Tab")
        place = [card.does.value for card in cards.items("scenarios", interface)].index(name)
        opened = pressed(changed(interface, card=place), screen, "Enter")
        assert opened.section == "", name
        assert screen.desk.front.scenario == scenario_file.load(scenario_file.find(name))


def test_tab_goes_through_the_sections(screen):
    interface = pressed(Interface(), screen, "Ctrl+O")
    sections = []
    for _ in cards.SECTIONS:
        sections.append(interface.section)
        interface = pressed(interface, screen, "Tab")
    assert tuple(sections) == cards.SECTIONS
    assert interface.section == sections[0]


def test_the_gallery_opens_again_as_it_was_left(screen):
    left = pressed(Interface(), screen, "Ctrl+O", "Tab", "Tab", "Down", "Down", "Right")
    again = pressed(left, screen, "Enter", "Right", "Ctrl+O")
    assert screen.desk.front.timeline.step == 1
    assert (again.section, again.gallery.card, again.gallery.words) == (
        "algorithms",
        left.gallery.card,
        left.gallery.words,
    )
    assert grid(again).offset == grid(left).offset > 0
    assert pressed(again, screen, "Tab", "Esc", "Ctrl+O").section == "labs"


def test_cards_are_filtered_while_words_are_typed(screen):
    interface = pressed(Interface(), screen, "Ctrl+O", "End", "Ctrl+F")
    for letter in "Token LOST":
        interface = update(interface, screen, Typed(letter))
    assert interface.mode() == "typing"
    found = cards.items(interface.section, interface)
    assert "lost-token" in {card.does.value for card in found}
    assert all(
        "lost" in f"{card.title} {card.kind} {card.words} {card.does.value} {card.terms}".lower() for card in found
    )
    assert len(found) < len(cards.items("scenarios", Interface()))
    assert highlighted(interface) == found[0], "whichever was highlighted before"
    assert "gallery.0" in {widget.id for widget in screen.widgets(interface)}
    shorter = pressed(interface, screen, *["Backspace"] * len(" LOST"))
    assert len(cards.items(shorter.section, shorter)) > len(found)
    taken = pressed(interface, screen, "Enter")
    assert (taken.mode(), taken.gallery.words) == ("browsing", "Token LOST")
    assert pressed(taken, screen, "Enter").section == ""
    assert screen.desk.front.scenario == cards.scenario_of(found[0].scenario)
    everything = pressed(taken, screen, "Esc")
    assert (everything.section, everything.gallery.words) == (interface.section, "")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scale", [0.75, 1.0, 2.0, 3.0])
def test_the_filter_covers_no_other_button(screen, size, scale):
    for typing in (False, True):
        interface = changed(pressed(interface_of(*size, scale=scale), screen, "Ctrl+O"), words="a token that was lost")
        interface = pressed(interface, screen, "Ctrl+F") if typing else interface
        widgets = screen.panel(interface, "gallery").widgets
        head = [widget.box for widget in widgets if isinstance(widget, Button | TextField)]
        assert "gallery.close" in {widget.id for widget in widgets}
        assert not typing or "gallery.words" in {widget.id for widget in widgets}
        assert all(overlap(box, Rect(0, 0, *size)) == pytest.approx(box) for box in head)
        for one, other in combinations(head, 2):
            assert not overlap(one, other).w * overlap(one, other).h


def test_an_unreadable_file_is_reported_and_the_run_stays(screen, tmp_path):
    bad = tmp_path / "bad.toml"
    bad.write_text("format = 1\nalgorithm = 7\n")
    interface = changed(Interface(), section="yours", recent=(str(bad),))
    before = screen.desk.front.timeline
    said = pressed(interface, screen, "Enter")
    assert screen.desk.front.timeline is before
    assert said.notice is not None
    assert "bad.toml" in said.notice.words


def test_an_unsaved_run_opens_where_it_was_left(screen):
    desk = screen.desk
    for _ in range(5):
        desk.front.forward()
    desk.front.act("lose-token")
    desk.front.forward()
    unsaved.Autosave(unsaved.folder()).keep_up(desk)
    records = list(desk.front.timeline.trace.records)
    desk.front.open(Scenario("ricart-agrawala"))
    pressed(changed(Interface(), section="yours"), screen, "Enter")
    assert list(desk.front.timeline.trace.records)[: len(records)] == records
    assert desk.front.timeline.branch.interventions[0].do == "lose-token"


def test_the_gallery_says_from_the_start_that_a_run_was_not_saved(screen):
    assert cards.heading("yours") == "yours"
    screen.desk.front.act("crash", node=1)
    unsaved.Autosave(unsaved.folder()).keep_up(screen.desk)
    assert cards.heading("yours") == "yours (1 not saved)"
    (button,) = [w for w in screen.widgets(interface_of(section="scenarios")) if w.id == "gallery.yours"]
    assert button.label == "yours (1 not saved)"


def test_two_unsaved_runs_open_together_where_they_were_left(screen):
    desk = screen.desk
    desk.front.open(Scenario("token-ring", nodes=4, load=Poisson(rate=0.1)))
    compare.join(desk, compare.another_algorithm(desk.front, "ricart-agrawala"))
    for run, do in zip(desk.runs, ("lose-token", "crash"), strict=True):
        desk.seek_time(12.0)
        run.act(do, 12.0, node=2 if do == "crash" else None)
    records = [list(run.timeline.trace.records) for run in desk.runs]
    unsaved.Autosave(unsaved.folder()).keep_up(desk)
    card, _ = cards.items("yours", Interface())  # and the one that opens a file
    assert card.words == "token-ring; beside it, ricart-agrawala"
    fresh = Screen(desk_of(Scenario("bully")))
    pressed(changed(Interface(), section="yours"), fresh, "Enter")
    assert fresh.desk.is_pair
    for run, before in zip(fresh.desk.runs, records, strict=True):
        assert list(run.timeline.trace.records)[: len(before)] == before
    assert [run.timeline.branch.interventions[0].do for run in fresh.desk.runs] == ["lose-token", "crash"]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("section", cards.SECTIONS[:3])
def test_words_stay_within_their_cards(screen, size, section):
    interface = changed(interface_of(*size), section=section)
    panel = screen.panel(interface, "gallery")
    cards = next(shape for shape in panel.shapes if isinstance(shape, Group))
    boxes = [grid(interface).box(place) for place in range(grid(interface).cards)]
    tops = {top for _, top in grid(interface).headings}
    words = [shape for shape in cards.shapes if isinstance(shape, Text) and shape.size < look_of(interface).px(26)]
    assert words
    assert tops
    for text in words:
        holder = [box for box in boxes if contains(box, text.x, text.y)]
        assert holder, text.text
        assert text.y + text.size / 2 <= holder[0].y + holder[0].h, f"{text.text} runs out of its card"


def test_cards_can_be_hit(screen):
    interface = changed(interface_of(1024, 768), section="scenarios")
    targets = [widget for widget in screen.widgets(interface) if isinstance(widget, Target)]
    assert len(targets) > 3
    assert all(min(widget.box.w, widget.box.h) >= 24 for widget in targets[:4])


@pytest.mark.parametrize("pressed", ["", "tab"])
def test_the_open_section_is_legible_under_the_pointer(pressed):
    look = look_of(Interface())
    tab = Button("tab", Rect(0, 0, 120, 40), intents.close(), label="labs", on=True)
    box, label, *_ = draw(tab, look, Touch(hover="tab", pressed=pressed))
    assert contrast(box.fill, label.ink) >= 4.5


def test_pictures_come_one_by_one_and_stay(screen):
    interface = changed(interface_of(1280, 720), section="scenarios")
    screen.shapes(interface)
    pictures = screen.thumbnails
    while screen.gallery_work.is_waiting:
        before = pictures.made
        screen.shapes(interface)
        assert pictures.made - before in (0, 1)
    assert pictures.made >= 6
    screen.shapes(interface)
    assert not screen.gallery_work.is_waiting, "nothing is made twice"


def test_cards_are_loaded_in_slices_and_do_not_move_then(screen, monkeypatch):
    monkeypatch.setattr(cards, "_FIXED", {"scenarios": cache(cards._scenarios.__wrapped__)})
    monkeypatch.setattr(cards, "WORK", 0.0)
    interface, frames = changed(interface_of(1280, 720), section="scenarios"), 0
    while not cards.is_loaded("scenarios"):
        head = {widget.id for widget in screen.widgets(interface)}
        screen.shapes(interface)
        assert screen.gallery_work.is_waiting
        frames += 1
    assert frames > len(scenario_file.names())
    shown = [(widget.id, widget.box) for widget in screen.widgets(interface)]
    assert len(shown) > len(head)
    while screen.gallery_work.is_waiting:
        screen.shapes(interface)
        assert [(widget.id, widget.box) for widget in screen.widgets(interface)] == shown


@pytest.mark.parametrize("theme", ["light", "print"])
def test_thumbnails_are_the_same_in_every_window_and_have_no_empty_boxes(theme, screen):
    kinds = []
    for height in (150, 450):
        shapes = small_picture(screen, "deferred-reply", Rect(0, 0, 2 * height, height), theme)
        kinds.append([type(shape) for shape in shapes])
        assert any(isinstance(shape, Mark) for shape in shapes)
        assert all(shape.size > height / 15 for shape in shapes if isinstance(shape, (Mark, Text)))
        assert sum(isinstance(shape, Box) for shape in shapes) == 1  # the ground
    assert kinds[0] == kinds[1]


def small_picture(screen: Screen, scenario: str, box: Rect, theme: str) -> list[Shape]:
    screen.thumbnails.of(scenario, box, theme)
    while screen.thumbnails.is_waiting:
        screen.shapes(changed(Interface(), section="labs"))
    return list(flat(screen.thumbnails.of(scenario, box, theme)))
