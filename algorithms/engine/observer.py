"""What a fold tells those who follow a run, in the words of the application rather than of the trace."""

from __future__ import annotations

from collections.abc import Sequence

from algorithms.engine.events import Record
from algorithms.engine.faults import ABSENT, PAUSED
from algorithms.engine.scenario import Event, Scenario
from algorithms.engine.series import Requests


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


class Situation(Observer):
    """Where the processes are, as far as the trace tells: kept by the fold, read by its observers."""

    def __init__(self, scenario: Scenario) -> None:
        members = scenario.nodes if scenario.members is None else scenario.members
        self.nodes = scenario.nodes
        self.down = dict.fromkeys(range(members, scenario.nodes), ABSENT)  # as in Simulation.down
        self.inside: set[int] = set()  # the processes in the critical section, crashed ones not counted
        self.wants: set[int] = set()  # the processes that have asked and are not inside, crashed ones not counted
        self.cut_short: set[int] = set()  # the crashed processes that were inside
        self.requests = Requests(scenario.nodes)  # of the applications, those that queue up included

    def gone(self, node: int) -> bool:
        """Whether the node has crashed or takes no part."""
        return self.down.get(node, PAUSED) != PAUSED
