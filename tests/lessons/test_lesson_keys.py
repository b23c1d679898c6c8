"""The right answers of a lesson are what its run comes to: an oracle that reads only the trace agrees."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import astuple, replace
from functools import cache, partial

import pytest

from algorithms import catalog, trace_file
from algorithms.bad_input import BadInput
from algorithms.engine.observe.verdicts import BROKEN
from algorithms.engine.scenario import Event, NodeAct
from algorithms.mutual_exclusion.ricart_agrawala import RicartAgrawala
from lessons import fresh, robots
from lessons.asking import copies, moments
from lessons.asking.answers import Answer, as_json, share
from lessons.asking.moments import Condition
from lessons.asking.parting import parting_of
from lessons.fresh import instance_of
from lessons.keys import key_of
from lessons.lesson import Lesson
from lessons.linting import rules, running
from lessons.marking import StepMark, Tries, is_passed, mark, total
from lessons.reading import curriculum
from lessons.reading.reading import find, read
from lessons.task import KeyEntry
from lessons.tasks.decisions import DRAWN, BeNodeTask
from lessons.tasks.predicting import PredictTask
from tests.support import term_oracle
from tests.support.trace_oracle import TraceOracle
from visual.analysis.ledger import Ledger
from visual.command_line import main

LESSONS = curriculum.names_of_files()
INSTANCES = (1, 5)


@pytest.fixture(scope="module", params=LESSONS)
def name(request: pytest.FixtureRequest) -> str:
    """A lesson's name. Tests of one lesson run in a row, and share its key."""
    return request.param


@cache
def key_in_file(name: str) -> Mapping[str, KeyEntry]:
    """The key of a lesson as it is written."""
    return key_of(find(name))


def whole_trace(scenario) -> TraceOracle:
    run = copies.start(scenario)
    moments.seek(run, Condition("end", True))
    return TraceOracle(trace_file.lines(run.trace), scenario.until)


def expected(lesson: Lesson, task: PredictTask, entry: KeyEntry, oracle: TraceOracle):
    """The answer by the oracle."""
    step, given = entry.step, task.given
    token = token_of(lesson.scenarios[task.scenario])
    last = oracle.reached(step, task.until)
    terms = [effect["term"] for line in oracle.steps for effect in line["effects"] if "term" in effect]
    if terms and task.ask in ("rules", "refines", "breaks"):  # the first is after two steps: the launch has none
        if task.ask == "breaks":
            return term_oracle.first_breach(terms[step - 1 :])
        if task.ask == "refines":
            effect = oracle.steps[step]["effects"][0]
            return term_oracle.is_a_step_there(terms[step - 2], effect, given["system"])
        scenario = lesson.scenarios[task.scenario]
        found = {
            "system-s": term_oracle.rules_of_system_s,
            "system-search": partial(term_oracle.rules_of_search, most_messages=scenario.parameters.get("messages")),
        }[scenario.algorithm](terms[step - 2])
        return sorted(found)
    if task.ask == "messages":
        return oracle.messages(step, last, given.get("type"), given.get("by"))
    if task.ask == "per-entry":
        return round(
            oracle.messages(0, last) / sum(what == "enters" for n, what, _ in oracle.entries(0) if n <= last), 2
        )
    if task.ask == "holder":
        return oracle.holder(step, token)
    if task.ask == "leader":
        return oracle.leader(last)
    if task.ask == "breaks":
        return oracle.first_breach(step, token)
    if task.ask == "ends":
        return "no" if oracle.in_transit(len(oracle.steps)) else "yes"
    if task.ask == "many":
        scenario = lesson.scenarios[task.scenario]
        seeds = range(scenario.seed, scenario.seed + given["seeds"])
        return sum(whole_trace(replace(scenario, seed=seed)).first_breach(0, token) == given["light"] for seed in seeds)
    if task.ask == "measure":
        assert given["measure"] == "synchronisation-delay"
        return oracle.synchronization_delay(last)
    if task.ask == "can-break":  # no single trace tells: see test_challenges.py
        return as_json(entry.right)
    if task.ask == "blockers":
        scenario = lesson.scenarios[task.scenario]
        time = task.at.value
        return [
            node
            for node in range(scenario.nodes)
            if whole_trace(replace(scenario, events=(*scenario.events, Event(time, "crash", node=node)))).unserved()
        ]
    if task.ask == "stays":
        return oracle.stays(step)[: given.get("count")]
    if task.ask == "next-entry":
        return oracle.next_entry(step)
    if task.ask == "served":
        return oracle.served(step, given["node"])
    if task.ask == "relation":
        first, second = (oracle.reached(0, moment) - 1 for moment in given["events"])
        past = oracle.happened_before()
        return "before" if first in past[second] else "after" if second in past[first] else "concurrent"
    if task.ask == "sends":
        return oracle.next_sent(step, given["node"])
    if task.ask == "same-view":
        other = whole_trace(lesson.scenarios[given["beside"]])
        time = oracle.steps[step - 1]["time"]
        steps = sum(line["time"] <= time for line in other.steps)
        return "yes" if oracle.own_events(step, given["node"]) == other.own_events(steps, given["node"]) else "no"
    raise AssertionError(f"the oracle cannot answer {task.ask}")


def token_of(scenario) -> str:
    token = catalog.find(scenario.algorithm).of(scenario.variant).token
    return token.__name__ if token else ""


@pytest.mark.parametrize("number", INSTANCES)
def test_the_key_is_what_the_trace_tells(name, number):
    if number > 1 and not find(name).fresh:
        pytest.skip("the file has one instance")
    lesson = instance_of(find(name), number)
    found = key_in_file(name) if number == 1 else key_of(lesson)
    compared = 0
    traces: dict[str, TraceOracle] = {}
    for step in lesson.steps:
        task, entry = step.task, found[step.id]
        if not isinstance(task, PredictTask | BeNodeTask):
            continue
        if task.scenario not in traces:
            traces[task.scenario] = whole_trace(lesson.scenarios[task.scenario])
        oracle = traces[task.scenario]
        if isinstance(task, PredictTask):
            wanted = expected(lesson, task, entry, oracle)
            if task.within:  # a measure: the counters charge messages to requests, the oracle only counts them
                wanted = pytest.approx(wanted, rel=task.within)
            assert as_json(entry.right) == wanted, step.id
            compared += 1
        else:
            for decision in entry.right:
                drawn = {act.type for act in decision.right if act.to == DRAWN}
                acts = oracle.acts(decision.step, task.node, drawn)
                done = {(*act[:2], DRAWN) if drawn & set(act) else act for act in acts}
                assert {astuple(act)[:3] if act.type else (act.do,) for act in decision.right} == done, decision.step
                compared += 1
    assert compared


def test_the_linter_finds_nothing_in_the_course(name):
    lesson = find(name)
    found = (*rules.findings(lesson), *running.findings(lesson, 1))  # others are drawn above
    assert not [str(finding) for finding in found if finding.code != "R8"]  # which is about time


def test_robots_get_what_they_deserve(name):
    lesson = find(name)
    found = key_in_file(name)
    challenges = sum(step.task.points for step in lesson.graded() if step.task.kind == "challenge")
    points = sum(step.task.points for step in lesson.graded())
    assert total(lesson, robots.play(lesson, found, "right")) == 1.0
    assert total(lesson, robots.play(lesson, found, "wrong")) <= 0.2
    assert total(lesson, robots.play(lesson, found, "first")) <= 0.45
    at_random = [total(lesson, robots.play(lesson, found, f"random:{seed}")) for seed in range(1, 21)]
    assert sum(at_random) / len(at_random) <= 0.45 + challenges / points


def test_no_question_is_asked_beside_its_answer(name):
    """Where it is put, no monitor says yet that a request can never be served."""
    lesson = find(name)
    for form in (lesson, *(instance_of(lesson, number) for number in INSTANCES if lesson.fresh)):
        for step in form.graded():
            if isinstance(step.task, PredictTask) and step.task.at is not None:
                timeline = copies.start(form.scenarios[step.task.scenario])
                moments.seek(timeline, step.task.at)
                broken = {verdict.name for verdict in Ledger(timeline).verdicts if verdict.status == BROKEN}
                assert "ME2" not in broken, step.id


def test_fresh_instances_differ_and_stay_the_same():
    lesson = find("deferral")
    instances = [instance_of(lesson, number) for number in range(1, 7)]
    assert len({repr(instance.scenarios) for instance in instances}) == 6
    assert instance_of(lesson, 4).scenarios == instances[3].scenarios
    answers = {as_text(key_of(instance)["stays"].right) for instance in instances}
    assert len(answers) >= 3


def lesson_with(table: str, name: str = "deferral") -> Lesson:
    """A lesson of the course with another [fresh] table."""
    text = (curriculum.folder() / f"{name}.md").read_text(encoding="utf-8")
    begin = text.index("[fresh]")
    return read(text[:begin] + table + text[text.index("+++", begin) :], curriculum.folder() / f"{name}.md")


def test_an_instance_may_have_another_number_of_nodes():
    """But not so few that the load names one too many, nor where the checker explores."""
    lesson = lesson_with("[fresh]\nnodes = [2, 5, 7]\n")
    drawn = [instance_of(lesson, number).scenarios for number in range(2, 14)]
    assert {scenarios["main"].nodes for scenarios in drawn} == {5, 7}
    assert {scenarios["impatient"].nodes for scenarios in drawn} == {lesson.scenarios["impatient"].nodes}
    assert key_of(instance_of(lesson, 2))["stays"].right.kind == "stays"


def test_a_scenario_may_be_changed_in_its_own_way():
    """With a table of its own it takes from [fresh] only the keys that it leaves out; the others are not touched."""
    lesson = lesson_with(
        "[fresh]\njitter = 0.3\n[fresh.scenario.alone]\nnodes = [6, 8]\nexchange = [1, 3]\n", "ask-everybody"
    )
    drawn = [instance_of(lesson, number) for number in range(2, 14)]
    assert {instance.scenarios["alone"].nodes for instance in drawn} == {6, 8}
    asking = {instance.scenarios["alone"].load.requests[0].node for instance in drawn}
    assert asking == {1, 3}
    for instance in drawn:
        (request,) = instance.scenarios["alone"].load.requests
        assert instance.step("cost").task.at.value == request.node
        assert 0.7 <= request.at <= 1.3
        assert {request.node for request in instance.scenarios["tie"].load.requests} == {1, 2}
        assert instance.scenarios["tie"].nodes == lesson.scenarios["tie"].nodes


def test_slow_links_go_with_the_nodes_that_exchange_their_parts():
    lesson = lesson_with("[fresh]\nexchange = [0, 1, 2]\n", "before")
    for number in range(2, 8):
        scenario = instance_of(lesson, number).scenarios["cross"]
        first, _, last = sorted(scenario.load.requests, key=lambda request: request.at)
        assert [(link.node, link.to) for link in scenario.network.links] == [(first.node, last.node)]


def test_a_wrong_option_may_ask_otherwise_about_the_same_run():
    """P3's request costs a request and a reply for each of the other four; the requests alone are half of that."""
    entry = key_of(find("ask-everybody"))["cost"]
    assert (entry.right.value, entry.options[1].answer.value) == (8, 4)
    assert key_of(find("ask-one"))["cost"].options[1].answer.value == 2  # until it enters, not until it has left
    since_the_request = key_of(find("ring"))["idle"].options[0].answer.value
    assert since_the_request == 5  # once round, less the hop that is just being made


def test_where_no_instance_fits_the_search_ends_soon(monkeypatch):
    """Nothing changes, so a wrong option stays right; the longer the run, the fewer draws."""
    text = (curriculum.folder() / "ring.md").read_text(encoding="utf-8")
    long = text.replace("until = { enters = 4, nth = 2 }", "until = { enters = 4 }").replace(
        'use = "busy-ring"', 'use = "busy-ring"\nuntil = 250.0'
    )
    lesson = read(long, curriculum.folder() / "ring.md")
    monkeypatch.setattr(fresh, "STEPS_OF_DRAWS", 3_000)
    with pytest.raises(BadInput, match=r"cannot be told apart: \d drawn, none fits"):
        instance_of(lesson, 2)


def as_text(answer: Answer) -> str:
    return json.dumps(as_json(answer))


def test_nodes_exchange_their_parts_in_text_questions_and_runs():
    lesson = find("deferral")
    instance = next(i for i in (instance_of(lesson, n) for n in range(2, 12)) if "You are P1" not in i.steps[1].heading)
    node = instance.steps[1].task.node
    assert instance.steps[1].heading == f"You are P{node}"
    asked = {request.node for request in instance.scenarios["main"].load.requests}
    assert asked == {1, 2, 3}
    assert instance.scenarios["crashed"].events[-1].node == node  # the crash that P1's part suffers


def test_no_key_is_stored(monkeypatch):
    """With the comparison of two requests turned round, other answers are right, and the oracle agrees."""
    before = as_text(key_of(find("deferral"))["stays"].right)
    monkeypatch.setattr(RicartAgrawala, "goes_before", lambda self, request: self.stamp > request.stamp)
    lesson = find("deferral")
    entry = key_of(lesson)["stays"]
    assert as_text(entry.right) != before
    assert as_json(entry.right) == whole_trace(lesson.scenarios["main"]).stays(entry.step)


def test_a_wrong_decision_is_recognized_as_a_mutants():
    lesson = find("deferral")
    decisions = key_of(lesson)["be-p1"].right
    kept = next(decision for decision in decisions if not decision.right and decision.mutants)
    assert set(kept.mutants) == {"neither-defers", "current-clock"}
    on_leaving = decisions[-1]
    assert dict(on_leaving.mutants) == {"forgetful": frozenset()}


def test_two_algorithms_part_where_the_first_effect_differs():
    scenario = find("deferral").scenarios["main"]
    parting = parting_of(scenario, replace(scenario, variant="neither-defers"))
    assert parting is not None
    line = whole_trace(scenario).steps[parting.step - 1]
    assert (line["event"]["message"], line["event"]["from"], line["event"]["to"]) == ("Request", 3, 1)
    assert parting.time == line["time"]
    assert parting_of(scenario, scenario) is None


def test_a_receiver_that_chance_decides_is_left_open():
    """A wandering token goes to a node drawn at random; where nothing is drawn, each receiver is asked for."""
    drawn = [decision for decision in key_of(find("wandering"))["be-p4"].right if decision.is_asked]
    assert frozenset({NodeAct("send", "Token", DRAWN)}) in [decision.right for decision in drawn]
    assert frozenset({NodeAct("enter")}) in [decision.right for decision in drawn]
    assert not [act for decision in drawn for act in decision.right if act.do == "send" and act.to != DRAWN]
    kept = [decision for decision in key_of(find("deferral"))["be-p1"].right if decision.right]
    assert not [act for decision in kept for act in decision.right if act.to == DRAWN]


def test_the_first_run_that_goes_wrong_is_shown():
    """It ends where the property breaks; no seed before it breaks it."""
    task = find("find-the-schedule").step("many").task
    scenario = find("find-the-schedule").scenarios["main"]
    example = key_of(find("find-the-schedule"))["many"].right.example
    assert whole_trace(example).first_breach(0, "") == task.given["light"]
    earlier = range(scenario.seed, example.seed)
    assert not [s for s in earlier if whole_trace(replace(scenario, seed=s)).first_breach(0, "") != "nothing"]


def test_answers_that_take_too_long_are_found(monkeypatch):
    monkeypatch.setattr(running, "MOST_SECONDS", -1.0)
    found = {finding.line for finding in running.findings(find("deferral"), 1) if finding.code == "R8"}
    assert found == {step.line for step in find("deferral").steps if not running.asks_checker(step.task)}


def test_answers_in_a_file_are_marked(tmp_path, capsys):
    """What the key says is right has full marks; a wrong option has its reason; what is left out is skipped."""
    assert main(["lesson", "before", "--key", "--json"]) == 0
    steps = {step["id"]: step for step in json.loads(capsys.readouterr().out)["steps"]}
    right = {id: step["right"] for id, step in steps.items() if step["kind"] in ("predict", "order", "be-node")}
    answers = {id: _given(value) for id, value in right.items()}
    file = tmp_path / "mine.json"

    def marked(answers: dict) -> tuple[int, dict]:
        file.write_text(json.dumps(answers))
        code = main(["lesson", "before", "--answers", str(file), "--json"])
        return code, json.loads(capsys.readouterr().out or "{}")

    code, table = marked(answers)
    assert (code, table["total"], table["passed"]) == (0, 1.0, True)
    code, table = marked({**answers, "order": steps["order"]["wrong"][0]["value"]})
    (wrong,) = (step for step in table["steps"] if step["mark"] < 1.0)
    assert (wrong["id"], wrong["shows"], wrong["why"][:17]) == ("order", "M1", "That is the order")
    code, table = marked({id: value for id, value in answers.items() if id != "pairs"})
    assert (code, [step["id"] for step in table["steps"] if step["skipped"]]) == (1, ["pairs"])


def test_the_moves_of_a_challenge_in_a_file_are_made_and_marked(tmp_path, capsys):
    late = [["request", 1], ["fire", 1]]
    detour = [["deliver", 1, 0], ["deliver", 2, 0, "Request"], ["deliver", 0, 2]]
    for moves, value in (
        ([["request", 0], ["fire", 0], *late], 1.0),
        ([["request", 0], *detour, ["fire", 0], *late], 0.6),
        ([["request", 0]], 0.0),
        ("impossible", 0.0),
    ):
        file = tmp_path / "mine.json"
        file.write_text(json.dumps({"break-it": moves}))
        assert main(["lesson", "deferral", "--answers", str(file), "--json"]) == 1
        steps = json.loads(capsys.readouterr().out)["steps"]
        assert next(step["mark"] for step in steps if step["id"] == "break-it") == value


def _given(right):
    """What the key has, as an answer."""
    if isinstance(right, dict) and "parts" in right:
        return [part["right"] for part in right["parts"]]
    if isinstance(right, dict):
        return right.get("past", sorted(right.get("start", ())))
    if isinstance(right, list) and isinstance(right[0], dict):
        return [one["acts"] for one in right if one["acts"] or one["mutants"]]
    return right


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[1]", "expected an object with the id of each step and its answer"),
        ("{", "not valid JSON"),
        ('{"stayed": 1}', 'unknown step "stayed"; did you mean stays or same?'),
        ('{"stays": 5}', "stays: expected an answer of the kind stays, got 5"),
        ('{"be-p1": []}', "be-p1: expected a list of 5 answers, got []"),
        ('{"be-p1": [1, 2, 3, 4, 5]}', "be-p1: expected a list of acts, such as"),
        ('{"break-it": 4}', 'break-it: expected "impossible", or a list of moves such as ["request", 1], got 4'),
        ('{"break-it": [["request", 0], ["request", 0]]}', "break-it[1]: expected a move that can be made then"),
    ],
)
def test_answers_that_make_no_sense_are_told_with_their_place(text, expected, tmp_path, capsys):
    file = tmp_path / "mine.json"
    file.write_text(text)
    assert main(["lesson", "deferral", "--answers", str(file)]) == 2
    assert f"{file}: {expected}" in capsys.readouterr().err.replace("\n", " ")


def test_marks_take_tries_and_help_into_account():
    step = find("deferral").step("stays")
    assert mark(step, Tries((1.0,))) == StepMark(1.0)
    assert mark(step, Tries((0.0, 1.0))) == StepMark(0.5)
    assert mark(step, Tries((0.0, 0.0, 1.0))) == StepMark(0.25)
    assert mark(step, Tries((1.0,), hints=2)) == StepMark(0.5)
    assert mark(step, Tries((1.0,), hints=3)) == StepMark(0.25)
    assert mark(step, Tries((1.0,), is_shown=True)) == StepMark(0.0)
    assert mark(step, Tries(is_skipped=True)) == StepMark(0.0, is_skipped=True)


def test_a_lesson_with_a_skipped_step_is_not_passed():
    lesson = find("deferral")
    marks = {step.id: StepMark(1.0) for step in lesson.graded()}
    assert is_passed(lesson, marks)
    marks["same"] = StepMark(0.0, is_skipped=True)
    assert not is_passed(lesson, marks)


def test_a_share_of_an_answer_is_right():
    right = Answer("set", frozenset({1, 2, 3}))
    assert share(right, Answer("set", frozenset({1, 2}))) == pytest.approx(2 / 3)
    assert share(Answer("stays", ((1,), (3,))), Answer("stays", ((1,), (2,)))) == 0.5
    assert share(Answer("number", 20), Answer("number", 22), within=0.1) == 1.0
    assert share(Answer("number", 20), Answer("number", 23), within=0.1) == 0.5
    assert share(Answer("node", 1), Answer("node", "nobody")) == 0.0


def test_the_command_prints_the_key_and_its_findings(capsys):
    assert main(["lesson", "deferral", "--key", "--json"]) == 0
    table = json.loads(capsys.readouterr().out)
    assert {step["id"]: step.get("right") for step in table["steps"]}["stays"] == [[1], [3]]
    assert main(["lesson", "--list"]) == 0
    assert "deferral" in capsys.readouterr().out
    assert main(["lesson", "nothing"]) == 2
    assert main(["lesson", "deferral", "--robot", "wrong"]) == 1
