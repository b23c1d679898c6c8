"""What the menus hold: pure data, made afresh from the run whenever a menu is open.

A menu's id may carry what has been chosen so far: "faults:cut:3" asks for the other end of a link from P3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from algorithms import catalog
from algorithms.engine.events import MESSAGE, NODE, SENDER, SEQ
from algorithms.engine.faults import FAULTS
from algorithms.engine.randomness import Fixed
from algorithms.engine.workload import Burst, Closed, Load, Poisson, Saturated, Script
from visual.interface.inputs import Do
from visual.interface.session import Session
from visual.interface.state import Interface

MOST_NODES = 300
NODE_CHOICES = (2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 30, 50, 100, 200, 300)
RATES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)  # requests per node and unit of time
THINKING = (50.0, 20.0, 10.0, 5.0, 2.0)
HOLDS = (0.5, 1.0, 2.0, 5.0)
DELAYS = (1.0, 3.0, 10.0)  # in average flights


class Entry(NamedTuple):
    """A line of a menu. One without `does` is a heading."""

    label: str
    does: Do | None = None
    note: str = ""
    on: bool = False  # ticked: this is how it is now


class Menu(NamedTuple):
    """`field` is the text that its text field starts with, "" for no field; `takes` is done with what was typed."""

    title: str
    entries: tuple[Entry, ...]
    field: str = ""
    takes: str = ""  # action that is given the text

    def choosable(self) -> list[int]:
        """The places of the entries that are no headings."""
        return [place for place, entry in enumerate(self.entries) if entry.does]


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
            return _faults(interface, session, chosen)
        case "more":
            return _more(session)
    return None


def _algorithms(session: Session) -> Menu:
    entries: list[Entry] = []
    scenario = session.scenario
    for family, algorithms in catalog.by_family().items():
        if not algorithms:
            continue
        entries.append(Entry(family))
        for algorithm in algorithms:
            here = algorithm.name == scenario.algorithm
            entries.append(
                Entry(
                    algorithm.title,
                    Do("choose_algorithm", (algorithm.name, None)),
                    algorithm.summary,
                    here and scenario.variant is None,
                )
            )
            if here:
                entries += [
                    Entry(
                        f"… {name}", Do("choose_algorithm", (algorithm.name, name)), v.summary, name == scenario.variant
                    )
                    for name, v in algorithm.variants.items()
                ]
    return Menu("algorithm", tuple(entries))


def _nodes(session: Session) -> Menu:
    present = session.scenario.nodes
    entries = [Entry(str(n), Do("choose_nodes", n), on=n == present) for n in NODE_CHOICES]
    return Menu(f"nodes, 2 to {MOST_NODES}", tuple(entries), str(present), "nodes_typed")


def _seeds(session: Session) -> Menu:
    present = session.scenario.seed
    entries = (
        Entry("a new seed", Do("new_seed")),
        *(Entry(str(n), Do("choose_seed", n), on=n == present) for n in range(1, 9)),
    )
    return Menu("seed", entries, str(present), "seed_typed")


def _loads(session: Session) -> Menu:
    present = session.run.load
    hold = present.hold

    def entry(label: str, load: Load, note: str = "") -> Entry:
        return Entry(label, Do("change_load", load), note, load == present)

    entries = [Entry("who asks")]
    if isinstance(session.scenario.load, Script):
        entries.append(entry("as the script says", session.scenario.load))
    entries += [
        entry("nobody by itself", Load(hold=hold), "only by hand"),
        *(entry(f"{rate:g} per node", Poisson(rate=rate, hold=hold), "at random") for rate in RATES),
        *(entry(f"thinks {mean:g}, then asks", Closed(think=mean, hold=hold), "and waits") for mean in THINKING),
        entry("everybody, all the time", Saturated(hold=hold)),
        entry("all at once, every 20", Burst(every=20.0, hold=hold)),
        Entry("time inside"),
        *(entry(f"{time:g}", _holding(present, time)) for time in HOLDS),
    ]
    return Menu("load", tuple(entries))


def _holding(load: Load, time: float) -> Load:
    from dataclasses import replace

    return replace(load, hold=Fixed(time))


def load_words(load: Load) -> str:
    """A load in a word or a number, for the header."""
    match load:
        case Poisson(rate=rate):
            return f"{rate:g}"
        case Closed(think=think):
            return f"think {think:g}"
        case Script():
            return "script"
        case Saturated():
            return "full"
        case Burst():
            return "bursts"
    return "by hand" if type(load) is Load else type(load).__name__.lower()


# ---- faults: whatever the table of faults needs is asked for, one thing at a time -------------------------------


_ALSO_NEEDED = {"recover": ("memory",)}
_NOT_HERE = ("load",)  # has a menu of its own


def needs_of(do: str) -> tuple[str, ...]:
    """The fields that have to be known before it can be done."""
    return (*FAULTS[do].needs, *_ALSO_NEEDED.get(do, ()))


def _faults(interface: Interface, session: Session, chosen: str) -> Menu:
    if not chosen:
        known = selected(interface)
        entries = [_fault_entry(do, known, session) for do in FAULTS if do not in _NOT_HERE and _possible(do, session)]
        return Menu("faults and other interventions", tuple(entries))
    do, *values = chosen.split(":")
    known = dict(zip(needs_of(do), (_value(v) for v in values), strict=False))
    need = needs_of(do)[len(values)]
    entries = [
        Entry(label, _intervene(do, {**known, need: value})) for label, value in _CANDIDATES[need](session, known)
    ]
    return Menu(
        f"{FAULTS[do].words}: {_QUESTIONS[need]}", tuple(entries) or (Entry("there is nothing to choose from"),)
    )


def selected(interface: Interface) -> dict[str, int]:
    """The selection, as fields of an event: {"node": 3} or {"message": 17} or nothing."""
    kind, _, number = interface.selection.partition(":")
    return {kind: int(number)} if number else {}


def _possible(do: str, session: Session) -> bool:
    return session.run.algorithm.token is not None or "token" not in do


def _fault_entry(do: str, known: dict[str, int], session: Session) -> Entry:
    needs = needs_of(do)
    if not needs or needs[0] not in known:
        return Entry(FAULTS[do].words + (" …" if needs else ""), _intervene(do, {}))
    first = {needs[0]: known[needs[0]]}
    more = " …" if len(needs) > 1 else ""
    return Entry(f"{FAULTS[do].words}{more}", _intervene(do, first), _naming(first, session))


def _naming(fields: dict[str, int], session: Session) -> str:
    if "node" in fields:
        return f"P{fields['node']}"
    message = session.message(fields["message"])
    return message_words(message) if message else ""


def message_words(entry: Any) -> str:
    """A message in flight in words: its type, from whom, to whom."""
    return f"{type(entry[MESSAGE]).__name__} P{entry[SENDER]} → P{entry[NODE]}"


def _intervene(do: str, known: dict[str, Any]) -> Do:
    """Do it if everything is known, else ask for the next thing."""
    needs = needs_of(do)
    if all(need in known for need in needs):
        return Do("intervene", (do, tuple(known.items())))
    return Do("open_menu", ":".join(["faults", do, *(str(known[need]) for need in needs if need in known)]))


def _value(text: str) -> Any:
    try:
        return int(text)
    except ValueError:
        return text


Candidates = Iterable[tuple[str, Any]]


def _nodes_to_choose(session: Session, known: dict[str, Any]) -> Candidates:
    return ((f"P{n}", n) for n in range(session.scenario.nodes))


def _peers_to_choose(session: Session, known: dict[str, Any]) -> Candidates:
    return ((f"P{n}", n) for n in session.run.processes[known["node"]].peers)


def _messages_to_choose(session: Session, known: dict[str, Any]) -> Candidates:
    flying = [entry for entry in session.run.post.in_flight() if entry[NODE] != entry[SENDER]]
    return ((message_words(entry), entry[SEQ]) for entry in flying)


def _delays_to_choose(session: Session, known: dict[str, Any]) -> Candidates:
    flight = session.scenario.network.delay.mean or 1.0
    return ((f"by {flight * times:g}", flight * times) for times in DELAYS)


def _timers_to_choose(session: Session, known: dict[str, Any]) -> Candidates:
    return ((name, name) for node, name in sorted(session.run.timers.due) if node == known["node"])


def _groups_to_choose(session: Session, known: dict[str, Any]) -> Candidates:
    nodes = tuple(range(session.scenario.nodes))
    half = (len(nodes) + 1) // 2
    return (
        (f"P0 … P{half - 1}  |  the others", (nodes[:half], nodes[half:])),
        ("even  |  odd", (nodes[::2], nodes[1::2])),
        *((f"P{n}  |  the others", ((n,), nodes[:n] + nodes[n + 1 :])) for n in nodes[:30]),
    )


def _memory_to_choose(session: Session, known: dict[str, Any]) -> Candidates:
    return (("with its memory", True), ("without memory", False))


_CANDIDATES: dict[str, Callable[[Session, dict[str, Any]], Candidates]] = {
    "node": _nodes_to_choose,
    "to": _peers_to_choose,
    "message": _messages_to_choose,
    "delay": _delays_to_choose,
    "timer": _timers_to_choose,
    "groups": _groups_to_choose,
    "memory": _memory_to_choose,
}
_QUESTIONS = {
    "node": "which node?",
    "to": "to which node?",
    "message": "which message?",
    "delay": "by how much?",
    "timer": "which timer?",
    "groups": "who is separated?",
    "memory": "knowing what?",
}


def _more(session: Session) -> Menu:
    """What found no room in the header."""
    scenario = session.scenario
    return Menu(
        "settings",
        (
            Entry("algorithm …", Do("open_menu", "algorithm"), session.run.algorithm.title),
            Entry("nodes …", Do("open_menu", "nodes"), str(scenario.nodes)),
            Entry("seed …", Do("open_menu", "seed"), str(scenario.seed)),
            Entry("load …", Do("open_menu", "load"), load_words(session.run.load)),
            Entry("faults …", Do("open_menu", "faults")),
            Entry("theme", Do("next_theme"), "light, dark, print"),
            Entry("help", Do("help")),
        ),
    )
