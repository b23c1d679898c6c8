"""Make a film of a run: MP4, WebM, GIF or WebP, with captions.

Needs no display. The film stops at markers, so that there is time to explain; several cores draw its frames.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from algorithms import catalog
from algorithms.authoring.failures import guard_timeline
from algorithms.bad_input import BadInput
from algorithms.engine.scenario import Scenario
from visual.commands.picture_options import add_look_arguments, look_of, whole
from visual.commands.pictures import Instant, go_to
from visual.commands.progress import ProgressBar
from visual.commands.requirements import require_extra, require_pygame_ce
from visual.commands.scenario_options import add_scenario_arguments, name_of, scenario_of
from visual.drawing.film import KINDS, NEEDS, FilmFrame, FilmKind, write_film
from visual.scene.still import Still

EXAMPLES = """\
  mutoscope film lost-token -o lost.mp4
  mutoscope film deferred-reply --from 4 --to 12 --speed 0.5 --theme dark -o wait.webm
  mutoscope film bully-worst --size 960x540 --fps 12 -o bully.gif
  mutoscope film my-scenario.toml --crop graph -o graph.webp"""

FLIGHT = 0.8  # seconds that an average message is in transit at speed 1, as in the window
MOST_FRAMES = 20_000
CHUNK = 12  # frames that a process draws at a time
LAST = 1.0  # seconds that the last picture stays


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_scenario_arguments(parser)
    film = parser.add_argument_group("the film")
    film.add_argument("-o", "--output", metavar="FILE", help="the film's file: .mp4, .webm, .gif or .webp")
    film.add_argument("--from", dest="start", metavar="T", default="0", help="the time at which it begins (default: 0)")
    film.add_argument("--to", dest="end", metavar="T", help="the time at which it ends (default: the scenario's end)")
    film.add_argument("--speed", metavar="X", default="1", help="times as fast as in the window (default: 1)")
    film.add_argument("--fps", metavar="N", default="25", help="frames per second (default: 25)")
    film.add_argument("--stop", metavar="S", default="2", help="seconds that it stops at each marker (default: 2)")
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
    shown = plan(scenario, arguments, fps)
    if not Path(target).parent.is_dir():
        raise BadInput(f"{target}: cannot be written (there is no folder {Path(target).parent}; create it first)")
    with ProgressBar("filming") as progress:
        frames = _counted(_frames(scenario, look, shown), len(shown), progress)
        try:
            write_film(target, kind, frames, look.size, fps)
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


class Shown(NamedTuple):
    """A moment of the run, and for how many frames it is shown."""

    time: float
    ticks: int


def plan(scenario: Scenario, arguments: argparse.Namespace, fps: int) -> list[Shown]:
    """The moments of the film in order; at a marker it stops. BadInput for times that make no sense."""
    start, speed = _number("--from", arguments.start, 0), _number("--speed", arguments.speed, 1e-3)
    end = scenario.until if arguments.end is None else _number("--to", arguments.end, 0)
    hold = _number("--stop", arguments.stop, 0)
    if not start < end <= scenario.until:
        words = f"a time after {start:g}, at most {scenario.until:g}, where the scenario ends"
        raise BadInput(f"--to: expected {words}, got {end:g}")
    each = speed * (scenario.network.delay.mean or 1.0) / FLIGHT / fps  # of the run's time for a frame
    count = int((end - start) / each)
    if count > MOST_FRAMES:
        raise BadInput(f"--speed: {count:,} frames; expected at most {MOST_FRAMES:,}, so a higher speed or fewer --fps")
    times = [start + k * each for k in range(count + 1)]
    stops = sorted({marker.at for marker in scenario.markers if start <= marker.at <= end})
    shown = dict.fromkeys(times, 1) | {stop: max(1, round(hold * fps)) for stop in stops}
    shown[end] = max(1, round(LAST * fps))
    return [Shown(time, shown[time]) for time in sorted(shown)]


def _number(option: str, word: str, least: float) -> float:
    try:
        number = float(word)
    except ValueError:
        number = -1.0
    if not least <= number < 1e9:
        raise BadInput(f'{option}: expected a number of at least {least:g}, got "{word}"')
    return number


# ---- drawing -----------------------------------------------------------------------------------------------


def _frames(scenario: Scenario, look: Still, shown: list[Shown]) -> Iterator[FilmFrame]:
    """The frames in order, drawn by several processes, a chunk at a time."""
    bounds = [*range(0, len(shown), CHUNK), len(shown)]
    chunks = [shown[first:after] for first, after in pairwise(bounds)]
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if cores < 2 or len(chunks) < 2:
        drawer = Drawer(scenario, look)
        yield from (frame for chunk in chunks for frame in drawer.draw(chunk))
        return
    setup = partial(_set_up, scenario, look)
    with ProcessPoolExecutor(min(cores, len(chunks)), get_context("spawn"), setup) as pool:
        try:
            for frames in pool.map(_draw, chunks):
                yield from frames
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


class Drawer:
    """Draws moments of a run, one after the other."""

    def __init__(self, scenario: Scenario, look: Still) -> None:
        from visual.analysis.run_cache import RunCache  # --help does without these
        from visual.drawing.paint import Frames
        from visual.drawing.theme import load

        self._look = look
        self._timeline = catalog.timeline(scenario)
        self._cache = RunCache(self._timeline.simulation)
        self._theme = load(look.theme)
        self._frames = Frames(look.size, self._theme)

    def draw(self, chunk: list[Shown]) -> list[FilmFrame]:
        """The frames of some moments, in order."""
        from visual.scene.still import still

        frames = []
        for time, ticks in chunk:
            go_to(self._timeline, Instant(time=time))
            with guard_timeline(self._timeline):
                picture = still(self._timeline, time, self._look, self._cache)
            pixels = self._frames.pixels(picture.shapes, picture.background or self._theme.paper)
            frames.append(FilmFrame(pixels, ticks))
        return frames


_drawer: Drawer | None = None  # of this process


def _set_up(scenario: Scenario, look: Still) -> None:
    global _drawer
    _drawer = Drawer(scenario, look)


def _draw(chunk: list[Shown]) -> list[FilmFrame]:
    assert _drawer is not None
    return _drawer.draw(chunk)


def _counted(frames: Iterator[FilmFrame], total: int, progress: ProgressBar) -> Iterator[FilmFrame]:
    for done, frame in enumerate(frames, 1):
        progress.show(done / total)
        yield frame
