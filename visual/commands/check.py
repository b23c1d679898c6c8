"""Explore every interleaving of a small system: report what always holds, with shortest counter-examples."""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from algorithms import catalog, scenario_file
from algorithms.authoring.failures import guard_algorithm
from algorithms.authoring.own_names import uses
from algorithms.bad_input import BadInput
from algorithms.clock import wall_clock
from algorithms.engine.check.counterexample import counterexample_scenario, faults_of
from algorithms.engine.check.explore import NOT_REFUTED, STATE_LIMIT, CheckReport, Exploration, Finding, Search
from algorithms.engine.check.moves import Bounds, Cut
from algorithms.engine.check.process_steps import NotExplorable
from algorithms.engine.check.properties import ALWAYS, EVENTUALLY, FAIRLY, SOMETIMES
from algorithms.engine.check.random_walks import RandomWalks
from algorithms.engine.check.reduced import FEW, ReducedExploration
from algorithms.engine.errors import count_words
from algorithms.engine.observe.promises import assumption_words, broken_assumptions, is_promised
from algorithms.engine.observe.verdicts import BROKEN, HOLDS
from algorithms.engine.process import Algorithm
from algorithms.engine.rewrite import system_of
from algorithms.engine.rewrite.rewriter import SMALL, limits_of
from algorithms.engine.scenario import Scenario
from algorithms.engine.workload import Saturated
from algorithms.examination.twins import check_repeatable
from algorithms.files import free_path
from algorithms.machine import cores
from algorithms.scenario_format import shorthand
from algorithms.scenario_format.place import Place
from visual.commands.argument_types import count, count_or_list, counts, positive
from visual.commands.execution import try_messages
from visual.commands.exit_codes import add_exit_zero, add_expect, exit_code, expectation, expected
from visual.commands.output import ProgressBar, write
from visual.commands.scenario_options import named_algorithm

EXAMPLES = """\
  mutoscope check ricart-agrawala --nodes 3 --requests 2
  mutoscope check ricart-agrawala --variant current-clock --nodes 2
  mutoscope check ricart-agrawala --variant neither-defers --property ME1 -o both-inside.toml
  mutoscope check token-ring --losses token=1 --json
  mutoscope check bully --synchronous --cut "0>2"
  mutoscope check bully --crashes 1 --synchronous
  mutoscope check centralized --variant polling --fair --requests any
  mutoscope check maekawa --variant plain --nodes 5 --random 1000 --property ME2
  mutoscope check system-search --variant printed-3 --nodes 2 --max-states 2000"""

MOST_NODES_CHECKED = 16
COUNTS = (
    ("--nodes", 3, "number of processes (default: 3)"),
    ("--crashes", 0, "number of processes that may crash"),
    ("--resets", 0, "number of crash-and-restarts with memory loss"),
    ("--timeouts", None, "number of timers that may expire (default: any number)"),
    ("--max-states", STATE_LIMIT, f"state limit (default: {STATE_LIMIT})"),
)
MESSAGE_FAULTS = (
    ("--losses", "number of messages that may be lost; for one kind only: token=1, Reply=1"),
    ("--duplicates", "number of messages that may arrive twice; for one kind only: Reply=1"),
)
SLICE = 500  # states between two updates of the progress
_ONE = {"crashes": "crash", "losses": "loss"}
_KINDS = {
    ALWAYS: "In every state",
    EVENTUALLY: "From every state, without further requests or faults",
    FAIRLY: "In every fair run, in which no action stays possible forever without being taken",
    SOMETIMES: "In at least one state (otherwise too little happens for the rest to mean anything)",
}
STOPPED = 130  # the exit code after Ctrl-C


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("algorithm", metavar="NAME|FILE", help="the algorithm, by its name in mutoscope list, or a file: ./mine.py")
    add("--variant", metavar="NAME", help="a refinement or mutant of the algorithm")
    words = "requests per process (default: 1), or of each: 0,1,1, or any number: any"
    add("--requests", metavar="N|N,N,…|any", type=count_or_list, default=1, help=words)
    for flag, usual, words in COUNTS:
        add(flag, metavar="N", type=count, default=usual, help=words)
    for flag, words in MESSAGE_FAULTS:
        add(flag, metavar="N|KIND=N", type=counts, action="append", default=[], help=words)
    add(
        "--cut",
        metavar="A-B|A>B",
        action="append",
        default=[],
        help="a link that may be cut at some moment, in both directions or in one: 1-2, '1>2'; can be repeated",
    )
    add("--unordered", action="store_true", help="messages on the same channel may overtake one another")
    add("--synchronous", action="store_true", help="timers expire only when no message is in transit")
    add(
        "--fair",
        action="store_true",
        help="also check that every request is served in every fair run: nobody starves; "
        "--requests any lets the others request again and again",
    )
    add("--topology", metavar="NAME", help="complete, ring, star, tree, grid or random")
    add("--param", action="append", default=[], metavar="NAME=VALUE", help="a parameter of the algorithm")
    _add_search_arguments(parser)
    add_expect(parser)
    add_exit_zero(parser)


def _add_search_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options on how much is explored, by what, and what becomes of it."""
    add = parser.add_argument
    add(
        "--random",
        metavar="RUNS",
        type=count,
        help="try this many random runs instead of exploring all states, if these are too many; counter-examples "
        "are then short, but not always the shortest",
    )
    add("--seed", metavar="S", type=count, default=1, help="seed of the random runs (default: 1)")
    add(
        "--every-state",
        action="store_true",
        help=f"explore every state even if there are more than {FEW:,}; by default then only as many as are needed for "
        "the same verdicts and the shortest counter-examples",
    )
    add(
        "--property",
        metavar="NAME",
        help="check only this property, for example ME1, until a shortest counter-example is found",
    )
    add(
        "-o",
        "--output",
        metavar="FILE|FOLDER",
        help="a file for the counter-example (of --property, or the shortest), or a folder for all of them; by "
        "default each goes to a new file in the current folder",
    )
    add("--jobs", metavar="J", type=positive, default=cores(), help="number of processes at most (default: the cores)")
    add("--json", action="store_true", help="print one JSON object")


class Example(NamedTuple):
    """A counter-example as a run, and why it is one."""

    scenario: Scenario
    detail: str  # what happens at its end
    broken_assumptions: dict[str, str]


def run(arguments: argparse.Namespace) -> int:
    """Print which properties hold in every interleaving; after Ctrl-C, in those explored by then."""
    search = _search(arguments)
    names = [property_.name for property_ in search.judge.properties]
    is_expected = expectation(search.algorithm, expected(arguments), names)
    start = wall_clock()
    finished = _carry_out(search)
    report = search.report()
    with guard_algorithm(search.algorithm, "cannot be checked"):
        examples = {f.property.name: _example(search, f) for f in report.findings if f.trail}
        files, trouble = _write(_chosen(report, examples, arguments), search.scenario, arguments.output)
        facts = summary(search, report, examples, files, wall_clock() - start)
    print(json.dumps(facts, ensure_ascii=False, indent=2) if arguments.json else text(facts, search, report))
    if trouble:
        raise BadInput(trouble)
    found = {f.status for f in report.findings if is_expected(f.property.name)}
    is_idle = any(f.status != HOLDS for f in report.findings if f.property.when == SOMETIMES)
    is_undecided = NOT_REFUTED in found or is_idle
    return exit_code(BROKEN in found, is_undecided, arguments) if finished else STOPPED


def _example(search: Search, finding: Finding) -> Example:
    """The counter-example of a finding with a trail."""
    assert finding.trail is not None
    scenario = counterexample_scenario(search, finding)
    broken = broken_assumptions(search.algorithm, faults_of(search, finding.trail))
    return Example(scenario, scenario.markers[-1].name, broken)


def _chosen(report: CheckReport, examples: Mapping[str, Example], arguments: argparse.Namespace) -> dict[str, Example]:
    """The counter-examples to write: all, or for a single file the one that was asked for, or the shortest."""
    name, shortest = arguments.property, report.shortest()
    if name is None and shortest and arguments.output is not None and not _is_folder(arguments.output):
        name = shortest.property.name
    return {other: example for other, example in examples.items() if name in (None, other)}


def _is_folder(output: str) -> bool:
    return output.endswith(("/", os.sep)) or Path(output).is_dir()


def _write(examples: Mapping[str, Example], scenario: Scenario, output: str | None) -> tuple[dict[str, str], str]:
    """Write counter-examples as runs to play; the file of each, and why one could not be written, if any."""
    files: dict[str, str] = {}
    for name, example in examples.items():
        try:
            if output is None or _is_folder(output):
                folder = Path(output or "")
                folder.mkdir(parents=True, exist_ok=True)
                parts = filter(None, [Path(scenario.algorithm).stem, scenario.variant, name.replace(" ", "-")])
                file = str(free_path(folder / f"{'-'.join(parts)}.toml"))
            else:
                file = output
            write(file, [scenario_file.dumps(example.scenario, folder=Path(file).parent).encode()])
            files[name] = file
        except BadInput as error:
            return files, str(error)
        except OSError as error:
            return files, f"{output}: cannot be written ({error.strerror})"
    return files, ""


def _search(arguments: argparse.Namespace) -> Search:
    """The search that the arguments specify. BadInput if they make no sense."""
    scenario = _scenario(arguments)
    algorithm = catalog.find(scenario.algorithm)
    losses, duplicates = (
        _by_kind(getattr(arguments, flag.removeprefix("--")), algorithm.of(scenario.variant), Place(flag))
        for flag, _ in MESSAGE_FAULTS
    )
    if isinstance(arguments.requests, tuple) and len(arguments.requests) != scenario.nodes:
        found = f"{len(arguments.requests)} numbers"
        raise BadInput(f"--requests: expected one number, or one for each of {scenario.nodes} processes, got {found}")
    bounds = Bounds(
        requests=arguments.requests,
        crashes=arguments.crashes,
        losses=losses.pop("", 0),
        duplicates=duplicates.pop("", 0),
        resets=arguments.resets,
        timeouts=arguments.timeouts,
        synchronous=arguments.synchronous,
        losses_of=tuple(losses.items()),
        duplicates_of=tuple(duplicates.items()),
        cuts=tuple(_cut(word, scenario) for word in arguments.cut),
    )
    catalog.try_start(scenario)
    if not system_of(algorithm):
        usual = replace(scenario, load=Saturated(), until=20.0)
        try_messages(usual)
        check_repeatable(usual)
    sought = [arguments.property] if arguments.property else []
    full = Exploration(scenario, algorithm, bounds, arguments.max_states, wants_fairness=arguments.fair, sought=sought)
    if arguments.fair and arguments.random is not None:
        raise BadInput("--fair: expected no --random, since a random run cannot show that a cycle is fair")
    if arguments.fair and full.judge.fair is None:
        raise BadInput(f"--fair: expected an algorithm in which processes wait, got {scenario.algorithm}")
    names = [property_.name for property_ in full.judge.properties]
    if arguments.property not in (None, *names):
        raise Place("--property").unknown("property", arguments.property, names)
    if arguments.random is not None:
        return RandomWalks(scenario, algorithm, bounds, max(arguments.random, 1), arguments.seed, sought)
    if arguments.fair or arguments.every_state:
        return full
    shared = {"cores": arguments.jobs, "guard": catalog.guarded}
    return ReducedExploration(scenario, algorithm, bounds, arguments.max_states, sought, **shared)


def _cut(word: str, scenario: Scenario) -> Cut:
    """A cut from its shorthand: "1-2" or "1>2"."""
    sender, way, receiver = re.sub("P", "", word).partition("-" if "-" in word else ">")
    nodes = {str(node): node for node in range(scenario.nodes)}
    if not (way and sender in nodes and receiver in nodes and sender != receiver):
        raise Place("--cut").expected(f"two of the nodes 0 to {scenario.nodes - 1}, like 0-1 or 0>1", word)
    return Cut(nodes[sender], nodes[receiver], way == "-")


def _by_kind(words: list[dict[str, int]], algorithm: Algorithm, place: Place) -> dict[str, int]:
    """Numbers by message class; "token" is the class of the token, and "" all classes without a number."""
    kinds = {kind.__name__: kind.__name__ for kind in algorithm.looks}
    if algorithm.token:
        kinds["token"] = algorithm.token.__name__
    numbers = {kind: number for word in words for kind, number in word.items()}
    for kind in numbers:
        if kind and kind not in kinds:
            raise place.unknown("kind of message", kind, kinds)
    return {kinds.get(kind, ""): number for kind, number in numbers.items()}


def _scenario(arguments: argparse.Namespace) -> Scenario:
    """The system that the arguments specify, checked like the values of a scenario file."""
    if arguments.output == "-":
        raise Place("-o").expected("a file", arguments.output)
    if not 2 <= arguments.nodes <= MOST_NODES_CHECKED:
        raise Place("--nodes").expected(f"2 to {MOST_NODES_CHECKED} processes", arguments.nodes)
    name = named_algorithm(arguments.algorithm)
    algorithm = catalog.find(name)
    parameters = dict(shorthand.pair(word, Place("--param")) for word in arguments.param)
    given = {name: shorthand.value(word, Place("--param")) for name, word in parameters.items()}
    tables = {
        "format": 1,
        "algorithm": name,
        "variant": arguments.variant,
        "nodes": arguments.nodes,
        "topology": arguments.topology,
        "network": {"fifo": not arguments.unordered},
        "parameters": {**SMALL, **given} if system_of(algorithm) else given,
    }
    options = {key: f"--{key}" for key in ("variant", "topology")} | {"parameters": "--param"}
    given_tables = {key: value for key, value in tables.items() if value is not None}
    return scenario_file.build(given_tables, Place("check", options=options), Path())


def _carry_out(search: Search) -> bool:
    """Explore all states, showing progress; False if stopped by Ctrl-C."""
    try:
        with ProgressBar("checking") as progress, guard_algorithm(search.algorithm, "cannot be checked"):
            while search.advance(SLICE):
                progress.say(search.progress)
    except KeyboardInterrupt:
        return False
    except NotExplorable as error:
        raise BadInput(f"{search.scenario.algorithm} cannot be checked: {error}") from None
    return True


def summary(
    search: Search, report: CheckReport, examples: Mapping[str, Example], files: Mapping[str, str], seconds: float
) -> dict[str, Any]:
    """The findings as one JSON object; `files` are those of the counter-examples written."""
    bounds, scenario = search.bounds, search.scenario
    shortest = report.shortest()
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
            **{f"losses of {kind}": count for kind, count in bounds.losses_of},
            **{f"duplicates of {kind}": count for kind, count in bounds.duplicates_of},
        },
        "cuts": [cut.fault.removeprefix("cut ") for cut in bounds.cuts],
        "fifo": scenario.network.fifo,
        "timers": "synchronous" if bounds.synchronous else "at any moment",
        "timeouts": bounds.timeouts,
        "states": report.states,
        "reduced": report.is_reduced,
        "depth": report.depth,
        "random_runs": report.walks,
        "seed": search.seed if isinstance(search, RandomWalks) else None,
        "bytes_per_state": report.bytes_per_state,
        "properties": {finding.property.name: finding.status for finding in report.findings},
        "final_states": report.final_states,
        "deadlocks": report.deadlocks,
        "details": {name: example.detail for name, example in examples.items()},
        "broken_assumptions": {name: e.broken_assumptions for name, e in examples.items() if e.broken_assumptions},
        "counterexample": files.get(shortest.property.name, next(iter(files.values()), None)) if shortest else None,
        "counterexamples": dict(files),
        "complete": report.is_complete,
        "seconds": round(seconds, 2),
    }


def text(facts: Mapping[str, Any], search: Search, report: CheckReport) -> str:
    """The findings as a text, `facts` being their summary."""
    return "\n".join([*_head(facts, search), *_findings(facts, search, report)])


def _head(facts: Mapping[str, Any], search: Search) -> Iterator[str]:
    variant = f" ({facts['variant']})" if facts["variant"] else ""
    is_system = system_of(search.algorithm) is not None
    limits = _limits_of_rules(search) if is_system else _limits(facts)
    yield f"{search.algorithm.title}{variant}: {', '.join(limits)}"
    if uses(search.algorithm.process, "set_timer"):
        yield _timers(facts)
    kind = " that stand for all" if facts["reduced"] else ""
    size = f"{count_words(facts['states'], 'state')}{kind}, {count_words(facts['depth'], 'move')} deep"
    if facts["random_runs"]:
        size = f"{count_words(facts['random_runs'], 'random run')}, seed {facts['seed']}: {size}"
    ends = f"{count_words(facts['final_states'], 'final state')}, {count_words(facts['deadlocks'], 'deadlock')}"
    yield f"{size}, {ends}; {facts['seconds']:g} s"
    if not facts["complete"]:
        yield "Not all states were explored: “not refuted” means only that no violation was found."


def _limits(facts: Mapping[str, Any]) -> Iterator[str]:
    yield count_words(facts["nodes"], "process")
    requests = facts["requests"]
    if requests is None:
        yield "any number of requests"
    else:
        yield f"{count_words(requests, 'request')} each" if isinstance(requests, int) else f"{_list(requests)} requests"
    for fault, most in facts["faults"].items():
        if most:
            one, _, kind = fault.partition(" ")
            yield f"up to {count_words(most, _ONE.get(one, one[:-1]))}{f' {kind}' if kind else ''}"
    for cut in facts["cuts"]:
        yield f"link {cut} may be cut"
    yield "FIFO channels" if facts["fifo"] else "messages may overtake"


def _list(numbers: tuple[int, ...]) -> str:
    """ "0, 1 and 1"."""
    return f"{', '.join(map(str, numbers[:-1]))} and {numbers[-1]}"


def _limits_of_rules(search: Search) -> Iterator[str]:
    """The limits that keep the exploration of a rewriting system finite."""
    limits = limits_of(search.scenario)
    yield count_words(limits.nodes, "node")
    yield f"{limits.requests} {'datum' if limits.requests == 1 else 'data'} each"
    yield f"histories of up to {count_words(limits.history, 'event')}"
    if limits.messages is not None:
        yield f"up to {count_words(limits.messages, 'message')}"


def _timers(facts: Mapping[str, Any]) -> str:
    synchronous = facts["timers"] == "synchronous"
    when = "in their order, and only when no message is in transit" if synchronous else "at any moment"
    if facts["timeouts"] is None:
        return f"Timers may expire {when}."
    timers = count_words(facts["timeouts"], "timer")
    return f"At most {timers} may expire, {when}; the effect of further timers is left open."


def _findings(facts: Mapping[str, Any], search: Search, report: CheckReport) -> Iterator[str]:
    """The properties by kind, each with its status, and with the counter-example where it is broken."""
    width = max(len(finding.property.name) for finding in report.findings) + 2
    for when, findings in groupby(report.findings, lambda finding: finding.property.when):
        yield from ("", f"{_KINDS[when]}:")
        for finding in findings:
            name = finding.property.name
            is_plain = when == SOMETIMES or is_promised(search.algorithm, name)
            yield f"  {name:{width}}{finding.property.words}{'' if is_plain else ' (not promised)'}"
            detail = f": {facts['details'][name]}" if name in facts["details"] else ""
            yield f"  {'':{width}}{report.sentence(finding)}{detail}"
            if broken := assumption_words(facts["broken_assumptions"].get(name, {})):
                yield f"  {'':{width}}{broken}"
            if name in facts["counterexamples"]:
                yield f"  {'':{width}}counter-example: mutoscope play {shlex.quote(facts['counterexamples'][name])}"
