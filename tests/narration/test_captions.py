"""Captions are true of the branch that ran: what they say about stamps, numbers, votes and queues is recomputed.

The oracle, `caption_oracle`, reads nothing but the trace.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from algorithms import catalog, trace_file
from algorithms.engine.observe.caption_text import placeholders
from algorithms.engine.observe.line_trace import Execution, comments, execution_in
from algorithms.engine.scenario import Event, Scenario
from algorithms.engine.timeline import Timeline
from algorithms.engine.workload import Closed
from tests.support.caption_oracle import CLAIMS, Protocol
from tests.support.kit import for_each
from tests.support.trace_state import TraceState
from visual.narration.steps import step_sentence
from visual.window.gallery.cards import scenario_of

ROOT = Path(__file__).parents[2]
STEPS = 120
FAULTS = (Event(9, "crash", node=3), Event(19, "recover", node=3, memory=False), Event(31, "crash", node=0))
EVERYTHING = [
    (algorithm.name, variant)
    for family in catalog.by_family().values()
    for algorithm in family
    for variant in (None, *algorithm.variants)
]
SCENARIOS = ("deferred-reply", "bully-worst", "lost-token", "coordinator", "endless-election")


def told(timeline: Timeline, steps: int) -> Iterator[tuple[int, str]]:
    """The sentences of the first steps, in order."""
    timeline.seek(0)
    for step in range(steps):
        ran = execution_in(timeline, timeline.forward)
        if timeline.step <= step:
            return
        yield step, step_sentence(timeline, step, ran)


OWN_FAMILIES = ("centralized", "voting", "ricart-agrawala", "token-ring", "bully", "chang-roberts", "ring-election")


def claims_of(timeline: Timeline) -> set[str]:
    """The claims found in the sentences of a run, all of which hold by its trace."""
    sentences = [said for _, said in told(timeline, STEPS)]
    scenario = timeline.simulation.scenario
    protocol, found = Protocol(TraceState(scenario.nodes, scenario.nodes)), set()
    for line, said in zip(map(json.loads, trace_file.lines(timeline.trace)), sentences, strict=False):
        found |= protocol.claims(line, said)
        protocol.read(line)
    return found


def run_of(name: str, variant: str | None, *, faults: bool) -> Timeline:
    chosen: dict[str, Any] = {"parameters": {"ids": (17, 24, 3, 33, 28)}} if name == "chang-roberts" else {}
    return catalog.timeline(
        Scenario(
            name, variant=variant, nodes=5, seed=4, load=Closed(think=3.0), events=FAULTS if faults else (), **chosen
        )
    )


def test_what_captions_claim_holds_by_the_trace() -> None:
    found = set()
    for name, variant in EVERYTHING:
        if name in OWN_FAMILIES:
            found |= claims_of(run_of(name, variant, faults=True))
            if variant is None or name == "ricart-agrawala":
                found |= claims_of(run_of(name, variant, faults=False))
    for name in SCENARIOS:
        found |= claims_of(catalog.timeline(scenario_of(name)))
    assert found == set(CLAIMS), "each is made somewhere"


# ---- wording -----------------------------------------------------------------------------------------------


BARRED = re.compile(
    r"\b(I|[Mm]y|[Mm]e|[Mm]ine|[Ww]e|[Oo]ur|[Uu]s|[Yy]ou|[Yy]ours?|gets|wants|everybody|whoever|for ever|in all|dead"
    r"|on its way|time-out|takes? .* for (crashed|lost|the leader)|(above|below) me|not there)\b"
)
EITHER = re.compile(r"\bor\b")
QUOTED = re.compile(r"“[^”]*”")
FOLDERS = ("election", "components", "mutual_exclusion", "peer_to_peer", "rewriting_systems")
FILES = [file for folder in FOLDERS for file in sorted((ROOT / "algorithms" / folder).glob("*.py"))]


def caption_lines(file: Path) -> set[int]:
    """The numbers of the lines whose comments become captions: those in methods that act."""
    functions = [part for part in ast.walk(ast.parse(file.read_text("utf-8"))) if isinstance(part, ast.FunctionDef)]
    acting = (function for function in functions if function.name not in ("setup", "begin"))
    return {number for function in acting for number in range(function.lineno, (function.end_lineno or 0) + 1)}


def test_comments_are_in_the_third_person_and_captions_say_one_thing() -> None:
    for file in FILES:
        acting = caption_lines(file)
        for number, comment in comments(str(file)).items():
            text = QUOTED.sub("", comment)
            assert not BARRED.search(text), f"{file.name}:{number}: {comment}"
            assert not (number in acting and EITHER.search(text)), f"{file.name}:{number}: {comment}"


@for_each(name=[name for name in sorted(catalog.by_name()) if not name.startswith("system-")])
def test_every_placeholder_of_a_line_that_runs_has_a_value(name: str) -> None:
    for variant in (None, *catalog.find(name).variants):
        timeline = run_of(name, variant, faults=True)
        for _ in range(40):
            ran: Execution = execution_in(timeline, timeline.forward)
            for line in ran.lines:
                names = [hole.expression for hole in placeholders(comments(line.file).get(line.number, ""))]
                assert not set(names) & {value for value in line.values if isinstance(value, str)}, line


def test_an_algorithm_says_how_it_works_in_a_few_sentences() -> None:
    for algorithm in catalog.by_name().values():
        if not algorithm.name.startswith("system-"):
            assert 3 <= len(re.findall(r"[.?!](?= |$)", algorithm.explanation)) <= 6, algorithm.name
            assert not BARRED.search(algorithm.explanation.replace("wants to enter", "")), algorithm.name
