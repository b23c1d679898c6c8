"""Milliseconds per 1920x1080 frame, in software, for three scenes; prints one JSON object.

    python tests/benchmarks/frame.py [--tiny]
    {"30": median, "100": median, "300": median, "worst": slowest of all, "x_matplotlib_300": ratio of medians}

A frame goes from a time to pixels: placing the messages, building the shapes, drawing them. The scenes: 30 nodes,
complete, 50 messages; 100 nodes, sparse, 300 messages; 300 nodes, sparse, 1,000 messages; each beside six plots with
counters that change ten times a second. Every message has a label, a new one after each hop; one node changes its state
in every frame. matplotlib draws the largest scene in turn, with artists that are created once and then updated. The
first frame of a scene is not counted.
"""

import argparse
import gc
import json
import math
import random
import statistics
import time
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from visual.drawing.paint import Painter, render
from visual.drawing.shapes import Box, Circle, Family, Group, Line, Mark, Polyline, Shape, Text
from visual.drawing.theme import Theme, load

PLOTS, POINTS, LAPS = 6, 200, 10
STATES = ("idle", "wanting", "inside", "crashed")
KINDS: tuple[tuple[str, Family], ...] = (("REQ", "ask"), ("REP", "grant"), ("TOK", "token"), ("REL", "announce"))


class Size(NamedTuple):
    width: int
    height: int
    panel: int


class Message(NamedTuple):
    sender: int
    receiver: int
    phase: float
    family: Family
    labels: tuple[str, ...]


class Workload(NamedTuple):
    """The contents of the picture: nodes on a circle, channels, messages in transit, six series of numbers."""

    size: Size
    places: list[tuple[float, float]]
    edges: list[tuple[int, int]]
    messages: list[Message]
    series: list[list[float]]
    states: list[int]


def workload(size: Size, nodes: int, messages: int, *, complete: bool) -> Workload:
    rng = random.Random(5)
    centre, radius = ((size.width - size.panel) / 2, size.height / 2), size.height * 0.45
    angles = [2 * math.pi * node / nodes for node in range(nodes)]
    places = [(centre[0] + radius * math.cos(a), centre[1] + radius * math.sin(a)) for a in angles]
    if complete:
        edges = [(a, b) for a in range(nodes) for b in range(a)]
    else:
        chords = [rng.sample(range(nodes), 2) for _ in range(2 * nodes)]
        edges = [(a, (a + 1) % nodes) for a in range(nodes)] + [(a, b) for a, b in chords]
    flying = []
    for _ in range(messages):
        sender, receiver = rng.sample(rng.choice(edges), 2)
        phase, (word, family), number = rng.random(), rng.choice(KINDS), rng.randrange(200)
        labels = tuple(f"{word} {(number + lap) % 200}" for lap in range(LAPS))
        flying.append(Message(sender, receiver, phase, family, labels))
    series = [[rng.random() for _ in range(2 * POINTS)] for _ in range(PLOTS)]
    return Workload(size, places, edges, flying, series, [rng.randrange(len(STATES)) for _ in range(nodes)])


class Film:
    """The workload as shapes; the constant ones are built once."""

    def __init__(self, work: Workload, theme: Theme) -> None:
        self._work = work
        self._theme = theme
        self._crowded = len(work.messages) > 100
        self._node_radius = min(24.0, 2.2 * work.size.height / len(work.places))
        self._edges = self._draw_edges()
        self._node = cache(self._draw_node)
        self._plot = cache(self._draw_plot)

    def shapes(self, frame: int) -> list[Shape]:
        """One frame, back to front."""
        plots = [self._plot(plot, (frame + plot) // PLOTS) for plot in range(PLOTS)]
        return [self._edges, *self._nodes(frame), *self._messages(frame * 0.01), *plots]

    def _nodes(self, frame: int) -> list[Group]:
        rounds, changed = divmod(frame, len(self._work.places))
        return [
            self._node(node, STATES[(state + rounds + (node < changed)) % len(STATES)])
            for node, state in enumerate(self._work.states)
        ]

    def _messages(self, now: float) -> list[Mark]:
        places, marks = self._work.places, []
        size, form = (self._theme.sizes.crowd, "dot") if self._crowded else (15.0, "pill")
        for sender, receiver, phase, family, labels in self._work.messages:
            way = phase + now
            lap = int(way)
            way -= lap
            (x1, y1), (x2, y2) = places[sender], places[receiver]
            x, y = x1 + (x2 - x1) * way, y1 + (y2 - y1) * way
            marks.append(Mark(x, y, family, labels[lap % LAPS], size, form))
        return marks

    def _draw_edges(self) -> Group:
        size, theme = self._work.size, self._theme
        ground = Box(0, 0, size.width - size.panel, size.height, theme.paper)
        lines = (
            Line(*self._work.places[a], *self._work.places[b], theme.edge, theme.sizes.edge)
            for a, b in self._work.edges
        )
        return Group((ground, *lines), key="edges")

    def _draw_node(self, node: int, state: str) -> Group:
        look, radius = self._theme.states[state], self._node_radius
        circle = Circle(0, 0, radius, look.fill, look.ring, radius / 8)
        label = Text(0, 0, f"{node}", radius, look.ink, "bold", anchor="middle", baseline="middle")
        return Group((circle, label), *self._work.places[node], key=("node", node, state))

    def _draw_plot(self, plot: int, tick: int) -> Group:
        size, theme = self._work.size, self._theme
        height, start = size.height / PLOTS, tick % POINTS
        wide, high = size.panel - 40, height - 60
        values = self._work.series[plot][start : start + POINTS]
        curve = tuple((20 + wide * i / POINTS, height - 12 - high * value) for i, value in enumerate(values))
        shapes = (
            Box(0, 0, size.panel, height, theme.chrome),
            Text(20, 34, f"{tick * (plot + 3)}", theme.sizes.body, theme.ink, "bold", "mono"),
            Polyline(curve, theme.accent, 1.5),
        )
        return Group(shapes, size.width - size.panel, plot * height, key=("plot", plot, tick))


def matplotlib_film(work: Workload) -> Callable[[int], None]:
    """The same scene in idiomatic, fast matplotlib: artists created once, then updated."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    import numpy as np
    from matplotlib.collections import LineCollection

    size, places = work.size, np.array(work.places)
    colours = ["#e65a50", "#5ac878", "#5a96f0", "#f0c850"]
    figure = plt.figure(figsize=(size.width / 100, size.height / 100), dpi=100)
    axes = figure.add_axes((0, 0, 1 - size.panel / size.width, 1))
    axes.set(xlim=(0, size.width - size.panel), ylim=(size.height, 0))
    axes.axis("off")
    axes.add_collection(LineCollection([(places[a], places[b]) for a, b in work.edges], linewidths=0.7))
    axes.scatter(places[:, 0], places[:, 1], s=40, c=[colours[state] for state in work.states], zorder=3)
    for node, (x, y) in enumerate(work.places):
        axes.text(x + 8, y + 14, str(node), fontsize=8)
    senders = places[[message.sender for message in work.messages]]
    receivers = places[[message.receiver for message in work.messages]]
    phases = np.array([message.phase for message in work.messages])
    dots = axes.scatter(senders[:, 0], senders[:, 1], s=25, zorder=4)
    labels = [axes.text(0, 0, m.labels[0], fontsize=8, zorder=5) for m in work.messages]
    panels = [figure.add_axes((0.83, 1 - (k + 1) * 0.13, 0.16, 0.1)) for k in range(PLOTS)]
    curves = [panel.plot(range(POINTS), work.series[k][:POINTS])[0] for k, panel in enumerate(panels)]
    titles = [panel.set_title("0", fontsize=8) for panel in panels]

    def draw(frame: int) -> None:
        way = ((phases + frame * 0.01) % 1)[:, None]
        at = senders * (1 - way) + receivers * way
        dots.set_offsets(at)
        for label, (x, y) in zip(labels, at, strict=True):
            label.set_position((x + 6, y))
        for k, (curve, title) in enumerate(zip(curves, titles, strict=True)):
            curve.set_ydata(work.series[k][frame % POINTS :][:POINTS])
            title.set_text(str(frame * (k + 3)))
        figure.canvas.draw()

    return draw


def timed(draw: Callable[[int], None], frames: range) -> list[float]:
    """The milliseconds of each frame."""
    took = []
    for frame in frames:
        start = time.perf_counter()
        draw(frame)
        took.append((time.perf_counter() - start) * 1000)
    return took


def our_film(work: Workload) -> Callable[[int], None]:
    theme = load("light")
    film, painter = Film(work, theme), Painter(theme)
    surface = render((), (work.size.width, work.size.height), theme, 1, theme.paper)
    return lambda frame: painter.draw(surface, film.shapes(frame))


def measure(size: Size, scenes: dict[str, Workload], frames: int, rounds: int) -> dict[str, float]:
    """The medians of rounds with some frames of every scene, and one frame of the last scene in matplotlib."""
    films = {name: our_film(work) for name, work in scenes.items()}
    largest = list(scenes)[-1]
    theirs_film = matplotlib_film(scenes[largest])
    ours: dict[str, list[float]] = {name: [] for name in scenes}
    theirs: list[float] = []
    for draw in (*films.values(), theirs_film):
        draw(0)
    gc.freeze()  # keeps the collector from searching matplotlib's objects during our frames
    for turn in range(rounds):
        for name, draw in films.items():
            ours[name] += timed(draw, range(1 + turn * frames, 1 + (turn + 1) * frames))
        theirs += timed(theirs_film, range(turn + 1, turn + 2))
        gc.collect()
    medians = {name: statistics.median(took) for name, took in ours.items()}
    ratio = statistics.median(theirs) / medians[largest]
    return {**medians, "worst": max(map(max, ours.values())), f"x_matplotlib_{largest}": ratio}


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tiny", action="store_true", help="small scenes and few frames, to see that it runs")
    tiny = parser.parse_args(arguments).tiny
    size = Size(480, 270, 120) if tiny else Size(1920, 1080, 360)
    part = 10 if tiny else 1
    scenes = {
        str(nodes): workload(size, nodes // part, messages // part, complete=complete)
        for nodes, messages, complete in ((30, 50, True), (100, 300, False), (300, 1000, False))
    }
    result = measure(size, scenes, frames=3 if tiny else 60, rounds=1 if tiny else 5)
    print(json.dumps({name: round(value, 2) for name, value in result.items()}))


if __name__ == "__main__":
    main()
