"""Fair liveness: whether a request can stay outstanding forever although nobody stands still.

A run is fair if no action stays possible forever without being taken (weak fairness: Lamport, The temporal logic of
actions, ACM TOPLAS 16(3), 1994). An action is the arrival of the next message on a channel, the end of a stay in the
critical section, or the expiry of a timer that is running. Nobody has to request, and the number of faults is bounded.

So a request is never served in some fair run if it is outstanding in each state of a strongly connected set, and
each action is taken within the set or impossible in one of its states. It also is in a state without steps.
Random choices may fall against a process forever, which a real run does only with probability 0.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Generator, Hashable, Iterable, Iterator, Mapping, Sequence

from algorithms.engine.check.encoding import State
from algorithms.engine.check.moves import Move, Transition
from algorithms.engine.check.transitions import TransitionSystem

Action = tuple[Hashable, ...]
Moment = tuple[int, frozenset[Action]]  # the number of a state, and the actions neglected since the cycle began
Lasso = tuple[int, list[Transition]]  # the number of a state, and the moves of a cycle from there


class FairCycles:
    """The search for a fair cycle of states through which an obligation stays.

    `row` gives the numbers of the successors of a state by its number, `numbers` the number of a state.
    """

    def __init__(
        self,
        system: TransitionSystem,
        states: Sequence[State],
        numbers: Mapping[State, int],
        row: Callable[[int], Sequence[int]],
        obligations: Sequence[int],
    ) -> None:
        self._system = system
        self._states, self._numbers = states, numbers
        self._row = row
        self._obligations = obligations

    def first(self) -> Generator[None, None, Lasso | None]:
        """The fair cycle that begins in the earliest state, and is a shortest one from there; None if there is none.

        There is a pause after each state.
        """
        best: set[int] = set()
        for node in range(self._system.nodes):
            for component in self._components(1 << node):
                if component and (not best or min(component) < min(best)):
                    members = set(component)
                    if (yield from self._is_fair(members)):
                        best = members
                yield
        return (yield from self._cycle(min(best), best)) if best else None

    def _components(self, obligation: int) -> Iterator[list[int]]:
        """The strongly connected sets of states with the obligation; an empty one for a pause after each state."""
        outstanding = (n for n, obligations in enumerate(self._obligations) if obligations & obligation)
        return components(
            len(self._states),
            outstanding,
            lambda number: [after for after in self._row(number) if self._obligations[after] & obligation],
        )

    def _is_fair(self, members: set[int]) -> Generator[None, None, bool]:
        """Whether each action is taken within the set, or impossible in one of its states."""
        neglected: set[Action] | None = None
        for number in members:
            possible, steps = self._possible(number)
            taken = {self._action(move) for move, after in steps if self._numbers.get(after) in members}
            neglected = (possible if neglected is None else neglected & possible) - taken
            if not neglected:
                return True
            yield
        return False

    def _possible(self, number: int) -> tuple[set[Action], list[Transition]]:
        """The actions that are possible in a state, and its steps; a timer can expire from when it is set."""
        state = self._states[number]
        steps = self._system.successors(state).steps
        timers = (("fire", node, timer) for node, timer in self._system.timers(state))
        return {*(self._action(move) for move, _ in steps), *timers}, steps

    def _action(self, move: Move) -> Action:
        """The action of which a move is one form; on a channel that is not FIFO, each message is one of its own."""
        if move.envelope is None:
            return move.do, move.node, move.timer
        return move.do, move.node, move.sender, None if self._system.is_fifo else move.envelope

    def _cycle(self, start: int, members: set[int]) -> Generator[None, None, Lasso]:
        """The shortest fair cycle from a state through others of a fair set, breadth first.

        It keeps account of the actions that have been possible all along, and not been taken yet.
        """
        root = (start, frozenset(self._possible(start)[0]))
        origins: dict[Moment, tuple[Moment, Transition]] = {}
        untried = deque([root])
        while True:
            here = untried.popleft()
            number, neglected = here
            steps, requests, _, _ = self._system.successors(self._states[number])
            for transition in (*steps, *requests):
                after = self._numbers.get(transition[1], -1)
                if after not in members:
                    continue
                there = (after, (neglected - {self._action(transition[0])}) & self._possible(after)[0])
                if there == (start, frozenset()):
                    return start, [*_path(origins, root, here), transition]
                if there != root and there not in origins:
                    origins[there] = here, transition
                    untried.append(there)
            yield


def _path(origins: Mapping[Moment, tuple[Moment, Transition]], root: Moment, end: Moment) -> list[Transition]:
    """The transitions that lead from `root` to `end`."""
    path = []
    while end != root:
        end, transition = origins[end]
        path.append(transition)
    return path[::-1]


def components(count: int, roots: Iterable[int], successors: Callable[[int], Sequence[int]]) -> Iterator[list[int]]:
    """The strongly connected components with a cycle of a graph whose vertices are below `count`.

    Pearce, A space-efficient algorithm for finding strongly connected components, IPL 116(1), 2016: one number for each
    vertex. An empty component stands for a pause after each vertex.
    """
    ranks = array("I", bytes(4 * count))  # 0: not visited; then the lowest it reaches; once in a component, above these
    rank, done = 1, count
    waiting: list[int] = []  # visited, in no component yet, and not on the path
    for root in roots:
        if ranks[root]:
            continue
        path = [(root, rank, iter(successors(root)))]
        ranks[root] = rank
        rank += 1
        while path:
            vertex, own, ahead = path[-1]
            for after in ahead:
                if not ranks[after]:
                    path.append((after, rank, iter(successors(after))))
                    ranks[after] = rank
                    rank += 1
                    break
                ranks[vertex] = min(ranks[vertex], ranks[after])
            else:
                path.pop()
                if path:
                    ranks[path[-1][0]] = min(ranks[path[-1][0]], ranks[vertex])
                if ranks[vertex] < own:
                    waiting.append(vertex)
                else:
                    component = [vertex]
                    while waiting and ranks[waiting[-1]] >= own:
                        component.append(waiting.pop())
                    for member in component:
                        ranks[member] = done
                    rank -= len(component)
                    done -= 1
                    if len(component) > 1 or vertex in successors(vertex):
                        yield component
                yield []
