"""What the checker has found, as one object for programs and as a text for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from algorithms.engine.check.counterexample import run_of
from algorithms.engine.check.explore import BROKEN, Exploration, Finding, Report, Trail
from algorithms.engine.rewrite import system_of
from algorithms.engine.rewrite.rewriter import limits_of


def summary(exploration: Exploration, report: Report, counterexample: str | None, seconds: float) -> dict[str, Any]:
    """What `check --json` prints."""
    bounds, scenario = exploration.bounds, exploration.scenario
    return {
        "algorithm": scenario.algorithm,
        "variant": scenario.variant,
        "nodes": scenario.nodes,
        "requests": bounds.requests,
        "faults": {
            "crashes": bounds.crashes,
            "losses": bounds.losses,
            "duplicates": bounds.duplicates,
            "resets": bounds.resets,
        },
        "fifo": scenario.network.fifo,
        "timers": "synchronous" if bounds.synchronous else "at any moment",
        "timeouts": bounds.timeouts,
        "states": report.states,
        "depth": report.depth,
        "bytes_per_state": report.bytes_per_state,
        "properties": {finding.property.name: finding.status for finding in report.findings},
        "dead_ends": report.dead_ends,
        "counterexample": counterexample,
        "complete": report.complete,
        "seconds": round(seconds, 2),
    }


def text(told: Mapping[str, Any], exploration: Exploration, report: Report) -> str:
    """The same as a text; `told` is the summary."""
    lines = [*_head(told, exploration), "", *_findings(exploration, report)]
    if told["counterexample"]:
        lines += ["", f"counter-example: mutoscope play {told['counterexample']}"]
    return "\n".join(lines)


def _head(told: Mapping[str, Any], exploration: Exploration) -> Iterator[str]:
    variant = f" ({told['variant']})" if told["variant"] else ""
    is_system = system_of(exploration.algorithm) is not None
    limits = _limits_of_rules(exploration) if is_system else _limits(told)
    yield f"{exploration.algorithm.title}{variant}: {', '.join(limits)}"
    if not is_system:
        yield _timers(told)
    size = f"{_many(told['states'], 'state')} of {told['bytes_per_state']} bytes, {told['depth']} moves deep"
    yield f"{size}, {_many(told['dead_ends'], 'dead end')}; {told['seconds']:g} s"
    if not told["complete"]:
        yield "Not all states were looked at: what holds does so as far as this went."


def _limits(told: Mapping[str, Any]) -> Iterator[str]:
    yield f"{told['nodes']} processes"
    yield f"{_many(told['requests'], 'request')} each"
    for fault, most in told["faults"].items():
        if most:
            yield f"up to {_many(most, {'crashes': 'crash', 'losses': 'loss'}.get(fault, fault[:-1]))}"
    yield "FIFO channels" if told["fifo"] else "messages may overtake"


def _limits_of_rules(exploration: Exploration) -> Iterator[str]:
    """What keeps the exploration of a rewriting system finite."""
    limits = limits_of(exploration.scenario)
    yield f"{limits.nodes} nodes"
    yield f"{limits.requests} {'datum' if limits.requests == 1 else 'data'} each"
    yield f"histories of up to {_many(limits.history, 'event')}"
    if limits.messages is not None:
        yield f"up to {_many(limits.messages, 'message')}"


def _timers(told: Mapping[str, Any]) -> str:
    synchronous = told["timers"] == "synchronous"
    when = "in their order, and only when no message is on its way" if synchronous else "at any moment"
    if told["timeouts"] is None:
        return f"Timers may run out {when}."
    return f"At most {_many(told['timeouts'], 'timer')} may run out, {when}; what more of them would do is left open."


def _findings(exploration: Exploration, report: Report) -> Iterator[str]:
    width = max(len(finding.property.name) for finding in report.findings)
    for finding in report.findings:
        known = finding.property
        yield f"  {known.when:10}  {known.name:{width}}  {_status(finding, report):6}  {known.words}"
        if finding.trail:
            seen = run_of(exploration, finding).markers[-1].name
            yield f"  {'':10}  {'':{width}}  {'':6}  after {_way(finding.trail)}: {seen}"


def _status(finding: Finding, report: Report) -> str:
    """What has not been seen in some states may come in those that were not looked at."""
    if finding.status != BROKEN:
        return finding.status
    return "BROKEN" if finding.trail or report.complete else "unseen"


def _way(trail: Trail) -> str:
    """ "12 moves, the last 3 of which can be repeated for ever"."""
    again = f", the last {trail.loop} of which can be repeated for ever" if trail.loop else ""
    return f"{_many(len(trail.moves), 'move')}{again}"


def _many(count: int, thing: str) -> str:
    plural = f"{thing}es" if thing.endswith(("s", "sh")) else f"{thing}s"
    return f"{count:,} {thing if count == 1 else plural}".replace(",", " ")
