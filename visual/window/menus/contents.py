"""The entries of the menus, made from the run for every frame with a menu, and the actions in them.

A menu's id may contain earlier choices: "faults:cut:3" asks for the other end of a link from P3.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from algorithms import catalog
from algorithms.authoring import own_file
from algorithms.engine.observe.offered_load import LOAD_SCALE, offered_load
from algorithms.engine.randomness import Distribution, Exponential, Fixed, Uniform
from algorithms.engine.scenario import Network
from algorithms.engine.workload import Burst, Closed, Load, Poisson, Saturated, Script
from visual.window import intents, keys
from visual.window.action_table import handles, perform
from visual.window.arrangement import covers_all
from visual.window.compare import rival_menu
from visual.window.desk import Desk
from visual.window.diagram.panel import diagram_menu
from visual.window.graph.editing import graph_menu
from visual.window.intents import Do
from visual.window.menus import Entry, Menu
from visual.window.menus.faults import action_menu, fault_menu
from visual.window.own_files import question
from visual.window.run_actions import most_nodes
from visual.window.run_view import RunView
from visual.window.side import PAGES
from visual.window.state import Field, Interface, OpenMenu
from visual.words import load_meaning, load_words

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
DELAYS = (0.5, 1.0, 2.0)
LOSSES = (0.0, 0.05, 0.1, 0.2)
_MOST_FILES = 30  # of the current folder
HOLDS = (0.5, 1.0, 2.0, 5.0)


def menu_of(interface: Interface, desk: Desk) -> Menu | None:
    """The open menu."""
    name, _, chosen = interface.menu.name.partition(":") if interface.menu else ("", "", "")
    match name:
        case "algorithm":
            return _algorithms(desk.front)
        case "nodes":
            return _nodes(desk.front)
        case "seed":
            return _seeds(desk.front)
        case "load":
            return _loads(desk.front)
        case "faults":
            return fault_menu(interface, desk.front, chosen)
        case "compare":
            return rival_menu(desk, chosen)
        case "graph":
            return graph_menu(interface, desk.front, chosen)
        case "here":
            return action_menu(interface, desk.front)
        case "network":
            return _network(desk.front)
        case "files":
            return _files(interface)
        case "trust":
            return question(chosen)
        case "diagram":
            return diagram_menu(interface, desk.front)
        case "more":
            return _more(interface, desk)
    return None


def _algorithms(run: RunView) -> Menu:
    entries: list[Entry] = []
    scenario = run.scenario
    own = scenario.algorithm if own_file.is_file(scenario.algorithm) else ""
    families = {Path(own).name: [catalog.find(own)]} if own else {}
    for family, algorithms in {**families, **catalog.by_family()}.items():
        if not algorithms:
            continue
        entries.append(Entry(family))
        for algorithm in sorted(algorithms, key=lambda algorithm: algorithm.title):
            name = own if family in families else algorithm.name
            here = name == scenario.algorithm
            entries.append(
                Entry(
                    algorithm.title,
                    intents.choose_algorithm((name, None)),
                    algorithm.summary,
                    here and scenario.variant is None,
                )
            )
            if here:
                entries += [
                    Entry(
                        f"… {variant}",
                        intents.choose_algorithm((name, variant)),
                        v.summary,
                        variant == scenario.variant,
                    )
                    for variant, v in algorithm.variants.items()
                ]
    return Menu("algorithm", tuple(entries))


def _nodes(run: RunView) -> Menu:
    present = run.scenario.nodes
    most = most_nodes(run)
    entries = [Entry(str(n), intents.choose_nodes(n), on=n == present) for n in NODE_CHOICES if n <= most]
    return Menu(f"nodes, 2 to {most}", tuple(entries), str(present), intents.nodes_typed)


def _seeds(run: RunView) -> Menu:
    present = run.scenario.seed
    entries = (
        Entry("a new seed", intents.new_seed()),
        *(Entry(str(n), intents.choose_seed(n), on=n == present) for n in range(1, 9)),
    )
    return Menu("seed", entries, str(present), intents.seed_typed)


def _loads(run: RunView) -> Menu:
    present = run.simulation.applications.load
    hold = present.hold

    def entry(label: str, load: Load, note: str = "") -> Entry:
        return Entry(label, intents.change_load(load), note, load == present)

    if run.simulation.algorithm.paced_by:
        return Menu("load", (Entry(load_meaning(run.simulation.algorithm)), *_load_levels(run)))
    entries = [Entry("who requests, and when")]
    if isinstance(run.scenario.load, Script):
        entries.append(entry("as the scenario says", run.scenario.load, "script"))
    entries += [
        entry("nobody", Load(hold=hold), "requests by hand only"),
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
        entry("every node, all the time", Saturated(hold=hold), "saturated"),
        entry("every node at once, every 20", Burst(every=20.0, hold=hold), "bursts"),
        Entry("time in the critical section"),
        *(entry(f"{time:g}", replace(present, hold=Fixed(time))) for time in HOLDS),
        Entry(load_meaning(run.simulation.algorithm)),
        *_load_levels(run),
    ]
    return Menu("load", tuple(entries))


def _load_levels(run: RunView) -> list[Entry]:
    """The levels of offered load."""
    present = offered_load(run.simulation)
    notes = {1.0: "exactly full", LOAD_SCALE[-1]: "overload"}
    return [
        Entry(
            f"{load:g}", intents.offer(load), notes.get(load, ""), present is not None and abs(load - present) < 0.005
        )
        for load in LOAD_SCALE
    ]


def network_words(network: Network) -> str:
    """The delay, loss and order of channels, in a few words."""
    order = "FIFO" if network.fifo else "not FIFO"
    return f"delay {_delay_words(network.delay)}, loss {network.loss:g}, {order}"


def _delay_words(delay: Distribution) -> str:
    match delay:
        case Fixed(value=value):
            return f"{value:g}"
        case Uniform(low=low, high=high):
            return f"{low:g} to {high:g}"
    return f"{delay.mean or 0:g} on average"


def _network(run: RunView) -> Menu:
    """Delay, loss and order of all channels; a choice starts the run again."""
    network = run.scenario.network
    delays: list[Distribution] = [*map(Fixed, DELAYS), Uniform(0.8, 1.2), Uniform(0.5, 3.0), Exponential(1.0)]
    if network.delay not in delays:
        delays.insert(0, network.delay)

    def entry(words: str, note: str = "", **change: Any) -> Entry:
        is_present = all(getattr(network, name) == value for name, value in change.items())
        return Entry(words, intents.choose_network(change), note, is_present)

    return Menu(
        "network: a choice starts the run again",
        (
            Entry("delay of a message"),
            *(entry(_delay_words(d), "constant" if isinstance(d, Fixed) else "random", delay=d) for d in delays),
            Entry("share of messages lost"),
            *(entry(f"{loss:g}", "none" if not loss else "", loss=loss) for loss in LOSSES),
            Entry("order on a channel"),
            entry("FIFO", "messages arrive in the order in which they were sent", fifo=True),
            entry("not FIFO", "a message may overtake another", fifo=False),
        ),
    )


def _files(interface: Interface) -> Menu:
    """The recent files, and the scenarios of the current folder; any other file by its path."""
    here = sorted(str(path) for path in Path.cwd().glob("*.toml"))[:_MOST_FILES]
    entries = [Entry("recently opened"), *map(_file, interface.recent)] if interface.recent else []
    entries += [Entry(f"in {Path.cwd()}"), *map(_file, here)] if here else []
    return Menu("open a file", tuple(entries), f"{Path.cwd()}/", intents.open_file)


def _file(name: str) -> Entry:
    return Entry(Path(name).name, intents.open_file(name), str(Path(name).parent))


def _more(interface: Interface, desk: Desk) -> Menu:
    """The menu of everything else, and of what may lack room in the header."""
    run, scenario = desk.front.simulation, desk.front.scenario

    def entry(words: str, does: Do[Any], *, on: bool = False) -> Entry:
        return Entry(words, does, keys.hint(does), on)

    return Menu(
        "menu",
        (
            Entry("the run"),
            entry("open another …", intents.open_gallery()),
            Entry("open a file …", intents.open_menu("files"), "or drop it here"),
            Entry("algorithm …", intents.open_menu("algorithm"), run.algorithm.title),
            Entry("nodes …", intents.open_menu("nodes"), str(scenario.nodes)),
            entry("topology …", intents.open_menu("graph")),
            Entry("seed …", intents.open_menu("seed"), str(scenario.seed)),
            Entry("load …", intents.open_menu("load"), load_words(run)),
            Entry("network …", intents.open_menu("network"), network_words(scenario.network)),
            Entry("faults …", intents.open_menu("faults")),
            entry("undo the last intervention", intents.undo()),
            entry("start again", intents.restart()),
            entry("play past the scenario's end", intents.play_past_end()),
            entry("manual scheduling: pick the next event", intents.other_scheduler(), on=desk.is_manual),
            entry("compare …" if not desk.is_pair else "end the comparison", intents.compare_menu()),
            *([entry("apply actions to: both, left, right", intents.next_aim())] if desk.is_pair else []),
            Entry("save"),
            entry("this picture", intents.save_picture()),
            entry("this picture, to the clipboard", intents.copy_picture()),
            entry("this run", intents.save_run()),
            *_panels(interface),
            entry("graph, space-time, both", intents.next_view()),
            entry("only what the selected node knows", intents.local_view(), on=interface.local_node is not None),
            entry("space-time …", intents.open_menu("diagram")),
            entry("theme: light, dark, print", intents.next_theme()),
            entry("larger text", intents.larger()),
            entry("smaller text", intents.smaller()),
            entry("reduced motion (no animation)", intents.reduce_motion(), on=interface.display.reduced_motion),
            entry("stop at markers and breaches", intents.stop_at_marks(), on=interface.display.stops),
            entry("hide what is still to come", intents.hide_future(), on=interface.display.hides_future),
            entry("mark this moment", intents.mark_moment()),
            entry("present: full screen, large letters", intents.present(), on=interface.display.presenting),
            entry("presenter's window", intents.presenter(), on=interface.presenter is not None),
            entry("full screen", intents.full_screen(), on=interface.display.full_screen),
            entry("help: what the signs mean, and all keys", intents.help()),
        ),
    )


def _panels(interface: Interface) -> list[Entry]:
    """The pages, where they have no tabs beside the graph, and the panels."""
    pages = [Entry(page.name, intents.open_page(page.name), on=page.name == interface.display.page) for page in PAGES]
    panels = [
        Entry(words, intents.toggle(name), keys.hint(intents.toggle(name)), name in interface.display.panels)
        for name, words in PANELS.items()
    ]
    has_pages = covers_all(interface.display._replace(page=PAGES[-1].name))
    return [*([Entry("pages"), *pages] if has_pages else []), Entry("show"), *panels]


@handles(intents.open_menu)
def open_menu(interface: Interface, desk: Desk, menu: str) -> Interface:
    """Open a menu, ready to type in its text field; close it if it is open."""
    if interface.menu is not None and interface.menu.name == menu:
        return close_menu(interface)
    interface = close_menu(interface.focused()).over(OpenMenu(menu))
    content = menu_of(interface, desk)
    if content is None:
        return close_menu(interface)
    places = content.choosable()
    ticked = [place for place in places if content.entries[place].on]
    first = ticked if len(ticked) == 1 else places  # several ticks are switches, not the present choice
    interface = interface.over(OpenMenu(menu, (first or [0])[0])).browsed("menu", 0.0, -1)
    return _edit(interface, content) if content.field else interface


def close_menu(interface: Interface) -> Interface:
    """The interface without a menu and a text field."""
    return interface.without(OpenMenu, Field)


@handles(intents.menu_move)
def menu_move(interface: Interface, desk: Desk, by: int) -> Interface:
    """Highlight the entry `by` places further on; above the first entry is the text field."""
    content, current = menu_of(interface, desk), interface.menu
    places = content.choosable() if content else []
    if content is None or current is None or not places:
        return close_menu(interface)
    at = places.index(current.at) if current.at in places else 0
    if at + by < 0 and abs(by) == 1:
        return _edit(interface, content) if content.field else interface.over(current._replace(at=places[-1]))
    if at + by >= len(places) and abs(by) == 1:
        return interface.over(current._replace(at=places[0]))
    return interface.over(current._replace(at=places[min(max(at + by, 0), len(places) - 1)]))


def _edit(interface: Interface, menu: Menu) -> Interface:
    return interface.over(Field(menu.field, len(menu.field)))


@handles(intents.menu_choose)
def menu_choose(interface: Interface, desk: Desk, value: None) -> Interface:
    """Perform the highlighted entry."""
    content, current = menu_of(interface, desk), interface.menu
    if content is None or current is None or current.at not in content.choosable():
        return close_menu(interface)
    return choose_entry(interface, desk, current.at)


@handles(intents.choose_entry)
def choose_entry(interface: Interface, desk: Desk, place: int) -> Interface:
    """Perform an entry of the open menu, and close the menu unless the entry opens another one."""
    menu = menu_of(interface, desk)
    does = menu.entries[place].does if menu and place < len(menu.entries) else None
    if does is None:
        return interface
    return perform(close_menu(interface), desk, does)


@handles(intents.edit_field)
def edit_field(interface: Interface, desk: Desk, value: None) -> Interface:
    menu = menu_of(interface, desk)
    return _edit(interface, menu) if menu and menu.field else interface


@handles(intents.field_accept)
def field_accept(interface: Interface, desk: Desk, value: None) -> Interface:
    menu, field = menu_of(interface, desk), interface.field
    interface = close_menu(interface)
    if field is None or (menu and field.text == menu.field):
        return interface
    takes = field.takes or (menu.takes if menu else None)
    return perform(interface, desk, takes(field.text)) if takes else interface


@handles(intents.field_caret)
def field_caret(interface: Interface, desk: Desk, by: int) -> Interface:
    field = interface.field or Field("", 0)
    caret = min(max(field.caret + by, 0), len(field.text))
    return interface.over(field._replace(caret=caret, fresh=False))


@handles(intents.field_erase)
def field_erase(interface: Interface, desk: Desk, offset: int) -> Interface:
    """Erase the character at the caret plus `offset`, or the whole text while it is unedited."""
    field = interface.field or Field("", 0)
    at = field.caret + offset
    if field.fresh:
        return _edited(interface, desk, "", 0)
    if not 0 <= at < len(field.text):
        return interface
    return _edited(interface, desk, field.text[:at] + field.text[at + 1 :], at)


@handles(intents.field_leave)
def field_leave(interface: Interface, desk: Desk, value: None) -> Interface:
    return interface.without(Field)


@handles(intents.field_all)
def field_all(interface: Interface, desk: Desk, value: None) -> Interface:
    """Select the whole text: typing replaces it."""
    field = interface.field or Field("", 0)
    return interface.over(field._replace(caret=len(field.text), fresh=True))


def field_type(interface: Interface, desk: Desk, text: str) -> Interface:
    """Insert typed text at the caret."""
    field = interface.field or Field("", 0)
    before = "" if field.fresh else field.text[: field.caret]
    after = "" if field.fresh else field.text[field.caret :]
    return _edited(interface, desk, before + text + after, len(before + text))


def field_fill(interface: Interface, desk: Desk, text: str, caret: int) -> Interface:
    """The text of the field being edited, and its caret, as a page's own field has them."""
    field = interface.field
    is_same = field is None or (field.text, field.caret) == (text, caret)
    return interface if is_same else _edited(interface, desk, text, min(max(caret, 0), len(text)))


def _edited(interface: Interface, desk: Desk, text: str, caret: int) -> Interface:
    """The interface with another text in its field; the gallery filters as you type."""
    field = interface.field or Field("", 0)
    interface = interface.over(field._replace(text=text, caret=caret, fresh=False))
    return perform(interface, desk, field.takes(text)) if field.takes is intents.filter_cards else interface
