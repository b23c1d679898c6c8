"""A run's trace as JSON lines: one object per step, with the event that caused it and its effects.

    {"step": 4, "time": 1.0, "event": {"kind": "deliver", "message": "Request", …}, "effects": [{"kind": "send", …}]}

The first line of a run of an algorithm in a file of one's own also has "algorithm": that file and a digest of its text.
Where nodes have names, each number of a node has its name beside it: "node": 3, "node_name": "Roma".
`rows` gives the same flat: a row for each event and each effect. docs/trace.md explains the keys.
The same run gives the same bytes everywhere.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from algorithms.authoring import own_file
from algorithms.engine.events import (
    APPLIED,
    BOUND,
    DELIVER,
    DUE,
    ELECTED,
    ENTER,
    FAULT,
    HELD,
    KIND,
    KINDS,
    LEADER,
    LEADERS_TERM,
    LEAVE,
    LOST,
    MESSAGE,
    NODE,
    REQUEST,
    RESOURCE,
    RESUMED,
    RULE,
    SENDER,
    SENT,
    SEQ,
    SUSPECTED,
    TERM,
    TIME,
    TIMER,
    Record,
)
from algorithms.engine.process import Message
from algorithms.engine.rewrite.rewriting import Bag
from algorithms.engine.rewrite.rule_text import term_text
from algorithms.engine.trace import Trace
from algorithms.scenario_format.writing import table_of

_NODES = ("node", "from", "to", "leader", "suspect")  # keys whose value is the number of a node


def lines(trace: Trace, names: Sequence[str] = (), algorithm: str = "") -> Iterator[str]:
    """One line of JSON for each step, without a newline.

    `names` are those of the nodes, if they have any; `algorithm` is the name of the run's.
    """
    own = (
        {"file": Path(algorithm).name, "digest": own_file.load(algorithm).digest} if own_file.is_file(algorithm) else {}
    )
    for k, (event, *effects) in trace.steps():
        records = [_event(event), *map(_effect, effects)]
        if names:
            records = [_with_names(record, names) for record in records]
        step = {"step": k, "time": event[TIME], "event": records[0], "effects": records[1:]}
        if k == 0 and own:
            step = {"algorithm": own, **step}
        yield json.dumps(step, ensure_ascii=False, default=_plain)


COLUMNS = (
    "step",
    "time",
    "kind",
    "is_event",
    "node",
    "message",
    "fields",
    "sender",
    "receiver",
    "sent",
    "due",
    "detail",
)
"""The keys of a flat row; `detail` has the rest of the record."""


def rows(trace: Trace) -> Iterator[dict[str, Any]]:
    """One flat row for each event and each of its effects, in order; None where a key means nothing."""
    for step in map(json.loads, lines(trace)):
        for place, record in enumerate([step["event"], *step["effects"]]):
            yield _row(step["step"] + 1, step["time"], record, is_event=place == 0)


def _row(step: int, time: float, record: dict[str, Any], *, is_event: bool) -> dict[str, Any]:
    """A record of the trace in one flat row."""
    known = ("kind", "node", "message", "from", "to", "sent", "due", "fields", "seq")
    detail = {key: value for key, value in record.items() if key not in known}
    kind = "arrives" if record["kind"] == "deliver" else record["kind"]
    node = record.get("node", record.get("to") if kind == "arrives" else record.get("from"))
    message = (record.get(key) for key in ("message", "fields", "from", "to", "sent", "due"))
    return dict(zip(COLUMNS, (step, time, kind, is_event, node, *message, detail or None), strict=True))


def _with_names(record: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """The record with a node's name after each number of a node."""
    named: dict[str, Any] = {}
    for key, value in record.items():
        named[key] = _with_names(value, names) if key == "held" else value
        if key in _NODES and isinstance(value, int):
            named[f"{key}_name"] = names[value]
    return named


def _effect(record: Record) -> dict[str, Any]:
    """An effect: a message that has just been sent, or the same record as an event."""
    if record[KIND] != DELIVER:
        return _event(record)
    return {"kind": "send", **_message(record), "due": record[TIME]}


def _event(record: Record) -> dict[str, Any]:
    kind = record[KIND]
    named: dict[str, Any] = {"kind": KINDS[kind]}
    if kind in (DELIVER, LOST):
        named |= {**_message(record), "sent": record[SENT]}
        return {**named, "due": record[DUE]} if kind == LOST else named
    if kind == FAULT:
        return named | table_of(record[4])
    if record[NODE] >= 0:
        named["node"] = record[NODE]
    if kind == TIMER:
        named["timer"] = record[4]
    elif kind == HELD:
        named["held"] = _event(record[4])
    elif kind == ELECTED:
        named["leader"] = record[LEADER]
        if record[LEADERS_TERM]:
            named["term"] = record[LEADERS_TERM]
    elif kind == SUSPECTED:
        named["suspect"] = record[4]
    elif kind == APPLIED:
        bound = {name: term_text(term) for name, term in record[BOUND] if not isinstance(term, Bag)}
        named |= {"rule": record[RULE], "bound": bound, "term": [term_text(part) for part in record[TERM]]}
    elif kind in (REQUEST, LEAVE, ENTER, RESUMED) and record[RESOURCE]:
        named["resource"] = record[RESOURCE]
    return named


def _message(record: Record) -> dict[str, Any]:
    """Serial number, type, fields, sender and receiver of a message."""
    return {"seq": record[SEQ], **_content(record[MESSAGE]), "from": record[SENDER], "to": record[NODE]}


def _content(message: Message) -> dict[str, Any]:
    values = {f.name: getattr(message, f.name) for f in fields(message)}  # type: ignore[arg-type]
    return {"message": type(message).__name__, "fields": values}


def _plain(value: Any) -> Any:
    """A nested message as its fields; a set as a list, in an order that does not depend on hashes."""
    if isinstance(value, Message):
        return _content(value)
    if isinstance(value, (set, frozenset)):
        return sorted(value, key=repr)
    raise TypeError(f"{type(value).__name__} in a message")
