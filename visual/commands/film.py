"""Make a film of a run: MP4, WebM, GIF or WebP, with captions.

Needs no display. The film stops at markers, so that there is time to explain; several cores draw its frames.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from algorithms.bad_input import BadInput
from algorithms.engine.scenario import Scenario
from visual.commands.filming import LAST, Shown, film, moments
from visual.commands.picture_options import add_look_arguments, look_of, whole
from visual.commands.requirements import require_extra, require_pygame_ce
from visual.commands.scenario_options import add_scenario_arguments, name_of, scenario_of
from visual.commands.tape import read_tape
from visual.drawing.film import KINDS, NEEDS, FilmKind
from visual.scene.still import Still

EXAMPLES = """\
  mutoscope film lost-token -o lost.mp4
  mutoscope film deferred-reply --from 4 --to 12 --speed 0.5 --theme dark -o wait.webm
  mutoscope film bully-worst --size 960x540 --fps 12 -o bully.gif
  mutoscope film my-scenario.toml --crop graph -o graph.webp
  mutoscope film token-ring --tape crash.tape -o crash.mp4"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_scenario_arguments(parser)
    film = parser.add_argument_group("the film")
    film.add_argument("-o", "--output", metavar="FILE", help="the film's file: .mp4, .webm, .gif or .webp")
    film.add_argument("--from", dest="start", metavar="T", default="0", help="the time at which it begins (default: 0)")
    film.add_argument("--to", dest="end", metavar="T", help="the time at which it ends (default: the scenario's end)")
    film.add_argument("--speed", metavar="X", default="1", help="times as fast as in the window (default: 1)")
    film.add_argument("--fps", metavar="N", default="25", help="frames per second (default: 25)")
    film.add_argument("--stop", metavar="S", default="2", help="seconds that it stops at each marker (default: 2)")
    film.add_argument("--tape", metavar="FILE", help="a script of the film: at, wait, speed, act, select, view, note")
    add_look_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the film and print its name."""
    scenario, look = scenario_of(arguments), replace(look_of(arguments), reopen=False)
    target = arguments.output or f"{name_of(arguments)}.mp4"
    kind = kind_of(target)
    require_pygame_ce()
    require_extra(NEEDS[kind], "films", f"a film as .{kind} needs")
    if kind in ("mp4", "webm") and (look.size[0] % 2 or look.size[1] % 2):
        raise BadInput(f"--size: expected an even width and height for .{kind}, got {look.size[0]}x{look.size[1]}")
    fps = whole("--fps", arguments.fps, 1, 60)
    if arguments.tape is None:
        shown = plan(scenario, look, arguments, fps)
    else:
        scenario, shown = _follow(scenario, look, arguments, fps)
    if not Path(target).parent.is_dir():
        raise BadInput(f"{target}: cannot be written (there is no folder {Path(target).parent}; create it first)")
    try:
        film(target, kind, scenario, shown, fps)
    except OSError as error:
        raise BadInput(f"{target}: cannot be written ({error.strerror})") from None
    print(target)
    return 0


def kind_of(target: str) -> FilmKind:
    """The format that a file name asks for. BadInput for any other."""
    for kind in KINDS:
        if target.lower().endswith(f".{kind}"):
            return kind
    raise BadInput(f"{target}: expected a film's file that ends in {', '.join(f'.{kind}' for kind in KINDS)}")


def plan(scenario: Scenario, look: Still, arguments: argparse.Namespace, fps: int) -> list[Shown]:
    """The moments of the film in order; at a marker it stops. BadInput for times that make no sense."""
    start, speed = _number("--from", arguments.start, 0), _number("--speed", arguments.speed, 1e-3)
    end = scenario.until if arguments.end is None else _number("--to", arguments.end, 0)
    stop = _number("--stop", arguments.stop, 0)
    if not start < end <= scenario.until:
        words = f"a time after {start:g}, at most {scenario.until:g}, where the scenario ends"
        raise BadInput(f"--to: expected {words}, got {end:g}")
    *before, last = moments(scenario, start, end, look, speed=speed, fps=fps, stop=stop)
    return [*before, last._replace(ticks=max(last.ticks, round(LAST * fps)))]


def _follow(scenario: Scenario, look: Still, arguments: argparse.Namespace, fps: int) -> tuple[Scenario, list[Shown]]:
    """The scenario with what the tape does to it, and the moments of the film. BadInput for a tape that is wrong."""
    if arguments.start != "0" or arguments.end is not None:
        raise BadInput("--tape: expected either a tape, which says when the film begins and ends, or --from and --to")
    tape = read_tape(Path(arguments.tape), scenario, look, _number("--speed", arguments.speed, 1e-3), fps)
    return tape.scenario, tape.shown


def _number(option: str, word: str, least: float) -> float:
    try:
        number = float(word)
    except ValueError:
        number = -1.0
    if not least <= number < 1e9:
        raise BadInput(f'{option}: expected a number of at least {least:g}, got "{word}"')
    return number
