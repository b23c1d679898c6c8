"""The yardsticks of the engine: the same two systems on a bare heap loop, and in idiomatic SimPy.

Ring: N = 100, message delay 1, one Poisson request per 10 units in total. RA: Ricart–Agrawala, N = 10, closed loop with
mean think time 10. Time in the critical section 1. Each function runs until about `size` messages (or events) have been
handled and returns the number of delivered messages.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
from random import Random
from typing import Any

RING_NODES, RING_RATE = 100, 0.1
RA_NODES, RA_THINK = 10, 10.0


class BareLoop:
    """A heap of (time, number, method, argument), and a loop over it."""

    def __init__(self, seed: int) -> None:
        self.now = 0.0
        self.number = 0
        self.queue: list[tuple[float, int, Callable[[Any], None], Any]] = []
        self.random = Random(seed)
        self.messages = 0

    def after(self, delay: float, method: Callable[[Any], None], argument: Any) -> None:
        self.number += 1
        heappush(self.queue, (self.now + delay, self.number, method, argument))

    def run(self, events: int) -> None:
        queue = self.queue
        for _ in range(events):
            self.now, _, method, argument = heappop(queue)
            method(argument)


class BareRingNode:
    def __init__(self, loop: BareLoop) -> None:
        self.loop = loop
        self.next = self
        self.pending = 0

    def arrive(self, _: None) -> None:
        self.pending += 1
        self.loop.after(self.loop.random.expovariate(RING_RATE / RING_NODES), self.arrive, None)

    def token(self, hops: int) -> None:
        self.loop.messages += 1
        if self.pending:
            self.pending -= 1
            self.loop.after(1.0, self.leave, hops)
        else:
            self.loop.after(1.0, self.next.token, hops + 1)

    def leave(self, hops: int) -> None:
        self.loop.after(1.0, self.next.token, hops + 1)


def bare_ring(size: int) -> int:
    loop = BareLoop(1)
    nodes = [BareRingNode(loop) for _ in range(RING_NODES)]
    for i, node in enumerate(nodes):
        node.next = nodes[(i + 1) % RING_NODES]
        loop.after(loop.random.expovariate(RING_RATE / RING_NODES), node.arrive, None)
    loop.after(1.0, nodes[0].token, 0)
    loop.run(size)
    return loop.messages


class BareRicartAgrawalaNode:
    def __init__(self, loop: BareLoop, number: int) -> None:
        self.loop = loop
        self.number = number
        self.peers: list[BareRicartAgrawalaNode] = []
        self.clock = 0
        self.request = -1
        self.replies = 0
        self.deferred: list[BareRicartAgrawalaNode] = []

    def want(self, _: None) -> None:
        self.clock += 1
        self.request = self.clock
        self.replies = 0
        for peer in self.peers:
            self.loop.after(1.0, peer.on_request, (self.request, self.number, self))

    def on_request(self, message: tuple[int, int, BareRicartAgrawalaNode]) -> None:
        self.loop.messages += 1
        stamp, number, sender = message
        self.clock = max(self.clock, stamp) + 1
        if self.request >= 0 and (self.request, self.number) < (stamp, number):
            self.deferred.append(sender)
        else:
            self.loop.after(1.0, sender.on_reply, self.clock)

    def on_reply(self, stamp: int) -> None:
        self.loop.messages += 1
        self.clock = max(self.clock, stamp) + 1
        self.replies += 1
        if self.replies == len(self.peers):
            self.loop.after(1.0, self.leave, None)

    def leave(self, _: None) -> None:
        self.request = -1
        deferred, self.deferred = self.deferred, []
        for peer in deferred:
            self.loop.after(1.0, peer.on_reply, self.clock)
        self.loop.after(self.loop.random.expovariate(1 / RA_THINK), self.want, None)


def bare_ra(size: int) -> int:
    loop = BareLoop(1)
    nodes = [BareRicartAgrawalaNode(loop, i) for i in range(RA_NODES)]
    for node in nodes:
        node.peers = [other for other in nodes if other is not node]
        loop.after(loop.random.expovariate(1 / RA_THINK), node.want, None)
    loop.run(size)
    return loop.messages


class SimPyNetwork:
    """A store as everybody's inbox, and a process per message for the time it takes ("event latency")."""

    def __init__(self, nodes: int, size: int) -> None:
        import simpy

        self.env = simpy.Environment()
        self.inbox = [simpy.Store(self.env) for _ in range(nodes)]
        self.done = self.env.event()
        self.messages = 0
        self.size = size

    def send(self, receiver: int, message: Any) -> None:
        self.env.process(self._travel(receiver, message))

    def _travel(self, receiver: int, message: Any) -> Any:
        yield self.env.timeout(1.0)
        self.inbox[receiver].put(message)

    def count(self) -> None:
        self.messages += 1
        if self.messages == self.size:
            self.done.succeed()


def simpy_ring(size: int) -> int:
    network = SimPyNetwork(RING_NODES, size)
    env, random, pending = network.env, Random(1), [0] * RING_NODES

    def arrivals(i: int) -> Any:
        while True:
            yield env.timeout(random.expovariate(RING_RATE / RING_NODES))
            pending[i] += 1

    def node(i: int) -> Any:
        while True:
            hops = yield network.inbox[i].get()
            network.count()
            if pending[i]:
                pending[i] -= 1
                yield env.timeout(1.0)
            network.send((i + 1) % RING_NODES, hops + 1)

    for i in range(RING_NODES):
        env.process(arrivals(i))
        env.process(node(i))
    network.send(0, 0)
    env.run(network.done)
    return network.messages


class SimPyRicartAgrawalaNode:
    def __init__(self, network: SimPyNetwork, number: int, random: Random) -> None:
        self.network, self.number, self.random = network, number, random
        self.clock = 0
        self.request = -1
        self.replies = 0
        self.deferred: list[int] = []
        self.granted: Any = None
        network.env.process(self.client())
        network.env.process(self.server())

    def client(self) -> Any:
        env = self.network.env
        while True:
            yield env.timeout(self.random.expovariate(1 / RA_THINK))
            self.clock += 1
            self.request, self.replies, self.granted = self.clock, 0, env.event()
            for other in range(RA_NODES):
                if other != self.number:
                    self.network.send(other, ("request", self.request, self.number))
            yield self.granted
            yield env.timeout(1.0)
            self.request = -1
            deferred, self.deferred = self.deferred, []
            for other in deferred:
                self.network.send(other, ("reply", self.clock, self.number))

    def server(self) -> Any:
        while True:
            kind, stamp, sender = yield self.network.inbox[self.number].get()
            self.network.count()
            self.clock = max(self.clock, stamp) + 1
            if kind == "reply":
                self.replies += 1
                if self.replies == RA_NODES - 1:
                    self.granted.succeed()
            elif self.request >= 0 and (self.request, self.number) < (stamp, sender):
                self.deferred.append(sender)
            else:
                self.network.send(sender, ("reply", self.clock, self.number))


def simpy_ra(size: int) -> int:
    network, random = SimPyNetwork(RA_NODES, size), Random(1)
    for i in range(RA_NODES):
        SimPyRicartAgrawalaNode(network, i, random)
    network.env.run(network.done)
    return network.messages
