"""The events of an order in a lesson, and what is asked and wrong about them, in words."""

from __future__ import annotations

from typing import Any

from algorithms.engine.simulation import Simulation
from lessons.asking.answers import AFTER, BEFORE, Answer
from lessons.tasks.ordering import OrderEvent, OrderKey, OrderPart, OrderTask
from visual.narration.answers import answer_words
from visual.narration.steps import brief_sentence
from visual.words import event_label, node_name

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
    return f"{other} happened before {one}" if option.value == AFTER else "neither: nobody can tell which came first"


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
