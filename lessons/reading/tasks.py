"""The body of a block -> a task, with every name checked against the lesson and its scenario."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from algorithms import catalog
from algorithms.engine.check.choices import REGULAR
from algorithms.engine.check.moves import Bounds
from algorithms.engine.process import Algorithm
from algorithms.engine.rewrite import system_of
from algorithms.engine.scenario import Scenario
from algorithms.scenario_format.events import read_event
from algorithms.scenario_format.loads import read_node
from algorithms.scenario_format.place import Place
from algorithms.scenario_format.tables import describe, read_keys
from lessons.asking.answers import from_file
from lessons.asking.moments import Condition
from lessons.asking.questions import QUESTIONS, refinement_of
from lessons.reading import curriculum
from lessons.reading.conditions import read_condition, read_light
from lessons.reading.schema import COMMON, NEEDS, OTHERWISE, QUESTION_KEYS, QUIZ_WRONG, TASKS, VIEWS, WRONG
from lessons.task import Task, Wrong
from lessons.tasks import experiments
from lessons.tasks.challenges import BOUNDS, ChallengeTask
from lessons.tasks.decisions import BeNodeTask
from lessons.tasks.experiments import ExperimentTask
from lessons.tasks.measures import MEASURES, trouble_with
from lessons.tasks.ordering import FORMS as ORDER_FORMS
from lessons.tasks.ordering import OrderTask
from lessons.tasks.predicting import RULES, PredictTask, QuizOption, QuizTask
from lessons.tasks.repairing import FORMS as REPAIR_FORMS
from lessons.tasks.repairing import RepairTask
from lessons.tasks.watching import ActTask, ExplainTask, LookTask, RunTask

_MOVES = (*REGULAR, "crash", "drop", "duplicate", "reset")
FEWEST_WORDS, MOST_WORDS = 5, 60  # of a why
MOST_WRONG = 6
MOST_VARIANTS = 4  # of a repair


def read_task(
    kind: str,
    table: Mapping[str, Any],
    scenarios: Mapping[str, Scenario],
    before: str,
    ideas: tuple[str, ...],
    usual_id: str,
    place: Place,
) -> Task:
    """The task of a block; `before` is the scenario of the step before, `usual_id` the id if the block gives none."""
    keys = {**COMMON, **TASKS[kind]}
    given = read_keys(dict(table), keys, place, NEEDS.get(kind, ()))
    name = given.get("scenario", before)
    place.at("scenario").check_known("scenario", name, scenarios)
    scenario = scenarios[name]
    common = _common(given, scenario, ideas, place)
    common.update(place=place, id=given.get("id", usual_id), scenario=name)
    return _READERS[kind](given, common, scenario, scenarios, place)


def _common(given: dict[str, Any], scenario: Scenario, ideas: tuple[str, ...], place: Place) -> dict[str, Any]:
    found = _some(given, "show", "view", "node", "about", "points", "hints")
    if "at" in given:
        found["at"] = read_condition(given["at"], scenario, place.at("at"))
    if found.get("view", "both") not in VIEWS:
        raise place.at("view").unknown("view", found["view"], VIEWS)
    if "node" in found:
        read_node(found["node"], scenario.nodes, place.at("node"))
    if found.get("view") == "local" and "node" not in found:
        raise place.at("node").wrong("expected the node whose view it is, got nothing")
    for i, idea in enumerate(found.get("about", ())):
        place.at("about").at(i).check_known("idea", idea, ideas)
    return found


def _some(given: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    """The keys that are given, of these."""
    return {key: given[key] for key in keys if key in given}


def _algorithm(scenario: Scenario) -> Algorithm:
    return catalog.find(scenario.algorithm).of(scenario.variant)


def _plain(cls: Callable[..., Task]) -> Callable[..., Task]:
    return lambda given, common, scenario, scenarios, place: cls(**common)


def _run(given: Any, common: Any, scenario: Scenario, scenarios: Any, place: Place) -> Task:
    until = read_condition(given["until"], scenario, place.at("until"))
    return RunTask(**common, until=until, **_some(given, "speed", "jump"))


def _act(given: Any, common: Any, scenario: Scenario, scenarios: Any, place: Place) -> Task:
    here = place.at("do")
    for key in ("at", "step", "every", "by_hand"):
        if key in given["do"]:
            raise here.at(key).wrong("the learner chooses when: expected an event without a time")
    event = read_event({"at": 0.0, **given["do"]}, _algorithm(scenario), scenario.nodes, here)
    until = read_condition(given.get("until", {"end": True}), scenario, place.at("until"))
    return ActTask(**common, do=event, until=until)


# ---- questions ---------------------------------------------------------------------------------------------


def _predict(given: Any, common: Any, scenario: Scenario, scenarios: Mapping[str, Scenario], place: Place) -> Task:
    name = given["ask"]
    place.at("ask").check_known("question", name, QUESTIONS)
    question = QUESTIONS[name]
    own = _question_keys(name, given, scenario, place)
    if name == "rules" and system_of(_algorithm(scenario)) is None:
        raise place.at("ask").wrong(f"{scenario.algorithm} is no rewriting system")
    _check_question(own, scenario, scenarios, place)
    if question.needs_until and "until" not in given:
        raise place.at("until").wrong(f'expected a condition, which "{name}" needs, got nothing')
    wrong = [
        _wrong(table, question.kind, own, scenario, scenarios, place.at("wrong").at(i))
        for i, table in enumerate(given.get("wrong", []))
    ]
    if len(wrong) > MOST_WRONG:
        raise place.at("wrong").expected(f"at most {MOST_WRONG} wrong options", len(wrong))
    return PredictTask(
        **common,
        ask=name,
        given=own,
        until=read_condition(given["until"], scenario, place.at("until")) if "until" in given else None,
        wrong=tuple(wrong),
        **_some(given, "within", "other"),
    )


def _question_keys(name: str, given: Mapping[str, Any], scenario: Scenario, place: Place) -> dict[str, Any]:
    """The given keys of a question. BadInput if it has no such key, or lacks one."""
    own = _some(given, "node", *QUESTION_KEYS)
    allowed = {key.rstrip("?") for key in QUESTIONS[name].keys}
    for key in QUESTION_KEYS:
        if key in own and key not in allowed:
            raise place.at(key).wrong(f'"{name}" does not ask for that; it needs {", ".join(allowed) or "nothing"}')
    for key in QUESTIONS[name].keys:
        if not key.endswith("?") and key not in own:
            raise place.at(key).wrong(f"expected {describe({**COMMON, **QUESTION_KEYS}[key])}, got nothing")
    if "events" in given and not isinstance(own["events"][0], Condition):  # those of the step have been read
        here = place.at("events")
        own["events"] = [read_condition(value, scenario, here.at(i)) for i, value in enumerate(own["events"])]
    return own


def _check_question(own: dict[str, Any], scenario: Scenario, scenarios: Mapping[str, Scenario], place: Place) -> None:
    algorithm = _algorithm(scenario)
    if "beside" in own and own["beside"] not in scenarios:
        raise place.at("beside").unknown("scenario", own["beside"], scenarios)
    if "light" in own:
        read_light(own["light"], scenario, place.at("light"))
    if "measure" in own:
        _check_measure(own["measure"], scenario, place)
    if "system" in own and refinement_of(scenario.algorithm, own["system"]) is None:
        raise place.at("system").wrong(f"no paper claims that {scenario.algorithm} refines {own['system']}")
    if "by" in own:
        read_node(own["by"], scenario.nodes, place.at("by"))
    if "type" in own:
        names = [message.__name__ for message in algorithm.looks]
        place.at("type").check_known(f"message of {algorithm.name}", own["type"], names)
    if "variable" in own:
        process = catalog.simulation(scenario).processes[own["node"]]
        place.at("variable").check_known(f"variable of {algorithm.name}", own["variable"], vars(process))


def _check_measure(name: str, scenario: Scenario, place: Place) -> None:
    place.at("measure").check_known("measure", name, MEASURES)
    if words := trouble_with(name, _algorithm(scenario)):
        raise place.at("measure").wrong(words)


def _wrong(
    table: Any, kind: str, own: dict[str, Any], scenario: Scenario, scenarios: Mapping[str, Scenario], place: Place
) -> Wrong:
    given = read_keys(table, WRONG, place, tuple(WRONG))
    rule, argument = _is(given["is"], place.at("is"))
    here = place.at("is").at(rule)
    if rule == "variant":
        variants = catalog.find(scenario.algorithm).variants
        here.check_known(f"variant of {scenario.algorithm}", argument, variants)
    elif rule in ("algorithm", "cost"):
        here.check_known("algorithm", argument, catalog.by_name())  # never a file of code
        if rule == "cost" and catalog.find(argument).cost is None:
            raise here.wrong(f"{argument} has no formula for its cost")
    elif rule == "scenario" and argument not in scenarios:
        raise here.unknown("scenario", argument, scenarios)
    elif rule == "ask" and argument not in QUESTIONS:
        raise here.unknown("question", argument, QUESTIONS)
    elif rule == "answer" and from_file(kind, argument) is None:
        raise here.expected(f"an answer of the kind {kind}", argument)
    check_why(given["why"], given["misconception"], place)
    wrong = Wrong(rule, argument, given["why"], given["misconception"], place)
    return _otherwise(wrong, own, scenario, scenarios, given["is"]) if rule == "ask" else wrong


def _otherwise(
    wrong: Wrong, own: dict[str, Any], scenario: Scenario, scenarios: Mapping[str, Scenario], table: Any
) -> Wrong:
    """A wrong option that answers another question, or the same one with other keys or at another moment.

    Keys that it leaves out are those of the step's question, in `own`.
    """
    place, name = wrong.place.at("is"), wrong.argument
    given = read_keys(table, OTHERWISE, place)
    inherited = {key: value for key, value in own.items() if key in {key.rstrip("?") for key in QUESTIONS[name].keys}}
    asked = _question_keys(name, {**inherited, **given}, scenario, place)
    _check_question(asked, scenario, scenarios, place)
    at, until = (
        read_condition(given[key], scenario, place.at(key)) if key in given else None for key in ("at", "until")
    )
    return replace(wrong, given=asked, at=at, until=until)


def _is(table: dict[str, Any], place: Place) -> tuple[str, Any]:
    rule = "ask" if "ask" in table else next(iter(table), "")
    if rule not in RULES or (rule != "ask" and len(table) != 1):
        raise place.wrong(f"expected one of {', '.join(RULES)}, got {', '.join(table) or 'nothing'}")
    return rule, table[rule]


def check_why(why: str, misconception: str, place: Place) -> None:
    """Check the length of an explanation, and the name of what it shows."""
    words = len(why.split())
    if not FEWEST_WORDS <= words <= MOST_WORDS:
        got = f"{words} words" if words else "nothing"
        raise place.at("why").wrong(f"expected why it is wrong, in {FEWEST_WORDS} to {MOST_WORDS} words, got {got}")
    if misconception != curriculum.NONE and misconception not in curriculum.misconceptions():
        raise place.at("misconception").unknown(
            "misconception", misconception, (*curriculum.misconceptions(), curriculum.NONE)
        )


def _quiz(given: Any, common: Any, scenario: Scenario, scenarios: Any, place: Place) -> Task:
    options = []
    for i, table in enumerate(given["wrong"]):
        here = place.at("wrong").at(i)
        option = QuizOption(**read_keys(table, QUIZ_WRONG, here, tuple(QUIZ_WRONG)))
        check_why(option.why, option.misconception, here)
        options.append(option)
    if not 1 <= len(options) <= MOST_WRONG:
        raise place.at("wrong").expected(f"1 to {MOST_WRONG} wrong options", len(options))
    return QuizTask(**common, ask=given["ask"], right=given["right"], wrong=tuple(options))


# ---- doing -------------------------------------------------------------------------------------------------


def _be_node(given: Any, common: Any, scenario: Scenario, scenarios: Any, place: Place) -> Task:
    for i, name in enumerate(given.get("decide", ())):
        place.at("decide").at(i).check_known("decision", name, BeNodeTask.decide)
    return BeNodeTask(
        **common,
        until=read_condition(given["until"], scenario, place.at("until")),
        **_some(given, "decide", "fields", "source"),
    )


def _challenge(given: Any, common: Any, scenario: Scenario, scenarios: Any, place: Place) -> Task:
    for i, name in enumerate(given.get("allow", ())):
        place.at("allow").at(i).check_known("move", name, _MOVES)
    goal = read_condition(given["goal"], scenario, place.at("goal"))
    if goal.kind not in ("light", "applies"):
        raise place.at("goal").wrong(f"expected light, or applies in a rewriting system, got {goal.kind}")
    bounds = Bounds(**_some(given, *BOUNDS))
    return ChallengeTask(**common, goal=goal, bounds=bounds, **_some(given, "moves", "allow", "why", "states"))


def _order(given: Any, common: Any, scenario: Scenario, scenarios: Any, place: Place) -> Task:
    what = given["what"]
    place.at("what").check_known("form of an order", what, ORDER_FORMS)
    if (what == "values") != ("variable" in given):
        words = "expected the variable whose values are asked for" if what == "values" else "only values have one"
        raise place.at("variable").wrong(words)
    if what == "values" and given["variable"] not in vars(catalog.simulation(scenario).processes[0]):
        names = vars(catalog.simulation(scenario).processes[0])
        raise place.at("variable").unknown(f"variable of {scenario.algorithm}", given["variable"], names)
    between = (read_condition(value, scenario, place.at("between").at(i)) for i, value in enumerate(given["between"]))
    return OrderTask(**common, what=what, between=tuple(between), **_some(given, "count", "variable"))


def _repair(given: Any, common: Any, scenario: Scenario, scenarios: Any, place: Place) -> Task:
    form = given["form"]
    place.at("form").check_known("form of a repair", form, REPAIR_FORMS)
    known = catalog.find(scenario.algorithm).variants
    for name in ("variants", "intruders"):
        for i, variant in enumerate(given.get(name, ())):
            place.at(name).at(i).check_known(f"variant of {scenario.algorithm}", variant, known)
    if form == "choose" and not 1 <= len(given.get("variants", ())) <= MOST_VARIANTS:
        raise place.at("variants").expected(f"1 to {MOST_VARIANTS} variants", len(given.get("variants", ())))
    more = _some(given, "variants", "intruders", "nodes", "states")
    return RepairTask(**common, form=form, method=given["method"], bounds=Bounds(**_some(given, *BOUNDS)), **more)


def _experiment(given: Any, common: Any, scenario: Scenario, scenarios: Any, place: Place) -> Task:
    place.at("ask").check_known("question", given["ask"], experiments.ASKS)
    _check_measure(given["measure"], scenario, place)
    ask, values = given["ask"], given["values"]
    if (ask == "value") != ("for" in given):
        raise place.at("for").wrong(
            f'"{ask}" {"needs the value that is asked about" if ask == "value" else "has none"}'
        )
    if ask == "value" and given["for"] not in values:
        raise place.at("for").expected(f"one of {', '.join(map(str, values))}", given["for"])
    if (ask == "first-above") != ("above" in given):
        raise place.at("above").wrong(f'"{ask}" {"needs a threshold" if ask == "first-above" else "has none"}')
    if ask == "trend" and not all(isinstance(v, int | float) and v > 0 for v in values):
        raise place.at("values").expected("numbers above 0, for a trend", list(values))
    task = ExperimentTask(
        **common,
        **_some(given, "vary", "values", "seeds", "measure", "ask", "above", "within", "other"),
        at_value=given.get("for"),
        until=read_condition(given["until"], scenario, place.at("until")) if "until" in given else None,
        wrong=tuple(
            _measured(table, ask, values, place.at("wrong").at(i)) for i, table in enumerate(given.get("wrong", []))
        ),
    )
    experiments.check(scenario, task)
    return task


def _measured(table: Any, ask: str, values: tuple[Any, ...], place: Place) -> Wrong:
    """A wrong option of an experiment: another measure, another value, or a figure as written."""
    given = read_keys(table, WRONG, place, tuple(WRONG))
    rules = ("measure", "value", "answer") if ask == "value" else ("answer",)
    if len(given["is"]) != 1 or next(iter(given["is"])) not in rules:
        raise place.at("is").wrong(f"expected one of {', '.join(rules)}, got {', '.join(given['is']) or 'nothing'}")
    rule, argument = next(iter(given["is"].items()))
    here = place.at("is").at(rule)
    if rule == "measure" and argument not in MEASURES:
        raise here.unknown("measure", argument, MEASURES)
    if rule == "value" and argument not in values:
        raise here.expected(f"one of {', '.join(map(str, values))}", argument)
    if rule == "answer" and ask == "value" and from_file("number", argument) is None:
        raise here.expected("a number", argument)
    if rule == "answer" and ask == "trend" and argument not in experiments.TRENDS:
        raise here.unknown("trend", argument, experiments.TRENDS)
    check_why(given["why"], given["misconception"], place)
    return Wrong(rule, argument, given["why"], given["misconception"], place)


_READERS: dict[str, Callable[..., Task]] = {
    "look": _plain(LookTask),
    "run": _run,
    "act": _act,
    "predict": _predict,
    "quiz": _quiz,
    "be-node": _be_node,
    "challenge": _challenge,
    "order": _order,
    "repair": _repair,
    "experiment": _experiment,
    "explain": _plain(ExplainTask),
}
KINDS = tuple(_READERS)
