"""Actions on the display and on the window."""

from __future__ import annotations

from dataclasses import replace

from visual.drawing import theme
from visual.narration.local_knowledge import NO_VIEW
from visual.window import intents
from visual.window.action_table import Handler, handle, handle_with, handles, perform
from visual.window.compare import end_comparison
from visual.window.desk import Desk
from visual.window.pages.choose import schedule
from visual.window.playback import playing
from visual.window.side import NAMES, page_after
from visual.window.state import (
    NO_NODE,
    SCALE_STEPS,
    VIEWS,
    Blank,
    Camera,
    Field,
    Help,
    Interface,
    OpenGallery,
    OpenMenu,
    Presentation,
)


@handles(intents.next_view)
def next_view(interface: Interface, desk: Desk, value: None) -> Interface:
    return interface.with_display(view=VIEWS[(VIEWS.index(interface.display.view) + 1) % len(VIEWS)])


ON_THE_STAGE = ("counters", "lights", "source")
"""The panels that a presentation can put on the stage."""

_NO_COLUMN = "The stage has no pages: F5 ends the presentation, and Ctrl+P opens a window of your own for them."


@handles(intents.toggle)
def toggle(interface: Interface, desk: Desk, panel: str) -> Interface:
    """Open or close a panel, while presenting on the stage; opening the inspector pauses."""
    if interface.display.presenting and panel in ON_THE_STAGE:
        return interface.with_display(stage=interface.display.stage ^ {panel})
    if interface.display.presenting and panel == "inspector" and interface.selection is None:
        return interface.say("Select a node or a message first: click it, or press ↓ or Shift+↓.")
    panels = interface.display.panels ^ {panel}
    pauses = panel == "inspector" and panel in panels
    return (interface.paused() if pauses else interface).with_display(panels=panels)


@handles(intents.open_page)
def open_page(interface: Interface, desk: Desk, page: str) -> Interface:
    """Show a page in the right column, with the arrow keys on its lines; the open page returns to the first."""
    if _has_no_column(interface):
        return interface.say(_NO_COLUMN)
    if interface.display.page == page:
        return interface.focused().with_display(page=NAMES[0])
    return interface.focused(f"{page}.").with_display(page=page)


@handles(intents.turn_page)
def turn_page(interface: Interface, desk: Desk, by: int) -> Interface:
    """Show the page `by` places after the open one."""
    if _has_no_column(interface):
        return interface.say(_NO_COLUMN)
    return interface.focused().with_display(page=page_after(interface.display.page, by))


def _has_no_column(interface: Interface) -> bool:
    """Whether a presentation has neither a column of pages nor a presenter's window that shows it."""
    return interface.display.presenting and interface.presenter is None


@handles(intents.local_view)
def local_view(interface: Interface, desk: Desk, value: None) -> Interface:
    """Show the selected node's knowledge only, or everything again."""
    if interface.local_node is not None:
        return interface.with_display(only_local=False)
    if desk.front.system:
        return interface.say(NO_VIEW)
    if interface.node is None:
        return interface.say(NO_NODE)
    return interface.with_display(only_local=True)


@handles(intents.next_theme)
def next_theme(interface: Interface, desk: Desk, value: None) -> Interface:
    names = theme.NAMES
    return interface.with_display(theme=names[(names.index(interface.display.theme) + 1) % len(names)])


def resize_text(interface: Interface, desk: Desk, direction: int) -> Interface:
    """Choose the next larger or smaller text size."""
    scale = interface.display.scale
    others = [step for step in SCALE_STEPS if (step - scale) * direction > 1e-9]
    return interface.with_display(scale=min(others, key=lambda step: abs(step - scale), default=scale))


@handles(intents.help_scroll)
def help_scroll(interface: Interface, desk: Desk, pages: int) -> Interface:
    return interface.over(Help(max(0, interface.help.page + pages))) if interface.help else interface


@handles(intents.help)
def show_help(interface: Interface, desk: Desk, value: None) -> Interface:
    """Open the help, which pauses the run, or close it."""
    return interface.without(Help) if interface.help else interface.paused().over(Help())


@handles(intents.close)
def close(interface: Interface, desk: Desk, value: None) -> Interface:
    """Close the topmost open thing; never the program."""
    if interface.is_blank:
        return interface.without(Blank)
    if interface.menu or interface.field:
        return interface.without(OpenMenu, Field)
    if interface.help:
        return interface.without(Help)
    if interface.lab:
        return perform(interface, desk, intents.close_lab())
    if interface.section and interface.gallery.words:
        return perform(interface, desk, intents.filter_cards(""))
    if interface.section:
        return interface.without(OpenGallery)
    if interface.playback.goal is not None:
        interface = playing.interrupted(interface, desk)
        return playing.settle(interface, desk).say("Stopped before the goal.")
    if interface.local_node is not None:
        return interface.with_display(only_local=False)
    presentation = interface.presentation
    if presentation.tool or presentation.strokes or presentation.notes:
        return interface.with_presentation(tool="", strokes=(), notes=False)
    if interface.display.presenting:
        return present(interface, desk, None)
    if interface.display.chrome_hidden:
        return interface.with_display(chrome_hidden=False)
    if interface.pointer.focus.startswith(f"{interface.display.page}."):
        return interface.focused()
    if "inspector" in interface.display.panels and interface.selection:
        return interface.with_display(panels=interface.display.panels - {"inspector"})
    if desk.is_manual:
        return schedule(interface, desk, False)
    if desk.is_pair and not interface.selection:
        return end_comparison(interface, desk)
    return replace(interface.focused(), selection=None, notice=None)


@handles(intents.say)
def say(interface: Interface, desk: Desk, words: str) -> Interface:
    return interface.say(words)


@handles(intents.fit)
def fit(interface: Interface, desk: Desk, value: None) -> Interface:
    """Fit the graph to its region, and the diagram to a page around the present."""
    return replace(
        interface,
        graph=interface.graph._replace(camera=Camera()),
        diagram=interface.diagram._replace(zoom=1.0, start=None),
    )


@handles(intents.blank)
def blank(interface: Interface, desk: Desk, value: None) -> Interface:
    """Show nothing, which pauses, or the picture again."""
    return interface.without(Blank) if interface.is_blank else interface.paused().over(Blank())


@handles(intents.present)
def present(interface: Interface, desk: Desk, value: None) -> Interface:
    """Begin a presentation on the full screen, or enlarge one to it, or end it, with the screen as it was before."""
    display, before = interface.display, interface.presentation
    if display.presenting and not display.full_screen:
        return interface.with_display(full_screen=True)
    if display.presenting:
        ended = interface.with_display(presenting=False, chrome_hidden=False, full_screen=before.was_full)
        return replace(ended, presentation=Presentation(), presenter=None)
    begun = Presentation(was_full=display.full_screen, began=before.began or interface.clock)
    return replace(interface.with_display(presenting=True, full_screen=True), presentation=begun)


def _wish(interface: Interface, desk: Desk, what: str) -> Interface:
    return interface.wish(what)


def _flip(name: str) -> Handler[None]:
    """A handler that switches a field of the display."""

    def flip(interface: Interface, desk: Desk, value: None) -> Interface:
        return interface.with_display(**{name: not getattr(interface.display, name)})

    return flip


handle_with(intents.larger, resize_text, 1)
handle_with(intents.smaller, resize_text, -1)
handle(intents.normal_size, lambda interface, desk, value: interface.with_display(scale=1.0))
handle(intents.reduce_motion, _flip("reduced_motion"))
handle(intents.stop_at_marks, _flip("stops"))
handle(intents.full_screen, _flip("full_screen"))
handle(intents.hide_future, _flip("hides_future"))
handle(intents.hide_chrome, _flip("chrome_hidden"))
handle_with(intents.save_picture, _wish, "picture")
handle_with(intents.copy_picture, _wish, "copy")
handle_with(intents.save_run, _wish, "run")
handle_with(intents.quit, _wish, "quit")
