"""The routes of requests as they go, hop by hop, read off the trace, and in which order clients have asked first."""

from __future__ import annotations

from typing import Any, NamedTuple

from algorithms.engine.events import DELIVER, KIND, MESSAGE, NODE, SENDER, SEQ, Record
from algorithms.engine.observe.fold import Fold
from algorithms.engine.observe.observer import Observer
from algorithms.engine.observe.series import Log, Series
from algorithms.engine.simulation import Simulation
from visual.analysis.overlay_state import Ticket, client_of
from visual.analysis.run_cache import RunCache

_MOST = 24  # routes in one picture


class Hop(NamedTuple):
    """One message of a request on its way to a replica."""

    ticket: Ticket
    replica: int
    sender: int
    receiver: int
    seq: int


class Route(NamedTuple):
    """The hops of one client's present request, those being made now last."""

    ticket: Ticket
    made: tuple[Hop, ...]
    now: tuple[Hop, ...]
    resource: int


class Hops(Series):
    """The hops of each request, by step, and how many clients have asked before a client did."""

    def __init__(self) -> None:
        self.of: dict[Ticket, Log[Hop]] = {}
        self.ranks: dict[int, int] = {}  # client -> how many others asked before it asked first

    def add(self, step: int, hop: Hop) -> None:
        """One more hop has begun."""
        self.of.setdefault(hop.ticket, Log()).add(step, hop)
        self.ranks.setdefault(client_of(hop.ticket), len(self.ranks))

    def at(self, ticket: Ticket, step: int) -> list[Hop]:
        """The hops for that ticket, after so many steps."""
        return self.of[ticket].at(step) if ticket in self.of else []

    def truncate(self, step: int) -> None:
        for log in self.of.values():
            log.truncate(step)
        self.of = {ticket: log for ticket, log in self.of.items() if log.values}
        self.ranks = {client: rank for rank, client in enumerate(dict.fromkeys(map(client_of, self.of)))}

    def forget(self) -> None:
        self.of.clear()


class Trails(Observer):
    """Notes every hop of a request: of a message that says with which ticket it `asks`."""

    def __init__(self) -> None:
        self.hops = Hops()

    def on_sent(self, step: int, record: Record) -> None:
        message: Any = record[MESSAGE]
        asking = getattr(type(message), "asks", None)
        if asking and record[SENDER] != record[NODE]:
            ticket = getattr(message, asking)
            self.hops.add(step, Hop(ticket, message.replica, record[SENDER], record[NODE], record[SEQ]))


def routes(cache: RunCache) -> list[Route]:
    """The routes of all requests that wait to be served, as far as they have got."""
    run = cache.run
    hops, steps = _hops(cache), run.steps
    flying = {entry[SEQ] for entry in run.queue.between_processes() if entry[KIND] == DELIVER}
    found = []
    for process in run.processes:
        for resource in sorted(process.wants):
            ticket = process.ticket.get(resource)
            made = hops.at(ticket, steps) if ticket else []
            now = tuple(hop for hop in made if hop.seq in flying)
            if made:
                found.append(Route(ticket, tuple(hop for hop in made if hop.seq not in flying), now, resource))
    return found


def newest(found: list[Route]) -> list[Route]:
    """Of very many routes those on which something moves, and those that moved last: more are a grey surface."""
    latest = sorted(found, key=lambda route: (not route.now, -max(hop.seq for hop in (*route.made, *route.now))))
    return sorted(latest[:_MOST])


def ranks(cache: RunCache) -> dict[int, int]:
    """Client -> how many others have asked before it asked first; that never changes as the run goes on."""
    return _hops(cache).ranks


def _hops(cache: RunCache) -> Hops:
    fold, trails = cache.get(_reader, cache.run)
    fold.advance(cache.run.trace)
    return trails.hops


def _reader(run: Simulation) -> tuple[Fold, Trails]:
    fold, trails = Fold(run.scenario, run.algorithm), Trails()
    fold.observe([trails])
    return fold, trails
