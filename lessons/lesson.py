"""A lesson as a plain value: its scenarios, and its steps, each with a task."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from algorithms.engine.scenario import Scenario
from lessons.task import Task


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
    digest: str = ""  # of what stands in the file, without its notes: a step that has changed is asked again

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
