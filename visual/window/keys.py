"""The one table of key bindings: it makes the bindings, the help on screen and the documentation.

A key is spelled as a chord: modifiers in the order Ctrl, Shift, then the key: "Ctrl+S", "Shift+Right". A letter is
written large and takes Shift; any other printable character stands for itself, however one gets it on one's
keyboard ("?" not "Shift+/"). The same key may do different things in different modes, never in one.

Remote controls are keyboards that know PageDown, PageUp, F5, Esc, "." and "b": these never quit, and never change
the run.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Literal, NamedTuple, TypeAlias

from visual.window.inputs import Do

Mode: TypeAlias = Literal[
    "ordinary", "listing", "picking", "presenting", "browsing", "measuring", "choosing", "reading", "typing"
]
"""What the keyboard is for at the moment: running, going through the lines of a page at the right, picking what
happens next, presenting, choosing from a menu, reading help, typing text."""

RUNNING: tuple[Mode, ...] = ("ordinary", "listing", "picking", "presenting")
ORDINARY: tuple[Mode, ...] = ("ordinary", "listing")
LISTING: tuple[Mode, ...] = ("listing", "picking")
PICKING: tuple[Mode, ...] = ("picking",)
NOT_PICKING: tuple[Mode, ...] = ("ordinary", "listing", "presenting")
ON_THE_GRAPH: tuple[Mode, ...] = ("ordinary", "presenting")
PRESENTING: tuple[Mode, ...] = ("presenting",)
CHOOSING: tuple[Mode, ...] = ("choosing",)
READING: tuple[Mode, ...] = ("reading",)
BROWSING: tuple[Mode, ...] = ("browsing",)
MEASURING: tuple[Mode, ...] = ("measuring",)
TYPING: tuple[Mode, ...] = ("typing",)
NOT_TYPING: tuple[Mode, ...] = (*RUNNING, "browsing", "measuring", "choosing", "reading")
ALWAYS: tuple[Mode, ...] = (*NOT_TYPING, "typing")

REMOTE = ("PageDown", "PageUp", "F5", "Esc", ".", "B")

REPEATING = frozenset(
    {
        "step_forward",
        "step_back",
        "next_of_node",
        "previous_of_node",
        "next_marker",
        "previous_marker",
        "faster",
        "slower",
        "diagram_closer",
        "diagram_farther",
        "diagram_later",
        "diagram_earlier",
        "larger",
        "smaller",
        "focus_next",
        "focus_previous",
        "focus_line",
        "menu_move",
        "gallery_move",
        "gallery_row",
        "nudge",
        "scroll_lab",
        "help_scroll",
        "select_next_node",
        "select_previous_node",
        "select_next_message",
        "select_previous_message",
        "field_caret",
        "field_erase",
    }
)
"""Actions that go on while their key is held down. All others happen once: a toggle would flicker."""


class Binding(NamedTuple):
    """One line of the table: any of the chords does it, in these modes; `words` say what it does."""

    chords: tuple[str, ...]
    does: Do
    words: str
    modes: tuple[Mode, ...] = RUNNING


class Section(NamedTuple):
    """Bindings that help and documentation show under one heading."""

    title: str
    bindings: tuple[Binding, ...]


def _seek_tenths() -> tuple[Binding, ...]:
    return tuple(Binding((str(n),), Do("seek_tenth", n), "to that tenth of the run", NOT_PICKING) for n in range(10))


TABLE: tuple[Section, ...] = (
    Section(
        "Play",
        (
            Binding(("Space", "K"), Do("play_pause"), "play / pause", (*RUNNING, "reading")),
            Binding(("Right",), Do("step_forward"), "one event on"),
            Binding((".",), Do("step_forward"), "one event on", ORDINARY),
            Binding(("Left", ","), Do("step_back"), "one event back"),
            Binding(("Shift+Right",), Do("next_of_node"), "next event of the selected node"),
            Binding(("Shift+Left",), Do("previous_of_node"), "previous event of the selected node"),
            Binding(("PageDown", "]"), Do("next_marker"), "next marker, else entry or fault"),
            Binding(("PageUp", "["), Do("previous_marker"), "previous marker, else entry or fault"),
            Binding(("Home",), Do("seek_start"), "to the start"),
            Binding(("End",), Do("seek_end"), "to the end"),
            *_seek_tenths(),
            Binding(("+",), Do("faster"), "twice as fast"),
            Binding(("-",), Do("slower"), "half as fast"),
            Binding(("Backspace",), Do("normal_speed"), "normal speed"),
        ),
    ),
    Section(
        "Act",
        (
            Binding(("Down",), Do("select_next_node"), "select the next node", ON_THE_GRAPH),
            Binding(("Up",), Do("select_previous_node"), "select the previous node", ON_THE_GRAPH),
            Binding(("Shift+Down",), Do("select_next_message"), "select the next message"),
            Binding(("Shift+Up",), Do("select_previous_message"), "select the previous message"),
            Binding(("Q",), Do("request"), "request at the selected node"),
            Binding(("C",), Do("crash_or_recover"), "crash / recover it"),
            Binding(("P",), Do("pause_or_resume"), "pause / resume it"),
            Binding(("D",), Do("drop"), "drop the selected message"),
            Binding(("S",), Do("delay"), "delay the selected message"),
            Binding(("X",), Do("lose_token"), "lose the token"),
            Binding((")",), Do("more_load"), "more load"),
            Binding(("(",), Do("less_load"), "less load"),
            Binding(("Shift+J",), Do("other_scheduler"), "what happens next: I choose / clock"),
            Binding(("Ctrl+Z",), Do("undo"), "undo the last intervention", NOT_TYPING),
            Binding(("R",), Do("restart"), "start again"),
            Binding(("Shift+R",), Do("new_seed"), "start again with a new seed"),
        ),
    ),
    Section(
        "Compare",
        (
            Binding(("A",), Do("compare_menu"), "compare with another run / end it"),
            Binding(("O",), Do("other_run"), "panels about the other run"),
            Binding(("Shift+A",), Do("next_aim"), "act in both, the left, the right run"),
        ),
    ),
    Section(
        "Look",
        (
            Binding(("V",), Do("next_view"), "graph, space-time, both"),
            Binding(("Shift+V",), Do("open_menu", "diagram"), "space-time: axis, direction, lines"),
            Binding(("*",), Do("diagram_closer"), "space-time closer (or the wheel)"),
            Binding(("/",), Do("diagram_farther"), "space-time farther"),
            Binding((">",), Do("diagram_later"), "space-time later (or drag it)"),
            Binding(("<",), Do("diagram_earlier"), "space-time earlier"),
            Binding(("G",), Do("toggle", "legend"), "legend"),
            Binding(("I",), Do("toggle", "inspector"), "inspector"),
            Binding(("M",), Do("toggle", "counters"), "counters"),
            Binding(("W",), Do("toggle", "waiting"), "why is it waiting?"),
            Binding(("U",), Do("toggle", "source"), "source code"),
            Binding(("Shift+U",), Do("open_page", "source"), "source code in the whole column"),
            Binding(("E",), Do("open_page", "events"), "list of events"),
            Binding(("J",), Do("open_page", "choose"), "what can happen next"),
            Binding(("Shift+I",), Do("open_page", "history"), "history of what is selected"),
            Binding(("Shift+B",), Do("open_page", "branches"), "branches of the run"),
            Binding(("Shift+C",), Do("open_page", "check"), "check every order of events"),
            Binding(("N",), Do("open_page", "notes"), "notes, markers, assumptions"),
            Binding(("Y",), Do("open_page", "plots"), "plots"),
            Binding(("Shift+Y",), Do("turn_plots", 1), "the next plots"),
            Binding(("L",), Do("local_view"), "only what the selected node knows"),
            Binding(("F6",), Do("turn_page", 1), "next page at the right"),
            Binding(("Shift+F6",), Do("turn_page", -1), "previous page at the right"),
            Binding(("Ctrl+T",), Do("open_menu", "graph"), "topology: nodes, links, how it is drawn"),
            Binding(("Ctrl+Left",), Do("nudge", (-1, 0)), "move the selected node (or drag it)"),
            Binding(("Ctrl+Right",), Do("nudge", (1, 0)), "move the selected node (or drag it)"),
            Binding(("Ctrl+Up",), Do("nudge", (0, -1)), "move the selected node (or drag it)"),
            Binding(("Ctrl+Down",), Do("nudge", (0, 1)), "move the selected node (or drag it)"),
            Binding(("Z",), Do("fit"), "fit the picture (zoom: the wheel)"),
            Binding(("T",), Do("next_theme"), "light, dark, print"),
            Binding(("Ctrl++", "Ctrl+="), Do("larger"), "larger text", ALWAYS),
            Binding(("Ctrl+-",), Do("smaller"), "smaller text", ALWAYS),
            Binding(("Ctrl+0",), Do("normal_size"), "normal text", ALWAYS),
        ),
    ),
    Section(
        "Window",
        (
            Binding(("F", "F11"), Do("full_screen"), "full screen"),
            Binding(("F5",), Do("present"), "presentation mode", ALWAYS),
            Binding(("B",), Do("blank"), "blank the screen"),
            Binding(("H",), Do("hide_chrome"), "hide everything but the picture"),
            Binding(("Tab",), Do("focus_next"), "next button"),
            Binding(("Shift+Tab",), Do("focus_previous"), "previous button"),
            Binding(("Enter",), Do("press_focused"), "press it"),
            Binding(("?", "F1"), Do("help"), "this help", (*RUNNING, "browsing", "reading")),
            Binding(("Esc",), Do("close"), "close what is open", ALWAYS),
            Binding(("Ctrl+O",), Do("open_gallery"), "gallery: what there is to open", (*RUNNING, "browsing")),
            Binding(("Ctrl+S",), Do("save_picture"), "save this picture (PNG and SVG)", NOT_TYPING),
            Binding(("Ctrl+R",), Do("save_run"), "save this run (a file to open again)", NOT_TYPING),
            Binding(("Ctrl+Q",), Do("quit"), "quit", ALWAYS),
        ),
    ),
    Section(
        "While presenting",
        (Binding((".",), Do("blank"), "blank the screen", (*PRESENTING, *PICKING)),),
    ),
    Section(
        "In a page at the right",
        (
            Binding(("Down",), Do("focus_line", 1), "next line or button", LISTING),
            Binding(("Up",), Do("focus_line", -1), "previous line or button", LISTING),
            Binding(("Delete",), Do("delete_line"), "delete the branch", LISTING),
        ),
    ),
    Section(
        "Where I choose what happens next",
        tuple(Binding((str(n),), Do("pick_number", n), "what has that number", PICKING) for n in range(10)),
    ),
    Section(
        "In the gallery",
        (
            Binding(("Right",), Do("gallery_move", 1), "next card", BROWSING),
            Binding(("Left",), Do("gallery_move", -1), "previous card", BROWSING),
            Binding(("Down", "PageDown"), Do("gallery_row", 1), "next row", BROWSING),
            Binding(("Up", "PageUp"), Do("gallery_row", -1), "previous row", BROWSING),
            Binding(("Home",), Do("gallery_row", -1000), "first card", BROWSING),
            Binding(("End",), Do("gallery_row", 1000), "last card", BROWSING),
            Binding(("Tab",), Do("gallery_turn", 1), "next section", BROWSING),
            Binding(("Shift+Tab",), Do("gallery_turn", -1), "previous section", BROWSING),
            Binding(("Enter", "Space"), Do("gallery_choose"), "open it", BROWSING),
            Binding(("Ctrl+F",), Do("find_card"), "find cards by words on them", BROWSING),
            Binding(("T",), Do("next_theme"), "light, dark, print", BROWSING),
            Binding(("F", "F11"), Do("full_screen"), "full screen", BROWSING),
        ),
    ),
    Section(
        "At a lab",
        (
            Binding(("Enter", "Space"), Do("press_focused"), "press the button: measure it, stop", MEASURING),
            Binding(("Tab",), Do("focus_next"), "next button", MEASURING),
            Binding(("Shift+Tab",), Do("focus_previous"), "previous button", MEASURING),
            Binding(("Down",), Do("scroll_lab", 60), "down the table", MEASURING),
            Binding(("Up",), Do("scroll_lab", -60), "up the table", MEASURING),
            Binding(("PageDown",), Do("scroll_lab", 400), "down by a page", MEASURING),
            Binding(("PageUp",), Do("scroll_lab", -400), "up by a page", MEASURING),
            Binding(("T",), Do("next_theme"), "light, dark, print", MEASURING),
            Binding(("F", "F11"), Do("full_screen"), "full screen", MEASURING),
        ),
    ),
    Section(
        "In a menu",
        (
            Binding(("Down", "Tab"), Do("menu_move", 1), "next entry", CHOOSING),
            Binding(("Up", "Shift+Tab"), Do("menu_move", -1), "previous entry", CHOOSING),
            Binding(("PageDown",), Do("menu_move", 8), "eight entries on", CHOOSING),
            Binding(("PageUp",), Do("menu_move", -8), "eight entries back", CHOOSING),
            Binding(("Home",), Do("menu_move", -1000), "first entry", CHOOSING),
            Binding(("End",), Do("menu_move", 1000), "last entry", CHOOSING),
            Binding(("Enter", "Space"), Do("menu_choose"), "choose", CHOOSING),
        ),
    ),
    Section(
        "In this help",
        (
            Binding(("Right", "Down", "PageDown"), Do("help_scroll", 1), "next page", READING),
            Binding(("Left", "Up", "PageUp"), Do("help_scroll", -1), "previous page", READING),
            Binding(("T",), Do("next_theme"), "light, dark, print", READING),
        ),
    ),
    Section(
        "In a text field",
        (
            Binding(("Enter", "Tab"), Do("field_accept"), "take it", TYPING),
            Binding(("Left",), Do("field_caret", -1), "back by a character", TYPING),
            Binding(("Right",), Do("field_caret", 1), "on by a character", TYPING),
            Binding(("Home",), Do("field_caret", -1000), "to the beginning", TYPING),
            Binding(("End",), Do("field_caret", 1000), "to the end", TYPING),
            Binding(("Backspace",), Do("field_erase", -1), "erase before the caret", TYPING),
            Binding(("Delete",), Do("field_erase", 0), "erase after the caret", TYPING),
            Binding(("Down",), Do("field_leave"), "to the entries below", TYPING),
        ),
    ),
)

_SHOWN = {
    "Right": "→",
    "Left": "←",
    "Up": "↑",
    "Down": "↓",
    "-": "−",
}


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
    """What that key does in that mode; None if nothing."""
    return _by_mode(mode).get(chord)


def shown(chord: str) -> str:
    """The chord as a person reads it: "Shift+→"."""
    head, plus, key = chord.rpartition("+") if not chord.endswith("+") else (chord[:-2], chord[-2:-1], "+")
    return f"{head}{plus}{_SHOWN.get(key, key)}"


@cache
def hint(action_name: str, value: Any = None) -> str:
    """The first key of an action in ordinary mode, as a person reads it; "" if it has none."""
    wanted = Do(action_name, value)
    bindings = (binding for section in TABLE for binding in section.bindings)
    return next((shown(b.chords[0]) for b in bindings if b.does == wanted and "ordinary" in b.modes), "")


class Line(NamedTuple):
    """A line of the help: the keys, and what they do."""

    keys: str
    words: str


def lines(section: Section) -> tuple[Line, ...]:
    """The section as help shows it: bindings that say the same share a line."""
    keys: dict[str, list[str]] = {}
    for binding in section.bindings:
        keys.setdefault(binding.words, []).extend(shown(chord) for chord in binding.chords)
    return tuple(Line(_few(chords), words) for words, chords in keys.items())


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
