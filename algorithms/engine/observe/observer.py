"""What a fold tells those who follow a run, in the words of the application rather than of the trace."""

from __future__ import annotations

from collections.abc import Sequence

from algorithms.engine.events import Record
from algorithms.engine.membership import ABSENT, Availability
from algorithms.engine.observe.series import Requests
from algorithms.engine.scenario import Event, Scenario


class Observer:
    """Hears what happens in a run, and overrides what it wants to hear of.

    What it keeps is flat containers of plain values, which are saved now and then, or series, which are cut back.
    `step` is the number of the step, counted from 1: what happens in it is there once `step` steps are executed.
    """

    def on_step(self, step: int, time: float) -> None:
        """A step begins."""

    def on_sent(self, step: int, record: Record) -> None:
        """A message is sent, perhaps to oneself."""

    def on_copied(self, step: int, time: float, record: Record) -> None:
        """A fault makes a second copy of a message in flight."""

    def on_received(self, step: int, record: Record) -> None:
        """A message arrives at a process that takes it."""

    def on_lost(self, step: int, record: Record) -> None:
        """A message vanishes on its way, or reaches a process that is gone."""

    def on_request(self, step: int, time: float, node: int) -> None:
        """The application at `node` asks; its process may still be busy with an earlier request."""

    def on_asked(self, step: int, time: float, node: int) -> None:
        """The process now wants the critical section."""

    def on_entered(self, step: int, time: float, node: int, asked: float | None) -> None:
        """The process enters; `asked` is the time of the request that this serves, if it serves one."""

    def on_resumed(self, step: int, time: float, node: int) -> None:
        """A recovered process finds itself still inside."""

    def on_left(self, step: int, time: float, node: int) -> None:
        """The process leaves the critical section."""

    def on_elected(self, step: int, time: float, node: int, leader: int) -> None:
        """The process now takes `leader` for the leader."""

    def on_created(self, step: int, time: float, node: int) -> None:
        """The process brings a token into being."""

    def on_destroyed(self, step: int, time: float, node: int) -> None:
        """The process lets a token end."""

    def on_suspected(self, step: int, time: float, node: int, suspect: int) -> None:
        """The process takes `suspect` for crashed."""

    def on_applied(self, step: int, record: Record) -> None:
        """A rule of a rewriting system has been applied."""

    def on_gone(self, step: int, time: float, node: int) -> None:
        """The process crashes or leaves for good."""

    def on_back(self, step: int, time: float, node: int, memory: bool) -> None:
        """The process is back after a crash, or (without memory) joins."""

    def on_paused(self, step: int, time: float, node: int) -> None:
        """The process stands still."""

    def on_unpaused(self, step: int, time: float, node: int) -> None:
        """The process goes on after a pause."""

    def on_fault(self, step: int, time: float, event: Event, effects: Sequence[Record]) -> None:
        """Something has been done to the run; told after the step's effects."""

    def on_end(self, step: int, event: Record) -> None:
        """The step that this event caused is complete."""


Seat = tuple[int, int]  # (resource, node): a process as one that takes turns at that resource


class Situation(Observer, Availability):
    """Where the processes are, as far as the trace tells: kept by the fold, read by its observers.

    What observers are told of requests, entries and exits is about the resource `resource`.
    """

    def __init__(self, scenario: Scenario) -> None:
        members = scenario.nodes if scenario.members is None else scenario.members
        self.nodes = scenario.nodes
        self.down = dict.fromkeys(range(members, scenario.nodes), ABSENT)  # as in Simulation.down
        self.resource = 0
        self.resources = scenario.parameters.get("resources", 1)  # how many there are to ask for
        self.several = self.resources > 1
        self.seats: dict[int, tuple[Seat, ...]] = {}  # node -> its seats at the resources that it has asked for
        self.inside: set[Seat] = set()  # who is in a critical section, crashed ones not counted
        self.wants: set[Seat] = set()  # who has asked and is not inside, crashed ones not counted
        self.cut_short: set[Seat] = set()  # the crashed ones that were inside
        self.requests: Requests[Seat] = Requests()  # of the applications, those that queue up included

    def is_inside(self, node: int) -> bool:
        """Whether the node is in the critical section of any resource."""
        return not self.inside.isdisjoint(self.seats_of(node))

    def is_waiting(self, node: int) -> bool:
        """Whether the node has asked for any resource and has not got it."""
        return not self.wants.isdisjoint(self.seats_of(node))

    def is_wanted(self) -> bool:
        """Whether anybody waits for the present resource."""
        return any(resource == self.resource for resource, _ in self.wants)

    def insiders(self) -> set[int]:
        """The nodes in the critical section of the present resource."""
        return {node for resource, node in self.inside if resource == self.resource}

    def seats_of(self, node: int) -> tuple[Seat, ...]:
        """The node's seats at all resources that it has asked for or has entered."""
        return self.seats.get(node, ())

    def take_seat(self, seat: Seat) -> None:
        """The node has to do with that resource now."""
        if seat not in (seats := self.seats.get(seat[1], ())):
            self.seats[seat[1]] = (*seats, seat)
