"""What of a process can be seen, as plain values: its state, its corner, its queue, what it believes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from algorithms.authoring.queries import is_holding
from algorithms.engine.events import DELIVER, KIND, LOST, NODE, SENDER, Record, affected_nodes
from algorithms.engine.part import parts_of
from algorithms.engine.process import ElectionProcess, Process
from algorithms.engine.simulation import Simulation
from visual.analysis.run_cache import Moment, RunCache
from visual.analysis.tokens import TokenPrecedence, is_spurious, stamp_of, token_precedence, tokens_of
from visual.words import is_array, is_token_stamp, node_name, sorted_values, token_stamp_text, value_text

FEW = 16  # up to so many nodes all show their chips; beyond, only the selected one and the hub of a star


GROWN = " ↑"
_FAR = 300  # steps after which all nodes are seen afresh
_NEAR = 0.001  # as a share: so little above is as good as back


class NodeFacts(NamedTuple):
    """All that can be seen of one node. Equal facts, equal picture."""

    node: int
    state: str  # idle, wanting, inside, crashed, paused
    word: str = ""  # for its state, if not the usual one
    badge: str = ""
    chips: tuple[str, ...] = ()
    chips_name: str = ""
    is_queue: bool = False  # whether the first chip is the head of a queue
    backlog: int = 0  # further requests behind the present one
    held: int = 0  # what waits at the door of a paused node
    token: str = ""  # "held", "spurious", or what has secretly become of it: "lose", "duplicate"
    token_name: str = ""  # where there are several
    leads: bool = False  # takes itself for the leader
    believes: str = ""  # whom else it takes for the leader
    suspects: tuple[int, ...] = ()  # whom it takes for crashed
    lit: str = ""  # its part in the present step: it "acts", or has "sent" what that is about
    selected: bool = False


def all_facts(cache: RunCache, selected: str = "") -> list[NodeFacts]:
    """The facts of all nodes at the present step, in order."""
    return cache.get(_facts_at, cache, Moment(cache.run), int(selected[5:]) if selected.startswith("node:") else -1)


def _facts_at(cache: RunCache, moment: Moment, selected: int) -> list[NodeFacts]:
    return cache.get(_Onlooker, cache, selected).look(moment)


class _Onlooker:
    """Sees all nodes at one moment after the other. A step changes only the node that it happens at."""

    def __init__(self, cache: RunCache, selected: int) -> None:
        self._cache = cache
        self._run = cache.run
        self._selected = selected
        self._facts: list[NodeFacts] = []
        self._steps = 0  # how many had been executed when they were seen
        self._moment: Moment | None = None
        self._glance: _Glance | None = None

    def look(self, moment: Moment) -> list[NodeFacts]:
        """The facts at the present moment of the run."""
        run = self._run
        glance = _Glance(
            run,
            _parts_in_step(moment.event),
            self._selected,
            len(run.processes) <= FEW,
            (run.scenario.topology or run.algorithm.topology) == "star",
            leader_variable(run.process_class),
            _variables_called("suspected", run),
            self._cache.get(token_precedence, moment),
            getattr(run.process_class, run.algorithm.badge_rest) if run.algorithm.badge_rest else None,
        )
        facts = self._facts.copy() or [NodeFacts(node, "") for node in range(len(run.processes))]
        for node in self._changed(glance):
            facts[node] = _facts(run.processes[node], glance)
        self._facts, self._steps, self._moment, self._glance = facts, run.steps, moment, glance
        return facts

    def _changed(self, glance: _Glance) -> Iterable[int]:
        """The nodes that may look otherwise than they were seen last."""
        run, before = self._run, self._glance
        everybody = range(len(run.processes))
        goes_on = run.trace.forgotten < self._steps <= run.steps <= self._steps + _FAR
        if not goes_on or before is None or Moment(run, self._steps) != self._moment or before.tokens != glance.tokens:
            return everybody
        events = (run.trace.event(k) for k in range(self._steps, run.steps))
        affected = set[int]().union(*(affected_nodes(event, len(everybody)) for event in events))
        return sorted(affected | before.parts.keys() | glance.parts.keys())


class _Glance(NamedTuple):
    """What the facts of every node depend on."""

    run: Simulation
    parts: dict[int, str]  # node -> its part in the present step
    selected: int
    few: bool
    star: bool
    leader: str  # the variable that holds the leader
    suspected: list[str]  # those that hold whom a process takes for crashed
    tokens: TokenPrecedence
    rest: float | None  # what the value at a node's corner goes back to, if it does


def _facts(process: Any, glance: _Glance) -> NodeFacts:
    run, node, selected = glance.run, process.id, process.id == glance.selected
    algorithm, variables = run.algorithm, vars(process)
    shows_chips = glance.few or selected or (glance.star and len(process.peers) > 1)
    chips = _variable(process, algorithm.chips) if shows_chips else None
    leader = variables.get(glance.leader)
    up, holding = not run.is_gone(node), is_holding(run, process)
    return NodeFacts(
        node=node,
        state=run.state_of(node),
        badge=_badge(process, glance),
        chips=_chips(chips, len(run.processes)) if chips else (),
        chips_name=algorithm.chips.replace("_", " ") if chips and algorithm.chips else "",
        is_queue=not (isinstance(chips, set | frozenset | dict) or is_array(chips, len(run.processes))),
        backlog=len(run.applications.behind[node]),
        held=len(run.held[node]) if node in run.held else 0,
        token=_token(process, glance) if holding else "",
        token_name=_token_name(process, glance) if holding and glance.tokens.several else "",
        leads=up and leader == node,
        believes="" if leader is None or leader == node else node_name(leader),
        suspects=_suspects(variables, glance.suspected) if glance.suspected else (),
        lit=glance.parts.get(node, ""),
        selected=selected,
    )


def _badge(process: Any, glance: _Glance) -> str:
    """The value at a node's corner; with an arrow while it is above what it goes back to.

    Among many nodes a value that is back where it was is left out: it would only hide the others.
    """
    value = _variable(process, glance.run.algorithm.badge)
    if glance.rest is not None and value > glance.rest * (1 + _NEAR):
        return f"{value_text(value)}{GROWN}"
    return value_text(value) if glance.rest is None or glance.few or process.id == glance.selected else ""


def _token(process: Any, glance: _Glance) -> str:
    """What there is to see of the token in a process's hands."""
    fate = glance.run.post.marks.get(process.id)
    if fate:
        return fate
    tokens = list(tokens_of(process, glance.run.algorithm.token))
    spurious = tokens and all(is_spurious(token, glance.tokens.first) for token in tokens)
    return "spurious" if spurious else "held"


def fate_of(seen: NodeFacts) -> str:
    """What a node's token shows: where the node has crashed, that the token is gone with it."""
    return "dead" if seen.token and seen.state == "crashed" else seen.token


def _token_name(process: Any, glance: _Glance) -> str:
    names = [
        token_stamp_text(stamp)
        for token in tokens_of(process, glance.run.algorithm.token)
        if (stamp := stamp_of(token))
    ]
    return f"{names[0]} +{len(names) - 1}" if len(names) > 1 else next(iter(names), "")


def _variable(process: Any, name: str | None) -> Any:
    """A variable of a process by name, or something that it works out from its variables; None if there is none."""
    if name is None:
        return None
    variables = vars(process)
    return variables[name] if name in variables else getattr(process, name, None)


def leads(run: Simulation, node: int) -> bool:
    """Whether a process is up and takes itself for the leader."""
    leader = vars(run.processes[node]).get(leader_variable(run.process_class))
    return leader == node and not run.is_gone(node)


def leader_variable(process: type[Process]) -> str:
    """The variable that holds the leader: of the process itself, or of the part that elects; "" if there is none."""
    if issubclass(process, ElectionProcess):
        return "leader"
    parts = parts_of(process).items()
    return next((f"{name}.leader" for name, part in parts if issubclass(part.process, ElectionProcess)), "")


def _suspects(variables: dict[str, Any], names: list[str]) -> tuple[int, ...]:
    return tuple(sorted({other for name in names for other in variables[name]}))


def _variables_called(name: str, run: Simulation) -> list[str]:
    """The variables of that name, of the processes themselves or of their parts, that hold nodes."""
    variables = vars(run.processes[0])
    return [key for key, value in variables.items() if key.rpartition(".")[2] == name and isinstance(value, set)]


def _parts_in_step(event: Record | None) -> dict[int, str]:
    """Who acted in the step of that event, and who sent what it acted on."""
    if event is None or event[NODE] < 0 or event[KIND] == LOST:
        return {}
    return {event[SENDER]: "sent", event[NODE]: "acts"} if event[KIND] == DELIVER else {event[NODE]: "acts"}


def _chips(values: Collection[Any] | Mapping[Any, Any], nodes: int) -> tuple[str, ...]:
    """The elements in short; a small whole number is taken for a node, but what an array holds is a value."""
    if isinstance(values, Mapping):
        return tuple(f"{_chip(k, nodes)}:{value_text(v) or '–'}" for k, v in values.items())
    if isinstance(values, set | frozenset):
        values = sorted_values(values)
    if not isinstance(values, Collection):
        return (value_text(values),)
    if is_array(values, nodes):
        return tuple(value_text(value) or "–" for value in values)
    if all(is_token_stamp(value) for value in values):
        return _token_names(list(values))
    return tuple(_chip(value, nodes) for value in values)


def _token_names(values: list[tuple[float, int]]) -> tuple[str, ...]:
    """Tokens by who made them; with the time where that alone does not tell them apart."""
    makers = [maker for _, maker in set(values)]
    return tuple(node_name(v[1]) if makers.count(v[1]) == 1 else token_stamp_text(v) for v in values)


def _chip(value: Any, nodes: int) -> str:
    is_node = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < nodes
    return node_name(value) if is_node else value_text(value) or "–"
