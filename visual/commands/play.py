"""Open the window on a scenario."""

from __future__ import annotations

import argparse
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from algorithms import scenario_file
from algorithms.authoring import own_file
from algorithms.bad_input import BadInput
from algorithms.engine.scenario import Scenario
from algorithms.scenario_format.place import Place
from visual.commands.output import require_pygame_ce, write
from visual.commands.scenario_options import (
    OPTIONS,
    add_beside_argument,
    add_scenario_arguments,
    file_of,
    is_unspecified,
    name_of,
    named_algorithm,
    origin_of,
    scenario_of,
)
from visual.drawing.theme import NAMES
from visual.window.state import UNBOUND, VIEWS

if TYPE_CHECKING:
    from visual.window.intents import Rival
    from visual.window.presenting.actions import Opening
    from visual.window.presenting.acts import Act, RunningTalk

EXAMPLES = """\
  mutoscope play
  mutoscope play my-scenario.toml
  mutoscope play token-ring --beside ricart-agrawala
  mutoscope play --algorithm token-ring --nodes 8 --load poisson:0.1
  mutoscope play deferred-reply --present --full-screen --at "marker:the wait" --select 3
  mutoscope play mutual-exclusion --presenter            # a talk; or a file of your own: TALK.toml
  mutoscope play coordinator deferred-reply lost-token   # one after the other"""

PICTURE = "mutoscope"  # name of the files written without a display


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_scenario_arguments(parser)
    add_beside_argument(parser)
    parser.add_argument("--at", metavar="WHEN", help="open at this time, or at marker:NAME")
    parser.add_argument("--step", metavar="K", help="open after K steps")
    add_talk_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Open the window; without a display, run the scenario and write the picture that it would have shown."""
    talk = talk_of(arguments)
    try:
        scenario = scenario_of(arguments) if talk is None else talk.act.scenario
    except own_file.Untrusted as untrusted:
        return _ask_first(arguments, untrusted)
    require_pygame_ce()
    from visual.window.app import NoDisplay, open_window  # only with pygame-ce

    file = file_of(arguments) if talk is None else talk.act.path
    beside = _beside(scenario, file, arguments.beside) if talk is None else talk.act.rival
    step, time = _moment_of(arguments, scenario)
    unspecified = beside is None and is_unspecified(arguments)
    how = opening_of(arguments, scenario, talk)
    try:
        return open_window(scenario, file, gallery=unspecified, beside=beside, step=step, time=time, how=how)
    except NoDisplay as reason:
        if talk is not None:
            raise BadInput(f"{reason}; a talk needs one") from None
        print(f"mutoscope: {reason}, so the scenario runs without one", file=sys.stderr)
    return without_window(scenario, arguments)


def _ask_first(arguments: argparse.Namespace, untrusted: own_file.Untrusted) -> int:
    """Let the window ask before it opens a file whose algorithm runs code; options are for those who trust it."""
    given = {name for name, value in vars(arguments).items() if value not in (None, False, [])}
    if given != {"scenario"}:
        raise untrusted
    require_pygame_ce()
    from visual.window.app import NoDisplay, open_window  # only with pygame-ce

    usual = scenario_file.load(scenario_file.find(scenario_file.DEFAULT))
    try:
        return open_window(usual, Path(arguments.scenario), untrusted=untrusted.file)
    except NoDisplay:
        raise untrusted from None


def _moment_of(arguments: argparse.Namespace, scenario: Scenario) -> tuple[int | None, float]:
    """The step and the time at which the window opens."""
    if arguments.at is None and arguments.step is None:
        return None, 0.0
    from visual.commands.pictures import instants_of  # the first frame does without

    moment, *_ = instants_of(arguments.at, arguments.step and f"{arguments.step}..{arguments.step}", scenario)
    return moment.step, moment.time


def _beside(scenario: Scenario, file: Path | None, name: str) -> Rival | None:
    """The second run: the one named, or the one in the scenario's own file; None for a single run."""
    if not name and file is None:
        return None
    from visual.window.compare import rival_of, saved_rival  # the first frame does without

    return saved_rival(file) if file and not name else rival_of(scenario, named_algorithm(name))


def without_window(scenario: Scenario, arguments: argparse.Namespace) -> int:
    """Print the report on the run and write a picture of it, as PNG and as SVG."""
    from visual.commands.pictures import pictures, telling_instant  # a window does without
    from visual.commands.run import measure
    from visual.drawing.export import encode
    from visual.scene.still import Still

    print(measure(scenario).report)
    look = Still(size=(1920, 1080), origin=origin_of(arguments))
    (picture,) = pictures(scenario, [telling_instant(scenario)], look, name_of(arguments))
    for form in ("png", "svg"):
        write(f"{PICTURE}.{form}", [encode(picture, form)])
    print(f"\nWhat the window would have shown: {PICTURE}.png and {PICTURE}.svg")
    return 0


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
    from visual.window.presenting.actions import Opening  # the first frame does without

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
    from visual.window.compare import saved_rival  # the first frame does without
    from visual.window.presenting.acts import Act

    one = argparse.Namespace(**{**vars(arguments), "scenario": name})
    file = file_of(one)
    return Act(scenario_of(one), (), file, saved_rival(file) if file else None)
