"""Runs on an overlay, drawn on its circle of identifiers: keys and replicas, routes, paths, votes, queues."""

from algorithms.engine.simulation import Simulation


def on_overlay(run: Simulation) -> bool:
    """Whether the processes of a run are on an overlay."""
    return hasattr(run.process_class, "dht")
