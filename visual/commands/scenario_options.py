"""The arguments that specify a run: a scenario's name or file, and options that set its values.

An option stands for a key of the scenario file, is checked like that key, and has the same errors.
"""

from __future__ import annotations

import argparse
import shlex
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from algorithms import catalog, scenario_file
from algorithms.authoring import own_file
from algorithms.engine.rewrite import system_of
from algorithms.engine.scenario import Scenario
from algorithms.engine.workload import Load
from algorithms.scenario_format import shorthand
from algorithms.scenario_format.place import Place, quoted
from algorithms.scenario_format.schema import KEYS
from algorithms.scenario_format.tables import describe

USUAL_LOAD = {"kind": "poisson", "rate": 0.1}  # if only an algorithm is named: without a load, no node would request
LOAD_EXAMPLES = "none, poisson:0.1, closed:10, saturated, burst:20 or renewal:10"


@dataclass(frozen=True)
class Option:
    """An option for the key of a scenario file; `reader` names the function of `shorthand` that reads its word."""

    flag: str
    metavar: str
    key: str
    reader: str
    help: str


OPTIONS = (
    Option("--algorithm", "NAME|FILE", "algorithm", "text", "the algorithm: a name in mutoscope list, or ./mine.py"),
    Option("--variant", "NAME", "variant", "text", "a refinement or mutant of the algorithm"),
    Option("--nodes", "N", "nodes", "value", "number of processes"),
    Option("--seed", "S", "seed", "value", "seed of all random numbers"),
    Option("--until", "T", "until", "value", "when the run ends (the window stops there; Shift+End plays on)"),
    Option("--patience", "T", "patience", "value", "report a request as overdue if it is pending longer than T"),
    Option(
        "--topology", "NAME|FILE", "topology", "topology", "complete, ring, star, tree, grid, random or a graph file"
    ),
    Option("--load", "KIND[:VALUES]", "load", "load", f"workload (who requests when): {LOAD_EXAMPLES}"),
    Option("--hold", "TIME", "load.hold", "distribution", "time in the critical section: 1 or exponential:1"),
    Option("--delay", "TIME", "network.delay", "distribution", "time a message takes: 1 or uniform:0.8,1.2"),
    Option("--loss", "P", "network.loss", "value", "probability that a message is lost"),
    Option("--duplicate", "P", "network.duplicate", "value", "probability that a message arrives twice"),
)


def add_scenario_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that specify a scenario."""
    parser.add_argument(
        "scenario", nargs="?", metavar="NAME|FILE", help="a scenario or algorithm from mutoscope list, or a file"
    )
    parser.add_argument("--trust", action="store_true", help="run the code of a file that the scenario names")
    group = parser.add_argument_group("the scenario's values")
    for option in OPTIONS:
        group.add_argument(option.flag, metavar=option.metavar, help=option.help)
    group.add_argument(
        "--fifo",
        action=argparse.BooleanOptionalAction,
        help="whether messages on the same channel arrive in the order sent",
    )
    group.add_argument(
        "--param",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a parameter of the algorithm; can be repeated",
    )
    group.add_argument(
        "--event",
        action="append",
        default=[],
        metavar="'TIME EVENT …'",
        help="a fault or other event: '15 crash node=2', '30 lose-token', '40 load load=saturated'; can be repeated",
    )


def add_beside_argument(parser: argparse.ArgumentParser) -> None:
    """Add the option for a second run, which `visual.window.compare.rival_of` finds."""
    parser.add_argument(
        "--beside",
        metavar="NAME|FILE",
        help="a second run on the same clock: another algorithm under the same seed, load and faults, or a scenario",
    )


def scenario_of(arguments: argparse.Namespace) -> Scenario:
    """The scenario that the arguments specify. BadInput if they make no sense."""
    if arguments.trust:
        own_file.trust_all()
    draft = _start(arguments)
    for option in OPTIONS:
        word = getattr(arguments, option.flag.removeprefix("--"))
        if word is not None and option.key == "algorithm":
            word = named_algorithm(word)
        if word is not None:
            reader = getattr(shorthand, option.reader)
            draft.set(option.key, reader(word, Place(option.flag)), option.flag)
    if arguments.fifo is not None:
        draft.set("network.fifo", arguments.fifo, "--fifo")
    for word in arguments.param:
        name, setting = shorthand.pair(word, Place("--param"))
        draft.set(f"parameters.{name}", shorthand.value(setting, Place("--param")), f"--param {name}")
    for word in arguments.event:
        source = f"--event {quoted(word)}"
        draft.add_event(shorthand.event(word, Place(source)), source)
    scenario = draft.scenario()
    if arguments.load is not None and type(scenario.load) is not Load and not _needs_load(scenario.algorithm):
        raise Place("--load").wrong(f"{scenario.algorithm} enters of its own accord, so no load asks it; expected none")
    return scenario


def name_of(arguments: argparse.Namespace) -> str:
    """The base name of files made from the run: that of the scenario's file, or the algorithm."""
    return Path(arguments.scenario or arguments.algorithm or scenario_file.DEFAULT).stem


def origin_of(arguments: argparse.Namespace) -> str:
    """The words after `mutoscope play` that reopen the run, without its seed."""
    file = file_of(arguments)
    words = [file.name if file else arguments.scenario or arguments.algorithm or scenario_file.DEFAULT]
    omitted = ("--seed", *(["--algorithm"] if arguments.scenario is None else []))
    for option in OPTIONS:
        word = getattr(arguments, option.flag.removeprefix("--"))
        if word is not None and option.flag not in omitted:
            words += [option.flag, shlex.quote(word)]
    if arguments.fifo is not None:
        words.append("--fifo" if arguments.fifo else "--no-fifo")
    if getattr(arguments, "beside", None) is not None:
        words += ["--beside", shlex.quote(arguments.beside)]
    words += [f"--param {shlex.quote(word)}" for word in arguments.param]
    words += [f"--event {shlex.quote(word)}" for word in arguments.event]
    return " ".join(words)


def named_algorithm(word: str) -> str:
    """The name of the algorithm in a word of the command line; a file named there may run, wherever the scenario is."""
    return str(Path(own_file.trust(word)).absolute()) if own_file.is_file(word) else word


def file_of(arguments: argparse.Namespace) -> Path | None:
    """The file that the user has named; None for a scenario of the program's own."""
    name = arguments.scenario
    own = name is not None and name not in scenario_file.names() and not _is_algorithm(name)
    return Path(name) if own else None


def is_unspecified(arguments: argparse.Namespace) -> bool:
    """Whether no argument specifies a run."""
    given = (arguments.scenario, arguments.fifo, *(getattr(arguments, o.flag.removeprefix("--")) for o in OPTIONS))
    return not (arguments.param or arguments.event or any(word is not None for word in given))


@dataclass
class _Draft:
    """The tables of a scenario file while options set values; `options` maps each key set to its option."""

    tables: dict[str, Any]
    source: str
    folder: Path = Path()
    options: dict[str, str] = field(default_factory=dict)

    def set(self, key: str, setting: Any, option: str) -> None:
        """Set a key, given with the name of its table: "load.hold"."""
        table, _, name = key.rpartition(".")
        if key == "load":
            setting = {**self.tables["load"], **setting}  # keeps the time in the critical section
        (self._table(table) if table else self.tables)[name] = setting
        self.options[key] = option

    def add_event(self, event: dict[str, Any], option: str) -> None:
        """Add an event."""
        events = self.tables.setdefault("event", [])
        if not isinstance(events, list):
            raise Place(self.source, "event").expected("a list of tables", events)
        self.options[f"event[{len(events)}]"] = option
        events.append(event)

    def scenario(self) -> Scenario:
        """The scenario that the tables describe. BadInput if it makes no sense."""
        return scenario_file.build(self.tables, Place(self.source, options=self.options), self.folder)

    def _table(self, name: str) -> dict[str, Any]:
        table = self.tables.setdefault(name, {})
        if not isinstance(table, dict):
            raise Place(self.source, name).expected(describe(KEYS[Scenario][name]), table)
        return table


def _start(arguments: argparse.Namespace) -> _Draft:
    """The file's tables without keys that the options override, or the minimum for an algorithm."""
    name, algorithm = arguments.scenario, arguments.algorithm
    if _is_algorithm(name):
        name, algorithm = None, algorithm or name
    algorithm = algorithm and named_algorithm(algorithm)
    if name is None and algorithm is not None:
        load = dict(USUAL_LOAD) if _needs_load(algorithm) and not arguments.load else {}
        return _Draft({"format": 1, "algorithm": algorithm, "load": load}, "scenario")
    path = scenario_file.find(scenario_file.DEFAULT if name is None else name)
    draft = _Draft(scenario_file.read(path), path.name, path.parent)
    if algorithm not in (None, draft.tables.get("algorithm")):  # they belong to the other algorithm
        draft.tables = _without(draft.tables, "variant", "parameters")
    if arguments.topology is not None:
        draft.tables = _without(draft.tables, "edges")
    load = draft.tables.setdefault("load", {"kind": "none"})
    if arguments.load is not None:
        hold = {key: value for key, value in load.items() if key == "hold"} if isinstance(load, dict) else {}
        draft.tables["load"] = hold
    return draft


def _needs_load(name: str) -> bool:
    """Whether applications ask the processes of that algorithm for something."""
    algorithm = catalog.find(name) if catalog.is_known(name) else None
    return algorithm is not None and system_of(algorithm) is None and not algorithm.enters_by_itself()


def _is_algorithm(name: str | None) -> bool:
    """Whether a name is an algorithm's and not a scenario's."""
    return name is not None and name not in scenario_file.names() and catalog.is_known(name)


def _without(tables: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in tables.items() if key not in keys}
