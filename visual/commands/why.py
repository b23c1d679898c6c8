"""Say why a process is waiting at a moment of a run, as the window does.

Without --at, the moment is the first marker, or the middle of the run. Without --node, the answer covers every process
that is waiting or knows no live leader.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from contextlib import redirect_stdout

from algorithms import catalog
from algorithms.engine.timeline import Timeline
from algorithms.scenario_format.place import Place
from visual.analysis.wait_for import is_waiting
from visual.commands.output import write
from visual.commands.pictures import go_to, instants_of
from visual.commands.scenario_options import add_scenario_arguments, scenario_of
from visual.narration.waiting import Reason, reasons
from visual.words import node_name

EXAMPLES = """\
  mutoscope why deferred-reply --at "marker:the wait" --node 3
  mutoscope why lost-token --at 40 --json
  mutoscope why --algorithm ricart-agrawala --nodes 3 --load saturated --at step:8 --node 1"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_scenario_arguments(parser)
    parser.add_argument("--at", metavar="MOMENT", help="a time, step:NUMBER or marker:NAME")
    parser.add_argument("--node", metavar="N", help="number of the process (default: all that are waiting)")
    parser.add_argument("--json", action="store_true", help="print the reasons as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print the reasons of one process, or of all that are waiting."""
    scenario = scenario_of(arguments)
    instants = instants_of(arguments.at, None, scenario)
    if len(instants) != 1:
        raise Place("--at").expected("one moment", arguments.at)
    node = None if arguments.node is None else _node(arguments.node, scenario.nodes)
    timeline = catalog.timeline(scenario)
    go_to(timeline, instants[0])
    run = timeline.simulation
    with redirect_stdout(sys.stderr):  # the author's methods are called, and may print
        answers = [(n, reasons(run, n)) for n in (range(scenario.nodes) if node is None else [node])]
        if node is None:
            answers = [(n, why) for n, why in answers if why and run.is_up(n)]
    if run.query_error:
        raise run.query_error
    now = run.now if instants[0].step is not None else instants[0].time
    text = _json(timeline, now, answers) if arguments.json else _text(timeline, now, answers)
    write(None, [f"{text}\n".encode()])
    return 0


def _node(text: str, nodes: int) -> int:
    """ "3" or "P3" -> 3. BadInput for anything else."""
    match = re.fullmatch(r"[Pp]?(\d{1,7})", text)
    if not match or int(match[1]) >= nodes:
        raise Place("--node").expected(f"a process from 0 to {nodes - 1}", text)
    return int(match[1])


def _text(timeline: Timeline, now: float, answers: list[tuple[int, list[Reason]]]) -> str:
    when = f"t = {now:g}, step {timeline.step}"
    if not answers:
        return f"No process is waiting ({when})."
    lines = []
    for node, why in answers:
        waits = why and timeline.simulation.is_up(node)
        question = f"Why is {node_name(node)} waiting?" if waits else f"{node_name(node)} is not waiting"
        title = f"{question} ({when}){'' if waits else '.'}"
        lines += [title, *(f"  {reason.words}" for reason in why)]
    return "\n".join(lines)


def _json(timeline: Timeline, now: float, answers: list[tuple[int, list[Reason]]]) -> str:
    """The reasons as JSON, each with the nodes and the messages (by serial number) that it names."""
    found = [
        {
            "node": node,
            "waiting": is_waiting(timeline.simulation, node),
            "reasons": [
                {"words": why.words, "permanent": why.is_permanent, "nodes": why.nodes, "messages": why.messages}
                for why in whys
            ],
        }
        for node, whys in answers
    ]
    return json.dumps({"time": now, "step": timeline.step, "processes": found}, ensure_ascii=False, indent=2)
