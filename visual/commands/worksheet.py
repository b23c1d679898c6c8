"""A lesson as a worksheet on paper: one HTML file with the pictures in it, or the key to it.

Nothing in it comes from the net, and nothing is executed. The pictures show the state that is asked about, never what
comes after.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from html import escape

from algorithms.engine.timeline import Timeline
from lessons.keys import StepRun, entry_of, stages
from lessons.lesson import Lesson, LessonStep
from lessons.task import KeyEntry
from lessons.tasks.challenges import ChallengeTask, par_of_task
from lessons.tasks.decisions import BeNodeTask
from lessons.tasks.experiments import ExperimentTask
from lessons.tasks.ordering import OrderKey, OrderTask
from lessons.tasks.predicting import PredictTask, QuizTask
from lessons.tasks.repairing import RepairTask
from visual.commands.lesson_key import entry_lines
from visual.drawing.export import encode
from visual.narration.answers import answer_words, detail_words, event_words, filled, question_words
from visual.narration.experiments import experiment_words, value_words, varied_words
from visual.narration.measures import measure_words
from visual.narration.orders import event_sentence, option_of_part_words, order_words, part_words
from visual.narration.repairs import place_words, repair_words
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
    form = chr(ord("A") + lesson.instance - 1) if lesson.instance <= _MOST_FORMS else str(lesson.instance)
    what = "Key" if with_key else "Worksheet"
    sections = "\n".join(_section(lesson, stage, number, with_key) for number, stage in enumerate(stages(lesson), 1))
    name = "" if with_key else "<p>Name: ______________________ &nbsp; Date: ______________</p>"
    return f"""<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>{escape(lesson.title)}, {what.lower()} {form}</title>
<style>{_STYLE}</style></head>
<body>
<header><h1>{escape(lesson.title)}</h1><p>{what}, form {form}</p>{name}</header>
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
        return [f"It takes {par.moves} moves at least."]
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
