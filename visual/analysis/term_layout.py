"""A term arranged by node: the data each has to send, its history, the messages received and sent, and its traps.

The highlight of an element tells what the last step did to it: "new", or "gone", which is still shown; or that the
selected rule application would match it, "matched". Positions on the screen are the scene's concern.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import takewhile
from typing import Literal, NamedTuple, TypeAlias

from algorithms.engine.events import APPLIED, KIND, TERM
from algorithms.engine.rewrite import CARRIER, system_of
from algorithms.engine.rewrite.rewriting import PHI, Bag, History, State, System, Term, node_in
from algorithms.engine.simulation import Simulation
from visual.words import node_name, subscripted

Light: TypeAlias = Literal["", "new", "gone", "matched"]
Matched: TypeAlias = Collection[tuple[int, Term]]  # (component, element of it)


class Chip(NamedTuple):
    """A short label: a datum, a trap for another node or, with a family, a message from or to another node."""

    text: str
    light: Light = ""
    family: Literal["", "ask", "token"] = ""
    other: int = -1  # node; -1 for none


class Ribbon(NamedTuple):
    """A history; its events are new from index `fresh` on. `carrier` is the kind of message it is in, if any."""

    events: History
    fresh: int
    light: Light = ""
    carrier: str = ""


class NodeLane(NamedTuple):
    """The elements of the term that belong to one node."""

    node: int
    has_token: bool
    token_light: Light
    data: tuple[Chip, ...]
    ribbons: tuple[Ribbon, ...]
    received: tuple[Chip, ...]
    sent: tuple[Chip, ...]
    traps: tuple[Chip, ...]


class TermLayout(NamedTuple):
    """A whole term."""

    components: tuple[str, ...]
    common: Ribbon | None  # the global history, where there is one
    lanes: tuple[NodeLane, ...]
    longest: History


def current_layout(run: Simulation, choice: int | None = None) -> TermLayout:
    """The run's term, highlighted by its last step or, if a choice is given, by what that would match."""
    system = system_of(run.algorithm)
    if system is None:
        raise ValueError(f"{run.algorithm.name} is no rewriting system")
    term: State = run.processes[CARRIER].term
    nodes = range(run.scenario.nodes)
    choices = run.processes[CARRIER].choices()
    if choice is not None and choice < len(choices):
        application = choices[choice].application
        matched = list(application.rule.matched(term, dict(application.bindings)))
        return term_layout(system, nodes, term, term, matched)
    return term_layout(system, nodes, _before(run, system), term, ())


def _before(run: Simulation, system: System) -> State:
    """The term before the last step."""
    for k in range(run.steps - 2, max(run.trace.forgotten, 0) - 1, -1):
        record = run.trace.step(k)[-1]
        if record[KIND] == APPLIED:
            before: State = record[TERM]
            return before
    return system.initial(run.scenario.nodes)


def term_layout(system: System, nodes: Iterable[int], before: State, after: State, matched: Matched) -> TermLayout:
    """The term `after`, compared with the one `before`."""
    comparison = _Comparison(system.components, before, after, matched)
    histories = [history for history in system.histories(after) if isinstance(history, History)]
    return TermLayout(
        system.components,
        comparison.common(),
        tuple(comparison.lane(node) for node in nodes),
        max(histories, key=len, default=History()),
    )


def event_text(event: tuple[str | int, int]) -> str:
    """φ₀, the mark of a turn, or d₀,₁, the first datum of node 0."""
    kind, number = event
    return subscripted(f"φ_{number}" if kind == PHI else f"d_{kind},{number}")


class _Comparison:
    """Two terms of a system, component by component."""

    def __init__(self, components: tuple[str, ...], before: State, after: State, matched: Matched) -> None:
        self._components = components
        self._before, self._after, self._matched = before, after, matched

    def common(self) -> Ribbon | None:
        if "H" not in self._components:
            return None
        place = self._components.index("H")
        before, after = self._before[place], self._after[place]
        return _ribbon(before, after, self._light_of(place, after) if before == after else "new")

    def lane(self, node: int) -> NodeLane:
        carried = (*self._carried("O", node), *self._carried("I", node))
        return NodeLane(
            node,
            *self._token(node),
            self._data(node),
            (*self._local(node), *carried),
            tuple(_message(element, "←", light) for element, light in self._elements("I", node)),
            tuple(_message(element, "→", light) for element, light in self._elements("O", node)),
            tuple(
                Chip(subscripted(f"τ_{node_in(trap[1])}"), light, "", node_in(trap[1]))
                for trap, light in self._elements("W", node)
            ),
        )

    def _token(self, node: int) -> tuple[bool, Light]:
        if "T" not in self._components:
            return False, ""
        place = self._components.index("T")
        before, after = self._before[place], self._after[place]
        if after != node:
            return before == node, "gone" if before == node else ""
        return True, self._light_of(place, after) if before == after else "new"

    def _data(self, node: int) -> tuple[Chip, ...]:
        """The data that the node has to send; a datum just sent is gone."""
        place = self._components.index("Q")
        before, after = _pair(self._before[place], node), _pair(self._after[place], node)
        lit = any(element[0] == node for component, element in self._matched if component == place)
        old = [datum for datum in before if datum[0] != PHI]
        now = [datum for datum in after if datum[0] != PHI]
        gone = [Chip(event_text(datum), "gone") for datum in old if datum not in now]
        unchanged: Light = "matched" if lit else ""
        if not now and lit:
            return (Chip(event_text((PHI, node)), "matched"),)
        return (*gone, *(Chip(event_text(datum), unchanged if datum in old else "new") for datum in now))

    def _local(self, node: int) -> Iterator[Ribbon]:
        if "P" not in self._components:
            return
        place = self._components.index("P")
        before, after = _pair(self._before[place], node), _pair(self._after[place], node)
        if not isinstance(after, History):  # a rule as printed may put something else here
            after = History()
        lit = any(element[0] == node for component, element in self._matched if component == place)
        yield _ribbon(before, after, "matched" if lit else "new" if before != after else "")

    def _carried(self, name: str, node: int) -> Iterator[Ribbon]:
        """The histories in messages."""
        for element, light in self._elements(name, node):
            history = history_in(element[1][1])
            if history is not None and light != "gone":
                yield Ribbon(history, len(history), light, kind_of(element[1][1]))

    def _elements(self, name: str, node: int) -> Iterator[tuple[Term, Light]]:
        """The elements of a bag that belong to the node, those that are gone included."""
        if name not in self._components:
            return
        place = self._components.index(name)
        before, after = self._before[place], self._after[place]
        for element in dict.fromkeys((*before, *after)):
            if node_in(element[0]) == node:
                count = after.count(element)
                light: Light = "gone" if not count else "new" if count > before.count(element) else ""
                yield from [(element, light or self._light_of(place, element))] * max(count, 1)

    def _light_of(self, place: int, element: Term) -> Light:
        return "matched" if (place, element) in self._matched else ""


def _pair(bag: Bag, node: int) -> Term:
    """The node's value in a bag of pairs; () where a rule as printed has dropped the pair."""
    return next((value for who, value in bag if who == node), ())


def _ribbon(before: Term, after: History, light: Light) -> Ribbon:
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(before, after, strict=False)))
    return Ribbon(after, same, light)


def kind_of(message: Term) -> str:
    """The kind of message; in a system whose messages have no kinds, all are tokens."""
    return "token" if isinstance(message, History) else str(message[0])


def history_in(message: Term) -> History | None:
    """The history that a token or a loan carries."""
    content = message if isinstance(message, History) else message[1]
    return content if isinstance(content, History) else None


def _message(element: Term, arrow: str, light: Light) -> Chip:
    other, message = node_in(element[1][0]), element[1][1]
    kind = kind_of(message)
    if kind != "search":
        return Chip(f"{kind} {arrow} {node_name(other)}", light, "token", other)
    whom = node_name(node_in(message[1][-1]))
    return Chip(f"for {whom} {arrow} {node_name(other)}", light, "ask", other)
