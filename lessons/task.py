"""The task of a step as a plain value: its keys, what is right in it, and the verdict on an answer.

Each kind of task is a class of its own in `tasks`. No task stores a key: what is right is what the engine comes to when
a copy of the run goes on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

from algorithms.bad_input import BadInput
from algorithms.engine.scenario import Scenario
from algorithms.engine.timeline import Timeline
from algorithms.scenario_format.place import Place
from lessons.asking import moments
from lessons.asking.answers import Answer
from lessons.asking.moments import Condition

CHOOSE, TOGGLE, ARRANGE = "choose", "toggle", "arrange"  # ways to answer: one option, some of them, or their order


class NotReached(BadInput):
    """A condition of the step `id` does not become true."""

    def __init__(self, id: str, words: str) -> None:
        super().__init__(words)
        self.id = id


@dataclass(frozen=True)
class Wrong:
    """A wrong option: how its value is computed (`rule` and `argument`), why it is wrong, and what it shows."""

    rule: str  # variant, algorithm, scenario, ask, cost or answer
    argument: Any
    why: str
    misconception: str
    place: Place
    given: Mapping[str, Any] = field(default_factory=dict)  # of `ask`: the keys of that question
    at: Condition | None = None  # of `ask`: another moment
    until: Condition | None = None  # of `ask`: another horizon


class WrongOption(NamedTuple):
    """A wrong option with its value; `answer` is None where the rival comes to none."""

    wrong: Wrong
    answer: Answer | None


class KeyEntry(NamedTuple):
    """The key of one step: the step count at which it asks, and what is right."""

    step: int
    right: Any = None  # an Answer, a quiz's text, the decisions of a node, or the key of another kind of task
    options: tuple[WrongOption, ...] = ()
    evidence: tuple[int, ...] = ()


class AnswerVerdict(NamedTuple):
    """The verdict on an answer: how much is right, why it is wrong, and the variant that would answer so, if any."""

    share: float
    given: Any
    right: Any
    why: str = ""
    misconception: str = ""
    rival: tuple[str, str] | None = None  # "variant" or "algorithm", and its name
    fault: tuple[Any, ...] = ()  # what is wrong with an answer that no author has foreseen: its kind, and details

    @property
    def is_right(self) -> bool:
        return self.share == 1.0


@dataclass(frozen=True)
class Task:
    """What a step asks of the learner, with the keys that all kinds share."""

    kind: ClassVar[str] = "look"
    is_graded: ClassVar[bool] = False
    is_question: ClassVar[bool] = False  # whether it has options to choose from

    place: Place
    id: str
    scenario: str  # a name in `Lesson.scenarios`
    at: Condition | None = None  # None: where the previous step ended
    show: tuple[str, ...] = ()
    view: str = "both"
    node: int | None = None
    about: tuple[str, ...] = ()
    points: int = 1
    hints: tuple[str, ...] = ()

    @property
    def depends_on_run(self) -> bool:
        """Whether its answer is another one in each instance, or none that can be used."""
        return False

    @property
    def counts(self) -> bool:
        """Whether the task is marked."""
        return self.is_graded and self.points > 0

    def reach(self, run: Timeline, key: str, condition: Condition) -> None:
        """Take a run to the moment that a key names. NotReached if it does not get there."""
        if not moments.seek(run, condition):
            words = f'"{self.id}": nothing of the kind happens before {run.scenario.until:g}'
            raise NotReached(self.id, str(self.place.at(key).wrong(words)))

    def finish(self, run: Timeline) -> None:
        """Take a run from the moment that is asked about to where the step ends."""

    def key(self, run: Timeline, scenarios: Mapping[str, Scenario], instance: int) -> KeyEntry:
        """What is right, from the state that the run is in."""
        return KeyEntry(run.step)

    def trouble(self, entry: KeyEntry) -> Iterator[str]:
        """What keeps the task from being a good one, a sentence each; its rule is `trouble_code`."""
        return iter(())

    trouble_code: ClassVar[str] = ""

    def misconceptions(self, scenario: Scenario) -> set[str]:
        """The misconceptions that its wrong answers show."""
        return set()

    # ---- answering: `right` is that of the key ---------------------------------------------------------------

    def way(self, right: Any) -> str:
        """How it is answered."""
        return CHOOSE

    def parts(self, right: Any) -> Sequence[Any]:
        """What is asked one after the other; nothing if all is asked at once."""
        return ()

    def options(self, entry: KeyEntry, instance: int) -> Sequence[Any]:
        """The options in the order in which they are offered, or the order that must be put right."""
        return ()

    def solution(self, right: Any) -> Any:
        """The answer that is right: an option, the set of those to mark, or an order."""
        return right

    def from_json(self, entry: KeyEntry, part: Any, value: Any) -> Any:
        """An answer in a file, as the verdict takes it. ValueError, with what was expected, if it is none."""
        raise ValueError("nothing, since it is played in the window")

    def verdict(self, entry: KeyEntry, part: Any, given: Any) -> AnswerVerdict:
        """The verdict on an answer, to a part if there are any."""
        raise NotImplementedError(f"{self.kind} has nothing to answer")
