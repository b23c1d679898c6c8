"""The summary of a run: the object that `mutoscope run --json` prints."""

from __future__ import annotations

from typing import Any

from algorithms.engine.observe.elections import ElectionCounters
from algorithms.engine.observe.meters import Counters, Meters
from algorithms.engine.observe.monitors import Monitors
from algorithms.engine.observe.series import Spread
from algorithms.engine.observe.verdicts import Verdict
from algorithms.engine.rewrite import system_of
from algorithms.engine.simulation import Simulation


def summary(simulation: Simulation, meters: Meters, monitors: Monitors, time: float | None = None) -> dict[str, Any]:
    """The run so far as plain values, at `time` (None: of the last step). Reads the rest of the trace.

    The JSON keys are part of the command line's interface. "tokens" exists for token algorithms, "elections" for
    elections, "suspicions" if there were any. For a rewriting system only applications of its "rules" are counted.

    "per_entry" is over the "complete_entries", without the "free_entries" where the formula does not count them;
    "open_messages" are charged to the "open_requests" or to the next entry (see `charges`). "fairness" is Jain's index
    over the nodes that have requested. A monitor's "status" is "holds", "pending", "overdue" or "broken"; "nodes" are
    those it waits for, and "promised" is whether the algorithm promises the property.
    """
    for fold in (meters, monitors):
        fold.advance(simulation.trace)
    if simulation.is_over() and simulation.failed_step is None:
        monitors.finish(simulation.trace)
    time = simulation.now if time is None else time
    counters, verdicts = meters.at(meters.steps, time), monitors.at(monitors.steps, time)
    return {
        "algorithm": simulation.algorithm.name,
        "nodes": simulation.scenario.nodes,
        **({"names": list(simulation.scenario.names)} if simulation.scenario.names else {}),
        "seed": simulation.scenario.seed,
        "time": time,
        "steps": simulation.steps,
        **({"rules": counters.rules} if system_of(simulation.algorithm) else _counter_values(counters)),
        "monitors": {name: _verdict(verdict) for name, verdict in verdicts.items()},
    }


def _counter_values(counters: Counters) -> dict[str, Any]:
    messages: dict[str, Any] = {"total": counters.messages, "by_type": counters.by_type}
    if counters.elections is None:
        messages["per_entry"] = counters.per_entry
        messages["complete_entries"] = counters.charges.complete
        messages["free_entries"] = counters.charges.free
        messages["open_requests"] = counters.open_requests
        messages["open_messages"] = counters.open_messages
    else:
        messages["per_entry"] = None
    values = {
        "entries": counters.entries,
        "messages": messages,
        "waiting_time": _spread(counters.waiting_time),
        "synchronisation_delay": _spread(counters.synchronisation_delay),
        "responsiveness": {"mean": counters.responsiveness.mean, "max": counters.responsiveness.max},
        "concurrency": _shares(counters.concurrency),
        "entries_per_node": list(counters.entries_per_node),
        "fairness": counters.fairness,
    }
    if counters.token_shares is not None:
        values["tokens"] = _shares(counters.token_shares)
    if counters.suspicions:
        values["suspicions"] = {"total": counters.suspicions, "false": counters.false_suspicions}
    if counters.elections is not None:
        values["elections"] = _elections(counters.elections)
    return values


def _spread(spread: Spread) -> dict[str, float | None]:
    return {"mean": spread.mean, "median": spread.median, "p95": spread.p95, "max": spread.max}


def _shares(shares: dict[int, float]) -> dict[str, float]:
    return {str(value): time for value, time in shares.items()}


def _elections(elections: ElectionCounters) -> dict[str, Any]:
    return {
        "started": elections.started,
        "finished": elections.finished,
        "initiators": elections.initiators,
        "calls": elections.calls,
        "complete": elections.complete,
        "messages_per_election": elections.messages_per_election,
        "open_messages": elections.open_messages,
        "turnaround": _spread(elections.turnaround),
    }


def _verdict(verdict: Verdict) -> dict[str, Any]:
    return {
        "status": verdict.status,
        "step": verdict.step,
        "time": verdict.time,
        "detail": verdict.detail,
        "nodes": list(verdict.nodes),
        "promised": verdict.promised,
    }
