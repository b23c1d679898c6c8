"""A lab measured by a process of its own, so that no frame of the window waits for it."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
from functools import cached_property
from pathlib import Path
from typing import Any

import platformdirs

from algorithms.machine import HAS_PROCESSES
from lessons.laboratory import catalog
from lessons.laboratory.lab import Lab, LabReport, LabRow

PROGRAM = "from visual.command_line import main; raise SystemExit(main())"
ROOT = Path(__file__).parents[3]  # the folder to import the program from, installed or not
EVERY = 0.5  # seconds between two updates of the progress


class Measurement:
    """One lab, its measurement in progress if there is one, and the report of the latest one."""

    def __init__(self, name: str) -> None:
        self.lab: Lab = catalog.find(name)
        self.folder = Path(platformdirs.user_cache_dir("mutoscope")) / "reports"
        self.progress = 0.0
        self.trouble = ""  # why the latest measurement failed
        self._process: subprocess.Popen[bytes] | None = None
        self._answer = self.folder / f"{name}.json"
        self._before = 0
        self._seeds = 0
        self._looked = 0.0

    @property
    def is_running(self) -> bool:
        return self._process is not None

    @property
    def plot(self) -> Path | None:
        """The file with the plot of the latest measurement."""
        file = self.folder / f"{self.lab.name}.png"
        return file if file.is_file() else None

    @cached_property
    def report(self) -> LabReport | None:
        """The table of the latest measurement; None before the first one."""
        try:
            answer = json.loads(self._answer.read_bytes())
            rows = [LabRow(**{**row, "band": row["band"] and tuple(row["band"])}) for row in answer["rows"]]
            return LabReport(self.lab, answer["seeds"], tuple(rows))
        except (OSError, ValueError, KeyError, TypeError):  # no file yet, or one of another version
            return None

    def start(self, *, quick: bool) -> None:
        """Start a measurement in the background. OSError if the process or its folder cannot be created."""
        if not HAS_PROCESSES:
            raise OSError(errno.ENOTSUP, "labs are measured in the program, not in a web page", self.lab.name)
        self.folder.mkdir(parents=True, exist_ok=True)
        self._seeds, self._before = self.lab.seeds_of(None, quick), self._stamp()
        words = ["lab", self.lab.name, "--json", "-o", str(self.folder), *(["--quick"] if quick else [])]
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", PROGRAM, *words],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        self.progress, self.trouble = 0.0, ""

    def stop(self) -> None:
        """Stop the measurement; the next one resumes with the runs that are finished."""
        if self._process is not None:
            _interrupt(self._process)
            self._process = None

    def look(self, clock: float) -> bool:
        """Update the progress every EVERY seconds; return whether anything may have changed."""
        if self._process is None or clock < self._looked + EVERY:
            return False
        self._looked = clock
        from lessons.laboratory.sweep import Store, finished  # slow to load; a measurement alone needs it

        self.progress = finished(self.lab.cases, range(1, self._seeds + 1), Store())
        if self._process.poll() is not None:
            self._end(self._process)
        return True

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        errors = process.stderr.read().decode(errors="replace").strip() if process.stderr else ""
        if self._stamp() == self._before:
            self.trouble = errors.splitlines()[-1] if errors else f"it ended with exit code {process.returncode}"
        self._process = None
        self.__dict__.pop("report", None)

    def _stamp(self) -> int:
        """A number that changes whenever the report is written; 0 without one."""
        return self._answer.stat().st_mtime_ns if self._answer.is_file() else 0


def _interrupt(process: subprocess.Popen[Any]) -> None:
    """End the process and its children, even if they ignore Ctrl-C."""
    if os.name == "posix":
        os.killpg(process.pid, signal.SIGTERM)
    else:  # Windows ends no children with their parent
        subprocess.run(["taskkill", "/F", "/T", "/PID", str(process.pid)], capture_output=True, check=False)
