"""Save pictures of a run for slides, as PNG or SVG.

Needs no display. In a series, all pictures have the same size and layout. Without --at and --steps, the picture
shows the first marker, or the middle of the run.
"""

from __future__ import annotations

import argparse

from visual.commands.output import write
from visual.commands.picture_options import add_look_arguments, files_of, look_of, one_of, whole
from visual.commands.pictures import instants_of, pictures, pictures_beside
from visual.commands.requirements import require_pygame_ce
from visual.commands.scenario_options import add_beside_argument, add_scenario_arguments, name_of, scenario_of
from visual.commands.slides import SNIPPETS, PictureFile
from visual.drawing.export import SCALES, encode
from visual.window.compare.actions import rival_of

EXAMPLES = """\
  mutoscope shot deferred-reply --at "marker:the wait" -o wait.svg
  mutoscope shot lost-token --at 12,20.5,40 --crop graph --size 960x720 -o 'lost-{n}.png' --emit beamer
  mutoscope shot token-ring --beside ricart-agrawala --at 20 -o two.svg
  mutoscope shot my-scenario.toml --steps 3..9 --theme print --scale 2 -o '{name}-{n}.png'
  mutoscope shot --algorithm token-ring --at 4 --background transparent -o - > ring.svg"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_scenario_arguments(parser)
    add_beside_argument(parser)
    which = parser.add_argument_group("moments")
    which.add_argument("--at", metavar="WHEN[,WHEN…]", help="a time, step:NUMBER or marker:NAME; several make a series")
    which.add_argument("--steps", metavar="A..B", help="one picture after each of the steps A to B")
    files = parser.add_argument_group("files")
    files.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="{name} stands for the run's name, {n} for the number in a series, from 0; - is the standard output",
    )
    files.add_argument("--format", metavar="png|svg", help="if FILE has no extension (default: png; svg for -)")
    files.add_argument("--scale", metavar="1…4", default="1", help="pixel density of a PNG (default: 1; 2 = retina)")
    files.add_argument("--emit", metavar="FORMAT", help=f"print code to paste into slides: {', '.join(SNIPPETS)}")
    add_look_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the pictures, and print their names or the text for slides."""
    scenario = scenario_of(arguments)
    look, scale = look_of(arguments), whole("--scale", arguments.scale, SCALES[0], SCALES[-1])
    instants = instants_of(arguments.at, arguments.steps, scenario)
    target = files_of(arguments.output, arguments.format, len(instants))
    if arguments.emit is not None:
        one_of("--emit", "format", arguments.emit, tuple(SNIPPETS))
    if target.format == "png":
        require_pygame_ce()
    name = name_of(arguments)
    if arguments.beside is None:
        made = list(pictures(scenario, instants, look, name))
    else:
        other = rival_of(scenario, arguments.beside).scenario
        made = list(pictures_beside(scenario, other, instants, look, name))
    files = [PictureFile(target.file(name, n), picture.description) for n, picture in enumerate(made)]
    printout = SNIPPETS[arguments.emit](files) if arguments.emit else "\n".join(file for file, _ in files)
    for picture, (file, _) in zip(made, files, strict=True):
        write(file, [encode(picture, target.format, scale)])
    if target.pattern != "-":
        print(printout)
    return 0
