"""Make a film of a run: MP4, WebM, GIF or WebP, with captions.

Needs no display. The film stops at markers, so that there is time to explain; several cores draw its frames.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from algorithms.bad_input import BadInput
from algorithms.engine.scenario import Scenario
from algorithms.scenario_format.place import Place
from visual.commands.filming import LAST, Shown, film, moments
from visual.commands.output import kind_of, require_folder
from visual.commands.picture_options import add_look_arguments, decimal, look_of, whole
from visual.commands.pictures import WHOLE, span_of, subject_of
from visual.commands.requirements import require_extra, require_pygame_ce
from visual.commands.scenario_options import add_scenario_arguments, name_of, scenario_of
from visual.commands.tape import MOST_WAITED, SPEEDS, read_tape
from visual.drawing.film import KINDS, NEEDS
from visual.scene.still import Still

EXAMPLES = """\
  mutoscope film lost-token -o lost.mp4
  mutoscope film deferred-reply --from 4 --to 12 --speed 0.5 --theme dark -o wait.webm
  mutoscope film bully-worst --size 960x540 --fps 12 -o bully.gif
  mutoscope film my-scenario.toml --crop source -o source.webp
  mutoscope film token-ring --tape crash.tape -o crash.mp4"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_scenario_arguments(parser)
    film = parser.add_argument_group("the film")
    film.add_argument("-o", "--output", metavar="FILE", help="the film's file: .mp4, .webm, .gif or .webp")
    film.add_argument("--from", dest="start", metavar="WHEN", help="its beginning: a time, or marker:NAME (default: 0)")
    film.add_argument("--to", dest="end", metavar="WHEN", help="its end (default: the scenario's)")
    film.add_argument("--speed", metavar="X", default="1", help="times as fast as in the window (default: 1)")
    film.add_argument("--fps", metavar="N", default="25", help="frames per second (default: 25)")
    film.add_argument("--stop", metavar="S", default="2", help="seconds that it stops at each marker (default: 2)")
    film.add_argument("--tape", metavar="FILE", help="a script of the film: at, wait, speed, act, select, view, note")
    add_look_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the film and print its name."""
    scenario, look = scenario_of(arguments), replace(look_of(arguments), reopen=False)
    target = arguments.output or f"{name_of(arguments)}.mp4"
    kind, subject = kind_of(target, KINDS, "a film's file"), subject_of(arguments)
    require_pygame_ce()
    require_extra(NEEDS[kind], "films", f"a film as .{kind} needs")
    if kind in ("mp4", "webm") and (look.size[0] % 2 or look.size[1] % 2):
        raise BadInput(f"--size: expected an even width and height for .{kind}, got {look.size[0]}x{look.size[1]}")
    fps = whole("--fps", arguments.fps, 1, 60)
    scenario, shown = _plan(scenario, look, arguments, decimal(Place("--speed"), arguments.speed, *SPEEDS), fps)
    if subject != WHOLE and any(moment.look.crop != look.crop for moment in shown):
        raise BadInput("--tape: view changes the picture, which --crop or --view chooses; expected one of them")
    require_folder(target)
    try:
        film(target, kind, scenario, shown, fps, subject)
    except OSError as error:
        raise BadInput(f"{target}: cannot be written ({error.strerror})") from None
    print(target)
    return 0


def _plan(
    scenario: Scenario, look: Still, arguments: argparse.Namespace, speed: float, fps: int
) -> tuple[Scenario, list[Shown]]:
    """The run and the moments of its film: those of a tape, or all from --from to --to with a stop at each marker."""
    if arguments.tape is not None:
        if arguments.start is not None or arguments.end is not None:
            raise BadInput("--tape: it says when the film begins and ends; expected no --from and --to")
        tape = read_tape(Path(arguments.tape), scenario, look, speed, fps)
        return tape.scenario, tape.shown
    stop = decimal(Place("--stop"), arguments.stop, 0.0, MOST_WAITED)
    *before, last = moments(scenario, *span_of(arguments, scenario), look, speed=speed, fps=fps, stop=stop)
    return scenario, [*before, last._replace(ticks=max(last.ticks, round(LAST * fps)))]
