"""One step of one process, without any run around it: what state it leaves, and what it sends.

A step depends on nothing but the process's state and on what reaches it. So the checker executes each one once,
by the very methods that a run calls, and remembers what came of it. Time and chance have no values here: see
`Unmeasured` and `Dice`.
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


class Local(NamedTuple):
    """All there is to know about one process: its variables, and what is kept of it outside of it."""

    variables: tuple[tuple[str, Any], ...]
    timers: tuple[tuple[str, float], ...] = ()  # which of them run, and how long still; 0 if time does not count
    exits: int = 0  # how many stays in the critical section are not over yet
    requests: int = 0  # how often its application may still ask
    waits: bool = False  # it has asked, and has neither entered nor (in an election) learnt of a leader since
    belief: int | None = None  # in an election: whom it has last taken for the leader
    tokens: int = 0  # in its hands, as `tokens.Tokens` counts them
    heard: tuple[int, ...] = ()  # if kept: how many requests of each process happened before this moment
    asked: tuple[int, ...] = ()  # the same for the moment of my latest request


class Letter(NamedTuple):
    """A message, and if that is kept, what its sender had `heard` when it was sent."""

    message: Message
    heard: tuple[int, ...] = ()


class Outcome(NamedTuple):
    """What a step comes to: the state after it, and what was sent, in order."""

    local: Local
    sent: tuple[tuple[int, Letter], ...] = ()  # (receiver, letter)
    learnt: bool = False  # in an election: it takes somebody for the leader now
    draws: tuple[float, ...] = ()  # the random numbers with which a run takes this course
    error: str | None = None  # the step failed, and this is why


class NotExplorable(Exception):  # noqa: N818
    """An algorithm acts on the time, on a random number or on who has crashed: single steps know nothing of that."""


class Workbench:
    """Lends processes of one class all that a run would, for one step at a time.

    `timed`: keep how long each timer still runs, 0 for one set at random, which may run out at any moment; otherwise
    that it runs is all that is kept of it.
    """

    def __init__(
        self, process: type[Process], neighbours: Neighbours, token: type[Message] | None, timed: bool
    ) -> None:
        self.now: Any = Unmeasured("the time")
        self._class = process
        self._rules = rules_of(process)
        self._handlers, self._bells = Handlers(process), Bells(process)
        self._neighbours = neighbours
        self._token = token
        self.members = Members(range(len(neighbours)))
        self._timed = timed
        self._election = issubclass(process, ElectionProcess)
        self._processes = [self._fresh(node) for node in range(len(neighbours))]
        # of the step that is being executed:
        self._dice = Dice(())
        self._timers: dict[str, float] = {}
        self._exits = 0
        self._waits = False
        self._learnt: int | None = None
        self._tokens = 0
        self._sent: list[tuple[int, Message]] = []

    # ---- the steps -----------------------------------------------------------------------------------------

    def launch(self, node: int, requests: int, heard: tuple[int, ...]) -> list[Outcome]:
        """The process is set up, and the run begins."""

        def begin(process: Process) -> None:
            reset(process)
            process.launch()

        return self._outcomes(node, Local((), requests=requests, heard=heard, asked=heard), begin)

    def request(self, node: int, local: Local) -> list[Outcome]:
        """The application asks."""
        heard = tuple(count + (other == node) for other, count in enumerate(local.heard))
        before = local._replace(requests=local.requests - 1, waits=True, heard=heard, asked=heard)
        return self._outcomes(node, before, lambda process: process.demand())

    def exit(self, node: int, local: Local) -> list[Outcome]:
        """The time in the critical section is over, and with it what came before its request."""
        before = local._replace(exits=local.exits - 1, asked=(0,) * len(local.asked))
        return self._outcomes(node, before, lambda process: process.leave())

    def fire(self, node: int, local: Local, timer: str) -> list[Outcome]:
        """A timer runs out."""
        before = local._replace(timers=tuple(entry for entry in local.timers if entry[0] != timer))
        return self._outcomes(node, before, self._bells[timer])

    def deliver(self, node: int, local: Local, letter: Letter, sender: int) -> list[Outcome]:
        """A message arrives."""
        message, handlers = letter.message, self._handlers
        tokens = local.tokens + isinstance(message, self._token or ())
        before = local._replace(tokens=tokens, heard=tuple(map(max, local.heard, letter.heard)))
        return self._outcomes(node, before, lambda process: handlers[type(message)](process, message, sender))

    def forget(self, node: int, local: Local) -> list[Outcome]:
        """The process crashes, and is back at once without memory."""

        def come_back(process: Process) -> None:
            reset(process)
            process.recovered()

        return self._outcomes(node, local._replace(timers=(), exits=0, waits=False, belief=None, tokens=0), come_back)

    def view(self, node: int, local: Local) -> Any:
        """A process in that state, to be looked at."""
        process = self._fresh(node)
        process.__dict__ = thawed(local.variables)
        return process

    # ---- what the processes ask of their host --------------------------------------------------------------

    def set_timer(self, node: int, name: str, after: float) -> None:
        known = 0.0 if isinstance(after, Unmeasured) else duration(after, f"sets the timer {name} to")
        self._timers[name] = known if self._timed else 0.0

    def cancel_timer(self, node: int, name: str) -> None:
        self._timers.pop(name, None)

    def entered(self, node: int, hold: float | None, resource: int = 0) -> None:
        if hold is not None and not isinstance(hold, Unmeasured):
            duration(hold, "enters for")
        self._exits += 1
        self._waits = False

    def elected(self, node: int, leader: int) -> None:
        if self._election:
            self._waits = False
            self._learnt = leader

    def suspected(self, node: int, suspect: int) -> None:
        """The process's own state tells."""

    def token_created(self, node: int) -> None:
        self._tokens += 1

    def token_destroyed(self, node: int) -> None:
        self._tokens = max(0, self._tokens - 1)

    def applied(self, node: int, *what: Any) -> None:
        """What a rule does is in the term."""

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

    def _outcomes(self, node: int, before: Local, deed: Callable[[Any], None]) -> list[Outcome]:
        """One outcome for each way in which the dice may fall, and none twice."""
        outcomes: dict[Any, Outcome] = {}
        untried: list[tuple[int, ...]] = [()]
        while untried:
            self._dice = Dice(untried.pop())
            outcome = self._outcome(node, before, deed)
            outcomes.setdefault(outcome._replace(draws=()), outcome)
            untried.extend(self._dice.alternatives)
        return list(outcomes.values())

    def _outcome(self, node: int, before: Local, deed: Callable[[Any], None]) -> Outcome:
        process = self._processes[node]
        process.__dict__ = thawed(before.variables)
        self._timers, self._exits, self._waits = dict(before.timers), before.exits, before.waits
        self._tokens, self._learnt, self._sent = before.tokens, None, []
        try:
            deed(process)
            settle(process, self._rules)
            outcome = self._come_to(process, before)
        except (NotExplorable, Endless, KeyboardInterrupt):
            raise
        except BaseException as error:  # an algorithm that fails is a finding, not an end of the search
            return Outcome(before, draws=tuple(self._dice.draws), error=f"{type(error).__name__}: {error}")
        try:
            hash(outcome)
        except NotExplorable:
            raise
        except Exception:
            raise NotExplorable(_CHANGEABLE) from None
        return outcome

    def _come_to(self, process: Process, before: Local) -> Outcome:
        """What the step that has just been executed comes to."""
        after = before._replace(
            variables=frozen(vars(process)),
            timers=tuple(sorted(self._timers.items())),
            exits=self._exits,
            waits=self._waits,
            tokens=self._tokens,
            belief=before.belief if self._learnt is None else self._learnt,
        )
        sent = tuple((receiver, Letter(message, before.heard)) for receiver, message in self._sent)
        return Outcome(after, sent, self._learnt is not None, tuple(self._dice.draws))


_CHANGEABLE = (
    "it keeps or sends what can be changed behind the checker's back; "
    "expected numbers, texts, flat tuples and messages, and lists, sets, dicts and deques of them in variables"
)


# ---- chance and time ---------------------------------------------------------------------------------------


class Unmeasured:
    """A number without a value. One may reckon with it and set a timer by it, but not act on it or keep it."""

    def __init__(self, what: str) -> None:
        self.what = what

    def _reckon(self, *others: object) -> Unmeasured:
        return self

    def _refuse(self, *others: object) -> NoReturn:
        raise NotExplorable(f"it acts on {self.what}, and when every interleaving is tried there is no such thing")

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _reckon
    __pow__ = __rpow__ = __neg__ = __abs__ = __round__ = _reckon
    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = __hash__ = _refuse
    __bool__ = __int__ = __float__ = __index__ = _refuse


class Dice(Stream):
    """Falls as prescribed and then on the first side; `alternatives` are the prescriptions for the other sides."""

    def __init__(self, prescribed: Sequence[int]) -> None:
        super().__init__(key=0)
        self.fallen: list[int] = []
        self.draws: list[float] = []  # the numbers that make a Stream fall likewise
        self.alternatives: list[tuple[int, ...]] = []
        self._prescribed = prescribed

    def below(self, n: int) -> int:
        if len(self.fallen) < len(self._prescribed):
            side = self._prescribed[len(self.fallen)]
        else:
            side = 0
            self.alternatives.extend((*self.fallen, other) for other in range(1, n))
        self.fallen.append(side)
        self.draws.append((side + 0.5) / n)
        return side

    def choice(self, items: Sequence[Item]) -> Item:
        return items[self.below(len(items))]

    def random(self) -> Any:
        self.draws.append(0.5)
        return Unmeasured("a random number")

    def exponential(self, mean: float) -> Any:
        return self.random()


# ---- states that can be compared ---------------------------------------------------------------------------


class Packed(NamedTuple):
    """A container, made comparable: its class and what it holds."""

    container: type
    items: Any
    most: int | None = None  # of a deque: how many it holds at most


def frozen(variables: dict[str, Any]) -> tuple[tuple[str, Any], ...]:
    """The variables of a process as a value that can be compared and looked up.

    A dict counts as its items in their order, since a loop over it sees that order.
    """
    return tuple((name, _packed(variables[name])) for name in sorted(variables))


def thawed(variables: tuple[tuple[str, Any], ...]) -> dict[str, Any]:
    """The variables again, as a process has them."""
    return {name: _unpacked(value) if type(value) is Packed else value for name, value in variables}


def _packed(value: Any) -> Any:
    if isinstance(value, deque):
        return Packed(deque, tuple(value), value.maxlen)
    if isinstance(value, dict):
        return Packed(dict, tuple(value.items()))
    if isinstance(value, set):
        return Packed(set, frozenset(value))
    return Packed(list, tuple(value)) if isinstance(value, list) else value


def _unpacked(value: Packed) -> Any:
    return deque(value.items, value.most) if value.container is deque else value.container(value.items)
