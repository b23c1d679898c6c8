"""Try every interleaving of a small system: what holds in all of them, and the shortest way to break the rest."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from algorithms import catalog, scenario_file
from algorithms.authoring.failures import guard_algorithm
from algorithms.bad_input import BadInput
from algorithms.clock import wall_clock
from algorithms.engine.check.counterexample import counterexample_scenario
from algorithms.engine.check.explore import STATE_LIMIT, CheckReport, Exploration, Finding, Trail
from algorithms.engine.check.moves import Bounds
from algorithms.engine.check.process_steps import NotExplorable
from algorithms.engine.observe.verdicts import BROKEN
from algorithms.engine.rewrite import system_of
from algorithms.engine.rewrite.rewriter import SMALL, limits_of
from algorithms.engine.scenario import Scenario
from algorithms.scenario_format import shorthand
from algorithms.scenario_format.place import Place
from visual.commands.argument_types import count
from visual.commands.output import write
from visual.commands.progress import ProgressBar

EXAMPLES = """\
  mutoscope check ricart-agrawala --nodes 3 --requests 2
  mutoscope check ricart-agrawala --variant current-clock --nodes 2
  mutoscope check token-ring --losses 1 --json
  mutoscope check bully --crashes 1 --synchronous
  mutoscope check system-search --variant printed-3 --nodes 2 --max-states 2000"""

MOST_NODES_CHECKED = 16
COUNTS = (
    ("--nodes", 3, "how many processes there are; 3 if not given"),
    ("--requests", 1, "how often each of them may ask; 1 if not given"),
    ("--crashes", 0, "how many of them may crash"),
    ("--losses", 0, "how many messages may be lost"),
    ("--duplicates", 0, "how many messages may arrive twice"),
    ("--resets", 0, "how often one of them may crash and be back at once, without memory"),
    ("--timeouts", None, "how many timers may run out; any number if not given"),
    ("--max-states", STATE_LIMIT, f"how many states to look at; {STATE_LIMIT} if not given"),
)
SLICE = 500  # states between two updates of the progress
STOPPED = 130  # the exit code after Ctrl-C


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("algorithm", metavar="ALGORITHM", help="the algorithm, as mutoscope list names it")
    add("--variant", metavar="NAME", help="a refinement or mutant of the algorithm")
    for flag, usual, words in COUNTS:
        add(flag, metavar="N", type=count, default=usual, help=words)
    add("--unordered", action="store_true", help="the messages of a channel may overtake one another")
    add("--synchronous", action="store_true", help="no time-out is too short: timers wait for messages")
    add("--topology", metavar="NAME", help="complete, ring, star, tree, grid or random")
    add("--param", action="append", default=[], metavar="NAME=VALUE", help="a parameter of the algorithm")
    add("-o", "--output", metavar="FILE", help="where the counter-example goes, if there is one")
    add("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Print which properties hold in every interleaving; after Ctrl-C, in those explored by then."""
    exploration = _exploration(arguments)
    start = wall_clock()
    finished = _explore(exploration)
    report = exploration.report()
    with guard_algorithm(exploration.algorithm, "cannot be checked"):
        example = _write_counterexample(exploration, report, arguments.output)
        facts = summary(exploration, report, example, wall_clock() - start)
        printout = (
            json.dumps(facts, ensure_ascii=False, indent=2) if arguments.json else text(facts, exploration, report)
        )
    print(printout)
    return 0 if finished else STOPPED


def _exploration(arguments: argparse.Namespace) -> Exploration:
    """The exploration that the arguments specify. BadInput if they make no sense."""
    scenario = _scenario(arguments)
    bounds = Bounds(
        requests=arguments.requests,
        crashes=arguments.crashes,
        losses=arguments.losses,
        duplicates=arguments.duplicates,
        resets=arguments.resets,
        timeouts=arguments.timeouts,
        synchronous=arguments.synchronous,
    )
    catalog.try_start(scenario)
    return Exploration(scenario, catalog.find(scenario.algorithm), bounds, arguments.max_states)


def _scenario(arguments: argparse.Namespace) -> Scenario:
    """The system that the arguments specify, checked like the values of a scenario file."""
    if arguments.output == "-":
        raise Place("-o").expected("a file", arguments.output)
    if not 2 <= arguments.nodes <= MOST_NODES_CHECKED:
        raise Place("--nodes").expected(f"2 to {MOST_NODES_CHECKED} processes", arguments.nodes)
    algorithm = catalog.find(arguments.algorithm)
    parameters = dict(shorthand.pair(word, Place("--param")) for word in arguments.param)
    given = {name: shorthand.value(word, Place("--param")) for name, word in parameters.items()}
    tables = {
        "format": 1,
        "algorithm": algorithm.name,
        "variant": arguments.variant,
        "nodes": arguments.nodes,
        "topology": arguments.topology,
        "network": {"fifo": not arguments.unordered},
        "parameters": {**SMALL, **given} if system_of(algorithm) else given,
    }
    options = {key: f"--{key}" for key in ("variant", "topology")} | {"parameters": "--param"}
    given_tables = {key: value for key, value in tables.items() if value is not None}
    return scenario_file.build(given_tables, Place("check", options=options), Path())


def _explore(exploration: Exploration) -> bool:
    """Explore all states, showing progress; False if stopped by Ctrl-C."""
    try:
        with ProgressBar("checking") as progress, guard_algorithm(exploration.algorithm, "cannot be checked"):
            while exploration.advance(SLICE):
                progress.say(f"{len(exploration.states)} states, {exploration.frontier_size} of them to look beyond")
    except KeyboardInterrupt:
        return False
    except NotExplorable as error:
        raise BadInput(f"{exploration.scenario.algorithm} cannot be checked: {error}") from None
    return True


def _write_counterexample(exploration: Exploration, report: CheckReport, output: str | None) -> str | None:
    """Write the shortest counter-example, a run to play; its file, or None if there is none."""
    finding = report.shortest()
    if finding is None:
        return None
    scenario = exploration.scenario
    parts = [scenario.algorithm, scenario.variant, finding.property.name.replace(" ", "-")]
    file = output or f"{'-'.join(filter(None, parts))}.toml"
    write(file, [scenario_file.dumps(counterexample_scenario(exploration, finding)).encode()])
    return file


def summary(
    exploration: Exploration, report: CheckReport, counterexample: str | None, seconds: float
) -> dict[str, Any]:
    """The findings as one JSON object."""
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
        "dead_ends": report.final_states,
        "counterexample": counterexample,
        "complete": report.is_complete,
        "seconds": round(seconds, 2),
    }


def text(facts: Mapping[str, Any], exploration: Exploration, report: CheckReport) -> str:
    """The findings as a text, `facts` being their summary."""
    lines = [*_head(facts, exploration), "", *_findings(exploration, report)]
    if facts["counterexample"]:
        lines += ["", f"counter-example: mutoscope play {facts['counterexample']}"]
    return "\n".join(lines)


def _head(facts: Mapping[str, Any], exploration: Exploration) -> Iterator[str]:
    variant = f" ({facts['variant']})" if facts["variant"] else ""
    is_system = system_of(exploration.algorithm) is not None
    limits = _limits_of_rules(exploration) if is_system else _limits(facts)
    yield f"{exploration.algorithm.title}{variant}: {', '.join(limits)}"
    if not is_system:
        yield _timers(facts)
    size = f"{_many(facts['states'], 'state')} of {facts['bytes_per_state']} bytes, {facts['depth']} moves deep"
    yield f"{size}, {_many(facts['dead_ends'], 'dead end')}; {facts['seconds']:g} s"
    if not facts["complete"]:
        yield "Not all states were looked at: what holds does so as far as this went."


def _limits(facts: Mapping[str, Any]) -> Iterator[str]:
    yield f"{facts['nodes']} processes"
    yield f"{_many(facts['requests'], 'request')} each"
    for fault, most in facts["faults"].items():
        if most:
            yield f"up to {_many(most, {'crashes': 'crash', 'losses': 'loss'}.get(fault, fault[:-1]))}"
    yield "FIFO channels" if facts["fifo"] else "messages may overtake"


def _limits_of_rules(exploration: Exploration) -> Iterator[str]:
    """The limits that keep the exploration of a rewriting system finite."""
    limits = limits_of(exploration.scenario)
    yield f"{limits.nodes} nodes"
    yield f"{limits.requests} {'datum' if limits.requests == 1 else 'data'} each"
    yield f"histories of up to {_many(limits.history, 'event')}"
    if limits.messages is not None:
        yield f"up to {_many(limits.messages, 'message')}"


def _timers(facts: Mapping[str, Any]) -> str:
    synchronous = facts["timers"] == "synchronous"
    when = "in their order, and only when no message is on its way" if synchronous else "at any moment"
    if facts["timeouts"] is None:
        return f"Timers may run out {when}."
    return f"At most {_many(facts['timeouts'], 'timer')} may run out, {when}; what more of them would do is left open."


def _findings(exploration: Exploration, report: CheckReport) -> Iterator[str]:
    width = max(len(finding.property.name) for finding in report.findings)
    for finding in report.findings:
        item = finding.property
        yield f"  {item.when:10}  {item.name:{width}}  {_status(finding, report):6}  {item.words}"
        if finding.trail:
            last = counterexample_scenario(exploration, finding).markers[-1].name
            yield f"  {'':10}  {'':{width}}  {'':6}  after {_length(finding.trail)}: {last}"


def _status(finding: Finding, report: CheckReport) -> str:
    """The status in words; a property that some state should have is "unseen" until all states are explored."""
    if finding.status != BROKEN:
        return finding.status
    return "BROKEN" if finding.trail or report.is_complete else "unseen"


def _length(trail: Trail) -> str:
    """ "12 moves, the last 3 of which can be repeated for ever"."""
    again = f", the last {trail.cycle} of which can be repeated for ever" if trail.cycle else ""
    return f"{_many(len(trail.moves), 'move')}{again}"


def _many(count: int, thing: str) -> str:
    plural = f"{thing}es" if thing.endswith(("s", "sh")) else f"{thing}s"
    return f"{count:,} {thing if count == 1 else plural}".replace(",", " ")
