"""Record a run as one HTML file that plays anywhere: on a course page, from a USB stick, in a talk.

Needs no display. The page needs no Python, no other file and no network; it plays, steps back and forward, and shows
the source, the counters and the sentences. For pictures use shot, for films film.
"""

from __future__ import annotations

import argparse
import sys
from math import inf

from algorithms.bad_input import BadInput
from algorithms.engine.scenario import Scenario
from algorithms.scenario_format.place import Place
from visual.commands.output import ProgressBar, require_folder, write
from visual.commands.picture_options import one_of, whole
from visual.commands.pictures import time_of
from visual.commands.scenario_options import (
    add_beside_argument,
    add_scenario_arguments,
    name_of,
    origin_of,
    scenario_of,
)
from visual.drawing.theme import NAMES
from visual.window.compare import join, rival_of
from visual.window.desk import Desk
from visual.window.run_view import RunView
from visual.window.web.recording import Recording, Values, page

EXAMPLES = """\
  mutoscope export html deferred-reply -o wait.html
  mutoscope export html token-ring --beside ricart-agrawala --until 40 -o two.html
  mutoscope export html lost-token --from 'marker:the token is lost' --theme dark -o lost.html"""

KINDS = ("html",)
MOST_STEPS = 5_000
USUAL_STEPS = 1_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("kind", metavar="html", help="the kind of file")
    add_scenario_arguments(parser)
    add_beside_argument(parser)
    page = parser.add_argument_group("the page")
    page.add_argument("-o", "--output", metavar="FILE", help="the page's file; - is the standard output")
    page.add_argument("--from", dest="start", metavar="WHEN", help="its beginning: a time, or marker:NAME")
    page.add_argument(
        "--steps",
        metavar="N",
        default=str(USUAL_STEPS),
        help=f"limit on the number of steps (default: {USUAL_STEPS:,})",
    )
    page.add_argument("--theme", metavar="NAME", default="light", help=f"{', '.join(NAMES)} (default: light)")


def run(arguments: argparse.Namespace) -> int:
    """Write the page and print its name."""
    one_of("html", "kind of file", arguments.kind, KINDS)
    scenario = scenario_of(arguments)
    theme = one_of("--theme", "theme", arguments.theme, NAMES)
    most = whole("--steps", arguments.steps, 1, MOST_STEPS)
    start = -inf if arguments.start is None else time_of(Place("--from"), arguments.start, scenario)
    target = arguments.output or f"{name_of(arguments)}.html"
    require_folder(target)
    desk = _desk(scenario, arguments.beside)
    write(target, [_page(desk, scenario, theme, start, most, f"mutoscope play {origin_of(arguments)}")])
    if target != "-":
        print(target)
    return 0


def _desk(scenario: Scenario, beside: str | None) -> Desk:
    desk = Desk(RunView(scenario))
    if beside is not None:
        join(desk, rival_of(scenario, beside))
    return desk


def _page(desk: Desk, scenario: Scenario, theme: str, start: float, most: int, origin: str) -> bytes:
    """The page of the desk's runs."""
    values = Values(theme)
    recordings = [Recording(run, values) for run in desk.runs]
    with ProgressBar("recording") as progress:
        for place, recording in enumerate(recordings):
            for count, time in enumerate(recording.go_on(start, most)):
                share = max(time / scenario.until, count / most)
                progress.show((place + share) / len(recordings))
    for run in desk.runs:
        if run.failure:
            raise BadInput(run.failure)
        if not run.has_ended and run.next_time is not None and run.next_time <= scenario.until:
            print(f"the page ends after {most:,} steps, at {run.now:g}; --steps records more", file=sys.stderr)
    return page(recordings, values, scenario, desk.front.pace, origin)
