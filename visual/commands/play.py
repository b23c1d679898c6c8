"""Open the window on a scenario."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from algorithms import scenario_file
from algorithms.authoring import own_file
from algorithms.bad_input import BadInput
from algorithms.engine.scenario import Scenario
from visual.commands.output import write
from visual.commands.requirements import require_pygame_ce
from visual.commands.scenario_options import (
    add_beside_argument,
    add_scenario_arguments,
    file_of,
    is_unspecified,
    name_of,
    named_algorithm,
    origin_of,
    scenario_of,
)
from visual.commands.talk_options import add_talk_arguments, opening_of, talk_of

if TYPE_CHECKING:
    from visual.window.compare.rival import Rival

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
    from visual.window.compare.actions import rival_of, saved_rival  # the first frame does without

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
