"""Random numbers by counting: the k-th number of a stream is a pure function of seed, name and k.

A stream's whole state is one integer, which keeps checkpoints small. Streams never affect each other: an intervention
cannot reshuffle the arrivals.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b, shake_128
from math import inf, log
from struct import unpack
from typing import TypeVar

from algorithms.engine.errors import Misuse

Item = TypeVar("Item")

_UNIT = 2.0**-53
_MASK = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15  # 2^64 / golden ratio: Steele, Lea, Flood, OOPSLA 2014 (SplitMix)


def key(seed: int, *names: str | int) -> int:
    """A 64-bit stream key for the stream called `names` under `seed`."""
    return int.from_bytes(blake2b(repr((seed, *names)).encode(), digest_size=8).digest(), "big")


def uniform(key: int, count: int) -> float:
    """The `count`-th number of the stream with that key, in [0, 1): SplitMix64's output function."""
    z = (key + count * _GOLDEN) & _MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return ((z ^ (z >> 31)) >> 11) * _UNIT


class Stream:
    """A named stream of random numbers; `count`, the number drawn so far, is its whole state.

    Numbers come from SHAKE-128 (FIPS 202) of the stream key, in blocks of 64: four times as fast as mixing each
    number in Python.
    """

    __slots__ = ("_block", "_numbers", "count", "key")

    def __init__(self, key: int, count: int = 0) -> None:
        self.key = key
        self.count = count
        self._block = -1  # number of the block in `_numbers`
        self._numbers: list[float] = []

    def random(self) -> float:
        """A number in [0, 1)."""
        count = self.count
        self.count = count + 1
        if count >> 6 != self._block:
            self._read(count >> 6)
        return self._numbers[count & 63]

    def below(self, n: int) -> int:
        """One of 0 … n − 1, with equal probability (to within 2^-53)."""
        return int(self.random() * n)

    def choice(self, items: Sequence[Item]) -> Item:
        """One of the items, with equal probability. Misuse if there is none."""
        if not items:
            raise Misuse("it draws one of none")
        return items[int(self.random() * len(items))]

    def exponential(self, mean: float) -> float:
        """An exponentially distributed number with that mean."""
        return exponential(mean, self.random())

    def _read(self, block: int) -> None:
        digest = shake_128(self.key.to_bytes(8, "big") + block.to_bytes(8, "big")).digest(64 * 8)
        self._block = block
        self._numbers = [(bits >> 11) * _UNIT for bits in unpack("<64Q", digest)]


class Prescribed(Stream):
    """Yields prescribed numbers, and then those of another stream."""

    def __init__(self, numbers: Iterable[float], then: Stream) -> None:
        super().__init__(then.key)
        self._rest = iter(numbers)
        self._then = then

    def random(self) -> float:
        number = next(self._rest, None)
        return self._then.random() if number is None else number


def exponential(mean: float, u: float) -> float:
    """The exponentially distributed number for a uniform number `u` in [0, 1).

    Rounded to 1e-9, so that the last bit of one platform's logarithm cannot change a run.
    """
    scaled = -mean * log(1.0 - u) * 1e9
    return int(scaled + 0.5) / 1e9 if scaled < 1e300 else inf  # beyond any integer: as good as never


@dataclass(frozen=True)
class Fixed:
    """Always the same value."""

    value: float

    def draw(self, u: float) -> float:
        return self.value

    @property
    def mean(self) -> float:
        return self.value


@dataclass(frozen=True)
class Uniform:
    """Uniformly distributed from low up to high."""

    low: float
    high: float

    def draw(self, u: float) -> float:
        return self.low + (self.high - self.low) * u

    @property
    def mean(self) -> float:
        return (self.low + self.high) / 2


@dataclass(frozen=True)
class Exponential:
    """Exponentially distributed, as the gaps of a Poisson process."""

    mean: float

    def draw(self, u: float) -> float:
        return exponential(self.mean, u)


Distribution = Fixed | Uniform | Exponential
