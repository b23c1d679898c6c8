"""Twins: the beginning of a run again, in another process with another hash seed, to see whether it is the same."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import redirect_stdout, suppress
from hashlib import blake2b
from importlib import import_module
from pathlib import Path

from algorithms import catalog, scenario_file, trace_file
from algorithms.authoring.origin import file_of
from algorithms.authoring.repeatability import may_differ
from algorithms.authoring.watchdog import no_endless_call
from algorithms.bad_input import BadInput
from algorithms.engine.errors import SAME_EACH_TIME
from algorithms.engine.scenario import Scenario

_STEPS = 1_000  # that are compared
_PATIENCE = 20.0  # seconds for the other process


def check_repeatable(scenario: Scenario) -> None:
    """BadInput if the beginning of the run differs in another process. Costs nothing where that is impossible."""
    algorithm = catalog.find(scenario.algorithm).of(scenario.variant)
    if not may_differ(algorithm.process):
        return
    here, there = _digests(scenario), _digests_elsewhere(scenario)
    if here != there and there:
        step = next((k for k, (one, other) in enumerate(zip(here, there, strict=False)) if one != other), len(there))
        file = file_of(algorithm.process.__module__)
        raise BadInput(
            f"{algorithm.name}: step {step + 1} goes differently in another process; {SAME_EACH_TIME} ({file})"
        )


def _digests(scenario: Scenario) -> list[str]:
    """A digest of each of the run's first steps, up to one that fails."""
    run = catalog.simulation(scenario)
    with redirect_stdout(sys.stderr):
        with suppress(Exception), no_endless_call():  # the command reports it
            run.run(until=scenario.until, steps=_STEPS)
        digests: list[str] = []
        with suppress(TypeError, ValueError):  # a message that no trace can hold, which the command reports as well
            for line in trace_file.lines(run.trace):
                digests.append(blake2b(line.encode(), digest_size=8).hexdigest())
        return digests


def _digests_elsewhere(scenario: Scenario) -> list[str]:
    """The same from another process; nothing if it does not come to an end."""
    families = {name: list(import_module(f"algorithms.{name}").__path__) for name in catalog.FAMILIES}
    other = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    root = str(Path(catalog.__file__).parents[1])
    environment = {**os.environ, "PYTHONHASHSEED": other, "PYTHONPATH": root}
    words = json.dumps([families, scenario_file.dumps(scenario)])
    command = [sys.executable, "-P", "-c", "from algorithms.examination import twins; twins.answer()"]
    try:
        done = subprocess.run(
            command, input=words, env=environment, capture_output=True, text=True, timeout=_PATIENCE, check=True
        )
        return list(json.loads(done.stdout))
    except (OSError, subprocess.SubprocessError, ValueError):
        return []


def answer() -> None:
    """Read folders and a scenario from the input, and print the digests of its steps."""
    families, text = json.load(sys.stdin)
    for name, folders in families.items():
        import_module(f"algorithms.{name}").__path__ = folders
    print(json.dumps(_digests(scenario_file.loads(text))))
