"""Single steps of single processes, outside any run.

A step depends only on the process's state and on its input. So the checker executes each step once, with the very
methods that a run calls, and caches the results. Time and random numbers have no values here: see `UnknownNumber` and
`Dice`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, NoReturn

from algorithms.engine.dispatch import Bells, Handlers, connect, reset, rules_of, settle
from algorithms.engine.errors import Endless, duration, refuse
from algorithms.engine.membership import Members
from algorithms.engine.process import ElectionProcess, Message, Process
from algorithms.engine.randomness import Item, Stream
from algorithms.engine.topology import Neighbours


class LocalState(NamedTuple):
    """The state of one process: its variables, and what its host keeps for it."""

    variables: tuple[tuple[str, Any], ...]
    timers: tuple[tuple[str, float], ...] = ()  # those that run, and the time left: 0 if time does not count
    pending_exits: int = 0  # stays in the critical section that have not ended
    requests_left: float = 0  # requests that its application may still make; infinity for any number
    is_waiting: bool = False  # it has asked, and since then has neither entered nor (in an election) learnt of a leader
    belief: int | None = None  # in an election: the leader that it last accepted
    belief_term: int = 0  # the term of that leader, where there are terms
    tokens: int = 0  # in its hands, counted as `tokens.Tokens` does
    clock: tuple[int, ...] = ()  # if ME3 is checked: the number of requests of each tracked process before now
    request_clock: tuple[int, ...] = ()  # its clock at its latest request


class Envelope(NamedTuple):
    """A message, with its sender's clock at the sending if ME3 is checked."""

    message: Message
    clock: tuple[int, ...] = ()


class StepResult(NamedTuple):
    """The state after a step, and the messages sent, in order."""

    state: LocalState
    sent: tuple[tuple[int, Envelope], ...] = ()  # (receiver, message)
    has_learnt: bool = False  # in an election: it has accepted a leader
    draws: tuple[float, ...] = ()  # the random numbers that lead to this result in a run
    error: str | None = None  # the step failed, and this is why


class NotExplorable(Exception):  # noqa: N818
    """The algorithm acts on time, random numbers or crashes, which single steps do not have."""


class StepRunner:
    """The host of single steps, for processes of one class.

    If `is_timed`, a state has the time left for each timer: 0 for one set at random, which may expire at any moment.
    Otherwise the state says only which timers run. Clocks count the requests of the `tracked` processes.
    """

    def __init__(
        self,
        process: type[Process],
        neighbours: Neighbours,
        token: type[Message] | None,
        is_timed: bool,
        tracked: Sequence[int] = (),
    ) -> None:
        self.now: Any = UnknownNumber("the time")
        self._class = process
        self._rules = rules_of(process)
        self._handlers, self._bells = Handlers(process), Bells(process)
        self._neighbours = neighbours
        self._token = token
        self.members = Members(range(len(neighbours)))
        self._is_timed = is_timed
        self._tracked = tracked
        self._election = issubclass(process, ElectionProcess)
        self._processes = [self._fresh(node) for node in range(len(neighbours))]
        # of the step being executed:
        self._dice = Dice(())
        self._timers: dict[str, float] = {}
        self._pending_exits = 0
        self._is_waiting = False
        self._leader: int | None = None
        self._term = 0
        self._tokens = 0
        self._sent: list[tuple[int, Message]] = []

    # ---- the steps -----------------------------------------------------------------------------------------

    def launch(self, node: int, requests: float) -> list[StepResult]:
        """Set the process up, as a run begins."""

        def begin(process: Process) -> None:
            reset(process)
            process.launch()

        clock = (0,) * len(self._tracked)
        return self._results(node, LocalState((), requests_left=requests, clock=clock, request_clock=clock), begin)

    def request(self, node: int, state: LocalState) -> list[StepResult]:
        """Let the application request."""
        clock = tuple(count + (other == node) for other, count in zip(self._tracked, state.clock, strict=True))
        left = state.requests_left - 1
        before = state._replace(requests_left=left, is_waiting=True, clock=clock, request_clock=clock)
        return self._results(node, before, lambda process: process.demand())

    def exit(self, node: int, state: LocalState) -> list[StepResult]:
        """End a stay in the critical section, and forget the clock of its request."""
        forgotten = (0,) * len(state.request_clock)
        before = state._replace(pending_exits=state.pending_exits - 1, request_clock=forgotten)
        return self._results(node, before, lambda process: process.leave())

    def fire(self, node: int, state: LocalState, timer: str) -> list[StepResult]:
        """Let a timer expire."""
        before = state._replace(timers=tuple(entry for entry in state.timers if entry[0] != timer))
        return self._results(node, before, self._bells[timer])

    def deliver(self, node: int, state: LocalState, envelope: Envelope, sender: int) -> list[StepResult]:
        """Deliver a message."""
        message, handlers = envelope.message, self._handlers
        tokens = state.tokens + isinstance(message, self._token or ())
        clock = tuple(map(max, state.clock, envelope.clock))
        before = state if (tokens, clock) == (state.tokens, state.clock) else state._replace(tokens=tokens, clock=clock)
        return self._results(node, before, lambda process: handlers[type(message)](process, message, sender))

    def forget(self, node: int, state: LocalState) -> list[StepResult]:
        """Crash the process and restart it at once, without memory."""

        def restart(process: Process) -> None:
            reset(process)
            process.recovered()

        before = state._replace(timers=(), pending_exits=0, is_waiting=False, belief=None, belief_term=0, tokens=0)
        return self._results(node, before, restart)

    def process(self, node: int, state: LocalState) -> Any:
        """A process in that state, to be read only."""
        process = self._fresh(node)
        process.__dict__ = thaw_variables(state.variables)
        return process

    # ---- the host's side -----------------------------------------------------------------------------------

    def set_timer(self, node: int, name: str, after: float) -> None:
        time = 0.0 if isinstance(after, UnknownNumber) else duration(after, f"sets the timer {name} to")
        self._timers[name] = time if self._is_timed else 0.0

    def cancel_timer(self, node: int, name: str) -> None:
        self._timers.pop(name, None)

    def entered(self, node: int, hold: float | None, resource: int = 0) -> None:
        if hold is not None and not isinstance(hold, UnknownNumber):
            duration(hold, "enters for")
        self._pending_exits += 1
        self._is_waiting = False

    def elected(self, node: int, leader: int, term: int) -> None:
        if self._election:
            self._is_waiting = False
            self._leader, self._term = leader, term

    def suspected(self, node: int, suspect: int) -> None:
        """Nothing to do: the process's own state says so."""

    def token_created(self, node: int) -> None:
        self._tokens += 1

    def token_destroyed(self, node: int) -> None:
        self._tokens = max(0, self._tokens - 1)

    def applied(self, node: int, *what: Any) -> None:
        """Nothing to do: the term says so."""

    def stream(self, node: int) -> Stream:
        return self._dice

    # ---- within --------------------------------------------------------------------------------------------

    def _fresh(self, node: int) -> Process:
        process = self._class()
        connect(process, self, self._send, node, self._neighbours[node], len(self._neighbours))
        return process

    def _send(self, message: Message, to: int | Iterable[int]) -> None:
        receivers = (to,) if isinstance(to, int) else sorted(to)
        if not all(0 <= receiver < len(self._neighbours) for receiver in receivers):
            refuse(message, to, len(self._neighbours))
        self._sent.extend((receiver, message) for receiver in receivers)
        if isinstance(message, self._token or ()):
            self._tokens = max(0, self._tokens - len(receivers))

    def _results(self, node: int, before: LocalState, action: Callable[[Any], None]) -> list[StepResult]:
        """The distinct results of a step, for all falls of the dice."""
        results: dict[Any, StepResult] = {}
        untried: list[tuple[int, ...]] = [()]
        while untried:
            self._dice = Dice(untried.pop())
            result = self._result(node, before, action)
            results.setdefault(result._replace(draws=()) if result.draws else result, result)
            untried.extend(self._dice.alternatives)
        return list(results.values())

    def _result(self, node: int, before: LocalState, action: Callable[[Any], None]) -> StepResult:
        process = self._processes[node]
        process.__dict__ = thaw_variables(before.variables)
        self._timers, self._pending_exits = dict(before.timers), before.pending_exits
        self._is_waiting, self._tokens = before.is_waiting, before.tokens
        self._leader, self._sent = None, []
        try:
            action(process)
            settle(process, self._rules)
            result = self._result_of(process, before)
        except (NotExplorable, Endless, KeyboardInterrupt):
            raise
        except BaseException as error:  # a failing algorithm is a finding and does not end the search
            return StepResult(before, draws=tuple(self._dice.draws), error=f"{type(error).__name__}: {error}")
        try:
            hash(result)
        except NotExplorable:
            raise
        except Exception:
            raise NotExplorable(_MUTABLE) from None
        return result

    def _result_of(self, process: Process, before: LocalState) -> StepResult:
        """The result of the step that has just been executed."""
        has_learnt = self._leader is not None
        belief = (self._leader, self._term) if has_learnt else (before.belief, before.belief_term)
        host = tuple(sorted(self._timers.items())), self._pending_exits, before.requests_left, self._is_waiting
        clocks = before.clock, before.request_clock
        after = LocalState(freeze_variables(vars(process)), *host, *belief, self._tokens, *clocks)
        sent = tuple((receiver, Envelope(message, before.clock)) for receiver, message in self._sent)
        return StepResult(after, sent, has_learnt, tuple(self._dice.draws))


_MUTABLE = (
    "it keeps or sends what can be changed behind the checker's back; "
    "expected numbers, texts, flat tuples and messages, and lists, sets, dicts and deques of them in variables"
)


# ---- chance and time ---------------------------------------------------------------------------------------


class UnknownNumber:
    """A number without a value, for arithmetic and timers; a process must not act on it or store it."""

    def __init__(self, what: str) -> None:
        self.what = what

    def _calculate(self, *others: object) -> UnknownNumber:
        return self

    def _refuse(self, *others: object) -> NoReturn:
        raise NotExplorable(f"it acts on {self.what}, and when every interleaving is tried there is no such thing")

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _calculate
    __pow__ = __rpow__ = __neg__ = __abs__ = __round__ = _calculate
    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = __hash__ = _refuse
    __bool__ = __int__ = __float__ = __index__ = _refuse


class Dice(Stream):
    """Random numbers that fall as prescribed, and then on the first side.

    `alternatives` are the prescriptions for the other sides.
    """

    def __init__(self, prescribed: Sequence[int]) -> None:
        super().__init__(key=0)
        self.sides: list[int] = []
        self.draws: list[float] = []  # the numbers that make a Stream fall the same way
        self.alternatives: list[tuple[int, ...]] = []
        self._prescribed = prescribed

    def below(self, n: int) -> int:
        if len(self.sides) < len(self._prescribed):
            side = self._prescribed[len(self.sides)]
        else:
            side = 0
            self.alternatives.extend((*self.sides, other) for other in range(1, n))
        self.sides.append(side)
        self.draws.append((side + 0.5) / n)
        return side

    def choice(self, items: Sequence[Item]) -> Item:
        return items[self.below(len(items))]

    def random(self) -> Any:
        self.draws.append(0.5)
        return UnknownNumber("a random number")

    def exponential(self, mean: float) -> Any:
        return self.random()


# ---- variables as hashable values --------------------------------------------------------------------------


class FrozenContainer(NamedTuple):
    """A mutable container as a hashable value."""

    kind: type
    items: Any
    max_length: int | None = None  # of a deque


def freeze_variables(variables: dict[str, Any]) -> tuple[tuple[str, Any], ...]:
    """The variables of a process as a hashable value.

    A dict counts as its items in their order, since a loop over it depends on that order.
    """
    return tuple((name, _freeze(variables[name])) for name in sorted(variables))


def thaw_variables(variables: tuple[tuple[str, Any], ...]) -> dict[str, Any]:
    """The variables as a process has them."""
    return {name: _thaw(value) if type(value) is FrozenContainer else value for name, value in variables}


def _freeze(value: Any) -> Any:
    if isinstance(value, deque):
        return FrozenContainer(deque, tuple(value), value.maxlen)
    if isinstance(value, dict):
        return FrozenContainer(dict, tuple(value.items()))
    if isinstance(value, set):
        return FrozenContainer(set, frozenset(value))
    return FrozenContainer(list, tuple(value)) if isinstance(value, list) else value


def _thaw(value: FrozenContainer) -> Any:
    return deque(value.items, value.max_length) if value.kind is deque else value.kind(value.items)
