"""Make a film of a run: MP4, WebM, GIF or WebP, with captions.

Needs no display. The film stops at markers, so that there is time to explain; several cores draw its frames.
"""

from __future__ import annotations

import argparse
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import accumulate, pairwise
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from algorithms import catalog
from algorithms.authoring.failures import guard_timeline
from algorithms.bad_input import BadInput
from algorithms.engine.check.helper import ctrl_c_deferred
from algorithms.engine.faults import FAULTS
from algorithms.engine.scenario import Scenario
from algorithms.files import read_text
from algorithms.machine import cores
from algorithms.scenario_file import saved_run
from algorithms.scenario_format import shorthand
from algorithms.scenario_format.events import read_event
from algorithms.scenario_format.place import Place, path_words
from lessons.reading.markdown import at_line
from visual.commands.output import ProgressBar, kind_of, require_extra, require_folder, require_pygame_ce
from visual.commands.picture_options import add_look_arguments, decimal, look_of, selected_of, whole
from visual.commands.pictures import (
    WHOLE,
    Instant,
    PictureOf,
    RunPictures,
    check_drawable,
    go_to,
    span_of,
    subject_of,
    time_of,
)
from visual.commands.scenario_options import add_scenario_arguments, name_of, scenario_of
from visual.drawing.film import KINDS, NEEDS, FilmKind, FilmShape
from visual.drawing.film.formats import format_of, write_film
from visual.drawing.theme import load
from visual.scene.options import FLIGHT
from visual.scene.still import CROP_OF_VIEW, Still

if TYPE_CHECKING:
    from visual.drawing.film.frame import FilmFrame

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


MOST_WAITED = 600.0  # seconds of one wait, or of a stop
SPEEDS = 0.001, 1_000.0  # the lowest and the highest


class Tape:
    """A tape while it is read: the run with its interventions so far, and the moments that the film shows.

    A tape has one command on a line; docs/slides.md explains them.
    """

    def __init__(self, scenario: Scenario, look: Still, speed: float, fps: int) -> None:
        self._timeline = catalog.timeline(scenario)
        self._look, self._speed, self._fps = look, speed, fps
        self._time: float | None = None  # where the tape is; None before the first `at`
        self.shown: list[Shown] = []

    @property
    def scenario(self) -> Scenario:
        """The scenario with the interventions of the tape."""
        return saved_run(self._timeline)

    def read(self, line: str, place: Place) -> None:
        """Follow one line. BadInput if it makes no sense."""
        name, _, rest = line.strip().partition(" ")
        if not name or name.startswith("#"):
            return
        if name not in _COMMANDS:
            raise place.unknown("command", name, _COMMANDS)
        _COMMANDS[name](self, rest.strip(), place)

    def at(self, word: str, place: Place) -> None:
        """Play on to a moment."""
        time, before = time_of(place, word, self._timeline.scenario), self._time
        if before is not None:
            if time <= before:
                raise place.expected(f"a time after {before:g}, where the tape is", word)
            _, *after = moments(self.scenario, before, time, self._look, speed=self._speed, fps=self._fps)
            self.shown += after[:-1]
        self._time = time
        go_to(self._timeline, Instant(time=time))
        self._show(1)

    def wait(self, word: str, place: Place) -> None:
        """Keep the picture."""
        self._show(max(1, round(decimal(place, word, 0.0, MOST_WAITED) * self._fps)))

    def speed(self, word: str, place: Place) -> None:
        """Change the speed."""
        self._speed = decimal(place, word, *SPEEDS)

    def act(self, words: str, place: Place) -> None:
        """Intervene in the run."""
        do, *values = words.split() or [""]
        if do not in FAULTS:
            raise place.unknown("event", do, FAULTS)
        needs = [need for need in FAULTS[do].needs if not any(value.startswith(f"{need}=") for value in values)]
        bare = [value for value in values if "=" not in value]
        if len(bare) > len(needs):
            raise place.expected(f"at most {len(needs)} value{'s' * (len(needs) != 1)} for {do}", words)
        named = [f"{need}={value}" for need, value in zip(needs, bare, strict=False)]
        others = [value for value in values if "=" in value]
        table = shorthand.event(" ".join([str(self._time or 0.0), do, *named, *others]), place)
        scenario = self._timeline.scenario
        event = read_event(table, self._timeline.algorithm, scenario.nodes, place)
        if self._time is None:
            raise place.wrong("expected at, and when the film begins, before an intervention")
        with guard_timeline(self._timeline):
            self._timeline.act(event)

    def select(self, word: str, place: Place) -> None:
        """Select a node."""
        try:
            selected = "" if word == "none" else selected_of(word)
        except BadInput:
            raise place.expected("a node such as P3, or none", word) from None
        self._look = replace(self._look, selected=selected)

    def view(self, word: str, place: Place) -> None:
        """Change the view."""
        if word not in CROP_OF_VIEW:
            raise place.unknown("view", word, CROP_OF_VIEW)
        self._look = replace(self._look, crop=CROP_OF_VIEW[word])

    def note(self, words: str, place: Place) -> None:
        """Show words instead of the caption."""
        self._look = replace(self._look, caption=words or None)

    def _show(self, ticks: int) -> None:
        """Show the present state, without what a later line does at the same time."""
        step = self._timeline.step
        self.shown.append(Shown(0.0 if self._time is None else self._time, ticks, self._look, step))


_COMMANDS: dict[str, Callable[[Tape, str, Place], None]] = {
    "at": Tape.at,
    "wait": Tape.wait,
    "speed": Tape.speed,
    "act": Tape.act,
    "select": Tape.select,
    "view": Tape.view,
    "note": Tape.note,
}


def read_tape(path: Path, scenario: Scenario, look: Still, speed: float, fps: int) -> Tape:
    """The tape in a file. BadInput, with file and line, if it makes no sense."""
    try:
        lines = read_text(path).splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text in UTF-8"
        raise BadInput(f"{path_words(path)}: cannot be read ({reason})") from None
    tape = Tape(scenario, look, speed, fps)
    for number, line in enumerate(lines, 1):
        tape.read(line, at_line(path.name, number))
    if not tape.shown:
        raise BadInput(f"{path.name}: expected a line with at, and when the film begins")
    return tape


# ---- the frames --------------------------------------------------------------------------------------------


MOST_FRAMES = 20_000
SEGMENT = 60  # moments that a process draws and encodes at a time
LAST = 1.0  # seconds that the last picture stays


class Shown(NamedTuple):
    """A moment of the run, the number of ticks for which it is shown, and its look.

    It is the moment after all steps up to `time`, or after `step` steps if given.
    """

    time: float
    ticks: int
    look: Still
    step: int | None = None


def moments(
    scenario: Scenario, start: float, end: float, look: Still, *, speed: float = 1.0, fps: int = 25, stop: float = 0.0
) -> list[Shown]:
    """The moments from `start` to `end`, in order; each marker stays for `stop` seconds. BadInput for too many."""
    check_drawable(scenario)
    each = speed * scenario.network.flight / FLIGHT / fps  # of the run's time for a frame
    count = int((end - start) / each)
    if count > MOST_FRAMES:
        raise BadInput(f"--speed: {count:,} frames; expected at most {MOST_FRAMES:,}, so a higher speed or fewer --fps")
    times = dict.fromkeys([*(start + k * each for k in range(count + 1)), end], 1)
    times |= {marker.at: max(1, round(stop * fps)) for marker in scenario.markers if start <= marker.at <= end}
    return [Shown(time, times[time], look) for time in sorted(times)]


def film(
    target: str, kind: FilmKind, scenario: Scenario, shown: list[Shown], fps: int, subject: PictureOf = WHOLE
) -> None:
    """Make the film of these moments. OSError if it cannot be written; an interrupt leaves no file."""
    look = shown[0].look
    shape = FilmShape(look.size, fps, look.theme)
    camera = partial(FilmCamera, kind, scenario, shape, subject)
    with ProgressBar("filming") as progress:
        write_film(target, kind, _segments(camera, shown, progress), shape)


def _segments(camera: Callable[[], FilmCamera], shown: list[Shown], progress: ProgressBar) -> Iterator[Any]:
    """The encoded segments in order, each drawn by one of the cameras that `camera` makes."""
    bounds = [*range(0, len(shown), SEGMENT), len(shown)]
    ticks = [0, *accumulate(moment.ticks for moment in shown)]
    work = [(ticks[first], shown[first:after]) for first, after in pairwise(bounds)]
    if cores() < 2 or len(work) < 2:
        made: Iterator[Any] = map(camera().segment, work)
        yield from _counted(made, len(work), progress)
        return
    context = get_context("spawn")
    stop = context.Event()
    with ProcessPoolExecutor(min(cores(), len(work)), context, _set_up, (camera, stop.is_set)) as pool:
        try:
            with ctrl_c_deferred():
                made = pool.map(_segment, work)
            yield from _counted(made, len(work), progress)
        finally:
            stop.set()


def _counted(segments: Iterator[Any], total: int, progress: ProgressBar) -> Iterator[Any]:
    for done, segment in enumerate(segments, 1):
        progress.show(done / total)
        yield segment


class FilmCamera:
    """Draws and encodes moments of a run, unless it is stopped."""

    is_stopped: Callable[[], bool] = staticmethod(bool)

    def __init__(self, kind: FilmKind, scenario: Scenario, shape: FilmShape, subject: PictureOf) -> None:
        from visual.drawing.paint.frames import Frames  # --help does without it

        self._kind, self._shape = kind, shape
        self._pictures = RunPictures(scenario, subject)
        self._theme = load(shape.theme)
        self._frames = Frames(shape.size, self._theme)

    def segment(self, work: tuple[int, list[Shown]]) -> Any:
        """The encoded segment of some moments that begins at a tick."""
        first_tick, shown = work
        self._frames.start()
        return format_of(self._kind).encode(self._kind, map(self.frame, shown), self._shape, first_tick)

    def frame(self, shown: Shown) -> FilmFrame:
        """The frame of a moment."""
        if self.is_stopped():
            raise CancelledError
        picture = self._pictures.at(Instant(shown.step, shown.time), shown.look)
        return self._frames.frame(picture.shapes, picture.background or self._theme.paper, shown.ticks)


_camera: FilmCamera | None = None  # of this process


def _set_up(camera: Callable[[], FilmCamera], is_stopped: Callable[[], bool]) -> None:
    global _camera
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # on Windows, where it is not blocked from the start
    _camera = camera()
    _camera.is_stopped = is_stopped


def _segment(work: tuple[int, list[Shown]]) -> Any:
    assert _camera is not None
    return _camera.segment(work)
