"""The applications above the processes: they request, stay in the critical section, and leave, as the load says."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

from algorithms.engine.errors import duration
from algorithms.engine.events import KIND, LEAVE, NODE, REQUEST, RESOURCE, Record
from algorithms.engine.randomness import Fixed
from algorithms.engine.workload import Load

if TYPE_CHECKING:
    from algorithms.engine.simulation import Simulation


INSIDE, WANTING, IDLE = "inside", "wanting", "idle"  # what a process that is up does for its application


def is_inside(process: Any) -> bool:
    """Whether a process is in the critical section of any resource; False for an election."""
    return bool(vars(process).get("inside"))


def is_wanting(process: Any) -> bool:
    """Whether a process waits to enter the critical section of any resource; False for an election."""
    return bool(vars(process).get("wants"))


def activity(process: Any) -> str:
    """`INSIDE`, `WANTING` or `IDLE`, by the process's own variables."""
    if is_inside(process):
        return INSIDE
    return WANTING if is_wanting(process) else IDLE


def resources_inside(process: Any) -> list[int]:
    """The resources in whose critical section a process is, in ascending order; none for an election."""
    inside = vars(process).get("inside", False)
    return sorted(inside) if isinstance(inside, set) else [0] * inside


class SavedApplications(NamedTuple):
    """The state of the applications at a checkpoint."""

    load: Load
    queued: list[tuple[int, ...]]
    expected: list[int]


class Applications:
    """One application for each node of a run."""

    def __init__(self, run: Simulation) -> None:
        nodes = run.scenario.nodes
        self.load = run.scenario.load
        self.resources = getattr(run.process_class, "resources", 1)  # number of resources
        self._none = (0,) * self.resources
        self._queued = [self._none] * nodes  # by node, the requests after its current one, counted by resource
        self._expected = [0] * nodes  # number of requests of the load in the event queue, by node
        self._run = run

    def backlog(self, node: int) -> int:
        """The number of requests of a node that wait behind its current one."""
        return sum(self._queued[node])

    def open(self, load: Load) -> None:
        """Switch to another load; requests already made stay."""
        run = self._run
        run.queue.remove(lambda entry: entry[KIND] == REQUEST)
        self._expected = [0] * len(run.processes)
        self.load = load
        for process in run.processes:
            if not (load.closed and process.busy()):
                for k, gap in enumerate(load.opening(process.id, run.stream_of("load", process.id))):
                    self._expect(process.id, gap, k)

    def ask(self, request: Record) -> None:
        """Handle a request of the load that is due."""
        self.miss(request[NODE])
        self.demand(request[NODE], request[RESOURCE])

    def miss(self, node: int) -> None:
        """Drop a request at a node that is gone, and schedule the next."""
        self._expected[node] -= 1
        self._expect(node, self.load.after_request(self._run.stream_of("load", node)))

    def demand(self, node: int, resource: int) -> None:
        """Request an entry (or an election) for `node`, now or after its current turn."""
        process = self._run.processes[node]
        if process.busy(resource):
            self._queue(node, resource, +1)
        else:
            process.demand(resource)
            self._run.settle(process)

    def enter(self, node: int, hold: float | None, resource: int) -> None:
        """Schedule the exit of `node`, after `hold` or as the load says."""
        hold = self._draw_hold(node) if hold is None else duration(hold, "enters for")
        self._run.queue.push((self._run.now + hold, self._run.number(), LEAVE, node, resource))

    def leave(self, exit: Record) -> None:
        """End a node's stay in the critical section, and make its next request."""
        node, resource = exit[NODE], exit[RESOURCE]
        process = self._run.processes[node]
        process.leave(resource)
        self._run.settle(process)
        if self._queued[node][resource] and not process.busy(resource):
            self._queue(node, resource, -1)
            process.demand(resource)
            self._run.settle(process)
        if self.load.closed and not self._expected[node]:
            self._expect(node, self.load.after_leave(self._run.stream_of("load", node)))

    def stop(self, node: int) -> None:
        """Cancel the scheduled exit of `node`, which crashes or leaves for good."""
        if is_inside(self._run.processes[node]):
            self._run.queue.remove(lambda entry: entry[KIND] == LEAVE and entry[NODE] == node)

    def forget(self, node: int) -> None:
        """Drop the queued requests of `node`, which has lost its memory."""
        self._queued[node] = self._none

    def revive(self, node: int) -> None:
        """Let a node that is back request again; a closed load would otherwise wait forever for its exit."""
        if not self._expected[node] and not self._run.processes[node].busy():
            self._expect(node, self.load.after_leave(self._run.stream_of("load", node)))

    def save(self) -> SavedApplications:
        """A copy of the present state."""
        return SavedApplications(self.load, self._queued.copy(), self._expected.copy())

    def restore(self, saved: SavedApplications) -> None:
        """Go back to a saved state, together with the queue."""
        self.load, self._queued, self._expected = saved.load, saved.queued.copy(), saved.expected.copy()

    def _queue(self, node: int, resource: int, by: int) -> None:
        counts = self._queued[node]
        self._queued[node] = (*counts[:resource], counts[resource] + by, *counts[resource + 1 :])

    def _draw_hold(self, node: int) -> float:
        hold = self.load.hold
        return hold.value if isinstance(hold, Fixed) else hold.draw(self._run.stream_of("hold", node).random())

    def _expect(self, node: int, gap: float | None, k: int = 0) -> None:
        if gap is not None and gap < inf:
            self._expected[node] += 1
            resource = self._choose(node, k) if self.resources > 1 else 0
            self._run.queue.push((self._run.now + gap, self._run.number(), REQUEST, node, resource))

    def _choose(self, node: int, k: int) -> int:
        return self.load.resource(node, k, self.resources, self._run.stream_of("resource", node))
