"""Open a lesson in the window, print its answers, check it, or let a robot answer it."""

from __future__ import annotations

import argparse
import json
from typing import Any

from algorithms.bad_input import BadInput
from algorithms.engine.errors import count_words
from algorithms.files import write_whole
from lessons import returned, robots
from lessons.fresh import instance_of
from lessons.keys import key_of
from lessons.lesson import Lesson
from lessons.linting import rules, running
from lessons.marking import is_passed, total
from lessons.reading import curriculum
from lessons.reading.reading import find
from lessons.returned import MarkedStep
from visual.commands.argument_types import positive
from visual.commands.output import require_pygame_ce
from visual.commands.worksheet import as_table, as_text, worksheet
from visual.window.memory import progress

EXAMPLES = """\
  mutoscope lesson deferral
  mutoscope lesson --list
  mutoscope lesson deferral --key
  mutoscope lesson deferral --key --instance 3 --json
  mutoscope lesson deferral --answers mine.json
  mutoscope lesson deferral --sheet --form B -o sheet.html
  mutoscope lesson deferral --sheet --form B --key -o key.html
  mutoscope lesson my-lesson.md --check --instances 20"""

FORMS = "ABCDEFGH"  # of a worksheet
FINDINGS = 1  # the exit code if the linter found something, or the marks are too low


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("names", metavar="NAME", nargs="*", help="a lesson from --list, or a file (.md)")
    add("--list", action="store_true", help="list the lessons, path by path")
    add("--key", action="store_true", help="print the answers that the engine computes")
    add("--check", action="store_true", help="check these lessons, or all of them; prints one line per problem")
    add("--instances", metavar="K", type=positive, default=1, help="number of instances to check (default: 1)")
    add("--instance", metavar="K", type=positive, default=1, help="instance number (default: 1, the file as written)")
    add("--answers", metavar="FILE", help="mark the answers in a JSON file: the id of each step and its answer")
    add("--robot", metavar="ROBOT", help="let a robot answer: right, wrong, first or random:SEED")
    add("--sheet", action="store_true", help="write a worksheet to print (with --key: the key to it)")
    add("--form", choices=FORMS, help="the form of the worksheet: A is instance 1, B instance 2 …")
    add("-o", "--output", metavar="FILE", help="the file of the worksheet (.html)")
    add("--progress", action="store_true", help="print the progress kept on this machine")
    add("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print what was asked for; exit code 1 if the linter found something or a robot has not passed."""
    if arguments.list:
        return _list(arguments.json)
    if arguments.progress:
        return _progress(arguments.json)
    if arguments.check:
        return _check(arguments.names, arguments.instances, arguments.json)
    if len(arguments.names) != 1:
        raise BadInput("lesson needs the name of one lesson; mutoscope lesson --list shows them all")
    number = FORMS.index(arguments.form) + 1 if arguments.form else arguments.instance
    lesson = instance_of(find(arguments.names[0]), number)
    if arguments.sheet:
        return _sheet(lesson, arguments.output, arguments.key)
    if arguments.answers:
        return _marks(lesson, returned.marked(lesson, *returned.read(arguments.answers)), arguments.json)
    if arguments.robot:
        return _robot(lesson, arguments.robot, arguments.json)
    if arguments.key:
        found = key_of(lesson)
        if arguments.json:
            print(json.dumps(as_table(lesson, found), ensure_ascii=False, indent=2))
        else:
            print(as_text(lesson, found))
        return 0
    return _open(arguments.names[0])


def _open(name: str) -> int:
    require_pygame_ce()
    from visual.window.app import NoDisplay, open_window  # only with pygame-ce

    lesson = find(name)
    scenario = lesson.scenarios[lesson.steps[0].task.scenario]
    try:
        return open_window(scenario, lesson=name)
    except NoDisplay as reason:
        raise BadInput(f"{reason}; mutoscope lesson {name} --key prints the lesson's answers") from None


def _sheet(lesson: Lesson, output: str | None, with_key: bool) -> int:
    if output is None or not output.endswith((".html", ".htm")):
        got = "nothing" if output is None else f'"{output}"'
        raise BadInput(f"--output: expected the file of the worksheet, such as sheet.html, got {got}")
    try:
        write_whole(output, [worksheet(lesson, with_key=with_key).encode()])
    except OSError as error:
        raise BadInput(f"{output}: cannot be written ({error.strerror})") from None
    return 0


def _progress(as_json: bool) -> int:
    found = progress.load(progress.path()).lessons
    rows: list[dict[str, Any]] = [
        {"lesson": name, "step": one.at + 1, "marks": one.marks, "passed": one.passed} for name, one in found.items()
    ]
    if as_json:
        print(json.dumps(rows, ensure_ascii=False, indent=2))
    for row in [] if as_json else rows:
        marks = ", ".join(f"{id} {mark:.0%}" for id, mark in row["marks"].items())
        state = "passed" if row["passed"] else f"step {row['step']}"
        print(f"{row['lesson']:20} {state:8} {marks}")
    return 0


# ---- the list ----------------------------------------------------------------------------------------------


def _list(as_json: bool) -> int:
    if as_json:
        rows = [_row(find(name)) for name in curriculum.lessons()]
        print(json.dumps(rows, ensure_ascii=False, indent=2))
        return 0
    for path in curriculum.paths():
        print(f"{path.title}: {path.words}")
        for name in path.lessons:
            lesson = find(name)
            print(f"  {name:20} {lesson.minutes} min  {lesson.title}")
    return 0


def _row(lesson: Lesson) -> dict[str, Any]:
    return {
        "lesson": lesson.name,
        "title": lesson.title,
        "path": lesson.path,
        "minutes": lesson.minutes,
        "after": list(lesson.after),
        "misconceptions": list(lesson.misconceptions),
    }


# ---- checking ----------------------------------------------------------------------------------------------


def _check(names: list[str], instances: int, as_json: bool) -> int:
    found = []
    for name in names or curriculum.lessons():
        lesson = find(name)
        found += [*rules.findings(lesson), *running.findings(lesson, instances)]
    if as_json:
        print(json.dumps([finding._asdict() for finding in found], ensure_ascii=False, indent=2))
    elif found:
        print(*found, sep="\n")
    else:
        print(f"nothing to mend in {count_words(instances, 'instance')} of each")
    return FINDINGS if found else 0


def _robot(lesson: Lesson, robot: str, as_json: bool) -> int:
    if robot.partition(":")[0] not in ("right", "wrong", "first", "random"):
        raise BadInput(f'unknown robot "{robot}"; expected one of right, wrong, first, random:SEED')
    if robot.partition(":")[2] and not robot.partition(":")[2].isdigit():
        raise BadInput(f'--robot: expected a whole number after "random:", got "{robot.partition(":")[2]}"')
    marks = robots.play(lesson, key_of(lesson), robot)
    return _marks(lesson, [MarkedStep(lesson.step(id), mark) for id, mark in marks.items()], as_json)


def _marks(lesson: Lesson, steps: list[MarkedStep], as_json: bool) -> int:
    """Print the mark of each step and of the lesson; exit code 1 if it is not passed."""
    marks = {one.step.id: one.mark for one in steps}
    share, passed = total(lesson, marks), is_passed(lesson, marks)
    if as_json:
        rows = [
            {"id": s.step.id, "mark": s.mark.value, "skipped": s.mark.is_skipped, "why": s.why, "shows": s.shows}
            for s in steps
        ]
        table = {"lesson": lesson.name, "instance": lesson.instance, "steps": rows, "total": share, "passed": passed}
        print(json.dumps(table, ensure_ascii=False, indent=2))
        return 0 if passed else FINDINGS
    for one in steps:
        print(f"{one.step.id:20} {one.mark.value:.0%}{f'  {one.why}' if one.why else ''}")
    print(f"{'total':20} {share:.0%}, {'passed' if passed else 'not passed'}")
    return 0 if passed else FINDINGS
