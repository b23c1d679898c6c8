"""A TOML table -> a dataclass, by the schema. A wrong table is reported in one sentence."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import MISSING, fields
from functools import cache
from math import isfinite
from typing import Any, TypeVar

from msgspec import ValidationError, convert

from algorithms.scenario_format.place import Place
from algorithms.scenario_format.schema import KEYS, field_of

T = TypeVar("T")
Reader = Callable[[Any, Place], Any]
"""Turns a value of the file, at a place, into the value of a field."""


def read_value(value: Any, cls: type[T], place: Place, **readers: Reader) -> T:
    """The value of class `cls` that a table describes. BadInput for unknown or missing keys and for wrong values."""
    return with_fields(cls, read_fields(value, cls, place), place, **readers)


def read_fields(value: Any, cls: type, place: Place) -> dict[str, Any]:
    """The table's keys in the schema's order, each with a value of its type. BadInput as for `read_value`."""
    return read_keys(value, KEYS[cls], place, _required(cls))


def with_fields(cls: type[T], given: Mapping[str, Any], place: Place, **readers: Reader) -> T:
    """A value of class `cls`; `readers` convert the keys of their names. BadInput from any of them."""
    return cls(
        **{
            field_of(key): readers[key](value, place.at(key)) if key in readers else value
            for key, value in given.items()
        }
    )


def each(reader: Reader) -> Reader:
    """A reader of lists that reads each item with `reader`."""
    return lambda values, place: tuple(reader(value, place.at(i)) for i, value in enumerate(values))


def read_keys(value: Any, keys: Mapping[str, Any], place: Place, required: Collection[str] = ()) -> dict[str, Any]:
    """The table's keys in the order of `keys`, each with a value of its type. BadInput as for `read_value`."""
    if not isinstance(value, dict):
        raise place.expected(f"a table with {', '.join(keys)}", value)
    for key, item in value.items():
        if key not in keys:
            raise place.at(key).unknown("key", key, keys)
        if isinstance(item, float) and not isfinite(item):
            raise place.at(key).expected(describe(keys[key]), item)
    for key in required:
        if key not in value:
            raise place.missing(key, describe(keys[key]))
    given = {key: _converted(item, keys[key], place.at(key)) for key, item in value.items()}
    return {key: given[key] for key in keys if key in given}


def check_format(tables: Mapping[str, Any], wanted: int, place: Place) -> None:
    """BadInput unless the tables of a file have the format that this version reads."""
    words = f"{wanted}, the format this version reads"
    if "format" not in tables:
        raise place.at("format").wrong(f"expected {words}, got nothing")
    if tables["format"] != wanted or isinstance(tables["format"], bool):
        raise place.at("format").expected(words, tables["format"])


def read_kind(value: Any, kinds: Mapping[str, type[T]], what: str, place: Place) -> tuple[type[T], dict[str, Any]]:
    """The class named by a table's `kind`, and the rest of the table. BadInput for an unknown kind."""
    if not isinstance(value, dict):
        raise place.expected(f"a table with a kind ({', '.join(kinds)})", value)
    kind = value.get("kind")
    if kind is None:
        raise place.at("kind").wrong(f"expected one of {', '.join(kinds)}, got nothing")
    if not isinstance(kind, str) or kind not in kinds:
        raise place.at("kind").unknown(what, kind, kinds)
    return kinds[kind], {key: v for key, v in value.items() if key != "kind"}


def describe(type_of_key: Any) -> str:
    """The schema's words for a value of that type."""
    return str(type_of_key.__metadata__[0].description)


def _converted(value: Any, type_of_key: Any, place: Place) -> Any:
    try:
        return convert(value, type_of_key)
    except ValidationError:
        raise place.expected(describe(type_of_key), value) from None


@cache
def _required(cls: type) -> tuple[str, ...]:
    """The required keys of a table: the fields without a default."""
    return tuple(f.name for f in fields(cls) if f.default is MISSING and f.default_factory is MISSING)
