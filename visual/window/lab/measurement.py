"""A lab measured by a process of its own, so that no frame of the window waits."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import platformdirs

if TYPE_CHECKING:
    from lessons.laboratory.lab import Lab, LabReport

PROGRAM = "from visual.command_line import main; raise SystemExit(main())"
ROOT = Path(__file__).parents[3]  # where the program is found, installed or not
EVERY = 0.5  # seconds between two looks at how far it is


class Measurement:
    """One lab, its measurement if one goes on, and the answer of the last one."""

    def __init__(self, name: str) -> None:
        from lessons.laboratory import catalog

        self.lab: Lab = catalog.find(name)
        self.folder = Path(platformdirs.user_cache_dir("mutoscope")) / "reports"
        self.progress = 0.0
        self.trouble = ""  # why the last measurement came to nothing
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
        """The plot of the last measurement."""
        file = self.folder / f"{self.lab.name}.png"
        return file if file.is_file() else None

    @cached_property
    def report(self) -> LabReport | None:
        """The table of the last measurement."""
        from lessons.laboratory.lab import LabReport, LabRow

        try:
            told = json.loads(self._answer.read_bytes())
            rows = [LabRow(**{**row, "band": row["band"] and tuple(row["band"])}) for row in told["rows"]]
            return LabReport(self.lab, told["seeds"], tuple(rows))
        except (OSError, ValueError, KeyError, TypeError):  # none yet, or another version's
            return None

    def start(self, *, quick: bool) -> None:
        """Measure it in the background. OSError if that cannot be done."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self._seeds, self._before = self.lab.seeds_of(None, quick), self._stamp()
        words = ["lab", self.lab.name, "--json", "-o", str(self.folder), *(["--quick"] if quick else [])]
        self._process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, *words],
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        self.progress, self.trouble = 0.0, ""

    def stop(self) -> None:
        """End the measurement; what is finished is kept, and the next one goes on from there."""
        if self._process is not None:
            _interrupt(self._process)
            self._process = None

    def look(self, clock: float) -> bool:
        """See how far it is, now and then; whether anything has changed."""
        if self._process is None or clock < self._looked + EVERY:
            return False
        self._looked = clock
        from lessons.laboratory.sweep import Store, finished

        self.progress = finished(self.lab.cases, range(1, self._seeds + 1), Store())
        if self._process.poll() is not None:
            self._end(self._process)
        return True

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        said = process.stderr.read().decode(errors="replace").strip() if process.stderr else ""
        if self._stamp() == self._before:
            self.trouble = said.splitlines()[-1] if said else f"it ended with exit code {process.returncode}"
        self._process = None
        self.__dict__.pop("report", None)

    def _stamp(self) -> int:
        """Changes whenever the answer is written."""
        return self._answer.stat().st_mtime_ns if self._answer.is_file() else 0


def _interrupt(process: subprocess.Popen[Any]) -> None:
    """End the process and those that it has started, even where Ctrl-C is not listened to."""
    if os.name == "posix":
        os.killpg(process.pid, signal.SIGTERM)
    else:
        process.terminate()
