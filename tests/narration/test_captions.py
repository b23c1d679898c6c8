"""Captions are true of the branch that ran: what they say about stamps, numbers, votes and queues is recomputed.

The oracle knows the algorithms only by what their messages mean, and reads nothing but the trace.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from algorithms import catalog
from algorithms.engine.caption_text import as_code, placeholders
from algorithms.engine.events import DELIVER, FAULT, KIND, LEAVE, MESSAGE, NODE, REQUEST, SENDER, TIMER, Record
from algorithms.engine.line_trace import Execution, comments, execution_in
from algorithms.engine.scenario import Event, Scenario
from algorithms.engine.timeline import Timeline
from algorithms.engine.workload import Closed
from visual.narration.steps import step_sentence
from visual.window.gallery.thumbnails import scenario_of
from visual.words import message_type

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


class Oracle:
    """What the processes have asked, granted and sent, by the trace alone."""

    def __init__(self) -> None:
        self.open: set[int] = set()  # processes with a request that has not ended
        self.stamp: dict[int, tuple[int, int]] = {}  # of the open request
        self.largest: dict[int, int] = {}  # largest number that a process has sent since it last knew a leader
        self.vote: dict[int, int] = {}
        self.granted: dict[int, int] = {}  # coordinator -> whom it has granted entry without a release since
        self.queue: dict[int, list[int]] = {}

    def check(self, event: Record, effects: list[Record], said: str) -> str:
        """Check the sentence about an event, before which everything is as recorded; the claim found, or ""."""
        for claim, (pattern, holds) in CLAIMS.items():
            if match := re.search(pattern, said):
                numbers = [tuple(map(int, re.findall(r"\d+", group))) for group in match.groups()]
                assert holds(self, event, *numbers), f"{claim}: {said}"
                return claim
        return ""

    def record(self, event: Record, effects: list[Record]) -> None:
        """Follow the trace over one step."""
        node = event[NODE]
        if event[KIND] == REQUEST or (event[KIND] == FAULT and event[4].do == "request"):
            self.open.add(node)
        if event[KIND] == LEAVE:
            self.open.discard(node)
            self.stamp.pop(node, None)
        if event[KIND] == FAULT and event[4].do in ("crash", "recover"):
            for known in (self.open, self.stamp, self.largest, self.vote, self.granted, self.queue):
                known.discard(node) if isinstance(known, set) else known.pop(node, None)
        if event[KIND] == DELIVER and message_type(type(event[MESSAGE])) == "release":
            if self.vote.get(node) == event[SENDER]:
                del self.vote[node]
            self.granted.pop(node, None)
        if event[KIND] == DELIVER and message_type(type(event[MESSAGE])) == "elected":
            self.largest.pop(node, None)
        answers = Counter()
        for effect in effects:
            if effect[KIND] == DELIVER and effect[SENDER] == node:
                kind, message = message_type(type(effect[MESSAGE])), effect[MESSAGE]
                answers[kind] += 1
                if kind == "request" and hasattr(message, "stamp"):
                    self.stamp[node] = message.stamp
                    self.open.add(node)
                if kind == "election" and hasattr(message, "number"):
                    self.largest[node] = max(self.largest.get(node, -1), message.number)
                if kind == "vote":
                    self.vote[node] = effect[NODE]
                if kind == "grant":
                    self.granted[node] = effect[NODE]
                    if effect[NODE] in self.queue.get(node, []):
                        self.queue[node].remove(effect[NODE])
        asks = event[KIND] == DELIVER and message_type(type(event[MESSAGE])) == "request"
        if asks and not answers["grant"] and not answers["vote"]:
            self.queue.setdefault(node, []).append(event[SENDER])


Claim = Callable[..., bool]
STAMP = r"(\(\d+,\d+\))"
CLAIMS: dict[str, tuple[str, Claim]] = {
    "its own is older": (
        rf"its own {STAMP} is older than {STAMP}",
        lambda o, e, own, other: own < other == e[MESSAGE].stamp and own == o.stamp[e[NODE]],
    ),
    "the other is older": (
        rf"{STAMP} is older than its own {STAMP}",
        lambda o, e, other, own: e[MESSAGE].stamp == other < own == o.stamp[e[NODE]],
    ),
    "older than now": (
        rf"{STAMP} is older than its clock now, (\d+)",
        lambda o, e, other, now: e[MESSAGE].stamp == other < (now[0], e[NODE]),
    ),
    "not later": (
        r"own clock, (\d+), is not later than (\d+)",
        lambda o, e, own, other: own <= other and o.stamp[e[NODE]][0] == own[0] and e[MESSAGE].stamp[0] == other[0],
    ),
    "not earlier": (
        r"own clock, (\d+), is not earlier than (\d+)",
        lambda o, e, own, other: own >= other and o.stamp[e[NODE]][0] == own[0] and e[MESSAGE].stamp[0] == other[0],
    ),
    "not competing": (r"it is not competing", lambda o, e: e[NODE] not in o.stamp),
    "not waiting": (r"it is not waiting", lambda o, e: e[NODE] not in o.open),
    "a smaller number": (
        r"passes (\d+) on: its own number, (\d+), is smaller",
        lambda o, e, sent, own: own < sent == (e[MESSAGE].number,),
    ),
    "its own is larger": (
        r"replaces (\d+) with its own number: (\d+) is larger",
        lambda o, e, sent, own: own > sent == (e[MESSAGE].number,) and o.largest.get(e[NODE], -1) < own[0],
    ),
    "sent a larger": (
        r"drops (\d+): it has already sent a larger",
        lambda o, e, sent: sent == (e[MESSAGE].number,) and o.largest[e[NODE]] > sent[0],
    ),
    "its vote was free": (r"its vote was free", lambda o, e: e[NODE] not in o.vote),
    "whose vote": (r"refuses: P(\d+) has its vote", lambda o, e, whose: o.vote[e[NODE]] == whose[0]),
    "too few votes": (r"it has (\d+) of the (\d+) votes", lambda o, e, votes, needed: votes < needed),
    "enough votes": (r"(\d+) votes have come in, and (\d+)", lambda o, e, votes, needed: votes >= needed),
    "no release": (
        r"P(\d+)'s release has not arrived",
        lambda o, e, whose: o.granted[e[NODE]] == whose[0],
    ),
    "first in the queue": (
        r"grants P(\d+)'s request, the first in its queue",
        lambda o, e, first: o.queue[e[NODE]][0] == first[0],
    ),
    "knows of nobody": (r"knows of nobody inside", lambda o, e: e[NODE] not in o.granted),
    "takes over": (r"P(\d+) takes over", lambda o, e, who: e[SENDER] == who[0] > e[NODE]),
    "being higher": (r"being higher than P(\d+)", lambda o, e, who: e[SENDER] == who[0] < e[NODE]),
    "the highest on the list": (r"P(\d+) is the highest on it", lambda o, e, who: max(e[MESSAGE].ids) == who[0]),
}
OWN_FAMILIES = ("centralized", "voting", "ricart-agrawala", "token-ring", "bully", "chang-roberts", "ring-election")


def claims_of(timeline: Timeline) -> set[str]:
    """The claims found in the sentences of a run, all of which hold."""
    oracle, found = Oracle(), set()
    for step, said in told(timeline, STEPS):
        event, *effects = timeline.trace.step(step)
        if event[KIND] in (DELIVER, TIMER, REQUEST, LEAVE):
            found.add(oracle.check(event, effects, said))
        oracle.record(event, effects)
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
    assert found - {""} == set(CLAIMS), "each is made somewhere"


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


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_comments_are_in_the_third_person_and_captions_say_one_thing(file: Path) -> None:
    acting = caption_lines(file)
    for number, comment in comments(str(file)).items():
        text = QUOTED.sub("", as_code(comment))
        assert not BARRED.search(text), f"{file.name}:{number}: {comment}"
        assert not (number in acting and EITHER.search(text)), f"{file.name}:{number}: {comment}"


@pytest.mark.parametrize("name", [name for name in sorted(catalog.by_name()) if not name.startswith("system-")])
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
