"""Questions with options: about the run, answered by the engine, or ones that no run can answer.

A wrong option is the right answer to something else: of another algorithm, in another scenario, to another question.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from algorithms import catalog
from algorithms.authoring.failures import Failure
from algorithms.engine.observe.size import size_of
from algorithms.engine.randomness import Stream
from algorithms.engine.randomness import key as stream_key
from algorithms.engine.scenario import Scenario
from algorithms.engine.timeline import Timeline
from lessons.asking import copies, moments
from lessons.asking.answers import NO, RELATIONS, YES, Answer, from_file, from_json, share
from lessons.asking.moments import Condition
from lessons.asking.parting import rival_of
from lessons.asking.questions import QUESTIONS, Asked, answer
from lessons.task import AnswerVerdict, KeyEntry, Task, Wrong, WrongOption
from lessons.tasks.ordering import draw

LISTED = {"yes-no": (YES, NO), "relation": RELATIONS}  # kinds of answers that are all offered
RULES = ("variant", "algorithm", "scenario", "ask", "cost", "answer")


@dataclass(frozen=True)
class PredictTask(Task):
    """Answer a question about the run, which the engine then answers."""

    kind = "predict"
    is_graded = is_question = True
    trouble_code = "R3"

    ask: str = ""
    given: Mapping[str, Any] = field(default_factory=dict)  # the question's own keys
    until: Condition | None = None
    within: float | None = None
    wrong: tuple[Wrong, ...] = ()
    other: str = ""  # why any further answer is wrong

    @property
    def depends_on_run(self) -> bool:
        return self.ask != "can-break"  # which is about all runs

    def finish(self, run: Timeline) -> None:
        if self.until is not None:
            self.reach(run, "until", self.until)

    def key(self, run: Timeline, scenarios: Mapping[str, Scenario], instance: int) -> KeyEntry:
        """What the engine comes to when it goes on, and the values of the wrong options."""
        try:
            right = answer(self.ask, Asked(run, self.given, self.until, scenarios))
            wrong = tuple(WrongOption(one, self._value(one, run, scenarios)) for one in self.wrong)
        except copies.TooLong as error:
            raise self.place.wrong(f'"{self.id}": {error}') from None
        return KeyEntry(run.step, right, wrong, right.evidence)

    def _value(self, wrong: Wrong, run: Timeline, scenarios: Mapping[str, Scenario]) -> Answer | None:
        """The value of a wrong option; None where the rival comes to none."""
        kind, rule, argument = QUESTIONS[self.ask].kind, wrong.rule, wrong.argument
        if rule == "answer":
            return from_file(kind, argument)
        if rule == "cost":
            other = catalog.find(argument)
            return Answer(kind, other.cost.low(size_of(run.scenario, other))) if other.cost else None
        asked: Asked | None
        if rule == "ask":
            asked = _otherwise(wrong, Asked(run, wrong.given, wrong.until or self.until, scenarios))
            return replace(answer(argument, asked), kind=kind) if asked else None
        rival = scenarios[argument] if rule == "scenario" else rival_of(run.scenario, rule, argument)
        there = _moment_in(rival, run)
        try:
            return answer(self.ask, Asked(there, self.given, self.until, scenarios)) if there else None
        except Failure:
            return None

    def trouble(self, entry: KeyEntry) -> Iterator[str]:
        values: dict[Answer, int] = {}
        for place, option in enumerate(entry.options):
            where = f"wrong[{place}].is"
            if option.answer is None:
                yield f"{where}: comes to no answer"
            elif option.answer == entry.right:
                yield f"{where}: gives the right answer; a wrong option must be wrong"
            elif option.answer in values:
                yield f"{where}: gives the same as wrong[{values[option.answer]}]"
            else:
                values[option.answer] = place
        fewest = 1 if entry.right.kind in LISTED else 2
        if len(values) < fewest:
            yield f"{len(values)} different wrong answers; at least {fewest}"

    def misconceptions(self, scenario: Scenario) -> set[str]:
        return {wrong.misconception for wrong in self.wrong}

    def options(self, entry: KeyEntry, instance: int) -> Sequence[Answer]:
        """Shuffled, but nodes in their order."""
        if entry.right.kind in LISTED:
            return [Answer(entry.right.kind, value) for value in LISTED[entry.right.kind]]
        options = list(dict.fromkeys([entry.right, *(o.answer for o in entry.options if o.answer is not None)]))
        if entry.right.kind == "node" and all(isinstance(option.value, int) for option in options):
            return sorted(options, key=lambda option: int(option.value))
        return shuffled(options, self.id, instance)

    def from_json(self, entry: KeyEntry, part: None, value: Any) -> Answer:
        return from_json(entry.right.kind, value)

    def verdict(self, entry: KeyEntry, part: Any, given: Answer) -> AnswerVerdict:
        return judged(entry, entry.right, given, share(entry.right, given, self.within), self.other)


def _otherwise(wrong: Wrong, asked: Asked) -> Asked | None:
    """Another question about the same run, at its own moment; None if the run does not get there."""
    if wrong.at is None:
        return asked
    run = copies.start(asked.run.scenario)
    return asked._replace(run=run) if moments.seek(run, wrong.at) else None


def _moment_in(rival: Scenario, at: Timeline) -> Timeline | None:
    """A run of the rival at the time of `at`; None if it ends before, or cannot get there."""
    run = copies.start(rival)
    try:
        return run if moments.seek(run, Condition("time", at.simulation.now)) else None
    except Failure:
        return None


def judged(entry: KeyEntry, right: Answer, given: Answer, found: float, other: str) -> AnswerVerdict:
    """The verdict on an answer that is `found` right: with the words of the wrong option that it is, or the others'."""
    option = next((option for option in entry.options if option.answer == given and found < 1.0), None)
    if option is None:
        return AnswerVerdict(found, given, right, other if found < 1.0 else "")
    wrong = option.wrong
    rival = (wrong.rule, wrong.argument) if wrong.rule in ("variant", "algorithm") else None
    return AnswerVerdict(found, given, right, wrong.why, wrong.misconception, rival)


def shuffled(options: list[Any], id: str, instance: int) -> list[Any]:
    """The options of a step in the order of an instance."""
    return draw(options, len(options), Stream(stream_key(instance, "options", id)))


@dataclass(frozen=True)
class QuizOption:
    """A wrong answer to a question that no run can answer."""

    text: str
    why: str
    misconception: str


@dataclass(frozen=True)
class QuizTask(Task):
    """Answer a question that no run can answer; its answers are stored."""

    kind = "quiz"
    is_graded = is_question = True

    ask: str = ""
    right: str = ""
    wrong: tuple[QuizOption, ...] = ()

    def key(self, run: Timeline, scenarios: Mapping[str, Scenario], instance: int) -> KeyEntry:
        return KeyEntry(run.step, self.right)

    def misconceptions(self, scenario: Scenario) -> set[str]:
        return {wrong.misconception for wrong in self.wrong}

    def options(self, entry: KeyEntry, instance: int) -> Sequence[str]:
        return shuffled([self.right, *(option.text for option in self.wrong)], self.id, instance)

    def from_json(self, entry: KeyEntry, part: None, value: Any) -> str:
        if not isinstance(value, str):
            raise ValueError("the text of an option")
        return value

    def verdict(self, entry: KeyEntry, part: Any, given: str) -> AnswerVerdict:
        option = next((option for option in self.wrong if option.text == given), None)
        if option is None:
            return AnswerVerdict(float(given == self.right), given, self.right)
        return AnswerVerdict(0.0, given, self.right, option.why, option.misconception)
