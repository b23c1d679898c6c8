"""Observers of a run: the events a fold reports, in terms of the application, not of the trace."""

from __future__ import annotations

from collections.abc import Sequence

from algorithms.engine.events import Record
from algorithms.engine.membership import ABSENT, Availability
from algorithms.engine.observe.series import Requests
from algorithms.engine.scenario import Event, Scenario
from algorithms.engine.workload import of_resource


class Observer:
    """Is notified of the events of a run; subclasses override the methods they need.

    Its state consists of flat containers of plain values, which snapshots copy, and of series, which are truncated.
    `step` counts from 1: an event of step k has happened once k steps are executed.
    """

    def on_step(self, step: int, time: float) -> None:
        """A step begins."""

    def on_sent(self, step: int, record: Record) -> None:
        """A message is sent, possibly to oneself."""

    def on_copied(self, step: int, time: float, record: Record) -> None:
        """A fault duplicates a message in transit."""

    def on_received(self, step: int, record: Record) -> None:
        """A message arrives at a process that is not gone."""

    def on_lost(self, step: int, record: Record) -> None:
        """A message is lost in transit, or reaches a process that is gone."""

    def on_request(self, step: int, time: float, node: int) -> None:
        """The application at `node` requests; its process may still be busy with an earlier request."""

    def on_asked(self, step: int, time: float, node: int) -> None:
        """The process starts waiting for the critical section."""

    def on_entered(self, step: int, time: float, node: int, asked: float | None) -> None:
        """The process enters; `asked` is the time of the request served, if any."""

    def on_resumed(self, step: int, time: float, node: int) -> None:
        """A recovered process finds itself still inside."""

    def on_left(self, step: int, time: float, node: int) -> None:
        """The process leaves the critical section."""

    def on_elected(self, step: int, time: float, node: int, leader: int, term: int) -> None:
        """The process accepts `leader` as the leader of that term; 0 where there are no terms."""

    def on_created(self, step: int, time: float, node: int) -> None:
        """The process creates a token."""

    def on_destroyed(self, step: int, time: float, node: int) -> None:
        """The process destroys a token."""

    def on_suspected(self, step: int, time: float, node: int, suspect: int) -> None:
        """The process suspects that `suspect` has crashed."""

    def on_applied(self, step: int, record: Record) -> None:
        """A rule of a rewriting system has been applied."""

    def on_gone(self, step: int, time: float, node: int) -> None:
        """The process crashes or leaves for good."""

    def on_back(self, step: int, time: float, node: int, memory: bool) -> None:
        """The process recovers from a crash, or joins (without memory)."""

    def on_paused(self, step: int, time: float, node: int) -> None:
        """The process is paused."""

    def on_unpaused(self, step: int, time: float, node: int) -> None:
        """The process resumes after a pause."""

    def on_fault(self, step: int, time: float, event: Event, effects: Sequence[Record]) -> None:
        """An intervention has been made; reported after the step's effects."""

    def on_end(self, step: int, event: Record) -> None:
        """The step caused by this event is complete."""


Seat = tuple[int, int]  # (resource, node): a process as a competitor for a resource


class Situation(Observer, Availability):
    """The state of all processes according to the trace.

    The fold updates it before it notifies its observers.

    Requests, entries and exits reported to observers concern the resource `resource`.
    """

    def __init__(self, scenario: Scenario) -> None:
        members = scenario.nodes if scenario.members is None else scenario.members
        self.nodes = scenario.nodes
        self.down = dict.fromkeys(range(members, scenario.nodes), ABSENT)  # as in Simulation.down
        self.resource = 0
        self.resources = scenario.parameters.get("resources", 1)  # number of resources
        self.has_several_resources = self.resources > 1
        self.seats: dict[int, tuple[Seat, ...]] = {}  # node -> its seats at the resources that it has requested
        self.inside: set[Seat] = set()  # seats in a critical section, without those of crashed nodes
        self.waiting: set[Seat] = set()  # seats waiting to enter, without those of crashed nodes
        self.interrupted: set[Seat] = set()  # seats that were inside when their nodes crashed
        self.requests: Requests[Seat] = Requests()  # of the applications, including queued ones

    def is_inside(self, node: int) -> bool:
        """Whether the node is in the critical section of any resource."""
        return not self.inside.isdisjoint(self.seats_of(node))

    def is_waiting(self, node: int) -> bool:
        """Whether the node is waiting for any resource."""
        return not self.waiting.isdisjoint(self.seats_of(node))

    def is_wanted(self) -> bool:
        """Whether any node is waiting for the current resource."""
        return any(resource == self.resource for resource, _ in self.waiting)

    def insiders(self) -> set[int]:
        """The nodes in the critical section of the current resource."""
        return {node for resource, node in self.inside if resource == self.resource}

    def resource_suffix(self, resource: int) -> str:
        """The name of a resource, to be appended to a sentence; "" if there is only one resource."""
        return of_resource(resource, self.has_several_resources)

    def seats_of(self, node: int) -> tuple[Seat, ...]:
        """The node's seats at all resources that it has requested or entered."""
        return self.seats.get(node, ())

    def add_seat(self, seat: Seat) -> None:
        """Add a seat to those of its node."""
        if seat not in (seats := self.seats.get(seat[1], ())):
            self.seats[seat[1]] = (*seats, seat)
