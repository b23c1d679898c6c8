"""Repairs: what the checker accepts is what a search finds unbroken that knows nothing of the program."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from pathlib import Path

import pytest

from algorithms.bad_input import BadInput
from lessons import robots
from lessons.attempt import Attempt
from lessons.keys import key_of
from lessons.linting import running
from lessons.marking import total
from lessons.reading.reading import read
from lessons.tasks.repairing import UNUSED

FRONT = """+++
format = 1
title = "Repairs"
minutes = 6
ideas = ["line"]
misconceptions = ["M2"]
[scenario.main]
use = "equal-stamps"
+++
"""
SMALL = "nodes = 2\nrequests = 2\n"
CHOOSE = 'form = "choose"\nmethod = "goes_before"\nvariants = ["current-clock", "neither-defers", "both-defer"]\n'
BLOCKS = {
    "choose": CHOOSE + SMALL,
    "acquire": f'form = "arrange"\nmethod = "acquire"\n{SMALL}',
    "release": f'form = "arrange"\nmethod = "release"\n{SMALL}',
}


def lesson_of(**blocks: str):
    steps = (f"## {name}\n~~~ repair\n{keys}~~~\n" for name, keys in blocks.items())
    return read(FRONT + "".join(steps) + "## End\n~~~ explain\n~~~\n", Path("repairs.md"))


@pytest.fixture(scope="module")
def lesson():
    return lesson_of(**BLOCKS)


@pytest.fixture(scope="module")
def found(lesson):
    return {name: entry.right for name, entry in key_of(lesson).items()}


# ---- two processes of Ricart & Agrawala, written once more ----------------------------------------------------

ACQUIRE = ("clock", "stamp", "awaiting", "send")
RELEASE = ("unstamp", "reply", "undefer")
State = tuple  # (nodes, channels): node = (clock, stamp, awaits, defers, phase, requests left)


class FailsError(Exception):
    pass


def ordinary(mine: tuple, theirs: tuple) -> bool:
    return mine < theirs


class Model:
    def __init__(self, acquire=ACQUIRE, release=RELEASE, older=ordinary) -> None:
        self.acquire, self.release, self.older = acquire, release, older

    def start(self) -> State:
        return (((0, None, False, False, "idle", 2),) * 2, ((), ()))

    def moves(self, state: State) -> Iterator[tuple[bool, State]]:
        """(whether it is a request, the state after)."""
        nodes, channels = state
        for i in range(2):
            clock, stamp, awaits, defers, phase, left = nodes[i]
            sent: list = []
            if phase == "idle" and left:
                for line in self.acquire:
                    if line == "clock":
                        clock += 1
                    elif line == "stamp":
                        stamp = (clock, i)
                    elif line == "awaiting":
                        awaits = True
                    else:
                        sent.append(("request", stamp))
                yield True, self.after(state, i, (clock, stamp, awaits, defers, "waiting", left - 1), sent)
            if phase == "inside":
                for line in self.release:
                    if line == "unstamp":
                        stamp = None
                    elif line == "reply" and defers:
                        sent.append(("reply", None))
                    elif line == "undefer":
                        defers = False
                yield False, self.after(state, i, (clock, stamp, awaits, defers, "idle", left), sent)
            if channels[i]:
                yield False, self.receive(state, i)

    def receive(self, state: State, i: int) -> State:
        nodes, channels = state
        clock, stamp, awaits, defers, phase, left = nodes[i]
        (kind, theirs), *rest = channels[i]
        sent: list = []
        if kind == "reply":
            awaits = False
        elif theirs is None:
            raise FailsError
        else:
            clock = max(clock, theirs[0])
            if stamp and self.older(stamp, theirs):
                defers = True
            else:
                sent.append(("reply", None))
        state = (nodes, (tuple(rest), channels[1]) if i == 0 else (channels[0], tuple(rest)))
        return self.after(state, i, (clock, stamp, awaits, defers, phase, left), sent)

    def after(self, state: State, i: int, node: tuple, sent: list) -> State:
        nodes, channels = list(state[0]), list(state[1])
        if node[4] == "waiting" and not node[2]:
            node = (*node[:4], "inside", node[5])
        nodes[i] = node
        channels[1 - i] = (*channels[1 - i], *sent)
        return (tuple(nodes), tuple(channels))

    def broken(self) -> tuple[str, int]:
        """The property that breaks first, and the number of moves until then; ("", 0) if none does."""
        depth, graph, fringe = {self.start(): 0}, {}, [self.start()]
        for state in fringe:
            if [node[4] for node in state[0]] == ["inside"] * 2:
                return "ME1", depth[state]
            try:
                graph[state] = list(self.moves(state))
            except FailsError:
                return "no error", depth[state] + 1
            for _, other in graph[state]:
                if other not in depth:
                    depth[other] = depth[state] + 1
                    fringe.append(other)
        stuck = [depth[state] for state, moves in graph.items() if _waits(state) and all(asks for asks, _ in moves)]
        if stuck:
            return "ME2", min(stuck)
        doomed = []
        for i in range(2):
            served = {state for state in graph if state[0][i][4] != "waiting"}
            while more := {
                s for s, moves in graph.items() if s not in served and any(o in served for r, o in moves if not r)
            }:
                served |= more
            doomed += [depth[state] for state in graph if state not in served]
        return ("ME2", min(doomed)) if doomed else ("", 0)


def _waits(state: State) -> bool:
    return any(node[4] == "waiting" for node in state[0])


def verdict(outcome) -> tuple[str, int]:
    return outcome.broken, outcome.moves


@pytest.mark.parametrize(("name", "lines"), [("acquire", ACQUIRE), ("release", RELEASE)])
def test_every_order_of_lines_is_judged_as_an_independent_search_judges_it(found, name, lines):
    key = found[name]
    right = 0
    for order in permutations(range(len(lines))):
        expected = Model(**{name: [lines[place] for place in order]}).broken()
        assert verdict(key.judge(order)) == expected, order
        assert (key.share(order) == 1.0) == (expected[0] == "")
        right += not expected[0]
    assert right == {"acquire": 4, "release": 3}[name]


def test_every_body_is_judged_as_an_independent_search_judges_it(found):
    expected = {
        None: Model().broken(),
        "neither-defers": Model(older=lambda mine, theirs: mine[0] < theirs[0]).broken(),
        "both-defer": Model(older=lambda mine, theirs: mine[0] <= theirs[0]).broken(),
    }
    outcomes = {option.variant: verdict(option.outcome) for option in found["choose"].options}
    assert {name: outcomes[name] for name in expected} == expected
    assert outcomes["current-clock"] == ("ME1", 6)


def test_a_counter_example_shows_what_breaks(found):
    from lessons.asking import copies, moments
    from lessons.asking.moments import Condition
    from lessons.asking.run_events import Watch

    for option in found["choose"].options:
        if option.outcome.broken == "ME1":
            run = copies.start(option.outcome.example)
            assert moments.seek(run, Condition("light", "ME1"))
            assert Watch(run).situation is not None


def test_an_attempt_tells_what_the_checker_finds(lesson):
    attempt = Attempt(lesson)
    key = attempt.entry.right
    wrong = next(place for place, option in enumerate(key.options) if option.variant == "both-defer")
    verdict = attempt.answer(wrong)
    assert (verdict.share, verdict.misconception) == (0.3, "M2")
    assert attempt.example is not None
    attempt.forward()
    assert attempt.hides_code
    assert not attempt.answer().is_right
    assert not attempt.hides_code


def test_lines_of_a_variant_are_mixed_in_and_must_be_left_out():
    key = key_of(lesson_of(one=BLOCKS["acquire"] + 'intruders = ["impatient"]\n'))["one"].right
    assert len(key.lines) == 5
    assert key.own == 4
    assert key.start[-1] == UNUSED
    assert key.share(key.right_order()) == 1.0
    assert key.share((0, 2, 1, 3, UNUSED, 4)) == 1.0
    assert key.share((0, 1, 2, 3, 4, UNUSED)) == 0.0
    assert key.share((0, 1, 2, UNUSED, 3, 4)) == 0.0


def test_robots_get_what_they_deserve(lesson):
    key = key_of(lesson)
    assert total(lesson, robots.play(lesson, key, "right")) == 1.0
    assert total(lesson, robots.play(lesson, key, "wrong")) <= 0.3


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        (CHOOSE.replace("goes_before", "acquire"), 'does not change "acquire"; it changes goes_before'),
        (CHOOSE.replace("goes_before", "come"), 'method: ricart-agrawala has no method "come"'),
        (CHOOSE.replace("both-defer", "both"), 'variants[2]: unknown variant of ricart-agrawala "both"; did you mean'),
        ('form = "arrange"\nmethod = "on_reply"\n', '"on_reply" has 1 statement; expected 3 to 6'),
        ('form = "arrange"\nmethod = "release"\nintruders = ["forgetful"]\n', 'forgetful adds no line to "release"'),
        (
            'form = "sort"\nmethod = "release"\n',
            'form: unknown form of a repair "sort"; expected choose or arrange',
        ),
    ],
)
def test_a_mistake_is_told_with_its_place(keys, expected):
    with pytest.raises(BadInput) as error:
        key_of(lesson_of(one=keys))
    assert str(error.value).startswith("repairs.md:11: ")
    assert expected in str(error.value)


def test_the_linter_tells_when_every_body_is_right():
    same = BLOCKS["choose"].replace('"current-clock", "neither-defers", "both-defer"', '"both-defer"')
    assert not [f for f in running.findings(lesson_of(one=same), 1) if f.code == "R6"]
    alone = same.replace("requests = 2", "requests = 1\nnodes = 1").replace("nodes = 2\n", "")
    assert [f.words for f in running.findings(lesson_of(one=alone), 1) if f.code == "R6"] == ["all options are right"]


def test_the_two_forms_of_a_rule_are_told_apart():
    """A rewriting system has rules in place of methods: the printed rule takes any message for the token."""
    front = FRONT.replace(
        'use = "equal-stamps"',
        'algorithm = "system-binary-search"\nnodes = 2\nparameters = { requests = 1, history = 1 }',
    )
    keys = 'form = "{}"\nmethod = "{}"\nvariants = ["{}"]\nstates = 2000\n'  # the printed rule has no end of states

    def key(*values: str):
        text = front + f"## One\n~~~ repair\n{keys.format(*values)}~~~\n## End\n~~~ explain\n~~~\n"
        return key_of(read(text, Path("x.md")))["one"].right

    found = key("choose", "rule 3", "printed-3")
    assert {option.variant: option.outcome.broken for option in found.options} == {None: "", "printed-3": "one token"}
    assert all("→" in option.text for option in found.options)
    for values, words in (
        (("choose", "rule 9", "printed-3"), 'has no method "rule 9"'),
        (("choose", "rule 3", "printed-4"), 'printed-4 does not change "rule 3"'),
        (("arrange", "rule 3", "printed-3"), "expected choose"),
    ):
        with pytest.raises(BadInput, match=words):
            key(*values)
