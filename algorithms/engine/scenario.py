"""Scenarios as plain values. Scenario, seed and interventions determine a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Any

from algorithms.engine.randomness import Distribution, Fixed
from algorithms.engine.topology import Edge, edges_of
from algorithms.engine.workload import Load


@dataclass(frozen=True)
class Flight:
    """The delays of the first messages from `node` to `to`, in order."""

    node: int
    to: int
    takes: tuple[float, ...]


@dataclass(frozen=True)
class LinkSettings:
    """What sets the channel from `node` to `to` apart; None: as the network says.

    With `both`, the channel back behaves alike, unless it is listed itself.
    """

    node: int
    to: int
    delay: Distribution | None = None
    loss: float | None = None
    duplicate: float | None = None
    both: bool = True


@dataclass(frozen=True)
class Network:
    """The behaviour of the channels; `loss` and `duplicate` are probabilities per message.

    `links` lists the channels that differ from the others. `flights` scripts the delays of the first messages on some
    links; all others take `delay`.
    """

    delay: Distribution = Fixed(1.0)
    fifo: bool = True
    loss: float = 0.0
    duplicate: float = 0.0
    links: tuple[LinkSettings, ...] = ()
    flights: tuple[Flight, ...] = ()

    @property
    def flight(self) -> float:
        """A message's mean delay, as a unit of time; 1 where messages take no time."""
        return self.delay.mean or 1.0

    def channels(self) -> dict[tuple[int, int], LinkSettings]:
        """The channels that differ from the others, by sender and receiver."""
        backwards = (
            ((own.to, own.node), replace(own, node=own.to, to=own.node, both=False)) for own in self.links if own.both
        )
        return dict([*backwards, *(((own.node, own.to), replace(own, both=False)) for own in self.links)])


@dataclass(frozen=True)
class NodeAct:
    """What others notice of a node's step: it enters ("enter"), or sends a message ("send").

    A message has its `type`, its receiver `to`, and its `fields` as pairs of name and value.
    """

    do: str
    type: str | None = None
    to: int | None = None
    fields: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True)
class Event:
    """An intervention in a run: a fault, a request, a change of the load, a choice of the scheduler.

    `do` names an entry of `faults.FAULTS`, which lists the fields that it needs. A message in transit is
    named by its serial number `message`, or is the oldest one from `node` to `to` of the given `type`.
    With `step`, the event follows exactly that many steps, as every event by hand does; without it, it
    comes first at time `at`, and repeats at intervals of `every`. Without `resource`, a request is for the first
    resource, and an exit from the one that the node entered first. A choice of the scheduler may also prescribe the
    random numbers, in [0, 1), that the node's algorithm `draws` in that step, and what the node does instead of what
    its algorithm would do: its `acts`, in a choice, a request, or an event "act" of their own. A cut or a healing of
    `both` directions concerns the whole link, otherwise only the channel from `node` to `to`.
    """

    at: float
    do: str
    node: int | None = None
    to: int | None = None
    message: int | None = None
    resource: int | None = None
    type: str | None = None
    timer: str | None = None
    memory: bool = True
    delay: float | None = None
    groups: tuple[tuple[int, ...], ...] = ()
    both: bool = True
    load: Load | None = None
    parameter: str | None = None
    value: Any = None
    every: float | None = None
    draws: tuple[float, ...] = ()
    acts: tuple[NodeAct, ...] | None = None  # None: what its algorithm does
    step: int | None = None
    by_hand: bool = False

    steps_before = property(attrgetter("step"))
    """The step of an event that is known to have one, as every intervention has."""


def restarting(node: int, at: float) -> tuple[Event, Event]:
    """The interventions by which a node restarts without memory."""
    return Event(at, "crash", node=node, memory=False), Event(at, "recover", node=node, memory=False)


@dataclass(frozen=True)
class Marker:
    """A named moment, to jump to and to take pictures of; before a class perhaps with a question about what follows.

    The question is asked first, then answered. `notes` are for the speaker.
    """

    at: float
    name: str
    question: str = ""
    answer: str = ""
    notes: str = ""


@dataclass(frozen=True)
class Zone:
    """The name for a range of concurrency: up to `upto` processes inside, or more than all other zones."""

    name: str
    upto: int | None = None


@dataclass(frozen=True)
class Scenario:
    """The initial conditions of a run; `edges`, if given, replace the named topology.

    The first `members` of the `nodes` take part from the start; the others may join. `names` are labels of the nodes,
    shown beside P0, P1 and so on.
    """

    algorithm: str
    title: str = ""
    variant: str | None = None
    nodes: int = 5
    names: tuple[str, ...] = ()
    members: int | None = None  # None: all
    seed: int = 1
    until: float = 60.0
    topology: str | None = None  # None: the algorithm's own
    edges: tuple[Edge, ...] | None = None
    network: Network = Network()
    load: Load = Load()
    parameters: Mapping[str, Any] = field(default_factory=dict)
    patience: float | None = None  # a request pending for longer is overdue; None: no bound
    shows: str | None = None  # ME2, E2 or fair liveness: what the checker has shown an overdue request to break
    events: tuple[Event, ...] = ()
    markers: tuple[Marker, ...] = ()
    zones: tuple[Zone, ...] = ()  # in ascending order of `upto`, the last without bound
    notes: str = ""  # for the person who looks: what to watch
    speaker: str = ""  # for the person who presents it

    def interventions(self) -> tuple[Event, ...]:
        """The events that follow a given number of steps, in that order."""
        placed = (event for event in self.events if event.step is not None)
        return tuple(sorted(placed, key=lambda event: event.steps_before))

    def links(self, usual: str) -> tuple[Edge, ...]:
        """The undirected edges of the graph; `usual` is the name of the algorithm's own topology."""
        if self.edges is not None:
            return self.edges
        return edges_of(self.topology or usual, self.nodes, self.seed)
