"""Experiments: measurements agree with formulas and with the traces of the runs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from algorithms import trace_file
from algorithms.bad_input import BadInput
from lessons import robots
from lessons.asking import copies, moments
from lessons.asking.moments import Condition
from lessons.attempt import Attempt
from lessons.keys import key_of
from lessons.linting import running
from lessons.marking import total
from lessons.reading.reading import find, read
from tests.support.trace_oracle import TraceOracle

FRONT = """+++
format = 1
title = "Experiments"
minutes = 6
ideas = ["cost"]
misconceptions = ["M8"]
[scenario.main]
algorithm = "ricart-agrawala"
nodes = 5
until = 40
load = { kind = "closed", think = 5.0 }
+++
"""
VALUE = """vary = "nodes"
values = [2, 3, 5]
seeds = 2
measure = "messages-per-entry"
ask = "value"
for = 5
[[wrong]]
is = { answer = 4 }
why = "Each of the others also sends its reply back to it."
misconception = "M8"
[[wrong]]
is = { measure = "waiting" }
why = "That is how long it waits, not what it sends."
misconception = "none"
"""
TREND = 'vary = "nodes"\nvalues = [3, 6]\nseeds = 2\nmeasure = "messages-per-entry"\nask = "trend"\n'
BEST = TREND.replace('"nodes"', '"algorithm"').replace("[3, 6]", '["ricart-agrawala", "centralized"]')
BLOCKS = {
    "value": VALUE,
    "trend": TREND,
    "smallest": BEST.replace('"trend"', '"smallest"'),
    "first": VALUE.partition("[[")[0].replace('"value"\nfor = 5', '"first-above"\nabove = 4.5'),
    "entries": VALUE.replace("messages-per-entry", "entries").partition("[[")[0],
    "steps": VALUE.replace("-per-entry", "").partition("[[")[0] + "until = { step = 20 }\n",
    "third": VALUE.replace("messages-per-entry", "entries").partition("[[")[0]
    + 'until = { enters = "any", nth = 3 }\n',
}


def lesson_of(**blocks: str):
    steps = (f"## {name}\n~~~ experiment\n{keys}~~~\n" for name, keys in blocks.items())
    return read(FRONT + "".join(steps) + "## End\n~~~ explain\n~~~\n", Path("experiments.md"))


@pytest.fixture(scope="module")
def lesson():
    return lesson_of(**BLOCKS)


@pytest.fixture(scope="module")
def found(lesson):
    return key_of(lesson)


def test_the_messages_per_entry_are_those_of_the_formula(found):
    assert found["value"].right.means == (2.0, 4.0, 8.0)  # 2(N−1)
    assert found["value"].right.right.value == 8.0
    assert found["trend"].right.right.value == "linear"
    assert found["smallest"].right.right.value == "centralized"
    assert found["smallest"].right.means == (8.0, 3.0)
    assert found["first"].right.right.value == 5


def mean_of(lesson, nodes, counted) -> float:
    """What the oracle counts, on average over two seeds."""
    counts = []
    for seed in (1, 2):
        run = copies.start(replace(lesson.scenarios["main"], nodes=nodes, seed=seed))
        moments.seek(run, Condition("end", True))
        counts.append(counted(TraceOracle(trace_file.lines(run.trace), run.scenario.until)))
    return sum(counts) / 2


def test_entries_are_those_that_the_trace_has(lesson, found):
    for nodes, mean in zip(found["entries"].right.values, found["entries"].right.means, strict=True):
        assert mean == mean_of(lesson, nodes, lambda oracle: sum(what == "enters" for _, what, _ in oracle.entries(0)))


def test_an_experiment_ends_at_the_moment_that_it_names(lesson, found):
    assert found["third"].right.means == (3, 3, 3)
    for nodes, mean in zip(found["steps"].right.values, found["steps"].right.means, strict=True):
        assert mean == mean_of(lesson, nodes, lambda oracle: oracle.messages(0, 20))


def test_tokens_and_elections_are_measured_as_the_traces_tell():
    """P0's election among N processes: each one asks all above it, which answer; the highest tells all the others."""
    bully, spurious = key_of(find("bully")), key_of(find("spurious"))
    for nodes, messages, time in zip((4, 8, 16), bully["growth"].right.means, bully["time"].right.means, strict=True):
        assert messages == sum(nodes - 1 - caller for caller in range(nodes)) + (nodes - 1)
        assert time == 1.5
    scenario = find("spurious").scenarios["patient"]
    for value, made in zip((64.0, 96.0, 192.0), spurious["patience"].right.means, strict=True):
        lines = []
        for seed in range(1, 7):
            run = copies.start(replace(scenario, parameters={**scenario.parameters, "dmax": value}, seed=seed))
            moments.seek(run, Condition("end", True))
            lines += TraceOracle(trace_file.lines(run.trace), scenario.until).steps
        assert made == sum(effect["kind"] == "created" for line in lines for effect in line["effects"]) / 6


def test_an_attempt_measures_in_slices_and_then_asks(lesson):
    attempt = Attempt(lesson)
    assert attempt.is_open
    assert not attempt.options
    slices = 0
    while attempt.measured < 1.0 or not attempt.options:
        attempt.work(attempt.run)
        slices += 1
    assert slices > 1
    values = [option.value for option in attempt.options]
    assert values == sorted(values)
    assert {4, 8.0} < set(values)
    verdict = attempt.answer(values.index(4))
    assert (verdict.share, verdict.misconception) == (0.0, "M8")


def test_robots_and_the_linter(found):
    played = lesson_of(
        **{name: keys for name, keys in BLOCKS.items() if name in ("value", "trend", "smallest", "first")}
    )
    assert total(played, robots.play(played, found, "right")) == 1.0
    assert total(played, robots.play(played, found, "wrong")) == 0.0
    alone = running.findings(lesson_of(one=BLOCKS["entries"]), 1)
    assert [(f.code, f.words) for f in alone] == [("R7", "it has no wrong option")]
    near = lesson_of(one=VALUE.replace("answer = 4", "answer = 8.1"))
    assert [f.words for f in running.findings(near, 1) if f.code == "R7"]


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        (TREND.replace('"nodes"', '"load.rate"'), 'vary: the scenario has no "load.rate" that could be varied'),
        (TREND.replace("messages-per-entry", "tokens-none"), 'measure: "tokens-none" needs an algorithm with a token'),
        (TREND.replace("messages-per-entry", "cost"), 'measure: unknown measure "cost"'),
        (TREND + "for = 3\n", 'for: "trend" has none'),
        (VALUE.replace("for = 5", "for = 9"), "for: expected one of 2, 3, 5, got 9"),
        (TREND.replace("[3, 6]", '["a", "b"]'), "values: expected numbers above 0, for a trend"),
        (VALUE.replace("answer = 4", "cost = 4"), "wrong[0].is: expected one of measure, value, answer, got cost"),
    ],
)
def test_a_mistake_is_told_with_its_place(keys, expected):
    with pytest.raises(BadInput) as error:
        lesson_of(one=keys)
    assert str(error.value).startswith("experiments.md:14: ")
    assert expected in str(error.value)


def test_questions_about_a_measure_and_about_rules():
    ask = '## One\n~~~ predict\nask = "measure"\nmeasure = "messages-per-entry"\nuntil = 30\n~~~\n'
    lesson = read(FRONT + ask + "## End\n~~~ explain\n~~~\n", Path("x.md"))
    assert key_of(lesson)["one"].right.value == 8.0
    front = FRONT.replace("ricart-agrawala", "system-s").replace('load = { kind = "closed", think = 5.0 }\n', "")
    rules = read(front + '## One\n~~~ predict\nask = "rules"\n~~~\n## End\n~~~ explain\n~~~\n', Path("x.md"))
    first = key_of(rules)["one"].right.value
    assert first
    assert all(name.startswith("rule ") for name in first)
    with pytest.raises(BadInput, match="is no rewriting system"):
        read(FRONT + '## One\n~~~ predict\nask = "rules"\n~~~\n## End\n~~~ explain\n~~~\n', Path("x.md"))
