"""A talk's file -> a Talk. A mistake is one sentence with file and key."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta

from algorithms import scenario_file
from algorithms.bad_input import BadInput
from algorithms.engine.scenario import Marker, Scenario
from algorithms.scenario_format.loads import read_node
from algorithms.scenario_format.place import Place, find_file
from algorithms.scenario_format.schema import FORMAT, Moment, Name, Node, Tables, Whole, Words
from algorithms.scenario_format.tables import check_format, read_keys
from lessons.asking.moments import Condition
from lessons.keys import stages
from lessons.reading import reading
from lessons.reading.conditions import read_condition
from lessons.talk import FilmSpan, Scene, Talk

MOST_SCENES = 100
MARKER = "marker:"
SCENES = "scene"  # the tables that only a talk has
VIEWS = ("both", "graph", "space-time")

_Minutes = Annotated[float, Meta(gt=0, le=600, description="a number of minutes above 0, at most 600")]
_Speed = Annotated[float, Meta(ge=0.01, le=100, description="a number from 0.01 to 100")]
_Film = Annotated[bool | dict[str, Any], Meta(description="true, or a table with from, to, speed")]
_At = Annotated[Any, Meta(description='a time, "marker:NAME", or a table with one condition')]
_TALK = {"format": Whole, "title": Name, "minutes": _Minutes, "theme": Name, "notes": Words, SCENES: Tables}
_SCENE = {
    "scenario": Name,
    "lesson": Name,
    "step": Name,
    "at": _At,
    "view": Name,
    "theme": Name,
    "select": Node,
    "title": Name,
    "notes": Words,
    "question": Name,
    "answer": Name,
    "film": _Film,
}
_FILM = {"from": Moment, "to": Moment, "speed": _Speed}


# ---- which file --------------------------------------------------------------------------------------------


def names() -> list[str]:
    """The names of the talks that come with the program."""
    return sorted(file.stem for file in _folder().glob("*.toml"))


def find(name: str) -> Path:
    """The file for a talk's name or a path. BadInput if there is none."""
    hint = f"expected a file (.toml) or one of {', '.join(names())}"
    return find_file("talk", name, _folder(), names(), ".toml", hint)


def is_talk(tables: dict[str, Any]) -> bool:
    """Whether the tables of a file are those of a talk, and not of a scenario."""
    return SCENES in tables


def _folder() -> Path:
    return Path(str(files("assets"))) / "talks"


# ---- reading -----------------------------------------------------------------------------------------------


def load(path: Path) -> Talk:
    """The talk in a file. BadInput, one sentence, if it cannot be read or makes no sense."""
    return read(scenario_file.read(path), Place(path.name), path.parent)


def read(tables: dict[str, Any], place: Place, folder: Path) -> Talk:
    """The talk that the tables describe; files of scenarios are relative to `folder`."""
    if not is_talk(tables):
        raise place.wrong(f"expected a talk, with [[{SCENES}]] tables")
    given = read_keys(tables, _TALK, place, ("format", "title", SCENES))
    check_format(given, FORMAT, place)
    if not 0 < len(given[SCENES]) <= MOST_SCENES:
        raise place.at(SCENES).expected(f"from 1 to {MOST_SCENES} scenes", len(given[SCENES]))
    theme = _theme(given.get("theme", Scene.theme), place.at("theme"))
    scenes = tuple(_scene(table, theme, place.at(SCENES).at(i), folder) for i, table in enumerate(given[SCENES]))
    return Talk(given["title"], scenes, given.get("minutes", Talk.minutes), given.get("notes", "").strip())


def _scene(table: dict[str, Any], theme: str, place: Place, folder: Path) -> Scene:
    given = read_keys(table, _SCENE, place)
    if ("scenario" in given) == ("lesson" in given):
        raise place.wrong("expected either scenario or lesson")
    usual = _of_lesson(given, place) if "lesson" in given else _of_scenario(given, place, folder)
    view = given.get("view", usual.view)
    place.at("view").check_known("view", view, VIEWS)
    at = _moment(given["at"], usual.scenario, place.at("at")) if "at" in given else usual.at
    marker = _marker(usual.scenario, at)
    question = given.get("question", marker.question)
    if "answer" in given and not question:
        raise place.missing("question", "the question that the answer is to")
    nodes = usual.scenario.nodes
    return Scene(
        name=usual.name,
        scenario=usual.scenario,
        at=at,
        title=given.get("title", usual.title),
        view=view,
        theme=_theme(given.get("theme", theme), place.at("theme")),
        selected=read_node(given["select"], nodes, place.at("select")) if "select" in given else usual.selected,
        notes=given.get("notes", marker.notes or usual.notes).strip(),
        question=question,
        answer=given.get("answer", marker.answer if question == marker.question else ""),
        film=_film(given["film"], usual.scenario, place.at("film")) if given.get("film") else None,
    )


def _of_scenario(given: dict[str, Any], place: Place, folder: Path) -> Scene:
    """A scene as a scenario has it: at its first marker, or half-way."""
    if "step" in given:
        raise place.at("step").wrong("a scenario has no steps to name; expected a lesson with it")
    name = given["scenario"]
    try:
        path = scenario_file.find(name if name in scenario_file.names() else str(folder / name))
    except BadInput:
        raise place.at("scenario").unknown("scenario", name, scenario_file.names()) from None
    scenario = scenario_file.load(path)
    time = scenario.markers[0].at if scenario.markers else scenario.until / 2
    return Scene(name, scenario, Condition("time", time), scenario.title or name, notes=scenario.speaker)


def _of_lesson(given: dict[str, Any], place: Place) -> Scene:
    """A scene as a step of a lesson has it; by default, the first step."""
    try:
        lesson = reading.find(given["lesson"])
    except BadInput as error:
        raise place.at("lesson").wrong(str(error)) from None
    runs = {stage.step.id: stage for stage in stages(lesson)}
    id = given.get("step", lesson.steps[0].id)
    place.at("step").check_known(f"step of {lesson.name}", id, runs)
    step, run = runs[id]
    task = step.task
    view = task.view if task.view in VIEWS else Scene.view
    at = Condition("step", run.step)
    scenario = lesson.scenarios[task.scenario]
    return Scene(lesson.name, scenario, at, step.heading, view, selected=task.node, notes=step.notes)


def _moment(value: Any, scenario: Scenario, place: Place) -> Condition:
    if isinstance(value, str):
        times = {marker.name: marker.at for marker in reversed(scenario.markers)}
        name = value.removeprefix(MARKER)
        if name == value or name not in times:
            raise place.unknown("moment", value, [f"{MARKER}{known}" for known in reversed(times)])
        return Condition("time", times[name])
    condition = read_condition(value, scenario, place)
    if condition.kind == "time" and condition.value > scenario.until:
        raise place.expected(f"a time of at most {scenario.until:g}, where the run ends", condition.value)
    return condition


def _marker(scenario: Scenario, at: Condition) -> Marker:
    """The scenario's marker at a moment; an empty one if there is none."""
    fitting = (marker for marker in scenario.markers if at.kind == "time" and marker.at == at.value)
    return next(fitting, Marker(0.0, ""))


def _film(value: Any, scenario: Scenario, place: Place) -> FilmSpan:
    given = read_keys(value, _FILM, place) if isinstance(value, dict) else {}
    start, end = given.get("from"), given.get("to")
    if start is not None and end is not None and end <= start:
        raise place.at("to").expected(f"a time after {start:g}", end)
    for key in ("from", "to"):
        if given.get(key, 0) > scenario.until:
            raise place.at(key).expected(f"a time of at most {scenario.until:g}, where the run ends", given[key])
    return FilmSpan(start, end, given.get("speed", FilmSpan().speed))


def _theme(name: str, place: Place) -> str:
    """The name, unchanged. BadInput if there is no such theme."""
    sheet = tomllib.loads(files("assets").joinpath("theme.toml").read_text(encoding="utf-8"))
    themes = [table for table, values in sheet.items() if "paper" in values]
    place.check_known("theme", name, themes)
    return name
