"""What a run may be compared with, as a value."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from algorithms.engine.scenario import Scenario


class Rival(NamedTuple):
    """What a run may be compared with. The notes say what sets the two apart where their algorithms do not."""

    scenario: Scenario
    note: str = ""
    other_note: str = ""  # of the present run
    path: Path | None = None
