"""Run the program in a browser on this machine, as a course page would.

Serves a folder that web has written, by default one that it writes into the cache first. Nobody else can reach it.
"""

from __future__ import annotations

import argparse
import webbrowser
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import platformdirs

from algorithms.bad_input import BadInput
from visual.commands.picture_options import whole
from visual.commands.web import build

EXAMPLES = """\
  mutoscope serve
  mutoscope serve course/mutoscope --port 8000 --no-browser"""

HERE = "127.0.0.1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", nargs="?", metavar="FOLDER", help="a folder that mutoscope web has written")
    parser.add_argument("--port", metavar="N", default="0", help="the port (default: any that is free)")
    parser.add_argument(
        "--browser", action=argparse.BooleanOptionalAction, default=True, help="open the page (default: yes)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Serve the folder until Ctrl-C."""
    port = whole("--port", arguments.port, 0, 65_535)
    with server(_folder(arguments.folder), port) as serving:
        address = f"http://{HERE}:{serving.server_port}/"
        print(f"{address} (Ctrl-C ends it)", flush=True)
        if arguments.browser:
            webbrowser.open(address)
        try:
            serving.serve_forever()
        except KeyboardInterrupt:
            return 0
    return 0


def _folder(name: str | None) -> Path:
    """The folder to serve. BadInput if it is none that `mutoscope web` has written."""
    if name is None:
        cache = Path(platformdirs.user_cache_dir("mutoscope"))
        return build(cache / "web", str(cache / "parts")).parent
    if not Path(name, "worker.js").is_file():
        raise BadInput(f"{name}: expected a folder that mutoscope web has written")
    return Path(name)


def server(folder: Path, port: int = 0) -> ThreadingHTTPServer:
    """A server of a folder for this machine alone. BadInput if the port is taken."""
    try:
        return ThreadingHTTPServer((HERE, port), partial(_Files, directory=str(folder)))
    except OSError as error:
        raise BadInput(f"--port: {port} cannot be used ({error.strerror}); expected a free one, or 0 for any") from None


class _Files(SimpleHTTPRequestHandler):
    """Files with the types that browsers insist on, without a log."""

    extensions_map = {**SimpleHTTPRequestHandler.extensions_map, ".mjs": "text/javascript", ".wasm": "application/wasm"}

    def log_message(self, format: str, *values: Any) -> None:
        """Say nothing: the address is all that a person needs."""
