"""The visible facts about each node as plain values: its state, badge, queue, token, and beliefs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from algorithms.authoring.queries import is_holding, role_of
from algorithms.engine.applications import IDLE, is_inside, is_wanting
from algorithms.engine.events import DELIVER, KIND, LOST, NODE, SENDER, Record, affected_nodes
from algorithms.engine.part import parts_of
from algorithms.engine.process import Algorithm, ElectionProcess, Process
from algorithms.engine.simulation import Simulation
from visual.analysis.run_cache import Moment, RunCache
from visual.analysis.tokens import TokenPrecedence, is_spurious, stamp_of, token_precedence, tokens_of
from visual.words import is_array, is_token_stamp, node_name, sorted_values, token_stamp_text, value_text

FEW = 16  # nodes up to which all show their chips; beyond, only the selected one and the hub of a star
GROWN = " ↑"
LEADER, FOLLOWER = "leader", "follower"  # the role of a process that knows the leader
ROLE_WORDS = {
    "asleep": "has not heard of an election",
    "participant": "takes part in the election",
    "active": "may still win",
    "candidate": "may still win",
    "relay": "can no longer win: passes messages on",
    "awaiting answers": "waiting for answers",
    "awaiting coordinator": "waiting for the coordinator",
    LEADER: "is the leader",
    FOLLOWER: "has accepted a leader",
}
"""What a role in an election means; an author's own roles are words themselves."""

_AT_REST = ("asleep", "over", "follower")
"""Roles that tell nothing of a process that knows the leader."""

_MOST_STEPS = 300  # after which the facts of all nodes are recomputed
_TOLERANCE = 0.001  # a share: a badge that is so little above its value at rest counts as at rest


class ChipRow(NamedTuple):
    """The elements of a node's variable as chips, with its name; those of a queue begin with the head."""

    name: str
    chips: tuple[str, ...]
    is_queue: bool
    is_array: bool  # one value for each process


class EdgeEnd(NamedTuple):
    """A thing that a node has at its end of the link to another, such as a fork; perhaps marked, as dirty forks are."""

    name: str
    other: int
    is_marked: bool


class NodeFacts(NamedTuple):
    """The visible facts about one node; equal facts make equal pictures."""

    node: int
    state: str  # idle, wanting, inside, crashed, paused, or a role in an election
    label: str = ""  # its own name, if the scenario gives one
    word: str = ""  # for its state, where it is not the usual one
    identity: str = ""  # the number that it goes by, where that is not the place of all
    badge: str = ""
    rows: tuple[ChipRow, ...] = ()
    pointers: tuple[tuple[str, int], ...] = ()  # (variable, the node that it names)
    region: tuple[int, ...] = ()  # the nodes to be shaded for it
    group: int = -1  # the node that names its group, which is shaded
    ends: tuple[EdgeEnd, ...] = ()
    backlog: int = 0  # further requests behind the present one
    held: int = 0  # number of events that wait for a paused node
    token: str = ""  # "held", "spurious", or a fault that the node does not know of: "lose", "duplicate"
    token_name: str = ""  # where there are several tokens
    is_leader: bool = False  # in its own view
    leader_name: str = ""  # another node that it believes to be the leader
    suspects: tuple[int, ...] = ()  # the nodes that it suspects to have crashed
    lit: str = ""  # its role in the present step: it "acts", or has "sent" the message
    is_selected: bool = False


def all_facts(cache: RunCache, selected: str = "") -> list[NodeFacts]:
    """The facts of all nodes at the present step, in order."""
    return cache.get(_facts_at, cache, Moment(cache.run), int(selected[5:]) if selected.startswith("node:") else -1)


def _facts_at(cache: RunCache, moment: Moment, selected: int) -> list[NodeFacts]:
    return cache.get(_FactsReader, cache, selected).read(moment)


class _FactsReader:
    """Determines the facts of all nodes at one moment after another, recomputing only those that a step affects."""

    def __init__(self, cache: RunCache, selected: int) -> None:
        self._cache = cache
        self._run = cache.run
        self._selected = selected
        self._facts: list[NodeFacts] = []
        self._steps = 0  # number of steps after which they held
        self._moment: Moment | None = None
        self._context: _Context | None = None

    def read(self, moment: Moment) -> list[NodeFacts]:
        """The facts at the present moment of the run."""
        run = self._run
        context = _Context(
            run,
            _roles_in_step(moment.event),
            self._selected,
            len(run.processes) <= FEW,
            (run.scenario.topology or run.algorithm.topology) == "star",
            leader_variable(run.process_class),
            _sets_of_suspects(run),
            self._cache.get(token_precedence, moment),
            getattr(run.process_class, run.algorithm.badge_rest) if run.algorithm.badge_rest else None,
            any(_variable(process, run.algorithm.identity) != process.id for process in run.processes),
        )
        facts = self._facts.copy() or [NodeFacts(node, "") for node in range(len(run.processes))]
        for node in self._changed(context):
            facts[node] = _facts(run.processes[node], context)
        self._facts, self._steps, self._moment, self._context = facts, run.steps, moment, context
        return facts

    def _changed(self, context: _Context) -> Iterable[int]:
        """The nodes whose facts may differ from the latest ones."""
        run, before = self._run, self._context
        nodes = range(len(run.processes))
        continues = run.trace.forgotten < self._steps <= run.steps <= self._steps + _MOST_STEPS
        if (
            not continues
            or before is None
            or Moment(run, self._steps) != self._moment
            or before.tokens != context.tokens
        ):
            return nodes
        events = (run.trace.event(k) for k in range(self._steps, run.steps))
        affected = set[int]().union(*(affected_nodes(event, len(nodes)) for event in events))
        return sorted(affected | before.roles.keys() | context.roles.keys())


class _Context(NamedTuple):
    """The values on which the facts of every node depend."""

    run: Simulation
    roles: dict[int, str]  # node -> its role in the present step
    selected: int
    few: bool
    star: bool
    leader: str  # name of the variable with the leader
    suspected: list[str]  # names of the variables with the suspected nodes
    tokens: TokenPrecedence
    rest: float | None  # value of a badge at rest, if it has one
    is_numbered: bool  # whether a process goes by a number other than its place


def _facts(process: Any, context: _Context) -> NodeFacts:
    run, node, selected = context.run, process.id, process.id == context.selected
    algorithm, variables = run.algorithm, vars(process)
    shows_chips = context.few or selected or (context.star and len(process.peers) > 1)
    leader = variables.get(context.leader)
    up, holding = not run.is_gone(node), is_holding(run, process)
    return NodeFacts(
        node=node,
        state=shown_state(run, node),
        identity=value_text(_variable(process, context.run.algorithm.identity)) if context.is_numbered else "",
        label=run.scenario.names[node] if run.scenario.names else "",
        badge=_badge(process, context),
        rows=tuple(_chip_rows(process, algorithm, len(run.processes))) if shows_chips else (),
        pointers=tuple(_pointers(process, algorithm, len(run.processes))) if algorithm.pointers else (),
        region=_region(process, algorithm, selected=selected) if algorithm.region else (),
        group=_group(process, algorithm, len(run.processes)),
        ends=tuple(_edge_ends(process, algorithm)) if algorithm.at_edges else (),
        backlog=run.applications.backlog(node),
        held=len(run.inboxes[node]) if node in run.inboxes else 0,
        token=_token(process, context) if holding else "",
        token_name=_token_name(process, context) if holding and context.tokens.has_several else "",
        is_leader=up and leader == node,
        leader_name="" if leader is None or leader == node else node_name(leader),
        suspects=tuple(sorted({other for name in context.suspected for other in variables[name]})),
        lit=context.roles.get(node, ""),
        is_selected=selected,
    )


def _chip_rows(process: Any, algorithm: Algorithm, nodes: int) -> Iterator[ChipRow]:
    for name in algorithm.rows_of_chips():
        values = _variable(process, name)
        if values:
            array = is_array(values, nodes)
            is_queue = not (isinstance(values, set | frozenset | dict) or array)
            places = 0 if algorithm.identity else nodes  # without places, an integer is a number of its own
            yield ChipRow(name.replace("_", " "), _chips(values, places), is_queue, array)


def _pointers(process: Any, algorithm: Algorithm, nodes: int) -> Iterator[tuple[str, int]]:
    """The pointers that name another node."""
    for name in algorithm.pointers:
        other = _variable(process, name)
        if isinstance(other, int) and other != process.id and 0 <= other < nodes:
            yield name, other


def _region(process: Any, algorithm: Algorithm, *, selected: bool) -> tuple[int, ...]:
    """The region of a process that waits, is inside or is selected, or takes part in an election."""
    region = _variable(process, algorithm.region) or ()
    is_concerned = selected or is_wanting(process) or is_inside(process) or algorithm.is_election()
    return tuple(sorted(region)) if is_concerned and not isinstance(region, int) else ()


def _group(process: Any, algorithm: Algorithm, nodes: int) -> int:
    """The node that names a process's group; −1 without one."""
    group = _variable(process, algorithm.region) if algorithm.region else None
    return group if isinstance(group, int) and 0 <= group < nodes else -1


def _edge_ends(process: Any, algorithm: Algorithm) -> Iterator[EdgeEnd]:
    for name, marked in algorithm.at_edges.items():
        all_marked = _variable(process, marked) if marked else ()
        for other in sorted(_variable(process, name) or ()):
            yield EdgeEnd(name, other, other in all_marked)


def shown_state(run: Simulation, node: int) -> str:
    """The state of a node, or in an election, while it is up, its role: a process's own, LEADER or FOLLOWER."""
    state = run.state_of(node)
    if state != IDLE or not run.algorithm.is_election():
        return state
    process: Any = run.processes[node]
    known, role = process.leader, role_of(run, process)
    if known is None:
        return IDLE if role == FOLLOWER else role or IDLE
    return role if role and role not in _AT_REST else LEADER if known == node else FOLLOWER


def _badge(process: Any, context: _Context) -> str:
    """The text of a node's badge, with an arrow while its value is above the one at rest.

    Among many nodes a badge at rest is left out, so that the others stand out.
    """
    value = _variable(process, context.run.algorithm.badge)
    if context.rest is not None and value > context.rest * (1 + _TOLERANCE):
        return f"{value_text(value)}{GROWN}"
    return value_text(value) if context.rest is None or context.few or process.id == context.selected else ""


def _token(process: Any, context: _Context) -> str:
    """The visible state of the token that a process holds."""
    fate = context.run.post.marks.get(process.id)
    if fate:
        return fate
    tokens = list(tokens_of(process, context.run.algorithm.token))
    spurious = tokens and all(is_spurious(token, context.tokens.first) for token in tokens)
    return "spurious" if spurious else "held"


def fate_of(facts: NodeFacts) -> str:
    """The visible state of a node's token; "dead" where the node has crashed with it."""
    return "dead" if facts.token and facts.state == "crashed" else facts.token


def _token_name(process: Any, context: _Context) -> str:
    names = [
        token_stamp_text(stamp)
        for token in tokens_of(process, context.run.algorithm.token)
        if (stamp := stamp_of(token))
    ]
    return f"{names[0]} +{len(names) - 1}" if len(names) > 1 else next(iter(names), "")


def _variable(process: Any, name: str | None) -> Any:
    """A variable or a property of a process by name; None if it has none of that name."""
    if name is None:
        return None
    variables = vars(process)
    return variables[name] if name in variables else getattr(process, name, None)


def is_leader(run: Simulation, node: int) -> bool:
    """Whether a process is up and believes itself to be the leader."""
    leader = vars(run.processes[node]).get(leader_variable(run.process_class))
    return leader == node and not run.is_gone(node)


def leader_variable(process: type[Process]) -> str:
    """The name of the variable with the leader, of the process or of the part that elects; "" if there is none."""
    if issubclass(process, ElectionProcess):
        return "leader"
    parts = parts_of(process).items()
    return next((f"{name}.leader" for name, part in parts if issubclass(part.process, ElectionProcess)), "")


def _sets_of_suspects(run: Simulation) -> list[str]:
    """The names of the variables with suspected nodes, of the processes or of their parts."""
    variables = vars(run.processes[0]).items()
    return [key for key, value in variables if key.rpartition(".")[2] == "suspected" and isinstance(value, set)]


def _roles_in_step(event: Record | None) -> dict[int, str]:
    """The node that acted in the step of that event, and the sender of the message, if it was one."""
    if event is None or event[NODE] < 0 or event[KIND] == LOST:
        return {}
    return {event[SENDER]: "sent", event[NODE]: "acts"} if event[KIND] == DELIVER else {event[NODE]: "acts"}


def _chips(values: Collection[Any] | Mapping[Any, Any], nodes: int) -> tuple[str, ...]:
    """The elements as short texts; an integer below `nodes` is a node, except in an array, whose entries are values."""
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
    """The names of tokens: the node that generated each, with the time where the node is not enough."""
    makers = [maker for _, maker in set(values)]
    return tuple(node_name(v[1]) if makers.count(v[1]) == 1 else token_stamp_text(v) for v in values)


def _chip(value: Any, nodes: int) -> str:
    is_node = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < nodes
    return node_name(value) if is_node else value_text(value) or "–"
