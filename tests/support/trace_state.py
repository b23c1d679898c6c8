"""The state of a run as far as the lines of its trace tell it: who is down, waits, is inside, and what is in transit.

Nothing of the program is used. `TraceState.read` follows one line, a step of the trace; see `trace_oracle`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

Line = dict[str, Any]


class TraceState:
    """What holds after the steps read so far; `token` is the name of the messages that are tokens, if there are any.

    At most `at_once` processes may be inside, or of each two neighbours one, if there are `links`.
    """

    def __init__(
        self,
        nodes: int,
        members: int,
        token: str | None = None,
        *,
        election: bool = False,
        at_once: int = 1,
        links: Iterable[tuple[int, int]] | None = None,
    ) -> None:
        self.now = 0.0
        self.steps = 0
        self.nodes = range(nodes)
        self.down = dict.fromkeys(range(members, nodes), "absent")
        self.requests: defaultdict[tuple[int, int], list[float]] = defaultdict(list)  # (resource, node): not served
        self.inside: set[tuple[int, int]] = set()
        self.interrupted: set[tuple[int, int]] = set()  # inside when their nodes crashed
        self.transit: dict[int, Line] = {}  # serial number -> the message as sent
        self.leader: dict[int, int] = {}  # node -> whom it accepts as leader
        self.sent: Counter[str] = Counter()  # messages to others, by type
        self.entries: Counter[int] = Counter()
        self.requesters: set[int] = set()
        self.overlaps = 0  # entries while another was inside
        self.held: Counter[int] = Counter()  # holder -> tokens
        self.ghosts: set[int] = set()  # holders whose token has been lost, who cannot know it
        self.frozen: dict[int, int] = {}  # crashed node -> tokens that it held
        self.had_token = False
        self.token_counts: list[int] = []  # after each step, from the first token on
        self._token = token
        self._marked: set[int] = set()  # holders whose token has been duplicated, who cannot know it
        self._doubled: set[int] = set()  # those that have just sent both
        self._latest: Line = {"seq": -1}
        self._sends_lost = False  # whether the latest token sent had been lost before, so that its copies are lost too
        self.has_copies = False  # whether the network has copied a message: the trace does not tell which one is used
        self._is_election = election
        self._at_once = at_once
        self._links = None if links is None else {frozenset(link) for link in links}

    # ---- questions -----------------------------------------------------------------------------------------

    def is_inside(self, node: int) -> bool:
        return any(who == node for _, who in self.inside)

    def open_seats(self) -> dict[tuple[int, int], float]:
        """(resource, node) -> since when, of each live process that waits."""
        open_seats = {}
        for seat, times in self.requests.items():
            if times and seat not in self.inside and self.down.get(seat[1]) not in ("crashed", "absent"):
                open_seats[seat] = times[0]
        return open_seats

    def unserved(self) -> list[float]:
        """The times of the oldest requests of live processes, also of those inside once more; or of their recovery."""
        return [
            times[0] for (_, node), times in self.requests.items() if times and self.down.get(node) in (None, "paused")
        ]

    def is_waiting(self, node: int) -> bool:
        """Whether a process that is up waits to enter."""
        return node not in self.down and any(who == node for _, who in self.open_seats())

    def tokens(self) -> int:
        """The tokens held or in transit."""
        return sum(self.held.values()) + sum(m["message"] == self._token for m in self.transit.values())

    def holders(self) -> set[int]:
        """Those with a token, also with one in transit from them to themselves: it has never left them."""
        own = {m["to"] for m in self.transit.values() if m["message"] == self._token and m["from"] == m["to"]}
        return own | {node for node, count in self.held.items() if count}

    def unharmed(self) -> set[int]:
        """The holders whose token no fault has lost or duplicated; a fault meets the first of them."""
        return self.holders() - self.ghosts - self._marked

    def is_single(self) -> bool:
        """Whether there was never more than one token, nor a message sent again for want of its acknowledgement.

        Of several tokens the trace does not tell which is sent or merged.
        """
        return max(self.token_counts, default=0) <= 1 and not self.repeats()

    def repeats(self) -> bool:
        """Whether messages are handed over with acknowledgements, and sent again if those do not come."""
        return bool(self.sent["Acknowledgement"]) and not self.sent["Offer"]

    # ---- one line ------------------------------------------------------------------------------------------

    def read(self, line: Line) -> None:
        self.now, event = line["time"], line["event"]
        kind, node = event["kind"], event.get("node")
        seat = (event.get("resource") or 0, node)
        do = event.get("do")
        if kind == "request" or do == "request":
            self._ask(seat)
        elif kind == "leave":
            self.inside.discard(seat)
        elif kind == "lost":
            self._vanish(event)
        elif kind == "deliver":
            self._arrive(event, line["effects"])
        elif kind == "fault":
            self._intervene(event, line["effects"])
        for effect in line["effects"]:
            self._happen(effect, is_copy=do in ("duplicate", "duplicate-token"))
        if do == "leave" and self.down.get(node) != "absent":
            self._stop(node, "absent")
        if self._token and (self.had_token or self.tokens()):
            self.had_token = True
            self.token_counts.append(self.tokens())
        self.steps += 1

    def _ask(self, seat: tuple[int, int]) -> None:
        if self.down.get(seat[1]):
            return
        self.requesters.add(seat[1])
        if not self._is_election:
            self.requests[seat].append(self.now)

    def _arrive(self, event: Line, effects: list[Line]) -> None:
        lost = any(effect["kind"] == "lost" and effect["seq"] == event["seq"] for effect in effects)
        if not lost:
            self.transit.pop(event["seq"], None)
            if event["message"] == self._token:
                self.held[event["to"]] += 1

    def _vanish(self, lost: Line) -> None:
        self.transit.pop(lost["seq"], None)

    def _happen(self, effect: Line, *, is_copy: bool) -> None:
        kind, node = effect["kind"], effect.get("node")
        seat = (effect.get("resource") or 0, node)
        if kind == "send":
            self._send(effect, is_copy=is_copy)
        elif kind == "lost":
            self._vanish(effect)
        elif kind == "leave":
            self.inside.discard(seat)
        elif kind in ("enter", "resumed"):
            others = {who for resource, who in self.inside if resource == seat[0]} - {node}
            if self._links is not None:
                others = {who for who in others if {who, node} in self._links}
            self.overlaps += len(others) >= self._at_once
            if kind == "enter" and seat not in self.inside and self.requests[seat]:
                self.requests[seat].pop(0)
            self.entries[node] += kind == "enter"
            self.inside.add(seat)
        elif kind == "elected":
            self.leader[node] = effect["leader"]
        elif kind == "created":
            self.held[node] += 1
        elif kind == "destroyed":
            if node in self.ghosts:
                self.ghosts.discard(node)
            else:
                self.held[node] -= bool(self.held[node])

    def _send(self, message: Line, *, is_copy: bool) -> None:
        sender = message["from"]
        self.sent[message["message"]] += sender != message["to"]
        is_twin = {**self._latest, "seq": message["seq"], "due": message["due"]} == {**message, "step": self.steps}
        is_twin = is_twin and message["seq"] == self._latest["seq"] + 1
        self._latest = {**message, "step": self.steps}
        self.has_copies = self.has_copies or is_twin
        is_copy = is_copy or (is_twin and sender not in self._doubled)
        if not is_twin and message["message"] == self._token:
            self._doubled -= {sender} - self._marked
            self._doubled |= {sender} & self._marked
            self._marked -= {sender}
        if message["message"] == self._token:
            self._sends_lost = self._sends_lost if is_twin else sender in self.ghosts and not is_copy
            if self._sends_lost:
                self.ghosts.discard(sender)  # it sends a token that has been lost
                self.transit[message["seq"]] = {**message, "message": f"lost {self._token}"}
                return
            self.held[sender] -= bool(self.held[sender]) and not is_copy
        self.transit[message["seq"]] = message

    def _intervene(self, event: Line, effects: list[Line]) -> None:
        do, node = event["do"], event.get("node")
        if do == "crash" and self.down.get(node) not in ("crashed", "absent"):
            self.interrupted |= {seat for seat in self.inside if seat[1] == node}
            self._stop(node, "crashed")
        elif do == "recover" and self.down.get(node) == "crashed":
            del self.down[node]
            self.interrupted = {seat for seat in self.interrupted if seat[1] != node}
            tokens = self.frozen.pop(node, 0)
            if event.get("memory", True):
                self.held[node] = tokens
                self._wait_anew(node)
            else:
                self._forget(node)
        elif do == "pause":
            self.down.setdefault(node, "paused")
        elif do == "resume" and self.down.get(node) == "paused":
            del self.down[node]
        elif do == "join":
            node = (
                min((n for n, state in self.down.items() if state == "absent"), default=None) if node is None else node
            )
            if self.down.get(node) == "absent":
                del self.down[node]
                self._forget(node)
        elif do == "leave" and self.down.get(node) != "absent":
            self._forget(node)
        elif do in ("lose-token", "duplicate-token") and not any(e["kind"] in ("lost", "send") for e in effects):
            holder = min(self.unharmed(), default=None)
            if holder is not None and do == "lose-token":
                self.held[holder] -= 1
                self.ghosts.add(holder)
            elif holder is not None:
                self.held[holder] += 1
                self._marked.add(holder)

    def _wait_anew(self, node: int) -> None:
        """Let its requests count from now on: no algorithm can serve a crashed process."""
        for (_, who), times in self.requests.items():
            if who == node:
                times[:] = [self.now] * len(times)

    def _forget(self, node: int) -> None:
        self.ghosts.discard(node)
        self._marked.discard(node)
        self.leader.pop(node, None)
        for seat in list(self.requests):
            if seat[1] == node:
                self.requests[seat] = []

    def _stop(self, node: int, state: str) -> None:
        self.down[node] = state
        self.inside = {seat for seat in self.inside if seat[1] != node}
        if self.held[node]:
            self.frozen[node] = self.held.pop(node)


def states(lines: list[Line], state: TraceState) -> Iterator[tuple[Line, TraceState]]:
    """Each line with the state before it, which is the same object throughout."""
    for line in lines:
        yield line, state
        state.read(line)
