"""Numbers, and numbers of several things, on the command line: types for argparse."""

from __future__ import annotations

from argparse import ArgumentTypeError


def count(word: str) -> int:
    """A whole number of at least 0."""
    if not _is_count(word):
        raise ArgumentTypeError(f'expected a whole number of at least 0, got "{word[:20]}"')
    return int(word)


def _is_count(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 10


def positive(word: str) -> int:
    """A whole number of at least 1."""
    if not (word.isascii() and word.isdigit() and 0 < int(word[:10]) < 10**9):
        raise ArgumentTypeError(f'expected a whole number of at least 1, got "{word[:20]}"')
    return int(word)


def count_or_list(word: str) -> int | tuple[int, ...] | None:
    """One whole number, or one for each process, or None for any number: "2", "0,1,1", "any"."""
    if word == "any":
        return None
    if not all(map(_is_count, word.split(","))):
        raise ArgumentTypeError(f'expected a whole number, one for each process (0,1,1), or any; got "{word[:20]}"')
    return tuple(map(int, word.split(","))) if "," in word else int(word)


def counts(word: str) -> dict[str, int]:
    """Whole numbers by name: "1" -> {"": 1}, "token=1,Reply=2" -> {"token": 1, "Reply": 2}."""
    pairs = (part.rpartition("=") for part in word.split(","))
    return {name: count(number) for name, _, number in pairs}
