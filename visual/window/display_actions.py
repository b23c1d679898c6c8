"""Actions on what is shown, and on the window."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from algorithms.engine.rewrite import system_of
from visual.drawing import theme
from visual.narration.local_knowledge import NO_VIEW
from visual.window import intents
from visual.window.action_table import Handler, handle, handle_with, handles, perform
from visual.window.compare.actions import end_comparison
from visual.window.desk import Desk
from visual.window.pages.choose import schedule
from visual.window.playback import playing
from visual.window.side import NAMES, beside
from visual.window.state import SCALE_STEPS, VIEWS, Camera, Interface


@handles(intents.next_view)
def next_view(interface: Interface, desk: Desk, value: None) -> Interface:
    return replace(interface, view=VIEWS[(VIEWS.index(interface.view) + 1) % len(VIEWS)])


@handles(intents.toggle)
def toggle(interface: Interface, desk: Desk, panel: str) -> Interface:
    """Open or close a panel; opening the inspector pauses."""
    panels = interface.panels ^ {panel}
    pauses = panel == "inspector" and panel in panels
    return replace(interface, panels=panels, playing=interface.playing and not pauses)


@handles(intents.open_page)
def open_page(interface: Interface, desk: Desk, page: str) -> Interface:
    """Show that page of the column at the right; from there the arrow keys go through its lines.

    Once more goes back to the page that is shown first.
    """
    if interface.page == page:
        return replace(interface, page=NAMES[0], focus="")
    return replace(interface, page=page, focus=f"{page}.")


@handles(intents.turn_page)
def turn_page(interface: Interface, desk: Desk, by: int) -> Interface:
    """The page of the column after, or before, the one that is open."""
    return replace(interface, page=beside(interface.page, by), focus="")


@handles(intents.local_view)
def local_view(interface: Interface, desk: Desk, value: None) -> Interface:
    """Show only what the selected node knows, or everything again."""
    if interface.local_node is not None:
        return replace(interface, only_local=False)
    if system_of(desk.front.simulation.algorithm):
        return interface.say(NO_VIEW)
    if not interface.selection.startswith("node:"):
        return interface.say("Select a node first: click it, or press ↓.")
    return replace(interface, only_local=True)


@handles(intents.next_theme)
def next_theme(interface: Interface, desk: Desk, value: None) -> Interface:
    names = theme.NAMES
    return replace(interface, theme=names[(names.index(interface.theme) + 1) % len(names)])


def resize_text(interface: Interface, desk: Desk, direction: int) -> Interface:
    """The next larger or smaller of the text sizes."""
    others = [s for s in SCALE_STEPS if (s - interface.scale) * direction > 1e-9]
    return replace(interface, scale=min(others, key=lambda s: abs(s - interface.scale), default=interface.scale))


@handles(intents.help_scroll)
def help_scroll(interface: Interface, desk: Desk, pages: int) -> Interface:
    return replace(interface, help_page=max(0, interface.help_page + pages))


def show_help(interface: Interface, desk: Desk, value: None) -> Interface:
    """Open the help, which pauses; or close it."""
    opens = not interface.help_open
    return replace(interface, help_open=opens, help_page=0, playing=interface.playing and not opens)


@handles(intents.close)
def close(interface: Interface, desk: Desk, value: None) -> Interface:
    """Close what is open, the topmost first; never the program."""
    if interface.blank:
        return replace(interface, blank=False)
    if interface.menu or interface.field:
        return replace(interface, menu="", field=None)
    if interface.help_open:
        return replace(interface, help_open=False)
    if interface.lab:
        return perform(interface, desk, intents.close_lab())
    if interface.gallery and interface.sought:
        return perform(interface, desk, intents.seek_cards(""))
    if interface.gallery:
        return replace(interface, gallery="")
    if interface.goal is not None:
        interface = playing.interrupted(interface, desk)
        return playing.settle(interface, desk).say("Stopped on the way.")
    if interface.local_node is not None:
        return replace(interface, only_local=False)
    if interface.presenting or interface.chrome_hidden:
        return replace(interface, presenting=False, chrome_hidden=False)
    if interface.focus.startswith(f"{interface.page}."):
        return replace(interface, focus="")
    if "inspector" in interface.panels and interface.selection:
        return replace(interface, panels=interface.panels - {"inspector"})
    if desk.is_manual:
        return schedule(interface, desk, False)
    if desk.is_pair and not interface.selection:
        return end_comparison(interface, desk)
    return replace(interface, selection="", focus="", notice=None)


@handles(intents.say)
def say(interface: Interface, desk: Desk, words: str) -> Interface:
    return interface.say(words)


@handles(intents.fit)
def fit(interface: Interface, desk: Desk, value: None) -> Interface:
    """The whole graph in its region, and of the diagram a page around the present."""
    return replace(interface, camera=Camera(), diagram=interface.diagram._replace(zoom=1.0, start=None))


@handles(intents.save_picture)
def save_picture(interface: Interface, desk: Desk, value: None) -> Interface:
    return interface.wish("picture")


@handles(intents.save_run)
def save_run(interface: Interface, desk: Desk, value: None) -> Interface:
    return interface.wish("run")


@handles(intents.quit)
def quit(interface: Interface, desk: Desk, value: None) -> Interface:
    return interface.wish("quit")


def _flip(name: str) -> Handler[None]:
    def flip(interface: Interface, desk: Desk, value: None) -> Interface:
        change: Any = {name: not getattr(interface, name)}
        return replace(interface, **change)

    return flip


handle(intents.help, show_help)
handle_with(intents.larger, resize_text, 1)
handle_with(intents.smaller, resize_text, -1)
handle(intents.normal_size, lambda interface, desk, value: replace(interface, scale=1.0))
handle(intents.reduce_motion, _flip("reduced_motion"))
handle(intents.full_screen, _flip("full_screen"))
handle(intents.present, _flip("presenting"))
handle(intents.blank, _flip("blank"))
handle(intents.hide_chrome, _flip("chrome_hidden"))
