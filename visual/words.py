"""How nodes, messages and values are called, everywhere on the screen and in sentences."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import Field, fields
from functools import lru_cache
from typing import Any, NamedTuple

from algorithms.engine.errors import short
from algorithms.engine.observe.offered_load import offered_load
from algorithms.engine.process import Message
from algorithms.engine.simulation import Simulation
from algorithms.engine.workload import Burst, Closed, Load, Poisson, Saturated, Script, resource_name
from algorithms.peer_to_peer.tickets import Replica, Resource, Ticket

_INTERVALS = ("dgen", "dmin", "dmax", "dop", "dskip")  # Δ… in the papers on the wandering token
_LONGEST_STAMP = 14  # characters of a stamp in a label
_ENOUGH = 1_000  # characters of a value
_SUBSCRIPTS = re.compile(r"_(\d+(?:,\d+)?)")
_SMALL = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_EDGES_OF_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


class Naming(NamedTuple):
    """How the resources of a run and their replicas are called; see `naming`."""

    replicas: int = 0  # of each resource, where there are several resources

    @property
    def several(self) -> bool:
        """Whether there is more than one resource."""
        return self.replicas > 0

    def resource(self, resource: int) -> str:
        """1 -> "B"; nothing where there is only one."""
        return resource_name(resource) if self.replicas else ""

    def replica(self, replica: int) -> str:
        """2 -> "R2"; where there are several resources, its place among those of its own: "B0"."""
        return f"{resource_name(replica // self.replicas)}{replica % self.replicas}" if self.replicas else f"R{replica}"


PLAIN = Naming()


def naming(run: Simulation) -> Naming:
    """How the resources of that run are called."""
    process: Any = run.processes[0]
    return Naming(process.replicas) if run.applications.resources > 1 else PLAIN


def node_name(node: int) -> str:
    """3 -> "P3"."""
    return f"P{node}"


def join_nodes(nodes: Iterable[int]) -> str:
    """[1, 2, 3] -> "P1, P2 and P3"."""
    return join_words([node_name(node) for node in nodes])


def join_words(words: list[str]) -> str:
    """["a", "b", "c"] -> "a, b and c"."""
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]])) if words else ""


def symbol(name: str) -> str:
    """A variable as the papers write it: "dgen" -> "Δgen"; any other as it is, its underscores as spaces."""
    return f"Δ{name[1:]}" if name in _INTERVALS else name.replace("_", " ")


def message_type(message: type[Message]) -> str:
    """`NewLeader` -> "new leader", and `IAmWinner` -> "I am winner"."""
    return _spaced(message.__name__)


@lru_cache(maxsize=256)
def _spaced(name: str) -> str:
    words = _EDGES_OF_WORDS.sub(" ", name).split()
    return " ".join(word if word == "I" else word.lower() for word in words)


@lru_cache(maxsize=16384)
def message_stamp(message: Message, names: Naming = PLAIN) -> str:
    """What a message carries, short: `Request((5, 3))` -> "5,3". Fields with `repr=False` are left out."""
    fields = (field for field in getattr(message, "__dataclass_fields__", {}).values() if field.repr)
    values = ((field.type, getattr(message, field.name)) for field in fields)
    texts = (field_text(kind, value, names) for kind, value in values)
    stamp = " ".join(filter(None, texts))
    return stamp if len(stamp) <= _LONGEST_STAMP else stamp[: _LONGEST_STAMP - 1].rstrip(" ,") + "…"


@lru_cache(maxsize=16384)
def message_label(message: Message, names: Naming = PLAIN) -> str:
    """Type and stamp: "request 5,3"."""
    return f"{message_type(type(message))} {message_stamp(message, names)}".rstrip()


def ticket_text(ticket: tuple[int, ...]) -> str:
    """A ticket as its client and its number: (2, 7) -> "P7·2", and (2, 7, 1), a further attempt, "P7·2.1"."""
    number, client, *attempts = ticket
    return f"{node_name(client)}·{'.'.join(map(str, (number, *filter(None, attempts))))}"


def client_text(client: int | tuple[int, ...]) -> str:
    """A client by its number or its ticket: 3 -> "P3", (2, 7) -> "P7·2"."""
    return ticket_text(client) if isinstance(client, tuple) else node_name(client)


def ticket_words(ticket: tuple[int, ...]) -> str:
    """The same for who may not know how it is written: (2, 7, 1) -> "P7, stamp 2, attempt 2"."""
    number, client, *attempts = ticket
    return ", ".join([node_name(client), f"stamp {number}", *(f"attempt {n + 1}" for n in attempts if n)])


def is_token_stamp(value: Any) -> bool:
    """Whether a value is the stamp of a token: when it was generated, and by whom."""
    return type(value) is tuple and tuple(map(type, value)) == (float, int)


def token_stamp_text(stamp: tuple[float, int]) -> str:
    """When a token was generated, and by whom, as its name: (1105.6, 9) -> "P9·1105.6"."""
    return f"{node_name(stamp[1])}·{value_text(stamp[0])}"


_WRITTEN: dict[Any, Callable[[Any, Naming], str]] = {
    Ticket: lambda ticket, names: ticket_text(ticket),
    Replica: lambda replica, names: names.replica(replica),
    Resource: lambda resource, names: names.resource(resource),
}
"""The type of a message's field -> how its value is written; others as plain values."""


def own_notation(kind: Any, value: Any, names: Naming) -> str:
    """The value of a field of that type as the picture writes it; "" for one that has no way of its own."""
    return _WRITTEN[kind](value, names) if kind in _WRITTEN else ""


def field_text(kind: Any, value: Any, names: Naming) -> str:
    """The value of a field of that type, in its own way or as any other value; "" where there is nothing to tell."""
    return own_notation(kind, value, names) if kind in _WRITTEN else value_text(value)


def field_words(kind: Any, value: Any, names: Naming) -> str:
    """The same for who may not know how a ticket is written."""
    return ticket_words(value) if kind is Ticket else own_notation(kind, value, names)


def subscripted(text: str) -> str:
    """A term as it is printed: "d_0,1" -> "d₀,₁"."""
    return _SUBSCRIPTS.sub(lambda found: found[1].translate(_SMALL), text)


def sorted_values(values: set[Any] | frozenset[Any]) -> list[Any]:
    """In ascending order; what has none, by its kind first."""
    try:
        return sorted(values)
    except TypeError:
        return sorted(values, key=lambda value: (type(value).__name__, _text_of(value)))


def _text_of(value: Any) -> str:
    """A value as Python writes it, whatever an author's own class may do there."""
    try:
        return str(value)
    except Exception:
        return f"a {type(value).__name__}"


def is_array(values: Any, nodes: int) -> bool:
    """Whether a variable is an array with an entry for each process, and not some processes in a row."""
    return isinstance(values, list) and len(values) == nodes


def value_text(value: Any) -> str:
    """A value of an algorithm, short: (5, 3) -> "5,3", nothing for None."""
    return _to_be_read(_value_text, value)


def _to_be_read(text: Callable[[Any], str], value: Any) -> str:
    """The text of a value as far as anybody reads it; as Python writes it where it is nested too deep."""
    try:
        words = text(value)
    except RecursionError:
        words = short(value)
    return words if len(words) <= _ENOUGH else f"{words[: _ENOUGH - 1]}…"


def _value_text(value: Any) -> str:
    if type(value) is int or type(value) is str:  # by far the most frequent
        return str(value)
    if value is None or value is False:
        return ""
    if value is True:
        return "yes"
    if isinstance(value, float):
        return f"{value:.1f}".removesuffix(".0")
    if is_token_stamp(value):
        return token_stamp_text(value)
    if isinstance(value, Message):
        return message_stamp(value)
    if isinstance(value, tuple | list):
        return ",".join(_value_text(v) or "–" for v in value)
    if isinstance(value, set | frozenset):
        return ",".join(map(_value_text, sorted_values(value)))
    if isinstance(value, Mapping):
        return " ".join(f"{_value_text(k)}:{_value_text(v)}" for k, v in value.items())
    return _text_of(value)


def full_text(value: Any) -> str:
    """A value of an algorithm in full, as Python writes it, but an empty one as ∅ and none as ⊥."""
    return _to_be_read(_shown, value)


def _shown(value: Any) -> str:
    if value is None:
        return "⊥"
    if isinstance(value, float):
        return f"{value:.3f}".rstrip("0").rstrip(".")
    if hasattr(value, "__len__") and not value:
        return "∅"
    if isinstance(value, set | frozenset):
        return f"{{{', '.join(map(_shown, sorted_values(value)))}}}"
    if isinstance(value, tuple):
        return f"({', '.join(map(_shown, value))})"
    if isinstance(value, list | deque):
        return f"[{', '.join(map(_shown, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_shown(k)}: {_shown(v)}' for k, v in value.items())}}}"
    return _text_of(value)


_NO_NOUN = re.compile(
    r" |ed$|^(?:alive|back|coordinator|enqueue|ready|stale|whereabouts)$"
)  # what is rather said than sent
_LONGEST_VALUE = 20  # characters of what a field says


def message_phrase(message: Message, names: Naming) -> str:
    """With an article, unless it has a name of its own: "a gimme", "request 1,2"."""
    bare = message_noun(message, names)
    if bare != message_type(type(message)):
        return bare
    return f"{'an' if bare[0] in 'aeiou' else 'a'} {bare}"


def message_noun(message: Message, names: Naming) -> str:
    """The same after "its own" or "the"."""
    name = message_type(type(message))
    if _NO_NOUN.search(name):
        return f"“{name}”"
    return f"{name} {message_stamp(message, names)}".rstrip() if _is_named(message) else name


def message_details(message: Message, names: Naming) -> str:
    """What it says, field by field: " (requester 1, low 0, high 16)"; "" where its name tells it all."""
    if _is_named(message) and not _NO_NOUN.search(message_type(type(message))):
        return ""
    said = ", ".join(_said(message, names))
    return f" ({said})" if said else ""


def _is_named(message: Message) -> bool:
    """Whether it has one field, which tells it from others of its kind."""
    telling = _telling(message)
    return len(telling) == 1 and not isinstance(getattr(message, telling[0].name), bool)


def _said(message: Message, names: Naming) -> Iterator[str]:
    for field in _telling(message):
        value = getattr(message, field.name)
        text = field_text(field.type, value, names)
        name = field.name.replace("_", " ")
        if value is True:
            yield name
        elif text:
            yield f"{name} {text if len(text) <= _LONGEST_VALUE else f'{text[: _LONGEST_VALUE - 1]}…'}"


def _telling(message: Message) -> list[Field[Any]]:
    return [field for field in fields(message) if field.repr]  # type: ignore[arg-type]


OFFERED = "k_load: how many would be inside if nobody had to wait"


def load_words(run: Simulation) -> str:
    """The load in a word or a number, for the header."""
    load = run.applications.load
    if run.algorithm.paced_by:
        return f"k = {offered_load(run) or 0.0:.2g}"
    match load:
        case Poisson(rate=rate):
            return f"{rate:g}"
        case Closed(think=think):
            return f"think {think:g}"
        case Script():
            return "script"
        case Saturated():
            return "full"
        case Burst():
            return "bursts"
    return "by hand" if type(load) is Load else type(load).__name__.lower()
