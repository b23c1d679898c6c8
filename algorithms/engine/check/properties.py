"""The properties of a small system, over all its schedules and in a single state.

    always       in every state
    eventually   from every state with an outstanding obligation it can still be met, without further requests or
                 faults: nobody waits in a deadlock, and no state is doomed; no state is astray, see `convergence`
    fairly       in every fair run each obligation is met: see `fairness`; evaluated only if it is asked for
    sometimes    in some state; otherwise so little happens that the rest means nothing

The first two kinds have the names of the monitors that watch a single run, and agree with them state by state.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, NamedTuple

from algorithms.engine.check.election_history import ElectionHistory
from algorithms.engine.check.encoding import State
from algorithms.engine.check.moves import FailedState
from algorithms.engine.check.process_steps import LocalState
from algorithms.engine.check.transitions import TransitionSystem
from algorithms.engine.observe.invariants import InTransit, holds, sees_messages, value_of
from algorithms.engine.observe.leadership import leaders, uninformed
from algorithms.engine.observe.rivals import Rivals, exclusion_words, rivals_of
from algorithms.engine.observe.verdicts import CONVERGENCE, FAIR_LIVENESS
from algorithms.engine.part import parts_of
from algorithms.engine.process import Algorithm, Invariant
from algorithms.engine.rewrite import CARRIER, system_of
from algorithms.engine.scenario import Scenario

ALWAYS, EVENTUALLY, FAIRLY, SOMETIMES = "always", "eventually", "fairly", "sometimes"


class StateSnapshot(NamedTuple):
    """A state as the properties see it, without the processes that have crashed."""

    processes: dict[int, Any]
    states: dict[int, LocalState]
    tokens: int  # in hand and in transit
    elections: ElectionHistory
    errors: list[str]  # of steps that failed
    in_transit: Callable[[], InTransit]

    def inside(self) -> list[int]:
        """The nodes in the critical section."""
        return [node for node, process in self.processes.items() if process.inside]

    def waiting(self) -> set[int]:
        """The nodes that have asked, and wait."""
        return {node for node, state in self.states.items() if state.is_waiting}

    def most_leaders(self) -> int:
        """The most leaders of one term that are up, according to the nodes whose belief counts at present."""
        believers: dict[int, list[int]] = {}
        for node in filter(self.elections.counts_belief, self.states):
            believers.setdefault(self.states[node].belief_term, []).append(node)
        beliefs = self.beliefs()
        return max((len(leaders(beliefs, nodes)) for nodes in believers.values()), default=0)

    def uninformed(self) -> set[int]:
        """The nodes that have yet to learn who leads."""
        return uninformed(self.beliefs(), self.waiting())

    def beliefs(self) -> dict[int, int | None]:
        """The leader that each node believes in."""
        return {node: state.belief for node, state in self.states.items()}


@dataclass(frozen=True)
class Property:
    """Something that should be true of a system, with a description in plain words."""

    name: str
    when: str
    words: str


Predicate = Callable[[StateSnapshot], bool]
Obligations = Callable[[StateSnapshot], set[int]]  # the nodes whose requests are outstanding in a state

ORDER = Property("ME3", ALWAYS, "nobody enters ahead of a request it already knew of when it asked")
ONE_TOKEN = Property("one token", ALWAYS, "there is exactly one token")
AGREEMENT = Property("E1", ALWAYS, "no two processes disagree about who is the leader")
AGREEMENT_BY_TERM = Property("E1", ALWAYS, f"{AGREEMENT.words} of a term")
NO_ERROR = Property("no error", ALWAYS, "no step of the algorithm fails")
LIVENESS = Property("ME2", EVENTUALLY, "every request can still be served")
KNOWLEDGE = Property("E2", EVENTUALLY, "every live process can still learn the same leader")
FAIR_SERVICE = Property(FAIR_LIVENESS, FAIRLY, "every request is served")
FAIR_KNOWLEDGE = Property(FAIR_LIVENESS, FAIRLY, "every live process learns the same leader")
ENTRY = Property("entry", SOMETIMES, "a process is in the critical section")
CONTENTION = Property("contention", SOMETIMES, "two processes compete for the critical section")
LEADER = Property("leader", SOMETIMES, "an election has ended")
NOTHING = Property("nothing", EVENTUALLY, "nobody waits for anything")  # where no process asks
APPENDED = Property("appended", SOMETIMES, "a node has appended to a history")

OWN = "the algorithm's own invariant"  # the words of a property

FAIR = {LIVENESS: FAIR_SERVICE, KNOWLEDGE: FAIR_KNOWLEDGE}  # the stronger form of “can be met eventually”


class Judgement(NamedTuple):
    """The evaluation of the properties in one state."""

    notable: tuple[str, ...]  # the names of always-properties that fail, and of sometimes-properties that hold
    obligations: int  # bit i: an obligation to process i is outstanding
    has_one: bool = True  # whether there is exactly one privilege, where convergence is promised


class Scope(NamedTuple):
    """The properties that a search is about: by default all; only those of the names `only`.

    With a process `of_order`, only that nobody enters ahead of its requests.
    """

    only: Collection[str] | None = None
    of_order: int | None = None

    def tracked(self, scenario: Scenario, algorithm: Algorithm) -> tuple[int, ...]:
        """The processes whose requests a state has to remember."""
        if not promises_order(algorithm) or not self.includes(ORDER.name):
            return ()
        return tuple(range(scenario.nodes)) if self.of_order is None else (self.of_order,)

    def includes(self, name: str) -> bool:
        """Whether the search is about the property of that name."""
        return self.only is None or name in self.only


ALL = Scope()


class Judge:
    """Judges the states of a system by the properties that fit its algorithm.

    `fair` is its property of fair runs; None if that is not asked for, or nobody waits. `convergence` is None unless it
    is promised.
    """

    def __init__(
        self,
        system: TransitionSystem,
        scenario: Scenario,
        algorithm: Algorithm,
        wants_fairness: bool = False,
        scope: Scope = ALL,
    ) -> None:
        self._system = system
        self._scope = scope
        always = _always(scenario, algorithm, system.tracked)
        self._always = {property_: always[property_] for property_ in always if scope.includes(property_.name)}
        self._sometimes = _sometimes(algorithm, system.nodes) if scope.of_order is None else {}
        self.eventual, self._obligations = _eventually(algorithm)
        if not scope.includes(self.eventual.name):
            self.eventual, self._obligations = NOTHING, lambda snapshot: set()
        self.fair = FAIR.get(self.eventual) if wants_fairness else None
        self.convergence = _convergence(algorithm)
        self._own_privileges = algorithm.privileges
        self._counts_tokens = algorithm.token is not None
        invariants = [function for name, function in algorithm.invariants.items() if scope.includes(name)]
        functions = (*invariants, *filter(None, [algorithm.privileges]))
        self._sees_messages = any(map(sees_messages, functions))
        self.notes_reads = False
        self.names_read: set[str] = set()  # the attributes that the algorithm's own invariants have read, if it does
        self._is_at_own = False  # whether one of them is being evaluated
        self._reads_variables = bool(functions) or system_of(algorithm) is not None
        self._parts = parts_of(algorithm.process)
        self._observed, self._is_settled = cache(self._new_observed), cache(self._new_settled)
        self._is_of_rules = system_of(algorithm) is not None
        self._is_election = algorithm.is_election()
        self._aspects = [cache(partial(self._new_aspect, node)) for node in range(system.nodes)]
        self._processes: dict[tuple[int, int], Any] = {}
        self._judgements: dict[Hashable, Judgement] = {}
        self._distinct: dict[Judgement, Judgement] = {}  # there are few: equal ones share one object

    @property
    def properties(self) -> list[Property]:
        """All properties, in the order of a report."""
        eventual = [None if self.eventual == NOTHING else self.eventual, self.convergence, self.fair]
        return [*self._always, *filter(None, eventual), *self._sometimes]

    def judge(self, state: State) -> Judgement:
        """Evaluate the properties in a state, once for each value of the components that matter."""
        cache_key: Hashable = state if self._sees_messages else self._observable_part(state)
        judgement = self._judgements.get(cache_key)
        if judgement is None:
            judgement = self._judgement_of(self.snapshot(state))
            judgement = self._judgements[cache_key] = self._distinct.setdefault(judgement, judgement)
        return judgement

    def can_reduce(self) -> bool:
        """Whether it is known what the properties depend on, and it is not the shape of the graph as a whole."""
        return not (self._sees_messages or self.fair or self.convergence or self._is_of_rules)

    def may_hide(self, node: int, before: int, after: int, tokens_gained: int) -> bool:
        """Whether a property may fail, or hold as it should, only without an arrival between these states of a process.

        An arrival may let a process enter: the more are inside, the worse. It may not let one leave, nor change the
        number of tokens, what matters in elections, or variables that the algorithm's own invariants have read.
        """
        was, now = self._system.process_state(before), self._system.process_state(after)
        if not (isinstance(was, LocalState) and isinstance(now, LocalState)):
            return True
        if was.tokens != now.tokens + tokens_gained:
            return True
        is_watched = self._is_election or node == self._scope.of_order
        if is_watched and self._own_aspect(node, before, was) != self._own_aspect(node, after, now):
            return True
        if self._activity(node, before, was) > self._activity(node, after, now):
            return True
        changed = {name for name, _ in {*was.variables} ^ {*now.variables}}
        reads_all = not self.names_read.isdisjoint(("__dict__", "_parts", *self._parts))
        return bool(changed) if reads_all else not changed.isdisjoint(self.names_read)

    def is_settled(self, state: State) -> bool:
        """Whether nobody can ever enter ahead of a request of the one process that the search is about.

        It needs a process that knows of the request when it asks, so one that has asked so or may still ask.
        """
        return self._scope.of_order is not None and self._is_settled(self._system.process_numbers(state))

    def _new_settled(self, numbers: tuple[int, ...]) -> bool:
        states = [self._system.process_state(number) for number in numbers]
        own = states.pop(self._scope.of_order or 0)
        if not isinstance(own, LocalState) or not (own.is_waiting or own.requests_left):
            return True
        others = [other for other in states if isinstance(other, LocalState)]
        if any(other.requests_left for other in others):
            return False
        return not (own.is_waiting and any(other.request_clock == own.clock for other in others))

    def _activity(self, node: int, number: int, state: LocalState) -> int:
        """0 for a process that is idle, 1 if it waits, 2 if it is inside."""
        return 2 if getattr(self._process(node, number, state), "inside", False) else int(state.is_waiting)

    def _observable_part(self, state: State) -> tuple[Hashable, ...]:
        """What the properties depend on, if they do not see messages."""
        numbers = self._system.process_numbers(state)
        aspects = [aspect(number) for aspect, number in zip(self._aspects, numbers, strict=True)]
        tokens = self._system.tokens_in_transit(state) if self._counts_tokens else 0
        return (self._system.elections_number(state), tokens, *aspects)

    def _new_aspect(self, node: int, number: int) -> Hashable:
        """What the properties depend on in the state of a process: all of it, if the algorithm has its own."""
        state = self._system.process_state(number)
        if self._reads_variables or not isinstance(state, LocalState):
            return number
        return self._own_aspect(node, number, state)

    def _own_aspect(self, node: int, number: int, state: LocalState) -> Hashable:
        """What the checker's own properties depend on in the state of a process."""
        is_inside = bool(getattr(self._process(node, number, state), "inside", False))
        own = [count for other, count in zip(self._system.tracked, state.clock, strict=True) if other == node]
        clocks = tuple(own), state.request_clock if is_inside else ()
        return is_inside, state.is_waiting, state.belief, state.belief_term, state.tokens, clocks

    def snapshot(self, state: State) -> StateSnapshot:
        """The state as the properties see it."""
        numbers = self._system.process_numbers(state)
        states = {node: self._system.process_state(number) for node, number in enumerate(numbers)}
        up = {node: local for node, local in states.items() if isinstance(local, LocalState)}
        processes = {node: self._process(node, numbers[node], local) for node, local in up.items()}
        tokens = self._system.tokens_in_transit(state) + sum(local.tokens for local in up.values())
        errors = [local.error for local in states.values() if isinstance(local, FailedState)]
        return StateSnapshot(
            processes, up, tokens, self._system.elections(state), errors, lambda: self._in_transit(state)
        )

    def privileges(self, snapshot: StateSnapshot) -> int:
        """The number of privileges, in hands and in transit."""
        if self._own_privileges is None:
            return snapshot.tokens
        return int(value_of(self._own_privileges, list(snapshot.processes.values()), snapshot.in_transit))

    def _in_transit(self, state: State) -> InTransit:
        rows = self._system.messages(state).items()
        return ((sender, receiver, message) for (sender, receiver), row in rows for message in row)

    def _judgement_of(self, snapshot: StateSnapshot) -> Judgement:
        violated = []
        for property_, predicate in self._always.items():
            self._is_at_own = property_.words == OWN
            if not predicate(snapshot):
                violated.append(property_.name)
        self._is_at_own = False
        witnessed = [property_.name for property_, holds in self._sometimes.items() if holds(snapshot)]
        obligations = sum(1 << node for node in self._obligations(snapshot))
        has_one = self.convergence is None or self.privileges(snapshot) == 1
        return Judgement((*violated, *witnessed), obligations, has_one)

    def _process(self, node: int, number: int, state: LocalState) -> Any:
        process = self._processes.get((node, number))
        if process is None:
            process = self._processes[node, number] = self._system.process(node, state)
            if self.notes_reads:
                process.__class__ = self._observed(type(process))  # type: ignore[arg-type]  # mypy: as in `part`
        return process

    def _new_observed(self, process: type) -> type:
        """A class of the same processes that notes which of their attributes are read."""

        def read(own: Any, name: str) -> Any:
            if self._is_at_own:
                self.names_read.add(name)
            return object.__getattribute__(own, name)

        return type(process.__name__, (process,), {"__getattribute__": read})


# ---- the properties of an algorithm, and how to evaluate them ----------------------------------------------


def _always(scenario: Scenario, algorithm: Algorithm, tracked: Sequence[int]) -> dict[Property, Predicate]:
    predicates: dict[Property, Predicate] = {}
    if algorithm.is_election():
        predicates[AGREEMENT_BY_TERM if algorithm.terms else AGREEMENT] = lambda snapshot: snapshot.most_leaders() <= 1
    elif system_of(algorithm) is None:
        predicates[Property("ME1", ALWAYS, exclusion_words(algorithm))] = _exclusion(rivals_of(scenario, algorithm))
    if tracked:
        predicates[ORDER] = _in_order(tracked)
    if algorithm.token:
        predicates[ONE_TOKEN] = lambda snapshot: snapshot.tokens == 1
    names = {property_.name for property_ in predicates}
    for name in sorted(algorithm.invariants.keys() - names):
        predicates[Property(name, ALWAYS, OWN)] = _own(algorithm.invariants[name])
    predicates[NO_ERROR] = lambda snapshot: not snapshot.errors
    return predicates


def _eventually(algorithm: Algorithm) -> tuple[Property, Obligations]:
    if system_of(algorithm):
        return NOTHING, lambda snapshot: set()
    if algorithm.is_election():
        return KNOWLEDGE, StateSnapshot.uninformed
    return LIVENESS, StateSnapshot.waiting


def _convergence(algorithm: Algorithm) -> Property | None:
    if CONVERGENCE not in algorithm.promises:
        return None
    privilege = "privilege" if algorithm.privileges else "token"
    return Property(CONVERGENCE, EVENTUALLY, f"there can still be exactly one {privilege} in the end")


def _sometimes(algorithm: Algorithm, nodes: int) -> dict[Property, Predicate]:
    if system := system_of(algorithm):
        return {APPENDED: lambda snapshot: any(system.histories(snapshot.processes[CARRIER].term))}
    if algorithm.is_election():
        return {LEADER: lambda snapshot: snapshot.elections.has_begun and not snapshot.elections.is_under_way}
    predicates: dict[Property, Predicate] = {ENTRY: lambda snapshot: bool(snapshot.inside())}
    if nodes > 1:
        predicates[CONTENTION] = lambda snapshot: len(snapshot.waiting().union(snapshot.inside())) > 1
    return predicates


def promises_order(algorithm: Algorithm) -> bool:
    """Whether ME3 is checked: only where it is promised, since it needs more states."""
    return "ME3" in algorithm.promises


def _in_order(tracked: Sequence[int]) -> Predicate:
    """ME3: nobody inside knew, when it asked, of a request of a tracked process that still waits."""

    def is_in_order(snapshot: StateSnapshot) -> bool:
        waiting = snapshot.waiting()
        return not any(
            snapshot.states[later].request_clock[place] == snapshot.states[earlier].clock[place]
            for later in snapshot.inside()
            for place, earlier in enumerate(tracked)
            if earlier in waiting
        )

    return is_in_order


def _exclusion(rivals: Rivals) -> Predicate:
    """ME1: no node is inside together with its rivals."""

    def is_exclusive(snapshot: StateSnapshot) -> bool:
        inside = set(snapshot.inside())
        return not any(rivals.excluding(inside, node) for node in inside)

    return is_exclusive


def _own(invariant: Invariant) -> Predicate:
    return lambda snapshot: holds(invariant, list(snapshot.processes.values()), snapshot.in_transit)
