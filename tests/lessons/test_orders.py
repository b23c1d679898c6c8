"""Orders of events: what is right is what vector clocks say that are kept over the lines of the trace alone."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from algorithms import trace_file
from algorithms.bad_input import BadInput
from lessons import robots
from lessons.asking import copies, moments
from lessons.asking.moments import Condition
from lessons.attempt import Attempt
from lessons.keys import key_of
from lessons.marking import total
from lessons.reading.reading import find, read
from lessons.tasks.ordering import share_of_order, violations
from tests.support.trace_oracle import TraceOracle
from visual.narration.hints import hint_words

FRONT = """+++
format = 1
title = "Orders"
minutes = 6
ideas = ["before"]
misconceptions = ["M1"]
[scenario.main]
use = "SCENARIO"
+++
"""
BLOCKS = {
    "pairs": 'between = [0, { enters = "any" }]\ncount = 4',
    "past": 'between = [0, { enters = "any", edge = "before" }]',
    "arrange": 'between = [0, { enters = "any" }]\ncount = 5',
    "values": 'between = [0, { enters = "any" }]\ncount = 3\nvariable = "clock"',
}


def lesson_of(scenario: str = "equal-stamps", **changed: str):
    blocks = {**BLOCKS, **changed}
    steps = (f'## {what}\n~~~ order\nwhat = "{what}"\n{keys}\n~~~\n' for what, keys in blocks.items() if keys)
    return read(FRONT.replace("SCENARIO", scenario) + "".join(steps) + "## End\n~~~ explain\n~~~\n", Path("orders.md"))


@pytest.fixture(scope="module")
def lesson():
    return lesson_of()


@pytest.fixture(scope="module")
def found(lesson):
    return {name: entry.right for name, entry in key_of(lesson).items()}


@pytest.fixture(scope="module")
def oracle(lesson):
    run = copies.start(lesson.scenarios["main"])
    moments.seek(run, Condition("end", True))
    return TraceOracle(trace_file.lines(run.trace), run.scenario.until)


def test_pairs_are_related_as_vector_clocks_say(found, oracle):
    past = oracle.happened_before()
    key = found["pairs"]
    relations = []
    for part in key.parts:
        one, other = (key.events[place].step for place in part.events)
        wanted = "before" if one in past[other] else "after" if other in past[one] else "concurrent"
        assert part.right.value == wanted
        relations.append(wanted)
    assert len(relations) == 4
    assert "concurrent" in relations
    assert {"before", "after"} & set(relations)


def test_the_past_of_an_event_is_what_vector_clocks_say(found, oracle):
    key = found["past"]
    past = oracle.happened_before()[key.events[-1].step]
    assert {key.events[place].step for place in key.past} == {e.step for e in key.events} & past
    assert 0 < len(key.past) < len(key.events) - 1


def test_all_orders_that_respect_causes_are_right_and_no_others(found, oracle):
    key, past = found["arrange"], oracle.happened_before()
    steps = [event.step for event in key.events]
    for order in permutations(range(len(steps))):
        respects = not any(steps[b] in past[steps[a]] for i, a in enumerate(order) for b in order[i + 1 :])
        assert (share_of_order(key, order) == 1.0) == respects
    assert violations(key.causes, key.start)
    assert not violations(key.causes, key.right_order())


def test_a_clock_is_the_largest_timestamp_in_its_causal_past(found, oracle):
    """Ricart–Agrawala's clock is one more than that for a request, and that on a receipt."""
    key, past = found["values"], oracle.happened_before()
    for part in key.parts:
        event = key.events[part.events[0]]
        stamps = [
            effect["fields"]["stamp"][0]
            for step in past[event.step] | {event.step}
            for effect in oracle.steps[step]["effects"]
            if effect["kind"] == "send" and effect["message"] == "Request"
        ]
        assert part.right.value == max(stamps, default=0)
        assert part.right in part.options
        assert len(part.options) >= 3


def test_robots_get_what_they_deserve(lesson):
    key = key_of(lesson)
    assert total(lesson, robots.play(lesson, key, "right")) == 1.0
    assert total(lesson, robots.play(lesson, key, "wrong")) == 0.0
    assert total(lesson, robots.play(lesson, key, "first")) <= 0.5


def test_an_attempt_marks_what_is_marked_and_moves_what_is_moved(lesson):
    attempt = Attempt(lesson)
    for part in attempt.parts:
        assert attempt.answer(list(attempt.options).index(part.right)).is_right
        attempt.forward()
    assert attempt.marks["pairs"].value == 1.0
    for place in attempt.entry.right.past:
        attempt.toggle(place)
    attempt.toggle(0)
    assert attempt.answer().share == pytest.approx(1 - 1 / len(attempt.entry.right.past))
    attempt.forward()
    verdict = attempt.answer()
    assert verdict.fault[0] == "early"
    attempt.go_to(attempt.at)
    for target, event in enumerate(attempt.entry.right.right_order()):
        attempt.move(attempt.order.index(event), target - attempt.order.index(event))
    assert attempt.answer().is_right


def test_calling_concurrent_events_ordered_shows_the_misconception_of_clocks(lesson):
    attempt = Attempt(lesson)
    while attempt.asked.right.value != "concurrent":
        attempt.answer(0)
        attempt.forward()
    assert attempt.answer(0).misconception == "M1"


@pytest.mark.parametrize(
    ("what", "keys", "expected"),
    [
        ("pairs", 'between = [0, { asks = "any" }]\ncount = 5', "1 events are not enough for 5 pairs"),
        ("arrange", "between = [0, 99]", "between[1]: nothing of the kind happens before 10"),
        ("pairs", "between = [0]", "between: expected a list of two moments"),
        ("values", "between = [0, 9]", "variable: expected the variable whose values are asked for"),
        (
            "values",
            'between = [0, 9]\nvariable = "clok"',
            'variable: unknown variable of ricart-agrawala "clok"; did you',
        ),
        ("past", 'between = [0, 9]\nvariable = "clock"', "variable: only values have one"),
        ("order", "between = [0, 9]", 'what: unknown form of an order "order"; expected one of pairs'),
    ],
)
def test_a_mistake_is_told_with_its_place(what, keys, expected):
    with pytest.raises(BadInput) as error:
        key_of(lesson_of(**{**dict.fromkeys(BLOCKS, ""), what: keys}))
    assert str(error.value).startswith("orders.md:11: ")
    assert expected in str(error.value)


def test_hints_cost_and_help(lesson):
    attempt = Attempt(lesson)
    attempt.go_to(2)
    texts = []
    while attempt.hint():
        texts.append(hint_words(attempt, attempt.hints))
    assert len(set(texts)) == 3
    assert "comes before" in texts[-1]
    for target, event in enumerate(attempt.entry.right.right_order()):
        attempt.move(attempt.order.index(event), target - attempt.order.index(event))
    attempt.answer()
    assert attempt.marks["arrange"].value == 0.25


def test_a_hint_strikes_out_a_wrong_option_and_the_answer_counts_nothing():
    attempt = Attempt(find("deferral"))
    attempt.go_to(next(place for place, step in enumerate(attempt.lesson.steps) if step.id == "stays"))
    assert attempt.struck is None
    while attempt.hint():
        pass
    assert attempt.options[attempt.struck] != attempt.entry.right
    assert "P1" in hint_words(attempt, 1)
    assert hint_words(attempt, 2).startswith("The line that decides, in all_replied: ")
    attempt.show_answer()
    assert attempt.verdict.right == attempt.entry.right
    assert attempt.marks["stays"].value == 0.0
    attempt.go_to(attempt.at)
    attempt.answer(list(attempt.options).index(attempt.entry.right))
    assert attempt.marks["stays"].value == 0.0
