"""Firefox without a display, driven through Marionette, its own protocol: Debian has no geckodriver."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
_PATIENCE = 90.0  # seconds for a start and for an answer


class Firefox:
    """A session. A message is its length, a colon and JSON: [0, number, command, values], or [1, …, result] back."""

    def __init__(self, port: int) -> None:
        self._stream = _connected(port).makefile("rwb")
        self._numbers = count(1)
        self._read()
        self.ask("WebDriver:NewSession", {})

    def ask(self, command: str, values: dict[str, Any]) -> Any:
        """The value that a command gives. AssertionError with Firefox's words if it fails."""
        text = json.dumps([0, next(self._numbers), command, values]).encode()
        self._stream.write(b"%d:%s" % (len(text), text))
        self._stream.flush()
        _, _, trouble, result = self._read()
        assert trouble is None, trouble
        return result.get("value") if isinstance(result, dict) else result

    def get(self, address: str) -> None:
        self.ask("WebDriver:Navigate", {"url": address})

    def execute_script(self, script: str, *arguments: Any) -> Any:
        return self.ask("WebDriver:ExecuteScript", {"script": script, "args": list(arguments)})

    def screenshot(self) -> str:
        """A PNG of what is seen, in base 64."""
        return str(self.ask("WebDriver:TakeScreenshot", {"full": False}))

    def _read(self) -> Any:
        length = b"".join(iter(lambda: self._stream.read(1), b":"))
        return json.loads(self._stream.read(int(length)))


def _connected(port: int) -> socket.socket:
    stop = time.monotonic() + _PATIENCE
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=_PATIENCE)
        except OSError:
            if time.monotonic() > stop:
                raise
            time.sleep(0.2)


@contextmanager
def firefox(profile: Path, width: int = 1280, height: int = 900) -> Iterator[Firefox]:
    """A Firefox with a profile of its own."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    profile.mkdir(parents=True, exist_ok=True)
    (profile / "user.js").write_text(f'user_pref("marionette.port", {port});\n', encoding="utf-8")
    words = ["--marionette", "--headless", "--no-remote", f"--width={width}", f"--height={height}"]
    running = subprocess.Popen(
        [str(FIREFOX), *words, "--profile", str(profile), "about:blank"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={"HOME": str(profile), "PATH": "/usr/bin:/bin"},
    )
    try:
        yield Firefox(port)
    finally:
        running.terminate()
        running.wait(_PATIENCE)
