"""What a process does with a message, and when its rules run: the same in a run and in the checker."""

from __future__ import annotations

from operator import methodcaller

from algorithms.engine.dispatch import handler_of
from algorithms.engine.errors import Misuse
from algorithms.engine.process import Guard, Handler, Message, Process, Rule

_RULES_LIMIT = 10_000  # more firings than this in one step: the rules never settle


class Handlers(dict[type[Message], Handler]):
    """Message class -> the method of a process class that handles it, looked up once."""

    def __init__(self, process: type[Process]) -> None:
        super().__init__()
        self.process = process

    def __missing__(self, message: type[Message]) -> Handler:
        self[message] = handler = handler_of(self.process, message)
        return handler


class Bells(dict[str, Rule]):
    """Name of a timer -> what to call with a process of that class when it runs out, looked up once."""

    def __init__(self, process: type[Process]) -> None:
        super().__init__()
        self.process = process

    def __missing__(self, timer: str) -> Rule:
        self[timer] = bell = getattr(self.process, f"on_{timer}", None) or methodcaller("run_out", timer)
        return bell


def settle(process: Process, rules: tuple[tuple[Guard, Rule], ...]) -> None:
    """Run the rules whose guards are true, in the order of the file, until none is."""
    firings = 0
    settled = False
    while not settled:
        settled = True
        for guard, rule in rules:
            if guard(process):
                rule(process)
                settled = False
                firings += 1
                break
        if firings > _RULES_LIMIT:
            raise Misuse(f"the rules of P{process.id} never settle: one of their guards is true whenever they have run")
