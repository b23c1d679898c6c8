"""The table of key bindings, from which the bindings, the help on screen and the documentation are made.

A key is spelled as a chord: modifiers in the order Ctrl, Alt, Shift, then the key: "Ctrl+S", "Alt+Shift+Right". A
letter is a capital and can take Shift; any other printable character stands for itself ("?" not "Shift+/"). A chord
has at most one meaning in each mode.

Remote controls are keyboards with PageDown, PageUp, F5, Esc, "." and "b": these never quit, and never change the run.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Literal, NamedTuple, TypeAlias

from visual.window import intents
from visual.window.intents import Do, Intent

Mode: TypeAlias = Literal[
    "ordinary",
    "listing",
    "picking",
    "presenting",
    "answering",
    "lecturing",
    "browsing",
    "measuring",
    "choosing",
    "reading",
    "typing",
]
"""The use of the keyboard: the run, the lines of a page at the right, picking the next event, presenting, the gallery,
a lab, a menu, the help, a lesson's question, a lesson before a class, or typing text."""

RUNNING: tuple[Mode, ...] = ("ordinary", "listing", "picking", "presenting", "answering", "lecturing")
NOT_ANSWERING: tuple[Mode, ...] = ("ordinary", "listing", "picking", "presenting")
ANSWERING: tuple[Mode, ...] = ("answering",)
LECTURING: tuple[Mode, ...] = ("lecturing",)
IN_A_LESSON: tuple[Mode, ...] = (*ANSWERING, *LECTURING)
ORDINARY: tuple[Mode, ...] = ("ordinary", "listing")
LISTING: tuple[Mode, ...] = ("listing", "picking")
PICKING: tuple[Mode, ...] = ("picking",)
NOT_PICKING: tuple[Mode, ...] = ("ordinary", "listing", "presenting")
NOT_ON_THE_STAGE: tuple[Mode, ...] = ("ordinary", "listing", "picking", "answering")
ON_THE_GRAPH: tuple[Mode, ...] = ("ordinary", "presenting")
PRESENTING: tuple[Mode, ...] = ("presenting",)
NOT_PRESENTING: tuple[Mode, ...] = ("ordinary", "listing", "picking")
POINTING: tuple[Mode, ...] = (*NOT_PRESENTING, "presenting", "lecturing")
CHOOSING: tuple[Mode, ...] = ("choosing",)
READING: tuple[Mode, ...] = ("reading",)
BROWSING: tuple[Mode, ...] = ("browsing",)
MEASURING: tuple[Mode, ...] = ("measuring",)
TYPING: tuple[Mode, ...] = ("typing",)
NOT_TYPING: tuple[Mode, ...] = (*RUNNING, "browsing", "measuring", "choosing", "reading")
ALWAYS: tuple[Mode, ...] = (*NOT_TYPING, "typing")


class Binding(NamedTuple):
    """A line of the table: chords with one action in some modes, and its description."""

    chords: tuple[str, ...]
    does: Do
    words: str
    modes: tuple[Mode, ...] = RUNNING


class Section(NamedTuple):
    """Bindings under one heading of help and documentation."""

    title: str
    bindings: tuple[Binding, ...]


def _seek_tenths() -> tuple[Binding, ...]:
    return tuple(Binding((str(n),), intents.seek_tenth(n), "to that tenth of the run", NOT_PICKING) for n in range(10))


def _arrows(modifiers: str, intent: Intent[tuple[int, int]], words: str) -> tuple[Binding, ...]:
    ways = {"Left": (-1, 0), "Right": (1, 0), "Up": (0, -1), "Down": (0, 1)}
    return tuple(Binding((f"{modifiers}{key}",), intent(by), words, POINTING) for key, by in ways.items())


TABLE: tuple[Section, ...] = (
    Section(
        "Play",
        (
            Binding(("Space", "K"), intents.play_pause(), "play / pause", (*RUNNING, "reading")),
            Binding(("Right",), intents.step_forward(), "step forward"),
            Binding((".",), intents.step_forward(), "step forward", ORDINARY),
            Binding(("Left", ","), intents.step_back(), "step back"),
            Binding(("Shift+Right",), intents.next_of_node(), "next event of the selected node"),
            Binding(("Shift+Left",), intents.previous_of_node(), "previous event of the selected node"),
            Binding(("]",), intents.next_marker(), "next marker (or entry, or fault)", NOT_ANSWERING),
            Binding(("[",), intents.previous_marker(), "previous marker (or entry, or fault)", NOT_ANSWERING),
            Binding(("PageDown",), intents.next_marker(), "next marker (or entry, or fault)", NOT_PRESENTING),
            Binding(("PageUp",), intents.previous_marker(), "previous marker (or entry, or fault)", NOT_PRESENTING),
            Binding(("Home",), intents.seek_start(), "to the start"),
            Binding(("End",), intents.seek_end(), "to the end"),
            Binding(("Shift+End",), intents.play_past_end(), "play past the scenario's end"),
            *_seek_tenths(),
            Binding(("+",), intents.faster(), "twice as fast"),
            Binding(("-",), intents.slower(), "half as fast"),
            Binding(("Backspace",), intents.normal_speed(), "normal speed"),
        ),
    ),
    Section(
        "Act",
        (
            Binding(("Down",), intents.select_next_node(), "select the next node", ON_THE_GRAPH),
            Binding(("Up",), intents.select_previous_node(), "select the previous node", ON_THE_GRAPH),
            Binding(("Shift+Down",), intents.select_next_message(), "select the next message"),
            Binding(("Shift+Up",), intents.select_previous_message(), "select the previous message"),
            *(Binding((f"Alt+{n}",), intents.select_number(n), "select the node of that number") for n in range(10)),
            Binding(("Q",), intents.request(), "request at the selected node"),
            Binding(("C",), intents.crash_or_recover(), "crash / recover it"),
            Binding(("P",), intents.pause_or_resume(), "pause / resume it"),
            Binding(("D",), intents.drop(), "drop the selected message"),
            Binding(("S",), intents.delay(), "delay the selected message"),
            Binding(("X",), intents.lose_token(), "lose the token"),
            Binding((")",), intents.more_load(), "more load"),
            Binding(("(",), intents.less_load(), "less load"),
            Binding(("Shift+J",), intents.other_scheduler(), "scheduler: manual / clock"),
            Binding(("Ctrl+Z",), intents.undo(), "undo the last intervention", NOT_TYPING),
            Binding(("R",), intents.restart(), "start again"),
            Binding(("Shift+R",), intents.new_seed(), "start again with a new seed"),
        ),
    ),
    Section(
        "Compare",
        (
            Binding(("A",), intents.compare_menu(), "compare with another run / end it"),
            Binding(("O",), intents.other_run(), "switch the panels to the other run"),
            Binding(("Shift+A",), intents.next_aim(), "apply actions to: both / left / right"),
        ),
    ),
    Section(
        "Look",
        (
            Binding(("V",), intents.next_view(), "graph, space-time, both"),
            Binding(("Shift+V",), intents.open_menu("diagram"), "space–time: axis, direction, lines"),
            Binding(("*",), intents.diagram_closer(), "space–time: zoom in (or the wheel)"),
            Binding(("/",), intents.diagram_farther(), "space–time: zoom out"),
            Binding((">",), intents.diagram_later(), "space–time: scroll right (or drag it)"),
            Binding(("<",), intents.diagram_earlier(), "space–time: scroll left"),
            Binding(("G",), intents.toggle("legend"), "legend"),
            Binding(("I",), intents.toggle("inspector"), "inspector"),
            Binding(("M",), intents.toggle("counters"), "counters"),
            Binding(("W",), intents.toggle("waiting"), "why is it waiting?"),
            Binding(("U",), intents.toggle("source"), "source code"),
            Binding(("Shift+U",), intents.open_page("source"), "source code in the whole column"),
            Binding(("E",), intents.open_page("events"), "list of events"),
            Binding(("J",), intents.open_page("choose"), "what can happen next"),
            Binding(("Shift+I",), intents.open_page("history"), "history of what is selected"),
            Binding(("Shift+B",), intents.open_page("branches"), "branches of the run"),
            Binding(("Shift+C",), intents.open_page("check"), "check every order of events"),
            Binding(("N",), intents.open_page("notes"), "notes, markers, assumptions", NOT_ON_THE_STAGE),
            Binding(("Y",), intents.open_page("plots"), "plots"),
            Binding(("Shift+Y",), intents.turn_plots(1), "the next plots"),
            Binding(("L",), intents.local_view(), "only what the selected node knows"),
            Binding(("F6", "Shift+N"), intents.turn_page(1), "next page at the right"),
            Binding(("Shift+F6", "Shift+E"), intents.turn_page(-1), "previous page at the right"),
            Binding(("Shift+T", "Ctrl+T"), intents.open_menu("graph"), "topology: nodes, links, layout"),
            Binding(("Ctrl+Left",), intents.nudge((-1, 0)), "move the selected node (or drag it)"),
            Binding(("Ctrl+Right",), intents.nudge((1, 0)), "move the selected node (or drag it)"),
            Binding(("Ctrl+Up",), intents.nudge((0, -1)), "move the selected node (or drag it)", NOT_ANSWERING),
            Binding(("Ctrl+Down",), intents.nudge((0, 1)), "move the selected node (or drag it)", NOT_ANSWERING),
            Binding(("Ctrl+M",), intents.mark_moment(), "mark this moment (Shift+K keeps it)"),
            Binding(("Shift+F",), intents.hide_future(), "hide what is still to come"),
            Binding(("Z",), intents.fit(), "fit the picture (zoom: the wheel)"),
            Binding(("T",), intents.next_theme(), "light, dark, print"),
            Binding(("Ctrl++", "Ctrl+="), intents.larger(), "larger text", ALWAYS),
            Binding(("Ctrl+-",), intents.smaller(), "smaller text", ALWAYS),
            Binding(("Ctrl+0",), intents.normal_size(), "normal text", ALWAYS),
        ),
    ),
    Section(
        "Window",
        (
            Binding(("F", "F11"), intents.full_screen(), "full screen"),
            Binding(("F5",), intents.present(), "present: full screen, large letters", ALWAYS),
            Binding(("B",), intents.blank(), "blank the screen"),
            Binding(("H",), intents.hide_chrome(), "show only the picture"),
            Binding(("Tab",), intents.focus_next(), "next button"),
            Binding(("Shift+Tab",), intents.focus_previous(), "previous button"),
            Binding(("Enter",), intents.press_focused(), "press it", NOT_ANSWERING),
            Binding(("?", "F1"), intents.help(), "help: signs and keys", (*RUNNING, "browsing", "reading")),
            Binding(("Esc",), intents.close(), "close / cancel", ALWAYS),
            Binding(("Ctrl+O",), intents.open_gallery(), "open the gallery", (*RUNNING, "browsing")),
            Binding(("Ctrl+S",), intents.save_picture(), "save this picture (PNG and SVG)", NOT_TYPING),
            Binding(("Ctrl+C",), intents.copy_picture(), "copy this picture", NOT_TYPING),
            Binding(("Shift+K", "Ctrl+R"), intents.save_run(), "save this run as a file", NOT_TYPING),
            Binding(("Ctrl+Q",), intents.quit(), "quit", ALWAYS),
        ),
    ),
    Section(
        "While presenting",
        (
            Binding(("PageDown",), intents.next_stop(), "answer; play to the next marker; again: jump", PRESENTING),
            Binding(("PageUp",), intents.previous_stop(), "back to the question, or the marker before", PRESENTING),
            Binding((".",), intents.blank(), "blank the screen", (*PRESENTING, *PICKING, *LECTURING)),
            Binding(("Shift+L",), intents.toggle("lights"), "lights, as words", PRESENTING),
            Binding(("N",), intents.speaker_notes(), "speaker notes, over the picture", (*PRESENTING, *LECTURING)),
            Binding(("Ctrl+P",), intents.presenter(), "presenter's window, on the other display", RUNNING),
        ),
    ),
    Section(
        "Point and draw",
        (
            Binding(("Shift+P",), intents.choose_tool("pointer"), "pointer", POINTING),
            Binding(("Shift+S",), intents.choose_tool("spotlight"), "spotlight", POINTING),
            Binding(("Shift+Z",), intents.choose_tool("magnifier"), "magnifier", POINTING),
            Binding(("Shift+D",), intents.choose_tool("pen"), "pen: draw with the mouse; Esc wipes", POINTING),
            *_arrows("Alt+", intents.move_tool, "move the tool"),
            *_arrows("Alt+Shift+", intents.draw, "draw a line with it"),
        ),
    ),
    Section(
        "In a page at the right",
        (
            Binding(("Down",), intents.focus_line(1), "next line or button", LISTING),
            Binding(("Up",), intents.focus_line(-1), "previous line or button", LISTING),
            Binding(("Delete",), intents.delete_line(), "delete the branch", LISTING),
        ),
    ),
    Section(
        "With manual scheduling",
        tuple(Binding((str(n),), intents.pick_number(n), "choice number n", PICKING) for n in range(10)),
    ),
    Section(
        "In a lesson",
        (
            *(
                Binding((str(n),), intents.choose_option(n - 1), "choose that option", IN_A_LESSON)
                for n in range(1, 10)
            ),
            Binding(("Down",), intents.focus_option(1), "next option", IN_A_LESSON),
            Binding(("Up",), intents.focus_option(-1), "previous option", IN_A_LESSON),
            Binding(("Ctrl+Down",), intents.move_line(1), "move the line down", ANSWERING),
            Binding(("Ctrl+Up",), intents.move_line(-1), "move the line up", ANSWERING),
            Binding(("Enter",), intents.lesson_on(), "answer; go on", ANSWERING),
            Binding(("PageDown",), intents.lesson_on(), "answer; go on", IN_A_LESSON),
            Binding(("Enter",), intents.edit_votes(), "type the votes of the class", LECTURING),
            Binding(("PageUp",), intents.lesson_back(), "the step before", IN_A_LESSON),
            Binding(("Shift+H",), intents.hint(), "a hint (costs a quarter of the points)", ANSWERING),
            Binding(("Shift+M",), intents.show_answer(), "show the answer (no points)", ANSWERING),
            Binding(("Shift+S",), intents.skip_step(), "skip the question", ANSWERING),
            Binding(("Shift+G",), intents.cannot_be_done(), "it cannot be done", ANSWERING),
            Binding(("Shift+L",), intents.see_where(), "see where a wrong answer leads / back", IN_A_LESSON),
            Binding(("Shift+P",), intents.practise(), "practise: fresh data", ANSWERING),
        ),
    ),
    Section(
        "In the gallery",
        (
            Binding(("Right",), intents.gallery_move(1), "next card", BROWSING),
            Binding(("Left",), intents.gallery_move(-1), "previous card", BROWSING),
            Binding(("Down", "PageDown"), intents.gallery_row(1), "next row", BROWSING),
            Binding(("Up", "PageUp"), intents.gallery_row(-1), "previous row", BROWSING),
            Binding(("Home",), intents.gallery_row(-1000), "first card", BROWSING),
            Binding(("End",), intents.gallery_row(1000), "last card", BROWSING),
            Binding(("Tab",), intents.gallery_turn(1), "next section", BROWSING),
            Binding(("Shift+Tab",), intents.gallery_turn(-1), "previous section", BROWSING),
            Binding(("Enter", "Space"), intents.gallery_choose(), "open it", BROWSING),
            Binding(("Ctrl+F",), intents.edit_card_filter(), "search all sections", BROWSING),
            Binding(("T",), intents.next_theme(), "light, dark, print", BROWSING),
            Binding(("F", "F11"), intents.full_screen(), "full screen", BROWSING),
        ),
    ),
    Section(
        "At a lab",
        (
            Binding(("Enter", "Space"), intents.press_focused(), "press the button (measure, stop)", MEASURING),
            Binding(("Tab",), intents.focus_next(), "next button", MEASURING),
            Binding(("Shift+Tab",), intents.focus_previous(), "previous button", MEASURING),
            Binding(("Down",), intents.scroll_lab(60), "down the table", MEASURING),
            Binding(("Up",), intents.scroll_lab(-60), "up the table", MEASURING),
            Binding(("PageDown",), intents.scroll_lab(400), "down by a page", MEASURING),
            Binding(("PageUp",), intents.scroll_lab(-400), "up by a page", MEASURING),
            Binding(("T",), intents.next_theme(), "light, dark, print", MEASURING),
            Binding(("F", "F11"), intents.full_screen(), "full screen", MEASURING),
        ),
    ),
    Section(
        "In a menu",
        (
            Binding(("Down", "Tab"), intents.menu_move(1), "next entry", CHOOSING),
            Binding(("Up", "Shift+Tab"), intents.menu_move(-1), "previous entry", CHOOSING),
            Binding(("PageDown",), intents.menu_move(8), "down eight entries", CHOOSING),
            Binding(("PageUp",), intents.menu_move(-8), "up eight entries", CHOOSING),
            Binding(("Home",), intents.menu_move(-1000), "first entry", CHOOSING),
            Binding(("End",), intents.menu_move(1000), "last entry", CHOOSING),
            Binding(("Enter", "Space"), intents.menu_choose(), "choose", CHOOSING),
        ),
    ),
    Section(
        "In this help",
        (
            Binding(("Right", "Down", "PageDown"), intents.help_scroll(1), "next page", READING),
            Binding(("Left", "Up", "PageUp"), intents.help_scroll(-1), "previous page", READING),
            Binding(("T",), intents.next_theme(), "light, dark, print", READING),
        ),
    ),
    Section(
        "In a text field",
        (
            Binding(("Enter", "Tab"), intents.field_accept(), "accept", TYPING),
            Binding(("Left",), intents.field_caret(-1), "left one character", TYPING),
            Binding(("Right",), intents.field_caret(1), "right one character", TYPING),
            Binding(("Home",), intents.field_caret(-1000), "to the beginning", TYPING),
            Binding(("End",), intents.field_caret(1000), "to the end", TYPING),
            Binding(("Backspace",), intents.field_erase(-1), "delete the character before", TYPING),
            Binding(("Delete",), intents.field_erase(0), "delete the character after", TYPING),
            Binding(("Ctrl+A",), intents.field_all(), "select all", TYPING),
            Binding(("Down",), intents.field_leave(), "to the entries below", TYPING),
        ),
    ),
)

OF_BROWSERS = frozenset(
    ("Tab", "Shift+Tab", "Ctrl+N", "Ctrl+Q", "Ctrl+R", "Ctrl+T", "Ctrl+W", "F6", "Shift+F6", "F11", "F12")
)
"""Chords that a web page leaves to the browser. Other keys do the same, and in a page Tab goes to the next button."""

_SIGNS = {"Right": "→", "Left": "←", "Up": "↑", "Down": "↓", "-": "−"}


@cache
def _by_mode(mode: Mode) -> dict[str, Do]:
    return {
        chord: binding.does
        for section in TABLE
        for binding in section.bindings
        if mode in binding.modes
        for chord in binding.chords
    }


def action(mode: Mode, chord: str) -> Do | None:
    """The action of a chord in a mode; None for none."""
    return _by_mode(mode).get(chord)


@cache
def in_a_page() -> frozenset[str]:
    """The chords that a web page takes."""
    return frozenset(c for section in TABLE for binding in section.bindings for c in binding.chords) - OF_BROWSERS


def readable(chord: str) -> str:
    """The chord in readable form: "Shift+→"."""
    head, plus, key = chord.rpartition("+") if not chord.endswith("+") else (chord[:-2], chord[-2:-1], "+")
    return f"{head}{plus}{_SIGNS.get(key, key)}"


@cache
def hint(action: Do[Any]) -> str:
    """The first key for an action in ordinary mode, in readable form; "" for none."""
    bindings = (binding for section in TABLE for binding in section.bindings)
    return next((readable(b.chords[0]) for b in bindings if b.does == action and "ordinary" in b.modes), "")


class HelpLine(NamedTuple):
    """A line of the help: keys and their description."""

    keys: str
    words: str


def lines(section: Section) -> tuple[HelpLine, ...]:
    """The lines of a section in the help: bindings of one description share a line."""
    keys: dict[str, list[str]] = {}
    for binding in section.bindings:
        keys.setdefault(binding.words, []).extend(readable(chord) for chord in binding.chords)
    return tuple(HelpLine(_few(chords), words) for words, chords in keys.items())


def _few(chords: list[str]) -> str:
    every = "  ".join(chords)
    return f"{chords[0]} – {chords[-1]}" if len(every) > 20 else every


def markdown() -> str:
    """The table for the documentation: docs/keys.md."""
    rows = ["# Keys of the window"]
    for section in TABLE:
        rows.append(f"\n### {section.title}\n\n| key | does |\n|---|---|")
        rows += [f"| {line.keys} | {line.words} |" for line in lines(section)]
    return "\n".join(rows).strip() + "\n"
