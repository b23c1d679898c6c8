"""Run a scenario without a window; print its cost and whether its properties held."""

from __future__ import annotations

import argparse
import json
from collections.abc import Collection, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from algorithms import catalog
from algorithms.authoring.failures import Failure
from algorithms.engine.errors import count_words
from algorithms.engine.observe.fold import run_and_forget
from algorithms.engine.observe.meters import Meters
from algorithms.engine.observe.monitors import Monitors
from algorithms.engine.observe.promises import assumption_words, broken_assumptions
from algorithms.engine.observe.size import Size, size_of
from algorithms.engine.observe.summary import summary
from algorithms.engine.observe.verdicts import BROKEN, HOLDS, NOT_PROMISED, PENDING, Verdict
from algorithms.engine.process import Algorithm, Cost
from algorithms.engine.scenario import Scenario
from algorithms.examination.twins import check_repeatable
from visual.commands.execution import MOST_COUNTED, advance
from visual.commands.exit_codes import add_exit_zero, add_expect, exit_code, expectation, expected
from visual.commands.scenario_options import add_scenario_arguments, scenario_of
from visual.words import range_words

EXAMPLES = """\
  mutoscope run token-ring --until 500 --seed 3
  mutoscope run my-scenario.toml --json
  mutoscope run --algorithm token-ring --nodes 8 --load poisson:0.1 --hold 1 --delay 1 --until 1000 --json
  mutoscope run --algorithm ricart-agrawala --load closed:10 --event '15 crash node=2'"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_scenario_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--json-lines", action="store_true", help="print one JSON object in one line, to append to a file"
    )
    add_expect(parser)
    add_exit_zero(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the counters and the verdicts of the run; the exit code says whether the promises were kept."""
    scenario = scenario_of(arguments)
    check_repeatable(scenario)
    measured = measure(scenario, expected(arguments))
    if arguments.json or arguments.json_lines:
        print(json.dumps(measured.summary, ensure_ascii=False, indent=None if arguments.json_lines else 2))
    else:
        print(measured.report)
    return exit_code(measured.is_broken, measured.is_undecided, arguments)


class Measurements(NamedTuple):
    """What a run cost and whether its properties held, for a program and for a person.

    What is expected of the algorithm, usually what it promises, may be broken; it is undecided if the run stops early,
    or a request is overdue.
    """

    summary: dict[str, Any]  # printed with --json
    report: str
    is_broken: bool
    is_undecided: bool


def measure(scenario: Scenario, wanted: Collection[str] | None = None) -> Measurements:
    """Execute the whole run and count; the trace is dropped as it goes, so that long runs need little memory.

    `wanted` are the properties that are expected, by default those that the algorithm promises. The run stops where a
    broken assumption makes the algorithm fail. Any other failure is a BadInput.
    """
    simulation = catalog.simulation(scenario)
    algorithm = simulation.algorithm
    meters, monitors = Meters(scenario, algorithm), Monitors(scenario, algorithm)
    is_expected = expectation(algorithm, wanted, monitors.by_name)
    until, stopped = scenario.until, ""
    try:
        advance(simulation, until, partial(run_and_forget, simulation, (meters, monitors)), MOST_COUNTED)
    except Failure as failure:
        monitors.advance(simulation.trace)
        if not broken_assumptions(algorithm, monitors.faults.first.values):
            raise
        until, stopped = simulation.now, failure.words
    counted = summary(simulation, meters, monitors, until)
    verdicts = monitors.at(monitors.steps, until)
    if broken := broken_assumptions(algorithm, monitors.faults.first.values):
        counted["broken_assumptions"] = broken
    if stopped:
        counted["stopped"] = stopped
    found = {verdict.status for name, verdict in verdicts.items() if is_expected(name)}
    is_undecided = bool(stopped) or not found <= {HOLDS, PENDING, BROKEN}
    return Measurements(counted, report(counted, scenario, algorithm, verdicts), BROKEN in found, is_undecided)


NAME = 24  # characters of a row's name
NUMBER = 10  # characters of a number
_WORDS = {"synchronisation_delay": "synchronization delay", "turnaround": "time per election"}
MANY = 12  # with more nodes, only the fewest and the most entries are printed


def report(
    summary: Mapping[str, Any], scenario: Scenario, algorithm: Algorithm, verdicts: Mapping[str, Verdict]
) -> str:
    """The report on a run of the scenario; `algorithm` is the variant in use."""
    if "rules" in summary:
        counted = [_rules(summary)]
    else:
        service = _elections(summary["elections"]) if "elections" in summary else _entries(summary)
        counted = [_messages(summary, algorithm.cost, size_of(scenario, algorithm)), service]
    parts = [_head(summary, scenario, algorithm), *counted, _verdicts(verdicts)]
    if broken := assumption_words(summary.get("broken_assumptions", {})):
        parts.append(iter([broken, *([f"The run stops: {summary['stopped']}"] if "stopped" in summary else [])]))
    return "\n\n".join("\n".join(part) for part in parts)


def _head(summary: Mapping[str, Any], scenario: Scenario, algorithm: Algorithm) -> Iterator[str]:
    if scenario.title:
        yield scenario.title
    variant = f" ({scenario.variant})" if scenario.variant else ""
    run = f"{count_words(summary['nodes'], 'node')}, seed {summary['seed']}, {count_words(summary['steps'], 'step')}"
    yield f"{algorithm.title}{variant}: {run} until {summary['time']:.12g}"
    if 0 < len(scenario.names) <= MANY:
        yield f"nodes: {', '.join(f'P{node} {name}' for node, name in enumerate(scenario.names))}"


def _messages(summary: Mapping[str, Any], cost: Cost | None, size: Size) -> Iterator[str]:
    messages = summary["messages"]
    yield _row("messages", messages["total"])
    for name, count in messages["by_type"].items():
        yield _row(f"  {name}", count)
    what = "election" if "elections" in summary else "entry"
    average = summary["elections"]["messages_per_election"] if what == "election" else messages["per_entry"]
    yield f"{_row(f'  per {what}', average)}{_formula(cost, size)}"
    yield from _left_out(summary, cost, size)


def _left_out(summary: Mapping[str, Any], cost: Cost | None, size: Size) -> Iterator[str]:
    """What the cost per entry or election does not count yet, or does not count at all."""
    elections, messages = summary.get("elections"), summary["messages"]
    if elections:
        count, what, so_far = elections["started"] - elections["complete"], "elections", elections["open_messages"]
    else:
        count, what, so_far = messages["open_requests"], "requests", messages["open_messages"]
    if count or so_far:
        yield f"{_row(f'  open {what}', count)}   {count_words(so_far, 'message')} so far"
    if messages.get("free_entries") and cost and cost.low(size):
        yield f"{_row('  entries at no cost', messages['free_entries'])}   not counted, as in the formula"


def _formula(cost: Cost | None, size: Size) -> str:
    """The textbook's cost: "   formula: 2(N−1) = 8"."""
    if cost is None:
        return ""
    value = range_words(cost.low(size), cost.high(size) if cost.high else None)
    text = cost.formula if cost.formula == value else f"{cost.formula} = {value}"
    return f"   formula: {text}" + (f" ({cost.note})" if cost.note else "")


def _entries(summary: Mapping[str, Any]) -> Iterator[str]:
    entries = summary["entries_per_node"]
    yield f"{_row('entries', summary['entries'])}   {_per_node(entries)}"
    yield _row("fairness (Jain)", summary["fairness"])
    yield _shares("in the CS", summary["concurrency"])
    if "tokens" in summary:
        yield _shares("tokens", summary["tokens"])
    yield ""
    yield from _spreads(summary, ("waiting_time", "synchronisation_delay", "responsiveness"))


def _elections(elections: Mapping[str, Any]) -> Iterator[str]:
    yield _row("elections", elections["started"])
    yield _row("  finished", elections["finished"])
    yield _row("  initiators", elections["initiators"])
    yield ""
    yield from _spreads(elections, ("turnaround",))


def _rules(summary: Mapping[str, Any]) -> Iterator[str]:
    """The number of applications of each rule of a rewriting system."""
    yield _row("rules applied", sum(summary["rules"].values()))
    for number, count in sorted(summary["rules"].items()):
        yield _row(f"  rule {number}", count)


def _per_node(entries: list[int]) -> str:
    if len(entries) <= MANY:
        return " ".join(f"P{node} {count}" for node, count in enumerate(entries))
    return f"{min(entries)} to {max(entries)} at a node"


def _shares(name: str, times: Mapping[str, float]) -> str:
    """The shares of time with 0, 1, 2, … of something."""
    whole = sum(times.values()) or 1.0
    return f"{name:{NAME}}" + "   ".join(f"{count}: {100 * time / whole:.1f} %" for count, time in times.items())


def _spreads(summary: Mapping[str, Any], names: tuple[str, ...]) -> Iterator[str]:
    """A table of means, medians, 95th percentiles and maxima."""
    columns = ("mean", "median", "p95", "max")
    yield f"{'':{NAME}}" + "".join(f"{'95 %' if column == 'p95' else column:>{NUMBER}}" for column in columns)
    for name in names:
        yield f"{_WORDS.get(name, name.replace('_', ' ')):{NAME}}" + "".join(
            f"{_number(summary[name][column]) if column in summary[name] else '':>{NUMBER}}" for column in columns
        )


def _verdicts(verdicts: Mapping[str, Verdict]) -> Iterator[str]:
    for name, verdict in verdicts.items():
        yield f"{name:{NAME}}{verdict.words}" + ("" if verdict.promised else f" ({NOT_PROMISED})")
        yield f"{'':{NAME}}{verdict.sentence()}"


def _row(name: str, value: float | None) -> str:
    return f"{name:{NAME}}{_number(value):>{NUMBER}}"


def _number(value: float | None) -> str:
    if value is None:
        return "–"
    return str(value) if isinstance(value, int) else f"{value:.2f}"
