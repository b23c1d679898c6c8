"""Run a scenario for many sizes, parameters and seeds; print means with confidence intervals.

Runs that have finished are kept: the same command, or a larger one, goes on from there. With several values for --nodes
or --param, every combination is run.
"""

from __future__ import annotations

import argparse
import json
import re
from itertools import product
from pathlib import Path
from typing import Any

from algorithms import catalog
from algorithms.bad_input import BadInput
from algorithms.engine.errors import count_words
from algorithms.engine.rewrite import system_of
from algorithms.engine.scenario import Scenario
from algorithms.scenario_format import shorthand
from algorithms.scenario_format.place import Place
from lessons.laboratory import grid, plots
from visual.commands.measuring import add_worker_arguments, measured
from visual.commands.output import write
from visual.commands.scenario_options import add_scenario_arguments, name_of, scenario_of

EXAMPLES = """\
  mutoscope sweep ricart-agrawala --nodes 4,5,8 --seeds 1..20 --load closed:10 --warm-up 100 --until 1000 -o counts.csv
  mutoscope sweep voting --param coordinators=3..7 --seeds 1..10 --plot voting
  mutoscope sweep ./mine.py --nodes 2..10 --seeds 1..5 --json"""

MOST_RUNS = 100_000
MOST_VALUES = 1_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_scenario_arguments(parser)
    add = parser.add_argument_group("the sweep").add_argument
    add("--seeds", metavar="S,S|A..B", help="seeds of the runs (default: 1..10); --nodes and --param take lists, too")
    add("--warm-up", metavar="T", default="0", help="count nothing before this time (default: 0)")
    add_worker_arguments(parser)
    add("-o", "--output", metavar="FILE", help="write every run to FILE: .csv or .json")
    add("--plot", metavar="NAME", help="write a plot to NAME.png and NAME.svg")
    add("--metric", metavar="NAME", help="the count in the plot (default: messages per entry or election)")
    add("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Execute the runs that are missing; print the table and write the requested files."""
    if arguments.seed is not None:
        raise BadInput("--seed: expected --seeds in a sweep")
    kind = Path(arguments.output).suffix if arguments.output else ".csv"
    if kind not in (".csv", ".json"):
        raise Place("-o").expected("a name that ends in .csv or .json", arguments.output)
    seeds = [_whole(value, "--seeds") for value in _values(arguments.seeds or "1..10", "--seeds")]
    points = _points(arguments)
    if len(points) * len(seeds) > MOST_RUNS:
        raise BadInput(f"{len(points) * len(seeds):,} runs; expected at most {MOST_RUNS:,}")
    warm_up = _warm_up(arguments.warm_up, next(iter(points.values())))
    results = measured(grid.cases(points, warm_up), seeds, arguments.jobs, arguments.cluster)
    rows = grid.summarised(list(points), results)
    metric = grid.metric_of(rows, arguments.metric, Place("--metric"))
    as_json = json.dumps(grid.as_json(rows, seeds, results), ensure_ascii=False, indent=2)
    if arguments.output:
        text = f"{as_json}\n" if kind == ".json" else grid.as_csv(list(points), seeds, results)
        write(arguments.output, [text.encode()])
    if arguments.plot:
        _plot(
            arguments.plot,
            rows,
            metric,
            f"{name_of(arguments)}: {count_words(len(seeds), 'seed')}, 95 % confidence intervals",
        )
    print(as_json if arguments.json else grid.as_text(rows))
    return 0


def _plot(name: str, rows: list[Any], metric: str, title: str) -> None:
    try:
        plots.write(lambda results: grid.plot(rows, metric, title), {}, Path(name).parent, Path(name).name)
    except OSError as error:
        raise BadInput(f"{name}: the plot cannot be written ({error.strerror})") from None


# ---- the grid ----------------------------------------------------------------------------------------------


def _points(arguments: argparse.Namespace) -> dict[Any, Scenario]:
    """The scenarios of the grid, each built and checked like one of `mutoscope run`."""
    axes: dict[str, list[Any]] = {}
    if arguments.nodes is not None:
        axes["nodes"] = _values(arguments.nodes, "--nodes")
    for word in arguments.param:
        name, values = shorthand.pair(word, Place("--param"))
        axes[name] = _values(values, f"--param {name}")
    points = {}
    for chosen in product(*axes.values()):
        words: dict[str, str] = dict(zip(axes, chosen, strict=True))
        one = argparse.Namespace(**vars(arguments))
        one.nodes, one.param = words.get("nodes"), [f"{name}={word}" for name, word in words.items() if name != "nodes"]
        shown = tuple((name, shorthand.value(value, Place(name))) for name, value in zip(axes, chosen, strict=True))
        points[grid.Point(shown)] = scenario = scenario_of(one)
        if system_of(catalog.find(scenario.algorithm)):
            raise BadInput(
                f"{scenario.algorithm}: a rewriting system has rules to count, and no entries; expected another"
            )
    return points


def _values(words: str, option: str) -> list[str]:
    """ "4,5,8" -> its values; "1..20" -> the whole numbers from 1 to 20; commas within brackets separate nothing."""
    values: list[str] = []
    for word in re.split(r",(?![^\[]*\])", words):
        first, dots, last = word.strip().partition("..")
        if not dots:
            values.append(first)
            continue
        low, high = _whole(first, option), _whole(last, option)
        if not low <= high < low + MOST_VALUES:
            raise Place(option).expected(f"a range like 1..20, of at most {MOST_VALUES:,} values", word)
        values += map(str, range(low, high + 1))
    if "" in values or len(set(values)) < len(values):
        raise Place(option).expected("different values like 4,5,8, or a range like 1..20", words)
    return values


def _whole(word: str, option: str) -> int:
    if not re.fullmatch(r"-?[0-9]{1,18}", word.strip()):
        raise Place(option).expected("whole numbers like 4,5,8, or a range like 1..20", word)
    return int(word)


def _warm_up(word: str, scenario: Scenario) -> float:
    time = shorthand.value(word, Place("--warm-up"))
    if isinstance(time, bool) or not isinstance(time, (int, float)) or not 0 <= time < scenario.until:
        raise Place("--warm-up").expected(f"a time from 0 to below {scenario.until:g}, the end of the run", word)
    if time and catalog.find(scenario.algorithm).is_election():
        raise Place("--warm-up").wrong("elections are counted over the whole run; expected 0")
    return float(time)
