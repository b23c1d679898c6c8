"""Random small runs, and whether all that explains them is so by their traces: captions, reasons, lights and counts.

python -m tests.support.random_truth --count 2000 --seed 1
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from json import loads
from random import Random
from typing import Any

from algorithms import catalog, trace_file
from algorithms.engine.errors import Misuse
from algorithms.engine.observe.line_trace import Execution, execution_in
from algorithms.engine.observe.meters import Meters
from algorithms.engine.observe.monitors import Monitors
from algorithms.engine.rewrite import system_of
from algorithms.engine.scenario import Network, Scenario
from algorithms.engine.timeline import Timeline
from tests.support.caption_oracle import Protocol, check_caption, check_reason
from tests.support.random_scenarios import ELECTIONS, random_event, random_scenario
from tests.support.trace_state import Line, TraceState
from visual.analysis.wait_for import is_over, is_waiting
from visual.narration.steps import step_sentence
from visual.narration.waiting import quiescence_sentence, reasons

UNTIL, STEPS = 60.0, 90  # of a run that is told
LATER = 200  # steps that a run goes on, to see who is served after all
MOMENTS = 5  # at which reasons and counts are looked at
EVERYTHING = [
    (algorithm.name, variant)
    for algorithm in catalog.by_name().values()
    if not system_of(algorithm)
    for variant in (None, *algorithm.variants)
]


def small_scenario(number: int, seed: int) -> Scenario:
    """The random scenario of that number: all algorithms and variants take turns."""
    name, variant = EVERYTHING[number % len(EVERYTHING)]
    dice = Random(f"{seed} {number}")
    scenario = random_scenario(name, dice)
    events = tuple(random_event(dice, dice.uniform(0, UNTIL / 2)) for _ in range(dice.choice([0, 2, 6])))
    calls = tuple(event for event in scenario.events if event.do == "request") if name in ELECTIONS else ()
    if catalog.find(name).enters_by_itself():
        events = tuple(event for event in events if event.do not in ("request", "load"))
        scenario = replace(scenario, load=type(scenario).load)
    members = scenario.members if "join" in {event.do for event in events} else None
    if dice.random() < 0.3:
        scenario = replace(scenario, network=Network(delay=scenario.network.delay))
    return replace(scenario, variant=variant, until=UNTIL, events=(*events, *calls), members=members)


class Told:
    """All sentences about a run: the sentence of each step, and at some moments the reasons, lights and counts."""

    def __init__(self, scenario: Scenario, dice: Random) -> None:
        self.scenario, self.timeline = scenario, catalog.timeline(scenario)
        self.algorithm = self.timeline.simulation.algorithm
        self.sentences: list[str] = []
        self.moments: dict[int, Moment] = {}
        self.rest = ""
        self._advance(dice)
        self.lines: list[Line] = [loads(line) for line in trace_file.lines(self.timeline.trace)]

    def _advance(self, dice: Random) -> None:
        timeline = self.timeline
        looks = {dice.randrange(1, STEPS) for _ in range(MOMENTS)}
        while timeline.step < STEPS and timeline.simulation.now <= UNTIL:
            ran = self._forward()
            if ran is None:
                self.rest = quiescence_sentence(timeline.simulation) if self._is_over() else ""
                break
            self.sentences.append(step_sentence(timeline, timeline.step - 1, ran))
            if timeline.step in looks:
                self.moments[timeline.step] = Moment(timeline)
        self.moments[timeline.step] = Moment(timeline)
        while timeline.step < LATER and self._forward() is not None:
            pass

    def _forward(self) -> Execution | None:
        """Execute a step; None if there is none, or an assumption of the algorithm is broken."""
        before = self.timeline.step
        try:
            ran = execution_in(self.timeline, self.timeline.forward)
        except (KeyError, ValueError, AttributeError, IndexError, Misuse):
            return None
        return ran if self.timeline.step > before else None

    def _is_over(self) -> bool:
        return self.timeline.simulation.failed_step is None and self.timeline.simulation.next_time() is None


class Moment:
    """The sentences at one step."""

    def __init__(self, timeline: Timeline) -> None:
        run = timeline.simulation
        self.time = run.now
        self.waiting = [node for node in range(run.scenario.nodes) if is_waiting(run, node)]
        self.reasons = {
            node: [reason._asdict() for reason in reasons(run, node)]
            for node in range(run.scenario.nodes)
            if run.is_up(node)
        }
        self.is_over = run.failed_step is None and run.next_time() is None and is_over(run)
        meters, monitors = Meters(run.scenario, run.algorithm), Monitors(run.scenario, run.algorithm)
        for fold in (meters, monitors):
            fold.advance(timeline.trace)
        if self.is_over:
            monitors.finish()
        self.counters = meters.at(timeline.step, run.now)
        self.lights = monitors.at(timeline.step, run.now)


def contradictions(told: Told) -> Iterator[str]:
    """Each contradiction between what is said about a run and its trace, as a sentence."""
    algorithm, scenario, run = told.algorithm, told.scenario, told.timeline.simulation
    state = TraceState(
        scenario.nodes,
        scenario.nodes if scenario.members is None else scenario.members,
        algorithm.token.__name__ if algorithm.token else None,
        election=algorithm.is_election(),
        at_once=getattr(run.process_class, algorithm.at_once) if algorithm.at_once else 1,
        links=run.links if algorithm.excludes == "neighbours" else None,
    )
    protocol = Protocol(state)
    for step, line in enumerate(told.lines):
        if step in told.moments:
            yield from _at(step, lambda k=step: check_moment(told, told.moments[k], k, state, protocol))
        if step < len(told.sentences):
            said = told.sentences[step]
            yield from _at(step, lambda line=line, said=said: check_caption(state, line, said))
            yield from _at(step, lambda line=line, said=said: protocol.claims(line, said))
        protocol.read(line)
    if len(told.lines) in told.moments:
        last = len(told.lines)
        yield from _at(last, lambda: check_moment(told, told.moments[last], last, state, protocol))


def _at(step: int, check: Any) -> Iterator[str]:
    try:
        check()
    except (AssertionError, KeyError, IndexError, ValueError) as error:
        yield f"step {step}: {type(error).__name__ if not isinstance(error, AssertionError) else ''}{error}"


def check_moment(told: Told, moment: Moment, step: int, state: TraceState, protocol: Protocol) -> None:
    algorithm = told.algorithm
    if not algorithm.is_election():
        assert moment.waiting == [node for node in state.nodes if state.is_waiting(node)], f"waiting {moment.waiting}"
    for node, why in moment.reasons.items():
        for reason in why:
            check_reason(state, protocol, node, reason)
            assert not (reason["is_permanent"] and served_later(told.lines[step:], node)), f"P{node}: {reason['words']}"
        if moment.is_over and node in moment.waiting:
            assert any(reason["is_permanent"] for reason in why), f"P{node} waits forever, and nothing says so: {why}"
    check_counts(moment.counters, state, is_election=algorithm.is_election())
    check_lights(told, moment, state)


def served_later(lines: list[Line], node: int) -> bool:
    """Whether the node enters, or knows another leader, before it crashes."""
    for line in lines:
        event = line["event"]
        if event["kind"] == "fault" and event.get("node") == node and event["do"] in ("crash", "leave"):
            return False
        if any(e["kind"] in ("enter", "elected") and e["node"] == node for e in line["effects"]):
            return True
    return False


def check_counts(counters: Any, state: TraceState, *, is_election: bool) -> None:
    assert counters.by_type == {kind: count for kind, count in state.sent.items() if count}, counters.by_type
    assert counters.messages == sum(state.sent.values())
    if is_election:
        return
    assert counters.entries_per_node == tuple(state.entries[node] for node in state.nodes), counters.entries_per_node
    assert counters.entries == sum(state.entries.values())
    assert counters.inside == len(state.inside), (counters.inside, state.inside)
    if counters.tokens is not None and not state.has_copies:
        assert counters.tokens == state.tokens(), f"{counters.tokens} tokens, not {state.tokens()}"
    asked = [state.entries[node] for node in state.nodes if node in state.requesters or state.entries[node]]
    squares = sum(n * n for n in asked)
    fair = sum(asked) ** 2 / (len(asked) * squares) if squares else None
    assert counters.fairness == fair or abs(counters.fairness - fair) < 1e-9, ("fairness", counters.fairness, fair)


def check_lights(told: Told, moment: Moment, state: TraceState) -> None:
    lights = {name: light.status for name, light in moment.lights.items()}
    if "ME1" in lights:
        assert lights["ME1"] == ("broken" if state.overlaps else "holds"), ("ME1", lights, state.overlaps)
        assert lights["ME2"] == liveness(told.scenario, moment, state), ("ME2", lights, state.unserved())
    if "one token" in lights:
        faulty = [count for count in state.token_counts if count != 1]
        assert state.has_copies or not state.had_token or lights["one token"] == ("broken" if faulty else "holds")
        assert not (lights["one token"].startswith("holds") and moment.counters.tokens == 0 and state.had_token)
    if "E2" in lights and moment.is_over and lights["E2"] == "holds":
        believed = {state.leader.get(node) for node in state.nodes if node not in state.down}
        assert not state.requesters or len(believed - {None}) <= 1, ("E2", believed)


def liveness(scenario: Scenario, moment: Moment, state: TraceState) -> str:
    waits = state.unserved()
    if not waits:
        return "holds"
    if moment.is_over:
        return "broken"
    late = scenario.patience is not None and any(moment.time > since + scenario.patience for since in waits)
    return "overdue" if late else "pending"


def examine(number: int, seed: int) -> list[str]:
    """The contradictions in the random run of that number."""
    scenario = small_scenario(number, seed)
    return list(contradictions(Told(scenario, Random(f"moments {seed} {number}"))))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    wrong: Counter[str] = Counter()
    for number in range(arguments.first, arguments.first + arguments.count):
        for words in examine(number, arguments.seed):
            scenario = small_scenario(number, arguments.seed)
            wrong[scenario.algorithm] += 1
            print(f"{number} {scenario.algorithm} {scenario.variant or ''} {words}", flush=True)
    print(f"{arguments.count} runs, {sum(wrong.values())} contradictions: {dict(wrong)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
