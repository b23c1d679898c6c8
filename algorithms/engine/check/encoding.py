"""A state of a system as one whole number, in which each component has digits of its own.

The digits of a component hold the number of its value: values are numbered as they are first met. So a state of
ten components takes about 60 bytes, and changing one of them is adding a difference.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, NamedTuple, TypeVar

State = int
Value = TypeVar("Value", bound=Hashable)

BITS = 20  # of each component: about a million values
MASK = (1 << BITS) - 1


class Numbering(Generic[Value]):
    """Values and their numbers, in the order in which they are first met; those given come first."""

    def __init__(self, *values: Value) -> None:
        self._values: list[Value] = []
        self._numbers: dict[Value, int] = {}
        for value in values:
            self.number(value)

    def __getitem__(self, number: int) -> Value:
        return self._values[number]

    def number(self, value: Value) -> int:
        """The number of the value, a new one if need be. OverflowError if it does not fit into the digits."""
        number = self._numbers.get(value)
        if number is None:
            number = len(self._values)
            if number > MASK:
                raise OverflowError
            self._values.append(value)
            self._numbers[value] = number
        return number


class Taken(NamedTuple):
    """A letter that may arrive next on a channel, and what stays there behind it."""

    letter: int
    rest: int


class Contents:
    """What can be on a channel: a row of letters (all by their numbers) that keep their order, or do not.

    Contents are known by their number as well; 0 is the empty channel.
    """

    def __init__(self, fifo: bool) -> None:
        self._fifo = fifo
        self._rows: Numbering[tuple[int, ...]] = Numbering(())
        self._longer: dict[tuple[int, int], int] = {}
        self._next: dict[int, tuple[Taken, ...]] = {}

    def letters(self, contents: int) -> tuple[int, ...]:
        """The letters on the channel, the foremost first."""
        return self._rows[contents]

    def with_letter(self, contents: int, letter: int) -> int:
        """The contents when one more letter has been sent."""
        longer = self._longer.get((contents, letter))
        if longer is None:
            longer = self._longer[contents, letter] = self._number((*self._rows[contents], letter))
        return longer

    def next_ones(self, contents: int) -> tuple[Taken, ...]:
        """The letters that may be the next to arrive (or to be lost): the foremost, or without order any."""
        found = self._next.get(contents)
        if found is None:
            row = self._rows[contents]
            places = range(min(len(row), 1)) if self._fifo else [row.index(letter) for letter in dict.fromkeys(row)]
            found = tuple(Taken(row[i], self._number(row[:i] + row[i + 1 :])) for i in places)
            self._next[contents] = found
        return found

    def doubled(self, taken: Taken) -> int:
        """The contents when one of `next_ones` has got a copy right behind it."""
        return self._number((taken.letter, taken.letter, *self._rows[taken.rest]))

    def _number(self, row: tuple[int, ...]) -> int:
        return self._rows.number(row if self._fifo else tuple(sorted(row)))
