"""Web pages: each number that they must hold to, measured, with its bound beside it.

Prints one JSON object: for each row {"measured", "bound", "holds"}. Rows that need a browser are left out without
Chromium, its driver and selenium; those of the live page without --parts, a folder that has or gets Pyodide and the
wheels. Times are seconds or milliseconds of the processor, unless a row says otherwise. Memory is that of Python after
ten minutes of playing, shown with six times fewer frames than a screen has.

    python -m tests.benchmarks.web [--tiny] [--parts FOLDER]
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
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from io import StringIO
from pathlib import Path
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
    "first frame, cold, s": 6.5,
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
"""The most that each row may measure; further rows have theirs where they are measured."""
RUNS = {
    "deferred-reply": (30, 100),
    "busy-ring": (1_000, 450),
    "wandering-token-overload": (1_000, 450),
    "ftp-subscribers": (1_000, 450),
}
"""Recorded runs: steps, and the most kB."""
FRAMES = {30: (3, 8, 20), 100: (5, 9, 20), 300: (9, 16, 45)}  # nodes -> ms of Python, ms in all, kB of JSON: at most
SEEKS = """
const spent = [], most = film.order.length;
for (let i = 0; i < 100; i++) {
  const start = performance.now();
  go((i * 37) % most);
  spent.push(performance.now() - start);
}
return spent.sort((a, b) => a - b)[50];
"""
READY = """
const done = arguments[0], isReady = () => document.body.className || document.body.dataset.ready;
const look = () => isReady() ? done() : setTimeout(look, 5);
look();
"""
COUNT = "globalThis.frames = 0; worker.addEventListener('message', ({ data }) => { frames += Boolean(data.busy); });"


def recorded(folder: Path, name: str, steps: int) -> float:
    """Record a run; the kB of its page."""
    target = folder / f"{name}.html"
    with redirect_stdout(StringIO()):
        main(["export", "html", name, "--steps", str(steps), "-o", str(target)])
    return target.stat().st_size / 1000


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


def folder_rows(site: Path) -> Iterator[tuple[str, float]]:
    """The sizes of the folder of the live page."""
    files = {file.name: file.read_bytes() for file in site.iterdir() if file.is_file()}
    own = {"mutoscope.pack", *PAGES, "index.html"}
    yield "static folder, MB", sum(map(len, files.values())) / 1e6
    yield "static folder, gzipped, MB", sum(len(gzip.compress(data)) for data in files.values()) / 1e6
    yield "static folder, our part, MB", sum(len(data) for name, data in files.items() if name in own) / 1e6


def start_rows(driver: Any, address: str) -> Iterator[tuple[str, float]]:
    """How soon the live page has its first frame, at first and once the browser knows it."""
    process, asked = driver.service.process.pid, f"{address}?open=deferred-reply"
    before = spent(process)
    cold = opened(driver, asked)
    yield "first frame, cold, s", spent(process) - before
    yield "first frame, cold, s by the clock", cold
    sleep(5)  # until the browser has kept what was compiled
    yield "first frame, warm, s by the clock", opened(driver, asked)


def frame_rows(driver: Any, address: str) -> Iterator[tuple[str, float]]:
    """What all processes of the browser take for a frame of a large window that plays."""
    process = driver.service.process.pid
    size(driver, 1920, 1080)
    for nodes in FRAMES:
        opened(driver, f"{address}?{web_figures.link(nodes)}")
        driver.execute_script(f"{COUNT} send('Key', 'Space', false)")
        sleep(5)
        before, first = spent(process), driver.execute_script("return frames")
        sleep(10)
        frames = driver.execute_script("return frames") - first
        yield f"frame, {nodes} nodes, ms", 1000 * (spent(process) - before) / frames


def engine_rows(site: Path) -> Iterator[tuple[str, float]]:
    """What Python does in the page, beside what it does here: speed, frames, memory, the same runs and shapes."""
    values, memory = in_pyodide(site, "from tests.benchmarks.web_figures import in_a_page\nin_a_page('/own')")
    yield "engine, CPython's speed / the page's", values["engine"] / web_figures.engine_seconds(process_time)
    yield "memory after ten minutes, MB", memory
    for nodes, (seconds, kilobytes) in values["frames"].items():
        yield f"frame, {nodes} nodes, ms of Python", 1000 * seconds
        yield f"frame, {nodes} nodes, kB", kilobytes
    own = web_figures.run_digests()
    yield "runs that differ", sum(own[name] != values["runs"][name] for name in own)
    yield "views whose shapes differ", web_figures.differing_views(values["shapes"])


def drawing_rows(driver: Any, names: list[str]) -> Iterator[tuple[str, float]]:
    """How unlike the painter the script draws the views, and how wide its text is."""
    import numpy
    from PIL import Image, ImageFilter

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
    for name in names:
        painted = web_figures.painted(name)
        interface, screen = reached(VIEWS[name], web_figures.SIZE, "light")
        fresh, gone, draw = ShapeStream(load("light")).picture(screen.shapes(interface))
        screen.desk.close()
        picture = {"fresh": fresh, "gone": gone, "draw": draw, "paper": load("light").paper}
        data = driver.execute_script(
            "const canvas = document.createElement('canvas'), painter = new Painter(canvas);"
            "painter.resize(...arguments[1], 1); painter.show(JSON.parse(arguments[0])); return canvas.toDataURL()",
            json.dumps(picture),
            web_figures.SIZE,
        )
        shown = Image.open(io.BytesIO(base64.b64decode(data.partition(",")[2])))
        difference = numpy.abs(smooth(shown) - smooth(Image.open(io.BytesIO(painted))))
        means.append(float(difference.mean()))
        shares.append(100 * float((difference.max(axis=2) > 40).mean()))
    yield "pixels, mean difference of the worst view", max(means)
    yield "pixels, % that differ by more than 40", max(shares)
    sentences = [view.keys for view in VIEWS.values()] + web_figures.SENTENCES
    widths = driver.execute_script(
        "const g = new OffscreenCanvas(1, 1).getContext('2d'); Object.assign(g, {font: \"20px 'Mutoscope Sans'\","
        "fontKerning: 'none', textRendering: 'geometricPrecision'});"
        "return arguments[0].map((words) => g.measureText(words).width)",
        sentences,
    )
    off = [abs(w / fonts.width(s, 20) - 1) for w, s in zip(widths, sentences, strict=True) if s.strip()]
    yield "text, % of its width", 100 * max(off)


def measured(tiny: bool, parts: str | None, folder: Path) -> Iterator[tuple[str, float, float]]:
    """All rows: name, figure, and the most that it may be."""
    runs = {"deferred-reply": (5, 100)} if tiny else RUNS
    for name, (steps, most) in runs.items():
        yield f"recorded {name}, {steps} steps, kB", recorded(folder, name, steps), most
    scripts = (ROOT / "assets" / "web").glob("*.js")
    lines = sum(bool(line.strip()) for file in scripts for line in file.read_text("utf-8").splitlines())
    rows = [("lines of JavaScript", float(lines))]
    if not tiny:
        rows += [("class of 30, told after a pick, ms by the clock", web_figures.told())]
    own = {f"frame, {n} nodes, ms of Python": p for n, (p, _, _) in FRAMES.items()}
    own |= {f"frame, {n} nodes, ms": w for n, (_, w, _) in FRAMES.items()}
    own |= {f"frame, {n} nodes, kB": k for n, (_, _, k) in FRAMES.items()}
    site = build(folder / "site", parts).parent if parts is not None else None
    if site is not None:
        rows += [*folder_rows(site), *engine_rows(site)]
    if not MISSING:
        with suppress(ImportError), browser(folder / "profile") as driver:
            driver.set_script_timeout(120)
            size(driver, 1280, 900)
            if site is not None:
                with served(site) as address:
                    rows += [*start_rows(driver, address), *frame_rows(driver, address)]
            size(driver, 1280, 900)
            for name in runs:
                ready = opened(driver, (folder / f"{name}.html").as_uri())
                yield f"recorded {name}, first picture, ms by the clock", 1000 * ready, 500
                yield f"recorded {name}, seek, ms by the clock", driver.execute_script(SEEKS), 10
            rows += drawing_rows(driver, web_figures.DRAWN[:2] if tiny else web_figures.DRAWN)
    for name, figure in rows:
        yield name, figure, (BOUNDS | own)[name]


def measure(tiny: bool, parts: str | None) -> dict[str, dict[str, Any]]:
    """All figures, each with its bound."""
    with tempfile.TemporaryDirectory() as temporary:
        own_folders(Path(temporary, "own"))
        rows = [*measured(tiny, parts, Path(temporary))]
    return {name: {"measured": round(figure, 2), "bound": most, "holds": figure <= most} for name, figure, most in rows}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tiny", action="store_true")
    parser.add_argument("--parts", metavar="FOLDER")
    arguments = parser.parse_args()
    figures = measure(arguments.tiny, arguments.parts)
    print(json.dumps(figures, indent=1))
    for name, row in figures.items():
        if not row["holds"]:
            print(f"{name}: {row['measured']}, at most {row['bound']}", file=sys.stderr)
