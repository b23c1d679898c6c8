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

    def synchronization_delay(self, last: int) -> float:
        """The mean time from an exit to the next entry, of those where somebody was waiting at the exit."""
        waiting: set[int] = set()
        delays: list[float] = []
        left: float | None = None
        for line in self.steps[:last]:
            event = line["event"]
            if event["kind"] == "leave":
                left = line["time"] if waiting - {event["node"]} else None
            if event["kind"] == "request":
                waiting.add(event["node"])
            for effect in line["effects"]:
                if effect["kind"] == "enter":
                    waiting.discard(effect["node"])
                    delays += [line["time"] - left] if left is not None else []
                    left = None
        return sum(delays) / len(delays)

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

    def reached(self, step: int, until: Any) -> int:
        """The number of steps at which a condition (kind, value, details) holds first after `step`; else all steps."""
        for number, line in self._from(step) if until is not None else ():
            event = line["event"]
            is_true = {
                "time": False,
                "enters": any(e["kind"] == "enter" and e["node"] == until.value for e in line["effects"]),
                "asks": event["kind"] == "request" and event["node"] == until.value,
                "leaves": event["kind"] == "leave" and event["node"] == until.value,
                "arrives": event["kind"] == "deliver"
                and event["message"] == until.value
                and until.details.get("at", event["to"]) == event["to"]
                and until.details.get("from", event["from"]) == event["from"],
                "leader": self.leader(number) == until.value,
            }.get(until.kind, False)
            if is_true:
                return number
        if until is not None and until.kind == "time":
            return sum(line["time"] <= until.value for line in self.steps)
        return len(self.steps)

    def down(self, last: int) -> set[int]:
        """The nodes that are crashed or paused after the first `last` steps."""
        down: set[int] = set()
        for line in self.steps[:last]:
            event = line["event"]
            if event["kind"] == "fault" and event.get("do") in ("crash", "pause"):
                down.add(event["node"])
            elif event["kind"] == "fault" and event.get("do") in ("recover", "resume"):
                down.discard(event["node"])
        return down

    def leader(self, last: int) -> int | str:
        """The leader that all live nodes believe in after the first `last` steps."""
        beliefs: dict[int, int] = {}
        nodes: set[int] = set()
        for line in self.steps[:last]:
            for record in (line["event"], *line["effects"]):
                nodes |= {record[end] for end in ("node", "from", "to") if isinstance(record.get(end), int)}
                if record["kind"] == "elected":
                    beliefs[record["node"]] = record["leader"]
        up = {node for node in nodes if node >= 0} - self.down(last)
        believed = {beliefs.get(node) for node in up}
        if believed <= {None}:
            return "nobody"
        (one, *more) = believed
        return "several" if more or one is None else one

    def in_transit(self, last: int) -> list[dict[str, Any]]:
        """The messages sent and neither arrived nor lost after the first `last` steps."""
        sent: dict[int, dict[str, Any]] = {}
        for line in self.steps[:last]:
            for effect in line["effects"]:
                if effect["kind"] == "send":
                    sent[effect["seq"]] = effect
            for record in (line["event"], *line["effects"]):
                if record["kind"] in ("deliver", "lost"):
                    sent.pop(record["seq"], None)
        return list(sent.values())

    def tokens(self, last: int, token: str) -> dict[int, int]:
        """The tokens after the first `last` steps: by holder, and those in transit at -1."""
        held: dict[int, int] = {}
        for line in self.steps[:last]:
            event = line["event"]
            if event["kind"] == "deliver" and event["message"] == token:
                held[event["to"]] = held.get(event["to"], 0) + 1
            for effect in line["effects"]:
                if effect["kind"] == "created":
                    held[effect["node"]] = held.get(effect["node"], 0) + 1
                if effect["kind"] == "send" and effect["message"] == token:
                    held[effect["from"]] = max(0, held.get(effect["from"], 0) - 1)
        held[-1] = sum(message["message"] == token for message in self.in_transit(last))
        return held

    def holder(self, last: int, token: str) -> int | str:
        """The node that holds the token."""
        holders = [node for node, count in self.tokens(last, token).items() if node >= 0 and count]
        return "nobody" if not holders else holders[0] if len(holders) == 1 else "several"

    def first_breach(self, step: int, token: str) -> str:
        """The first of: two inside together (ME1), another number of tokens than one ("one token"); or "nothing"."""
        inside: set[int] = set()
        for number, line in enumerate(self.steps, 1):
            before = len(inside)
            if line["event"]["kind"] == "leave":
                inside.discard(line["event"]["node"])
            inside |= {effect["node"] for effect in line["effects"] if effect["kind"] == "enter"}
            if number <= step:
                continue
            if token and sum(self.tokens(number, token).values()) != 1:
                return "one token"
            if len(inside) > max(1, before):
                return "ME1"
        return "nothing"

    def unserved(self) -> set[int]:
        """The live nodes whose request is not served at the end."""
        waiting: set[int] = set()
        for line in self.steps:
            if line["event"]["kind"] == "request":
                waiting.add(line["event"]["node"])
            waiting -= {effect["node"] for effect in line["effects"] if effect["kind"] == "enter"}
        return waiting - self.down(len(self.steps))

    def acts(self, step: int, node: int, drawn: set[str] = frozenset()) -> set[tuple[Any, ...]]:
        """What a node does in the step after `step` steps: messages to others, and entering.

        Of these types also those to itself, which chance may send back.
        """
        acts: set[tuple[Any, ...]] = set()
        for effect in self.steps[step]["effects"]:
            if (
                effect["kind"] == "send"
                and effect["from"] == node
                and (node != effect["to"] or effect["message"] in drawn)
            ):
                acts.add(("send", effect["message"], effect["to"]))
            elif effect["kind"] == "enter" and effect["node"] == node:
                acts.add(("enter",))
        return acts

    def next_sent(self, step: int, node: int) -> list[list[Any]]:
        """The messages to others, as [type, receiver], of the node's next own step after `step` steps."""
        for number, line in self._from(step):
            event = line["event"]
            at = event.get("to") if event["kind"] == "deliver" else event.get("node")
            lost = any(effect["kind"] == "lost" for effect in line["effects"]) and event["kind"] == "deliver"
            if at == node and event["kind"] in ("deliver", "timer", "request", "leave") and not lost:
                return sorted([act[1], act[2]] for act in self.acts(number - 1, node) if act[0] == "send")
        return []

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

    def happened_before(self) -> list[set[int]]:
        """For each step, the steps from 0 that happened before it: by vector clocks."""
        nodes: dict[int, dict[int, int]] = {}  # node -> its vector: node -> number of events known
        sent: dict[int, dict[int, int]] = {}  # serial number -> the vector of the event that sent it
        vectors: list[tuple[int, dict[int, int]] | None] = []
        for line in self.steps:
            event = line["event"]
            at = event.get("to") if event["kind"] == "deliver" else event.get("node")
            if at is None or event["kind"] in ("lost", "held"):
                vectors.append(None)
                vector = {}
            else:
                vector = dict(nodes.get(at, {}))
                for node, count in sent.get(event.get("seq", -1), {}).items():
                    vector[node] = max(vector.get(node, 0), count)
                vector[at] = nodes.get(at, {}).get(at, 0) + 1
                nodes[at] = vector
                vectors.append((at, vector))
            for effect in line["effects"]:
                if effect["kind"] == "send":
                    sent[effect["seq"]] = vector
        return [
            {k for k, one in enumerate(vectors[:step]) if one and here and one[1][one[0]] <= here[1].get(one[0], 0)}
            for step, here in enumerate(vectors)
        ]
