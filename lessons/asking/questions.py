"""The questions of a lesson, each answered from the state that a copy of the run is in.

A question has a name, keys of its own, a kind of answer, and a function that computes the answer. A new question is one
function with `@question`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from algorithms.engine.check.moves import Bounds
from algorithms.engine.observe.causes import causal_past
from algorithms.engine.observe.meters import Meters
from algorithms.engine.observe.monitors import Monitors
from algorithms.engine.rewrite import CARRIER
from algorithms.engine.rewrite.reductions import Refinement
from algorithms.engine.rewrite.rewriter import limits_of
from algorithms.engine.scenario import Event, Scenario
from algorithms.engine.timeline import Timeline
from algorithms.rewriting_systems.refinements import AS_PRINTED, DIRECT
from lessons.asking import copies, moments
from lessons.asking.answers import AFTER, BEFORE, CONCURRENT, NO, NOBODY, NOTHING, SEVERAL, YES, Answer, Stays
from lessons.asking.moments import Condition
from lessons.asking.own_events import view_of
from lessons.asking.run_events import RunEvent, Watch, ahead
from lessons.tasks.challenges import BOUNDS, ChallengeTask, par_of
from lessons.tasks.measures import measure


class Asked(NamedTuple):
    """A question as it is put: its own keys, its horizon, and the lesson's scenarios for those that compare."""

    run: Timeline  # a copy, at the moment that is asked about: it may go on
    given: Mapping[str, Any]
    until: Condition | None = None
    scenarios: Mapping[str, Scenario] = {}

    def node(self) -> int:
        return int(self.given["node"])


@dataclass(frozen=True)
class Question:
    """A kind of question: its keys (the required ones first, optional ones end in "?"), and how it is answered."""

    name: str
    kind: str  # of the answer
    keys: tuple[str, ...]
    words: str  # the question as it is put, with {node}, {variable}, {moment} …
    answer: Callable[[Asked], Answer]
    needs_until: bool = False


QUESTIONS: dict[str, Question] = {}


def question(name: str, kind: str, words: str, *keys: str, until: bool = False) -> Callable[..., Any]:
    """Enter a function as the question of that name."""

    def enter(function: Callable[[Asked], Answer]) -> Callable[[Asked], Answer]:
        QUESTIONS[name] = Question(name, kind, keys, words, function, until)
        return function

    return enter


def answer(name: str, asked: Asked) -> Answer:
    """The answer to a question, on a copy of the run."""
    return QUESTIONS[name].answer(asked._replace(run=copies.copy_of(asked.run)))


# ---- entries -----------------------------------------------------------------------------------------------


@question("next-entry", "node", "Who enters the critical section next?")
def next_entry(asked: Asked) -> Answer:
    """The next process to enter; "several" if another enters while it is inside."""
    first: int | None = None
    step = 0
    for steps, latest in ahead(asked.run):
        for event in latest:
            if event.kind == "enters" and first is None:
                first, step = event.node, steps
            elif event.kind == "enters":
                return Answer("node", SEVERAL, (step, steps))
            elif event.kind == "leaves" and event.node == first:
                return Answer("node", first, (step,))
    return Answer("node", NOBODY if first is None else first, (step,) if first is not None else ())


@question("stays", "stays", "Who enters from now on, in what order, and are any two inside at once?", "count?")
def stays(asked: Asked) -> Answer:
    """The stays in the critical section that begin from now on; those that overlap form a group."""
    groups: list[list[int]] = []
    inside: set[int] = set()
    steps: list[int] = []
    most = asked.given.get("count")
    for step, latest in ahead(asked.run):
        for event in latest:
            if event.kind == "enters":
                if inside and groups:
                    groups[-1].append(event.node)
                elif len(groups) == most:
                    return _stays(groups, steps)
                else:
                    groups.append([event.node])
                inside.add(event.node)
                steps.append(step)
            elif event.kind == "leaves":
                inside.discard(event.node)
    return _stays(groups, steps)


def _stays(groups: list[list[int]], steps: list[int]) -> Answer:
    value: Stays = tuple(tuple(sorted(group)) for group in groups)
    return Answer("stays", value, tuple(steps))


@question("asked-order", "stays", "Who asks from now on, and in what order?", "count?")
def asked_order(asked: Asked) -> Answer:
    """The order of the requests from now on, by the clock on the wall, the open ones first."""
    watch = Watch(asked.run)
    opened = [(request[0], seat[1]) for seat, request in _open_requests(watch)]
    order = [node for _, node in sorted(opened)]
    steps: list[int] = []
    while watch.forward():
        for event in watch.latest:
            if event.kind == "asks":
                order.append(event.node)
                steps.append(asked.run.step)
    most = asked.given.get("count", len(order))
    return Answer("stays", tuple((node,) for node in order[:most]), tuple(steps[:most]))


def _open_requests(watch: Watch) -> list[tuple[tuple[int, int], tuple[float, int]]]:
    """The seats that wait, each with the time since when, in order."""
    claims = watch.situation.requests.at(watch.timeline.step)
    return [(seat, (since, 0)) for seat, since in claims.items() if seat in watch.situation.waiting]


@question("served", "yes-no", "Will P{node} enter the critical section?", "node")
def served(asked: Asked) -> Answer:
    """Whether the node enters before the run ends."""
    for step, latest in ahead(asked.run):
        if any(event.kind == "enters" and event.node == asked.node() for event in latest):
            return Answer("yes-no", YES, (step,))
    return Answer("yes-no", NO)


@question("breaks", "light", "Which property is broken first?")
def breaks(asked: Asked) -> Answer:
    """The first property that a monitor reports as broken; "nothing" if none is."""
    watch = Watch(asked.run)
    before = set(watch.broken)
    while watch.forward():
        if asked.until and moments.is_reached(watch, asked.until):
            break
        news = [name for name in watch.broken if name not in before]
        if news:
            return Answer("light", news[0], (asked.run.step,))
    return Answer("light", NOTHING)


@question("ends", "yes-no", "Does this run come to an end by itself?")
def ends(asked: Asked) -> Answer:
    """Whether nothing more can happen before the scenario's end."""
    copies.finish(asked.run)
    return Answer("yes-no", YES if asked.run.simulation.next_time() is None else NO)


# ---- messages ----------------------------------------------------------------------------------------------


@question(
    "messages", "number", "How many {type}messages {are_sent} from now until {moment}?", "type?", "by?", until=True
)
def messages(asked: Asked) -> Answer:
    """The messages sent between now and then, without those to oneself."""
    run, kind, sender = asked.run, asked.given.get("type"), asked.given.get("by")
    last = _horizon(asked)
    count, evidence = 0, []
    for step, latest in ahead(run):
        if step > last:
            break
        sent = [h for h in latest if _is_sent(h) and kind in (None, h.name) and sender in (None, h.node)]
        count += len(sent)
        if sent:
            evidence.append(step)
    return Answer("number", count, tuple(evidence[:20]))


def _is_sent(event: RunEvent) -> bool:
    return event.kind == "sent" and event.node != event.other


def _horizon(asked: Asked) -> int:
    """The number of steps at which the question's horizon is reached; the last step if there is none."""
    copy = copies.copy_of(asked.run)
    if asked.until is None or not moments.seek(copy, asked.until):
        copies.finish(copy)
    return copy.step


@question("per-entry", "number", "How many messages does one entry cost?", until=True)
def per_entry(asked: Asked) -> Answer:
    """The messages per completed entry, from the beginning of the run up to then."""
    last = _horizon(asked)
    copies.seek(asked.run, last)
    meters = Meters(asked.run.scenario, asked.run.algorithm)
    meters.advance(asked.run.trace)
    counted = meters.at(last, asked.run.simulation.now).per_entry
    return Answer("number", 0 if counted is None else round(counted, 2))


@question("sends", "set", "What does P{node} send next, and to whom?", "node")
def sends(asked: Asked) -> Answer:
    """The messages (type, receiver) of the node's next own step."""
    node = asked.node()
    for step, latest in ahead(asked.run):
        if any(event.node == node and event.kind in ("arrives", "fires", "asks", "leaves") for event in latest):
            sent = frozenset((h.name, h.other) for h in latest if _is_sent(h) and h.node == node)
            return Answer("set", sent, (step,))
    return Answer("set", frozenset())


# ---- states ------------------------------------------------------------------------------------------------


@question(
    "value", "value", "What is the value of P{node}'s variable “{variable}” {then}?", "node", "variable", until=True
)
def value(asked: Asked) -> Answer:
    """The value of a variable at that moment."""
    copies.seek(asked.run, _horizon(asked))
    process = asked.run.simulation.processes[asked.node()]
    return Answer("value", moments.plain(getattr(process, asked.given["variable"], None)), (asked.run.step,))


@question("waits-for", "set", "Whom is P{node} waiting for?", "node")
def waits_for(asked: Asked) -> Answer:
    """The processes for whose next step the node waits, as its algorithm tells."""
    return Answer("set", frozenset(asked.run.simulation.processes[asked.node()].waiting_for()))


@question("holder", "node", "Who has the token?")
def holder(asked: Asked) -> Answer:
    """The process that holds the token; "nobody" while it is in transit."""
    nodes = moments.holders(asked.run.simulation)
    return Answer("node", NOBODY if not nodes else nodes[0] if len(nodes) == 1 else SEVERAL)


@question("leader", "node", "Which leader do all live processes accept {then}?", until=True)
def leader(asked: Asked) -> Answer:
    """The leader that all live processes believe in; "several" if they disagree, "nobody" if none believes in one."""
    copies.seek(asked.run, _horizon(asked))
    believed = moments.leaders(asked.run.simulation)
    if believed <= {None}:
        return Answer("node", NOBODY, (asked.run.step,))
    return Answer("node", believed.pop() if len(believed) == 1 else SEVERAL, (asked.run.step,))


# ---- comparisons -------------------------------------------------------------------------------------------


@question("same-view", "yes-no", "Do the two runs look the same to P{node} so far?", "node", "beside")
def same_view(asked: Asked) -> Answer:
    """Whether the node has had the same events in both runs up to the present time."""
    time = asked.run.simulation.now
    other = copies.start(asked.scenarios[asked.given["beside"]])
    moments.seek(other, Condition("time", time))
    one, two = view_of(asked.run, asked.node()), view_of(other, asked.node())
    return Answer("yes-no", YES if one == two else NO)


@question("relation", "relation", "How are these two events related?", "events")
def relation(asked: Asked) -> Answer:
    """Whether one of two events can have influenced the other; both are moments from the run's beginning."""
    one, other = events_of(asked)
    first, second = sorted((one, other), key=lambda run: run.step)
    steps = (first.step, second.step)
    if first.step - 1 not in causal_past(second.trace, second.step - 1, second.trace.forgotten).steps:
        return Answer("relation", CONCURRENT, steps)
    return Answer("relation", BEFORE if first is one else AFTER, steps)


@question("wall-order", "relation", "Which of these two events comes first by the clock on the wall?", "events")
def wall_order(asked: Asked) -> Answer:
    """The order of two events by the clock on the wall, which no process can see."""
    one, other = events_of(asked)
    return Answer("relation", BEFORE if one.step < other.step else AFTER, (one.step, other.step))


def events_of(asked: Asked) -> list[Timeline]:
    """Runs that end with one of the events that are asked about each. TooLong if one of them does not happen."""
    runs = [copies.beginning_of(asked.run) for _ in asked.given["events"]]
    for run, moment in zip(runs, asked.given["events"], strict=True):
        if not moments.seek(run, moment):
            raise copies.TooLong(f"nothing of the kind happens before {run.scenario.until:g}")
    return runs


@question("blockers", "set", "Whose crash, now, would keep a live process waiting forever?")
def blockers(asked: Asked) -> Answer:
    """The nodes of which a crash now leaves a request of a live process unserved when the run ends."""
    found = []
    for node in range(asked.run.scenario.nodes):
        branch = copies.copy_of(asked.run)
        branch.act(Event(branch.simulation.now, "crash", node=node))
        copies.finish(branch)
        watch = Watch(branch)
        if any(not branch.simulation.down.get(seat[1]) for seat in watch.situation.waiting):
            found.append(node)
    return Answer("set", frozenset(found))


@question("many", "number", "In how many of {seeds} runs is “{light}” broken?", "light", "seeds")
def many(asked: Asked) -> Answer:
    """The number of seeds, from the scenario's own on, with which it breaks the property."""
    scenario = asked.run.scenario
    seeds = range(scenario.seed, scenario.seed + int(asked.given["seeds"]))
    broken = [run for run in (_breach(replace(scenario, seed=seed), asked.given["light"]) for seed in seeds) if run]
    return Answer("number", len(broken), example=broken[0] if broken else None)  # no step of this run decides it


def _breach(scenario: Scenario, light: str) -> Scenario | None:
    """The scenario up to the step that breaks a property; None if it is never broken."""
    run = copies.start(scenario)
    copies.finish(run)
    monitors = Monitors(scenario, run.algorithm)
    monitors.advance(run.trace)
    breach = monitors.by_name[light].breaches.first(run.step)
    return replace(scenario, until=breach.time) if breach else None


@question(
    "can-break",
    "yes-no",
    "Can “{light}” be broken, in whatever order things happen?",
    "light",
    *(f"{name}?" for name in BOUNDS),
    "states?",
)
def can_break(asked: Asked) -> Answer:
    """Whether the property is broken in some run within the bounds; the checker tries them all."""
    bounds = Bounds(**{name: asked.given[name] for name in BOUNDS if name in asked.given})
    goal, states = Condition("light", asked.given["light"]), asked.given.get("states", ChallengeTask.states)
    par = par_of(asked.run.scenario, goal, bounds, states)
    if not par.is_decided:
        raise copies.TooLong(f"{states} states are not all, and nothing is broken in them")
    return Answer("yes-no", NO if par.moves is None else YES)


@question("measure", "number", "What is the {measure}, counted from the beginning of the run?", "measure", until=True)
def measured(asked: Asked) -> Answer:
    """A measure of the run, from its beginning up to then."""
    copies.seek(asked.run, _horizon(asked))
    return Answer("number", float(f"{measure(asked.run, asked.given['measure']):.3g}"))


@question("rules", "set", "Which rules apply now?")
def applicable_rules(asked: Asked) -> Answer:
    """The rules of a rewriting system that apply to the present term."""
    steps = asked.run.simulation.processes[CARRIER].choices()
    return Answer("set", frozenset(f"rule {step.application.rule.number}" for step in steps))


@question("refines", "yes-no", "Does {system} allow the next step, as its own or as no change at all?", "system")
def refines(asked: Asked) -> Answer:
    """Whether the next application of a rule is one of the more abstract system, as the paper maps them, or nothing."""
    run = asked.run
    carrier = run.simulation.processes[CARRIER]
    possible = carrier.choices()
    if not copies.forward(run):
        raise copies.TooLong("no rule is applied any more")
    step = next(step for step in possible if step.after == carrier.term)
    claim = refinement_of(run.algorithm.name, asked.given["system"])
    assert claim is not None
    explanation = claim.explanation(step, limits_of(run.scenario))
    return Answer("yes-no", NO if explanation is None else YES, (run.step,))


def refinement_of(concrete: str, abstract: str) -> Refinement | None:
    """The paper's claim that one system refines another; None if it makes none."""
    claims = (*AS_PRINTED, *DIRECT)
    return next((claim for claim in claims if (claim.concrete.name, claim.abstract.name) == (concrete, abstract)), None)
