"""Web pages: how large recorded ones are, how fast they seek, and what the live one downloads and how fast it starts.

Prints one JSON object: for each recorded run {"kB", "recorded_s", "ready_ms", "seek_ms"}, and with --parts, a folder
that has or gets Pyodide and the wheels, for the live page {"kB", "cold_s", "warm_s", "frame_kB"}. Browser figures need
Chromium with its driver and selenium, and are left out without them.

    python -m tests.benchmarks.web [--tiny] [--parts FOLDER]
"""

from __future__ import annotations

import argparse
import json
import tempfile
import threading
from contextlib import redirect_stdout, suppress
from io import StringIO
from pathlib import Path
from statistics import median
from time import perf_counter, process_time, sleep
from typing import Any

from tests.support.browser import MISSING, browser, size
from visual.command_line import main
from visual.commands.serve import server
from visual.commands.web import build
from visual.window.web.live import LiveWindow

RUNS = {"deferred-reply": 30, "busy-ring": 1_000, "wandering-token-overload": 1_000, "ftp-subscribers": 1_000}
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


def recorded(folder: Path, name: str, steps: int) -> dict[str, float]:
    """A recorded run: its size, and the processor's seconds that recording took."""
    start, target = process_time(), folder / f"{name}.html"
    with redirect_stdout(StringIO()):
        main(["export", "html", name, "--steps", str(steps), "-o", str(target)])
    return {"kB": round(target.stat().st_size / 1000), "recorded_s": round(process_time() - start, 1)}


def opened(driver: Any, address: str) -> float:
    """The seconds until a page is ready."""
    start = perf_counter()
    driver.get(address)
    driver.execute_async_script(READY)
    return perf_counter() - start


def played(driver: Any, page: Path) -> dict[str, float]:
    """How long a recorded page takes to be ready, and to seek, at the median of 100."""
    ready = opened(driver, page.as_uri())
    return {"ready_ms": round(1000 * ready), "seek_ms": round(driver.execute_script(SEEKS), 1)}


def live(driver: Any, folder: Path, parts: str) -> dict[str, float]:
    """The live page: its size, and the seconds to its first frame, at first and once the browser knows it."""
    site = build(folder / "site", parts).parent
    with server(site) as serving:
        threading.Thread(target=serving.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{serving.server_port}/index.html?open=deferred-reply"
        driver.set_script_timeout(120)
        cold = opened(driver, address)
        sleep(5)  # until the browser has kept what was compiled
        warm = opened(driver, address)
        serving.shutdown()
    total = sum(file.stat().st_size for file in site.iterdir())
    return {"kB": round(total / 1000), "cold_s": round(cold, 1), "warm_s": round(warm, 1)}


def frames(folder: Path) -> dict[str, float]:
    """What a frame of the playing window sends to the page, at the median."""
    window = LiveWindow(1920, 1080, str(folder), "open=busy-ring")
    window.frame('[["Key", "Space"]]', 0.0)
    sent = [len(window.frame("", 1 / 60)) for _ in range(120)]
    return {"frame_kB": round(median(sent) / 1000, 1)}


def measure(tiny: bool, parts: str | None) -> dict[str, dict[str, float]]:
    """All figures."""
    runs = {"deferred-reply": 5} if tiny else RUNS
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        figures = {name: recorded(folder, name, steps) for name, steps in runs.items()}
        figures["live"] = frames(folder)
        with suppress(ImportError):
            if not MISSING:
                with browser(folder / "profile") as driver:
                    size(driver, 1280, 900)
                    for name in runs:
                        figures[name] |= played(driver, folder / f"{name}.html")
                    if parts is not None:
                        figures["live"] |= live(driver, folder, parts)
    return figures


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tiny", action="store_true")
    parser.add_argument("--parts", metavar="FOLDER")
    arguments = parser.parse_args()
    print(json.dumps(measure(arguments.tiny, arguments.parts)))
