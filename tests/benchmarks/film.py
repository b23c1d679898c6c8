"""Films: frames per second at 1920x1080, drawn and encoded, beside matplotlib drawing the same shapes.

python -m tests.benchmarks.film [--tiny]
"""

from __future__ import annotations

import argparse
import tempfile
from itertools import chain
from pathlib import Path

from algorithms import catalog, scenario_file
from algorithms.clock import wall_clock
from visual.analysis.run_cache import RunCache
from visual.commands.filming import Shown, film
from visual.drawing.shapes import Box, Circle, Group, Line, Mark, Polyline, Shape, Text
from visual.scene.still import Still, still

SIZE = (1920, 1080)
SCENARIO = "deferred-reply"


LOOK = Still(size=SIZE, reopen=False)


def moments(count: int) -> list[Shown]:
    return [Shown(3 + 6 * k / count, 1, LOOK) for k in range(count)]


def ours(count: int) -> float:
    """Frames per second of a film as .mp4, drawn, encoded and written by all cores, start included."""
    scenario = scenario_file.load(scenario_file.find(SCENARIO))
    start = wall_clock()
    with tempfile.TemporaryDirectory() as folder:
        film(str(Path(folder) / "x.mp4"), "mp4", scenario, moments(count), 25)
    return count / (wall_clock() - start)


def matplotlib_frames(count: int) -> float:
    """Frames per second of matplotlib, which draws the same shapes with its own artists and writes raw frames."""
    from matplotlib import pyplot

    timeline = catalog.timeline(scenario_file.load(scenario_file.find(SCENARIO)))
    cache = RunCache(timeline.simulation)
    figure = pyplot.figure(figsize=(SIZE[0] / 100, SIZE[1] / 100), dpi=100)
    spent = 0.0
    for time, _, look, _ in moments(count):
        timeline.seek_time(time)
        shapes = still(timeline, time, look, cache).shapes
        start = wall_clock()
        figure.clf()
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set(xlim=(0, SIZE[0]), ylim=(SIZE[1], 0))
        axes.axis("off")
        for shape in flat(shapes):
            draw(axes, shape)
        figure.canvas.draw()
        bytes(figure.canvas.buffer_rgba())  # type: ignore[attr-defined]
        spent += wall_clock() - start
    pyplot.close(figure)
    return count / spent


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tiny", action="store_true", help="a few frames, to see that it runs")
    count = 6 if parser.parse_args().tiny else 1000
    mine, theirs = ours(count), matplotlib_frames(max(3, count // 40))
    print(f"mutoscope {mine:.1f} frames/s, matplotlib {theirs:.1f} frames/s, ratio {mine / theirs:.1f}")


if __name__ == "__main__":
    main()
