"""What an algorithm is examined for: what holds for every algorithm, and what a teacher demands beyond that.

format = 1
title = "Exercise 3: Ricart–Agrawala"
family = "mutex"                        # or "election"
promises = ["ME1", "ME2", "ME3"]        # must hold, whatever the file itself promises; also "fair liveness"
nodes = [2, 3]                          # sizes of the systems of which every interleaving is explored
requests = 2                            # of each process, in the smallest of them, or "any"; one in the others
topology = "complete"                   # the graph that it must run on

[cost]                                  # messages per entry, or per election
low = "2*(N-1)"
high = "2*(N-1)"

[faults]                                # that it must survive, as for mutoscope check
losses = 1
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta

from algorithms import scenario_file
from algorithms.authoring.declaration import OF_THE_CHECKER, PROMISES
from algorithms.engine.topology import TOPOLOGIES
from algorithms.scenario_format.place import Place
from algorithms.scenario_format.schema import AnyTable, Count, Whole, Words
from algorithms.scenario_format.tables import check_format, read_keys

FAMILIES = {"mutex": "mutual exclusion", "election": "election"}
FORMAT = 1
MOST_NODES = 6
MOST_POWER = 64

Sizes = Annotated[tuple[int, ...], Meta(min_length=1, description="a list of numbers of nodes, such as [2, 3]")]
Names = Annotated[tuple[str, ...], Meta(description='a list of properties, such as ["ME1", "ME2"]')]
_KEYS = {
    "format": Whole,
    "title": Words,
    "family": Words,
    "promises": Names,
    "nodes": Sizes,
    "requests": Annotated[Count | Literal["any"], Meta(description='a whole number of at least 0, or "any"')],
    "topology": Words,
    "cost": AnyTable,
    "faults": AnyTable,
}
_COST = {"low": Words, "high": Words}
_FAULTS = dict.fromkeys(("crashes", "losses", "duplicates", "resets"), Count)


@dataclass(frozen=True)
class Demands:
    """The demands on an algorithm; empty ones demand only what holds for every algorithm."""

    title: str = ""
    family: str = ""  # a key of FAMILIES
    promises: tuple[str, ...] = ()
    nodes: tuple[int, ...] = (2, 3)
    requests: int | None = 2  # in the smallest system; None: any number
    topology: str | None = None
    low: str = ""  # formulas in N
    high: str = ""
    faults: dict[str, Any] = field(default_factory=dict)  # fault -> how often it may happen


def read(path: Path) -> Demands:
    """The demands in a file. BadInput, one sentence, if they make no sense."""
    place = Place(path.name)
    given = read_keys(scenario_file.read(path), _KEYS, place, required=["format"])
    check_format(given, FORMAT, place)
    del given["format"]
    _one_of(given, "family", FAMILIES, place)
    _one_of(given, "topology", TOPOLOGIES, place)
    for i, name in enumerate(given.get("promises", ())):
        if name not in (*PROMISES, *OF_THE_CHECKER):
            raise place.at("promises").at(i).unknown("property", name, (*PROMISES, *OF_THE_CHECKER))
    for i, nodes in enumerate(given.get("nodes", ())):
        if not 2 <= nodes <= MOST_NODES:
            raise place.at("nodes").at(i).expected(f"2 to {MOST_NODES} nodes", nodes)
    cost = read_keys(given.pop("cost", {}), _COST, place.at("cost"))
    for bound, text in cost.items():
        _check_formula(text, place.at("cost").at(bound))
    faults = read_keys(given.pop("faults", {}), _FAULTS, place.at("faults"))
    if given.get("requests") == "any":
        given["requests"] = None
    return Demands(**given, **cost, faults=faults)


def _one_of(given: dict[str, Any], key: str, choices: Any, place: Place) -> None:
    if key in given and given[key] not in choices:
        raise place.at(key).unknown(key, given[key], choices)


# ---- formulas ----------------------------------------------------------------------------------------------

_FUNCTIONS: dict[str, Callable[..., float]] = {
    "ceil": math.ceil,
    "floor": math.floor,
    "sqrt": math.sqrt,
    "log2": math.log2,
    "min": min,
    "max": max,
}
_OPERATORS: dict[type, Callable[[float, float], float]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
    ast.Pow: lambda a, b: a ** min(b, MOST_POWER),
}


def formula(text: str) -> Callable[[int], float]:
    """The function of N that a formula like "3*ceil(sqrt(N))" means. ValueError if it is none."""
    try:
        tree = ast.parse(text, mode="eval").body
        value = partial(_value, tree)
        value(2), value(10)
    except (SyntaxError, TypeError, ArithmeticError, RecursionError, KeyError) as error:
        raise ValueError(text) from error
    return value


def _value(tree: ast.expr, n: int) -> float:
    match tree:
        case ast.Constant(int() | float() as number):
            return number
        case ast.Name("N"):
            return n
        case ast.UnaryOp(ast.USub(), inner):
            return -_value(inner, n)
        case ast.BinOp(left, operator, right):
            return _OPERATORS[type(operator)](_value(left, n), _value(right, n))
        case ast.Call(ast.Name(name), arguments, []):
            return _FUNCTIONS[name](*(_value(argument, n) for argument in arguments))
    raise KeyError(type(tree).__name__)


def _check_formula(text: str, place: Place) -> None:
    try:
        formula(text)
    except ValueError:
        wanted = f'a formula in N, such as "2*(N-1)"; it may use {", ".join(_FUNCTIONS)}'
        raise place.expected(wanted, text) from None
