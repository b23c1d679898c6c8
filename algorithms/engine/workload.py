"""Loads: when each node requests. A load is a plain value; its random numbers come from a stream per node.

A load determines a node's first request, and its next one after a request (open loads) or after leaving the critical
section (closed loads). Times are gaps from the moment in question; None means never.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import ClassVar

from algorithms.engine.randomness import Distribution, Fixed, Stream


@dataclass(frozen=True)
class Request:
    """A request in a script: node `node` requests the resource at time `at`."""

    at: float
    node: int
    resource: int = 0


@dataclass(frozen=True, kw_only=True)
class Load:
    """No requests, except by hand; the base of all loads. `hold` is the time in the critical section."""

    hold: Distribution = Fixed(1.0)
    closed: ClassVar[bool] = False  # whether a node's next request follows its exit

    def offered(self) -> float | None:
        """The share of time that a node would spend inside without waiting; None if unknown."""
        return None

    @property
    def pace(self) -> float:
        """The mean number of requests of a node per unit of time, served or not; 0 where the service sets it."""
        return 0.0

    def opening(self, node: int, stream: Stream) -> list[float]:
        """The times of the first requests of `node`, counted from the load's start."""
        return []

    def resource(self, node: int, k: int, resources: int, stream: Stream) -> int:
        """The resource, out of `resources`, of request k of `node` since the load's start; any."""
        return stream.below(resources)

    def after_request(self, stream: Stream) -> float | None:
        """The gap from one request of a node to its next."""
        return None

    def after_leave(self, stream: Stream) -> float | None:
        """The gap from leaving the critical section to the next request."""
        return None


@dataclass(frozen=True, kw_only=True)
class Script(Load):
    """Exactly these requests."""

    requests: tuple[Request, ...] = ()

    def opening(self, node: int, stream: Stream) -> list[float]:
        return [request.at for request in self._by_node.get(node, ())]

    def resource(self, node: int, k: int, resources: int, stream: Stream) -> int:
        return self._by_node[node][k].resource

    @cached_property
    def _by_node(self) -> dict[int, list[Request]]:
        requests: dict[int, list[Request]] = {}
        for request in self.requests:
            requests.setdefault(request.node, []).append(request)
        return requests


@dataclass(frozen=True, kw_only=True)
class Renewal(Load):
    """Each node requests again after a random gap, served or not."""

    gap: Distribution

    def offered(self) -> float | None:
        return self.hold.mean / self.gap.mean if self.gap.mean else inf

    @property
    def pace(self) -> float:
        return 1 / self.gap.mean if self.gap.mean else inf

    def opening(self, node: int, stream: Stream) -> list[float]:
        return [self.gap.draw(stream.random())]

    def after_request(self, stream: Stream) -> float | None:
        return self.gap.draw(stream.random())


@dataclass(frozen=True, kw_only=True)
class Poisson(Load):
    """Each node requests at random, at `rate` per unit of time, served or not."""

    rate: float

    def offered(self) -> float | None:
        return self.rate * self.hold.mean

    @property
    def pace(self) -> float:
        return self.rate

    def opening(self, node: int, stream: Stream) -> list[float]:
        return [self._gap(stream)] if self.rate > 0 else []

    def after_request(self, stream: Stream) -> float | None:
        return self._gap(stream)

    def _gap(self, stream: Stream) -> float:
        return stream.exponential(1 / self.rate) if self.rate > 0 else inf


@dataclass(frozen=True, kw_only=True)
class Closed(Load):
    """Each node thinks for an exponential time of mean `think`, then requests, and waits."""

    think: float
    closed = True

    def offered(self) -> float | None:
        return self.hold.mean / (self.think + self.hold.mean)

    def opening(self, node: int, stream: Stream) -> list[float]:
        return [stream.exponential(self.think)]

    def after_leave(self, stream: Stream) -> float | None:
        return stream.exponential(self.think)


@dataclass(frozen=True, kw_only=True)
class Saturated(Load):
    """Every node requests at once, and again as soon as it has left."""

    closed = True

    def offered(self) -> float | None:
        return 1.0

    def opening(self, node: int, stream: Stream) -> list[float]:
        return [0.0]

    def after_leave(self, stream: Stream) -> float | None:
        return 0.0


@dataclass(frozen=True, kw_only=True)
class Burst(Load):
    """Every `every` units of time, each node requests with probability `share`."""

    every: float
    share: float = 1.0

    def offered(self) -> float | None:
        return self.share * self.hold.mean / self.every

    @property
    def pace(self) -> float:
        return self.share / self.every

    def opening(self, node: int, stream: Stream) -> list[float]:
        return [self._misses(stream) * self.every] if self.share > 0 else []

    def after_request(self, stream: Stream) -> float | None:
        return (1 + self._misses(stream)) * self.every

    def _misses(self, stream: Stream) -> int:
        misses = 0
        while stream.random() >= self.share:
            misses += 1
        return misses


LOADS: dict[str, type[Load]] = {
    "none": Load,
    "script": Script,
    "poisson": Poisson,
    "closed": Closed,
    "saturated": Saturated,
    "burst": Burst,
    "renewal": Renewal,
}


def of_resource(resource: int, several: bool) -> str:
    """The name of a resource, to be appended to a sentence; "" if there is only one resource."""
    return f" (resource {resource_name(resource)})" if several else ""


def resource_name(resource: int) -> str:
    """0 -> "A", 25 -> "Z", 26 -> "AA"."""
    before, last = divmod(resource, 26)
    return (resource_name(before - 1) if before else "") + chr(ord("A") + last)
