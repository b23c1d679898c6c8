"""The rows of a lesson's card: heading, text, question, options, and after the answer what is right and why."""

from __future__ import annotations

from functools import partial
from itertools import takewhile
from typing import Literal, NamedTuple

from algorithms.engine.errors import count_words
from algorithms.engine.observe.verdicts import NAMES
from lessons.asking.answers import Answer
from lessons.attempt import Attempt
from lessons.lesson import Lesson
from lessons.reading import curriculum
from lessons.reading.curriculum import NONE, Misconception, misconceptions
from lessons.reading.reading import find
from lessons.task import ARRANGE, TOGGLE, AnswerVerdict
from lessons.tasks.challenges import ChallengeTask
from lessons.tasks.decisions import Decision
from lessons.tasks.experiments import ExperimentTask
from lessons.tasks.ordering import OrderPart, OrderTask
from lessons.tasks.predicting import PredictTask, QuizTask
from lessons.tasks.repairing import UNUSED, RepairTask
from lessons.tasks.watching import ExplainTask
from visual.drawing import fonts
from visual.narration.answers import (
    acts_words,
    answer_words,
    detail_words,
    event_sentence,
    event_words,
    experiment_words,
    fault_words,
    filled,
    option_of_part_words,
    option_words,
    order_rows,
    order_words,
    part_words,
    place_words,
    question_words,
    repair_words,
    verdict_words,
)
from visual.narration.hints import hint_words
from visual.window.lesson.proof import proof_lines
from visual.words import event_label


class CardRow(NamedTuple):
    """A line of the card, or an option: its words, its look, and the number of its option."""

    words: str
    weight: fonts.Weight = "normal"
    muted: bool = False
    option: int | None = None
    label: str = ""  # the digit or letter of an option
    sign: str = ""  # tick or cross
    first: bool = True  # whether it is the first line of its paragraph
    last: bool = True  # whether it is the last line of its paragraph
    is_code: bool = False
    indent: int = 0  # of code, in letters
    step: int | None = None  # to which a click on it goes
    lesson: str = ""  # which a click on it opens


# ---- what stands on it -------------------------------------------------------------------------------------


def text_rows(attempt: Attempt) -> list[CardRow]:
    """The place in the lesson, the heading and the text."""
    lesson, step = attempt.lesson, attempt.step
    instance = f" · instance {lesson.instance}" if lesson.instance > 1 else ""
    part = f" ({_number(attempt)})" if attempt.is_node and attempt.asked else ""
    place = f"{_path_title(lesson)}step {attempt.at + 1} of {len(lesson.steps)}{part}{instance}"
    rows = [CardRow(place, muted=True), CardRow(step.heading, "bold")]
    par = str(attempt.par.moves) if attempt.par and attempt.par.moves is not None else "some"
    rows += [CardRow(f"– {p.words}" if p.is_item else filled(p.words, attempt.run, par)) for p in step.paragraphs]
    details = detail_words(step.task, attempt.run) if isinstance(step.task, PredictTask) else []
    return [*rows, CardRow("\n".join(details), muted=True)] if details else rows


def _path_title(lesson: Lesson) -> str:
    """The title of a lesson's path, of one of the course."""
    return next((f"{path.title} · " for path in curriculum.paths() if lesson.name in path.lessons), "")


def question_rows(attempt: Attempt, is_lecture: bool, moves: int = 0) -> list[CardRow]:
    """The question with its options, which have letters before a class, or how a challenge stands, and the hints."""
    task, rows = attempt.step.task, list[CardRow]()
    if isinstance(task, PredictTask):
        rows.append(CardRow(question_words(task), "bold"))
    elif isinstance(task, QuizTask):
        rows.append(CardRow(task.ask, "bold"))
    elif isinstance(attempt.asked, Decision):
        rows.append(CardRow(f"{event_words(attempt.asked.event, attempt.run.simulation)} What do you do?", "bold"))
    elif isinstance(task, OrderTask):
        rows += _order_question(attempt, task)
    elif isinstance(task, ExperimentTask):
        rows.append(CardRow(experiment_words(task), "bold"))
        if attempt.measured < 1.0:
            rows.append(CardRow(f"Measuring: {attempt.measured:.0%} …", muted=True))
    elif isinstance(task, RepairTask):
        rows.append(CardRow(repair_words(attempt.entry.right), "bold"))
        rows.append(CardRow(attempt.entry.right.method.head, is_code=True))
    rows += [
        CardRow(
            _option_words(option, attempt),
            option=place,
            label=event_label(place).upper() if is_lecture else str(place + 1),
            sign=_sign(option, attempt),
            weight=_weight(option, attempt),
            is_code=isinstance(task, RepairTask),
        )
        for place, option in enumerate(attempt.options)
    ]
    if isinstance(task, ChallengeTask):
        rows.append(CardRow(_challenge_words(attempt, task, moves), muted=True))
    if attempt.takes_hints:
        hints = [hint_words(attempt, level) for level in range(1, attempt.hints + 1)]
        if isinstance(task, ChallengeTask) and hints:  # the third says what the second does, and more
            rows.append(CardRow(f"Hint {len(hints)}: {' '.join(dict.fromkeys((hints[0], hints[-1])))}", muted=True))
        else:
            rows += [CardRow(f"Hint {level}: {words}", muted=True) for level, words in enumerate(hints, 1)]
    return rows


def answer_rows(attempt: Attempt, is_lecture: bool, only: Literal["", "why", "proof"] = "") -> list[CardRow]:
    """What is said after the answer: the verdict, why and its proof, or only one of these; the end of a challenge."""
    lesson, step, verdict = attempt.lesson, attempt.step, attempt.verdict
    task, rows = step.task, list[CardRow]()
    if isinstance(task, ExplainTask) and not is_lecture:
        rows.append(CardRow(f"Your mark: {attempt.mark:.0%}. To pass: {lesson.passing:.0%}.", "bold"))
        rows += [CardRow(f"– {misconceptions()[name].words}") for name in lesson.misconceptions]
        following = curriculum.lesson_after(lesson.name)
        rows += [CardRow(f"Next: “{find(following).title}”", muted=True)] if following else []
    if isinstance(task, ChallengeTask) and step.id in attempt.marks:
        rows += _settled(attempt, task)
    if verdict is not None and not (is_lecture and verdict.is_right):
        rows += _verdict(verdict, attempt)[: 1 if only == "proof" else None]
    lines = proof_lines(attempt)
    if verdict is not None and verdict.is_right and not lines:
        rows += _why_not_another(attempt)
    if attempt.is_node:
        return [*rows, *(CardRow(line.words, step=line.step) for line in lines)]
    if not lines or only == "why":
        return rows
    rows.append(CardRow("The proof", "bold"))
    return [*rows, *(CardRow(f"t = {line.time:.1f}  {line.words}", step=line.step) for line in lines)]


def _why_not_another(attempt: Attempt) -> list[CardRow]:
    """Why a wrong option is wrong, where no step of the run proves the right one."""
    algorithm = attempt.run.algorithm
    options = ((one.answer, one.wrong.why) for one in attempt.entry.options)
    others = [CardRow(f"Why not “{answer_words(one, algorithm)}”? {why}") for one, why in options if one is not None]
    return others[:1]


def spoken(attempt: Attempt, moves: int) -> str:
    """What a screen reader says of the card: the text and the question, and after the answer what is said of that."""
    before = [*text_rows(attempt), *question_rows(attempt, False, moves)]
    rows = [] if attempt.verdict is not None else [row for row in before if row.option is None]
    return " ".join(row.words for row in (*rows, *answer_rows(attempt, False)))


def _settled(attempt: Attempt, task: ChallengeTask) -> list[CardRow]:
    """The verdict on a challenge that is done, or that the learner said cannot be, and why it is so."""
    if attempt.marks[attempt.step.id].is_skipped:
        return []
    if attempt.is_solved:
        rows = [CardRow("That is right.", "bold", sign="tick")]
    else:
        rows = [CardRow("It can be done: try it, or go on.", "bold", sign="cross")]
    return [*rows, CardRow(task.why)] if task.why else rows


def _challenge_words(attempt: Attempt, task: ChallengeTask, moves: int) -> str:
    """The goal and the moves made; the fewest only at the end, since there may be no way at all."""
    goal = f"Goal: break “{NAMES.get(task.goal.value, task.goal.value)}”. " if task.goal.kind == "light" else ""
    if attempt.step.id in attempt.marks:
        par = attempt.par.moves if attempt.par else None
        fewest = "; no moves lead there: the checker has tried them all." if par is None else f"; the fewest: {par}."
        return f"{goal}{count_words(moves, 'move')} made{fewest}"
    made = f"Moves made: {moves}. Undo (Ctrl+Z, or in the menu) takes one back."
    return f"{goal}{made}" if attempt.par else f"{goal}{made} The checker is looking for the shortest way …"


def _number(attempt: Attempt) -> str:
    return f"{attempt.decision + 1} of {len(attempt.parts)}"


def _order_question(attempt: Attempt, task: OrderTask) -> list[CardRow]:
    key, run, part = attempt.entry.right, attempt.run.simulation, attempt.asked
    if isinstance(part, OrderPart):
        rows = [CardRow(words, muted=True) for words in order_rows(key, part, run)]
        return [*rows, CardRow(f"{part_words(task, key, part)} ({_number(attempt)})", "bold")]
    return [CardRow(order_words(task, key), "bold")]


def _option_words(option: object, attempt: Attempt) -> str:
    part = attempt.asked
    task = attempt.step.task
    if isinstance(option, Answer) and isinstance(task, ExperimentTask):
        words = option_words(task, option)
    elif isinstance(option, Answer):
        if isinstance(part, OrderPart):
            return option_of_part_words(part, option)
        words = answer_words(option, attempt.run.algorithm)
    elif isinstance(option, frozenset):
        words = acts_words(option)
    elif isinstance(option, int) and isinstance(attempt.step.task, RepairTask):
        return place_words(attempt.entry.right, option)
    elif isinstance(option, int):
        key = attempt.entry.right
        words = event_sentence(key.events[option], attempt.run.simulation)
        return f"{event_label(option)}  {words}" if attempt.way == TOGGLE else words
    else:
        words = str(option)
    return words[:1].upper() + words[1:]


def _sign(option: object, attempt: Attempt) -> str:
    """A tick or a cross at an option after the answer; before it, a tick at those that are marked."""
    verdict = attempt.verdict
    if attempt.way == TOGGLE:
        is_marked = option in attempt.chosen
        if verdict is None or is_marked == (option in verdict.right):
            return "tick" if is_marked else ""
        return "cross"
    if verdict is None or attempt.way == ARRANGE:
        return "cross" if attempt.struck is not None and option == attempt.options[attempt.struck] else ""
    if _is_right(option, verdict.right):
        return "tick"
    return "cross" if option == verdict.given else ""


def _weight(option: object, attempt: Attempt) -> fonts.Weight:
    verdict = attempt.verdict
    if verdict is None or attempt.way == ARRANGE:
        return "normal"
    return "bold" if _is_right(option, verdict.right) else "normal"


def _is_right(option: object, right: object) -> bool:
    """Whether an option is right, or one of those that are."""
    return option == right or (isinstance(right, frozenset) and isinstance(option, int) and option in right)


def vote_rows(attempt: Attempt, place: int) -> list[CardRow]:
    """Whether the option at a place is right, and why not."""
    verdict = attempt.verdict_on(place)
    if verdict.is_right:
        return [_mark_row(verdict)]
    done = [CardRow(line.words) for line in proof_lines(attempt) if attempt.is_node]
    return [_mark_row(verdict), *(row for row in _verdict(verdict, attempt)[1:] if not row.lesson), *done]


def _mark_row(verdict: AnswerVerdict) -> CardRow:
    """Whether an answer is right."""
    if verdict.is_right:
        return CardRow("That is right.", "bold", sign="tick")
    words = f"Partly right ({verdict.share:.0%})." if verdict.share > 0 else "That is wrong."
    return CardRow(words, "bold", sign="cross")


def _verdict(verdict: AnswerVerdict, attempt: Attempt) -> list[CardRow]:
    shown = CardRow("That is the answer. It does not count.", "bold")
    rows = [shown if attempt.is_shown else _mark_row(verdict)]
    if verdict.fault:
        is_repair = isinstance(attempt.step.task, RepairTask)
        words = (
            verdict_words if is_repair else partial(fault_words, key=attempt.entry.right, run=attempt.run.simulation)
        )
        rows.append(CardRow(words(verdict.fault)))
    if attempt.way == ARRANGE and not verdict.is_right and not attempt.is_shown:
        used = takewhile(lambda item: item != UNUSED, verdict.right)
        rows.append(CardRow(f"One right order: {', '.join(str(attempt.order.index(item) + 1) for item in used)}."))
    if verdict.why:
        rows.append(CardRow(verdict.why))
    if verdict.rival and not verdict.is_right:
        rule, name = verdict.rival
        scenario = attempt.lesson.scenarios[attempt.step.task.scenario]
        rows.append(CardRow(_rival_words(rule, name, scenario.algorithm)))
    if verdict.misconception not in ("", NONE):
        rows += _treated(
            misconceptions()[verdict.misconception], attempt.lesson, has_reason=bool(verdict.why or verdict.fault)
        )
    return rows


def _treated(entry: Misconception, lesson: Lesson, has_reason: bool) -> list[CardRow]:
    """What is right instead of a misconception, unless that has been said, and the lesson about it if it is another."""
    rows = [] if has_reason else [CardRow(entry.words, muted=True)]
    if entry.treated != lesson.name and entry.treated in curriculum.names_of_files():
        rows.append(CardRow(f"→ lesson “{find(entry.treated).title}”", lesson=entry.treated))
    return rows


def _rival_words(rule: str, name: str, algorithm: str) -> str:
    from algorithms import catalog  # only for the words

    if rule == "algorithm":
        return f"That would be right for another algorithm: “{catalog.find(name).title}”."
    return f"That is what the variant “{name}” does: {catalog.find(algorithm).variants[name].summary}"
