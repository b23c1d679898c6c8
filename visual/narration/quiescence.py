"""Why nothing happens any more, in a sentence: whoever waits then waits for ever."""

from __future__ import annotations

from algorithms.engine.observe.offered_load import offered_load
from algorithms.engine.rewrite import system_of
from algorithms.engine.simulation import Simulation
from algorithms.engine.workload import Burst, Closed, Load, Poisson, Saturated, Script
from visual.analysis.wait_for import is_waiting
from visual.words.names import join_nodes

_MOST_NAMED = 4
_NOBODY = "Nothing will happen any more: nobody asks, and no message is on its way."


def quiescence_sentence(run: Simulation) -> str:
    """What to say of a run in which nothing is due."""
    if system_of(run.algorithm):
        return _NOBODY
    nodes = range(len(run.processes))
    paused = [node for node in nodes if run.is_paused(node)]
    if paused:
        return f"Nothing will happen by itself: {_named(paused, 'is', 'are')} paused."
    waiting = [node for node in nodes if is_waiting(run, node)]
    return f"Nothing will happen any more: {_named(waiting, 'waits', 'wait')} for ever." if waiting else _NOBODY


def _named(nodes: list[int], one: str, many: str) -> str:
    """The nodes, and the verb that goes with so many."""
    named = join_nodes(nodes) if len(nodes) <= _MOST_NAMED else f"{len(nodes)} nodes"
    return f"{named} {one if len(nodes) == 1 else many}"


OFFERED = "k_load: how many would be inside if nobody had to wait"


def load_words(run: Simulation) -> str:
    """The load in a word or a number, for the header."""
    load = run.applications.load
    if run.algorithm.paced_by:
        return f"k = {offered_load(run) or 0.0:.2g}"
    match load:
        case Poisson(rate=rate):
            return f"{rate:g}"
        case Closed(think=think):
            return f"think {think:g}"
        case Script():
            return "script"
        case Saturated():
            return "full"
        case Burst():
            return "bursts"
    return "by hand" if type(load) is Load else type(load).__name__.lower()
