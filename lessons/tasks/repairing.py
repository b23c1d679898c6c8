"""Repairs: which body a method should have, or in which order its statements, as the checker finds out.

Every choice and every order in which nothing breaks is right.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import permutations
from typing import Any, NamedTuple

from algorithms import catalog
from algorithms.authoring.failures import Failure, guard_algorithm
from algorithms.clock import cpu_clock
from algorithms.engine.check.counterexample import counterexample_scenario
from algorithms.engine.check.explore import Exploration, Finding
from algorithms.engine.check.moves import Bounds
from algorithms.engine.check.properties import ALWAYS, ORDER
from algorithms.engine.errors import count_words
from algorithms.engine.observe.verdicts import BROKEN
from algorithms.engine.process import Algorithm
from algorithms.engine.randomness import Stream, key
from algorithms.engine.scenario import Scenario
from algorithms.engine.timeline import Timeline
from lessons.reading.curriculum import misconception_of
from lessons.task import ARRANGE, CHOOSE, AnswerVerdict, KeyEntry, Task
from lessons.tasks.assembled import MethodSource, RuleSource, assembled, changed_methods, method_of, rule_of
from lessons.tasks.ordering import draw, places_in, shuffled_until

FORMS = ("choose", "arrange")
FEWEST_LINES, MOST_LINES = 3, 6
UNUSED = -1  # stands in an order before the lines that are left out
_LIVENESS_SHARE = 0.3  # of a repair that breaks nothing but liveness
MOST_SECONDS = 2  # for one order of lines
_SLICE = 500  # states between two looks at the exploration


@dataclass(frozen=True)
class RepairTask(Task):
    """Choose the body of a method, or put its statements in order, so that the checker finds nothing broken."""

    kind = "repair"
    is_graded = is_question = True
    trouble_code = "R6"

    form: str = "choose"  # or "arrange"
    method: str = ""
    variants: tuple[str, ...] = ()  # whose bodies are the other options
    intruders: tuple[str, ...] = ()  # whose statements are mixed in
    nodes: int = 0  # of the small system; 0: those of the scenario
    bounds: Bounds = Bounds()
    states: int = 100_000

    def key(self, run: Timeline, scenarios: Mapping[str, Scenario], instance: int) -> KeyEntry:
        return KeyEntry(run.step, repair_key(run.scenario, self, instance))

    def misconceptions(self, scenario: Scenario) -> set[str]:
        return {misconception_of(scenario.algorithm, name) for name in (*self.variants, *self.intruders)}

    def trouble(self, entry: KeyEntry) -> Iterator[str]:
        key: RepairKey = entry.right
        words = _options_trouble(key) if key.options else _lines_trouble(key)
        if words:
            yield words

    def way(self, right: RepairKey) -> str:
        return ARRANGE if right.lines else CHOOSE

    def options(self, entry: KeyEntry, instance: int) -> Sequence[int]:
        key: RepairKey = entry.right
        return range(len(key.options)) if key.options else key.start

    def solution(self, right: RepairKey) -> Any:
        return right.right_places() if right.options else right.right_order()

    def from_json(self, entry: KeyEntry, part: None, value: Any) -> Any:
        key: RepairKey = entry.right
        if not key.options:
            return places_in(value, len(key.lines))
        names = [option.variant for option in key.options]
        if value not in names:
            raise ValueError(f"one of {', '.join(str(name) for name in names if name)}, or null for the algorithm")
        return names.index(value)

    def verdict(self, entry: KeyEntry, part: None, given: Any) -> AnswerVerdict:
        """The verdict on a body, or on an order of lines: what the checker says."""
        key: RepairKey = entry.right
        if key.options:
            option = key.options[given]
            name = option.variant if option.variant != key.scenario.variant else None
            shows = misconception_of(key.scenario.algorithm, name) if name else ""
            fault = ("outcome", option.outcome)
            return AnswerVerdict(option.outcome.share, given, key.right_places(), misconception=shows, fault=fault)
        used = key.used(given)
        is_whole = sorted(used) == list(range(key.own))
        fault = ("outcome", key.judge(given)) if is_whole else ("lines", sum(place >= key.own for place in used))
        return AnswerVerdict(key.share(given), given, key.right_order(), fault=fault)


class RepairOutcome(NamedTuple):
    """What the checker says about a repair: the property that breaks first, and in how many moves."""

    states: int
    is_complete: bool
    broken: str = ""
    moves: int = 0
    is_always: bool = False  # whether what breaks should hold in every state
    example: Scenario | None = None  # a run that shows it, where the catalogue has the algorithm
    failure: str = ""  # why a step fails

    @property
    def holds(self) -> bool:
        return not self.broken and self.is_complete

    @property
    def share(self) -> float:
        if self.holds:
            return 1.0
        return _LIVENESS_SHARE if self.broken and not self.is_always else 0.0


class RepairOption(NamedTuple):
    """A body for the method: that of a variant, or of the algorithm itself (None), with the checker's verdict."""

    variant: str | None
    text: str
    outcome: RepairOutcome


@dataclass(frozen=True)
class RepairKey:
    """What is right about a method: its options, or its lines with those that do not belong there."""

    method: MethodSource | RuleSource
    scenario: Scenario
    task: RepairTask
    options: tuple[RepairOption, ...] = ()
    lines: tuple[ast.stmt, ...] = ()
    own: int = 0  # number of lines of the method itself; those after them are intruders
    start: tuple[int, ...] = ()
    judged: dict[tuple[int, ...], RepairOutcome] = field(default_factory=dict)  # order -> what the checker says

    def right_places(self) -> frozenset[int]:
        """The options in which nothing breaks."""
        return frozenset(place for place, option in enumerate(self.options) if option.outcome.holds)

    def right_order(self) -> tuple[int, ...]:
        """One of the right orders: the algorithm's own."""
        rest = tuple(range(self.own, len(self.lines)))
        return (*range(self.own), UNUSED, *rest) if rest else tuple(range(self.own))

    def used(self, order: Sequence[int]) -> tuple[int, ...]:
        """The lines of an order that are used."""
        return tuple(order[: order.index(UNUSED)] if UNUSED in order else order)

    def judge(self, order: Sequence[int]) -> RepairOutcome:
        """What the checker says about the method with its lines in that order."""
        used = self.used(order)
        if used not in self.judged:
            algorithm = catalog.find(self.scenario.algorithm).of(self.scenario.variant)
            assert isinstance(self.method, MethodSource)
            changed = assembled(algorithm, self.method, [self.lines[place] for place in used])
            self.judged[used] = outcome_of(replace(self.scenario, variant=None), changed, self.task, shows=False)
        return self.judged[used]

    def share(self, order: Sequence[int]) -> float:
        """The value of an order: all of the method's own lines, no others, and nothing broken."""
        if sorted(self.used(order)) != list(range(self.own)):
            return 0.0
        return self.judge(order).share


def repair_key(scenario: Scenario, task: RepairTask, instance: int) -> RepairKey:
    """The key of a repair. BadInput, with the place, if the method is not as the form needs it."""
    algorithm = catalog.find(scenario.algorithm)
    small = replace(scenario, nodes=task.nodes or scenario.nodes, events=())
    process, stream = algorithm.of(scenario.variant).process, Stream(key(instance, "repair", task.id))
    source = rule_of(process, task.method) or method_of(process, task.method)
    if source is None:
        raise task.place.at("method").wrong(f'{algorithm.name} has no method "{task.method}"')
    if task.form == "choose":
        return _choose(algorithm, small, task, source, stream)
    if isinstance(source, RuleSource):
        raise task.place.at("form").wrong("a rule has no lines that could be put in order; expected choose")
    return _arrange(algorithm, small, task, source, stream)


def _choose(
    algorithm: Algorithm, small: Scenario, task: RepairTask, method: MethodSource | RuleSource, stream: Stream
) -> RepairKey:
    found = [RepairOption(small.variant, method.body, outcome_of(small, algorithm, task))]
    for variant in task.variants:
        rule = isinstance(method, RuleSource)
        other = (_changed_rule if rule else _changed)(algorithm, small, variant, task)
        outcome = outcome_of(replace(small, variant=variant), algorithm, task)
        found.append(RepairOption(variant, other.body, outcome))
    different = list({option.text: option for option in reversed(found)}.values())
    return RepairKey(method, small, task, options=tuple(draw(different[::-1], len(different), stream)))


def _arrange(
    algorithm: Algorithm, small: Scenario, task: RepairTask, method: MethodSource, stream: Stream
) -> RepairKey:
    own = method.statements
    if not FEWEST_LINES <= len(own) <= MOST_LINES:
        count = count_words(len(own), "statement")
        words = f'"{task.method}" has {count}; expected {FEWEST_LINES} to {MOST_LINES}'
        raise task.place.at("method").wrong(words)
    if _calls_base(method.tree):
        raise task.place.at("method").wrong(f'"{task.method}" calls that of its base, so it cannot be put together')
    texts = {ast.unparse(statement) for statement in own}
    lines = list(own)
    for variant in task.intruders:
        other = _changed(algorithm, small, variant, task)
        more = [line for line in other.statements if ast.unparse(line) not in texts and not _calls_base(line)]
        if not more:
            raise task.place.at("intruders").wrong(f'{variant} adds no line to "{task.method}"')
        lines += more
        texts |= {ast.unparse(line) for line in other.statements}
    made = RepairKey(method, small, task, lines=tuple(lines), own=len(own))
    order = shuffled_until(lambda order: made.share(order) < 1.0, len(lines), stream)
    return replace(made, start=(*order, UNUSED) if len(lines) > len(own) else order)


def _calls_base(tree: ast.AST) -> bool:
    return any(isinstance(node, ast.Name) and node.id == "super" for node in ast.walk(tree))


def _changed_rule(algorithm: Algorithm, small: Scenario, variant: str, task: RepairTask) -> RuleSource:
    """The rule as a variant has it. BadInput if it does not change it."""
    rules = (rule_of(algorithm.of(name).process, task.method) for name in (variant, small.variant))
    changed, own = rules
    if changed is None or changed == own:
        raise task.place.at("method").wrong(f'{variant} does not change "{task.method}"')
    return changed


def _changed(algorithm: Algorithm, small: Scenario, variant: str, task: RepairTask) -> MethodSource:
    """The method as a variant has it. BadInput if it does not change it."""
    process = algorithm.of(variant).process
    names = changed_methods(process, algorithm.of(small.variant).process)
    found = method_of(process, task.method)
    if task.method not in names or found is None:
        words = f'{variant} does not change "{task.method}"; it changes {", ".join(names) or "no method"}'
        raise task.place.at("method").wrong(words)
    return found


# ---- the checker -------------------------------------------------------------------------------------------


def outcome_of(scenario: Scenario, algorithm: Algorithm, task: RepairTask, *, shows: bool = True) -> RepairOutcome:
    """The checker's result for a small system. `shows` makes a run of the violation."""
    try:
        with guard_algorithm(algorithm, "cannot be checked"):
            exploration = Exploration(scenario, algorithm, task.bounds, task.states)
            while exploration.advance(_SLICE):
                pass
            report = exploration.report()
            found = [finding for finding in report.findings if _counts(finding)]
            first = min(found, key=_moves, default=None)
            if first is None:
                return RepairOutcome(report.states, report.is_complete)
            example = counterexample_scenario(exploration, first) if shows else None
    except Failure as error:
        return RepairOutcome(0, False, "no error", is_always=True, failure=str(error))
    name, is_always = first.property.name, first.property.when == ALWAYS
    return RepairOutcome(report.states, report.is_complete, name, _moves(first), is_always, example)


def _counts(finding: Finding) -> bool:
    """Whether something breaks that makes a repair wrong: being served in another order does not."""
    return finding.status == BROKEN and finding.trail is not None and finding.property != ORDER


def _moves(finding: Finding) -> int:
    assert finding.trail is not None
    return len(finding.trail.moves) - finding.trail.cycle


def _options_trouble(key: RepairKey) -> str:
    """Why a choice of bodies is no task; "" if it is one."""
    right = key.right_places()
    if any(not option.outcome.is_complete and not option.outcome.broken for option in key.options):
        return f"not known whether all options hold in {key.task.states} states"
    return "no option is right" if not right else "all options are right" if len(right) == len(key.options) else ""


def _lines_trouble(key: RepairKey) -> str:
    """Why the orders of lines are no task: one takes too long, or too many or too few are right."""
    outcome = key.judge(key.right_order())
    if not outcome.holds:
        return f"the algorithm's own order does not hold ({outcome.broken or 'not all states known'})"
    orders = list(permutations(range(key.own)))
    for order in orders:
        begun = cpu_clock()
        key.judge(order)
        if cpu_clock() - begun > MOST_SECONDS:
            return f"an order takes more than {MOST_SECONDS} seconds to check"
    return "every order is right" if all(key.judge(order).holds for order in orders) else ""
