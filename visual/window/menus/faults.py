"""The menu of faults and other interventions, made from the engine's table of them.

A menu asks for each field that the table requires of an intervention, one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from algorithms.engine.applications import INSIDE
from algorithms.engine.events import MESSAGE, NODE, SENDER, SEQ
from algorithms.engine.faults import FAULTS
from visual.window import intents, keys
from visual.window.intents import Do, Intent
from visual.window.menus import Entry, Menu
from visual.window.run_view import RunView
from visual.window.state import Interface, Selection
from visual.words import naming, node_name, timer_name

DELAYS = (1.0, 3.0, 10.0)  # in mean delays
_ALSO_NEEDED = {"recover": ("memory",)}
_KEYS: dict[str, Intent[None]] = {  # interventions with a keyboard key, and its intent
    "crash": intents.crash_or_recover,
    "recover": intents.crash_or_recover,
    "pause": intents.pause_or_resume,
    "resume": intents.pause_or_resume,
    "drop": intents.drop,
    "delay": intents.delay,
    "lose-token": intents.lose_token,
    "request": intents.request,
}
_NOT_HERE = ("load", "tune", "act")  # two have menus of their own, acts are chosen in a classroom


def needs_of(do: str) -> tuple[str, ...]:
    """The fields that an intervention requires."""
    return (*FAULTS[do].needs, *_ALSO_NEEDED.get(do, ()))


def fault_menu(interface: Interface, run: RunView, chosen: str) -> Menu:
    """The menu of interventions; once one is `chosen` ("cut:3"), the menu for its next field."""
    if not chosen:
        selection = interface.selection
        possible = [do for do in FAULTS if "token" not in do or run.simulation.algorithm.token is not None]
        entries = [_fault_entry(do, selection, run) for do in possible if do not in _NOT_HERE]
        return Menu("faults and other interventions", tuple(entries))
    do, *values = chosen.split(":")
    fields: dict[str, Any] = dict(zip(needs_of(do), (_value(v) for v in values), strict=False))
    need = needs_of(do)[len(values)]
    candidates = _CANDIDATES[need](run, {"do": do, **fields})
    entries = [Entry(label, _intervene(do, {**fields, need: value})) for label, value in candidates]
    return Menu(
        f"{FAULTS[do].words}: {_QUESTIONS[need]}", tuple(entries) or (Entry("there is nothing to choose from"),)
    )


def action_menu(interface: Interface, run: RunView) -> Menu | None:
    """The menu of what can be done to the selected node or message, which a right click opens."""
    selection = interface.selection
    if selection is None:
        return None
    fits = [do for do in FAULTS if do not in _NOT_HERE and needs_of(do)[:1] == (selection.kind,)]
    if selection.kind == "node":
        fits = [do for do in fits if makes_sense(do, run, selection.number)]
    entries = [_fault_entry(do, selection, run)._replace(note=_key_of(do)) for do in fits]
    looks: list[tuple[str, Do[Any]]] = [
        ("inspect", intents.toggle("inspector")),
        ("history", intents.open_page("history")),
    ]
    if selection.kind == "node":
        looks.append(("only what it knows", intents.local_view()))
    entries += [Entry(words, does, keys.hint(does)) for words, does in looks]
    return Menu(_name_of(selection, run), tuple(entries))


def makes_sense(do: str, run: RunView, node: int) -> bool:
    """Whether an intervention would change anything at a node."""
    simulation = run.simulation
    state = simulation.state_of(node)
    timers = any(owner == node for owner, _ in simulation.timers.due)
    possible = {
        "crash": not simulation.is_gone(node),
        "leave": not simulation.is_gone(node),
        "recover": simulation.is_crashed(node),
        "pause": simulation.is_up(node),
        "resume": simulation.is_paused(node),
        "request": simulation.is_up(node),
        "exit": state == INSIDE,
        "fire": simulation.is_up(node) and timers,
    }
    return possible.get(do, True)


def _key_of(do: str) -> str:
    return keys.hint(_KEYS[do]()) if do in _KEYS else ""


def _fault_entry(do: str, selection: Selection | None, run: RunView) -> Entry:
    """The entry of an intervention; a selection of the required kind becomes its first field."""
    needs = needs_of(do)
    key = _key_of(do)
    if not needs or selection is None or needs[0] != selection.kind:
        return Entry(FAULTS[do].words + (" …" if needs else ""), _intervene(do, {}), key)
    more = " …" if len(needs) > 1 else ""
    first: dict[str, int] = {selection.kind: selection.number}
    return Entry(f"{FAULTS[do].words}{more}", _intervene(do, first), f"{_name_of(selection, run)}  {key}".rstrip())


def _name_of(selection: Selection, run: RunView) -> str:
    if selection.kind == "node":
        return node_name(selection.number)
    message = run.message(selection.number)
    return message_words(message) if message else ""


def message_words(entry: Any) -> str:
    """A message in transit in words: type, sender and receiver."""
    return f"{type(entry[MESSAGE]).__name__} {node_name(entry[SENDER])} → {node_name(entry[NODE])}"


def _intervene(do: str, fields: dict[str, Any]) -> Do:
    """Intervene if all fields are known, otherwise open the menu for the next one."""
    needs = needs_of(do)
    if all(need in fields for need in needs):
        return intents.intervene((do, tuple(fields.items())))
    return intents.open_menu(":".join(["faults", do, *(str(fields[need]) for need in needs if need in fields)]))


def _value(text: str) -> Any:
    try:
        return int(text)
    except ValueError:
        return text


Candidates = Iterable[tuple[str, Any]]


def _nodes_to_choose(run: RunView, fields: dict[str, Any]) -> Candidates:
    return ((node_name(n), n) for n in range(run.scenario.nodes) if makes_sense(fields["do"], run, n))


def _peers_to_choose(run: RunView, fields: dict[str, Any]) -> Candidates:
    return ((node_name(n), n) for n in run.simulation.processes[fields["node"]].peers)


def _messages_to_choose(run: RunView, fields: dict[str, Any]) -> Candidates:
    flying = sorted(run.simulation.queue.between_processes())
    return ((message_words(entry), entry[SEQ]) for entry in flying)


def _delays_to_choose(run: RunView, fields: dict[str, Any]) -> Candidates:
    flight = run.scenario.network.flight
    return ((f"by {flight * times:g}", flight * times) for times in DELAYS)


def _timers_to_choose(run: RunView, fields: dict[str, Any]) -> Candidates:
    names, timers = naming(run.simulation), sorted(run.simulation.timers.due)
    return ((timer_name(name, names), name) for node, name in timers if node == fields["node"])


def _groups_to_choose(run: RunView, fields: dict[str, Any]) -> Candidates:
    nodes = tuple(range(run.scenario.nodes))
    half = (len(nodes) + 1) // 2
    return (
        (f"{node_name(0)} … {node_name(half - 1)}  |  the others", (nodes[:half], nodes[half:])),
        ("even  |  odd", (nodes[::2], nodes[1::2])),
        *((f"{node_name(n)}  |  the others", ((n,), nodes[:n] + nodes[n + 1 :])) for n in nodes[:30]),
    )


def _memory_to_choose(run: RunView, fields: dict[str, Any]) -> Candidates:
    return (("with its memory", True), ("without memory", False))


_CANDIDATES: dict[str, Callable[[RunView, dict[str, Any]], Candidates]] = {
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
