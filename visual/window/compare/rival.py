"""A run to compare with, as a value."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from algorithms.engine.scenario import Scenario


class Rival(NamedTuple):
    """The scenario of a run to compare with. The notes name the difference where the algorithms are the same."""

    scenario: Scenario
    note: str = ""
    other_note: str = ""  # on the present run
    path: Path | None = None
