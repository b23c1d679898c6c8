"""A lesson file -> a Lesson. A mistake is one sentence with file, line and key."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from algorithms import catalog, scenario_file
from algorithms.bad_input import BadInput
from algorithms.engine.dispatch import parameters_of
from algorithms.engine.scenario import Scenario
from algorithms.scenario_format.loads import read_node
from algorithms.scenario_format.place import Place
from algorithms.scenario_format.reading import read_scenario
from algorithms.scenario_format.tables import check_format, read_keys
from lessons.lesson import Fresh, Lesson, LessonStep
from lessons.reading import curriculum
from lessons.reading.markdown import MOST_BYTES, LessonSection, at_line, split, with_line
from lessons.reading.schema import FORMAT, FRESH, FRONT, REQUIRED
from lessons.reading.tasks import KINDS, read_task
from lessons.tasks.watching import ExplainTask, LookTask

MOST_STEPS = 40
NAME = re.compile(r"[a-z0-9-]{2,40}")
_ID = re.compile(r"[a-z0-9-]{1,60}")
PLACEHOLDERS = ("time", "step", "nodes", "par")
_LEFT_OUT = ("format", "title", "notes", "marker", "beside")  # of a scenario in a lesson


@cache
def find(name: str) -> Lesson:
    """A lesson of the course by its name, or a person's own by its file. BadInput if it cannot be read."""
    return load(curriculum.find(name))


def load(path: Path) -> Lesson:
    """The lesson in a file. BadInput, one sentence, if it cannot be read or makes no sense."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror})") from None
    if len(data) > MOST_BYTES:
        raise BadInput(f"{path.name}: expected at most {MOST_BYTES // 1000} kB, got {len(data) // 1000} kB")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise at_line(path.name, line).wrong(f"expected text in UTF-8, got the byte {data[error.start]:#x}") from None
    return read(text, path)


def read(text: str, path: Path) -> Lesson:
    """The lesson in a text; graph files lie in or below the folder of `path`."""
    try:
        return _lesson(text, path)
    except BadInput as error:
        raise BadInput(with_line(str(error), path.name, text)) from None


def _lesson(text: str, path: Path) -> Lesson:
    file = path.name
    front, sections = split(text, file, KINDS)
    place = Place(file)
    given = read_keys(front, FRONT, place, REQUIRED)
    check_format(given, FORMAT, place)
    scenarios = _scenarios(given["scenario"], place.at("scenario"), path.parent)
    is_shipped = path.parent == curriculum.folder()
    _check_front(given, path, is_shipped, place)
    return Lesson(
        name=path.stem,
        file=file,
        title=given["title"],
        path=given.get("path", ""),
        minutes=given["minutes"],
        ideas=given["ideas"],
        misconceptions=given["misconceptions"],
        scenarios=scenarios,
        steps=_steps(sections, scenarios, given["ideas"], file),
        after=given.get("after", ()),
        passing=given.get("pass", 0.7),
        sources=given.get("sources", ()),
        fresh=_fresh(given["fresh"], scenarios, place.at("fresh")) if "fresh" in given else None,
    )


def _check_front(given: dict[str, Any], path: Path, is_shipped: bool, place: Place) -> None:
    if is_shipped and not NAME.fullmatch(path.stem):
        raise place.wrong("expected a name of 2 to 40 small letters, digits and hyphens")
    if is_shipped and "path" not in given:
        raise place.at("path").wrong("expected the path of the lesson, got nothing")
    if is_shipped:
        names = [path.name for path in curriculum.paths()]
        place.at("path").check_known("path", given["path"], names)
    for i, name in enumerate(given.get("after", ())):
        place.at("after").at(i).check_known("lesson", name, curriculum.names_of_files())
    for i, name in enumerate(given["misconceptions"]):
        place.at("misconceptions").at(i).check_known("misconception", name, curriculum.misconceptions())


# ---- scenarios ---------------------------------------------------------------------------------------------


def _scenarios(tables: dict[str, Any], place: Place, folder: Path) -> dict[str, Scenario]:
    if not tables:
        raise place.wrong("expected at least one scenario, got none")
    return {name: _scenario(name, tables, place, folder, ()) for name in tables}


def _scenario(name: str, tables: Mapping[str, Any], place: Place, folder: Path, seen: tuple[str, ...]) -> Scenario:
    here = place.at(name)
    return read_scenario({"format": 1, **_tables(name, tables, place, folder, seen)}, here, folder)


def _tables(name: str, tables: Mapping[str, Any], place: Place, folder: Path, seen: tuple[str, ...]) -> dict[str, Any]:
    """The tables of a scenario: those of the one that it starts from, replaced by its own."""
    here, table = place.at(name), tables[name]
    if not isinstance(table, dict):
        raise here.expected("a table with the keys of a scenario", table)
    own = {key: value for key, value in table.items() if key not in ("use", "like", "add")}
    for key in _LEFT_OUT:
        if key in own:
            raise here.at(key).wrong("a lesson's scenario has none: the steps of the lesson take its place")
    base: dict[str, Any] = {}
    if "use" in table and "like" in table:
        raise here.at("like").wrong("expected either use or like, got both")
    if "use" in table:
        shipped = scenario_file.names()
        here.at("use").check_known("scenario", table["use"], shipped)
        base = scenario_file.read(scenario_file.find(table["use"]))
    if "like" in table:
        here.at("like").check_known("scenario", table["like"], tables)
        if table["like"] in (*seen, name):
            raise here.at("like").wrong(f"comes back to itself ({', '.join((*seen, name, table['like']))})")
        base = _tables(table["like"], tables, place, folder, (*seen, name))
    merged = {
        **{key: value for key, value in base.items() if key not in (*_LEFT_OUT, "speaker", "family", "level")},
        **own,
    }
    more = table.get("add", [])
    if not isinstance(more, list):
        raise here.at("add").expected("a list of events", more)
    if more:
        merged["event"] = [*merged.get("event", []), *more]
    known = catalog.by_name()
    if "algorithm" in merged and merged["algorithm"] not in known:  # never a file of code
        raise here.at("algorithm").unknown("algorithm", str(merged["algorithm"]), known)
    topology = merged.get("topology")
    if isinstance(topology, dict) and isinstance(topology.get("file"), str):
        _check_below(folder, topology["file"], here.at("topology").at("file"))
    return merged


def _check_below(folder: Path, name: str, place: Place) -> None:
    inside = folder.resolve()
    if inside not in (inside / name).resolve().parents:
        raise place.expected("a file in or below the folder of the lesson", name)


def _fresh(table: dict[str, Any], scenarios: Mapping[str, Scenario], place: Place) -> Fresh:
    given = read_keys(table, FRESH, place)
    own = given.pop("scenario", {})
    most = max(scenario.nodes for scenario in scenarios.values())
    exchanged = given.get("exchange", ())
    for i, node in enumerate(exchanged):
        read_node(node, most, place.at("exchange").at(i))
        if node in exchanged[:i]:
            raise place.at("exchange").at(i).expected("a node that is not in the list yet", node)
    for i, name in enumerate(given.get("shuffle", ())):
        declared = [parameters_of(catalog.find(s.algorithm).of(s.variant).process) for s in scenarios.values()]
        if not any(isinstance(p[name].default, tuple) for p in declared if name in p):
            raise place.at("shuffle").at(i).wrong(f"{name} is no parameter that is a list")
    common = {key: value for key, value in table.items() if key != "scenario"}
    for name in own:
        place.at("scenario").at(name).check_known("scenario", name, scenarios)
        if not isinstance(own[name], dict) or "scenario" in own[name]:
            raise place.at("scenario").at(name).expected("a table with keys of [fresh]", own[name])
    of_own = {
        name: _fresh({**common, **changes}, {name: scenarios[name]}, place.at("scenario").at(name))
        for name, changes in own.items()
    }
    return Fresh(**given, scenario=of_own)


# ---- steps -------------------------------------------------------------------------------------------------


def _steps(
    sections: list[LessonSection], scenarios: Mapping[str, Scenario], ideas: tuple[str, ...], file: str
) -> tuple[LessonStep, ...]:
    if len(sections) > MOST_STEPS:
        raise at_line(file, sections[MOST_STEPS].line).expected(f"at most {MOST_STEPS} steps", len(sections))
    steps: list[LessonStep] = []
    lines: dict[str, int] = {}
    scenario = next(iter(scenarios))
    for section in sections:
        step = _step(section, scenarios, scenario, ideas, file)
        if not _ID.fullmatch(step.id):
            raise step.task.place.at("id").expected("small letters, digits and hyphens", step.id)
        if step.id in lines:
            raise (
                at_line(file, section.line)
                .at("id")
                .wrong(f'the step on line {lines[step.id]} is called "{step.id}" already')
            )
        if steps and isinstance(steps[-1].task, ExplainTask):
            raise at_line(file, section.line).wrong("expected nothing after the step that explains")
        lines[step.id] = section.line
        scenario = step.task.scenario
        steps.append(step)
    return tuple(steps)


def _step(
    section: LessonSection, scenarios: Mapping[str, Scenario], before: str, ideas: tuple[str, ...], file: str
) -> LessonStep:
    usual = re.sub(r"[^a-z0-9]+", "-", section.heading.lower()).strip("-")
    if section.block is None:
        task = LookTask(place=at_line(file, section.line), id=usual, scenario=before)
    else:
        kind, table, line = section.block
        task = read_task(kind, table, scenarios, before, ideas, usual, at_line(file, line))  # type: ignore[assignment]
    for words in (section.heading, *(paragraph.words for paragraph in section.paragraphs)):
        for name in re.findall(r"\{(\w*)\}", words):
            if name not in PLACEHOLDERS:
                place = at_line(file, section.line)
                raise place.wrong(f"unknown value {{{name}}}; expected one of {', '.join(PLACEHOLDERS)}")
    content = repr((section.heading, section.paragraphs, section.block and section.block[:2]))
    digest = sha256(content.encode()).hexdigest()[:12]
    return LessonStep(section.heading, section.line, section.paragraphs, task, section.notes, digest)
