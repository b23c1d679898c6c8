"""Being a node: its events in a stretch of a run, what its algorithm does at each, and what its mutants would do.

A wrong decision is recognized by executing the mutants in the same state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

from algorithms import catalog
from algorithms.authoring.failures import Failure, guard_run
from algorithms.engine.check.own_acts import next_step, shadow
from algorithms.engine.checkpoint import Checkpoint, lay_under, save
from algorithms.engine.events import DELIVER, ENTER, KIND, LAUNCH, MESSAGE, NODE, SENDER, Record
from algorithms.engine.played import ENTERING, sending
from algorithms.engine.scenario import Event, NodeAct, Scenario
from algorithms.engine.simulation import Simulation
from algorithms.engine.timeline import Timeline
from lessons.asking import copies, moments
from lessons.asking.answers import share_of
from lessons.asking.moments import Condition
from lessons.asking.own_events import is_own
from lessons.asking.run_events import Watch
from lessons.reading.curriculum import misconception_of
from lessons.task import AnswerVerdict, KeyEntry, Task

DRAWN = -1  # in the place of a receiver that chance decides
_OTHER_DRAWS = 4  # that are tried, to see what chance decides
Acts = frozenset[NodeAct]
FEWEST_ASKED, FEWEST_KINDS = 3, 2
MOST_OFFERED = 6


class Decision(NamedTuple):
    """One event at the node: the number of steps before it, the event, and what is right."""

    step: int
    event: Record
    right: Acts
    mutants: Mapping[str, Acts]  # variant -> what it would do instead, if it does something else
    options: tuple[Acts, ...] = ()  # what the learner may choose

    @property
    def is_asked(self) -> bool:
        """Whether the event is worth a question: the algorithm or a variant does something that can be seen."""
        return bool(self.right) or any(self.mutants.values())


@dataclass(frozen=True)
class BeNodeTask(Task):
    """Decide for a node, event by event, what it does."""

    kind = "be-node"
    is_graded = is_question = True
    trouble_code = "R5"

    until: Condition = Condition("end", True)
    decide: tuple[str, ...] = ("send", "enter", "keep")
    fields: tuple[str, ...] = ()
    source: bool = False

    @property
    def depends_on_run(self) -> bool:
        return True

    def finish(self, run: Timeline) -> None:
        self.reach(run, "until", self.until)

    def key(self, run: Timeline, scenarios: Mapping[str, Scenario], instance: int) -> KeyEntry:
        """The decisions of the node."""
        made = tuple(decisions(run, self))
        return KeyEntry(run.step, made, evidence=tuple(decision.step for decision in made))

    def trouble(self, entry: KeyEntry) -> Iterator[str]:
        asked = self.parts(entry.right)
        kinds = {frozenset((act.do, act.type) for act in decision.right) for decision in asked}
        if len(asked) < FEWEST_ASKED:
            yield f"P{self.node}: it decides only {len(asked)} times"
        elif len(kinds) < FEWEST_KINDS:
            yield f"P{self.node}: all decisions are alike; expected two kinds"

    def misconceptions(self, scenario: Scenario) -> set[str]:
        variants = catalog.find(scenario.algorithm).variants
        return {misconception_of(scenario.algorithm, variant) for variant in variants}

    def parts(self, right: Any) -> Sequence[Decision]:
        return [decision for decision in right if decision.is_asked]

    def from_json(self, entry: KeyEntry, part: Decision, value: Any) -> Acts:
        try:
            return frozenset(_act(*act) for act in value)
        except TypeError:
            raise ValueError('a list of acts, such as [["send", "Reply", 2], ["enter"]]') from None

    def verdict(self, entry: KeyEntry, part: Decision, given: Acts) -> AnswerVerdict:
        found = share_of(part.right, given)
        variant = recognized(part, given) if found < 1.0 else None
        return AnswerVerdict(found, given, part.right, rival=("variant", variant) if variant else None)


def _act(do: str, name: str = "", receiver: Any = None, fields: Mapping[str, Any] | None = None) -> NodeAct:
    to = DRAWN if receiver == "drawn" else receiver
    return NodeAct("send", name, to, tuple((fields or {}).items())) if do == "send" else NodeAct(do)


def decisions(at: Timeline, task: BeNodeTask) -> list[Decision]:
    """The node's own events from now on until the task's end, each with what the node does."""
    assert task.node is not None
    found = list(_decisions(copies.copy_of(at), task, task.node))
    peers = at.simulation.processes[task.node].peers
    asked = [decision for decision in found if decision.is_asked]
    may_enter = "enter" in task.decide and not at.algorithm.is_election()
    return [decision._replace(options=_offered(decision, asked, peers, may_enter)) for decision in found]


def _decisions(run: Timeline, task: BeNodeTask, node: int) -> Iterator[Decision]:
    watch = Watch(run)
    programs: dict[str | None, Simulation] = {}  # by variant
    before = save(run.simulation)
    while watch.forward():
        records = run.trace.step(run.step - 1)
        if records[0][KIND] != LAUNCH and is_own(records, node):
            has_drawn = run.simulation.stream(node).count != before.counts.get(("algorithm", node), 0)
            acts_of = partial(_acts, programs, before, task)
            right = acts_of(run.scenario) if has_drawn else _opened([_done(records, node, task.fields)], node)
            yield Decision(run.step - 1, records[0], right, _by_mutants(run.scenario, right, acts_of))
        if moments.is_reached(watch, task.until):
            return
        before = save(run.simulation)


def _done(records: list[Record], node: int, names: tuple[str, ...] | None) -> Acts:
    """What a node does in a step: messages, also to itself, with the fields that are asked for, and entering."""
    acts: set[NodeAct] = set()
    for record in records[1:]:
        if record[KIND] == DELIVER and record[SENDER] == node:
            acts.add(sending(record[MESSAGE], record[NODE], names))
        elif record[KIND] == ENTER and record[NODE] == node:
            acts.add(ENTERING)
    return frozenset(acts)


def _opened(results: list[Acts], node: int) -> Acts:
    """The first of several results of a step: receivers that differ are DRAWN; a node sends nothing to itself."""
    varying = Acts().union(*results) - results[0].intersection(*results)
    drawn = {act.type for act in varying if act != ENTERING}
    return frozenset(
        replace(act, to=DRAWN) if act.type in drawn else act
        for act in results[0]
        if act.type in drawn or act.to != node
    )


def decision_on(run: Simulation, event: Event, others: Sequence[Decision]) -> Decision:
    """The decision that an intervention would ask of its node if it came next; all fields of messages count."""
    before = save(run)
    records = next_step(shadow(run.scenario, run.algorithm, before, event))
    node = records[0][NODE]

    def own_acts(scenario: Scenario) -> Acts:
        other = shadow(scenario, catalog.find(scenario.algorithm), before, event)
        with guard_run(other):
            return _opened([_done(next_step(other), node, None)], node)

    right = _opened([_done(records, node, None)], node)
    made = Decision(run.steps, records[0], right, _by_mutants(run.scenario, right, own_acts))
    peers, may_enter = run.processes[node].peers, not run.algorithm.is_election()
    return made._replace(options=_offered(made, [*others, made], peers, may_enter, _passed_on(made.event, peers)))


def _passed_on(event: Record, peers: Iterable[int]) -> list[Acts]:
    """Passing on the message that arrives, where only one peer besides its sender could get it, as on a ring."""
    others = [peer for peer in peers if event[KIND] == DELIVER and peer != event[SENDER]]
    return [frozenset({sending(event[MESSAGE], others[0])})] if len(others) == 1 else []


def _by_mutants(scenario: Scenario, right: Acts, acts_of: Callable[[Scenario], Acts]) -> dict[str, Acts]:
    """What each variant would do in the same state; those that fail there, or do the same, are left out."""
    found = {}
    algorithm = catalog.find(scenario.algorithm)
    for name in algorithm.variants:
        if name == scenario.variant:
            continue
        try:
            acts = acts_of(replace(scenario, variant=name))
        except (Failure, AttributeError, KeyError):  # a part that one of the two programs does not have
            continue
        if acts != right:
            found[name] = acts
    return found


def _acts(programs: dict[str | None, Simulation], before: Checkpoint, task: BeNodeTask, scenario: Scenario) -> Acts:
    """What the program of a scenario does in the state of a checkpoint; what chance decides is left open."""
    assert task.node is not None
    if scenario.variant not in programs:
        programs[scenario.variant] = Simulation(scenario, catalog.find(scenario.algorithm))
    run = programs[scenario.variant]
    done, has_drawn = _one_step(run, before, task, task.node)
    others = range(1, _OTHER_DRAWS + 1) if has_drawn else ()
    return _opened([done, *(_one_step(run, before, task, task.node, skip)[0] for skip in others)], task.node)


def _one_step(run: Simulation, before: Checkpoint, task: BeNodeTask, node: int, skip: int = 0) -> tuple[Acts, bool]:
    """What the node does, with that many random numbers left out, and whether it draws any."""
    lay_under(run, before)
    stream = run.stream(node)
    stream.count += skip
    drawn = stream.count
    with guard_run(run):
        records = next_step(run)
    return _done(records, node, task.fields), stream.count != drawn


def recognized(decision: Decision, given: Acts) -> str | None:
    """The variant that would have decided just so; None if none would."""
    return next((name for name, acts in decision.mutants.items() if acts == given), None)


def _offered(
    asked: Decision, others: Sequence[Decision], peers: Iterable[int], may_enter: bool, also: Iterable[Acts] = ()
) -> tuple[Acts, ...]:
    """What the learner may choose at a decision: what is right, what mutants do, `also`, and parts of other decisions.

    The order depends on nothing but the acts: doing nothing first, then by the messages.
    """
    event = asked.event
    sender = event[SENDER] if event[KIND] == DELIVER else None
    choices: list[Acts] = [asked.right, frozenset(), *asked.mutants.values(), *also]
    names = dict.fromkeys(a.type for decision in others for a in sorted(decision.right, key=repr) if a != ENTERING)
    for name in names:
        fields = _fields_in(name, asked, others)
        if sender is not None:
            choices.append(frozenset({NodeAct("send", name, sender, fields)}))
        choices.append(frozenset(NodeAct("send", name, peer, fields) for peer in peers))
    if may_enter:
        choices.append(frozenset({ENTERING}))
    different = list(dict.fromkeys(choices))[:MOST_OFFERED]
    return tuple(sorted(different, key=lambda acts: (len(acts), sorted(map(repr, acts)))))


def _fields_in(name: str | None, asked: Decision, others: Sequence[Decision]) -> tuple[tuple[str, Any], ...]:
    """The fields of a message of that type, as in this decision or in another one."""
    for decision in (asked, *others):
        for act in sorted(decision.right, key=repr):
            if act.type == name:
                return act.fields
    return ()
