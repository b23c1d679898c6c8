"""How sentences speak of a message: "a reply", "request 1,2", "“are you there”"; on the picture a label has to do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import Field, fields
from typing import Any

from algorithms.engine.process import Message
from visual.words.names import Naming, field_text, message_stamp, message_type

_NO_NOUN = re.compile(
    r" |ed$|^(?:alive|back|coordinator|enqueue|ready|stale|whereabouts)$"
)  # what is rather said than sent
_LONGEST = 20  # characters of what a field says


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
            yield f"{name} {text if len(text) <= _LONGEST else f'{text[: _LONGEST - 1]}…'}"


def _telling(message: Message) -> list[Field[Any]]:
    return [field for field in fields(message) if field.repr]  # type: ignore[arg-type]
