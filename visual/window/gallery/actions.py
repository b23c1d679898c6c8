"""Actions in the gallery, and what opens from it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from algorithms.engine.scenario import Scenario
from visual.window import intents
from visual.window.action_table import handles, perform
from visual.window.compare.actions import compare, end_comparison, opened
from visual.window.compare.rival import Rival
from visual.window.desk import Desk
from visual.window.gallery.cards import SECTIONS, is_found, items, recently
from visual.window.gallery.page import grid
from visual.window.gallery.thumbnails import scenario_of
from visual.window.playback import playing
from visual.window.run_actions import begin_run
from visual.window.state import Field, Interface, OpenGallery, OpenMenu


@handles(intents.open_gallery)
def open_gallery(interface: Interface, desk: Desk, value: None) -> Interface:
    """Show the gallery as it was left, which pauses; or go back to the run."""
    if interface.section:
        return interface.without(OpenGallery)
    section = interface.gallery.section or SECTIONS[0]
    opened = interface.paused().focused().without(OpenMenu).over(OpenGallery(section))
    return _light(opened, interface.gallery.card) if is_found(section) else opened  # to find all is a pause


@handles(intents.gallery_section)
def gallery_section(interface: Interface, desk: Desk, section: str) -> Interface:
    interface = replace(interface, gallery=interface.gallery._replace(section=section, card=0))
    return interface.focused().over(OpenGallery(section)).scrolled("gallery", 0.0)


@handles(intents.find_card)
def find_card(interface: Interface, desk: Desk, value: None) -> Interface:
    """Begin to type what words the cards are to have."""
    words = interface.gallery.words
    return interface.focused().over(Field(words, len(words), takes=intents.filter_cards))


@handles(intents.filter_cards)
def filter_cards(interface: Interface, desk: Desk, words: str) -> Interface:
    """Show only cards that have these words; all if there are none."""
    return _light(replace(interface, gallery=interface.gallery._replace(words=words)), 0)


@handles(intents.gallery_turn)
def gallery_turn(interface: Interface, desk: Desk, by: int) -> Interface:
    """The section after, or before, the open one."""
    place = SECTIONS.index(interface.section) + by
    return gallery_section(interface, desk, SECTIONS[place % len(SECTIONS)])


@handles(intents.gallery_move)
def gallery_move(interface: Interface, desk: Desk, by: int) -> Interface:
    """Light another card, so many further on."""
    return _light(interface, interface.gallery.card + by)


@handles(intents.gallery_row)
def gallery_row(interface: Interface, desk: Desk, by: int) -> Interface:
    """Light the card so many rows further down."""
    return _light(interface, interface.gallery.card + by * grid(interface).columns)


def _light(interface: Interface, place: int) -> Interface:
    """Light the card at that place, or the nearest there is, and scroll it into view."""
    placed = grid(interface)
    place = min(max(place, 0), max(placed.cards - 1, 0))
    lit = replace(interface, gallery=interface.gallery._replace(card=place))
    return lit.scrolled("gallery", placed.showing(place))


@handles(intents.gallery_choose)
def gallery_choose(interface: Interface, desk: Desk, value: None) -> Interface:
    """Open what is lit."""
    cards = items(interface.section, interface)
    if interface.gallery.card < len(cards):
        return perform(interface, desk, cards[interface.gallery.card].does)
    return _light(interface, interface.gallery.card)  # files that were there are gone


@handles(intents.open_scenario)
def open_scenario(interface: Interface, desk: Desk, name: str) -> Interface:
    """A fresh run of a scenario that comes with the program, or of an algorithm under a usual load."""
    return _open(interface, desk, scenario_of(name))


@handles(intents.open_file)
def open_file(interface: Interface, desk: Desk, name: str) -> Interface:
    """A fresh run of the scenario in a file of the person's own. BadInput if it makes no sense."""
    path = Path(name)
    scenario, rival = opened(path)
    interface = _open(interface, desk, scenario, path, rival)
    return replace(interface, recent=recently(interface.recent, path))


@handles(intents.open_unsaved)
def open_unsaved(interface: Interface, desk: Desk, name: str) -> Interface:
    """The run that was not saved, or two together, right after the last thing that was done by hand."""
    scenario, rival = opened(Path(name))
    interface = _open(interface, desk, scenario, rival=rival)
    for run in desk.runs:
        run.seek(max((event.step or 0 for event in run.scenario.events if event.by_hand), default=0) + 1)
    desk.seek_time(desk.now)
    return playing.settle(interface, desk)


def _open(
    interface: Interface, desk: Desk, scenario: Scenario, path: Path | None = None, rival: Rival | None = None
) -> Interface:
    if desk.is_pair:
        interface = end_comparison(interface, desk)
    desk.front.open(scenario, path)
    interface = begin_run(interface.without(OpenGallery), desk)
    return compare(interface, desk, rival) if rival else interface
