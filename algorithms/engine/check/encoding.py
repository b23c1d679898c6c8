"""How a state of a system is encoded as one whole number.

Each component of the state has a digit in it.

A digit has `DIGIT_BITS` bits, and digit d begins at bit `offset_of(d)`. For a system of n processes:

    digit        component                       number of                                           0 is
    0            faults so far                   their names, in alphabetical order                  none
    1            elections so far                an `ElectionHistory`                                none
    2 + i        process i                       a `LocalState`, `FailedState` or `CrashedState`     crashed
    2 + n + k    k-th channel to come into use   a row of messages                                   empty

A digit does not hold a value but its number: a `Numbering` numbers values in the order in which they first occur. All
processes share one numbering, and so do all channels.

For example, Ricart & Agrawala's algorithm for two processes, after P0 has requested the critical section:

    digit        4                 3            2               1            0
    component    channel P0 → P1   process P1   process P0      elections    faults
    value        (Request,)        idle         waiting         none         none
    number       1                 1            2               0            0

    state = 1 << offset_of(4) | 1 << offset_of(3) | 2 << offset_of(2)
    state >> offset_of(2) & DIGIT_MASK              # 2: the number of P0's state
    state + ((1 - 2) << offset_of(2))               # the same state with P0 idle again

So a step of a process is the same addition in whatever state the others are: it is computed once and used many times.
A state of ten components takes about 60 bytes, and is hashed and compared as one number.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, NamedTuple, TypeVar

State = int
Value = TypeVar("Value", bound=Hashable)

DIGIT_BITS = 20  # about a million values for each component
DIGIT_MASK = (1 << DIGIT_BITS) - 1

_FAULTS_DIGIT, _ELECTIONS_DIGIT, _FIRST_PROCESS_DIGIT = 0, 1, 2


def offset_of(digit: int) -> int:
    """The lowest bit of a digit."""
    return DIGIT_BITS * digit


FAULTS_OFFSET = offset_of(_FAULTS_DIGIT)
ELECTIONS_OFFSET = offset_of(_ELECTIONS_DIGIT)


def process_offset(node: int) -> int:
    """The lowest bit of a process's digit."""
    return offset_of(_FIRST_PROCESS_DIGIT + node)


def channel_offset(nodes: int, index: int) -> int:
    """The lowest bit of a channel's digit; `index` counts channels in use from 0."""
    return process_offset(nodes) + offset_of(index)


class Numbering(Generic[Value]):
    """Numbers for values, in the order in which they first occur."""

    def __init__(self, *values: Value) -> None:
        self._values: list[Value] = []
        self._numbers: dict[Value, int] = {}
        for value in values:
            self.number(value)

    def __getitem__(self, number: int) -> Value:
        return self._values[number]

    def number(self, value: Value) -> int:
        """The number of the value, a new one if necessary. OverflowError if a digit cannot hold it."""
        number = self._numbers.get(value)
        if number is None:
            number = len(self._values)
            if number > DIGIT_MASK:
                raise OverflowError
            self._values.append(value)
            self._numbers[value] = number
        return number


class Removal(NamedTuple):
    """A message that may leave a channel next, and the contents that remain."""

    message: int
    rest: int


class ChannelContents:
    """All rows of messages that occur on channels, in FIFO order or as multisets.

    Messages go by their numbers, and so do rows, which are the contents of a channel; 0 is the empty channel.
    """

    def __init__(self, fifo: bool) -> None:
        self._fifo = fifo
        self._rows: Numbering[tuple[int, ...]] = Numbering(())
        self._longer: dict[tuple[int, int], int] = {}
        self._removals: dict[int, tuple[Removal, ...]] = {}

    def messages(self, contents: int) -> tuple[int, ...]:
        """The messages on the channel, the next one first."""
        return self._rows[contents]

    def with_message(self, contents: int, message: int) -> int:
        """The contents after one more message has been sent."""
        longer = self._longer.get((contents, message))
        if longer is None:
            longer = self._longer[contents, message] = self._number((*self._rows[contents], message))
        return longer

    def removals(self, contents: int) -> tuple[Removal, ...]:
        """The messages that may leave next: the first, or any if channels are not FIFO."""
        removals = self._removals.get(contents)
        if removals is None:
            row = self._rows[contents]
            places = range(min(len(row), 1)) if self._fifo else [row.index(message) for message in dict.fromkeys(row)]
            removals = tuple(Removal(row[i], self._number(row[:i] + row[i + 1 :])) for i in places)
            self._removals[contents] = removals
        return removals

    def with_duplicate(self, removal: Removal) -> int:
        """The contents after a message has been duplicated, the copy right behind it."""
        return self._number((removal.message, removal.message, *self._rows[removal.rest]))

    def _number(self, row: tuple[int, ...]) -> int:
        return self._rows.number(row if self._fifo else tuple(sorted(row)))
