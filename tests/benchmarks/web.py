"""Web pages: each number that they must hold to, measured, with its bound beside it.

Prints one JSON object: for each row {"measured", "bound", "holds"}, without the last two where there is no bound. Rows
that need a browser are left out without Chromium, its driver and selenium; those of the live page without --parts, a
folder that has or gets Pyodide and the wheels. Times are seconds or milliseconds of the processor, unless a row says
otherwise; those of the live page are also given in yardsticks, which are measured in the same page and minute. Memory
is that of Python after ten minutes of playing, shown with thirty times fewer frames than a screen has.

    python -m tests.benchmarks.web [--tiny] [--parts FOLDER] [--rows PART…]
"""

from __future__ import annotations

import argparse
import base64
import gzip
import io
import json
import os
import sys
import tempfile
import threading
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, redirect_stderr, redirect_stdout, suppress
from functools import cached_property
from importlib.util import find_spec
from io import StringIO
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from time import perf_counter, process_time, sleep
from typing import Any

from tests.benchmarks import web_figures
from tests.support.browser import MISSING, browser, size
from tests.support.pyodide import in_pyodide
from tests.support.views import VIEWS, own_folders, reached
from visual.command_line import main
from visual.commands.serve import server
from visual.commands.web import PAGES, ROOT, build
from visual.drawing import fonts
from visual.drawing.encoding import FAMILIES, ShapeStream
from visual.drawing.theme import load

BOUNDS = {
    "static folder, MB": 16,
    "static folder, gzipped, MB": 8,
    "static folder, our part, MB": 1.2,
    "first frame, cold, s by the clock": 5,
    "first frame, warm, s by the clock": 3,
    "first frame, cold, yardsticks": 940,
    "engine, CPython's speed / the page's": 3,
    "memory after ten minutes, MB": 150,
    "runs that differ": 0,
    "views whose shapes differ": 0,
    "pixels, mean difference of the worst view": 4,
    "pixels, % that differ by more than 40": 1.5,
    "text, % of its width": 0.3,
    "lines of JavaScript": 600,
    "class of 30, told after a pick, ms by the clock": 150,
}
"""The most that each row may measure; those of recorded runs and of frames are added below."""
RUNS = {
    "deferred-reply": (30, 100),
    "busy-ring": (1_000, 450),
    "wandering-token-overload": (1_000, 450),
    "ftp-subscribers": (1_000, 450),
}
"""Recorded runs: steps, and the most kB."""
TINY = {"deferred-reply": (5, 100)}
FRAMES = {30: (1.36, 1.7, 20), 100: (1.9, 1.9, 20), 300: (3.5, 1.8, 45)}  # nodes -> the most of each:
UNITS = ("Python in plain loops", "yardsticks", "kB")
COMPOSITED = "frame, {} nodes, with compositing in software, ms"
ROUNDS, TIMED = 5, 100  # of frames and yardsticks in turn; of each in a round, after as many that are not measured
SEEKS = """
const done = arguments[0], spent = [], most = film.order.length;
requestAnimationFrame(function seek() {  // each is shown, as for a person
  const start = performance.now();
  go((spent.length * 37) % most);
  spent.push(performance.now() - start);
  if (spent.length < 200) requestAnimationFrame(seek);
  else done(spent.sort((a, b) => a - b)[100]);
});
"""
for _name, (_steps, _most) in (*RUNS.items(), *TINY.items()):
    BOUNDS |= {f"recorded {_name}, {_steps} steps, kB": _most, f"recorded {_name}, first picture, ms by the clock": 500}
    BOUNDS[f"recorded {_name}, seek, ms by the clock"] = 10
for _nodes, _bounds in FRAMES.items():
    BOUNDS |= {f"frame, {_nodes} nodes, {what}": most for what, most in zip(UNITS, _bounds, strict=True)}
BENCH = """
const sheet = new OffscreenCanvas(1920, 1080).getContext("2d");
const sent = JSON.stringify(Array.from({ length: 300 }, (_, k) => [(k * 97) % 1800, (k * 61) % 1000, `P${k}`]));
const toTheEnd = (context) => context.getImageData(0, 0, 1, 1);  // until it is drawn
const measured = {
  frames() {
    const text = live.frame("", 1 / 60), { picture } = text ? JSON.parse(text) : {};
    if (picture) painter.show(picture);
    toTheEnd(painter.context);
  },
  yardsticks() {
    python.runPython("sum(k * k % 7 for k in range(20_000))");
    sheet.fillStyle = "white";
    sheet.fillRect(0, 0, 1920, 1080);
    sheet.fillStyle = "black";
    for (const [x, y, words] of JSON.parse(sent)) {
      sheet.beginPath();
      sheet.arc(x + 50, y + 50, 12, 0, 7);
      sheet.stroke();
      sheet.fillText(words, x, y);
    }
    toTheEnd(sheet);
  },
};
addEventListener("message", ({ data }) => {
  if (!data.measure) return;
  for (let k = 0; k < data.times; k++) measured[data.measure]();
  postMessage({ measured: data.measure });
});
"""
"""What is added to the worker: frames or yardsticks, one after the other, drawn to their end but never composited.

A yardstick is what any such page does: some Python, some JSON, 300 circles with a word each on a canvas of this size.
The bounds were set in times, for a machine on which a prototype of the page took 5.6, 5.5 and 13.5 ms for a frame of
30, 100 and 300 nodes (at most 8, 9 and 16) and 5.4 s to start (at most 6.5). On another machine, run in turn with the
yardstick, that prototype took 1.19, 1.16 and 1.50 yardsticks for a frame, and 780 to start. Python alone took 2.1, 3.3
and 7.1 ms (at most 3, 5 and 9), and beside a plain loop 0.95, 1.24 and 2.8 of it. The bounds in yardsticks and loops
allow as much more than the prototype needs as those in times did.
"""
ASK = """
const [measure, times, done] = arguments;
worker.addEventListener("message", ({ data }) => { if (data.measured) done(); });
worker.postMessage({ measure, times });
"""
READY = """
const done = arguments[0], isReady = () => document.body.className || document.body.dataset.ready;
const look = () => isReady() ? done() : setTimeout(look, 5);
look();
"""
COUNT = "globalThis.frames = 0; worker.addEventListener('message', ({ data }) => { frames += Boolean(data.busy); });"


def opened(driver: Any, address: str) -> float:
    """The seconds until a page is ready."""
    start = perf_counter()
    driver.get(address)
    driver.execute_async_script(READY)
    return perf_counter() - start


def spent(process: int) -> float:
    """The processor's seconds that a process and all that it has started have taken."""
    times = {}
    for entry in Path("/proc").iterdir():
        with suppress(OSError, ValueError):
            number, (_, parent, *words) = int(entry.name), (entry / "stat").read_text().rpartition(")")[2].split()
            times[number] = int(parent), sum(map(int, words[9:11])) / os.sysconf("SC_CLK_TCK")
    of = {process}
    while more := {number for number, (parent, _) in times.items() if parent in of} - of:
        of |= more
    return sum(seconds for number, (_, seconds) in times.items() if number in of)


@contextmanager
def served(site: Path) -> Iterator[str]:
    """The address of a folder of pages."""
    with server(site) as serving:
        threading.Thread(target=serving.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{serving.server_port}/index.html"
        serving.shutdown()


class Setting:
    """What the rows need, made once: the folder of the live page, its address, and a browser."""

    def __init__(self, folder: Path, parts: str | None, tiny: bool) -> None:
        self.folder, self.parts, self.tiny = folder, parts, tiny
        self.open = ExitStack()  # closes what is left open

    @property
    def runs(self) -> dict[str, tuple[int, int]]:
        return TINY if self.tiny else RUNS

    @cached_property
    def site(self) -> Path:
        return build(self.folder / "site", self.parts).parent

    @cached_property
    def address(self) -> str:
        return self.open.enter_context(served(self.site))

    @cached_property
    def driver(self) -> Any:
        driver = self.open.enter_context(browser(self.folder / "profile"))
        driver.set_script_timeout(120)
        size(driver, 1280, 900)
        return driver

    def browser_seconds(self) -> float:
        """The processor's seconds of all processes of the browser so far."""
        return spent(self.driver.service.process.pid)


Rows = Iterator[tuple[str, float]]


def script_rows(setting: Setting) -> Rows:
    """The lines of JavaScript that are not empty."""
    scripts = (ROOT / "assets" / "web").glob("*.js")
    yield "lines of JavaScript", sum(bool(line.strip()) for file in scripts for line in file.read_text().splitlines())


def class_rows(setting: Setting) -> Rows:
    """How soon a class knows what one of it has picked."""
    if not setting.tiny:
        yield "class of 30, told after a pick, ms by the clock", web_figures.told()


def recorded_rows(setting: Setting) -> Rows:
    """Sizes of recorded pages."""
    runs = [(setting.folder / f"{name}.html", name, steps) for name, (steps, _) in setting.runs.items()]
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:  # nobody times this
        for (page, name, steps), _ in zip(runs, pool.map(record, *zip(*runs, strict=True)), strict=True):
            yield f"recorded {name}, {steps} steps, kB", page.stat().st_size / 1000


def record(page: Path, name: str, steps: int) -> None:
    """Write the page of a recorded run."""
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        main(["export", "html", name, "--steps", str(steps), "-o", str(page)])


def seek_rows(setting: Setting) -> Rows:
    """How soon recorded pages are there, and another step of them."""
    for name in setting.runs:
        if not (page := setting.folder / f"{name}.html").exists():
            [*recorded_rows(setting)]
        yield f"recorded {name}, first picture, ms by the clock", 1000 * opened(setting.driver, page.as_uri())
        yield f"recorded {name}, seek, ms by the clock", setting.driver.execute_async_script(SEEKS)


def folder_rows(setting: Setting) -> Rows:
    """The sizes of the folder of the live page."""
    files = {file.name: file.read_bytes() for file in setting.site.iterdir() if file.is_file()}
    own = {"mutoscope.pack", *PAGES, "index.html"}
    yield "static folder, MB", sum(map(len, files.values())) / 1e6
    yield "static folder, gzipped, MB", sum(len(gzip.compress(data)) for data in files.values()) / 1e6
    yield "static folder, our part, MB", sum(len(data) for name, data in files.items() if name in own) / 1e6


def start_rows(setting: Setting) -> Rows:
    """How soon the live page has its first frame, at first and once the browser knows it."""
    asked = f"{setting.address}?open=deferred-reply"
    before = setting.browser_seconds()
    cold = opened(setting.driver, asked)
    seconds = setting.browser_seconds() - before
    yield "first frame, cold, s", seconds
    yield "first frame, cold, s by the clock", cold
    sleep(5)  # until the browser has kept what was compiled
    yield "first frame, warm, s by the clock", opened(setting.driver, asked)
    with measurable(setting) as address:
        opened(setting.driver, address)
        yardsticks = [milliseconds(setting, "yardsticks") for _ in range(1 + ROUNDS)][1:]
    yield "first frame, cold, yardsticks", 1000 * seconds / median(yardsticks)


@contextmanager
def measurable(setting: Setting) -> Iterator[str]:
    """The address of the live page with a worker that can be measured."""
    worker = setting.site / "worker.js"
    plain = worker.read_text("utf-8")
    worker.write_text(plain + BENCH, "utf-8")
    with served(setting.site) as address:  # another origin: the browser must not know the plain worker
        yield address
    worker.write_text(plain, "utf-8")
    setting.driver.get("about:blank")


def milliseconds(setting: Setting, what: str) -> float:
    """What all processes of the browser take for a frame, or for a yardstick."""
    before = setting.browser_seconds()
    setting.driver.execute_async_script(ASK, what, TIMED)
    return 1000 * (setting.browser_seconds() - before) / TIMED


def frame_rows(setting: Setting) -> Rows:
    """What all processes of the browser take for a frame of a large window that plays.

    The bounds are for Python, JSON and drawing on the canvas in the worker, as `bench` of the prototype did it: it
    never comes back to the browser between two frames, so that none is composited. Those that a person sees are. In a
    row without a bound they play by themselves: then compositing, without a graphics card, and the page's own work are
    counted too.
    """
    driver = setting.driver
    size(driver, 1920, 1080)
    with measurable(setting) as address:
        for nodes in FRAMES:
            opened(driver, f"{address}?{web_figures.link(nodes)}")
            driver.execute_script(f"{COUNT} send('Key', 'Space', false)")
            rounds = [(milliseconds(setting, "frames"), milliseconds(setting, "yardsticks")) for _ in range(1 + ROUNDS)]
            frames, yardsticks = map(median, zip(*rounds[1:], strict=True))
            yield f"frame, {nodes} nodes, ms", frames
            yield f"frame, {nodes} nodes, yardsticks", frames / yardsticks
            sleep(1)
            before, first = setting.browser_seconds(), driver.execute_script("return frames")
            sleep(4)
            shown = driver.execute_script("return frames") - first
            yield COMPOSITED.format(nodes), 1000 * (setting.browser_seconds() - before) / shown
    size(driver, 1280, 900)


def python_rows(setting: Setting) -> Rows:
    """What Python does in the page, beside what it does here: speed, frames, memory."""
    script = "from tests.benchmarks.web_figures import speed_in_a_page\nspeed_in_a_page('/own')"
    values, memory = in_pyodide(setting.site, script)
    yield "engine, CPython's speed / the page's", values["engine"] / web_figures.engine_seconds(process_time)
    yield "memory after ten minutes, MB", memory
    for nodes, (seconds, loops, kilobytes) in values["frames"].items():
        yield f"frame, {nodes} nodes, ms of Python", 1000 * seconds
        yield f"frame, {nodes} nodes, Python in plain loops", loops
        yield f"frame, {nodes} nodes, kB", kilobytes


def equal_rows(setting: Setting) -> Rows:
    """Runs and shapes that are not the same in the page."""
    script = "from tests.benchmarks.web_figures import values_in_a_page\nvalues_in_a_page('/own')"
    with ThreadPoolExecutor(1) as pool:  # nobody times this: both cores may work
        found = pool.submit(in_pyodide, setting.site, script)
        own, shapes = web_figures.run_digests(), web_figures.shapes()
        values, _ = found.result()
    yield "runs that differ", sum(own[name] != values["runs"][name] for name in own)
    yield "views whose shapes differ", web_figures.differing_views(shapes, values["shapes"])


def drawing_rows(setting: Setting) -> Rows:
    """How unlike the painter the script draws the views, and how wide its text is."""
    import numpy
    import pygame
    from PIL import Image, ImageFilter

    from visual.drawing.paint import render

    driver, theme = setting.driver, load("light")

    def smooth(image: Any) -> Any:
        return numpy.asarray(image.convert("RGB").filter(ImageFilter.BoxBlur(2)), dtype=float)

    script = (ROOT / "assets" / "web" / "draw.js").read_text("utf-8")
    faces = [
        (FAMILIES[family], weight, base64.b64encode(fonts.path(family, weight).read_bytes()).decode())
        for family, weight in fonts.FACES
    ]
    driver.get("about:blank")
    driver.execute_async_script(
        f"{script}; const done = arguments[1]; Promise.all(arguments[0].map(async ([family, weight, data]) =>"
        "document.fonts.add(await new FontFace(family, `url(data:font/ttf;base64,${data})`, {weight}).load())))"
        ".then(() => done())",
        faces,
    )
    means, shares = [], []
    for name in web_figures.DRAWN[: 2 if setting.tiny else None]:
        interface, screen = reached(VIEWS[name], web_figures.SIZE, theme.name)
        shapes = screen.shapes(interface)
        screen.desk.close()
        fresh, gone, draw = ShapeStream(theme).picture(shapes)
        picture = {"fresh": fresh, "gone": gone, "draw": draw, "paper": theme.paper}
        surface = render(shapes, web_figures.SIZE, theme, 1.0, theme.paper)
        painted = Image.frombytes("RGB", web_figures.SIZE, pygame.image.tobytes(surface, "RGB"))
        data = driver.execute_script(
            "const canvas = document.createElement('canvas'), painter = new Painter(canvas);"
            "painter.resize(...arguments[1], 1); painter.show(JSON.parse(arguments[0])); return canvas.toDataURL()",
            json.dumps(picture),
            web_figures.SIZE,
        )
        shown = Image.open(io.BytesIO(base64.b64decode(data.partition(",")[2])))
        difference = numpy.abs(smooth(shown) - smooth(painted))
        means.append((float(difference.mean()), name))
        shares.append((100 * float((difference.max(axis=2) > 40).mean()), name))
    print("pixels, the worst views:", *sorted(means)[-3:], *sorted(shares)[-3:], file=sys.stderr)
    yield "pixels, mean difference of the worst view", max(means)[0]
    yield "pixels, % that differ by more than 40", max(shares)[0]
    sentences = [view.keys for view in VIEWS.values()] + web_figures.SENTENCES
    widths = driver.execute_script(
        "const g = new OffscreenCanvas(1, 1).getContext('2d'); Object.assign(g, {font: \"20px 'Mutoscope Sans'\","
        "fontKerning: 'none', textRendering: 'geometricPrecision'});"
        "return arguments[0].map((words) => g.measureText(words).width)",
        sentences,
    )
    off = [abs(w / fonts.width(s, 20) - 1) for w, s in zip(widths, sentences, strict=True) if s.strip()]
    yield "text, % of its width", 100 * max(off)


PARTS: dict[str, Callable[[Setting], Rows]] = {
    "scripts": script_rows,
    "recorded": recorded_rows,
    "class": class_rows,
    "folder": folder_rows,
    "python": python_rows,
    "start": start_rows,
    "frames": frame_rows,
    "seek": seek_rows,
    "equal": equal_rows,
    "pixels": drawing_rows,
}
"""The parts of the measurement; the first start of a browser is measured before anything else is done in it."""
_OF_SITE, _OF_BROWSER = {"folder", "start", "frames", "python", "equal"}, {"start", "frames", "seek", "pixels"}


def measure(tiny: bool, parts: str | None, asked: Collection[str]) -> dict[str, dict[str, Any]]:
    """The figures of these parts, each with its bound."""
    missing = {*(_OF_SITE if parts is None else ()), *(_OF_BROWSER if MISSING or not find_spec("selenium") else ())}
    rows: list[tuple[str, float]] = []
    with tempfile.TemporaryDirectory() as temporary:
        own_folders(Path(temporary, "own"))
        setting = Setting(Path(temporary), parts, tiny)
        with setting.open:
            for part in [part for part in PARTS if part in asked and part not in missing]:
                start = perf_counter()
                rows += PARTS[part](setting)
                print(f"{part}: {perf_counter() - start:.0f} s", file=sys.stderr)
    return {name: {"measured": round(figure, 2), **_verdict(name, figure)} for name, figure in rows}


def _verdict(name: str, figure: float) -> dict[str, Any]:
    return {"bound": BOUNDS[name], "holds": figure <= BOUNDS[name]} if name in BOUNDS else {}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tiny", action="store_true")
    parser.add_argument("--parts", metavar="FOLDER")
    parser.add_argument("--rows", metavar="PART", nargs="+", choices=PARTS, default=[*PARTS], help=", ".join(PARTS))
    arguments = parser.parse_args()
    figures = measure(arguments.tiny, arguments.parts, arguments.rows)
    print(json.dumps(figures, indent=1))
    for name, row in figures.items():
        if not row.get("holds", True):
            print(f"{name}: {row['measured']}, at most {row['bound']}", file=sys.stderr)
