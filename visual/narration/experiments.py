"""An experiment of a lesson, and what it has measured, in words."""

from __future__ import annotations

from typing import Any

from algorithms import catalog
from lessons.asking.answers import Answer
from lessons.tasks.experiments import ExperimentKey, ExperimentTask
from visual.narration.answers import answer_words, wrong_words
from visual.narration.measures import measure_words

_VARIED = {
    "algorithm": "the algorithm",
    "variant": "the variant",
    "nodes": "the number of nodes",
    "network.delay": "the delay",
    "network.loss": "the loss",
}


def varied_words(vary: str) -> str:
    """The varied parameter, in words."""
    return _VARIED.get(vary, f"“{vary.rpartition('.')[2].replace('_', ' ')}”")


def experiment_words(task: ExperimentTask) -> str:
    """The question."""
    what, varied = measure_words(task.measure), varied_words(task.vary)
    ends = f"from {task.values[0]} to {task.values[-1]}"
    if task.ask == "value":
        return f"What is the {what} if {varied} is {task.at_value}?"
    if task.ask == "trend":
        return f"How does the {what} change if {varied} goes {ends}?"
    if task.ask == "smallest" and task.vary in ("algorithm", "variant"):
        return f"Which {task.vary} has the smallest {what}?"
    if task.ask == "smallest":
        return f"For which value of {varied} is the {what} smallest?"
    return f"From which value of {varied} on is the {what} above {task.above:g}?"


def value_words(task: ExperimentTask, value: Any) -> str:
    """A value of the varied parameter, in words."""
    if isinstance(value, float):
        return f"{value:g}"
    return catalog.find(value).title if task.vary == "algorithm" else str(value)


def option_words(task: ExperimentTask, answer: Answer) -> str:
    """An answer to the question, as on an option."""
    return value_words(task, answer.value) if answer.kind == "value" else answer_words(answer)


def experiment_lines(task: Any, key: ExperimentKey) -> list[str]:
    """The measurement and the right answer, for the key."""
    lines = [experiment_words(task)]
    lines += [f"  {value_words(task, value)}: {mean:.3g}" for value, mean in zip(key.values, key.means, strict=True)]
    lines.append(f"right: {option_words(task, key.right)}")
    return [*lines, *map(wrong_words, key.wrong)]
