"""Every view that keys lead to: whole and separate words, large click targets, and everything within reach."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from algorithms import catalog
from tests.support.interfaces import changed
from tests.support.screens import Placed, check_texts, check_widgets, panels_of, placed_texts
from tests.support.views import VIEWS, own_folders, reached, resized
from visual.drawing.shapes import Box, Rect
from visual.window import arrangement, intents, keys
from visual.window.actions import HANDLERS, perform
from visual.window.desk import Desk
from visual.window.gallery.cards import scenario_of
from visual.window.intents import Intent
from visual.window.menus import contents
from visual.window.screen import Screen
from visual.window.state import Interface
from visual.window.widgets import Button, Slider, Target

SIZES = [(1024, 768), (1280, 720), (3840, 2160)]  # 1920x1080 is the last one at half the scale

PLACES = {  # the condition that shows that the keys have led there
    "node": lambda i, desk: i.node is not None,
    "message": lambda i, desk: i.message is not None,
    "graph": lambda i, desk: i.display.view == "graph",
    "space-time": lambda i, desk: i.display.view == "space-time",
    "space-time-menu": lambda i, desk: i.menu and i.menu.name == "diagram",
    "space-time-logical": lambda i, desk: i.diagram.logical,
    "space-time-down": lambda i, desk: i.diagram.down,
    "past-and-future": lambda i, desk: i.event is not None,
    "local": lambda i, desk: i.local_node == 0,
    "plots": lambda i, desk: i.display.page == "plots",
    "plots-election": lambda i, desk: i.display.page == "plots",
    "events-of-a-node": lambda i, desk: i.pages.events.of_node and i.pages.events.hidden == {"messages"},
    "events": lambda i, desk: i.display.page == "events",
    "choose": lambda i, desk: i.display.page == "choose" and desk.is_manual,
    "branches": lambda i, desk: i.display.page == "branches",
    "check": lambda i, desk: i.display.page == "check",
    "checking": lambda i, desk: i.display.page == "check" and desk.check.outcome is None,
    "checked": lambda i, desk: any(found.example for found in desk.check.outcome.results),
    "counter-example": lambda i, desk: bool(desk.front.previous),
    "source-rules": lambda i, desk: i.display.page == "source",
    "history-message": lambda i, desk: i.display.page == "history" and i.message is not None,
    "source": lambda i, desk: i.display.page == "source",
    "history": lambda i, desk: i.display.page == "history",
    "notes": lambda i, desk: i.display.page == "notes",
    "compare-menu": lambda i, desk: i.menu and i.menu.name.startswith("compare"),
    "compare-algorithms": lambda i, desk: i.menu and i.menu.name == "compare:algorithm",
    "more": lambda i, desk: i.menu and i.menu.name == "more",
    "nodes": lambda i, desk: i.menu and i.menu.name == "nodes",
    "seed": lambda i, desk: i.menu and i.menu.name == "seed",
    "load": lambda i, desk: i.menu and i.menu.name == "load",
    "bad-input": lambda i, desk: i.notice and "whole number" in i.notice.words,
    "compare": lambda i, desk: desk.is_pair,
    "algorithms": lambda i, desk: i.menu and i.menu.name == "algorithm",
    "faults": lambda i, desk: i.menu and i.menu.name == "faults",
    "topology": lambda i, desk: i.menu and i.menu.name == "graph",
    "help": lambda i, desk: i.help,
    "help-2": lambda i, desk: i.help.page == 1,
    "presenting": lambda i, desk: i.display.presenting,
    "no-chrome": lambda i, desk: i.display.chrome_hidden,
    "larger-text": lambda i, desk: i.display.scale > 1,
    "smaller-text": lambda i, desk: i.display.scale < 1,
    "gallery": lambda i, desk: i.section == "scenarios",
    "gallery-algorithms": lambda i, desk: i.section == "algorithms",
    "gallery-labs": lambda i, desk: i.section == "labs",
    "gallery-yours": lambda i, desk: i.section == "yours",
    "lab": lambda i, desk: bool(i.lab),
    "lab-running": lambda i, desk: desk.measurement.is_running,
    "lab-finished": lambda i, desk: desk.measurement.report.lab.name == "three-message-passing",  # is soon measured
    "blank": lambda i, desk: i.is_blank,
}


@pytest.fixture(scope="module", autouse=True)
def _own_folders(tmp_path_factory):
    before = dict(os.environ)
    own_folders(tmp_path_factory.mktemp("own"))
    yield
    os.environ.clear()
    os.environ.update(before)


class Visits:
    """Views that tests have reached, one at a time; another size of a view is a resized window.

    So each view is reached once, and its actions are cached until the tests end.
    """

    def __init__(self) -> None:
        self.name = ""
        self.screen: Screen | None = None
        self.interface = Interface()
        self.actions: dict[str, set[Intent]] = {}  # view -> intents that keys send there, in a window of 1280x720

    def reach(self, name: str, size: tuple[int, int] = SIZES[1]) -> tuple[Interface, Screen]:
        """The interface and the screen after the keys of a view. They are shared: do not change them."""
        if name != self.name or self.screen is None:
            self.leave()
            self.interface, self.screen = reached(VIEWS[name], SIZES[1])
            self.name = name
            self.actions[name] = actions_in(self.interface, self.screen)
        return resized(self.interface, self.screen, size), self.screen

    def actions_of(self, name: str) -> set[Intent]:
        """The intents that keys can send in a view."""
        if name not in self.actions:
            self.reach(name)
        return self.actions[name]

    def leave(self) -> None:
        """End the work that a view has started."""
        if self.screen is not None:
            self.screen.desk.close()
        self.name, self.screen = "", None


@pytest.fixture(scope="module")
def visits(_own_folders) -> Iterator[Visits]:
    visits = Visits()
    yield visits
    visits.leave()


@pytest.fixture
def reach(visits):
    """Reach a view by its keys, in a window of some size."""
    return visits.reach


@pytest.mark.parametrize("name", VIEWS)
def test_keys_lead_there_and_words_are_whole_and_apart_and_targets_large_enough(name, reach):
    for size in SIZES:
        interface, screen = reach(name, size)
        assert name not in PLACES or PLACES[name](interface, screen.desk)
        check_view(interface, screen, size)


def check_view(interface: Interface, screen: Screen, size: tuple[int, int]) -> None:
    """Words are whole and apart, and targets large enough."""
    if interface.is_blank:
        assert [type(shape) for shape in screen.shapes(interface)] == [Box]
        return
    check_texts(interface, screen)
    check_widgets(interface, screen)
    for shown in panels_of(screen, interface):
        if shown.name == "strip":
            frame = screen.diagram_at(
                interface, shown.region.x + shown.region.w / 2, shown.region.y + shown.region.h / 2
            )
            is_alone = interface.display.view == "space-time" and not interface.diagram.down
            assert (len(frame.lanes) == frame.nodes and not is_alone) or frame.every == 1, "a line without its name"
        found = list(placed_texts(shown.group.shapes, shown.region))
        boxes = [text.box for text in found] + [w.box for w in shown.panel.widgets if isinstance(w, Button)]
        for text in found:
            assert not is_cut(text) or room_beside(text.box, boxes, shown.region) < MOST_ROOM * text.size, text
            assert not (is_cut(text) and shown.name == "counters"), text
            assert not (is_cut(text) and shown.name == "header" and size != SIZES[0]), text
            if shown.name == "lights":
                free = shown.region.y + shown.region.h - text.box.y - text.box.h
                assert free >= EDGE * arrangement.unit(interface.display), text
            if shown.name in (DENSE if interface.display.presenting else DENSE + CARDS):
                assert text.size >= LEAST_TEXT * arrangement.unit(interface.display), text


@pytest.mark.parametrize("scale", [1.5, 2.0])
@pytest.mark.parametrize("size", SIZES[:2], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", ["presenting-binary-search", "presenting-crowd", "presenting-compare"])
def test_titles_of_a_presentation_are_whole_at_every_text_size(name, scale, size, reach):
    interface, screen = reach(name, size)
    larger = changed(interface, scale=scale)
    for shown in panels_of(screen, larger):
        if shown.name in ("header", "title0", "title1"):
            assert not [text for text in placed_texts(shown.group.shapes, shown.region) if is_cut(text)]


def is_cut(text: Placed) -> bool:
    """Whether a text has been shortened: "algorithm …" has not, nor has "…" alone, which stands for omitted lines."""
    return text.words.endswith("…") and not text.words.endswith(" …") and text.words != "…"


def room_beside(text: Rect, others: list[Rect], region: Rect) -> float:
    """The distance from a text to the next shape at its right."""
    end = text.x + text.w
    rights = [
        other.x
        for other in others
        if other.x >= end - 1 and other.y < text.y + 0.8 * text.h and text.y < other.y + 0.8 * other.h
    ]
    return min([*rights, region.x + region.w]) - end


MOST_ROOM = 7.0  # ems beside words that end before a long one: the word, and the margin or a scroll bar
LEAST_TEXT = 14.9  # logical pixels in dense text: 11 pixels in a window of 1280x720
EDGE = 6.0  # logical pixels between the words of a light and its edge
DENSE = (
    *("source", "events", "history", "branches", "choose", "check", "notes", "plots", "menu", "help"),
    *("lab", "counters", "comparison"),
)
CARDS = ("cards",)  # as dense, but while presenting, when text scales with the window


def test_every_action_can_be_reached_by_keys(visits):
    """It has a keyboard key, a button or line that Tab or an arrow reaches, or an entry of a menu."""
    within_reach = {binding.does.intent for section in keys.TABLE for binding in section.bindings}
    for view in VIEWS:
        within_reach |= visits.actions_of(view)
    missing = sorted(repr(intent) for intent in set(HANDLERS) - within_reach - INDIRECT)
    assert missing == []


def actions_in(interface: Interface, screen: Screen) -> set[Intent]:
    """The intents of the widgets that are on screen, and of the entries of menus."""
    widgets = screen.widgets(interface)
    found = {widget.does.intent for widget in widgets if isinstance(widget, Button | Target)}
    found |= {widget.slides for widget in widgets if isinstance(widget, Slider)}
    return found.union(*(_entries(interface, screen.desk, name) for name in MENUS))


INDIRECT = {
    # sent by other actions, or with text typed into a field that one of them opens
    *(intents.choose_entry, intents.edit_field, intents.close_lab, intents.seek_step),
    *(
        intents.nodes_typed,
        intents.seed_typed,
        intents.graph_file_typed,
        intents.compare_typed,
        intents.rename_branch,
        intents.filter_cards,
    ),
    # offered only after something else: a counter-example, files of one's own, a class with phones
    *(intents.change_room, intents.take_over),
    *(intents.open_example, intents.leave_example, intents.open_file, intents.open_unsaved, intents.open_trusted),
    # a click on the diagram; keys go from event to event
    *(intents.go_to_event, intents.go_to_message),
    # a click with the right button; each action that its menu offers has a key of its own
    intents.open_actions,
    # lessons, which test_lesson_window walks by keys alone
    *(intents.open_lesson, intents.end_lesson, intents.answer, intents.see_proof, intents.take_votes),
}


MENUS = ("algorithm", "nodes", "seed", "load", "faults", "graph", "graph:1", "diagram", "compare", "network", "more")


def _entries(interface: Interface, desk: Desk, name: str) -> set[Intent]:
    opened = perform(interface, desk, intents.open_menu(name))
    menu = contents.menu_of(opened, desk)
    return {entry.does.intent for entry in menu.entries if entry.does} if menu else set()


def test_menus_list_algorithms_by_title_each_with_a_sentence(reach):
    for name in ("algorithms", "compare-algorithms"):
        interface, screen = reach(name)
        listed = [entry for entry in contents.menu_of(interface, screen.desk).entries if entry.does]
        titles = [entry.label for entry in listed if not entry.label.startswith("…")]
        families = [sorted(algorithm.title for algorithm in family) for family in catalog.by_family().values()]
        assert titles == [title for family in families for title in family if title in titles]
        assert all(entry.note[0].isupper() and entry.note.endswith(".") for entry in listed)


def test_every_scenario_named_in_a_view_exists():
    for view in VIEWS.values():
        assert scenario_of(view.scenario)


@pytest.mark.parametrize("name", ["help-2"])  # the first page is of signs
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_help_has_one_text_size_and_fills_its_columns(name, size, reach):
    """No line is shrunk to fit, and no column is nearly empty beside a full one."""
    interface, screen = reach(name, size)
    (shown,) = [shown for shown in panels_of(screen, interface) if shown.name == "help"]
    found = [text for text in placed_texts(shown.panel.shapes, shown.region) if text.words != "Keys"]
    lines = [text for text in found if not text.words.startswith("Keys, page")]
    assert len({round(text.size, 3) for text in lines}) == 1
    lowest: dict[float, float] = {}
    for text in lines:
        lowest[text.box.x] = max(lowest.get(text.box.x, 0.0), text.box.y)
    ends = [y for y in lowest.values() if y > 0.5 * size[1]]
    assert len(ends) == len(lowest)


@pytest.mark.parametrize("name", ["space-time-menu", "more", "load", "compare-menu", "algorithms"])
@pytest.mark.parametrize("view", ["both", "space-time"])
def test_a_menu_opens_at_its_button_and_does_not_cover_it(name, view, reach):
    interface, screen = reach(name)
    interface = changed(interface, view=view)
    screen.shapes(interface)
    card = next(shape for shape in screen.panel(interface, "menu").shapes if isinstance(shape, Box))
    own = {"space-time-menu": "strip.axis", "compare-menu": "header.compare", "algorithms": "header.algorithm"}
    button = next(w.box for w in screen.widgets(interface) if w.id == own.get(name, f"header.{name}"))
    assert min(abs(card.y - button.y - button.h), abs(button.y - card.y - card.h)) < 10
    assert card.x < button.x + button.w
    assert button.x < card.x + card.w
    assert abs(card.x - button.x) < 1 or 0 <= interface.display.width - card.x - card.w < 10, (
        "at the window's edge, at most"
    )


@pytest.mark.parametrize("name", ["more", "load", "algorithms"])
@pytest.mark.parametrize("size", SIZES[:2], ids=lambda size: f"{size[0]}x{size[1]}")
def test_no_button_is_visible_below_a_menu_as_high_as_the_window(name, size, reach):
    interface, screen = reach(name, size)
    card = next(shape for shape in screen.panel(interface, "menu").shapes if isinstance(shape, Box))
    buttons = [widget.box for widget in screen.panel(interface, "transport").widgets]
    beneath = [box for box in buttons if card.x < box.x + box.w and box.x < card.x + card.w and box.y < card.y + card.h]
    assert all(box.y + box.h < card.y + card.h for box in beneath)


@pytest.mark.parametrize("name", ["choose", "bad-input"])
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_notice_covers_neither_a_page_nor_the_caption(name, size, reach):
    interface, screen = reach(name, size)
    card = next(shape for shape in screen.panel(interface, "notice").shapes if isinstance(shape, Box))
    assert card.x + card.w <= arrangement.regions(interface).side.x
    assert card.y + card.h <= arrangement.regions(interface).foot.y
