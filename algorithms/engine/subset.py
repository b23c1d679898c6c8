"""A scenario on some of its nodes: what it says of the others is dropped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from algorithms.engine.scenario import Event, Scenario
from algorithms.engine.workload import Script


def among(scenario: Scenario, kept: Sequence[int]) -> Scenario:
    """The scenario on the nodes that are `kept`, in that order the nodes 0, 1, 2, … of the new one."""
    number = {node: place for place, node in enumerate(kept)}
    network = scenario.network
    flights = (
        replace(flight, node=number[flight.node], to=number[flight.to])
        for flight in network.flights
        if flight.node in number and flight.to in number
    )
    edges = scenario.edges
    if edges is not None:
        ends = ((number[a], number[b]) for a, b in edges if a in number and b in number)
        edges = tuple(sorted((min(pair), max(pair)) for pair in ends))
    load = scenario.load
    if isinstance(load, Script):
        asked = (replace(ask, node=number[ask.node]) for ask in load.requests if ask.node in number)
        load = replace(load, requests=tuple(asked))
    members = scenario.members
    return replace(
        scenario,
        nodes=len(kept),
        members=None if members is None else max(1, sum(node < members for node in kept)),
        edges=edges,
        network=replace(network, flights=tuple(flights)),
        load=load,
        events=tuple(_among(event, number) for event in scenario.events if _concerns_kept(event, number)),
    )


def _concerns_kept(event: Event, number: dict[int, int]) -> bool:
    return all(node is None or node in number for node in (event.node, event.to))


def _among(event: Event, number: dict[int, int]) -> Event:
    """The event, its nodes by their new numbers."""
    return replace(
        event,
        node=None if event.node is None else number[event.node],
        to=None if event.to is None else number[event.to],
        groups=tuple(tuple(number[node] for node in group if node in number) for group in event.groups),
    )
