"""The engine's side of a process: connecting it, and finding and running its handlers and rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import lru_cache
from operator import methodcaller
from typing import Any, cast

from algorithms.engine.errors import Misuse
from algorithms.engine.host import Host
from algorithms.engine.part import Part, parts_of
from algorithms.engine.process import Algorithm, Guard, Message, Parameter, Process, Rule, Send

Handler = Callable[[Any, Message, int], None]


def connect(process: Process, host: Host, send: Send, node: int, peers: tuple[int, ...], size: int) -> None:
    """Connect a process and its parts to a host, as process `node` of a system."""
    process._host, process.send, process.id, process.peers, process.size = host, send, node, peers, size
    process._parts = {name: part.inside(process) for name, part in parts_of(type(process)).items()}
    for inner in process._parts.values():
        connect(inner, host, send, node, peers, size)


def reset(process: Process) -> None:
    """Forget a process's state and set it up afresh, its parts first."""
    vars(process).clear()
    for part in process._parts.values():
        reset(part)
    process.begin()
    process.setup()


def parameters_of(process: type[Process]) -> dict[str, Parameter]:
    """The parameters of a process class and its parts, parts and base classes first."""
    return _parameters_of(process)  # type: ignore[arg-type]  # mypy: a class whose instances may be unhashable


@lru_cache(maxsize=64)  # every picture of a run asks for its class's
def _parameters_of(process: Any) -> dict[str, Parameter]:
    inner = (parameters_of(part.process) for part in parts_of(process).values())
    own = ({n: v for n, v in vars(cls).items() if isinstance(v, Parameter)} for cls in reversed(process.__mro__))
    return {name: parameter for declared in (*inner, *own) for name, parameter in declared.items()}


def with_parameters(process: type[Process], chosen: Mapping[str, Any]) -> type[Process]:
    """A subclass with these parameters set, the others at their defaults. KeyError for an unknown name."""
    declared = parameters_of(process)
    for name in chosen:
        if name not in declared:
            raise KeyError(name)
    if not declared:
        return process
    values = {name: chosen.get(name, parameter.default) for name, parameter in declared.items()}
    parts = {
        name: Part(with_parameters(part.process, {n: values[n] for n in parameters_of(part.process)}))
        for name, part in parts_of(process).items()
    }
    return type(process.__name__, (process,), {"__module__": process.__module__, **values, **parts})


def set_parameter(process: type[Process], name: str, value: Any) -> None:
    """Change a parameter of a class made by `with_parameters`, and of its parts."""
    setattr(process, name, value)
    for part in parts_of(process).values():
        if name in parameters_of(part.process):
            set_parameter(part.process, name, value)


def rules_of(process: type[Process]) -> tuple[tuple[Guard, Rule], ...]:
    """The @when rules as pairs (guard, rule), parts and base classes first.

    They are in the order of the file. A rule overridden by a subclass keeps its place, and counts once, as overridden.
    """
    inner = [
        (_in_part(name, guard), _in_part(name, rule))
        for name, part in parts_of(process).items()
        for guard, rule in rules_of(part.process)
    ]
    names = dict.fromkeys(name for base in reversed(process.__mro__) for name in vars(base))
    methods = (getattr(process, name) for name in names)
    return (*inner, *((method.guard, method) for method in methods if hasattr(method, "guard")))


def handler_of(process: type[Process], message: type[Message]) -> Handler:
    """The method that handles a class of messages: the process's own, or that of one of its parts.

    TypeError if there is none.
    """
    name = handler_name(message)
    if hasattr(process, name):
        return cast(Handler, getattr(process, name))
    for part_name, part in parts_of(process).items():
        if hasattr(part.process, name):
            return cast(Handler, _in_part(part_name, getattr(part.process, name)))
    near = get_close_matches(name, [own for own in dir(process) if own.startswith("on_")], n=1)
    hint = f", but {near[0]}; did you mean {name}?" if near else ""
    raise TypeError(f"{process.__name__} has no {name}{hint}")


def messages_of(algorithm: Algorithm, look: str) -> set[type[Message]]:
    """The messages with a look that the processes handle themselves, not in a part."""
    return {m for m, own in algorithm.looks.items() if own == look and hasattr(algorithm.process, handler_name(m))}


def handler_name(message: type[Message]) -> str:
    """`NewLeader` -> "on_new_leader"."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", message.__name__)
    return f"on_{words.lower()}"


def _in_part(name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    """The method of a part as a function of its owner."""
    return lambda owner, *arguments: method(owner._parts[name], *arguments)


_RULES_LIMIT = 10_000  # firings in one step beyond which the rules are taken never to settle


class Handlers(dict[type[Message], Handler]):
    """Message class -> the handler in a process class; cached."""

    def __init__(self, process: type[Process]) -> None:
        super().__init__()
        self.process = process

    def __missing__(self, message: type[Message]) -> Handler:
        self[message] = handler = handler_of(self.process, message)
        return handler


class Bells(dict[str, Rule]):
    """Timer name -> the function to call with a process when the timer expires; cached."""

    def __init__(self, process: type[Process]) -> None:
        super().__init__()
        self.process = process

    def __missing__(self, timer: str) -> Rule:
        self[timer] = bell = getattr(self.process, f"on_{timer}", None) or methodcaller("run_out", timer)
        return bell


def settle(process: Process, rules: tuple[tuple[Guard, Rule], ...]) -> None:
    """Run the rules whose guards are true, in order, until none is."""
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
