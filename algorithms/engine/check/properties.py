"""What should be true of a small system whatever happens first, and what a single state says about it.

    always       in every state
    in the end   from every state in which something is owed, it can still be paid, although nobody asks any more and
                 nothing else goes wrong: where nothing goes on nobody waits, and no state is a trap
    sometimes    in some state; otherwise so little happens that the rest means nothing

Always and in the end go by the names of the monitors that watch a single run, and agree with them state by state.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from algorithms.engine.check.election_history import Story
from algorithms.engine.check.encoding import State
from algorithms.engine.check.moves import Failed
from algorithms.engine.check.process_steps import Local
from algorithms.engine.check.transitions import Interleavings
from algorithms.engine.observe.leadership import in_doubt, leaders
from algorithms.engine.process import Algorithm
from algorithms.engine.rewrite import CARRIER, system_of

ALWAYS, IN_THE_END, SOMETIMES = "always", "in the end", "sometimes"


class Sight(NamedTuple):
    """A state as the properties see it; processes that have crashed are not in it."""

    processes: dict[int, Any]
    locals: dict[int, Local]
    tokens: int  # in hand and on the way
    story: Story
    errors: list[str]  # of steps that failed

    def inside(self) -> list[int]:
        """Who is in the critical section."""
        return [node for node, process in self.processes.items() if process.inside]

    def waiting(self) -> set[int]:
        """Who has asked, and waits."""
        return {node for node, local in self.locals.items() if local.waits}

    def leaders(self) -> set[int]:
        """Who is up and taken for the leader by anybody whose belief matters at present."""
        return leaders(self.beliefs(), filter(self.story.counts, self.locals))

    def in_doubt(self) -> set[int]:
        """Who has yet to learn who leads."""
        return in_doubt(self.beliefs(), self.waiting())

    def beliefs(self) -> dict[int, int | None]:
        """Whom each process takes for the leader."""
        return {node: local.belief for node, local in self.locals.items()}


@dataclass(frozen=True)
class Property:
    """One thing that should be true: a name, when, and in plain words what."""

    name: str
    when: str
    words: str


NAMES = {"ME1": "safety", "ME2": "liveness", "ME3": "order", "E1": "agreement", "E2": "knowledge"}
"""What is said aloud, and on screen, for what the lecture notes abbreviate."""

Claim = Callable[[Sight], bool]  # whether it is true in a state
Debt = Callable[[Sight], set[int]]  # to whom something is owed in a state

SAFETY = Property("ME1", ALWAYS, "at most one process at a time is in the critical section")
ORDER = Property("ME3", ALWAYS, "nobody enters before one of whose request it had heard when it asked")
ONE_TOKEN = Property("one token", ALWAYS, "there is exactly one token")
AGREEMENT = Property("E1", ALWAYS, "no two processes disagree about who is the leader")
NO_ERROR = Property("no error", ALWAYS, "no step of the algorithm fails")
LIVENESS = Property("ME2", IN_THE_END, "every request can still be served")
KNOWLEDGE = Property("E2", IN_THE_END, "everybody alive can still come to know the same leader")
ENTRY = Property("entry", SOMETIMES, "somebody is in the critical section")
CONTENTION = Property("contention", SOMETIMES, "two processes want it at a time")
LEADER = Property("leader", SOMETIMES, "an election has ended")
NOTHING = Property("nothing", IN_THE_END, "nothing is owed to anybody")  # where no process asks
APPENDED = Property("appended", SOMETIMES, "somebody has appended to a history")


class Judgement(NamedTuple):
    """What one state says."""

    remarkable: tuple[str, ...]  # what should always be true and is not, and what sometimes should be and is
    owed: int  # bit i: something is owed to process i


class Judge:
    """Judges the states of a system by the properties that fit its algorithm."""

    def __init__(self, system: Interleavings, algorithm: Algorithm) -> None:
        self._system = system
        self._always = _always(algorithm)
        self._sometimes = _sometimes(algorithm, system.nodes)
        self.in_the_end, self._debt = _in_the_end(algorithm)
        self._counts_tokens = algorithm.token is not None
        self._views: dict[tuple[int, int], Any] = {}
        self._judgements: dict[int, Judgement] = {}
        self._alike: dict[Judgement, Judgement] = {}  # there are few different ones

    @property
    def properties(self) -> list[Property]:
        """All of them, in the order in which a report names them."""
        owed = [] if self.in_the_end == NOTHING else [self.in_the_end]
        return [*self._always, *owed, *self._sometimes]

    def judge(self, state: State) -> Judgement:
        """What the state says. It hangs on few of its components, and is worked out once for each of their values."""
        seen = self._system.seen_part(state)
        if self._counts_tokens:
            seen = seen << 8 | self._system.tokens_on_the_way(state)
        judgement = self._judgements.get(seen)
        if judgement is None:
            judgement = self._judged(self.sight(state))
            judgement = self._judgements[seen] = self._alike.setdefault(judgement, judgement)
        return judgement

    def sight(self, state: State) -> Sight:
        """The state as the properties see it."""
        numbers = self._system.numbers(state)
        found = {node: self._system.local(number) for node, number in enumerate(numbers)}
        up = {node: local for node, local in found.items() if isinstance(local, Local)}
        processes = {node: self._view(node, numbers[node], local) for node, local in up.items()}
        tokens = self._system.tokens_on_the_way(state) + sum(local.tokens for local in up.values())
        errors = [local.error for local in found.values() if isinstance(local, Failed)]
        return Sight(processes, up, tokens, self._system.story(state), errors)

    def _judged(self, sight: Sight) -> Judgement:
        broken = [known.name for known, holds in self._always.items() if not holds(sight)]
        shown = [known.name for known, holds in self._sometimes.items() if holds(sight)]
        return Judgement((*broken, *shown), sum(1 << node for node in self._debt(sight)))

    def _view(self, node: int, number: int, local: Local) -> Any:
        view = self._views.get((node, number))
        if view is None:
            view = self._views[node, number] = self._system.view(node, local)
        return view


# ---- which properties fit an algorithm, and how to tell whether they hold ---------------------------------


def _always(algorithm: Algorithm) -> dict[Property, Claim]:
    claims: dict[Property, Claim] = {}
    if algorithm.is_election():
        claims[AGREEMENT] = lambda sight: len(sight.leaders()) <= 1
    elif system_of(algorithm) is None:
        claims[SAFETY] = lambda sight: len(sight.inside()) <= 1
    if keeps_order(algorithm):
        claims[ORDER] = _in_order
    if algorithm.token:
        claims[ONE_TOKEN] = lambda sight: sight.tokens == 1
    names = {known.name for known in claims}
    for name in sorted(algorithm.invariants.keys() - names):
        claims[Property(name, ALWAYS, "the algorithm's own invariant")] = _of_processes(algorithm.invariants[name])
    claims[NO_ERROR] = lambda sight: not sight.errors
    return claims


def _in_the_end(algorithm: Algorithm) -> tuple[Property, Debt]:
    if system_of(algorithm):
        return NOTHING, lambda sight: set()
    if algorithm.is_election():
        return KNOWLEDGE, Sight.in_doubt
    return LIVENESS, Sight.waiting


def _sometimes(algorithm: Algorithm, nodes: int) -> dict[Property, Claim]:
    if system := system_of(algorithm):
        return {APPENDED: lambda sight: any(system.histories(sight.processes[CARRIER].term))}
    if algorithm.is_election():
        return {LEADER: lambda sight: sight.story.any and not sight.story.under_way}
    claims: dict[Property, Claim] = {ENTRY: lambda sight: bool(sight.inside())}
    if nodes > 1:
        claims[CONTENTION] = lambda sight: len(sight.waiting().union(sight.inside())) > 1
    return claims


def keeps_order(algorithm: Algorithm) -> bool:
    """Whether ME3 is checked: where it is promised, for it needs more states."""
    return "ME3" in algorithm.promises


def _in_order(sight: Sight) -> bool:
    waiting = sight.waiting()
    return not any(
        sight.locals[then].asked[first] == sight.locals[first].heard[first]  # a count of requests
        for then in sight.inside()
        for first in waiting
    )


def _of_processes(invariant: Callable[[list[Any]], bool]) -> Claim:
    return lambda sight: invariant(list(sight.processes.values()))
