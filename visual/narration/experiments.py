"""An experiment of a lesson, and what it has measured, in words."""

from __future__ import annotations

from typing import Any

from lessons.lesson import ExperimentTask
from lessons.tasks.experiments import ExperimentKey
from visual.narration.answers import answer_words

_NAMES = {
    "messages-per-entry": "number of messages per entry",
    "messages": "number of messages",
    "entries": "number of entries",
    "false-suspicions": "number of false suspicions",
    "waiting": "mean waiting time",
    "waiting-max": "longest waiting time",
    "synchronisation-delay": "mean synchronisation delay",
    "responsiveness": "mean responsiveness",
    "responsiveness-max": "worst responsiveness",
    "idle": "share of time with nobody inside",
    "alone": "share of time with one process inside",
    "two-or-more": "share of time with two or more inside",
    "more-than-two": "share of time with more than two inside",
    "tokens-none": "share of time without a token",
    "tokens-several": "share of time with several tokens",
}
_VARIED = {
    "algorithm": "the algorithm",
    "variant": "the variant",
    "nodes": "the number of nodes",
    "network.delay": "the delay",
    "network.loss": "the loss",
}


def measure_words(name: str) -> str:
    """A measure in words."""
    return _NAMES.get(name, name)


def varied_words(vary: str) -> str:
    """What is varied, in words."""
    return _VARIED.get(vary, f"“{vary.rpartition('.')[2].replace('_', ' ')}”")


def experiment_words(task: ExperimentTask) -> str:
    """The question."""
    what, varied = measure_words(task.measure), varied_words(task.vary)
    ends = f"from {task.values[0]} to {task.values[-1]}"
    if task.ask == "value":
        return f"What is the {what} if {varied} is {task.at_value}?"
    if task.ask == "trend":
        return f"How does the {what} change if {varied} goes {ends}?"
    if task.ask == "smallest":
        return f"For which value of {varied} is the {what} smallest?"
    return f"From which value of {varied} on is the {what} above {task.above:g}?"


def experiment_lines(task: Any, key: ExperimentKey) -> list[str]:
    """What was measured, and what is right, for the key."""
    lines = [experiment_words(task)]
    lines += [f"  {value}: {mean:.3g}" for value, mean in zip(key.values, key.means, strict=True)]
    lines.append(f"right: {answer_words(key.right)}")
    return [*lines, *(f"wrong: {answer_words(o.answer)} ({o.wrong.misconception}): {o.wrong.why}" for o in key.wrong)]
