"""The arguments of `play` about a presentation: its look, and the runs of a talk."""

from __future__ import annotations

import argparse
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from algorithms import scenario_file
from algorithms.bad_input import BadInput
from algorithms.engine.scenario import Scenario
from algorithms.scenario_format.place import Place
from visual.commands.scenario_options import OPTIONS, file_of, scenario_of
from visual.drawing.theme import NAMES
from visual.window.state import UNBOUND, VIEWS

if TYPE_CHECKING:
    from visual.window.presenting.acts import Act, RunningTalk
    from visual.window.presenting.start import Opening

_LOOK = ("present", "full_screen", "presenter", "view", "theme", "select", "speed")
_RUN = tuple(option.flag for option in OPTIONS)  # options that change a run, which a talk's file does itself


def add_talk_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of a presentation."""
    parser.add_argument(
        "more", nargs="*", metavar="…", help="further scenarios or talks: PageDown goes on with the next one"
    )
    group = parser.add_argument_group("presenting")
    group.add_argument("--present", action="store_true", help="large letters, for the last row; a talk has them anyway")
    group.add_argument("--full-screen", action="store_true", help="fill the display where the window opens")
    group.add_argument("--presenter", action="store_true", help="a window with notes and panels on the other display")
    group.add_argument("--view", metavar="NAME", help="both, graph or space-time")
    group.add_argument("--theme", metavar="NAME", help="light, dark or print")
    group.add_argument("--select", metavar="K", help="select node K")
    group.add_argument("--speed", metavar="X", help="1/8, 1/4, 1/2, 1, 2, … 64, or max")


def opening_of(arguments: argparse.Namespace, scenario: Scenario, talk: RunningTalk | None) -> Opening | None:
    """How the window opens; None if that is left to its settings. BadInput for a value that makes no sense."""
    if talk is None and not any(getattr(arguments, name) for name in _LOOK):
        return None
    from visual.window.presenting.start import Opening  # the first frame does without

    for flag, value, names in (("--view", arguments.view, VIEWS), ("--theme", arguments.theme, NAMES)):
        if value is not None and value not in names:
            raise Place(flag).unknown(flag.removeprefix("--"), value, names)
    return Opening(
        arguments.view,
        arguments.theme,
        _node(arguments.select, scenario.nodes),
        _speed(arguments.speed),
        arguments.present,
        arguments.full_screen,
        arguments.presenter,
        talk,
    )


def _node(word: str | None, nodes: int) -> int | None:
    if word is None:
        return None
    number = word.upper().removeprefix("P")
    if not re.fullmatch(r"\d{1,6}", number) or int(number) >= nodes:
        raise BadInput(f'--select: expected the number of a node from 0 to {nodes - 1}, got "{word}"')
    return int(number)


def _speed(word: str | None) -> int:
    """The power of two of a speed: "1/4" is -2."""
    if word is None:
        return 0
    powers = {f"1/{2**-power}" if power < 0 else str(2**power): power for power in range(-3, UNBOUND)}
    powers["max"] = UNBOUND
    if word not in powers:
        raise BadInput(f'--speed: expected one of {", ".join(powers)}, got "{word}"')
    return powers[word]


# ---- talks -------------------------------------------------------------------------------------------------


def talk_of(arguments: argparse.Namespace) -> RunningTalk | None:
    """The talk that the arguments name, or the scenarios of several names in turn; None for a single scenario."""
    names = [arguments.scenario, *arguments.more] if arguments.scenario is not None else []
    if len(names) < 2 and not any(map(_is_talk, names)):
        return None
    given = [flag for flag in _RUN if getattr(arguments, flag.removeprefix("--")) is not None]
    given += [f"--{name}" for name in ("param", "event", "at", "step", "beside") if getattr(arguments, name)]
    if given:
        raise BadInput(f"{given[0]}: expected a single scenario with it, got {' '.join(names)}")
    from lessons.reading import talks as reader  # the first frame does without
    from visual.window.presenting.acts import RunningTalk, acts_of

    acts: list[Act] = []
    title, minutes, notes = "", 0.0, ""
    for name in names:
        if _is_talk(name):
            talk = reader.load(reader.find(name))
            acts += acts_of(talk)
            title, minutes, notes = title or talk.title, minutes + talk.minutes, notes or talk.notes
        else:
            acts.append(_act(arguments, name))
    return RunningTalk(tuple(acts), title, minutes, notes)


def _is_talk(name: str) -> bool:
    """Whether a name is a talk's, or that of a file with one."""
    from lessons.reading import talks as reader  # the first frame does without

    if os.path.isfile(name) and name.endswith(".toml"):
        return reader.is_talk(scenario_file.read(Path(name)))
    return name in reader.names() and name not in scenario_file.names()


def _act(arguments: argparse.Namespace, name: str) -> Act:
    """The run of a scenario, with its own markers; a file may have a second run beside it."""
    from visual.window.compare.actions import saved_rival  # the first frame does without
    from visual.window.presenting.acts import Act

    one = argparse.Namespace(**{**vars(arguments), "scenario": name})
    file = file_of(one)
    return Act(scenario_of(one), (), file, saved_rival(file) if file else None)
