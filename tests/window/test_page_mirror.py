"""What a live page has besides the picture: an element for every widget, second keys, and a link to the moment."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from algorithms import catalog, scenario_file
from algorithms.engine.scenario import Scenario
from tests.support.desks import desk_of
from tests.support.interfaces import interface_of
from tests.support.random_inputs import random_input
from tests.support.sources import ROOT
from tests.support.views import VIEWS, own_folders, reached, resized, settled
from visual.drawing.picking import bounds, middle_of
from visual.drawing.shapes import Rect, Text
from visual.window import arrangement, intents, keys
from visual.window.actions import perform
from visual.window.gallery.cards import items
from visual.window.header import header
from visual.window.inputs import Motion, MoveSlider, Press, Release, Tick, Use
from visual.window.memory import saving
from visual.window.menus.contents import menu_of
from visual.window.pages import background_check
from visual.window.panel import View
from visual.window.screen import Screen
from visual.window.state import Interface, Pointer
from visual.window.update import update
from visual.window.web.live import CUT_OFF, OTHER_VERSION, LiveWindow
from visual.window.web.mirror import Mirror
from visual.window.widgets import Button, Scroller, Slider, Touch, draw, widget_at

MIRRORED = ("run", "node", "more", "nodes", "faults", "gallery", "help", "compare", "presenting", "lab", "blank")
OWN_TO_A_WINDOW = {intents.quit}  # which a page has no use for


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for kind in ("CACHE", "CONFIG", "STATE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", "")  # so that it is as before after the test
    own_folders(tmp_path / "own")
    return tmp_path


class Page:
    """A live window without a browser, and what a page would know of it."""

    def __init__(self, folder: Path, asked: str = "", **wishes: bool) -> None:
        folder.mkdir(exist_ok=True)
        self.live = LiveWindow(1280, 720, str(folder), asked, **wishes)
        self.elements: dict[str, list[Any]] = {}
        self.order: list[str] = []
        self.known: dict[str, Any] = {}  # the latest word of each kind
        self.do()

    def do(self, *inputs: tuple[Any, ...]) -> dict[str, Any]:
        """The answers to inputs, once nothing moves."""
        answer: dict[str, Any] = {}
        for frame in range(40):
            text = self.live.frame(json.dumps(inputs) if inputs and not frame else "", 0.1)
            answer |= self._take(json.loads(text)) if text else {}
        self.known |= answer
        return answer

    def _take(self, answer: dict[str, Any]) -> dict[str, Any]:
        self.elements |= {element[0]: element for element in answer.get("changed", ())}
        self.order = answer.get("order", self.order)
        self.elements = {name: self.elements[name] for name in self.order}
        return answer


@pytest.mark.parametrize("name", MIRRORED)
def test_every_widget_is_an_element_at_its_place_with_its_words(name):
    interface, screen = reached(VIEWS[name])
    elements = {one.id: one for one in Mirror().changes(interface, screen).get("changed", ())}
    top = next((panel for panel in ("menu", "help") if getattr(interface, panel)), "")
    widgets = [one for one in screen.widgets(interface) if not isinstance(one, Scroller) and one.id.startswith(top)]
    assert set(elements) == {widget.id for widget in widgets}
    for widget in widgets:
        element = elements[widget.id]
        under = widget_at(tuple(widgets), *middle_of(Rect(*element.box)))
        assert under is not None
        assert under.id == widget.id, "a finger finds it there"
        assert element.name, widget.id
        if isinstance(widget, Button):
            assert widget.label in element.name
        if isinstance(widget, Slider):
            assert element.words


def test_only_what_has_changed_is_sent_and_it_adds_up(folders):
    page, dice = Page(folders / "files", "open=lost-token"), random.Random(5)
    for _ in range(60):
        one = random_input(dice, page.live._loop.interface)
        page.do(*[(type(one).__name__, *one)] * (not isinstance(one, Tick)))
        if page.live._loop.interface.is_moving:
            page.do(("Key", "Space"))
        assert not {"changed", "order"} & page.do().keys(), "twice the same"
        whole = json.loads(json.dumps(Mirror().changes(page.live._loop.interface, page.live._loop.screen)))
        assert page.order == whole.get("order", [])
        assert [page.elements[name] for name in page.order] == whole.get("changed", [])


def test_an_element_does_what_a_click_on_the_widget_does():
    names = [widget.id for widget in start()[1].widgets(start()[0]) if not isinstance(widget, Scroller)]
    for name in names:
        interface, screen = start()
        widget = next(one for one in screen.widgets(interface) if one.id == name)
        x, y = middle_of(widget.box)
        is_slider = isinstance(widget, Slider)
        by_element = update(interface, screen, MoveSlider(name, 0.5) if is_slider else Use(name))
        interface, screen = start()
        by_click = update(update(interface, screen, Press(x, y)), screen, Release(x, y))
        assert at_rest(by_element) == at_rest(by_click), name


def start() -> tuple[Interface, Screen]:
    screen = Screen(desk_of(Scenario("token-ring", nodes=4)))
    return interface_of(), screen


def at_rest(interface: Interface) -> Interface:
    return replace(interface, pointer=Pointer())


def test_the_keyboard_goes_where_window_and_page_put_it(folders):
    page = Page(folders / "files", "open=deferred-reply")
    assert page.do(("Focus", "header.faults")).get("focus") is None, "the page knows"
    assert page.do(("Use", "header.faults"))["focus"].startswith("menu.")
    first = page.known["focus"]
    assert page.do(("Key", "Down"))["focus"] not in ("", first)
    assert page.do(("Key", "Esc"))["focus"] == ""
    assert "leave" not in page.known
    assert page.do(("Key", "Esc"))["leave"] is True, "nothing is left to close"
    page.do(("Key", "Ctrl+O"))
    assert page.known["focus"] == "gallery.0"
    assert page.do(("Key", "Right"))["focus"] == "gallery.1"


def test_a_field_takes_text_from_the_page_and_not_the_letter_that_opened_it(folders):
    page = Page(folders / "files", "open=deferred-reply")
    page.do(("Key", "Shift+T"), ("Typed", "T"))
    assert page.known["focus"] == "menu.field"
    assert page.elements["menu.field"][4] == "complete"
    page.do(("Key", "Esc"))
    page.do(("Use", "header.nodes"))
    page.do(("FillField", "7", 1), ("Key", "Enter"))
    assert page.elements["header.nodes"][3].startswith("nodes 7")


def test_a_lesson_is_heard(folders):
    page = Page(folders / "files")
    page.do(("Use", "gallery.0"))
    assert "Which property is broken first?" in page.known["say"]
    options = [element[3] for element in page.elements.values() if element[0].startswith("lesson.")]
    assert any("Safety" in name for name in options)
    page.do(("Key", "1"), ("Key", "Enter"))
    assert page.known["say"].startswith("That is wrong. ")


def test_a_finger_scrolls_a_list():
    interface, screen = reached(VIEWS["gallery"])
    interface = update(interface, screen, Press(300, 500))
    for y in (498, 440, 380):
        interface = update(interface, screen, Motion(300, y))
    assert interface.scrolls.of("gallery") == 120, "as far as the finger"
    released = update(interface, screen, Release(300, 380))
    assert released.section, "which opens no card"
    assert released.pointer.drag is None


@pytest.mark.parametrize("name", ["more", "faults", "check", "events", "notes", "source"])
def test_what_a_finger_has_scrolled_to_stays_when_the_finger_is_gone(name):
    """On a phone, where every one of these lists is longer than its room."""
    interface, screen = reached(VIEWS[name])
    interface = resized(interface, screen, (844, 390))
    lists = [one for one in screen.widgets(interface) if isinstance(one, Scroller) and one.content > one.box.h + 20]
    before = lists[-1]
    x, y = middle_of(before.box)
    by = -20 if before.offset + before.box.h < before.content - 20 else 20
    for one in (Press(x, y), Motion(x, y + by / 2), Motion(x, y + by), Release(x, y + by), Motion(-1, -1)):
        interface = update(interface, screen, one)
    (now,) = [one for one in screen.widgets(interface) if one.id == before.id]
    assert (now.offset - before.offset) * -by > 0


def test_every_entry_of_a_long_menu_can_be_reached_by_finger():
    interface, screen = reached(VIEWS["more"])
    interface = resized(interface, screen, (844, 390))
    seen = set()
    for _ in range(20):
        entries = [one for one in screen.widgets(interface) if isinstance(one, Button) and one.id.startswith("menu.")]
        seen |= {entry.label for entry in entries}
        x, y = middle_of(entries[len(entries) // 2].box)
        for one in (Press(x, y), Motion(x, y - 20), Motion(x, y - 120), Release(x, y - 120), Motion(-1, -1)):
            interface = update(interface, screen, one)
    menu = menu_of(interface, screen.desk)
    assert {menu.entries[place].label for place in menu.choosable()} <= seen


def test_a_menu_is_as_high_as_its_entries():
    """Also with a single one, and with more than there is room for it takes all the room."""
    screen = Screen(desk_of(scenario_file.load(scenario_file.find("lost-token-replaced"))))
    screen.desk.front.seek(10)
    labels = {}
    for name in ("faults:fire:2", "faults:crash", "nodes"):
        panel = screen.panel(perform(interface_of(390, 844), screen.desk, intents.open_menu(name)), "menu")
        entries = [one for one in panel.widgets if isinstance(one, Button)]
        labels[name] = [entry.label for entry in entries]
        assert bounds(panel.shapes[0]).h < sum(entry.box.h for entry in entries) + 100, name
    assert labels["faults:fire:2"] == ["token timeout"]


@pytest.mark.parametrize("size", [(1280, 720), (390, 844)])
@pytest.mark.parametrize("name", sorted(VIEWS.keys() - {"lab-running", "lab-finished"}))
def test_no_two_elements_of_a_panel_sound_alike(name, size):
    """Each is named after what it is about, and no name ends where a key is missing. Menus have headings for that."""
    interface, screen = reached(VIEWS[name])
    interface = resized(interface, screen, size)
    for panel in (panel for panel in screen.panels(interface) if panel.name != "menu"):
        names = [one.name for one in Mirror()._of(panel)]
        assert all(name and name == name.strip(" ,:") for name in names), panel.name
        assert len(set(names)) == len(names), (panel.name, sorted(names))


@pytest.mark.parametrize("size", [(390, 844), (844, 390), (1280, 800), (1280, 720)])
def test_a_card_has_its_title_for_a_name_however_little_of_it_is_in_sight(size):
    interface, screen = reached(VIEWS["gallery"])
    interface = resized(interface, screen, size)
    for offset in range(0, 600, 35):
        shown = settled(interface.scrolled("gallery", float(offset)), screen)
        named = {one.id: one.name for panel in screen.panels(shown) for one in Mirror()._of(panel)}
        titles = [item.title for item in items(shown.section, shown)]
        cards = {int(name[8:]): words for name, words in named.items() if name[8:].isdigit()}
        assert cards
        for place, words in cards.items():
            assert titles[place].split()[0] in words, (offset, place)
            assert titles[place].split()[-1] in words, (offset, place)


def test_a_press_without_a_move_opens_the_card():
    interface, screen = reached(VIEWS["gallery"])
    for one in (Press(300, 500), Motion(300, 503), Release(300, 503)):
        interface = update(interface, screen, one)
    assert not interface.section


def test_wishes_of_the_system_hold_until_a_person_chooses(folders):
    page = Page(folders / "files", is_dark=True, is_still=True)
    assert page.live._loop.interface.display.theme == "dark"
    assert page.live._loop.interface.display.reduced_motion
    page.do(("Key", "T"), ("Key", "T"))
    chosen = page.live._loop.interface.display.theme
    assert chosen != "dark"
    assert Page(folders / "files", is_dark=True).live._loop.interface.display.theme == chosen


@pytest.mark.parametrize("asked", ["", "open=lost-token", "open=no-such-run"])
def test_a_screen_for_fingers_has_no_keys(folders, asked):
    for touch, has_keys in (("", True), ("touch=yes", False)):
        page = Page(folders / "files", f"{asked}&{touch}")
        assert page.live._loop.interface.display.has_keys is has_keys


# ---- links -------------------------------------------------------------------------------------------------


def test_a_link_opens_the_same_moment_of_the_same_run(folders):
    page = Page(folders / "files", "open=deferred-reply")
    page.do(*[("Key", "Right")] * 3)
    page.do(("Key", "Right"))
    step = page.live._loop.desk.front.timeline.step
    assert page.known["link"] == f"step={step}"
    again = Page(folders / "files", f"open=deferred-reply&{page.known['link']}")
    assert again.live._loop.desk.front.timeline.step == step
    page.do(("Key", "Down"), ("Key", "C"))
    page.do(("Key", "Right"))
    other = Page(folders / "others", f"open=deferred-reply&{page.known['link']}")
    mine, theirs = page.live._loop.desk.front.timeline, other.live._loop.desk.front.timeline
    assert mine.branch.interventions
    assert theirs.step == mine.step
    assert [theirs.trace.step(k) for k in range(theirs.step)] == [mine.trace.step(k) for k in range(mine.step)]
    assert page.do(("Key", "Ctrl+O"))["link"] == "", "the gallery is no moment"


def test_a_link_to_two_runs_opens_both_at_the_moment_of_the_latest_step(folders):
    page = Page(folders / "files", "open=lost-token")
    page.do(*[("Key", "Right")] * 5)
    page.do(("Key", "X"))
    page.do(("Key", "A"))
    page.do(("Use", next(one for one, element in page.elements.items() if "without your" in element[3])))
    sides = set()
    for _ in range(4):
        page.do(("Key", "Right"))
        sides.add("side=right" in page.known["link"])
        again = Page(folders / "others", f"open=lost-token&{page.known['link']}")
        there, here = (one.live._loop.desk for one in (again, page))
        assert [run.timeline.step for run in there.runs] == [run.timeline.step for run in here.runs]
        assert again.known["say"] == here.sentence
    assert sides == {True, False}


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ("run=eNrtwTEBAAAAwqD1T20", CUT_OFF),
        ("run=%00é", CUT_OFF),
        ("open=no-such-run", "unknown scenario"),
        ("open=lost-token&step=-3", 'step: expected a whole number from 0, got "-3"'),
    ],
)
def test_an_address_that_makes_no_sense_is_told(folders, asked, words):
    assert words in Page(folders / "files", asked).known["say"]


# ---- keys and titles ---------------------------------------------------------------------------------------


def test_what_a_browser_keeps_has_another_key_in_the_same_modes():
    bindings = [binding for section in keys.TABLE for binding in section.bindings]
    left = {"Tab", "Shift+Tab"}  # a page's own, with the same meaning
    for binding, mode in ((b, m) for b in bindings for m in b.modes):
        if {*binding.chords} & (keys.OF_BROWSERS - left) and binding.does.intent not in OWN_TO_A_WINDOW:
            others = [c for b in bindings if b.does == binding.does and mode in b.modes for c in b.chords]
            assert {*others} & keys.in_a_page(), binding


def test_titles_are_whole_on_a_phone():
    named = [(name, variant) for name, one in catalog.by_name().items() for variant in (None, *one.variants)]
    interface = interface_of(390, 844)
    region, look, cut = arrangement.regions(interface).header, arrangement.look_of(interface), []
    for name, variant in named:
        desk = desk_of(Scenario(name, variant=variant, nodes=5))
        title = header(View(interface, desk, desk.front, look, region)).widgets[0]
        words = " ".join(shape.text for shape in draw(title, look, Touch()) if isinstance(shape, Text))
        cut += [words] if words != desk.front.name else []
    assert cut == []


def test_the_pages_have_little_javascript():
    lines = [line for file in (ROOT / "assets" / "web").glob("*.js") for line in file.read_text("utf-8").splitlines()]
    assert sum(map(bool, map(str.strip, lines))) <= 600


def test_the_page_fills_the_screen_where_the_window_would_and_says_when_a_person_leaves_it(folders):
    page = Page(folders / "files", "open=deferred-reply")
    assert page.do(("Key", "F"))["full"] is True
    assert "full" not in page.do(("Resize", 1920, 1080, True)), "as it was asked to"
    assert "full" not in page.do(("Resize", 1280, 720, False)), "by Esc, which is the browser's there"
    assert page.do(("Key", "F5"))["full"] is True
    page.do(("Resize", 1920, 1080, True))
    assert page.do(("Key", "F5"))["full"] is False


@pytest.mark.parametrize(
    "unknown",
    [("Zoom", 2.0), ("Key",), ("Key", 5), ("Press", 1.0, None), ("Motion", 1, 2, 3), ("Resize", 800, "high", True)],
    ids=str,
)
def test_an_input_of_another_version_is_answered_with_a_sentence_and_does_nothing_else(folders, unknown):
    page = Page(folders / "files", "open=deferred-reply")
    before = page.live._loop.interface
    assert page.do(unknown)["say"] == OTHER_VERSION
    assert replace(page.live._loop.interface, notice=None, clock=0.0) == replace(before, notice=None, clock=0.0)
    assert page.do(("Key", "Right"))["say"] != OTHER_VERSION, "and the window goes on"


def test_the_open_page_is_the_one_that_is_heard_as_pressed(folders):
    page = Page(folders / "files", "open=deferred-reply")
    page.do(("Key", "Shift+N"))
    assert [name for name, element in page.elements.items() if element[4] is True] == ["tabs.plots"]


def test_a_dropped_file_is_not_offered_for_download_and_a_saved_one_is(tmp_path, monkeypatch):
    page = Page(tmp_path / "files", "open=deferred-reply")
    monkeypatch.chdir(tmp_path / "files")  # as in a page
    file = tmp_path / "files" / "mine.toml"
    file.write_text('format = 1\nalgorithm = "token-ring"\n', "utf-8")
    assert "files" not in page.do(("Dropped", str(file)))
    assert page.known["description"].startswith("Token ring")
    monkeypatch.setattr(saving, "IN_PAGE", True)
    answer = page.do(("Key", "Shift+K"))
    assert len(answer["files"]) == 1
    assert answer["say"] == "Saved this run as mine-t0-run.toml in your downloads"
    page.do(("Key", "Down"), ("Key", "C"))
    svg, run = sorted(page.do(("Key", "Ctrl+S"))["files"], key=lambda name: name.endswith("toml"))
    assert page.known["say"] == f"Saved as {Path(svg).name} in your downloads"
    assert f">mutoscope play {Path(run).name} --" in Path(svg).read_text("utf-8"), "a page's folder is nobody's"


@pytest.mark.parametrize(("asked", "element"), [("", "gallery.yours"), ("open=deferred-reply", "header.more")])
def test_the_browser_is_asked_for_a_file_instead_of_a_path(tmp_path, asked, element):
    page = Page(tmp_path / "files", asked)
    page.do(("Use", element))
    entry = next(name for name, one in page.elements.items() if one[3].lower().startswith("open a file …"))
    assert page.do(("Use", entry)).get("pick") is True
    assert "menu.field" not in page.elements
    assert "pick" not in page.do(("Key", "Right")), "once"


def test_the_latest_unsaved_run_opens_again_where_it_was_left(tmp_path):
    page = Page(tmp_path / "files", "open=lost-token")
    page.do(("Key", "Right"), ("Key", "Right"), ("Key", "Down"), ("Key", "C"))
    again = Page(tmp_path / "files", "again=yes")
    assert "P0 crashes" in again.known["say"]
    assert not any(name.startswith("gallery") for name in again.order)


def test_without_an_unsaved_run_the_gallery_opens(tmp_path):
    assert "gallery.lessons" in Page(tmp_path / "files", "again=yes").order


def test_frames_follow_each_other_at_once_while_a_check_is_under_way(tmp_path, monkeypatch):
    """A page rests between frames without news, and a check goes on within a frame."""
    monkeypatch.setattr(background_check, "HAS_PROCESSES", False)
    page = Page(tmp_path / "files", "open=deferred-reply")
    page.do(("Key", "Shift+C"))
    page.live.frame('[["Use", "check.start"]]', 0.01)
    answers = [page.live.frame("", 0.01) for _ in range(8)]
    assert all(answers)
    page.do(("Use", "check.start"))  # stop it
    page.do()
    assert page.live.frame("", 0.01) == ""
