"""Films of runs: which moments they show, and their frames, drawn and encoded by several processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, ProcessPoolExecutor
from functools import partial
from itertools import accumulate, pairwise
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any, NamedTuple

from algorithms.bad_input import BadInput
from algorithms.engine.check.helper import ctrl_c_ignored
from algorithms.engine.scenario import Scenario
from algorithms.machine import cores
from visual.commands.output import ProgressBar
from visual.commands.pictures import WHOLE, Instant, PictureOf, RunPictures, check_drawable
from visual.drawing.film import FilmKind, FilmShape
from visual.drawing.film.formats import format_of, write_film
from visual.drawing.theme import load
from visual.scene.still import Still

if TYPE_CHECKING:
    from visual.drawing.film.frame import FilmFrame

FLIGHT = 0.8  # seconds that an average message is in transit at speed 1, as in the window
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
    each = speed * (scenario.network.delay.mean or 1.0) / FLIGHT / fps  # of the run's time for a frame
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
            with ctrl_c_ignored():  # also by the processes that start here: it is for this one, which stops the others
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
    _camera = camera()
    _camera.is_stopped = is_stopped


def _segment(work: tuple[int, list[Shown]]) -> Any:
    assert _camera is not None
    return _camera.segment(work)
