"""Examines files, each in a process of its own: whatever a file does there, the examination ends and says so."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from algorithms import catalog, scenario_file
from algorithms.authoring import own_file
from algorithms.bad_input import BadInput
from algorithms.clock import wall_clock
from algorithms.engine.errors import words_of
from algorithms.examination import demands
from algorithms.examination.trials import TRIALS, Flaw, Subject, Undecided

PASSED, FAILED, UNDECIDED = "passed", "failed", "undecided"
LIMIT = 120.0  # seconds for one file
MOST_BYTES = 2_000_000_000  # of memory for one file


class TrialResult(NamedTuple):
    """The result of one trial: what it found, in sentences, and perhaps the file of a run that shows the first."""

    trial: str
    status: str
    words: tuple[str, ...] = ()
    property: str = ""  # that the run breaks
    example: str = ""  # the text of a scenario file
    seconds: float = 0.0


class Report(NamedTuple):
    """The results of all trials of one file."""

    file: str
    results: tuple[TrialResult, ...]

    @property
    def status(self) -> str:
        """FAILED if a trial has failed, else UNDECIDED if one could not try everything, else PASSED."""
        found = {result.status for result in self.results}
        return next((status for status in (FAILED, UNDECIDED) if status in found), PASSED)


def examine_all(files: Iterable[Path], spec: Path | None, limit: float, jobs: int) -> Iterator[Report]:
    """The reports on some files, in their order, as soon as they are known; `jobs` are examined at a time."""
    with ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(lambda file: examine(file, spec, limit), files)


def examine(file: Path, spec: Path | None = None, limit: float = LIMIT) -> Report:
    """Examine a file in another process, for at most `limit` seconds."""
    command = [sys.executable, "-P", "-c", "from algorithms.examination import examiner; examiner.answer()"]
    root = str(Path(catalog.__file__).parents[1])
    child = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONPATH": root},
        start_new_session=True,  # so that what the file itself has started ends with it
    )
    try:
        output, _ = child.communicate(json.dumps([str(file), spec and str(spec)]), timeout=limit)
        end = "" if child.returncode == 0 else f"the program ended in this trial (exit code {child.returncode})"
    except subprocess.TimeoutExpired:
        _kill(child)
        output, _ = child.communicate()
        end = f"it does not finish within {limit:g} s"
    finally:
        _kill(child)
    lines = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    told = [line["result"] for line in lines if "result" in line]
    results = [TrialResult(**{**values, "words": tuple(values["words"])}) for values in told]
    begun = [line["begins"] for line in lines if "begins" in line]
    if end or len(results) < len(begun) or not begun:
        end = end or "the program ended in this trial"
        results.append(TrialResult(begun[-1] if begun else next(iter(TRIALS)), FAILED, (end,)))
    return Report(str(file), tuple(results))


def _kill(child: subprocess.Popen[str]) -> None:
    """End a process, and those it has started that still run."""
    with suppress(ProcessLookupError):
        if hasattr(os, "killpg"):
            os.killpg(child.pid, signal.SIGKILL)
        else:
            child.kill()


# ---- in the other process ----------------------------------------------------------------------------------


def answer() -> None:
    """Read the names of a file and of demands from the input, and print the results of the trials as they are known."""
    output = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    os.dup2(2, 1)  # what the file prints is no answer
    _bound_memory()
    file, spec = json.load(sys.stdin)
    for trial, result in trial_results(Path(file), demands.read(Path(spec)) if spec else demands.Demands()):
        print(json.dumps({"begins": trial} if result is None else {"result": result._asdict()}), file=output)


def trial_results(file: Path, demanded: demands.Demands) -> Iterator[tuple[str, TrialResult | None]]:
    """Each trial's name as it begins, and again with its result; after code that fails there are no more."""
    subject: Subject | None = None
    for name, trial in TRIALS.items():
        yield name, None
        start, flaws, undecided, failure = wall_clock(), list[Flaw](), "", ""
        try:
            if subject is None:
                own = own_file.trust(file)
                subject = Subject(own, catalog.find(own), demanded)
            flaws.extend(trial(subject))
        except Undecided as reason:
            undecided = str(reason)
        except BadInput as error:
            failure = str(error)
        except MemoryError:
            failure = "it runs out of memory"
        except Exception as error:  # a trial does what no run does, with code that may do anything
            failure = f"{type(error).__name__} {words_of(error)}".strip()
        flaws += [Flaw(failure)] if failure else []
        yield name, _trial_result(name, flaws, undecided, wall_clock() - start)
        if failure:
            return


def _trial_result(name: str, flaws: list[Flaw], undecided: str, seconds: float) -> TrialResult:
    seconds = round(seconds, 2)
    if undecided and not flaws:
        return TrialResult(name, UNDECIDED, (undecided,), seconds=seconds)
    if not flaws:
        return TrialResult(name, PASSED, seconds=seconds)
    shown = next((flaw for flaw in flaws if flaw.example), flaws[0])
    example = scenario_file.dumps(shown.example) if shown.example else ""
    return TrialResult(name, FAILED, tuple(flaw.words for flaw in flaws), shown.property, example, seconds)


def _bound_memory() -> None:
    try:
        import resource  # not on Windows
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_BYTES, MOST_BYTES))
