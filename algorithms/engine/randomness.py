"""Random numbers by counting: the k-th number of a stream is a pure function of seed, name and k.

So a stream's whole state is one integer, which makes checkpoints small, and what one stream hands out never
shifts another: an intervention cannot reshuffle the arrivals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from math import log
from typing import TypeVar

Item = TypeVar("Item")

_MASK = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15  # 2^64 / golden ratio: Steele, Lea, Flood, OOPSLA 2014 (SplitMix)


def key(seed: int, *names: str | int) -> int:
    """A 64-bit key for the stream called `names` under `seed`."""
    return int.from_bytes(blake2b(repr((seed, *names)).encode(), digest_size=8).digest(), "big")


def uniform(key: int, count: int) -> float:
    """The `count`-th number of the stream with that key, in [0, 1): SplitMix64's output function."""
    z = (key + count * _GOLDEN) & _MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return ((z ^ (z >> 31)) >> 11) * 1.1102230246251565e-16  # 2^-53


class Stream:
    """A named stream of random numbers; `count` is its whole state."""

    __slots__ = ("count", "key")

    def __init__(self, key: int, count: int = 0) -> None:
        self.key = key
        self.count = count

    def random(self) -> float:
        """A number in [0, 1)."""
        self.count += 1
        return uniform(self.key, self.count)

    def below(self, n: int) -> int:
        """One of 0 … n − 1, each as likely (to within 2^-53)."""
        return int(self.random() * n)

    def choice(self, items: Sequence[Item]) -> Item:
        """One of the items, each as likely."""
        return items[int(self.random() * len(items))]

    def exponential(self, mean: float) -> float:
        """An exponentially distributed number with that mean."""
        return Exponential(mean).draw(self.random())


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
    """Any value from low up to high, each as likely."""

    low: float
    high: float

    def draw(self, u: float) -> float:
        return self.low + (self.high - self.low) * u

    @property
    def mean(self) -> float:
        return (self.low + self.high) / 2


@dataclass(frozen=True)
class Exponential:
    """Without memory: the gaps of a Poisson process. Rounded to 1e-9, so that the last bit of one
    platform's logarithm cannot change a run."""

    mean: float

    def draw(self, u: float) -> float:
        return round(-self.mean * log(1.0 - u), 9)


Distribution = Fixed | Uniform | Exponential
