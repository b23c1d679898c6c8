"""The table of keys: one action per key and mode, harmless remotes, and the same text in help and documentation."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from algorithms.engine.scenario import Scenario
from algorithms.engine.workload import Closed
from tests.support.desks import desk_of
from visual.window import intents, keys
from visual.window.actions import HANDLERS
from visual.window.inputs import Key, Tick, Typed
from visual.window.screen import Screen
from visual.window.state import Interface
from visual.window.update import update

BINDINGS = [binding for section in keys.TABLE for binding in section.bindings]

# keys that lead from the start into each mode, and to what can be open there
WAYS = {
    "ordinary": [],
    "playing": ["Space"],
    "presenting": ["F5"],
    "presenting, blank": ["F5", "B"],
    "reading": ["?"],
    "node selected": ["Down", "I"],
    "hidden chrome": ["H"],
}


def opened(*chords: str) -> tuple[Interface, Screen]:
    screen = Screen(desk_of(Scenario("token-ring", nodes=4, load=Closed(think=3.0))))
    interface = Interface()
    for chord in chords:
        interface = update(interface, screen, Key(chord))
    return interface, screen


@pytest.mark.parametrize("mode", keys.ALWAYS)
def test_no_key_does_two_things_in_one_mode(mode):
    chords = Counter(chord for binding in BINDINGS if mode in binding.modes for chord in binding.chords)
    assert [chord for chord, count in chords.items() if count > 1] == []


def test_every_binding_has_a_handler():
    special = {intents.focus_next, intents.focus_previous, intents.focus_line, intents.press_focused, intents.nudge}
    assert {binding.does.intent for binding in BINDINGS} <= set(HANDLERS) | special


def test_tab_goes_from_the_top_to_the_bottom():
    interface, screen = opened()
    found = []
    while interface.pointer.focus not in found:
        found.append(interface.pointer.focus)
        interface = update(interface, screen, Key("Tab"))
    panels = [name.partition(".")[0] for name in found[1:]]
    assert list(dict.fromkeys(panels)) == ["header", "strip", "lights", "tabs", "transport"]
    assert interface.pointer.focus == found[1] == "header.algorithm", "after the last comes the first"


def test_no_single_key_fires_while_text_is_typed():
    interface, screen = opened()
    interface = update(interface, screen, Key("Tab"))
    interface = _open_menu(interface, screen, "header.seed")
    assert interface.mode() == "typing"
    before = screen.desk.front.revision
    for chord in "QCXTVHFBKR.,+-?0123456789[]":
        interface = update(interface, screen, Key(chord))
        interface = update(interface, screen, Typed(chord))
    assert interface.field is not None
    assert interface.field.text == "QCXTVHFBKR.,+-?0123456789[]"
    assert screen.desk.front.revision == before


def _open_menu(interface: Interface, screen: Screen, button: str) -> Interface:
    while interface.pointer.focus != button:
        interface = update(interface, screen, Key("Tab"))
    return update(interface, screen, Key("Enter"))


REMOTE = ("PageDown", "PageUp", "F5", "Esc", ".", "B")
"""The keys of a remote control."""


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("chord", REMOTE)
def test_a_remote_never_quits_and_never_changes_the_run(way, chord):
    interface, screen = opened(*WAYS[way])
    desk = screen.desk
    before = (desk.front.scenario, dict(desk.front.timeline.branches), desk.front.timeline.branch.interventions)
    for _ in range(20):
        interface = update(interface, screen, Key(chord))
        interface = update(interface, screen, Tick(0.02))
        assert "quit" not in interface.wishes
    assert (desk.front.scenario, dict(desk.front.timeline.branches), desk.front.timeline.branch.interventions) == before


@pytest.mark.parametrize("menu", ["header.algorithm", "header.nodes", "header.seed", "header.load", "header.faults"])
@pytest.mark.parametrize("chord", REMOTE)
def test_a_remote_is_harmless_in_menus_too(menu, chord):
    interface, screen = opened()
    interface = _open_menu(interface, screen, menu)
    before = (screen.desk.front.scenario, screen.desk.front.timeline.branch.interventions)
    for _ in range(20):
        interface = update(interface, screen, Key(chord))
        assert "quit" not in interface.wishes
    assert (screen.desk.front.scenario, screen.desk.front.timeline.branch.interventions) == before


PRESENTED = {  # the effects of keys while presenting, which a second press undoes
    "F5": lambda i: not i.display.presenting,
    "B": lambda i: i.is_blank,
    ".": lambda i: i.is_blank,
    "H": lambda i: i.display.chrome_hidden,
    "F": lambda i: not i.display.full_screen,
    "F11": lambda i: not i.display.full_screen,
    "M": lambda i: "counters" in i.display.stage,
    "U": lambda i: "source" in i.display.stage,
    "Shift+L": lambda i: "lights" in i.display.stage,
    "N": lambda i: i.presentation.notes,
    "Shift+S": lambda i: i.presentation.tool == "spotlight",
    "Ctrl+P": lambda i: i.presenter,
    "G": lambda i: "legend" not in i.display.panels,
    "?": lambda i: i.help,
}


@pytest.mark.parametrize("chord", PRESENTED)
def test_while_presenting_a_second_press_undoes_a_key(chord):
    before, screen = opened("F5")
    done = update(before, screen, Key(chord))
    assert PRESENTED[chord](done)
    assert not PRESENTED[chord](before)
    again = update(done, screen, Key(chord))
    assert (again.display.presenting, again.is_blank, again.display.chrome_hidden, again.display.full_screen) == (
        True,
        False,
        False,
        True,
    )
    assert not PRESENTED[chord](again)


def test_while_presenting_theme_and_size_of_text_change_and_esc_leaves_one_thing_after_the_other():
    interface, screen = opened("F5", "T", "Ctrl++", "B")
    assert (interface.display.theme, interface.display.scale > 1.0) == ("dark", True)
    blank = update(interface, screen, Key("Esc"))
    assert (blank.is_blank, blank.display.presenting) == (False, True)
    assert not update(blank, screen, Key("Esc")).display.presenting
    assert update(blank, screen, Key("Ctrl+0")).display.scale == 1.0


def test_arrow_keys_turn_the_pages_of_the_help():
    assert keys.action("reading", "Right") == keys.action("reading", "PageDown")
    assert keys.action("reading", "Left") == keys.action("reading", "PageUp")


def test_help_and_documentation_have_every_binding():
    text = keys.markdown()
    for section in keys.TABLE:
        shown = [line.words for line in keys.lines(section)]
        assert len(shown) == len(set(shown)), "bindings with the same text share a line"
        for binding in section.bindings:
            assert binding.words in shown
            assert f"| {binding.words} |" in text


def test_a_repeating_key_repeats_steps_but_no_toggle():
    interface, screen = opened("Space")
    assert update(interface, screen, Key("Space", again=True)).playback.playing
    interface = update(interface, screen, Key("+"))
    assert update(interface, screen, Key("+", again=True)).playback.speed == 2
    repeating = {one for one in vars(intents).values() if isinstance(one, intents.Intent) and one.repeats}
    assert {b.does.intent for b in BINDINGS} >= repeating


def test_the_documentation_is_made_from_the_table():
    assert (Path(__file__).parents[2] / "docs" / "keys.md").read_text("utf-8") == keys.markdown()


def test_keys_have_readable_names():
    assert keys.readable("Shift+Right") == "Shift+→"
    assert keys.readable("Ctrl++") == "Ctrl++"
    assert keys.readable("Ctrl+-") == "Ctrl+−"
    assert keys.hint(intents.play_pause()) == "Space"
    assert keys.hint(intents.seek_step()) == ""
