"""The state of a run on an overlay as plain values: replicas, votes, paths of owners, queues, routes of requests.

The processes name the variables that hold it: see `votes`, `paths` and `waits` of `PeerProcess`. Routes are read off
the trace, hop by hop.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from typing import Any, NamedTuple, TypeAlias

from algorithms.engine.events import DELIVER, KIND, MESSAGE, NODE, SENDER, SEQ, Record
from algorithms.engine.observe.fold import Fold
from algorithms.engine.observe.observer import Observer
from algorithms.engine.observe.series import Log, Series
from algorithms.engine.simulation import Simulation
from algorithms.peer_to_peer.overlay import CIRCLE
from visual.analysis.run_cache import Moment, RunCache

Ticket: TypeAlias = tuple[int, ...]

MOST_REPLICAS = 15
"""A picture names all replicas up to this number; beyond it, only those that some client has asked."""


def on_overlay(run: Simulation) -> bool:
    """Whether the processes of a run are on an overlay."""
    return hasattr(run.process_class, "dht")


class Replica(NamedTuple):
    """A replica of a resource: the position of its key on the circle, as a fraction, and the node responsible for it.

    It `is_known` unless the node still waits for its state from the one that was responsible before.
    """

    number: int
    part: float
    node: int
    resource: int
    is_known: bool


class Vote(NamedTuple):
    """A replica votes for a ticket."""

    replica: int
    node: int
    ticket: Ticket
    resource: int


class Path(NamedTuple):
    """The nodes from an owner to a replica that know they are on its path: a quorum set."""

    replica: int
    ticket: Ticket
    nodes: tuple[int, ...]
    resource: int


class Pointers(NamedTuple):
    """The pointers of a node on a path: to the nodes before and after it, or to itself and None at the ends."""

    node: int
    ticket: Ticket
    previous: int
    following: int | None
    resource: int


class Queue(NamedTuple):
    """The clients that wait at a node for a replica's vote or, if that is None, for the token; the next one first."""

    node: int
    replica: int | None
    waiting: tuple[int | Ticket, ...]  # clients by number, or their tickets
    resource: int


class Claim(NamedTuple):
    """A node is in the critical section of a resource, or waits for it."""

    node: int
    resource: int
    inside: bool


class OverlayState(NamedTuple):
    """The whole state, in a fixed order."""

    replicas: tuple[Replica, ...]
    votes: tuple[Vote, ...]
    paths: tuple[Path, ...]
    pointers: tuple[Pointers, ...]
    queues: tuple[Queue, ...]
    claims: tuple[Claim, ...]

    def about(self, resources: Collection[int]) -> OverlayState:
        """The part of the state about these resources, with all replicas."""
        return self._replace(
            votes=tuple(vote for vote in self.votes if vote.resource in resources),
            paths=tuple(path for path in self.paths if path.resource in resources),
            pointers=tuple(pair for pair in self.pointers if pair.resource in resources),
            queues=tuple(queue for queue in self.queues if queue.resource in resources),
            claims=tuple(claim for claim in self.claims if claim.resource in resources),
        )


def client_of(ticket: Ticket) -> int:
    """The client that drew the ticket."""
    return ticket[1]


def circle_fractions(run: Simulation) -> tuple[float, ...]:
    """The position of each node's identifier, as a fraction of the identifier circle."""
    places = _first(run).dht.places
    return tuple(places[node] / CIRCLE for node in range(len(run.processes)))


def overlay_state(moment: Moment) -> OverlayState:
    """The state of the overlay at that moment."""
    run = moment.run
    replicas, each = tuple(_replicas(run)), _first(run).replicas
    present = [process for process in run.processes if not run.is_gone(process.id)]
    entries = [entry for process in present for entry in _entries(process)]
    return OverlayState(
        replicas,
        tuple(_votes(replicas, run)),
        tuple(_paths(entries, each)),
        tuple(dict.fromkeys(Pointers(e.node, e.ticket, e.previous, e.following, e.replica // each) for e in entries)),
        tuple(queue for process in present for queue in _queues(process)),
        tuple(Claim(one.id, k, k in one.inside) for one in present for k in sorted(one.inside | one.wants)),
    )


class _Entry(NamedTuple):
    """An entry of a node's replica list."""

    replica: int
    ticket: Ticket
    node: int
    previous: int
    following: int | None


def _first(run: Simulation) -> Any:
    return run.processes[0]


def _replicas(run: Simulation) -> Iterator[Replica]:
    process = _first(run)
    for number, key in enumerate(process.keys()):
        node = process.dht.responsible(key)
        is_known = number in vars(run.processes[node])["charge"] or not run.steps
        yield Replica(number, key / CIRCLE, node, process.resource_of(number), is_known)


def _votes(replicas: Iterable[Replica], run: Simulation) -> Iterator[Vote]:
    for replica in replicas:
        process = run.processes[replica.node]
        vote = vars(process)[process.votes].get(replica.number)
        if vote is not None:
            ticket = vote[0] if isinstance(vote[0], tuple) else vote
            yield Vote(replica.number, replica.node, ticket, replica.resource)


def _entries(process: Any) -> Iterator[_Entry]:
    paths = vars(process)[process.paths] if process.paths else {}
    for replica, (ticket, previous, following) in sorted(paths.items()) if paths else ():
        yield _Entry(replica, ticket, process.id, previous, following)


def _paths(entries: list[_Entry], each: int) -> Iterator[Path]:
    """The entries for each replica and ticket, joined into chains from the owner on."""
    links: defaultdict[tuple[int, Ticket], dict[int, int | None]] = defaultdict(dict)
    for entry in entries:
        links[entry.replica, entry.ticket][entry.node] = entry.following
    for (replica, ticket), following in sorted(links.items()):
        inner = {after for node, after in following.items() if after != node}
        starts = [node for node in following if node not in inner]
        for start in starts:
            yield Path(replica, ticket, tuple(_chain(start, following)), replica // each)


def _chain(start: int, following: dict[int, int | None]) -> Iterator[int]:
    node: int | None = start
    visited = set()
    while node is not None and node in following and node not in visited:
        visited.add(node)
        yield node
        node = following[node]


def _queues(process: Any) -> Iterator[Queue]:
    for resource, clients in sorted(vars(process)[process.lines].items()) if process.lines else ():
        if clients:
            yield Queue(process.id, None, tuple(clients), resource)
    if process.waits is None:
        return
    waiting: defaultdict[int, list[Ticket]] = defaultdict(list)
    for replica, ticket in vars(process)[process.waits]:
        waiting[replica].append(ticket)
    for replica, tickets in sorted(waiting.items()):
        yield Queue(process.id, replica, tuple(sorted(tickets)), process.resource_of(replica))


_MOST_ROUTES = 24  # in one picture


class Hop(NamedTuple):
    """One message of a request that is routed to a replica."""

    ticket: Ticket
    replica: int
    sender: int
    receiver: int
    seq: int


class Route(NamedTuple):
    """The hops of one client's present request: those completed, and those in transit."""

    ticket: Ticket
    completed: tuple[Hop, ...]
    current: tuple[Hop, ...]
    resource: int


class Hops(Series):
    """The hops of each request, by step, and the order in which clients made their first request."""

    def __init__(self) -> None:
        self.of: dict[Ticket, Log[Hop]] = {}
        self.ranks: dict[int, int] = {}  # client -> number of others whose first request came earlier

    def add(self, step: int, hop: Hop) -> None:
        """Record that a hop has begun."""
        self.of.setdefault(hop.ticket, Log()).add(step, hop)
        self.ranks.setdefault(client_of(hop.ticket), len(self.ranks))

    def at(self, ticket: Ticket, step: int) -> list[Hop]:
        """The hops for that ticket after `step` steps."""
        return self.of[ticket].at(step) if ticket in self.of else []

    def truncate(self, step: int) -> None:
        for log in self.of.values():
            log.truncate(step)
        self.of = {ticket: log for ticket, log in self.of.items() if log.values}
        self.ranks = {client: rank for rank, client in enumerate(dict.fromkeys(map(client_of, self.of)))}

    def forget(self) -> None:
        self.of.clear()


class RouteObserver(Observer):
    """Records every hop of a request: of a message whose class names the ticket with which it `asks`."""

    def __init__(self) -> None:
        self.hops = Hops()

    def on_sent(self, step: int, record: Record) -> None:
        message: Any = record[MESSAGE]
        asking = getattr(type(message), "asks", None)
        if asking and record[SENDER] != record[NODE]:
            ticket = getattr(message, asking)
            self.hops.add(step, Hop(ticket, message.replica, record[SENDER], record[NODE], record[SEQ]))


def routes(cache: RunCache) -> list[Route]:
    """The routes so far of all requests that are still waiting."""
    run = cache.run
    hops, steps = _hops(cache), run.steps
    in_transit = {entry[SEQ] for entry in run.queue.between_processes() if entry[KIND] == DELIVER}
    waiting = []
    for process in run.processes:
        for resource in sorted(process.wants):
            ticket = process.ticket.get(resource)
            own = hops.at(ticket, steps) if ticket else []
            completed = tuple(hop for hop in own if hop.seq not in in_transit)
            current = tuple(hop for hop in own if hop.seq in in_transit)
            if own:
                waiting.append(Route(ticket, completed, current, resource))
    return waiting


def newest_routes(routes: list[Route]) -> list[Route]:
    """Of too many routes to tell apart, those in motion and those that moved last."""
    latest = sorted(
        routes, key=lambda route: (not route.current, -max(hop.seq for hop in (*route.completed, *route.current)))
    )
    return sorted(latest[:_MOST_ROUTES])


def client_ranks(cache: RunCache) -> dict[int, int]:
    """Client -> number of clients whose first request came earlier; it never changes as the run goes on."""
    return _hops(cache).ranks


def _hops(cache: RunCache) -> Hops:
    fold, observer = cache.get(_reader, cache.run)
    fold.advance(cache.run.trace)
    return observer.hops


def _reader(run: Simulation) -> tuple[Fold, RouteObserver]:
    fold, observer = Fold(run.scenario, run.algorithm), RouteObserver()
    fold.observe([observer])
    return fold, observer
