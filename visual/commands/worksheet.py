"""A lesson on paper: a worksheet, or the key to it, as one HTML file; the key also in words, or for JSON.

Nothing in the file comes from the net, and nothing is executed. The pictures show the state that is asked about, never
what comes after.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from html import escape
from typing import Any

from algorithms import catalog
from algorithms.engine.errors import count_words
from algorithms.engine.scenario import NodeAct
from algorithms.engine.timeline import Timeline
from lessons.asking.answers import Answer, as_json
from lessons.keys import StepRun, entry_of, stages
from lessons.lesson import Lesson, LessonStep
from lessons.task import KeyEntry
from lessons.tasks.challenges import ChallengeTask, par_of_task
from lessons.tasks.decisions import DRAWN, BeNodeTask, Decision
from lessons.tasks.experiments import ExperimentKey, ExperimentTask
from lessons.tasks.ordering import OrderKey, OrderTask
from lessons.tasks.predicting import PredictTask, QuizTask
from lessons.tasks.repairing import RepairKey, RepairOption, RepairTask
from visual.drawing.export import encode
from visual.narration.answers import (
    acts_words,
    answer_words,
    detail_words,
    event_sentence,
    event_words,
    experiment_lines,
    experiment_words,
    filled,
    key_lines,
    measure_words,
    option_of_part_words,
    order_words,
    part_words,
    place_words,
    question_words,
    repair_lines,
    repair_words,
    value_words,
    varied_words,
    wrong_words,
)
from visual.scene.still import Still, still
from visual.words import event_label, node_name

_MOST_FORMS = 8  # with letters
_PAR = "few"  # in place of the fewest moves, which would tell
_SIZE, _TEXT = (900, 800), 1.8  # of a picture: its text is printed in letters of about 8 pt
_GRAPH_SIZE = (900, 480)  # of one before anything has happened, which needs no diagram
_STYLE = """
@page { size: A4; margin: 18mm; }
body { font: 11pt/1.4 sans-serif; max-width: 180mm; margin: 0 auto; color: #000; background: #fff; }
h1 { font-size: 16pt; margin: 0 0 4mm; } h2 { font-size: 12pt; margin: 8mm 0 2mm; }
section { break-inside: avoid; } svg { width: 100%; height: auto; }
ol.boxes { list-style: none; padding: 0; } ol.boxes li::before { content: "☐ "; }
table { border-collapse: collapse; width: 100%; }
td, th { border: 0.3mm solid #000; padding: 1.5mm; text-align: left; }
pre { font: 10pt monospace; margin: 1mm 0; } .blank { border-bottom: 0.3mm solid #000; height: 8mm; }
header p { margin: 2mm 0; } footer { margin-top: 10mm; font-size: 9pt; }
"""


def worksheet(lesson: Lesson, *, with_key: bool = False) -> str:
    """The worksheet of an instance as an HTML document; or its key."""
    letter = chr(ord("A") + lesson.instance - 1) if lesson.instance <= _MOST_FORMS else str(lesson.instance)
    form = f"form {letter}" if lesson.fresh else "the only form"
    what = "Key" if with_key else "Worksheet"
    sections = "\n".join(_section(lesson, stage, number, with_key) for number, stage in enumerate(stages(lesson), 1))
    name = "" if with_key else "<p>Name: ______________________ &nbsp; Date: ______________</p>"
    return f"""<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>{escape(lesson.title)}, {what.lower()}, {form}</title>
<style>{_STYLE}</style></head>
<body>
<header><h1>{escape(lesson.title)}</h1><p>{what}, {form}</p>{name}</header>
{sections}
<footer>mutoscope lesson {escape(lesson.name)}, instance {lesson.instance}</footer>
</body>
</html>
"""


def _section(lesson: Lesson, stage: StepRun, number: int, with_key: bool) -> str:
    step, entry = stage.step, entry_of(lesson, stage)
    parts = [f"<h2>{number}. {escape(filled(step.heading, stage.run, _PAR))}</h2>"]
    if with_key:
        parts += [f"<p>{escape(line)}</p>" for line in (*entry_lines(lesson, step, entry), *_par(lesson, step))]
    else:
        parts += [f"<p>{escape(filled(passage.words, stage.run, _PAR))}</p>" for passage in step.paragraphs]
        if step.task.kind not in ("explain", "experiment"):
            parts.append(_picture(stage.run, entry, number))
        asked = _ASKED.get(step.task.kind)
        parts += asked(step.task, stage, entry, lesson.instance) if asked else ()
    return "<section>\n" + "\n".join(parts) + "\n</section>"


def _par(lesson: Lesson, step: LessonStep) -> list[str]:
    """What the checker says about a challenge."""
    if not isinstance(step.task, ChallengeTask):
        return []
    par = par_of_task(lesson.scenarios[step.task.scenario], step.task)
    if par.moves is not None:
        return [f"It takes at least {count_words(par.moves, 'move')}."]
    return ["It cannot be done." if par.is_decided else "Not known whether it can be done."]


def _picture(run: Timeline, entry: KeyEntry, number: int) -> str:
    """The state at the question, with letters at the events of an order."""
    if run.step < entry.step:
        run.seek(entry.step)
    key = entry.right if isinstance(entry.right, OrderKey) and entry.right.what != "arrange" else None
    letters = tuple((event.step, event_label(place)) for place, event in enumerate(key.events)) if key else ()
    look = Still(size=_SIZE, text=_TEXT, theme="print", reopen=False, origin=f"step{number}", letters=letters)
    is_new = run.step <= 1
    now = run.simulation.now
    look = replace(look, size=_GRAPH_SIZE, crop="graph") if is_new else replace(look, span=(0.0, max(1.1 * now, 2.0)))
    text = encode(replace(still(run, look=look), title="", description=""), "svg").decode("utf-8")
    return text[text.index("<svg") :].replace(' xmlns="http://www.w3.org/2000/svg"', "")


# ---- what is asked -----------------------------------------------------------------------------------------


def _predict(task: PredictTask, stage: StepRun, entry: KeyEntry, instance: int) -> Iterator[str]:
    yield from (f"<p>{escape(words)}</p>" for words in detail_words(task, stage.run))
    yield _bold(question_words(task))
    yield _boxes(map(answer_words, task.options(entry, instance)))


def _quiz(task: QuizTask, stage: StepRun, entry: KeyEntry, instance: int) -> Iterator[str]:
    yield _bold(task.ask)
    yield _boxes(task.options(entry, instance))


def _experiment(task: ExperimentTask, stage: StepRun, entry: KeyEntry, instance: int) -> Iterator[str]:
    yield _bold(experiment_words(task))
    heads = [varied_words(task.vary).removeprefix("the "), measure_words(task.measure)]
    yield _table(heads, [[value_words(task, value), ""] for value in task.values])


def _be_node(task: BeNodeTask, stage: StepRun, entry: KeyEntry, instance: int) -> Iterator[str]:
    rows = [[event_words(decision.event, stage.run.simulation), ""] for decision in task.parts(entry.right)]
    yield _table([f"What happens to {node_name(task.node or 0)}", "What it does"], rows)


def _order(task: OrderTask, stage: StepRun, entry: KeyEntry, instance: int) -> Iterator[str]:
    key, run = entry.right, stage.run.simulation
    lettered = sorted({place for part in key.parts for place in part.events})
    if lettered:
        lines = (escape(f"{event_label(place)}  {event_sentence(key.events[place], run)}") for place in lettered)
        yield f"<p>{'<br>'.join(lines)}</p>"
    for part in key.parts:
        yield _bold(part_words(task, key, part))
        yield _boxes(option_of_part_words(part, option) for option in part.options)
    if key.parts:
        return
    yield _bold(order_words(task, key))
    if key.what == "past":
        places = task.options(entry, instance)
        yield _boxes(f"{event_label(place)}  {event_sentence(key.events[place], run)}" for place in places)
    else:
        yield _table(["number", "event"], [["", event_sentence(key.events[place], run)] for place in key.start])


def _repair(task: RepairTask, stage: StepRun, entry: KeyEntry, instance: int) -> Iterator[str]:
    yield _bold(repair_words(entry.right))
    yield f"<pre>{escape(entry.right.method.head)}</pre>"
    yield _table(
        ["", ""], [["", place_words(entry.right, place)] for place in task.options(entry, instance)], is_code=True
    )


def _lines(words: str, count: int) -> Iterator[str]:
    """Lines to write on."""
    if words:
        yield _bold(words)
    yield '<div class="blank"></div>' * count


_ASKED: dict[str, Callable[..., Iterator[str]]] = {
    "predict": _predict,
    "quiz": _quiz,
    "experiment": _experiment,
    "be-node": _be_node,
    "order": _order,
    "repair": _repair,
    "challenge": lambda *_: _lines("Write down your moves, or that it cannot be done:", 6),
    "explain": lambda *_: _lines("", 4),
}
"""Kind of task -> what is asked, with room for the answer."""


def _bold(words: str) -> str:
    return f"<p><b>{escape(words)}</b></p>"


def _boxes(options: Iterable[str]) -> str:
    return '<ol class="boxes">' + "".join(f"<li>{escape(words)}</li>" for words in options) + "</ol>"


def _table(heads: list[str], rows: list[list[str]], *, is_code: bool = False) -> str:
    head = "".join(f"<th>{escape(words)}</th>" for words in heads) if any(heads) else ""
    cell = "<td><pre>{}</pre></td>" if is_code else "<td>{}</td>"
    body = "".join("<tr>" + "".join(cell.format(escape(words)) for words in row) + "</tr>" for row in rows)
    return f"<table>{f'<tr>{head}</tr>' if head else ''}{body}</table>"


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
