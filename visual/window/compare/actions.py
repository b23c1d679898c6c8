"""Actions of a comparison: join two runs on one clock, switch between them, part them; and its menu."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from algorithms import catalog, scenario_file
from algorithms.authoring import own_file
from algorithms.bad_input import BadInput
from algorithms.engine.branches import Branch
from algorithms.engine.process import Algorithm
from algorithms.engine.rewrite import system_of
from algorithms.engine.scenario import Event, Scenario
from algorithms.scenario_format.beside import Beside
from visual.window import intents
from visual.window.action_table import handles, perform
from visual.window.compare.rival import Rival
from visual.window.desk import AIMS, Desk
from visual.window.intents import Do
from visual.window.menus.entries import Entry, Menu
from visual.window.playback import playing
from visual.window.run_actions import OF_ONE_RUN
from visual.window.run_view import RunView
from visual.window.state import Interface, Selection

_OF_THE_WORKLOAD = ("load", "request", "join", "leave")  # events that are not faults
_AIMS = {(0, 1): "in both runs", (0,): "in the left run only", (1,): "in the right run only"}


# ---- rivals ----------------------------------------------------------------------------------


def another_algorithm(run: RunView, name: str, variant: str | None = None) -> Rival:
    """Another algorithm or variant, with the same seed, load, network, faults and interventions."""
    present, algorithm = run.scenario, catalog.find(name)
    is_same = name == present.algorithm
    planned = [event for event in present.events if event.step is None]
    by_hand = [replace(event, step=None) for event in run.timeline.branch.interventions]
    events = (
        *(event for event in planned if is_same or _fits(event, algorithm)),
        *(event for event in by_hand if _fits(event, algorithm)),
    )
    base = present if is_same else replace(present, parameters={}, topology=None, edges=None)
    return Rival(replace(base, algorithm=name, variant=variant, events=events, title=""))


def _fits(event: Event, algorithm: Algorithm) -> bool:
    """Whether the event means the same in a run of another algorithm."""
    if event.do in (*OF_ONE_RUN, "tune") or event.acts is not None:  # a parameter or messages of one algorithm
        return False
    return algorithm.token is not None or "token" not in event.do


def without_faults(run: RunView) -> Rival:
    """The same scenario without faults, losses and interventions by hand."""
    scenario = run.scenario
    events = tuple(event for event in scenario.events if event.do in _OF_THE_WORKLOAD and event.step is None)
    links = tuple(replace(own, loss=None, duplicate=None) for own in scenario.network.links)
    network = replace(scenario.network, loss=0.0, duplicate=0.0, links=links)
    return Rival(replace(scenario, events=events, network=network), "without faults", "with faults")


def without_interventions(run: RunView) -> Rival:
    """The same scenario without interventions by hand."""
    return Rival(run.scenario, "untouched", "with what you did")


def branch(run: RunView, other: Branch) -> Rival:
    """Another branch of the same run."""
    planned = tuple(event for event in run.scenario.events if event.step is None)
    scenario = replace(run.scenario, events=(*planned, *other.interventions))
    return Rival(scenario, other.name, run.timeline.branch.name)


def from_file(name: str) -> Rival:
    """The scenario of that name or path. BadInput if there is none."""
    path = scenario_file.find(name)
    return Rival(scenario_file.load(path), path=path)


def load_pair(path: Path) -> tuple[Scenario, Rival | None]:
    """The scenario in a file, and the rival that was saved with it. BadInput if unreadable."""
    scenario, beside = scenario_file.load_pair(path)
    return scenario, Rival(*beside) if beside else None


def saved_rival(path: Path) -> Rival | None:
    """The rival that was saved with a scenario; None if there is none. BadInput if unreadable."""
    return load_pair(path)[1]


def pair_of(desk: Desk) -> tuple[Scenario, Beside | None]:
    """The left run with its interventions, and the right one with the notes on both, in the form to save."""
    left, *others = desk.runs
    beside = [Beside(_saved(run), run.note, left.note) for run in others]
    return _saved(left), beside[0] if beside else None


def _saved(run: RunView) -> Scenario:
    """The run with its interventions, and with the markers that a person has added."""
    return replace(scenario_file.saved_run(run.timeline), markers=run.scenario.markers)


def find_rival(run: RunView, name: str) -> Rival:
    """The rival that a person has named: an algorithm, a scenario or a path. BadInput if there is none."""
    name = own_file.trust(name) if own_file.is_file(name) else name
    if name not in scenario_file.names() and catalog.is_known(name):
        return another_algorithm(run, name)
    return from_file(name)


def rival_of(scenario: Scenario, name: str) -> Rival:
    """The rival of that name for a run of the scenario. BadInput if there is none or it cannot be run."""
    rival = find_rival(RunView(scenario), name)
    catalog.timeline(rival.scenario)
    return rival


def has_faults(run: RunView) -> bool:
    """Whether the run differs from the one without its faults."""
    return without_faults(run).scenario != run.scenario


def has_interventions(run: RunView) -> bool:
    """Whether a person has intervened."""
    return any(event.by_hand for event in run.timeline.branch.interventions)


# ---- side by side ------------------------------------------------------------------------------------------


def join(desk: Desk, rival: Rival) -> None:
    """Add a run of the rival at the right, not yet launched."""
    desk.join(RunView(rival.scenario, rival.path), rival.note, rival.other_note)


@handles(intents.compare)
def compare(interface: Interface, desk: Desk, rival: Rival) -> Interface:
    """Show a run of the rival beside the present one, at the same time. BadInput if it cannot be run."""
    if desk.front.gate_words:
        raise BadInput(desk.front.gate_words)
    join(desk, rival)
    return playing.seek(interface.paused(), desk, interface.playback.time)


@handles(intents.compare_typed)
def compare_typed(interface: Interface, desk: Desk, name: str) -> Interface:
    """Compare with the scenario, file or algorithm of that name. BadInput if there is none."""
    return compare(interface, desk, find_rival(desk.front, name.strip()))


@handles(intents.compare_menu)
def compare_menu(interface: Interface, desk: Desk, value: None) -> Interface:
    """Open the menu of rivals; or end the comparison and continue with the left run."""
    if not desk.is_pair:
        return perform(interface, desk, intents.open_menu("compare"))
    return end_comparison(interface, desk)


def end_comparison(interface: Interface, desk: Desk) -> Interface:
    """Continue with the left run alone."""
    desk.part()
    interface = replace(interface, selection=_node_in(desk.front, interface))
    return playing.seek(interface, desk, interface.playback.time)


@handles(intents.other_run)
def other_run(interface: Interface, desk: Desk, value: None) -> Interface:
    """Show the other run in the panels."""
    if not desk.is_pair:
        return interface.say("Only one run is open. Press A to compare it with another.")
    return look_at(interface, desk, 1 - desk.place)


@handles(intents.bring_to_front)
def look_at(interface: Interface, desk: Desk, place: int) -> Interface:
    """Show the run at that place in the panels."""
    if desk.place == place:
        return interface
    desk.place = place
    return playing.refresh(replace(interface, selection=_node_in(desk.front, interface)), desk)


def _node_in(run: RunView, interface: Interface) -> Selection | None:
    """The selection if it is a node of this run, otherwise None."""
    return interface.selection if interface.node is not None and interface.node < run.scenario.nodes else None


@handles(intents.next_aim)
def next_aim(interface: Interface, desk: Desk, value: None) -> Interface:
    """Apply interventions to the next of: both runs, the left one, the right one."""
    if not desk.is_pair:
        return interface.say("Only one run is open. Press A to compare it with another.")
    desk.aim = AIMS[(AIMS.index(desk.aim) + 1) % len(AIMS)]
    return interface.say(f"Actions apply {_AIMS[desk.aim]}.")


_WORDS = "compare with"


def rival_menu(desk: Desk, chosen: str) -> Menu:
    """The menu of rivals; once "algorithm" or "file" is chosen, the menu for which one."""
    if chosen == "algorithm":
        return Menu(f"{_WORDS} another algorithm or variant", tuple(_algorithms(desk.front)))
    if chosen == "file":
        return Menu(
            f"{_WORDS} a scenario or file", tuple(_scenarios(desk.front)), "my-scenario.toml", intents.compare_typed
        )
    return Menu(_WORDS, tuple(_first_entries(desk.front)))


def _first_entries(run: RunView) -> list[Entry]:
    entries = [
        Entry("another algorithm or variant …", intents.open_menu("compare:algorithm"), "same seed, load and faults")
    ]
    if has_faults(run):
        entries.append(Entry("the same without its faults", intents.compare(without_faults(run))))
    if has_interventions(run):
        entries.append(Entry("the same without your interventions", intents.compare(without_interventions(run))))
    entries += [
        Entry(f"the branch “{name}”", intents.compare(branch(run, other)))
        for name, other in run.timeline.branches.items()
        if other is not run.timeline.branch
    ]
    return [*entries, Entry("a scenario or file …", intents.open_menu("compare:file"))]


def _algorithms(run: RunView) -> list[Entry]:
    """The variants of the present algorithm, then the other algorithms of its family."""
    present, scenario = run.simulation.algorithm, run.scenario
    others = [
        Entry(algorithm.title, _beside(run, algorithm.name), algorithm.summary)
        for algorithm in _relatives(run)
        if algorithm.name != scenario.algorithm
    ]
    own = [
        Entry(f"… {name or 'as published'}", _beside(run, scenario.algorithm, name), note)
        for name, note in ((None, present.summary), *((n, v.summary) for n, v in present.variants.items()))
        if name != scenario.variant
    ]
    return [*([Entry(present.title), *own, Entry("others of this family")] if own else []), *others]


def _beside(run: RunView, name: str, variant: str | None = None) -> Do:
    return intents.compare(another_algorithm(run, name, variant))


def _relatives(run: RunView) -> list[Algorithm]:
    """The family of the run's algorithm, in the order of titles; for one in a file, the first family of its kind."""
    families, present = catalog.by_family().values(), run.simulation.algorithm
    is_file = own_file.is_file(run.scenario.algorithm)
    alike = (one for one in families for algorithm in one if _kind(algorithm) == _kind(present))
    own = (one for one in families if any(algorithm.name == run.scenario.algorithm for algorithm in one))
    return sorted(next(alike if is_file else own), key=lambda algorithm: algorithm.title)


def _kind(algorithm: Algorithm) -> tuple[bool, bool]:
    """Whether processes elect, and whether they follow the rules of a rewriting system."""
    return algorithm.is_election(), system_of(algorithm) is not None


def _scenarios(run: RunView) -> list[Entry]:
    return [Entry(name, intents.compare_typed(name)) for name in scenario_file.names()]
