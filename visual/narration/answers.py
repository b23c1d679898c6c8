"""Answers, questions and decisions of a lesson, in words."""

from __future__ import annotations

from typing import Any

from algorithms import catalog
from algorithms.engine.events import DELIVER, FAULT, KIND, LEAVE, TIMER, Record
from algorithms.engine.observe.monitors import Agreement, Liveness, OneToken, Prefixes, Safety, Termination
from algorithms.engine.observe.request_order import RequestOrder
from algorithms.engine.observe.rivals import exclusion_words
from algorithms.engine.observe.verdicts import NAMES
from algorithms.engine.played import ENTERING
from algorithms.engine.process import Algorithm
from algorithms.engine.rewrite import system_of
from algorithms.engine.rewrite.rule_text import rule_in_general
from algorithms.engine.simulation import Simulation
from algorithms.engine.timeline import Timeline
from lessons.asking.answers import AFTER, BEFORE, CONCURRENT, NOTHING, Answer
from lessons.asking.questions import QUESTIONS, Asked, events_of
from lessons.task import WrongOption
from lessons.tasks.decisions import DRAWN, Acts
from lessons.tasks.predicting import PredictTask
from visual.narration.measures import measure_words
from visual.narration.steps import brief_sentence
from visual.words import join_nodes, join_words, node_name, timer_name

_MONITORS = (Liveness, RequestOrder, OneToken, Prefixes, Agreement, Termination)
_MEANINGS = {monitor.name: monitor.words for monitor in _MONITORS}
_RELATIONS = {
    BEFORE: "the first happened before the second",
    AFTER: "the second happened before the first",
    CONCURRENT: "neither: nobody can tell which came first",
}
_TRENDS = {
    "same": "it stays the same",
    "linear": "it grows in proportion",
    "inverse": "it falls in proportion",
    "log": "it grows like the logarithm",
    "square": "it grows like the square",
}
NOTHING_SENT = "nothing for now"


def question_words(task: PredictTask) -> str:
    """The question as it is put."""
    given = dict(task.given)
    if "measure" in given:
        given["measure"] = measure_words(given["measure"])
    if "light" in given:
        given["light"] = NAMES.get(given["light"], given["light"])
    if "system" in given:
        given["system"] = catalog.find(given["system"]).title
    return QUESTIONS[task.ask].words.format(**given)


def detail_words(task: PredictTask, run: Timeline) -> list[str]:
    """What a question is about, line by line: the rules of a rewriting system, or two events."""
    if task.ask == "relation":
        ends = zip(("First", "Second"), events_of(Asked(run, task.given)), strict=True)
        return [f"{place}: {brief_sentence(end.trace.step(end.step - 1), end.simulation)}" for place, end in ends]
    system = system_of(run.algorithm) if task.ask == "rules" else None
    return [f"{rule.number}: {rule_in_general(rule)}" for rule in system.rules] if system else []


def answer_words(answer: Answer, algorithm: Algorithm | None = None) -> str:
    """An answer, as on an option; with an algorithm, with what its promises mean."""
    value = answer.value
    if answer.kind == "node":
        return node_name(value) if isinstance(value, int) else str(value)
    if answer.kind == "stays":
        return ", then ".join(map(_group, value)) or "nobody"
    if answer.kind == "set":
        return join_words([_item(item) for item in sorted(value, key=repr)]) or "none"
    if answer.kind == "number":
        return f"{value:g}"
    if answer.kind == "relation":
        return _RELATIONS[value]
    if answer.kind == "trend":
        return _TRENDS[value]
    if answer.kind == "light":
        return light_words(value, algorithm)
    return str(value)


def wrong_words(option: WrongOption) -> str:
    """A wrong option, with what it shows and why it is wrong, for the key."""
    value = answer_words(option.answer) if option.answer else "no answer"
    return f"wrong: {value} ({option.wrong.misconception}): {option.wrong.why}"


def light_words(name: str, algorithm: Algorithm | None = None) -> str:
    """A property as its light names it, with what it promises; "no property" for none."""
    if name == NOTHING:
        return "no property"
    plain = NAMES.get(name, name)
    meaning = _MEANINGS.get(name, "")
    if name == Safety.name and algorithm is not None:
        meaning = exclusion_words(algorithm)
    return f"{plain}: {meaning}" if meaning else plain


def _group(nodes: tuple[int, ...]) -> str:
    return f"{join_nodes(nodes)} together" if len(nodes) > 1 else join_nodes(nodes)


def _item(item: Any) -> str:
    if isinstance(item, int):
        return node_name(item)
    return f"{item[0]} to {node_name(item[1])}" if isinstance(item, tuple) else str(item)


def acts_words(acts: Acts) -> str:
    """What a node does: "Reply to P0 and P2; enter"."""
    receivers: dict[str, list[Any]] = {}
    for act in sorted(acts, key=repr):
        if act.do == "send":
            fields = ", ".join(f"{name} {value}" for name, value in act.fields)
            receivers.setdefault(f"{act.type}{f' ({fields})' if fields else ''}", []).append(act.to)
    parts = [
        f"{name} to {'a node drawn at random' if DRAWN in nodes else join_nodes(sorted(nodes))}"
        for name, nodes in receivers.items()
    ]
    if ENTERING in acts:
        parts.append("enter")
    return "; ".join(parts) or NOTHING_SENT


def filled(words: str, run: Timeline, par: str) -> str:
    """A text of a lesson, plain, with the values that are known at a moment of the run."""
    now = run.simulation.now
    for name, value in {"time": f"{now:.1f}", "step": run.step, "nodes": run.scenario.nodes, "par": par}.items():
        words = words.replace(f"{{{name}}}", str(value))
    return words.replace("**", "").replace("`", "")


def event_words(event: Record, run: Simulation) -> str:
    """What happens to the learner's node, in a sentence."""
    if event[KIND] == DELIVER:
        return brief_sentence([event], run)
    if event[KIND] == TIMER:
        return f"Your {timer_name(event[4])} expires."
    if event[KIND] == LEAVE:
        return "You leave the critical section."
    wish = "call an election" if run.algorithm.is_election() else "enter the critical section"
    words = {"crash": "You crash.", "recover": "You recover from a crash.", "join": "You join.", "leave": "You leave."}
    return words.get(event[4].do if event[KIND] == FAULT else "", f"You want to {wish}.")
