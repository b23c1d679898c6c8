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
    waiting_for(), keeps_waiting(other)   for whom I wait, and why I keep another waiting: for the window only
    kept_by(other)              who has what another waits for from me: for the window only
    heeds(message)              whether a message that I wait for makes a difference to me: for the window only
    @when(guard)                a rule that runs as soon as its guard is true, in the same step
    Part(OtherProcess)          in the class body: another process that this one contains and uses

The names in `__all__`, with the methods documented on them, are stable: an algorithm that uses nothing else keeps
running from one release to the next. Every other module of the engine may change.

A comment at the end of a line is the caption of a step in which that line runs, in the third person, with the values in
`{}`: see `algorithms/engine/observe/caption_text.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, dataclass_transform

from algorithms.engine.errors import Misuse, short
from algorithms.engine.part import Part
from algorithms.engine.waits import Wait, all_of, any_of

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
    "all_of",
    "any_of",
    "exactly",
    "when",
]


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Message:
    """The base of all messages. Subclasses annotate their fields; instances are immutable."""

    def __init_subclass__(cls) -> None:
        if getattr(cls, "__annotations__", None):
            dataclass(frozen=True)(cls)
        else:  # all instances are equal: one will do
            dataclass(frozen=True, init=False)(cls)
            only = object.__new__(cls)

            def the_only(_: type[Message]) -> Message:
                return only

            the_only.__qualname__ = cls.__name__  # for the error of an author who passes it something
            cls.__new__ = staticmethod(the_only)  # type: ignore[method-assign,assignment]

    def label(self) -> str:
        """My content in a few words, for pictures; "" to have them show the values of my fields."""
        return ""


class Parameter:
    """A constant of an algorithm that a scenario may set; `self.<name>` is its value in a run."""

    def __init__(
        self,
        default: Any,
        meaning: str,
        low: float | None = None,
        fits: Callable[[Any, int], bool] = lambda value, nodes: True,
        high: float | None = None,
        timer: str = "",
    ) -> None:
        self.default = default
        self.meaning = meaning
        self.low, self.high = low, high  # bounds of the value, if there are any
        self.fits = fits  # fits(value, nodes): whether the value makes sense in a system of `nodes` nodes
        self.timer = timer  # the timer that runs for this long: pictures show how much of it is left


Guard = Callable[[Any], bool]
Rule = Callable[[Any], None]


def when(guard: Guard) -> Callable[[Rule], Rule]:
    """Run the decorated method in the same step as soon as `guard(self)` is true."""

    def mark(rule: Rule) -> Rule:
        rule.guard = guard  # type: ignore[attr-defined]
        return rule

    return mark


class Send(Protocol):
    """Send a message to one process, or to several in ascending order."""

    def __call__(self, message: Message, to: int | Iterable[int]) -> None: ...


class Process:
    """One of the `size` processes of a system, numbered from 0."""

    __slots__ = ("__dict__", "_host", "_parts", "id", "peers", "send", "size")

    id: int  # my number
    peers: tuple[int, ...]  # the processes that I can send to, in ascending order
    size: int  # number of processes in the system
    send: Send  # send(message, to=one or many): the way to the network
    _host: Host
    _parts: dict[str, Process]

    def setup(self) -> None:
        """Give every variable its initial value."""

    def launch(self) -> None:
        """Act once, at time 0, after every process has been set up."""

    def recovered(self) -> None:
        """Act on recovery from a crash, or on joining a running system."""

    def leaving(self) -> None:
        """Act before leaving for good: hand over what the others need."""

    def unreached(self, message: Message, to: int) -> None:
        """Act on the loss of my message to a process that is gone."""

    def waiting_for(self) -> Iterable[int] | Wait:
        """The processes for whose message I am waiting: my edges in the wait-for graph.

        A plain set means all of them. `any_of(nodes)` means that one is enough; both `any_of` and `all_of` may name
        the classes of the messages after the nodes, and the timers that end the wait.
        """
        return ()

    def keeps_waiting(self, other: Any) -> str:
        """Why I keep `other`, a process, waiting: "has deferred its reply to P3: …"; "" if I do not.

        Only asked about a process that is waiting. It is seen from outside: `other` is the process itself.
        """
        return ""

    def kept_by(self, other: Any) -> int | None:
        """The process that has what `other` waits for from me, as an arbiter's vote: to wait for me is to wait for it.

        Only asked about a process that waits for me; None if nobody has it.
        """
        return None

    def carries_my_request(self, message: Message) -> bool:
        """Whether a message, from whomever to whomever, is about the request for which I am waiting."""
        return False

    def heeds(self, message: Message) -> bool:
        """Whether a message of a kind that I wait for makes a difference to me: a weaker wave, say, does not."""
        return True

    def set_timer(self, name: str, after: float) -> None:
        """Call on_<name>() after `after` units of time. Setting a running timer again moves it."""
        if not isinstance(name, str):
            raise Misuse(f"it sets a timer called {short(name)}; expected a text")
        self._host.set_timer(self.id, name, after)

    def cancel_timer(self, name: str) -> None:
        """Stop a timer, if it is running."""
        self._host.cancel_timer(self.id, name)

    def suspect(self, whom: int | Iterable[int]) -> None:
        """Report that I suspect `whom` to have crashed. Only counted; a suspicion may be false."""
        for suspect in (whom,) if isinstance(whom, int) else sorted(whom):
            self._host.suspected(self.id, suspect)

    def create_token(self) -> None:
        """Report that I have created a token. Only counted; sending it is another matter."""
        self._host.token_created(self.id)

    def destroy_token(self) -> None:
        """Report that I have destroyed the token that I held. Only counted."""
        self._host.token_destroyed(self.id)

    def holding(self) -> bool:
        """Whether I hold a token now (nobody holds a token in transit)."""
        return False

    now = property(attrgetter("_host.now"), doc="This process's clock: the time of the current step.")

    @property
    def members(self) -> Members:
        """The current membership, for algorithms that need not discover it by messages."""
        return self._host.members

    @property
    def random(self) -> Stream:
        """This process's own stream of random numbers."""
        return self._host.stream(self.id)

    # ---- for the base class of a family; called by the engine ----------------------------------------------

    def begin(self) -> None:
        """Initialize the variables common to all processes of the family, before `setup`."""

    def run_out(self, timer: str) -> None:
        """Handle the expiry of a timer; "election.answer_timeout" is one of the part `election`."""
        part, _, name = timer.rpartition(".")
        owner = self._parts[part] if part else self
        handler = getattr(owner, f"on_{name}", None)
        if handler is None:
            near = get_close_matches(f"on_{name}", [own for own in dir(owner) if own.startswith("on_")], n=1)
            hint = f"did you mean {near[0]}?" if near else f"expected on_{name}"
            raise Misuse(f"{type(self).__name__} has no on_{name} for its timer {name!r}; {hint}")
        handler()

    def busy(self, resource: int = 0) -> bool:
        """Whether a further demand for the same resource has to queue up."""
        return False

    def demand(self, resource: int = 0) -> None:
        """Start serving a demand of the application: an entry, or an election."""
        raise NotImplementedError


class MutexProcess(Process):
    """A process that requests the critical section, is inside for a while, and leaves."""

    wants: bool  # I have requested and am not inside yet
    inside: bool  # I am in the critical section

    def offered(self) -> float | None:
        """The share of time I would spend inside without waiting.

        None unless I enter of my own accord: then the load of the applications determines it.
        """
        return None

    def acquire(self) -> None:
        """Request the critical section for the application."""

    def release(self) -> None:
        """Release the critical section, which the application has left; notify the others."""

    def enter(self, hold: float | None = None) -> None:
        """Enter the critical section, for `hold` or as long as the load says: once for each request.

        Misuse for a second entry while inside, or one without a request, unless I enter of my own accord (`offered`).
        """
        if self.inside:
            raise Misuse(f"P{self.id} enters while it is inside; expected one enter() for each request")
        if not self.wants and type(self).offered is MutexProcess.offered:
            raise Misuse(f"P{self.id} enters without a request; expected enter() only while self.wants is true")
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
        """End the stay in the critical section."""
        self.inside = False
        self.release()


class ElectionProcess(Process):
    """A process that takes part in elections and eventually knows the leader."""

    leader: int | None  # the leader I know of, if any

    def start(self) -> None:
        """Start an election; the application asks for one."""

    roles: ClassVar[tuple[str, ...]] = ()  # in the order in which they come; "asleep", "relay" and some more have looks

    def role(self) -> str:
        """My role in the present election, one of `roles`; "" for none."""
        return ""

    def elect(self, leader: int, term: int = 0) -> None:
        """Accept `leader` as the leader; of `term`, if there may be another leader in each term."""
        self.leader = leader
        self._host.elected(self.id, leader, term)

    def begin(self) -> None:
        self.leader = None

    def demand(self, resource: int = 0) -> None:
        self.start()


@dataclass(frozen=True)
class Cost:
    """The textbook's cost of one entry (or one election) in messages."""

    formula: str  # as printed, "2(N−1)"
    low: Callable[[Any], float]  # the minimum, for N processes: N is a `Size`, which knows the graph as well
    high: Callable[[Any], float] | None = None  # the maximum; None if there is no bound
    note: str = ""  # the assumptions of the formula


def exactly(formula: str, count: Callable[[Any], float], note: str = "") -> Cost:
    """A cost that is the same for every entry."""
    return Cost(formula, count, count, note)


Invariant = Callable[..., bool]
"""A function of the processes that are up, or also of the messages in transit: tuples (sender, receiver, message)."""


@dataclass(frozen=True)
class Variant:
    """A named refinement or mutant of an algorithm: another process class, and its differences.

    Fields that are None are as in the algorithm; `looks` are those of additional messages.
    """

    process: type[Process]
    summary: str  # one sentence: the difference, and its consequence
    breaks: tuple[str, ...] = ()  # the monitors that it can violate; empty for a refinement
    looks: Mapping[type[Message], str] = field(default_factory=dict)
    topology: str | None = None
    assumes: tuple[str, ...] | None = None
    cost: Cost | None = None
    token: type[Message] | None = None
    promises: tuple[str, ...] | None = None
    invariants: Mapping[str, Invariant] = field(default_factory=dict)  # beside those of the algorithm


@dataclass(frozen=True)
class Algorithm:
    """An algorithm: its process class, facts about it, and hints for drawing it.

    `looks` gives each message class its family in pictures: ask, grant, announce, token or deny.
    `badge` and `chips` name the state variables drawn at a node's corner and as a row, or as two rows, outside it: the
    members of a queue or set, or the values of a list with one for each process. `pointers` names variables with the
    number of a node, drawn as arrows, "solid" or "dotted", above links that fade; `region` names a set of nodes, shaded
    around a process that waits, is inside, is selected or takes part in an election, or a node: then all processes that
    name the same one are shaded together. `at_edges` names sets of neighbours, each drawn as a thing
    at this end of the link, and the subset that is marked, {"forks": "dirty"}; "" for none. `identity` names the
    variable with the number that a process goes by, which is drawn beside its name. `terms` names the field of messages
    with the term of an election, if there is a leader in each. `paced_by` names a parameter, inversely proportional to
    the `offered` load, of processes that enter of their own accord. `explanation` is how it works, in three to five
    sentences for a reader who does not know the paper; `symbols` are the names and letters in its texts, each with a
    plain-English meaning.
    """

    name: str  # as on the command line, "ricart-agrawala"
    title: str  # as in a headline, "Ricart–Agrawala"
    summary: str  # one sentence for a list
    source: str  # authors, where, when
    process: type[Process]
    looks: Mapping[type[Message], str] = field(default_factory=dict)
    topology: str = "complete"
    excludes: str = "all"  # who must not be inside together: "all" processes, or "neighbours" in the graph
    at_once: str | None = None  # the parameter with the number of processes that may be inside together; None: one
    assumes: tuple[str, ...] = ("reliable",)
    cost: Cost | None = None
    token: type[Message] | None = None  # the message class of the token, if there is one
    badge: str | None = None
    badge_rest: str | None = None  # the parameter that the badge's variable returns to
    chips: str | tuple[str, ...] | None = None
    pointers: Mapping[str, str] = field(default_factory=dict)
    region: str | None = None
    at_edges: Mapping[str, str] = field(default_factory=dict)
    identity: str | None = None
    terms: str | None = None
    invariants: Mapping[str, Invariant] = field(default_factory=dict)
    privileges: Callable[..., int] | None = None  # their number, from the same as an invariant; None: that of tokens
    promises: tuple[str, ...] = ("ME1", "ME2")  # what holds if the assumptions hold, see `declaration.PROMISES`
    paced_by: str | None = None
    baseline: str | None = None  # name of the algorithm that it is measured against
    variants: Mapping[str, Variant] = field(default_factory=dict)
    explanation: str = ""
    symbols: Mapping[str, str] = field(default_factory=dict)

    def of(self, variant: str | None) -> Algorithm:
        """The algorithm with the changes of a variant; itself for None. KeyError if unknown."""
        if variant is None:
            return self
        chosen = self.variants[variant]
        names = ("process", "topology", "assumes", "cost", "token", "promises")
        facts = {name: getattr(chosen, name) for name in names}
        changes = {name: fact for name, fact in facts.items() if fact is not None}
        invariants = {**self.invariants, **chosen.invariants}
        return replace(self, looks={**self.looks, **chosen.looks}, invariants=invariants, **changes)

    def rows_of_chips(self) -> tuple[str, ...]:
        """The variables drawn as rows of chips."""
        return self.chips if isinstance(self.chips, tuple) else tuple(filter(None, (self.chips,)))

    def enters_by_itself(self) -> bool:
        """Whether its processes enter of their own accord, so that no application asks them."""
        return issubclass(self.process, MutexProcess) and self.process.offered is not MutexProcess.offered

    def is_election(self) -> bool:
        """Whether it elects a leader, rather than excluding processes from each other."""
        return issubclass(self.process, ElectionProcess)
