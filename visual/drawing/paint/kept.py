"""A memory for things that are dear to make and cheap to keep."""

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

V = TypeVar("V")

_AT_ONCE = 8  # values


class Kept(dict[Hashable, V], Generic[V]):
    """Values by key. When they weigh more than `budget`, those not used since that happened last are forgotten.

    `kept.get(key) or kept.obtain(key, make)` is the fast way to a value that is probably there.
    """

    def __init__(self, weigh: Callable[[V], int], budget: int) -> None:
        super().__init__()
        self._weigh = weigh
        self._budget = budget
        self._weight = 0
        self._older: dict[Hashable, V] = {}
        self._leaving: list[V] = []  # forgotten, but let go of a few at a time: a thousand surfaces at once are a pause

    def obtain(self, key: Hashable, make: Callable[[], V]) -> V:
        """The value of that key, made now if it is not there."""
        value = self.get(key) or self._older.pop(key, None) or make()
        if key not in self:
            self._keep(key, value)
        return value

    def forget(self, key: Hashable) -> None:
        """The value of that key, which is there, will have to be made again."""
        self._weight -= self._weigh(self.pop(key))

    def _keep(self, key: Hashable, value: V) -> None:
        weight = self._weigh(value)
        del self._leaving[-_AT_ONCE:]
        if self._weight + weight > self._budget:
            self._leaving += self._older.values()
            self._older = dict(self)
            self.clear()
            self._weight = 0
        self[key] = value
        self._weight += weight
