"""Try every interleaving of a small system: what holds in all of them, and the shortest way to break the rest."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from algorithms.bad_input import BadInput
from algorithms.clock import wall_clock
from algorithms.engine.check.counterexample import counterexample_scenario
from algorithms.engine.check.explore import CheckReport, Exploration, Finding, Trail
from algorithms.engine.observe.verdicts import BROKEN
from algorithms.engine.rewrite import system_of
from algorithms.engine.rewrite.rewriter import limits_of
from visual.commands.argument_types import count

if TYPE_CHECKING:
    from algorithms.engine.check.explore import CheckReport, Exploration
    from algorithms.engine.scenario import Scenario


EXAMPLES = """\
  mutoscope check ricart-agrawala --nodes 3 --requests 2
  mutoscope check ricart-agrawala --variant current-clock --nodes 2
  mutoscope check token-ring --losses 1 --json
  mutoscope check bully --crashes 1 --synchronous
  mutoscope check system-search --variant printed-3 --nodes 2 --max-states 2000"""

MOST_NODES_CHECKED = 16
MOST_STATES = 1_000_000
COUNTS = (
    ("--nodes", 3, "how many processes there are; 3 if not given"),
    ("--requests", 1, "how often each of them may ask; 1 if not given"),
    ("--crashes", 0, "how many of them may crash"),
    ("--losses", 0, "how many messages may be lost"),
    ("--duplicates", 0, "how many messages may arrive twice"),
    ("--resets", 0, "how often one of them may crash and be back at once, without memory"),
    ("--timeouts", None, "how many timers may run out; any number if not given"),
    ("--max-states", MOST_STATES, f"how many states to look at; {MOST_STATES} if not given"),
)
SLICE = 500  # states between two looks at the clock
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
    """Print what is true whatever happens first; after Ctrl-C what is known by then."""
    from algorithms.authoring.failures import guard_algorithm

    exploration = _exploration(arguments)
    start = wall_clock()
    finished = _explore(exploration)
    report = exploration.report()
    with guard_algorithm(exploration.algorithm, "cannot be checked"):
        example = _write_counterexample(exploration, report, arguments.output)
        told = summary(exploration, report, example, wall_clock() - start)
        said = json.dumps(told, ensure_ascii=False, indent=2) if arguments.json else text(told, exploration, report)
    print(said)
    return 0 if finished else STOPPED


def _exploration(arguments: argparse.Namespace) -> Exploration:
    """What the arguments want to be explored. BadInput if they make no sense."""
    from algorithms import catalog
    from algorithms.engine.check.explore import Exploration
    from algorithms.engine.check.moves import Bounds

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
    """The system that is meant. Its values are checked where those of a scenario file are."""
    from algorithms import catalog, scenario_file
    from algorithms.engine.rewrite import system_of
    from algorithms.engine.rewrite.rewriter import SMALL
    from algorithms.scenario_format import shorthand  # msgspec takes 30 ms to import
    from algorithms.scenario_format.place import Place

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
    said = {key: value for key, value in tables.items() if value is not None}
    return scenario_file.build(said, Place("check", options=options), Path())


def _explore(exploration: Exploration) -> bool:
    """Look at everything, showing how far it is; False if that was stopped by Ctrl-C."""
    from algorithms.authoring.failures import guard_algorithm
    from algorithms.engine.check.process_steps import NotExplorable
    from visual.commands.progress import ProgressBar

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
    """The file with the shortest counter-example, a run to play; None if there is none."""
    from algorithms import scenario_file
    from algorithms.engine.check.counterexample import counterexample_scenario
    from visual.commands.output import write

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
        "dead_ends": report.final_states,
        "counterexample": counterexample,
        "complete": report.is_complete,
        "seconds": round(seconds, 2),
    }


def text(told: Mapping[str, Any], exploration: Exploration, report: CheckReport) -> str:
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


def _findings(exploration: Exploration, report: CheckReport) -> Iterator[str]:
    width = max(len(finding.property.name) for finding in report.findings)
    for finding in report.findings:
        known = finding.property
        yield f"  {known.when:10}  {known.name:{width}}  {_status(finding, report):6}  {known.words}"
        if finding.trail:
            seen = counterexample_scenario(exploration, finding).markers[-1].name
            yield f"  {'':10}  {'':{width}}  {'':6}  after {_way(finding.trail)}: {seen}"


def _status(finding: Finding, report: CheckReport) -> str:
    """What has not been seen in some states may come in those that were not looked at."""
    if finding.status != BROKEN:
        return finding.status
    return "BROKEN" if finding.trail or report.is_complete else "unseen"


def _way(trail: Trail) -> str:
    """ "12 moves, the last 3 of which can be repeated for ever"."""
    again = f", the last {trail.cycle} of which can be repeated for ever" if trail.cycle else ""
    return f"{_many(len(trail.moves), 'move')}{again}"


def _many(count: int, thing: str) -> str:
    plural = f"{thing}es" if thing.endswith(("s", "sh")) else f"{thing}s"
    return f"{count:,} {thing if count == 1 else plural}".replace(",", " ")
