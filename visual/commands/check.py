"""Try every interleaving of a small system: what holds in all of them, and the shortest way to break the rest."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from algorithms.bad_input import BadInput

if TYPE_CHECKING:
    from algorithms.engine.check.explore import Exploration, Report
    from algorithms.engine.scenario import Scenario

EXAMPLES = """\
  mutoscope check ricart-agrawala --nodes 3 --requests 2
  mutoscope check ricart-agrawala --variant current-clock --nodes 2
  mutoscope check token-ring --losses 1 --json
  mutoscope check bully --crashes 1 --synchronous
  mutoscope check system-search --variant printed-3 --nodes 2 --max-states 2000"""

MOST_NODES = 16
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


def count(word: str) -> int:
    """A whole number of at least 0."""
    if not (word.isascii() and word.isdigit() and len(word) < 10):
        raise argparse.ArgumentTypeError(f'expected a whole number of at least 0, got "{word[:20]}"')
    return int(word)


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
    from algorithms.authoring.failures import while_it
    from visual.commands.check_report import summary, text

    exploration = _exploration(arguments)
    start = monotonic()
    finished = _explore(exploration)
    report = exploration.report()
    with while_it(exploration.algorithm, "cannot be checked"):
        example = _write_counterexample(exploration, report, arguments.output)
        told = summary(exploration, report, example, monotonic() - start)
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
    if not 2 <= arguments.nodes <= MOST_NODES:
        raise Place("--nodes").expected(f"2 to {MOST_NODES} processes", arguments.nodes)
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
    from algorithms.authoring.failures import while_it
    from algorithms.engine.check.process_steps import NotExplorable
    from visual.commands.progress import Progress

    try:
        with Progress("checking") as progress, while_it(exploration.algorithm, "cannot be checked"):
            while exploration.advance(SLICE):
                progress.say(f"{exploration.states} states, {exploration.waiting} of them to look beyond")
    except KeyboardInterrupt:
        return False
    except NotExplorable as error:
        raise BadInput(f"{exploration.scenario.algorithm} cannot be checked: {error}") from None
    return True


def _write_counterexample(exploration: Exploration, report: Report, output: str | None) -> str | None:
    """The file with the shortest counter-example, a run to play; None if there is none."""
    from algorithms import scenario_file
    from algorithms.engine.check.counterexample import run_of
    from visual.commands.output import write

    finding = report.shortest()
    if finding is None:
        return None
    scenario = exploration.scenario
    parts = [scenario.algorithm, scenario.variant, finding.property.name.replace(" ", "-")]
    file = output or f"{'-'.join(filter(None, parts))}.toml"
    write(file, [scenario_file.dumps(run_of(exploration, finding)).encode()])
    return file
