"""A Scenario -> the tables of its file, and the tables -> readable TOML (no more of TOML than they need)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields
from itertools import chain
from pathlib import Path
from typing import Any

from algorithms.authoring import own_file
from algorithms.engine.randomness import Fixed
from algorithms.engine.scenario import Event, LinkSettings, Marker, NodeAct, Scenario, Zone
from algorithms.engine.workload import LOADS, Request
from algorithms.scenario_format.schema import (
    DISTRIBUTIONS,
    FORMAT,
    KEYS,
    OF_FILE,
    Acts,
    Spread,
    Tables,
    Values,
    field_of,
)

LINE = 100  # longer lists are written with one item a line
BRIEF = (LinkSettings, Event, NodeAct, Marker, Request, Zone)  # their fields are left out at their defaults
OPTIONAL = ("notes", "speaker", "names", "links", "flights")  # left out if empty
KINDS = {cls: kind for kinds in (LOADS, DISTRIBUTIONS) for kind, cls in kinds.items()}


def scenario_tables(scenario: Scenario, folder: Path | None = None) -> dict[str, Any]:
    """The tables of the scenario's file, in the order in which they are written.

    An algorithm in a file of one's own is named relative to `folder` if it is there, with a digest of its code.
    """
    tables = {"format": FORMAT, **table_of(scenario)}
    name = scenario.algorithm
    if not own_file.is_file(name):
        return tables
    own = {"algorithm": own_file.path_from(name, folder), "digest": own_file.load(name).digest}
    return dict(chain.from_iterable(own.items() if key == "algorithm" else [(key, tables[key])] for key in tables))


def table_of(value: Any) -> dict[str, Any]:
    """The table of a scenario or a part of it, such as an event or a load; a kind comes first."""
    keys = KEYS[type(value)]
    table = {key: _in_file(field, keys[key]) for key, field in _stated(value).items()}
    if type(value) not in KINDS:
        return table
    plain_first = sorted(table, key=lambda key: keys[key] in (Spread, Tables))
    return {"kind": KINDS[type(value)]} | {key: table[key] for key in plain_first}


def _stated(value: Any) -> dict[str, Any]:
    """The fields that the file states, by key."""
    if isinstance(value, BRIEF):
        defaults = {field.name: field.default for field in fields(value)}
        return {key: item for key, item in _by_key(value) if item != defaults[key]}
    return {key: item for key, item in _by_key(value) if item is not None and (item or key not in OPTIONAL)}


def _by_key(value: Any) -> Iterator[tuple[str, Any]]:
    return ((key, getattr(value, field_of(key))) for key in KEYS[type(value)] if key not in OF_FILE)


def _in_file(value: Any, type_of_key: Any) -> Any:
    """The value of a field as it stands in the file: a number for a fixed time, a table for any other dataclass."""
    if type_of_key in (Tables, Acts):
        return [table_of(item) for item in value]
    if type_of_key is Values:
        return dict(value)
    if isinstance(value, Fixed):
        return value.value
    return table_of(value) if type(value) in KEYS else value


def toml(tables: Mapping[str, Any]) -> str:
    """The text of the file: plain keys first, then [tables], then [[lists of tables]]; empty ones are left out."""
    parts = [_lines({key: value for key, value in tables.items() if not _is_section(value)})]
    for key, value in tables.items():
        if isinstance(value, Mapping) and value:
            parts.append(f"[{key}]\n{_lines(value)}")
        elif _is_section(value):
            parts.extend(f"[[{key}]]\n{_lines(item)}" for item in value)
    return "\n".join(parts)


def _is_section(value: Any) -> bool:
    return isinstance(value, (Mapping, list))


def _lines(table: Mapping[str, Any]) -> str:
    return "".join(f"{key} = {_value(value)}\n" for key, value in table.items())


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {_value(item)}" for key, item in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        items = [_value(item) for item in value]
        line = f"[{', '.join(items)}]"
        return line if len(line) <= LINE else "[\n" + "".join(f"  {item},\n" for item in items) + "]"
    return repr(value)


def _text(text: str) -> str:
    """A TOML string, with a line for each line of the text; the last one ends with the closing quotes.

    JSON's escapes are valid in TOML; DEL is the only control character that JSON does not escape.
    """
    lines = [json.dumps(line, ensure_ascii=False).replace("\x7f", "\\u007f")[1:-1] for line in text.split("\n")]
    return f'"{lines[0]}"' if len(lines) == 1 else '"""\n' + "\n".join(lines) + '"""'
