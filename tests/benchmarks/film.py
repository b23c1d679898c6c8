"""Films: frames per second at 1920x1080, drawn and encoded, beside matplotlib and manim drawing the same shapes.

python -m tests.benchmarks.film [--tiny]

Matplotlib draws and does not encode. Manim draws only the messages again in each frame, and encodes; it is left out
where it is not installed. The processor's time for a frame tells more than the clock where other programs run.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from algorithms import catalog, scenario_file
from algorithms.clock import wall_clock
from visual.analysis.run_cache import RunCache
from visual.commands.film import Shown, film
from visual.drawing.shapes import Box, Circle, Group, Line, Mark, Polyline, Shape, Text
from visual.scene.still import Still, still

SIZE = (1920, 1080)
SCENARIO = "deferred-reply"


LOOK = Still(size=SIZE, reopen=False)


def moments(count: int) -> list[Shown]:
    return [Shown(3 + 6 * k / count, 1, LOOK) for k in range(count)]


class Rate(NamedTuple):
    """Frames per second by the clock, and milliseconds of the processor for each."""

    frames: float
    processor: float

    def __str__(self) -> str:
        return f"{self.frames:.1f} frames/s, {self.processor:.1f} ms of the processor each"


class Clock:
    """Measures some work, with that of processes that have ended."""

    def __init__(self) -> None:
        self._start, self._spent = wall_clock(), self._processor()

    @staticmethod
    def _processor() -> float:
        times = os.times()
        return times.user + times.system + times.children_user + times.children_system

    def rate(self, count: int) -> Rate:
        return Rate(count / (wall_clock() - self._start), 1000 * (self._processor() - self._spent) / count)


def ours(count: int) -> Rate:
    """The rate of a film as .mp4, drawn, encoded and written by all cores, start included."""
    scenario, clock = scenario_file.load(scenario_file.find(SCENARIO)), Clock()
    with tempfile.TemporaryDirectory() as folder:
        film(str(Path(folder) / "x.mp4"), "mp4", scenario, moments(count), 25)
    return clock.rate(count)


def matplotlib_frames(count: int) -> Rate:
    """The rate of matplotlib, which draws the same shapes with its own artists and gives raw frames."""
    from matplotlib import pyplot

    timeline = catalog.timeline(scenario_file.load(scenario_file.find(SCENARIO)))
    cache = RunCache(timeline.simulation)
    figure = pyplot.figure(figsize=(SIZE[0] / 100, SIZE[1] / 100), dpi=100)
    pictures = []
    for time, _, look, _ in moments(count):
        timeline.seek_time(time)
        pictures.append(flat(still(timeline, time, look, cache).shapes))
    clock = Clock()
    for shapes in pictures:
        figure.clf()
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set(xlim=(0, SIZE[0]), ylim=(SIZE[1], 0))
        axes.axis("off")
        for shape in shapes:
            draw(axes, shape)
        figure.canvas.draw()
        bytes(figure.canvas.buffer_rgba())  # type: ignore[attr-defined]
    rate = clock.rate(count)
    pyplot.close(figure)
    return rate


def flat(shapes: tuple[Shape, ...]) -> list[Shape]:
    return list(chain.from_iterable(flat(s.shapes) if isinstance(s, Group) else [s] for s in shapes))


def draw(axes, shape: Shape) -> None:
    from matplotlib.patches import Circle as Round
    from matplotlib.patches import Rectangle

    if isinstance(shape, Text):
        axes.text(shape.x, shape.y, shape.text, fontsize=shape.size * 0.72)
    elif isinstance(shape, Line):
        axes.plot([shape.x1, shape.x2], [shape.y1, shape.y2], linewidth=shape.width)
    elif isinstance(shape, Polyline):
        axes.plot(*zip(*shape.points, strict=True))
    elif isinstance(shape, Circle):
        axes.add_patch(Round((shape.x, shape.y), shape.r))
    elif isinstance(shape, Box):
        axes.add_patch(Rectangle((shape.x, shape.y), shape.w, shape.h))
    elif isinstance(shape, Mark):
        axes.text(shape.x, shape.y, shape.label)


def manim_frames(count: int) -> Rate | None:
    """The rate of manim, which moves the messages of one step along; None where it is not installed."""
    try:
        import manim
    except ImportError:
        return None
    timeline = catalog.timeline(scenario_file.load(scenario_file.find(SCENARIO)))
    timeline.seek_time(4.6)
    shapes = flat(still(timeline, 4.6, LOOK).shapes)
    with tempfile.TemporaryDirectory() as folder:
        manim.config.update({"pixel_width": SIZE[0], "pixel_height": SIZE[1], "frame_rate": 25, "media_dir": folder})
        manim.config.update({"disable_caching": True, "verbosity": "ERROR", "progress_bar": "none"})
        scene = manim.Scene()
        scene.add(*(made for shape in shapes if (made := as_mobject(manim, shape)) is not None))
        marks = [as_mobject(manim, shape) for shape in shapes if isinstance(shape, Mark)]
        clock = Clock()
        scene.play(*(mark.animate.shift(manim.RIGHT) for mark in marks), run_time=count / 25)
        return clock.rate(count)


def as_mobject(manim: ModuleType, shape: Shape) -> Any:
    """The shape as manim's own; None for kinds that it would need several for."""

    def at(x: float, y: float) -> list[float]:
        return [(x - SIZE[0] / 2) * 8 / SIZE[1], (SIZE[1] / 2 - y) * 8 / SIZE[1], 0]

    if isinstance(shape, Text) and shape.text.strip():
        return manim.Text(shape.text, font_size=shape.size).move_to(at(shape.x, shape.y))
    if isinstance(shape, Line):
        return manim.Line(at(shape.x1, shape.y1), at(shape.x2, shape.y2))
    if isinstance(shape, Polyline):
        return manim.VMobject().set_points_as_corners([at(x, y) for x, y in shape.points])
    if isinstance(shape, Circle):
        return manim.Circle(radius=shape.r * 8 / SIZE[1]).move_to(at(shape.x, shape.y))
    if isinstance(shape, Box):
        size = {"width": shape.w * 8 / SIZE[1], "height": shape.h * 8 / SIZE[1]}
        return manim.Rectangle(**size).move_to(at(shape.x + shape.w / 2, shape.y + shape.h / 2))
    if isinstance(shape, Mark):
        label = manim.Text(shape.label or "-", font_size=shape.size)
        return manim.VGroup(manim.SurroundingRectangle(label), label).move_to(at(shape.x, shape.y))
    return None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tiny", action="store_true", help="a few frames, to see that it runs")
    count = 6 if parser.parse_args().tiny else 1000
    mine = ours(count)
    print(f"mutoscope  {mine}")
    for name, measure in (("matplotlib", matplotlib_frames), ("manim", manim_frames)):
        theirs = measure(max(3, count // 20))
        if theirs is not None:
            ratio, work = mine.frames / theirs.frames, theirs.processor / mine.processor
            print(f"{name:10} {theirs}; ratio {ratio:.1f} by the clock, {work:.1f} by processor time")


if __name__ == "__main__":
    main()
