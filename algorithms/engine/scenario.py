"""What a run starts from, as a plain value. A run is scenario + seed + interventions, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from algorithms.engine.randomness import Distribution, Fixed
from algorithms.engine.topology import Edge, edges_of
from algorithms.engine.workload import Load


@dataclass(frozen=True)
class Flight:
    """How long the first messages from `node` to `to` take, one after the other."""

    node: int
    to: int
    takes: tuple[float, ...]


@dataclass(frozen=True)
class Network:
    """How the channels behave. A message is lost or duplicated with the given probabilities.

    `flights` is a script of what takes how long, link by link; later messages take what `delay` says.
    """

    delay: Distribution = Fixed(1.0)
    fifo: bool = True
    loss: float = 0.0
    duplicate: float = 0.0
    flights: tuple[Flight, ...] = ()


@dataclass(frozen=True)
class Event:
    """Something that is done to a run: a fault, a request, a change of the load, a choice of the scheduler.

    `do` names an entry of `faults.FAULTS`, which says which of the fields it needs. A message in flight is
    named by its serial number `message`, or is the oldest one from `node` to `to` of the given `type`.
    `step` makes the event follow exactly that many steps (as everything done by hand does); without it, it
    comes first among what happens at time `at`, and again `every` so much time after that. Without `resource` a
    request is for the first one, and an exit from the one where the node has been longest. A choice of the
    scheduler may also say which random numbers, in [0, 1), the node's algorithm `draws` in that step.
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
    load: Load | None = None
    parameter: str | None = None
    value: Any = None
    every: float | None = None
    draws: tuple[float, ...] = ()
    step: int | None = None
    by_hand: bool = False


@dataclass(frozen=True)
class Marker:
    """A moment with a name, to jump to and to take pictures of."""

    at: float
    name: str


@dataclass(frozen=True)
class Zone:
    """What it means that so many are in the critical section at once: up to `upto`, or any number beyond the others."""

    name: str
    upto: int | None = None


@dataclass(frozen=True)
class Scenario:
    """Everything a run starts from. `edges`, where given, take the place of the named topology.

    Of the `nodes`, the first `members` take part from the start; the others may join.
    """

    algorithm: str
    title: str = ""
    variant: str | None = None
    nodes: int = 5
    members: int | None = None  # None: all
    seed: int = 1
    until: float = 60.0
    topology: str | None = None  # None: the one the algorithm is made for
    edges: tuple[Edge, ...] | None = None
    network: Network = Network()
    load: Load = Load()
    parameters: Mapping[str, Any] = field(default_factory=dict)
    patience: float | None = None  # a request open for longer breaks ME2; None: no bound
    events: tuple[Event, ...] = ()
    markers: tuple[Marker, ...] = ()
    zones: tuple[Zone, ...] = ()  # by how many they allow, the last without bound
    notes: str = ""  # for whoever shows it to others

    def links(self, usual: str) -> tuple[Edge, ...]:
        """The undirected edges of the graph; `usual` is the algorithm's own topology."""
        if self.edges is not None:
            return self.edges
        return edges_of(self.topology or usual, self.nodes, self.seed)
