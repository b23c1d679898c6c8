"""A TOML table -> a struct of the schema, or the sentence that says what is wrong with it."""

from __future__ import annotations

import re
from math import isfinite
from typing import Any, TypeVar, get_args

from msgspec import Meta, ValidationError, convert
from msgspec.structs import fields

from algorithms.scenario_format.place import Place
from algorithms.scenario_format.schema import Table

T = TypeVar("T", bound=Table)


def read_table(value: Any, struct: type[T], place: Place) -> T:
    """The table as that struct. BadInput for unknown or missing keys and for wrong values."""
    known = {field.name: field for field in fields(struct)}
    if not isinstance(value, dict):
        raise place.expected(f"a table with {', '.join(known)}", value)
    for key, found in value.items():
        if key not in known:
            raise place.at(key).unknown("key", key, known)
        if isinstance(found, float) and not isfinite(found):
            raise place.at(key).expected(words_of(struct, key), found)
    for key, field in known.items():
        if field.required and key not in value:
            raise place.at(key).wrong(f"expected {words_of(struct, key)}, got nothing")
    try:
        return convert(value, struct)
    except ValidationError as error:
        key = re.search(r" - at `\$\.(\w+)", str(error))
        name = key.group(1) if key else next(iter(known))
        raise place.at(name).expected(words_of(struct, name), value[name]) from None


def read_kind(value: Any, kinds: dict[str, type[T]], what: str, place: Place) -> tuple[str, T]:
    """A table whose `kind` says which struct it is: the kind, and the struct."""
    if not isinstance(value, dict):
        raise place.expected(f"a table with a kind ({', '.join(kinds)})", value)
    kind = value.get("kind")
    if kind is None:
        raise place.at("kind").wrong(f"expected one of {', '.join(kinds)}, got nothing")
    if not isinstance(kind, str) or kind not in kinds:
        raise place.at("kind").unknown(what, kind, kinds)
    return kind, read_table({key: v for key, v in value.items() if key != "kind"}, kinds[kind], place)


def words_of(struct: type[Table], key: str) -> str:
    """What the schema calls a value of that key."""
    field = next(field for field in fields(struct) if field.name == key)
    for part in (field.type, *get_args(field.type)):
        for meta in getattr(part, "__metadata__", ()):
            if isinstance(meta, Meta) and meta.description:
                return meta.description
    return f"a {key}"
