"""[beside]: a second run, shown beside the file's own on the same clock; the table holds the keys of a scenario.

`note` says in a few words what sets the second run apart, `other_note` what sets the file's own run apart.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from algorithms.engine.scenario import Scenario
from algorithms.scenario_format.place import Place
from algorithms.scenario_format.reading import read_scenario
from algorithms.scenario_format.schema import FORMAT, Words
from algorithms.scenario_format.tables import read_keys
from algorithms.scenario_format.writing import scenario_tables

_NOTES = {"note": Words, "other_note": Words}


class Beside(NamedTuple):
    """The second run of a file, with notes that tell the two apart where their algorithms do not."""

    scenario: Scenario
    note: str = ""
    other_note: str = ""


def read_beside(table: Any, here: Place, folder: Path) -> Beside:
    """The second run that a [beside] table describes. BadInput if it makes no sense."""
    if not isinstance(table, dict):
        raise here.expected("a table with a scenario's keys", table)
    notes = read_keys({key: table[key] for key in _NOTES if key in table}, _NOTES, here)
    scenario = {key: value for key, value in table.items() if key not in _NOTES}
    return Beside(read_scenario({"format": FORMAT, **scenario}, here, folder), **notes)


def beside_table(beside: Beside, folder: Path | None = None) -> dict[str, Any]:
    """The [beside] table of a file, without empty keys."""
    tables = {**scenario_tables(beside.scenario, folder), "note": beside.note, "other_note": beside.other_note}
    return {key: value for key, value in tables.items() if key != "format" and value not in ("", {}, [])}
