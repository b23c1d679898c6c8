"""The key of a lesson for `mutoscope lesson --key`: in words, or as a table for JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from algorithms import catalog
from algorithms.engine.scenario import NodeAct
from lessons.asking.answers import Answer, as_json
from lessons.lesson import Lesson, LessonStep
from lessons.task import KeyEntry
from lessons.tasks.decisions import DRAWN, Decision
from lessons.tasks.experiments import ExperimentKey
from lessons.tasks.ordering import OrderKey, OrderTask
from lessons.tasks.predicting import PredictTask
from lessons.tasks.repairing import RepairKey, RepairOption
from visual.narration.answers import acts_words, answer_words, question_words, wrong_words
from visual.narration.experiments import experiment_lines
from visual.narration.orders import key_lines
from visual.narration.repairs import place_words, repair_lines


def as_table(lesson: Lesson, found: Mapping[str, KeyEntry]) -> dict[str, Any]:
    """The key as `--json` prints it: nodes as numbers, sets as sorted lists."""
    steps = [_key_row(lesson, step_id, entry) for step_id, entry in found.items()]
    return {"lesson": lesson.name, "instance": lesson.instance, "steps": steps}


def _key_row(lesson: Lesson, step_id: str, entry: KeyEntry) -> dict[str, Any]:

    task = lesson.step(step_id).task
    row: dict[str, Any] = {"id": step_id, "kind": task.kind, "step": entry.step}
    if isinstance(entry.right, Answer):
        row["right"] = as_json(entry.right)
        row["wrong"] = _wrong_rows(entry)
    elif isinstance(entry.right, OrderKey):
        row["right"] = _order_table(entry.right)
    elif isinstance(entry.right, ExperimentKey):
        key = entry.right
        row["right"] = {"answer": as_json(key.right), "values": list(key.values), "means": list(key.means)}
        row["wrong"] = _wrong_rows(entry)
    elif isinstance(entry.right, RepairKey):
        row["right"] = _repair_table(entry.right)
    elif isinstance(entry.right, tuple):
        row["right"] = [
            {"step": decision.step, "acts": sorted(map(_act, decision.right)), "mutants": sorted(decision.mutants)}
            for decision in entry.right
        ]
    elif entry.right is not None:
        row["right"] = entry.right
    row["evidence"] = list(entry.evidence)
    return row


def _wrong_rows(entry: KeyEntry) -> list[dict[str, Any]]:
    return [{"value": o.answer and as_json(o.answer), "misconception": o.wrong.misconception} for o in entry.options]


def _order_table(key: OrderKey) -> dict[str, Any]:
    """The events by their steps, and what is right about them by their places."""
    table: dict[str, Any] = {"what": key.what, "steps": [event.step for event in key.events]}
    if key.parts:
        table["parts"] = [{"events": list(part.events), "right": as_json(part.right)} for part in key.parts]
    if key.what == "past":
        table["past"] = sorted(key.past)
    if key.what == "arrange":
        table |= {"causes": sorted(map(list, key.causes)), "start": list(key.start)}
    return table


def _repair_table(key: RepairKey) -> dict[str, Any]:
    """The bodies with what the checker says, or the lines with one right order of their places."""
    if key.options:
        return {"options": [_option_table(option) for option in key.options]}
    lines = [place_words(key, place) for place in range(len(key.lines))]
    return {"lines": lines, "order": list(key.used(key.right_order())), "start": list(key.start)}


def _option_table(option: RepairOption) -> dict[str, Any]:
    outcome = option.outcome
    return {"variant": option.variant, "holds": outcome.holds, "broken": outcome.broken, "moves": outcome.moves}


def _act(act: NodeAct) -> list[Any]:
    to = "drawn" if act.to == DRAWN else act.to
    return [act.do, act.type, to, dict(act.fields)] if act.do == "send" else [act.do]


def as_text(lesson: Lesson, found: Mapping[str, KeyEntry]) -> str:
    """The key in words."""
    lines = [lesson.title + (f" (instance {lesson.instance})" if lesson.instance > 1 else "")]
    for step in lesson.steps:
        lines.append(f"\n{step.id}: {step.heading}")
        lines += [f"  {line}" for line in entry_lines(lesson, step, found[step.id])]
    return "\n".join(lines)


def entry_lines(lesson: Lesson, step: LessonStep, entry: KeyEntry) -> list[str]:
    """The key of one step, line by line."""
    task, right = step.task, entry.right
    if isinstance(task, OrderTask):
        return key_lines(task, right, catalog.simulation(lesson.scenarios[task.scenario]))
    if isinstance(right, ExperimentKey):
        return experiment_lines(task, right)
    if isinstance(right, RepairKey):
        return repair_lines(right)
    if isinstance(right, tuple):
        return [_decision_line(decision) for decision in right]
    lines = [question_words(task)] if isinstance(task, PredictTask) else []
    if isinstance(right, Answer):
        lines.append(f"right: {answer_words(right)}")
        lines += map(wrong_words, entry.options)
    elif right is not None:
        lines.append(f"right: {right}")
    return lines


def _decision_line(decision: Decision) -> str:
    others = "".join(f"; {name}: {acts_words(acts)}" for name, acts in decision.mutants.items())
    return f"after step {decision.step}: {acts_words(decision.right)}{others}"
