"""Desks for tests."""

from __future__ import annotations

from pathlib import Path

from algorithms.engine.scenario import Scenario
from visual.window.desk import Desk
from visual.window.run_view import RunView


def desk_of(scenario: Scenario, path: Path | None = None) -> Desk:
    """A desk with a new run of the scenario."""
    return Desk(RunView(scenario, path))
