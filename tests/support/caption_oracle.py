"""What captions and reasons claim, checked against what the lines of a trace tell.

The oracle knows the algorithms only by what their messages mean: a request has a stamp, a reply answers it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any

from tests.support.trace_state import Line, TraceState


def kind_of(message: Line) -> str:
    """The type of a message, in words: "YieldVote" -> "yield vote"."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", message["message"]).lower()


def numbers(text: str | None) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", text or "")))


def stamp_of(message: Line) -> tuple[int, ...]:
    return tuple(message["fields"]["stamp"])


class Protocol:
    """What processes have asked, granted, answered and sent, beside the state, which it reads on."""

    def __init__(self, state: TraceState) -> None:
        self.state = state
        self.stamp: dict[int, tuple[int, ...]] = {}  # of the open request
        self.clock: Counter[int] = Counter()  # process -> the largest number in the stamps that it has seen
        self.largest: dict[int, int] = {}  # largest number that a process has sent since it last knew a leader
        self.vote: dict[int, int] = {}
        self.granted: dict[int, int] = {}  # coordinator -> process with its grant, not yet released
        self.queue: dict[int, list[int]] = {}
        self.are_counted = False  # whether replies say the number of requests that they answer, and come late
        self.owing: Counter[tuple[int, int]] = Counter()  # (process, requester) -> requests that it has not answered
        self.unanswered: defaultdict[int, set[int]] = defaultdict(set)  # requester -> those that owe it a reply

    def claims(self, line: Line, said: str) -> set[str]:
        """The claims of the sentence about a step, before which everything is as recorded; each of them holds."""
        event, found = line["event"], set()
        if event["kind"] not in ("deliver", "timer", "request", "leave"):
            return found
        for claim, (pattern, holds) in CLAIMS.items():
            if match := re.search(pattern, said):
                at = event.get("to") if event["kind"] == "deliver" else event["node"]
                assert holds(self, event, at, *map(numbers, match.groups())), f"{claim}: {said}"
                found.add(claim)
        return found

    def read(self, line: Line) -> None:
        """Follow the trace over one step."""
        down, leaders = dict(self.state.down), dict(self.state.leader)
        self.state.read(line)
        event = line["event"]
        kind, do = event["kind"], event.get("do")
        node = event.get("to") if kind == "deliver" else event.get("node")
        if kind == "deliver" and any(effect["seq"] == event["seq"] for effect in effects_of(line, "lost")):
            return  # it arrives at nobody
        if kind == "leave":
            self.stamp.pop(node, None)
        forgets = do in ("join", "leave") or (do == "recover" and not event.get("memory", True))
        if down != self.state.down and forgets:
            for known in (self.stamp, self.clock, self.largest, self.vote, self.granted, self.queue):
                known.pop(node, None)
        if kind == "deliver" and kind_of(event) == "release":
            if self.vote.get(node) == event["from"]:
                del self.vote[node]
            self.granted.pop(node, None)
        if kind == "deliver" and kind_of(event) == "request":
            self.owing[node, event["from"]] += 1
            self._see(node, event)
        if kind == "deliver" and kind_of(event) == "reply":
            self.unanswered[node].discard(event["from"])
        for effect in effects_of(line, "elected"):  # who was coordinator is so no longer
            self.largest.pop(effect["node"], None)
            if effect["leader"] not in (effect["node"], leaders.get(effect["node"])):
                self.granted.pop(effect["node"], None)
                self.queue.pop(effect["node"], None)
        answers = Counter(
            self._send(node, effect)
            for effect in line["effects"]
            if effect["kind"] == "send" and effect["from"] == node
        )
        if kind in ("request", "leave") and self.state.is_waiting(node):
            self.stamp.setdefault(node, (self.clock[node] + 1, node))  # of a request that nobody is sent
        asks = kind == "deliver" and kind_of(event) == "request"
        if asks and not answers["grant"] and not answers["vote"]:
            self.queue.setdefault(node, []).append(event["from"])

    def _see(self, node: int, message: Line) -> None:
        if "stamp" in message["fields"]:
            self.clock[node] = max(self.clock[node], stamp_of(message)[0])

    def _send(self, node: int, message: Line) -> str:
        kind, fields, receiver = kind_of(message), message["fields"], message["to"]
        if kind == "reply":
            answered = fields.get("count", 1)
            self.owing[node, receiver] = max(0, self.owing[node, receiver] - answered)
            self.are_counted = self.are_counted or "count" in fields
        if kind == "request" and "stamp" in fields:
            if self.stamp.get(node) != stamp_of(message):
                self.unanswered[node] = set()
            self.stamp[node] = stamp_of(message)
            self.unanswered[node].add(receiver)
            self._see(node, message)
        if kind == "election" and "number" in fields:
            self.largest[node] = max(self.largest.get(node, -1), fields["number"])
        if kind == "vote":
            self.vote[node] = receiver
        if kind == "grant":
            self.granted[node] = receiver
            if receiver in self.queue.get(node, []):
                self.queue[node].remove(receiver)
        return kind


Claim = Callable[..., bool]
STAMP = r"(\(\d+,\d+\))"
CLAIMS: dict[str, tuple[str, Claim]] = {
    "its own is older": (
        rf"its own {STAMP} is older than {STAMP}",
        lambda o, e, at, own, other: own < other == stamp_of(e) and own == o.stamp[at],
    ),
    "the other is older": (
        rf"{STAMP} is older than its own {STAMP}",
        lambda o, e, at, other, own: stamp_of(e) == other < own == o.stamp[at],
    ),
    "older than now": (
        rf"{STAMP} is older than its clock now, (\d+)",
        lambda o, e, at, other, now: stamp_of(e) == other < (now[0], at),
    ),
    "not later": (
        r"own clock, (\d+), is not later than (\d+)",
        lambda o, e, at, own, other: own <= other and o.stamp[at][0] == own[0] and stamp_of(e)[0] == other[0],
    ),
    "not earlier": (
        r"own clock, (\d+), is not earlier than (\d+)",
        lambda o, e, at, own, other: own >= other and o.stamp[at][0] == own[0] and stamp_of(e)[0] == other[0],
    ),
    "not competing": (r"it is not competing", lambda o, e, at: at not in o.stamp),
    "not waiting": (r"it is not waiting", lambda o, e, at: not o.state.is_waiting(at)),
    "all replies are in": (r"all replies are in", lambda o, e, at: not o.unanswered[at] - {e.get("from")}),
    "a smaller number": (
        r"passes (\d+) on: its own number, (\d+), is smaller",
        lambda o, e, at, sent, own: own < sent == (e["fields"]["number"],),
    ),
    "its own is larger": (
        r"replaces (\d+) with its own number: (\d+) is larger",
        lambda o, e, at, sent, own: (
            own > sent == (e["fields"]["number"],) and (o.state.repeats() or o.largest.get(at, -1) < own[0])
        ),  # without its acknowledgement a number is sent again, perhaps after the end of its election
    ),
    "sent a larger": (
        r"drops (\d+): it has already sent a larger",
        lambda o, e, at, sent: (
            sent == (e["fields"]["number"],) and (o.state.repeats() or o.largest[at] > sent[0])
        ),  # it may wait for an acknowledgement to be sent
    ),
    "its vote was free": (r"its vote was free", lambda o, e, at: at not in o.vote),
    "whose vote": (r"refuses: P(\d+) has its vote", lambda o, e, at, whose: o.vote[at] == whose[0]),
    "too few votes": (r"it has (\d+) of the (\d+) votes", lambda o, e, at, votes, needed: votes < needed),
    "enough votes": (r"(\d+) votes have come in, and (\d+)", lambda o, e, at, votes, needed: votes >= needed),
    "no release": (r"P(\d+)'s release has not arrived", lambda o, e, at, whose: o.granted[at] == whose[0]),
    "first in the queue": (
        r"grants P(\d+)'s request, the first in its queue",
        lambda o, e, at, first: o.queue[at][0] == first[0],
    ),
    "knows of nobody": (r"knows of nobody inside", lambda o, e, at: at not in o.granted),
    "takes over": (r"P(\d+) takes over", lambda o, e, at, who: e["from"] == who[0] > at),
    "being higher": (r"being higher than P(\d+)", lambda o, e, at, who: e["from"] == who[0] < at),
    "the highest on the list": (
        r"P(\d+) is the highest on it",
        lambda o, e, at, who: max(e["fields"]["ids"]) == who[0],
    ),
}


# ---- captions of every algorithm ---------------------------------------------------------------------------

P = r"P(\d+)"
SEVERAL = rf"({P}(?:(?:, | and ){P})*)"


UNCHANGED = {  # intervention -> the states (None: up) in which it changes nothing, and what is said then
    "crash": (("crashed", "absent"), "already crashed|not a member"),
    "recover": ((None, "paused", "absent"), "has not crashed|not a member"),
    "pause": (("crashed", "paused", "absent"), "has crashed|already paused|not a member"),
    "resume": ((None, "crashed", "absent"), "is not paused|not a member"),
    "leave": (("absent",), "not a member"),
}


def effects_of(line: Line, kind: str) -> list[Line]:
    return [effect for effect in line["effects"] if effect["kind"] == kind]


def check_caption(before: TraceState, line: Line, said: str) -> None:
    """A sentence is right about which process did what to which other."""
    event = line["event"]
    kind, do = event["kind"], event.get("do")
    entered = {effect["node"] for effect in effects_of(line, "enter")}
    sent = [(effect["from"], effect["to"]) for effect in effects_of(line, "send")]
    if kind == "deliver":
        receives = re.match(rf"{P} receives (?:its own .*|.*?(?:from {P}|{P}'s))", said)
        reaches = re.match(rf"{P}'s .* reaches {P}, which (?:has crashed|is not a member|is down), and is lost", said)
        assert receives or reaches, said
        ends = [n for n in receives.groups() if n] if receives else [reaches[2], reaches[1]]
        own = [event["to"]] if event["from"] == event["to"] else [event["to"], event["from"]]
        assert [int(n) for n in ends][: len(own)] == own, said
        assert bool(reaches) == (before.down.get(event["to"]) in ("crashed", "absent")), said
        if reaches and "not a member" not in said:
            assert before.down[event["to"]] == "crashed", said
    if kind == "leave":
        assert said.startswith(f"P{event['node']} leaves the critical section"), said
    for who in re.findall(rf"{P} enters the critical section", said):
        assert int(who) in entered, said
    if entered and kind != "fault":
        assert re.search(r"enters|grants itself entry", said), said
    if re.search(r"\benters the critical section|\band enters\b", said):
        assert entered, said
    if kind == "request" and "calls an election" not in said:
        seat = (event.get("resource") or 0, event["node"])
        busy = bool(before.requests[seat]) or seat in before.inside
        is_gone = before.down.get(event["node"]) in ("crashed", "absent")
        assert ("again after its present request" in said) == (busy and not is_gone), said
        assert is_gone == ("has crashed" in said or "is not a member" in said), said
    if "immediately requests it again" in said:
        assert before.requests[event.get("resource") or 0, event["node"]], said
    for what, whom in re.findall(r"\b(replies|sends [^.,:;]*?) to ((?:P\d+(?:, | and )?)+)", said):
        acting = {sender for sender, _ in sent}
        assert not sent or {(who, int(n)) for who in acting for n in re.findall(r"\d+", whom)} & set(sent), (what, said)
    for whom in re.findall(r"\breplies to ((?:P\d+(?:, | and )?)+)", said):
        assert set(numbers(whom)) <= {receiver for _, receiver in sent}, said
    suspects = {effect["suspect"] for effect in effects_of(line, "suspected")}
    for whom in re.findall(r"suspects that ((?:P\d+(?:, | and )?)+) ha", said):
        assert set(numbers(whom)) == suspects, said
    for who in re.findall(rf"accepts {P} as leader", said):
        assert int(who) in {effect["leader"] for effect in effects_of(line, "elected")}, said
    if re.search(r"\bbecomes leader", said):
        assert any(effect["leader"] == effect["node"] for effect in effects_of(line, "elected")), said
    if "there is no token to" in said:
        assert not before.holders(), said
    if match := re.search(rf"the token is (?:lost|duplicated) while {P} holds it", said):
        assert before.has_copies or int(match[1]) == min(before.unharmed()), said
    if re.search(rf"the token that {P} holds has been (?:lost|duplicated) already", said):
        assert before.has_copies or not before.unharmed(), said
    if match := re.search(r"(\d+) messages in transit are lost", said):
        assert int(match[1]) == len(effects_of(line, "lost")), said
    if do in UNCHANGED:
        wanted, words = UNCHANGED[do]
        state = before.down.get(event["node"])
        assert (state in wanted) == bool(re.search(words, said)), (state, said)
    if "there is no node left to join" in said:
        assert "absent" not in before.down.values(), said
    if do in ("drop", "delay", "duplicate"):
        assert ("no such message" in said) or re.search(rf"from {P} to {P} is ", said), said


# ---- reasons -----------------------------------------------------------------------------------------------


def check_reason(state: TraceState, protocol: Protocol, node: int, reason: dict[str, Any]) -> None:
    """What a reason says about the present is so by the trace."""
    words = reason["words"]
    for serial in reason["messages"]:
        assert serial in state.transit, f"not in transit: {words}"
        message = state.transit[serial]
        ends = {message["from"], message["to"]}
        if match := re.search(rf"from {P} to {NAMED}", words):
            assert message["from"] == int(match[1]), words
            assert message["to"] in numbers(match[2]) or "more" in words, words
        elif re.search(r"from .* (is|are) in transit", words):
            assert message["to"] == node, words
            assert message["from"] in numbers(words) or "more" in words, words
        elif re.search(r"^Its .* to .* is in transit", words):
            assert message["to"] in numbers(words) or "more" in words, words
        assert ends & {*numbers(words), node} or "tokens are in transit" in words, words
    assert not DISAGREES.search(words), words
    for pattern, holds in REASONS:
        for match in re.finditer(pattern, words):
            assert holds(state, protocol, node, *map(numbers, match.groups())), f"P{node}: {words}"


DISAGREES = re.compile(  # a verb or pronoun in the wrong number
    r"^P\d+(?:, P\d+)* and (?:P\d+|\d+ more) (?:has|is|does|waits)\b"
    r"|\bthey (?:goes|has|is|does)\b|\bhave [^.]* its reply"
)
NAMED = r"((?:P\d+(?:, | and )?)+)"
REASONS: list[tuple[str, Claim]] = [
    (rf"{NAMED} (?:is|are) in the critical section", lambda s, p, n, who: all(map(s.is_inside, who))),
    (rf"^{NAMED} ha(?:s|ve) crashed", lambda s, p, n, who: all(s.down.get(w) == "crashed" for w in who)),
    (rf"^{NAMED} ha(?:s|ve) left", lambda s, p, n, who: all(s.down.get(w) == "absent" for w in who)),
    (rf"^{NAMED} (?:is|are) paused", lambda s, p, n, who: all(s.down.get(w) == "paused" for w in who)),
    (rf"^{NAMED} (?:is|are) waiting too", lambda s, p, n, who: all(map(s.is_waiting, who))),
    (rf"^{P} has (?:the|a) token\b", lambda s, p, n, who: not s.is_single() or who[0] in s.holders() - s.ghosts),
    (rf"^{P} has (?:the|a) token itself", lambda s, p, n, who: not s.is_single() or (who[0] == n and n in s.holders())),
    (rf"^{P} believes that it has", lambda s, p, n, who: who[0] in s.ghosts),
    (rf"^{P} has crashed with (?:the|a) token", lambda s, p, n, who: not s.is_single() or who[0] in s.frozen),
    (r"^The token has been lost", lambda s, p, n: not s.is_single() or s.tokens() == 0),
    (r"^The token is in transit", lambda s, p, n: not s.is_single() or s.tokens() == 1),
    (
        rf"{P} has deferred its reply to {P}",
        lambda s, p, n, who, to: to == (n,) and ((who[0] in p.unanswered[n] or p.are_counted) and p.owing[who[0], n]),
    ),
    (
        rf"^{P} has deferred .*{STAMP} is older than {STAMP}",
        lambda s, p, n, who, own, mine: own < mine == p.stamp[n] and own == p.stamp[who[0]],
    ),
    (rf"^{P} has granted entry to {P}", lambda s, p, n, who, whom: p.granted.get(who[0]) == whom[0]),
    (
        rf"^{P} has granted .*{P} is number (\d+) of (\d+) in its queue",
        lambda s, p, n, who, me, place, total: (
            len(p.queue[who[0]]) == total[0] and p.queue[who[0]].index(me[0]) + 1 == place[0]
        ),
    ),
    (rf"^{P} has voted for {P}", lambda s, p, n, who, whom: p.vote.get(who[0]) in (whom[0], None)),
    (rf"^Its leader {P} has crashed", lambda s, p, n, who: s.leader[n] == who[0] and s.down[who[0]] == "crashed"),
    (r"expires at t = ([\d.]+)", lambda s, p, n, when: float(".".join(map(str, when))) >= s.now - 0.06),
]
