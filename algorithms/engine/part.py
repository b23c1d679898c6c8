"""Processes inside processes: a mutual exclusion algorithm that contains an election, say."""

from __future__ import annotations

from functools import lru_cache
from typing import Any


class Part:
    """A process inside another: `election = Part(Bully)` in a class body, then `self.election.start()`.

    The part has its owner's number and sends in its owner's name; its messages, timers and rules reach its own
    methods, unless the owner has a handler for the message itself. What it assigns to `self` is stored in the
    owner's state, as "election.leader" and so on, so that the owner's state stays flat and complete.
    The owner calls the part's launch() and recovered() where needed. A part has no parts.
    """

    def __init__(self, process: type[Any]) -> None:
        self.process = process
        slots = (name for cls in process.__mro__ for name in vars(cls).get("__slots__", ()))
        self._class: type[Any] = type(
            process.__name__,
            (_Inside, process),
            {"__slots__": _OWN_SLOTS, "_lent": frozenset({*slots, *_OWN_SLOTS}), "__module__": process.__module__},
        )

    def __set_name__(self, owner: type[Any], name: str) -> None:
        self.name = name

    def __get__(self, owner: Any, cls: type[Any]) -> Any:
        return self if owner is None else owner._parts[self.name]

    def inside(self, owner: Any) -> Any:
        """The part of one process, a new one, not yet connected to a host."""
        part = self._class()
        part.owner, part.prefix = owner, f"{self.name}."
        return part


_OWN_SLOTS = ("owner", "prefix")


class _Inside:
    """Stores a part's variables and timers with its owner, prefixed by its name."""

    owner: Any  # the process that contains this one
    prefix: str
    _lent: frozenset[str]  # attributes of the part itself, not of the owner's state

    def __getattr__(self, name: str) -> Any:
        if name in self._lent or (key := self.prefix + name) not in vars(self.owner):
            raise AttributeError(f"{type(self).__name__} has no {name!r}")
        return vars(self.owner)[key]

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self._lent:
            object.__setattr__(self, name, value)
        else:
            vars(self.owner)[self.prefix + name] = value

    def set_timer(self, name: str, after: float) -> None:
        self.owner.set_timer(self.prefix + name, after)

    def cancel_timer(self, name: str) -> None:
        self.owner.cancel_timer(self.prefix + name)


def parts_of(process: type[Any]) -> dict[str, Part]:
    """The parts that a process class contains, by name, base classes first."""
    return _parts_of(process)  # type: ignore[arg-type]  # mypy: a class whose instances may be unhashable


@lru_cache(maxsize=64)  # every process of a run asks for its class's
def _parts_of(process: Any) -> dict[str, Part]:
    return {name: own for cls in reversed(process.__mro__) for name, own in vars(cls).items() if isinstance(own, Part)}
