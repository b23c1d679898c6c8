"""The third scheduler beside the clock and the checker is a person, who may let any of these things happen next.

Whatever is chosen becomes an intervention: the run replays from its scenario and what was chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from operator import itemgetter
from typing import Any, NamedTuple, overload

from algorithms.engine.events import KIND, LEAVE, MESSAGE, NODE, RESOURCE, SENDER, SEQ, Record
from algorithms.engine.membership import ABSENT, CRASHED, PAUSED
from algorithms.engine.rewrite import CARRIER, system_of
from algorithms.engine.rewrite.rewriter import pick
from algorithms.engine.rewrite.rule_text import sentence
from algorithms.engine.simulation import Simulation

REGULAR = ("deliver", "fire", "exit", "request")  # what a run does by itself

_COMES_BACK = {CRASHED: "recover", PAUSED: "resume", ABSENT: "join"}
_FATES = ("drop", "duplicate")  # of a message on a link


class Choice(NamedTuple):
    """One thing that can happen next: what to do, in the words of `faults.FAULTS`, and the fields of the event.

    `entry` is the message that it is about, if it is about one, `words` say what it is where the rest does not.
    """

    do: str
    fields: tuple[tuple[str, Any], ...]
    entry: Record | None = None
    words: str = ""


class Choices(Sequence[Choice]):
    """Things that can happen next, each made when it is looked at: where all send to all there are thousands.

    A part is what its choices are about, and how one of them is made.
    """

    def __init__(self, *parts: tuple[Sequence[Any], Callable[[Any], Choice]]) -> None:
        self._parts = parts
        self._count = sum(len(matter) for matter, _ in parts)

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, place: int) -> Choice: ...
    @overload
    def __getitem__(self, place: slice) -> list[Choice]: ...
    def __getitem__(self, place: int | slice) -> Choice | list[Choice]:
        places = range(self._count)[place]
        return self._at(places) if isinstance(places, int) else [self._at(one) for one in places]

    def _at(self, place: int) -> Choice:
        for matter, made in self._parts:
            if place < len(matter):
                return made(matter[place])
            place -= len(matter)
        raise IndexError(place)


def regular(run: Simulation, node: int | None = None, deeds: Collection[str] = REGULAR) -> Choices:
    """What a run does by itself: messages arrive, timers run out, stays in the critical section end, nodes ask.

    In a rewriting system a rule applies. With a node only what concerns it, and of all deeds only those.
    """
    if system_of(run.algorithm):
        return Choices((list(_applications(run)), lambda choice: choice))
    parts: dict[str, tuple[Callable[..., Sequence[Any]], Callable[[Any], Choice]]] = {
        "deliver": (deliverable, delivery),
        "fire": (_time_outs, lambda due: Choice("fire", (("node", due[0]), ("timer", due[1])))),
        "exit": (_stays, lambda stay: Choice("exit", _where(run, *stay))),
        "request": (_free, lambda free: Choice("request", _where(run, *free))),
    }
    return Choices(*((matter(run, node), made) for deed, (matter, made) in parts.items() if deed in deeds))


def adverse(run: Simulation, node: int | None = None) -> Choices:
    """What an adversary may do: take down nodes or let them come back, lose and duplicate messages and tokens.

    With a node only what befalls it, its messages among that.
    """
    if system_of(run.algorithm):
        return Choices()
    on_links = [entry for entry in _flying(run, node) if entry[SENDER] != entry[NODE]]
    token = run.algorithm.token
    in_hands = node is None and token is not None and all(type(entry[MESSAGE]) is not token for entry in on_links)
    nodes = range(len(run.processes)) if node is None else (node,)
    return Choices(
        (("lose-token", "duplicate-token") if in_hands else (), lambda do: Choice(do, ())),
        (range(len(_FATES) * len(on_links)), lambda place: _befalling(on_links, place)),
        (nodes, lambda node: Choice(_COMES_BACK.get(run.down.get(node, ""), "crash"), (("node", node),))),
    )


def deliverable(run: Simulation, node: int | None = None) -> list[Record]:
    """The messages that may arrive next, in the order of their sending: on FIFO channels only the first of each."""
    flying = _flying(run, node)
    if not run.scenario.network.fifo:
        return flying
    heads: dict[tuple[int, int], Record] = {}
    for entry in flying:
        heads.setdefault((entry[SENDER], entry[NODE]), entry)
    return list(heads.values())


def delivery(entry: Record) -> Choice:
    """That the message arrives."""
    return Choice("deliver", _naming(entry), entry)


def _flying(run: Simulation, node: int | None) -> list[Record]:
    """The messages on their way, those to or from a node if one is given, in the order of their sending."""
    flying = [entry for entry in run.queue.in_transit() if node is None or node in (entry[SENDER], entry[NODE])]
    flying.sort(key=itemgetter(SEQ))
    return flying


def _applications(run: Simulation) -> Iterator[Choice]:
    """The ways in which rules apply."""
    possible = run.processes[CARRIER].choices()
    for place, step in enumerate(possible):
        event, application = pick(place, len(possible)), step.application
        fields = (("node", event.node), ("timer", event.timer), ("draws", event.draws))
        yield Choice(event.do, fields, words=sentence(application.rule, application.bound))


def _time_outs(run: Simulation, node: int | None) -> list[tuple[int, str]]:
    return sorted(due for due in run.timers.due if node in (None, due[0]))


def _stays(run: Simulation, node: int | None) -> list[tuple[int, int]]:
    """Who is inside, and in which resource."""
    leaving = {(entry[NODE], entry[RESOURCE]) for entry in run.queue if entry[KIND] == LEAVE}
    return sorted(stay for stay in leaving if node in (None, stay[0]))


def _free(run: Simulation, node: int | None) -> list[tuple[int, int]]:
    """Who may ask, and for which resource."""
    up = [process for process in run.processes if run.is_up(process.id) and node in (None, process.id)]
    return [(process.id, k) for process in up for k in range(run.applications.resources) if not process.busy(k)]


def _befalling(messages: Sequence[Record], place: int) -> Choice:
    """What an adversary may do to messages: to each one after the other."""
    which, fate = divmod(place, len(_FATES))
    return Choice(_FATES[fate], _naming(messages[which]), messages[which])


def _where(run: Simulation, node: int, resource: int) -> tuple[tuple[str, Any], ...]:
    """The fields of an event at that node, and which of several resources it is about."""
    return (("node", node), ("resource", resource)) if run.applications.resources > 1 else (("node", node),)


def _naming(entry: Record) -> tuple[tuple[str, Any], ...]:
    """The fields of an event that say which message is meant, to the engine and to whoever reads the file."""
    way = (("node", entry[SENDER]), ("to", entry[NODE])) if entry[SENDER] != entry[NODE] else ()
    return (*way, ("message", entry[SEQ]), ("type", type(entry[MESSAGE]).__name__))
