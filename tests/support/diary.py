"""The state after each step of a run, read from the processes, and naive computations of the measures."""

from __future__ import annotations

from collections import Counter

from algorithms.engine.events import ENTER, FAULT, KIND, LEAVE, NODE, REQUEST, Record
from algorithms.engine.membership import PAUSED
from algorithms.engine.simulation import Simulation
from tests.support.random_scenarios import goes_on


class Diary:
    """The state after each step of a run, read from the processes."""

    def __init__(self, simulation: Simulation) -> None:
        self.nodes = range(simulation.scenario.nodes)
        self.times = [0.0]
        self.wants: list[set[int]] = [set()]
        self.inside: list[set[int]] = [set()]
        self.open = [[0] * len(self.nodes)]  # pending requests of each node; a crash leaves them
        self.down = [dict(simulation.down)]
        self.records: list[list[Record]] = [[]]
        while goes_on(simulation):
            alive = [p for p in simulation.processes if not simulation.is_gone(p.id)]
            self.times.append(simulation.now)
            self.wants.append({p.id for p in alive if p.wants})
            self.inside.append({p.id for p in alive if p.inside})
            self.open.append(self.open[-1].copy())
            for process in alive:
                self.open[-1][process.id] = process.wants + simulation.applications.backlog(process.id)
            self.down.append(dict(simulation.down))
            self.records.append(simulation.trace.step(simulation.steps - 1))
        self.steps = range(1, len(self.times))

    # ---- states and events ---------------------------------------------------------------------------------

    def enters(self, step: int) -> list[int]:
        return [record[NODE] for record in self.records[step] if record[KIND] == ENTER]

    def exits(self, step: int) -> list[int]:
        left = [record[NODE] for record in self.records[step] if record[KIND] == LEAVE]
        return [node for node in left if node in self.inside[step - 1]]

    def up(self, step: int, node: int) -> bool:
        """Whether the node is up or paused after that step."""
        return self.down[step].get(node) in (None, PAUSED)

    def asks(self, step: int, node: int) -> bool:
        event = self.records[step][0]
        by_hand = event[KIND] == FAULT and event[4].do == "request" and node not in self.down[step - 1]
        by_load = event[KIND] == REQUEST and self.down[step - 1].get(node) is None
        return bool(event[NODE] == node and (by_hand or by_load))

    def served(self, step: int) -> list[int]:
        """The nodes that enter in this step, on a request made in it or before it."""
        outside = [n for n in self.enters(step) if n not in self.inside[step - 1] or n in self.exits(step)]
        return [node for node in outside if self.open[step - 1][node] or self.asks(step, node)]

    # ---- measures ------------------------------------------------------------------------------------------

    def concurrency(self) -> dict[int, float]:
        spent: Counter[int] = Counter()
        for k in self.steps:
            spent[len(self.inside[k - 1])] += self.times[k] - self.times[k - 1]
        return {number: time for number, time in spent.items() if time}

    def waiting_times(self) -> list[float]:
        """The waiting times; a node is served in order, and its state may forget requests."""
        samples = []
        for node in self.nodes:
            queue: list[float] = []
            for step in self.steps:
                if self.asks(step, node):
                    queue.append(self.times[step])
                if node in self.served(step):
                    samples.append(self.times[step] - queue.pop(0))
                if self.open[step][node] == 0:
                    queue.clear()
                assert len(queue) == self.open[step][node] or not self.up(step, node)
        return samples

    def responses(self) -> list[float]:
        """For each requested entry, the time since the later of the previous one and the first pending request."""
        samples = []
        for step in filter(self.served, self.steps):
            start = step
            while self.wants[start - 1] and not (start < step and self.served(start)):
                start -= 1
            samples.append(self.times[step] - self.times[start])
        return samples

    def hand_overs(self) -> list[float]:
        """For each entry, the time since the last exit, if a process has been waiting and none inside ever since."""
        samples = []
        for step in filter(self.enters, self.steps):
            back = step
            while self.wants[back - 1] and not self.exits(back) and not self.enters(back - 1):
                back -= 1
            if self.exits(back) and (back == step or self.wants[back]):
                samples.append(self.times[step] - self.times[back])
        return samples
