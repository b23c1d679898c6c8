"""Message, Process, @when: the vocabulary of an author of algorithms.

An algorithm is a subclass of `MutexProcess` or `ElectionProcess`. Whatever it assigns to `self` is its
state: plain values, or flat sets, lists, dicts and deques of them. Everything the engine lends it (id, peers,
the way to the network) lives in slots, so that `vars(process)` is the algorithm's state and nothing else.

    setup()                     set the initial state; called again after a recovery without memory
    launch()                    called once, at time 0, when every process has been set up (place the token, say)
    acquire(), release()        the application wants the critical section; has left it
    start()                     the application asks for an election
    on_<message>(message, sender)   a message has arrived: `class NewLeader(Message)` -> on_new_leader
    on_<timer>()                the timer set by set_timer("<timer>", after) has expired
    recovered()                 the process is back after a crash, or has joined later
    leaving()                   the process is about to leave for good
    unreached(message, to)      a message of this process has reached nobody: its receiver is gone
    @when(guard)                a rule that runs as soon as its guard is true, in the same step
    Part(OtherProcess)          in the class body: another process that this one contains and uses

The names in `__all__`, with the methods documented on them, are stable: an algorithm that uses nothing else keeps
running from one release to the next. Every other module of the engine may change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Protocol, dataclass_transform

from algorithms.engine.part import Part

if TYPE_CHECKING:
    from algorithms.engine.host import Host
    from algorithms.engine.membership import Members
    from algorithms.engine.randomness import Stream

__all__ = [
    "Algorithm",
    "Cost",
    "ElectionProcess",
    "Message",
    "MutexProcess",
    "Parameter",
    "Part",
    "Process",
    "Send",
    "Variant",
    "exactly",
    "when",
]


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Message:
    """What one process sends to another. Subclasses annotate their fields; instances cannot be changed."""

    def __init_subclass__(cls) -> None:
        if getattr(cls, "__annotations__", None):
            dataclass(frozen=True)(cls)
        else:  # nothing tells two of them apart: one will do
            dataclass(frozen=True, init=False)(cls)
            only = object.__new__(cls)
            cls.__new__ = staticmethod(lambda cls: only)  # type: ignore[method-assign,assignment]


class Parameter:
    """A constant of an algorithm that a scenario may set; `self.<name>` is its value in a run."""

    def __init__(
        self,
        default: Any,
        meaning: str,
        low: float | None = None,
        fits: Callable[[Any, int], bool] = lambda value, nodes: True,
        high: float | None = None,
    ) -> None:
        self.default = default
        self.meaning = meaning
        self.low, self.high = low, high  # the smallest and the largest value that make sense, if there are such
        self.fits = fits  # fits(value, nodes): whether the value makes sense in a system of so many nodes


Guard = Callable[[Any], bool]
Rule = Callable[[Any], None]


def when(guard: Guard) -> Callable[[Rule], Rule]:
    """Run the decorated method at once, in the same step, whenever `guard(self)` has become true."""

    def mark(rule: Rule) -> Rule:
        rule.guard = guard  # type: ignore[attr-defined]
        return rule

    return mark


class Send(Protocol):
    """Send one message to one process, or to each of a collection in ascending order."""

    def __call__(self, message: Message, to: int | Iterable[int]) -> None: ...


class Process:
    """One of the `size` processes of a system, numbered from 0."""

    __slots__ = ("__dict__", "_host", "_parts", "id", "peers", "send", "size")

    id: int  # my number
    peers: tuple[int, ...]  # whom I can send to, in ascending order
    size: int  # how many processes there are
    send: Send  # send(message, to=one or many): the way to the network
    _host: Host
    _parts: dict[str, Process]

    def setup(self) -> None:
        """Give every variable its first value."""

    def launch(self) -> None:
        """Act once, at time 0, after every process has been set up."""

    def recovered(self) -> None:
        """Act on coming back after a crash, or on joining when the others run already."""

    def leaving(self) -> None:
        """Act on taking part no longer: hand on what the others need."""

    def unreached(self, message: Message, to: int) -> None:
        """A message of mine has come to nobody: `to` takes part no longer, or has crashed. Act on it, or do nothing."""

    def waiting_for(self) -> Iterable[int]:
        """The processes whose next step I am waiting for: the edges of the wait-for graph."""
        return ()

    def set_timer(self, name: str, after: float) -> None:
        """Call on_<name>() in `after` units of time. Setting a timer again moves it."""
        self._host.set_timer(self.id, name, after)

    def cancel_timer(self, name: str) -> None:
        """Stop the timer; stopping one that does not run is allowed."""
        self._host.cancel_timer(self.id, name)

    def suspect(self, whom: int | Iterable[int]) -> None:
        """I take `whom` for crashed. Only counted; whoever is merely slow is suspected falsely."""
        for suspect in (whom,) if isinstance(whom, int) else sorted(whom):
            self._host.suspected(self.id, suspect)

    def create_token(self) -> None:
        """A token comes into being here. Only counted; sending it is another matter."""
        self._host.token_created(self.id)

    def destroy_token(self) -> None:
        """The token that I hold ends here. Only counted."""
        self._host.token_destroyed(self.id)

    def holding(self) -> bool:
        """Whether I hold a token at the moment (one in flight is held by nobody)."""
        return False

    now = property(attrgetter("_host.now"), doc="This process's clock: the time of the present step.")

    @property
    def members(self) -> Members:
        """Who takes part at present, for those who need not find that out by messages."""
        return self._host.members

    @property
    def random(self) -> Stream:
        """This process's own stream of random numbers."""
        return self._host.stream(self.id)

    # ---- for the base class of a family; called by the engine -----------------------------------------------

    def begin(self) -> None:
        """Initialize the variables common to all processes of the family, before `setup`."""

    def run_out(self, timer: str) -> None:
        """Handle the expiry of a timer; "election.answer_timeout" is one of the part `election`."""
        part, _, name = timer.rpartition(".")
        getattr(self._parts[part] if part else self, "on_" + name)()

    def busy(self, resource: int = 0) -> bool:
        """Whether a further demand of the application, for the same resource, has to queue up."""
        return False

    def demand(self, resource: int = 0) -> None:
        """Start serving a demand of the application: an entry, or an election."""
        raise NotImplementedError


class MutexProcess(Process):
    """A process that asks for the critical section, is inside for a while, and leaves."""

    wants: bool  # I have asked and am not inside yet
    inside: bool  # I am in the critical section

    def offered(self) -> float | None:
        """The share of time I would spend inside if I never had to wait, where I enter of my own accord.

        None where an application asks, as the load says.
        """
        return None

    def acquire(self) -> None:
        """The application wants the critical section: ask for it."""

    def release(self) -> None:
        """The application has left the critical section: tell whom it concerns."""

    def enter(self, hold: float | None = None) -> None:
        """Enter the critical section, for `hold` units of time or for as long as the load says."""
        self.wants = False
        self.inside = True
        self._host.entered(self.id, hold)

    def begin(self) -> None:
        self.wants = self.inside = False

    def busy(self, resource: int = 0) -> bool:
        return self.wants or self.inside

    def demand(self, resource: int = 0) -> None:
        self.wants = True
        self.acquire()

    def leave(self, resource: int = 0) -> None:
        """The time in the critical section is over."""
        self.inside = False
        self.release()


class ElectionProcess(Process):
    """A process that takes part in elections and ends up knowing a leader."""

    leader: int | None  # whom I take for the leader, if I know one

    def start(self) -> None:
        """The application asks for an election."""

    def elect(self, leader: int) -> None:
        """From now on `leader` is the leader, as far as I know."""
        self.leader = leader
        self._host.elected(self.id, leader)

    def begin(self) -> None:
        self.leader = None

    def demand(self, resource: int = 0) -> None:
        self.start()


@dataclass(frozen=True)
class Cost:
    """What the textbook says one entry (or one election) costs in messages."""

    formula: str  # as printed, "2(N−1)"
    low: Callable[[int], float]  # the least, for N processes
    high: Callable[[int], float] | None = None  # the most; None where there is no bound
    note: str = ""  # what the formula assumes


def exactly(formula: str, count: Callable[[int], float], note: str = "") -> Cost:
    """A cost that is the same for every entry."""
    return Cost(formula, count, count, note)


@dataclass(frozen=True)
class Variant:
    """A named refinement or mutant of an algorithm: another process class, and what it shows.

    What it leaves open (None) is as in the algorithm; `looks` are those of its further messages.
    """

    process: type[Process]
    summary: str  # one sentence: what differs, and what comes of it
    breaks: tuple[str, ...] = ()  # the monitors that it can break; empty for a refinement
    looks: Mapping[type[Message], str] = field(default_factory=dict)
    topology: str | None = None
    assumes: tuple[str, ...] | None = None
    cost: Cost | None = None
    token: type[Message] | None = None
    promises: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Algorithm:
    """What stands beside an algorithm's class: facts about it, and how it likes to be drawn.

    `looks` gives each message class its family on the picture: ask, grant, announce, token or deny.
    `badge` and `chips` name the state variables drawn at a node's corner and as a row outside it: who is in a queue or
    set, or the values of a list with one for each process. `paced_by` is the parameter with which the `offered` load
    goes down as it goes up, where processes enter of their own accord.
    """

    name: str  # as on the command line, "ricart-agrawala"
    title: str  # as in a headline, "Ricart–Agrawala"
    summary: str  # one sentence for a list
    source: str  # authors, where, when
    process: type[Process]
    looks: Mapping[type[Message], str] = field(default_factory=dict)
    topology: str = "complete"
    assumes: tuple[str, ...] = ("reliable",)
    cost: Cost | None = None
    token: type[Message] | None = None  # the message that is the token, if there is one
    badge: str | None = None
    badge_rest: str | None = None  # the parameter that the badge's variable goes back to
    chips: str | None = None
    invariants: Mapping[str, Callable[[list[Any]], bool]] = field(default_factory=dict)
    promises: tuple[str, ...] = ("ME1", "ME2")  # the monitors that hold while the assumptions hold
    paced_by: str | None = None
    baseline: str | None = None  # the algorithm that it is measured against, by name
    variants: Mapping[str, Variant] = field(default_factory=dict)

    def of(self, variant: str | None) -> Algorithm:
        """The algorithm as the named variant has it, or as it is. KeyError if unknown."""
        if variant is None:
            return self
        chosen = self.variants[variant]
        may_differ = ("process", "topology", "assumes", "cost", "token", "promises")
        facts = {name: getattr(chosen, name) for name in may_differ}
        given = {name: fact for name, fact in facts.items() if fact is not None}
        return replace(self, looks={**self.looks, **chosen.looks}, **given)

    def is_election(self) -> bool:
        """Whether its processes elect a leader instead of taking turns."""
        return issubclass(self.process, ElectionProcess)
