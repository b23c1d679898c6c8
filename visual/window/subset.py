"""Restricting a scenario to some of its nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from algorithms.engine.scenario import Event, Scenario
from algorithms.engine.workload import Script


def among(scenario: Scenario, nodes: Sequence[int]) -> Scenario:
    """The scenario restricted to `nodes`, renumbered 0, 1, 2, … in that order."""
    number = {node: place for place, node in enumerate(nodes)}
    network = scenario.network
    flights = (
        replace(flight, node=number[flight.node], to=number[flight.to])
        for flight in network.flights
        if flight.node in number and flight.to in number
    )
    links = (
        replace(own, node=number[own.node], to=number[own.to])
        for own in network.links
        if own.node in number and own.to in number
    )
    edges = scenario.edges
    if edges is not None:
        ends = ((number[a], number[b]) for a, b in edges if a in number and b in number)
        edges = tuple(sorted((min(pair), max(pair)) for pair in ends))
    load = scenario.load
    if isinstance(load, Script):
        requests = (replace(r, node=number[r.node]) for r in load.requests if r.node in number)
        load = replace(load, requests=tuple(requests))
    members = scenario.members
    return replace(
        scenario,
        nodes=len(nodes),
        members=None if members is None else max(1, sum(node < members for node in nodes)),
        edges=edges,
        names=tuple(scenario.names[node] for node in nodes) if scenario.names else (),
        network=replace(network, links=tuple(links), flights=tuple(flights)),
        load=load,
        events=tuple(
            _renumbered(event, number) for event in scenario.events if {event.node, event.to} <= {None, *number}
        ),
    )


def _renumbered(event: Event, number: dict[int, int]) -> Event:
    """The event with the new numbers of its nodes."""
    return replace(
        event,
        node=None if event.node is None else number[event.node],
        to=None if event.to is None else number[event.to],
        groups=tuple(tuple(number[node] for node in group if node in number) for group in event.groups),
    )
