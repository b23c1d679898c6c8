"""A Scenario -> the tables of its file, and the tables -> readable TOML. Only what this one format needs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from algorithms.engine.randomness import Distribution, Fixed
from algorithms.engine.scenario import Event, Network, Scenario, Zone
from algorithms.engine.workload import LOADS, Load, Request, Script
from algorithms.scenario_format.loads import DISTRIBUTIONS
from algorithms.scenario_format.schema import FORMAT

LINE = 100  # longer lists are written with one item a line


def scenario_tables(scenario: Scenario) -> dict[str, Any]:
    """The tables of the scenario's file, in the order in which they are written."""
    head = {
        "format": FORMAT,
        "title": scenario.title,
        "notes": scenario.notes or None,
        "algorithm": scenario.algorithm,
        "variant": scenario.variant,
        "nodes": scenario.nodes,
        "members": scenario.members,
        "seed": scenario.seed,
        "until": scenario.until,
        "patience": scenario.patience,
        "topology": scenario.topology,
        "edges": scenario.edges,
    }
    return {
        **{key: value for key, value in head.items() if value is not None},
        "network": _network_table(scenario.network),
        "load": load_table(scenario.load),
        "parameters": dict(scenario.parameters),
        "event": [event_table(event) for event in scenario.events],
        "marker": [{"at": marker.at, "name": marker.name} for marker in scenario.markers],
        "zone": [_zone_table(zone) for zone in scenario.zones],
    }


def load_table(load: Load) -> dict[str, Any]:
    """The [load] table of a load."""
    kind = next(name for name, cls in LOADS.items() if cls is type(load))
    rest = {f.name: getattr(load, f.name) for f in fields(load) if f.name not in ("hold", "requests", "gap")}
    table = {"kind": kind, **rest, "hold": distribution_table(load.hold)}
    if isinstance(load, Script):
        table["requests"] = [_request_table(request) for request in load.requests]
    if "gap" in vars(load):
        table["gap"] = distribution_table(vars(load)["gap"])
    return table


def _request_table(request: Request) -> dict[str, Any]:
    table = vars(request).copy()
    if not request.resource:
        del table["resource"]
    return table


def event_table(event: Event) -> dict[str, Any]:
    """The [[event]] table of an event: what it says, and not what it leaves open."""
    table = {f.name: getattr(event, f.name) for f in fields(event) if getattr(event, f.name) != f.default}
    if event.load is not None:
        table["load"] = load_table(event.load)
    return table


def _zone_table(zone: Zone) -> dict[str, Any]:
    return {"name": zone.name} | ({} if zone.upto is None else {"upto": zone.upto})


def distribution_table(distribution: Distribution) -> Any:
    """A number for what is always the same, else a table."""
    if isinstance(distribution, Fixed):
        return distribution.value
    kind = next(name for name, cls in DISTRIBUTIONS.items() if cls is type(distribution))
    return {"kind": kind, **vars(distribution)}


def toml(tables: Mapping[str, Any]) -> str:
    """The text of the file: plain keys first, then [tables], then [[lists of tables]]; what is empty is left out."""
    parts = [_lines({key: value for key, value in tables.items() if not _is_section(value)})]
    for key, value in tables.items():
        if isinstance(value, Mapping) and value:
            parts.append(f"[{key}]\n{_lines(value)}")
        elif _is_section(value):
            parts.extend(f"[[{key}]]\n{_lines(item)}" for item in value)
    return "\n".join(parts)


def _network_table(network: Network) -> dict[str, Any]:
    table = {**vars(network), "delay": distribution_table(network.delay)}
    if network.flights:
        table["flights"] = [vars(flight) for flight in network.flights]
    else:
        del table["flights"]
    return table


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
    """A string, of several lines if the text has several; its last line is the one before the closing quotes.

    JSON's escapes are TOML's too, and the one control character that JSON lets pass is DEL.
    """
    lines = [json.dumps(line, ensure_ascii=False).replace("\x7f", "\\u007f")[1:-1] for line in text.split("\n")]
    return f'"{lines[0]}"' if len(lines) == 1 else '"""\n' + "\n".join(lines) + '"""'
