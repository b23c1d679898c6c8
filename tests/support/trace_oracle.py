"""The answers to a lesson's questions, worked out from the lines of a trace alone.

Nothing of the program is used: no fold, no monitor, no counter, no second execution. A line is one step:
{"step": 4, "time": 1.0, "event": {"kind": "deliver", "message": …}, "effects": [{"kind": "send", …}]}.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any


class TraceOracle:
    """A run as its trace tells it; `steps` are its lines, up to the end of the scenario."""

    def __init__(self, lines: Iterable[str], until: float) -> None:
        self.steps: list[dict[str, Any]] = [step for step in map(json.loads, lines) if step["time"] <= until]

    def _from(self, step: int) -> Iterator[tuple[int, dict[str, Any]]]:
        return ((number + 1, line) for number, line in enumerate(self.steps) if number >= step)

    def entries(self, step: int) -> Iterator[tuple[int, str, int]]:
        """(steps, "enters" or "leaves", node) from `step` on, in order."""
        for number, line in self._from(step):
            event = line["event"]
            if event["kind"] == "leave":
                yield number, "leaves", event["node"]
            for effect in line["effects"]:
                if effect["kind"] == "enter":
                    yield number, "enters", effect["node"]

    def stays(self, step: int) -> list[list[int]]:
        """The stays that begin after `step`; those that overlap form a group."""
        groups: list[list[int]] = []
        inside: set[int] = set()
        for _, what, node in self.entries(step):
            if what == "leaves":
                inside.discard(node)
            else:
                if inside and groups:
                    groups[-1].append(node)
                else:
                    groups.append([node])
                inside.add(node)
        return [sorted(group) for group in groups]

    def next_entry(self, step: int) -> int | str:
        """The next node to enter; "several" if another enters before it leaves."""
        first: int | None = None
        for _, what, node in self.entries(step):
            if what == "enters" and first is not None:
                return "several"
            if what == "enters":
                first = node
            elif node == first:
                return node
        return "nobody" if first is None else first

    def served(self, step: int, node: int) -> str:
        """Whether the node enters after `step`."""
        return "yes" if any(what == "enters" and who == node for _, what, who in self.entries(step)) else "no"

    def messages(self, step: int, last: int, kind: str | None = None, sender: int | None = None) -> int:
        """The messages sent to others in the steps after `step`, up to `last`."""
        return sum(
            effect["kind"] == "send"
            and effect["from"] != effect["to"]
            and kind in (None, effect["message"])
            and sender in (None, effect["from"])
            for number, line in self._from(step)
            if number <= last
            for effect in line["effects"]
        )

    def acts(self, step: int, node: int) -> set[tuple[Any, ...]]:
        """What a node does in the step after `step` steps: messages to others, and entering."""
        acts: set[tuple[Any, ...]] = set()
        for effect in self.steps[step]["effects"]:
            if effect["kind"] == "send" and effect["from"] == node != effect["to"]:
                acts.add(("send", effect["message"], effect["to"]))
            elif effect["kind"] == "enter" and effect["node"] == node:
                acts.add(("enter",))
        return acts

    def own_events(self, last: int, node: int) -> list[tuple[Any, ...]]:
        """What a node has noticed in the first `last` steps, without times."""
        found = []
        for line in self.steps[:last]:
            event = line["event"]
            kind = event["kind"]
            at = event.get("to") if kind == "deliver" else event.get("node")
            lost = any(effect["kind"] == "lost" for effect in line["effects"]) and kind == "deliver"
            if at == node and kind in ("deliver", "timer", "request", "leave") and not lost:
                came = (event.get("message"), json.dumps(event.get("fields")), event.get("from"), event.get("name"))
                found.append((kind, *came, tuple(sorted(self.acts(line["step"], node), key=repr))))
        return found
