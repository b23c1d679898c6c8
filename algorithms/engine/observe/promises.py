"""The promises of an algorithm, and the assumptions under which it makes them, against what has happened."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from algorithms.engine.events import MESSAGE, NODE, SENDER, SENT, SEQ, TIME, Record
from algorithms.engine.observe.observer import Observer, Situation
from algorithms.engine.observe.series import Log
from algorithms.engine.process import Algorithm
from algorithms.engine.scenario import Network

ONE_TOKEN, NO_ERROR = "one token", "no error"  # names of properties that no algorithm lists
LOSS, DUPLICATE, CRASH, OVERTAKING, HASTE = "loss", "duplicate", "crash", "overtaking", "haste"

RULES_OUT = {"reliable": (LOSS, DUPLICATE), "nobody crashes": (CRASH,), "FIFO": (OVERTAKING,), "synchronous": (HASTE,)}
"""Assumption -> the faults that it rules out. In any other words, an assumption is only shown."""


def is_promised(algorithm: Algorithm, name: str) -> bool:
    """Whether the algorithm promises the property of that name.

    For the sake of ME1 there is exactly one token, except in an algorithm that makes a new one after a crash.
    """
    promises = {*algorithm.promises, *algorithm.invariants, NO_ERROR}
    regenerates = algorithm.assumes and not any(a.startswith("nobody crashes") for a in algorithm.assumes)
    return name in promises or (name == ONE_TOKEN and "ME1" in promises and not regenerates)


class Fault(NamedTuple):
    """Something that an algorithm may assume never to happen: "a message is lost at 12.5"."""

    kind: str
    words: str


def broken_assumptions(algorithm: Algorithm, faults: Iterable[Fault]) -> dict[str, str]:
    """Each assumption that these faults break, with the first of them in words."""
    broken: dict[str, str] = {}
    for fault in faults:
        for assumption, kinds in RULES_OUT.items():
            if assumption in algorithm.assumes and fault.kind in kinds:
                broken.setdefault(assumption, fault.words)
    return broken


def assumption_words(broken: dict[str, str]) -> str:
    """ "assumption broken: reliable (a message is lost at 12.5)"; empty if none is broken."""
    if not broken:
        return ""
    plural = "s" if len(broken) > 1 else ""
    return f"assumption{plural} broken: " + ", ".join(f"{name} ({words})" for name, words in broken.items())


class Faults(Observer):
    """Notes the first fault of each kind."""

    def __init__(self, situation: Situation) -> None:
        self.first: Log[Fault] = Log()
        self._here = situation
        self._kinds: set[str] = set()

    def on_lost(self, step: int, record: Record) -> None:
        if not self._here.is_gone(record[NODE]):
            self._note(step, LOSS, f"a message is lost at {record[TIME]:g}")

    def on_copied(self, step: int, time: float, record: Record) -> None:
        self._note(step, DUPLICATE, f"a message is duplicated at {time:g}")

    def on_gone(self, step: int, time: float, node: int) -> None:
        if self._here.is_crashed(node):
            self._note(step, CRASH, f"P{node} crashes at {time:g}")

    def _note(self, step: int, kind: str, words: str) -> None:
        if kind not in self._kinds:
            self._kinds.add(kind)
            self.first.add(step, Fault(kind, words))


class FaultsOfChannels(Faults):
    """Notes also what channels do by themselves that duplicate messages, or do not keep their order."""

    def __init__(self, situation: Situation, may_duplicate: bool) -> None:
        super().__init__(situation)
        self._may_duplicate = may_duplicate
        self._twin: Sequence[object] = ()  # the latest message sent
        self._latest: dict[tuple[int, int], int] = {}  # link -> the latest serial number that has arrived

    def on_sent(self, step: int, record: Record) -> None:
        sent = (record[NODE], record[MESSAGE], record[SENDER], record[SENT], step)
        if self._may_duplicate and sent == self._twin:
            self._note(step, DUPLICATE, f"a message is duplicated at {record[SENT]:g}")
        self._twin = sent

    def on_received(self, step: int, record: Record) -> None:
        link = (record[SENDER], record[NODE])
        if record[SEQ] < self._latest.get(link, 0):
            self._note(step, OVERTAKING, f"a message has overtaken another by {record[TIME]:g}")
        self._latest[link] = max(record[SEQ], self._latest.get(link, 0))


def fault_observer(situation: Situation, network: Network) -> Faults:
    """The observer for a run with that network."""
    may_duplicate = network.duplicate > 0 or any(own.duplicate for own in network.links)
    is_plain = network.fifo and not may_duplicate
    return Faults(situation) if is_plain else FaultsOfChannels(situation, may_duplicate=may_duplicate)
