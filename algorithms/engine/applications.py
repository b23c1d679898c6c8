"""The applications above the processes: they ask, as the load says, stay in the critical section, and leave."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, NamedTuple

from algorithms.engine.events import KIND, LEAVE, NODE, REQUEST
from algorithms.engine.randomness import Fixed
from algorithms.engine.workload import Load

if TYPE_CHECKING:
    from algorithms.engine.simulation import Simulation


class SavedApplications(NamedTuple):
    """The state of the applications at a checkpoint."""

    load: Load
    backlog: list[int]
    expected: list[int]


class Applications:
    """One application for each node of a run.

    `backlog` counts the requests of a node that wait behind its present one.
    """

    def __init__(self, run: Simulation) -> None:
        nodes = run.scenario.nodes
        self.load = run.scenario.load
        self.backlog = [0] * nodes
        self._expected = [0] * nodes  # requests of the load that are in the queue
        self._run = run

    def open(self, load: Load) -> None:
        """From now on requests come as `load` says; those already made stay."""
        run = self._run
        run.queue.remove(lambda entry: entry[KIND] == REQUEST)
        self._expected = [0] * len(run.processes)
        self.load = load
        for process in run.processes:
            if not (load.closed and process.busy()):
                for gap in load.opening(process.id, run.stream_of("load", process.id)):
                    self._expect(process.id, gap)

    def ask(self, node: int) -> None:
        """A request of the load is due at `node`."""
        self.miss(node)
        self.demand(node)

    def miss(self, node: int) -> None:
        """A request of the load is due at a node that is not there; the next one is on its way all the same."""
        self._expected[node] -= 1
        self._expect(node, self.load.after_request(self._run.stream_of("load", node)))

    def demand(self, node: int) -> None:
        """The application at `node` wants the critical section (or an election), now or after its turn."""
        process = self._run.processes[node]
        if process.busy():
            self.backlog[node] += 1
        else:
            process.demand()
            self._run.settle(process)

    def enter(self, node: int, hold: float | None) -> None:
        """`node` is inside, for so long or for as long as the load says."""
        if hold is None:
            hold = self._draw_hold(node)
        self._run.queue.push((self._run.now + hold, self._run.number(), LEAVE, node))

    def leave(self, node: int) -> None:
        """The time of `node` in the critical section is over."""
        process = self._run.processes[node]
        process.leave()
        self._run.settle(process)
        if self.backlog[node] and not process.busy():
            self.backlog[node] -= 1
            process.demand()
            self._run.settle(process)
        if self.load.closed and not self._expected[node]:
            self._expect(node, self.load.after_leave(self._run.stream_of("load", node)))

    def stop(self, node: int) -> None:
        """A crash: the time of `node` in the critical section runs no more."""
        self._run.queue.remove(lambda entry: entry[KIND] == LEAVE and entry[NODE] == node)

    def forget(self, node: int) -> None:
        """What waited at `node` to be asked for is forgotten with everything else."""
        self.backlog[node] = 0

    def revive(self, node: int) -> None:
        """A node that is back goes on asking: a closed load would otherwise wait for ever for its leaving."""
        if not self._expected[node] and not self._run.processes[node].busy():
            self._expect(node, self.load.after_leave(self._run.stream_of("load", node)))

    def save(self) -> SavedApplications:
        """The present state, not touched by later changes."""
        return SavedApplications(self.load, self.backlog.copy(), self._expected.copy())

    def restore(self, saved: SavedApplications) -> None:
        """Go back to a saved state, together with the queue."""
        self.load, self.backlog, self._expected = saved.load, saved.backlog.copy(), saved.expected.copy()

    def _draw_hold(self, node: int) -> float:
        hold = self.load.hold
        return hold.value if isinstance(hold, Fixed) else hold.draw(self._run.stream_of("hold", node).random())

    def _expect(self, node: int, gap: float | None) -> None:
        if gap is not None and gap < inf:
            self._expected[node] += 1
            self._run.queue.push((self._run.now + gap, self._run.number(), REQUEST, node))
