"""Tasks of a lesson in words: questions and decisions, orders, experiments and repairs, and the answers to them."""

from __future__ import annotations

import ast
from typing import Any

from algorithms import catalog
from algorithms.engine.errors import count_words
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
from lessons.asking.moments import Condition
from lessons.asking.questions import QUESTIONS, Asked, events_of
from lessons.task import WrongOption
from lessons.tasks.assembled import RuleSource
from lessons.tasks.decisions import DRAWN, Acts
from lessons.tasks.experiments import ExperimentKey, ExperimentTask
from lessons.tasks.ordering import OrderEvent, OrderKey, OrderPart, OrderTask
from lessons.tasks.predicting import PredictTask
from lessons.tasks.repairing import UNUSED, RepairKey, RepairOutcome
from visual.narration.steps import brief_sentence
from visual.words import event_label, join_nodes, join_words, node_name, spaced, timer_name

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
    given["type"] = f"{spaced(given['type'])} " if "type" in given else ""
    given["are_sent"] = f"does {node_name(given['by'])} send" if "by" in given else "are sent"
    moment = moment_words(task.until) if task.until else "the run ends"
    then = {"time": f"at {moment}", "end": "at the end of the run"}.get(
        task.until.kind if task.until else "end", "then"
    )
    return QUESTIONS[task.ask].words.format(**given, moment=moment, then=then)


def moment_words(condition: Condition) -> str:
    """The moment at which a condition becomes true, as in "until P3 enters"."""
    kind, value, details = condition.kind, condition.value, condition.details
    who = node_name(value) if isinstance(value, int) else "a process"
    again = " for the second time" if condition.nth == 2 else ""
    if kind == "time":
        return f"t = {value:g}"
    if kind in ("enters", "leaves", "asks"):
        return f"{who} {kind}{again}"
    if kind == "arrives" and {"at", "from"} <= details.keys():
        return f"{node_name(details['from'])}'s {spaced(value)} message reaches {node_name(details['at'])}{again}"
    return {"end": "the run ends", "leader": f"all live processes accept {who} as leader"}.get(kind, "then")


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
        groups = (f"{join_nodes(nodes)} together" if len(nodes) > 1 else join_nodes(nodes) for nodes in value)
        return ", then ".join(groups) or "nobody"
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


def _item(item: Any) -> str:
    if isinstance(item, int):
        return node_name(item)
    return f"{_message(item[0])} to {node_name(item[1])}" if isinstance(item, tuple) else str(item)


def _message(type_name: str) -> str:
    """A type of message: "reply", and “I am winner”."""
    words = spaced(type_name)
    return f"“{words}”" if " " in words else words


def acts_words(acts: Acts) -> str:
    """What a node does: "reply to P0 and P2; enter"."""
    receivers: dict[str, list[Any]] = {}
    for act in sorted(acts, key=repr):
        if act.do == "send":
            fields = ", ".join(f"{name} {_field_words(value)}" for name, value in act.fields)
            name = f"{_message(act.type or '')}{f' ({fields})' if fields else ''}"
            receivers.setdefault(name, []).append(act.to)
    parts = [
        f"{name} to {'a node drawn at random' if DRAWN in nodes else join_nodes(sorted(nodes))}"
        for name, nodes in receivers.items()
    ]
    if ENTERING in acts:
        parts.append("enter")
    return "; ".join(parts) or NOTHING_SENT


def _field_words(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


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


_NAMES = {
    "messages-per-entry": "number of messages per entry",
    "messages": "number of messages",
    "entries": "number of entries",
    "false-suspicions": "number of false suspicions",
    "waiting": "mean waiting time",
    "waiting-max": "longest waiting time",
    "synchronisation-delay": "mean synchronization delay",
    "responsiveness": "mean responsiveness",
    "responsiveness-max": "worst responsiveness",
    "idle": "share of time with nobody inside",
    "alone": "share of time with one process inside",
    "two-or-more": "share of time with two or more inside",
    "more-than-two": "share of time with more than two inside",
    "tokens-none": "share of time without a token",
    "tokens-several": "share of time with several tokens",
    "generations": "number of tokens made",
    "election-messages": "number of messages per election",
    "election-time": "mean time until an election is over",
}


def measure_words(name: str) -> str:
    """A measure in words."""
    return _NAMES.get(name, name)


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


_MISTAKES = {
    "wall clock": "That is the event’s place by the clock on the wall, which no process can see.",
    "no step": "That leaves out the step by one.",
    "no maximum": "That leaves out the maximum: when a message is received, its value counts as well.",
    "no change": "This event does not change the value.",
    "a change": "This event changes the value.",
    "apart": "No chain of messages leads from one of them to the other, in either direction.",
    "linked": "A chain of messages leads from one to the other: follow the arrows in the diagram.",
}


def event_sentence(event: OrderEvent, run: Simulation) -> str:
    """What happens in an event, in a sentence."""
    return brief_sentence(list(event.records), run)


def order_words(task: OrderTask, key: OrderKey) -> str:
    """The question about all events."""
    if task.what == "past":
        return f"Which of these events can have influenced {event_label(len(key.events) - 1)}?"
    return "Put these events in an order in which no event comes before its cause."


def order_rows(key: OrderKey, part: OrderPart, run: Simulation) -> list[str]:
    """The events that a part asks about, a line each."""
    return [f"{event_label(place)}  {event_sentence(key.events[place], run)}" for place in part.events]


def part_words(task: OrderTask, key: OrderKey, part: OrderPart) -> str:
    """The question about one or two events."""
    if len(part.events) == 2:
        one, other = map(event_label, part.events)
        return f"How are {one} and {other} related?"
    event = part.events[0]
    return f"What is “{task.variable}” of {node_name(key.events[event].node)} after {event_label(event)}?"


def option_of_part_words(part: OrderPart, option: Answer) -> str:
    """A relation of the two events of a part, or a value, as on an option."""
    if option.kind != "relation":
        return answer_words(option)
    one, other = map(event_label, part.events)
    if option.value == BEFORE:
        return f"{one} happened before {other}"
    return f"{other} happened before {one}" if option.value == AFTER else _RELATIONS[CONCURRENT]


def fault_words(fault: tuple[Any, ...], key: OrderKey, run: Simulation) -> str:
    """The mistake in an order or a value."""
    if fault[0] == "mistake":
        return _MISTAKES[fault[1]]
    event, cause = (event_sentence(key.events[place], run).rstrip(".") for place in fault[1:3])
    return f"“{event}” stands before its cause: “{cause}”."


def key_lines(task: OrderTask, key: OrderKey, run: Simulation) -> list[str]:
    """The right answer, with the events by their letters."""
    lines = [f"{event_label(place)}  {event_sentence(event, run)}" for place, event in enumerate(key.events)]
    for part in key.parts:
        lines.append(f"{part_words(task, key, part)} {option_of_part_words(part, part.right)}")
    if key.what == "past":
        lines.append(f"{order_words(task, key)} {', '.join(map(event_label, sorted(key.past)))}")
    if key.what == "arrange":
        lines.append(f"right: {', '.join(map(event_label, key.right_order()))}, and any order that keeps these pairs:")
        lines += [f"  {event_label(cause)} before {event_label(event)}" for cause, event in sorted(key.causes)]
    return lines


LEFT_OUT = "— left out below this line —"


def repair_words(key: RepairKey) -> str:
    """The question."""
    if key.options:
        if isinstance(key.method, RuleSource):
            return f"Which form of {key.method.name} is right?"
        return f"Which lines make “{key.method.name}” right?"
    more = ", and leave out those that do not belong there" if UNUSED in key.start else ""
    return f"Put the lines of “{key.method.name}” in order{more}."


def place_words(key: RepairKey, place: int) -> str:
    """A body, or a line, as code."""
    if key.options:
        return key.options[place].text
    return LEFT_OUT if place == UNUSED else ast.unparse(key.lines[place])


def outcome_words(outcome: RepairOutcome) -> str:
    """What the checker says."""
    if outcome.failure:
        return f"The checker cannot go on: {outcome.failure}"
    if not outcome.broken:
        states = count_words(outcome.states, "state")
        return f"holds in all {states}" if outcome.is_complete else f"not refuted in the first {states}"
    moves = count_words(outcome.moves, "move")
    if outcome.broken == "no error":
        return f"a step fails after {moves}"
    return f"breaks {NAMES.get(outcome.broken, outcome.broken)} in {moves}"


def verdict_words(fault: tuple[Any, ...]) -> str:
    """The mistake in a repair, or why it is right."""
    if fault[0] == "outcome":
        words = outcome_words(fault[1])
        if fault[1].failure:
            return words
        return f"The checker: {'' if fault[1].broken == 'no error' else 'it '}{words}."
    intruders = fault[1]
    if intruders:
        return f"{intruders} of these lines do not belong here." if intruders > 1 else "One line does not belong here."
    return "A line is missing."


def repair_lines(key: RepairKey) -> list[str]:
    """The right answer, for the key."""
    lines = [key.method.head]
    for option in key.options:
        text = option.text.replace("\n", "; ")
        lines.append(f"  {text}  ({option.variant or 'the algorithm'}): {outcome_words(option.outcome)}")
    order = [place_words(key, place) for place in key.right_order()] if key.lines else []
    lines += [f"  {number}  {line}" for number, line in enumerate(order, 1)]
    if order:
        lines.append("and any other order in which the checker finds nothing broken")
    return lines
