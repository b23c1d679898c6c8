"""The names of nodes, messages and values, everywhere on the screen and in sentences.

In sentences a message is "a reply", "request 1,2" or "“are you there”"; on the picture it has a label.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import Field, fields
from functools import lru_cache
from typing import Any, NamedTuple

from algorithms.engine.errors import short
from algorithms.engine.observe.offered_load import offered_load
from algorithms.engine.process import Algorithm, Message
from algorithms.engine.simulation import Simulation
from algorithms.engine.workload import Burst, Closed, Load, Poisson, Saturated, Script, resource_name
from algorithms.peer_to_peer.tickets import Replica, Resource, Ticket

_INTERVALS = ("dgen", "dmin", "dmax", "dop", "dskip")  # Δ… in the papers on the wandering token
_LONGEST_STAMP = 14  # characters of a stamp in a label
_LONGEST_TEXT = 1_000  # characters of a value
_SUBSCRIPTS = re.compile(r"_(\d+(?:,\d+)?)")
_SUBSCRIPT_DIGITS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_WORD_BOUNDARY = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


class Naming(NamedTuple):
    """The names of a run's resources and of their replicas; see `naming`."""

    replicas: int = 0  # of each resource, where there are several resources

    @property
    def has_several(self) -> bool:
        """Whether there is more than one resource."""
        return self.replicas > 0

    def resource(self, resource: int) -> str:
        """1 -> "B"; "" where there is only one resource."""
        return resource_name(resource) if self.replicas else ""

    def replica(self, replica: int) -> str:
        """2 -> "R2"; where there are several resources, their name and the number within it: "B0"."""
        return f"{resource_name(replica // self.replicas)}{replica % self.replicas}" if self.replicas else f"R{replica}"


PLAIN = Naming()


def naming(run: Simulation) -> Naming:
    """The names of that run's resources."""
    process: Any = run.processes[0]
    return Naming(process.replicas) if run.applications.resources > 1 else PLAIN


def timer_name(name: str, names: Naming = PLAIN) -> str:
    """The name of a timer without that of its part, with a resource by its name: "answer timeout", "rest timer B"."""
    words = name.rpartition(".")[2].replace("_", " ").split(" ")
    if "timeout" not in words:
        words.insert(next((i for i, word in enumerate(words) if word.isdigit()), len(words)), "timer")
    return " ".join(names.resource(int(word)) if names.has_several and word.isdigit() else word for word in words)


def range_words(low: float, high: float | None) -> str:
    """A number, or two and what is between them: "8", "1 … 64", "3 … ∞"."""
    if low == high:
        return f"{low:g}"
    return f"{low:g} … {'∞' if high is None else f'{high:g}'}"


def event_label(place: int) -> str:
    """The letter of an event in a lesson: a, b, c …"""
    return chr(ord("a") + place)


def node_name(node: int) -> str:
    """3 -> "P3"."""
    return f"P{node}"


def join_nodes(nodes: Iterable[int]) -> str:
    """[1, 2, 3] -> "P1, P2 and P3"."""
    return join_words([node_name(node) for node in nodes])


def join_words(words: list[str]) -> str:
    """["a", "b", "c"] -> "a, b and c"."""
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]])) if words else ""


_FIELDS = {"way": "going"}  # of messages, where a sentence has another word
_ASSUMPTIONS = {
    "reliable": "reliable channels",
    "nobody crashes": "no crashes",
    "FIFO": "FIFO channels",
    "synchronous": "bounded delays, which the timeouts allow for",
    "coordinators forget nothing": "coordinators keep their memory",
    "nobody crashes inside": "no crash inside the critical section",
    "nobody crashes with the token": "no crash of the token's holder",
    "nobody crashes during the election": "no crash during an election",
    "only the coordinator crashes, with nobody inside": "only the coordinator crashes, and only while nobody is inside",
    "a minority crashes, nobody with votes": "only a minority crashes, and no process that holds votes",
    "a commitment arrives, and in time": "commitments arrive in time",
    "crashes one at a time and for good": "one crash at a time, without recovery",
}


def assumption_words(assumptions: Iterable[str]) -> str:
    """The assumptions of an algorithm: "reliable channels, no crashes"; "none" without any."""
    return ", ".join(_ASSUMPTIONS.get(assumption, assumption) for assumption in assumptions) or "none"


def symbol(name: str) -> str:
    """A variable as the papers write it: "dgen" -> "Δgen"; in any other, underscores become spaces."""
    return f"Δ{name[1:]}" if name in _INTERVALS else name.replace("_", " ")


def message_type(message: type[Message]) -> str:
    """`NewLeader` -> "new leader", and `IAmWinner` -> "I am winner"."""
    return spaced(message.__name__)


@lru_cache(maxsize=256)
def spaced(name: str) -> str:
    words = _WORD_BOUNDARY.sub(" ", name).split()
    return " ".join(word if word == "I" else word.lower() for word in words)


@lru_cache(maxsize=16384)
def message_stamp(message: Message, names: Naming = PLAIN) -> str:
    """The content of a message in short: its own label, or `Request((5, 3))` -> "5,3" without `repr=False` fields."""
    if own := own_label(message):
        return own
    fields = (field for field in getattr(message, "__dataclass_fields__", {}).values() if field.repr)
    values = ((field.type, getattr(message, field.name)) for field in fields)
    texts = (field_text(kind, value, names) for kind, value in values)
    return _shortened(" ".join(filter(None, texts)))


def own_label(message: Message) -> str:
    """The label that the author's class gives the message; "" for none, or where its method fails."""
    label = getattr(type(message), "label", None)
    if not callable(label) or label is Message.label:
        return ""  # a field may have that name
    try:
        return _shortened(str(label(message)))
    except Exception:
        return ""


def _shortened(stamp: str) -> str:
    return stamp if len(stamp) <= _LONGEST_STAMP else stamp[: _LONGEST_STAMP - 1].rstrip(" ,") + "…"


@lru_cache(maxsize=16384)
def message_label(message: Message, names: Naming = PLAIN) -> str:
    """Type and stamp: "request 5,3"."""
    return f"{message_type(type(message))} {message_stamp(message, names)}".rstrip()


def ticket_text(ticket: tuple[int, ...]) -> str:
    """A ticket by its client and number: (2, 7) -> "P7·2"; with a further attempt, (2, 7, 1) -> "P7·2.1"."""
    number, client, *attempts = ticket
    return f"{node_name(client)}·{'.'.join(map(str, (number, *filter(None, attempts))))}"


def client_text(client: int | tuple[int, ...]) -> str:
    """A client by its number or its ticket: 3 -> "P3", (2, 7) -> "P7·2"."""
    return ticket_text(client) if isinstance(client, tuple) else node_name(client)


def ticket_words(ticket: tuple[int, ...]) -> str:
    """The same for readers who may not know the notation: (2, 7, 1) -> "P7, stamp 2, attempt 2"."""
    number, client, *attempts = ticket
    return ", ".join([node_name(client), f"stamp {number}", *(f"attempt {n + 1}" for n in attempts if n)])


def is_token_stamp(value: Any) -> bool:
    """Whether a value is the stamp of a token: the time and the node of its generation."""
    return type(value) is tuple and tuple(map(type, value)) == (float, int)


def token_stamp_text(stamp: tuple[float, int]) -> str:
    """The time and the node of a token's generation, as its name: (1105.6, 9) -> "P9·1105.6"."""
    return f"{node_name(stamp[1])}·{value_text(stamp[0])}"


_NOTATIONS: dict[Any, Callable[[Any, Naming], str]] = {
    Ticket: lambda ticket, names: ticket_text(ticket),
    Replica: lambda replica, names: names.replica(replica),
    Resource: lambda resource, names: names.resource(resource),
}
"""Type of a message's field -> the notation of its values; other types are written as plain values."""


def notation_of(name: str, value: Any, names: Naming) -> str:
    """A value in the notation of the type of that name, "ticket", or as a plain value."""
    kind = next((kind for kind in _NOTATIONS if kind.__name__.lower() == name), None)
    return field_text(kind, value, names)


def own_notation(kind: Any, value: Any, names: Naming) -> str:
    """The value of a field in the notation of its type; "" for a type without one."""
    return _NOTATIONS[kind](value, names) if kind in _NOTATIONS else ""


def field_text(kind: Any, value: Any, names: Naming) -> str:
    """The value of a field in the notation of its type or as a plain value; "" for an empty value."""
    return own_notation(kind, value, names) if kind in _NOTATIONS else value_text(value)


def field_words(kind: Any, value: Any, names: Naming) -> str:
    """The value of a field with a ticket in words; "" for a type without a notation."""
    return ticket_words(value) if kind is Ticket else own_notation(kind, value, names)


def subscripted(text: str) -> str:
    """A term as it is printed: "d_0,1" -> "d₀,₁"."""
    return _SUBSCRIPTS.sub(lambda match: match[1].translate(_SUBSCRIPT_DIGITS), text)


def sorted_values(values: set[Any] | frozenset[Any]) -> list[Any]:
    """The values in ascending order; those that cannot be compared, by type first."""
    try:
        return sorted(values)
    except TypeError:
        return sorted(values, key=lambda value: (type(value).__name__, _text_of(value)))


def _text_of(value: Any) -> str:
    """`str(value)`, even where an author's own class fails in it."""
    try:
        return str(value)
    except Exception:
        return f"a {type(value).__name__}"


def is_array(values: Any, nodes: int) -> bool:
    """Whether a variable is an array with an entry for each process, and not a list of processes."""
    return isinstance(values, list) and len(values) == nodes


def value_text(value: Any) -> str:
    """A value of an algorithm in short: (5, 3) -> "5,3"; "" for None."""
    return _bounded(_value_text, value)


def _bounded(text: Callable[[Any], str], value: Any) -> str:
    """The text of a value, cut to a readable length; as Python writes it where it is nested too deeply."""
    try:
        words = text(value)
    except RecursionError:
        words = short(value)
    return words if len(words) <= _LONGEST_TEXT else f"{words[: _LONGEST_TEXT - 1]}…"


def _value_text(value: Any) -> str:
    if type(value) is int or type(value) is str:  # the most frequent types by far
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


def tuple_text(values: tuple[Any, ...]) -> str:
    """A stamp of an algorithm in a sentence: (5, 3) -> "(5,3)"; the name of a token without brackets."""
    return value_text(values) if is_token_stamp(values) else f"({value_text(values)})"


def full_text(value: Any) -> str:
    """A value of an algorithm in full, as Python writes it, but with ∅ for empty and ⊥ for None."""
    return _bounded(_full_text, value)


def _full_text(value: Any) -> str:
    if value is None:
        return "⊥"
    if isinstance(value, float):
        return f"{value:.3f}".rstrip("0").rstrip(".")
    if hasattr(value, "__len__") and not value:
        return "∅"
    if isinstance(value, set | frozenset):
        return f"{{{', '.join(map(_full_text, sorted_values(value)))}}}"
    if isinstance(value, tuple):
        return f"({', '.join(map(_full_text, value))})"
    if isinstance(value, list | deque):
        return f"[{', '.join(map(_full_text, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_full_text(k)}: {_full_text(v)}' for k, v in value.items())}}}"
    return _text_of(value)


_QUOTED = re.compile(
    r" |ed$|^(?:alive|back|best|coordinator|enqueue|one|ready|stale|two|whereabouts)$"
)  # names that are quoted, since they are no nouns
_NO_NOUNS = ("election", "release", "search", "state", "status")  # names that "message" is added to


def is_noun(name: str) -> bool:
    """Whether the name of a message stands alone in sentences: "a reply", but "an election message"."""
    return name not in _NO_NOUNS and not _QUOTED.search(name)


_LONGEST_VALUE = 20  # characters of a field's value


def message_phrase(message: Message, names: Naming) -> str:
    """A message with its article, unless it is identified by a value: "a gimme", "request (1,2)"."""
    bare = message_noun(message, names)
    if bare.startswith("“") or _is_named(message):
        return bare
    return f"{'an' if bare[0] in 'aeiou' else 'a'} {bare}"


def message_noun(message: Message, names: Naming) -> str:
    """The same without an article, to follow "its own" or "the"."""
    name = message_type(type(message))
    if _QUOTED.search(name):
        return f"“{name}”"
    if name in _NO_NOUNS:
        name = f"{name} message"
    return f"{name} {_bracketed_stamp(message, names)}".rstrip() if _is_named(message) else name


def _bracketed_stamp(message: Message, names: Naming) -> str:
    (field,) = _shown_fields(message)
    value = getattr(message, field.name)
    plain = field.type not in _NOTATIONS and isinstance(value, tuple) and value
    return tuple_text(value) if plain else message_stamp(message, names)


def message_details(message: Message, names: Naming) -> str:
    """The fields of a message: " (requester 1, low 0, high 16)"; "" where the noun contains them."""
    if _is_named(message) and not _QUOTED.search(message_type(type(message))):
        return ""
    details = ", ".join(_field_phrases(message, names))
    return f" ({details})" if details else ""


def _is_named(message: Message) -> bool:
    """Whether one field identifies the message among those of its type."""
    shown = _shown_fields(message)
    return len(shown) == 1 and not isinstance(getattr(message, shown[0].name), bool)


def _field_phrases(message: Message, names: Naming) -> Iterator[str]:
    for field in _shown_fields(message):
        value = getattr(message, field.name)
        text = field_text(field.type, value, names)
        name = _FIELDS.get(field.name, field.name.replace("_", " "))
        if value is True:
            yield name
        elif text:
            yield f"{name} {text if len(text) <= _LONGEST_VALUE else f'{text[: _LONGEST_VALUE - 1]}…'}"


def _shown_fields(message: Message) -> list[Field[Any]]:
    return [field for field in fields(message) if field.repr]  # type: ignore[arg-type]


def load_name(algorithm: Algorithm) -> str:
    """The name of the offered load: that of the papers on the wandering token only where they speak of it."""
    return "k_load" if algorithm.paced_by else "load"


def load_meaning(algorithm: Algorithm) -> str:
    """The offered load in plain English."""
    return f"{load_name(algorithm)}: how many would be inside on average if nobody had to wait"


def load_words(run: Simulation) -> str:
    """The load as a word or a number, for the header."""
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
