"""What the menus hold: pure data, made afresh from the run whenever a menu is open.

A menu's id may carry what has been chosen so far: "faults:cut:3" asks for the other end of a link from P3.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from algorithms import catalog
from algorithms.engine.observe.offered_load import LOAD_SCALE, offered_load
from algorithms.engine.randomness import Fixed
from algorithms.engine.workload import Burst, Closed, Load, Poisson, Saturated, Script
from visual.window import intents, keys
from visual.window.compare.actions import rival_menu
from visual.window.diagram.actions import diagram_menu
from visual.window.graph.editing import graph_menu
from visual.window.intents import Do
from visual.window.menus.entries import Entry, Menu
from visual.window.menus.faults import fault_menu
from visual.window.run_actions import most_nodes
from visual.window.session import Session
from visual.window.state import Interface
from visual.words import OFFERED, load_words

NODE_CHOICES = (2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 30, 50, 100, 200, 300)
RATES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)  # requests per node and unit of time
THINKING = (50.0, 20.0, 10.0, 5.0, 2.0)
PANELS = {
    "legend": "legend",
    "counters": "counters",
    "source": "source code",
    "inspector": "inspector",
    "waiting": "why is it waiting?",
}
HOLDS = (0.5, 1.0, 2.0, 5.0)


def menu_of(interface: Interface, session: Session) -> Menu | None:
    """The menu that is open."""
    name, _, chosen = interface.menu.partition(":")
    match name:
        case "algorithm":
            return _algorithms(session)
        case "nodes":
            return _nodes(session)
        case "seed":
            return _seeds(session)
        case "load":
            return _loads(session)
        case "faults":
            return fault_menu(interface, session, chosen)
        case "compare":
            return rival_menu(session, chosen)
        case "graph":
            return graph_menu(interface, session, chosen)
        case "diagram":
            return diagram_menu(interface, session)
        case "more":
            return _more(interface, session)
    return None


def _algorithms(session: Session) -> Menu:
    entries: list[Entry] = []
    scenario = session.scenario
    for family, algorithms in catalog.by_family().items():
        if not algorithms:
            continue
        entries.append(Entry(family))
        for algorithm in sorted(algorithms, key=lambda algorithm: algorithm.title):
            here = algorithm.name == scenario.algorithm
            entries.append(
                Entry(
                    algorithm.title,
                    intents.choose_algorithm((algorithm.name, None)),
                    algorithm.summary,
                    here and scenario.variant is None,
                )
            )
            if here:
                entries += [
                    Entry(
                        f"… {name}",
                        intents.choose_algorithm((algorithm.name, name)),
                        v.summary,
                        name == scenario.variant,
                    )
                    for name, v in algorithm.variants.items()
                ]
    return Menu("algorithm", tuple(entries))


def _nodes(session: Session) -> Menu:
    present = session.scenario.nodes
    most = most_nodes(session)
    entries = [Entry(str(n), intents.choose_nodes(n), on=n == present) for n in NODE_CHOICES if n <= most]
    return Menu(f"nodes, 2 to {most}", tuple(entries), str(present), intents.nodes_typed)


def _seeds(session: Session) -> Menu:
    present = session.scenario.seed
    entries = (
        Entry("a new seed", intents.new_seed()),
        *(Entry(str(n), intents.choose_seed(n), on=n == present) for n in range(1, 9)),
    )
    return Menu("seed", entries, str(present), intents.seed_typed)


def _loads(session: Session) -> Menu:
    present = session.run.applications.load
    hold = present.hold

    def entry(label: str, load: Load, note: str = "") -> Entry:
        return Entry(label, intents.change_load(load), note, load == present)

    if session.run.algorithm.paced_by:
        return Menu("load", (Entry(OFFERED), *_strengths(session)))
    entries = [Entry("who requests, and when")]
    if isinstance(session.scenario.load, Script):
        entries.append(entry("as the scenario says", session.scenario.load, "script"))
    entries += [
        entry("nobody", Load(hold=hold), "only by hand"),
        *(
            entry(
                f"{rate:g} request{'' if rate == 1 else 's'} per node and unit of time",
                Poisson(rate=rate, hold=hold),
                "Poisson",
            )
            for rate in RATES
        ),
        *(
            entry(f"each thinks for {mean:g}, then requests", Closed(think=mean, hold=hold), "closed loop")
            for mean in THINKING
        ),
        entry("everybody, all the time", Saturated(hold=hold), "saturated"),
        entry("everybody at once, every 20", Burst(every=20.0, hold=hold), "bursts"),
        Entry("time in the CS"),
        *(entry(f"{time:g}", _holding(present, time)) for time in HOLDS),
        Entry(OFFERED),
        *_strengths(session),
    ]
    return Menu("load", tuple(entries))


def _strengths(session: Session) -> list[Entry]:
    """The loads that can be offered from now on."""
    present = offered_load(session.run)
    notes = {1.0: "as much as there is room for", LOAD_SCALE[-1]: "overload"}
    return [
        Entry(
            f"{load:g}", intents.offer(load), notes.get(load, ""), present is not None and abs(load - present) < 0.005
        )
        for load in LOAD_SCALE
    ]


def _holding(load: Load, time: float) -> Load:
    return replace(load, hold=Fixed(time))


def _more(interface: Interface, session: Session) -> Menu:
    """Everything else, and what found no room in the header."""
    scenario = session.scenario

    def entry(words: str, does: Do[Any], *, on: bool = False) -> Entry:
        return Entry(words, does, keys.hint(does), on)

    panels = [entry(words, intents.toggle(name), on=name in interface.panels) for name, words in PANELS.items()]
    return Menu(
        "menu",
        (
            Entry("the run"),
            entry("open another …", intents.open_gallery()),
            Entry("algorithm …", intents.open_menu("algorithm"), session.run.algorithm.title),
            Entry("nodes …", intents.open_menu("nodes"), str(scenario.nodes)),
            entry("topology …", intents.open_menu("graph")),
            Entry("seed …", intents.open_menu("seed"), str(scenario.seed)),
            Entry("load …", intents.open_menu("load"), load_words(session.run)),
            Entry("faults …", intents.open_menu("faults")),
            entry("start again", intents.restart()),
            entry("I choose what happens next", intents.other_scheduler(), on=interface.by_hand),
            entry("compare …" if interface.comparison is None else "end the comparison", intents.compare_menu()),
            *([entry("act in both runs, the left, the right", intents.next_aim())] if interface.comparison else []),
            Entry("save"),
            entry("this picture", intents.save_picture()),
            entry("this run", intents.save_run()),
            Entry("show"),
            *panels,
            entry("graph, space-time, both", intents.next_view()),
            entry("only what the selected node knows", intents.local_view(), on=interface.local_node is not None),
            entry("space-time …", intents.open_menu("diagram")),
            entry("theme: light, dark, print", intents.next_theme()),
            entry("larger text", intents.larger()),
            entry("smaller text", intents.smaller()),
            entry("reduced motion: jump, do not glide", intents.reduce_motion(), on=interface.reduced_motion),
            entry("presentation mode", intents.present(), on=interface.presenting),
            entry("full screen", intents.full_screen(), on=interface.full_screen),
            entry("help: all keys", intents.help()),
        ),
    )
