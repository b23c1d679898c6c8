"""A virtual screen and the program on it, used as by a person: xdotool presses keys and moves the mouse."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

WIDTH, HEIGHT = 1280, 800
START = "from visual.command_line import main; raise SystemExit(main())"
PATIENCE = 30.0  # seconds to wait for something certain, on a busy machine
GLANCE = 3.0  # seconds within which a moving picture changes
LOOK = 0.1  # seconds between two looks at the picture
REST = 0.3  # seconds for which a still picture does not change


class VirtualScreen:
    """An X server on a free display, which keeps its pixels in a file."""

    def __init__(self, folder: Path) -> None:
        """Start the server, which reports its display once it is ready.

        Without -noreset it would restart after its last client, and refuse a client that connects just then.
        """
        read, write = os.pipe()
        self.server = subprocess.Popen(
            [
                *("Xvfb", "-displayfd", str(write), "-screen", "0", f"{WIDTH}x{HEIGHT}x24"),
                *("-nolisten", "tcp", "-noreset", "-fbdir", str(folder)),
            ],
            pass_fds=[write],
            stderr=subprocess.DEVNULL,
        )
        self._file = folder / "Xvfb_screen0"
        os.close(write)
        with os.fdopen(read) as pipe:
            self.name = f":{pipe.readline().strip()}"

    def pixels(self) -> bytes:
        """The four bytes of each pixel, row by row. What precedes them is a colour map, and its own length."""
        return self._file.read_bytes()[-4 * WIDTH * HEIGHT :]

    def close(self) -> None:
        stop(self.server)


class VirtualDesk:
    """The program on a display, with folders of its own."""

    def __init__(self, folder: Path, screen: VirtualScreen) -> None:
        self.folder, self._screen = folder, screen
        homes = {f"XDG_{kind}_HOME": str(folder / kind.lower()) for kind in ("CONFIG", "STATE", "CACHE")}
        self.environment = {**os.environ, "DISPLAY": screen.name, "SDL_AUDIODRIVER": "dummy", **homes}
        self.environment.pop("SDL_VIDEODRIVER", None)
        self.program: subprocess.Popen[bytes] | None = None
        self.window = ""

    def start(self, *words: str) -> None:
        """Start the program and wait for its first picture."""
        self.program = subprocess.Popen(
            [sys.executable, "-c", START, "play", *words],
            env={**self.environment, "PYTHONPATH": str(Path(__file__).parents[2])},
            cwd=self.folder,
            stderr=(self.folder / "errors").open("wb"),
        )
        self.focus()
        self.until(self.pixels)

    def focus(self) -> None:
        """Give the keyboard to the program's window, as a window manager would."""
        pid = str(self.program.pid) if self.program else ""
        self.window = self.until(lambda: self.do("search", "--onlyvisible", "--pid", pid).split()[-1:])[0]
        self.do("windowfocus", self.window)
        self.until(lambda: self.do("getwindowfocus").strip() == self.window)

    def until(self, find: Callable[[], T]) -> T:
        """Wait until `find` returns something true, and return that."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if found := find():
                return found
            time.sleep(0.05)
        raise AssertionError(f"nothing came; the program says: {self.errors()}")

    def do(self, *words: str) -> str:
        """Run xdotool, and return its output."""
        done = subprocess.run(
            ["xdotool", *words], env=self.environment, capture_output=True, text=True, timeout=PATIENCE
        )
        return done.stdout

    def keys(self, *names: str) -> None:
        """Press keys, one after the other."""
        self.do("key", "--delay", "30", *names)

    def size(self) -> tuple[int, int]:
        """Width and height of the program's window."""
        geometry = self.do("getwindowgeometry", "--shell", self.window)
        values = dict(line.split("=") for line in geometry.split())
        return int(values.get("WIDTH", 0)), int(values.get("HEIGHT", 0))

    def pixels(self) -> bytes:
        """The pixels of the screen; empty while it has a single colour."""
        pixels = self._screen.pixels()
        return pixels if len(set(pixels[:: 4 * 251])) > 1 else b""

    def changes(self, before: bytes) -> bool:
        """Whether the pixels of the screen differ from these."""
        return self.pixels() not in (b"", before)

    def is_still(self) -> bool:
        """Whether the picture stays the same for a moment."""
        before = self.pixels()
        time.sleep(REST)
        return self.pixels() == before != b""

    def is_moving(self) -> bool:
        """Whether the picture changes twice; a pause, or a hint that disappears, changes it once."""
        return self._changes_soon() and self._changes_soon()

    def _changes_soon(self) -> bool:
        before, end = self.pixels(), time.monotonic() + GLANCE
        while time.monotonic() < end:
            time.sleep(LOOK)
            if self.changes(before):
                time.sleep(LOOK)  # until it is painted whole
                return True
        return False

    def errors(self) -> str:
        """The program's output on its error stream."""
        return (self.folder / "errors").read_text()

    def is_running(self) -> bool:
        return self.program is not None and self.program.poll() is None

    def close(self) -> None:
        if self.program is not None:
            stop(self.program)


def stop(process: subprocess.Popen[bytes]) -> None:
    """End a program, by force if it does not heed the signal."""
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
