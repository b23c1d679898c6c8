"""A lesson as a plain value: its scenarios, its steps, and the task of each step.

A lesson stores no key. What is right is what the engine comes to when a copy of the run goes on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from algorithms.engine.check.moves import Bounds
from algorithms.engine.scenario import Event, Scenario
from algorithms.scenario_format.place import Place

BOUNDS = ("requests", "crashes", "losses", "duplicates", "resets", "timeouts", "synchronous")
"""The keys of a task that are the checker's bounds."""


@dataclass(frozen=True)
class Condition:
    """A moment of a run, as the step in which something happens for the nth time.

    `kind` is a key of `moments.CONDITIONS` and `value` what stands there; `details` are its further keys. With
    `is_before` the moment is the one before that step.
    """

    kind: str
    value: Any
    details: Mapping[str, Any] = field(default_factory=dict)
    nth: int = 1
    is_before: bool = False


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


@dataclass(frozen=True)
class Task:
    """What a step asks of the learner, with the keys that all kinds share."""

    kind: ClassVar[str] = "look"
    is_graded: ClassVar[bool] = False

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
    def counts(self) -> bool:
        """Whether the task is marked."""
        return self.is_graded and self.points > 0


@dataclass(frozen=True)
class LookTask(Task):
    """Read, and look at what is pointed at."""


@dataclass(frozen=True)
class RunTask(Task):
    """Watch the run up to a moment."""

    kind = "run"

    until: Condition = Condition("end", True)
    speed: int = 0
    jump: bool = False


@dataclass(frozen=True)
class ActTask(Task):
    """Intervene in the run, then watch it up to a moment."""

    kind = "act"

    do: Event = Event(0.0, "request")
    until: Condition = Condition("end", True)


@dataclass(frozen=True)
class PredictTask(Task):
    """Answer a question about the run, which the engine then answers."""

    kind = "predict"
    is_graded = True

    ask: str = ""
    given: Mapping[str, Any] = field(default_factory=dict)  # the question's own keys
    until: Condition | None = None
    within: float | None = None
    lists_all: bool = False  # whether every possible answer is an option, not only those listed
    wrong: tuple[Wrong, ...] = ()
    other: str = ""  # why any further answer is wrong


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
    is_graded = True

    ask: str = ""
    right: str = ""
    wrong: tuple[QuizOption, ...] = ()


@dataclass(frozen=True)
class BeNodeTask(Task):
    """Decide for a node, event by event, what it does."""

    kind = "be-node"
    is_graded = True

    until: Condition = Condition("end", True)
    decide: tuple[str, ...] = ("send", "enter", "keep")
    fields: tuple[str, ...] = ()
    on_error: str = "undo"
    feedback: str = "each"
    source: bool = False


@dataclass(frozen=True)
class ChallengeTask(Task):
    """Schedule the messages so that a goal is reached, or find that it cannot be."""

    kind = "challenge"
    is_graded = True

    goal: Condition = Condition("light", "ME1")
    moves: int | None = None  # the most; None: two more than the fewest
    allow: tuple[str, ...] = ("request", "deliver", "exit")
    bounds: Bounds = Bounds()
    states: int = 100_000


@dataclass(frozen=True)
class OrderTask(Task):
    """Say what happened before what in a stretch of the run."""

    kind = "order"
    is_graded = True

    what: str = "pairs"  # or "arrange", "past", "values"
    between: tuple[Condition, ...] = ()  # two moments
    count: int = 3  # of pairs, of events to arrange, or of values
    variable: str = ""


@dataclass(frozen=True)
class RepairTask(Task):
    """Choose the body of a method, or put its statements in order, so that the checker finds nothing broken."""

    kind = "repair"
    is_graded = True

    form: str = "choose"  # or "arrange"
    method: str = ""
    variants: tuple[str, ...] = ()  # whose bodies are the other options
    intruders: tuple[str, ...] = ()  # whose statements are mixed in
    nodes: int = 0  # of the small system; 0: those of the scenario
    bounds: Bounds = Bounds()
    states: int = 100_000


@dataclass(frozen=True)
class ExperimentTask(Task):
    """Predict what a measure does when one setting varies."""

    kind = "experiment"
    is_graded = True

    vary: str = "nodes"
    values: tuple[Any, ...] = ()
    seeds: int = 5
    until: Condition | None = None  # None: the scenario's end
    measure: str = "messages-per-entry"
    ask: str = "value"  # or "trend", "smallest", "first-above"
    at_value: Any = None  # the value that is asked about
    above: float = 0.0
    within: float | None = None
    wrong: tuple[Wrong, ...] = ()
    other: str = ""


@dataclass(frozen=True)
class ExplainTask(Task):
    """Explain it to a neighbour; the last step."""

    kind = "explain"

    open: bool = True


@dataclass(frozen=True)
class Passage:
    """A paragraph of a step's text, or an item of a list, as written."""

    words: str
    is_item: bool = False


@dataclass(frozen=True)
class LessonStep:
    """One step of a lesson: a heading, a text, a task, and notes for the speaker."""

    heading: str
    line: int
    paragraphs: tuple[Passage, ...]
    task: Task
    notes: str = ""

    @property
    def id(self) -> str:
        return self.task.id


@dataclass(frozen=True)
class Fresh:
    """What a new instance of a lesson may change; `scenario` has the scenarios that are changed in their own way."""

    seed: bool = True
    exchange: tuple[int, ...] = ()
    jitter: float = 0.0
    nodes: tuple[int, ...] = ()
    shuffle: tuple[str, ...] = ()
    scenario: Mapping[str, Fresh] = field(default_factory=dict)


@dataclass(frozen=True)
class Lesson:
    """A lesson, or an instance of it with fresh data; `instance` 1 is the file as written."""

    name: str
    file: str
    title: str
    path: str
    minutes: int
    ideas: tuple[str, ...]
    misconceptions: tuple[str, ...]
    scenarios: Mapping[str, Scenario]
    steps: tuple[LessonStep, ...]
    after: tuple[str, ...] = ()
    passing: float = 0.7
    sources: tuple[str, ...] = ()
    fresh: Fresh | None = None
    instance: int = 1

    def graded(self) -> Iterator[LessonStep]:
        """The steps that are marked."""
        return (step for step in self.steps if step.task.counts)

    def step(self, id: str) -> LessonStep:
        """The step of that id. KeyError if there is none."""
        return next(step for step in self.steps if step.id == id)
