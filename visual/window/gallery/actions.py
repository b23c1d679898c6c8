"""Actions in the gallery, and those that open its cards."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from algorithms.authoring import own_file
from algorithms.engine.scenario import Scenario
from visual.window import intents
from visual.window.action_table import handles, perform
from visual.window.arrangement import beside_graph
from visual.window.compare import compare, end_comparison, load_pair
from visual.window.desk import Desk
from visual.window.gallery.cards import SECTIONS, is_loaded, items, scenario_of, with_recent
from visual.window.gallery.page import grid
from visual.window.intents import Rival
from visual.window.own_files import ask
from visual.window.playback import playing
from visual.window.run_actions import begin_run
from visual.window.state import Field, Interface, OpenGallery, OpenMenu


@handles(intents.open_gallery)
def open_gallery(interface: Interface, desk: Desk, value: None) -> Interface:
    """Pause and show the gallery as it was left; or close it."""
    if interface.section:
        return interface.without(OpenGallery)
    section = interface.gallery.section or SECTIONS[0]
    opened = interface.paused().focused().without(OpenMenu).over(OpenGallery(section))
    card = 0 if interface.gallery.words else interface.gallery.card
    opened = replace(opened, gallery=opened.gallery._replace(words="", card=card))  # it forgets what was searched for
    return _highlight(opened, card) if is_loaded(section) else opened  # loading takes several frames


@handles(intents.gallery_section)
def gallery_section(interface: Interface, desk: Desk, section: str) -> Interface:
    interface = replace(interface, gallery=interface.gallery._replace(section=section, card=0))
    return interface.focused().over(OpenGallery(section)).scrolled("gallery", 0.0)


@handles(intents.edit_card_filter)
def edit_card_filter(interface: Interface, desk: Desk, value: None) -> Interface:
    """Open the text field of the filter."""
    words = interface.gallery.words
    return interface.focused().over(Field(words, len(words), takes=intents.filter_cards))


@handles(intents.filter_cards)
def filter_cards(interface: Interface, desk: Desk, words: str) -> Interface:
    """Show only the cards that contain these words; all cards for ""."""
    return _highlight(replace(interface, gallery=interface.gallery._replace(words=words)), 0)


@handles(intents.gallery_turn)
def gallery_turn(interface: Interface, desk: Desk, by: int) -> Interface:
    """Open the section `by` places after the open one."""
    place = SECTIONS.index(interface.section) + by
    return gallery_section(interface, desk, SECTIONS[place % len(SECTIONS)])


@handles(intents.gallery_move)
def gallery_move(interface: Interface, desk: Desk, by: int) -> Interface:
    """Highlight the card `by` places further on."""
    return _highlight(interface, interface.gallery.card + by)


@handles(intents.gallery_row)
def gallery_row(interface: Interface, desk: Desk, by: int) -> Interface:
    """Highlight the card `by` rows further down."""
    return _highlight(interface, grid(interface).below(interface.gallery.card, by))


def _highlight(interface: Interface, place: int) -> Interface:
    """Highlight the card at that place, or the nearest one, and scroll it into view."""
    cards_grid = grid(interface)
    place = min(max(place, 0), max(cards_grid.cards - 1, 0))
    highlighted = replace(interface, gallery=interface.gallery._replace(card=place))
    return highlighted.scrolled("gallery", cards_grid.showing(place))


@handles(intents.gallery_choose)
def gallery_choose(interface: Interface, desk: Desk, value: None) -> Interface:
    """Open the highlighted card."""
    cards = items(interface.section, interface)
    if interface.gallery.card < len(cards):
        return perform(interface, desk, cards[interface.gallery.card].does)
    return _highlight(interface, interface.gallery.card)  # some files have disappeared since


@handles(intents.open_scenario)
def open_scenario(interface: Interface, desk: Desk, name: str) -> Interface:
    """Begin a run of a scenario that comes with the program, or of an algorithm under a moderate load."""
    return _open(interface, desk, scenario_of(name))


@handles(intents.open_file)
def open_file(interface: Interface, desk: Desk, name: str) -> Interface:
    """Begin a run of the scenario, or the algorithm, in a file. BadInput if the file cannot be read as one."""
    path = Path(name)
    if own_file.is_file(name):
        interface = _open(interface, desk, scenario_of(own_file.trust(path)))
        return replace(interface, recent=with_recent(interface.recent, path))
    try:
        scenario, rival = load_pair(path)
    except own_file.Untrusted as untrusted:
        return ask(interface, untrusted.file, path)
    interface = _open(interface, desk, scenario, path, rival)
    return replace(interface, recent=with_recent(interface.recent, path))


@handles(intents.open_unsaved)
def open_unsaved(interface: Interface, desk: Desk, name: str) -> Interface:
    """Restore an unsaved run, or a pair of them, right after the last intervention by hand."""
    try:
        scenario, rival = load_pair(Path(name))
    except own_file.Untrusted as untrusted:
        return ask(interface, untrusted.file, Path(name))
    interface = _open(interface, desk, scenario, rival=rival)
    for run in desk.runs:
        by_hand = (event for event in run.scenario.interventions() if event.by_hand)
        run.seek(max((event.steps_before for event in by_hand), default=0) + 1)
    desk.seek_time(desk.now)
    return playing.settle(interface, desk)


def _open(
    interface: Interface, desk: Desk, scenario: Scenario, path: Path | None = None, rival: Rival | None = None
) -> Interface:
    if desk.is_pair:
        interface = end_comparison(interface, desk)
    desk.front.open(scenario, path)
    interface = begin_run(interface.without(OpenGallery), desk)
    if scenario.notes:
        interface = beside_graph(interface, "notes")
    return compare(interface, desk, rival) if rival else interface
