"""Checks of the declaration of an algorithm, before the program relies on it.

Each field is checked by itself; the sentence names the field that is wrong and says what was expected.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping
from difflib import get_close_matches
from inspect import signature
from math import isnan
from typing import Any

from algorithms.authoring import own_names
from algorithms.engine.dispatch import handler_name, handler_of, parameters_of
from algorithms.engine.errors import Misuse
from algorithms.engine.observe.promises import RULES_OUT
from algorithms.engine.observe.size import Size, size_of
from algorithms.engine.observe.verdicts import CONVERGENCE, FAIR_LIVENESS
from algorithms.engine.process import Algorithm, Cost, Message, MutexProcess, Parameter, Process, Variant
from algorithms.engine.simulation import Simulation
from algorithms.engine.topology import TOPOLOGIES, edges_of, neighbours

LOOKS = ("ask", "grant", "announce", "token", "deny", "spurious")  # the families of messages
PROMISES = ("ME1", "ME2", "ME3", "E1", "E2")
OF_THE_CHECKER = (FAIR_LIVENESS, CONVERGENCE)  # promises that no single run shows to be kept
POINTERS = ("solid", "dotted")  # how the arrow of a pointer looks
KINDS: dict[type, str] = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text",
    tuple: "a list",
}
"""The types of parameters, and their names."""
_LONGEST_NAME = 100  # characters
_SIZES = (2, 3, 5, 100)  # numbers of nodes for which a formula must have a value


def check_algorithm(algorithm: Any) -> None:
    """Check everything that an algorithm declares. TypeError or ValueError if something is wrong."""
    if not isinstance(algorithm, Algorithm):
        raise TypeError(f"ALGORITHM is {_short(algorithm)}; expected Algorithm(name=…, …)")
    for name, expected, is_valid in _FIELDS:
        value = getattr(algorithm, name)
        if not is_valid(value):
            raise ValueError(f"{name} is {_short(value)}; expected {expected}")
    if algorithm.baseline == algorithm.name:
        raise ValueError(f"baseline is {algorithm.name!r}, the algorithm itself; expected the name of another")
    _check_assumptions(algorithm.assumes)
    _check_process(algorithm.process)
    _check_looks(algorithm.process, algorithm.looks)
    if algorithm.token is not None and algorithm.token not in algorithm.looks:
        raise ValueError(
            f"token is {algorithm.token.__name__}, which has no look; expected one of the messages in looks"
        )
    _check_cost(algorithm.cost, algorithm.process)
    _check_names(algorithm)
    if CONVERGENCE in algorithm.promises and not (algorithm.token or algorithm.privileges):
        raise ValueError(f"{CONVERGENCE} is promised; expected a token, or privileges, a function that counts them")
    for name, variant in algorithm.variants.items():
        check_variant(name, variant)


def check_variant(name: str, variant: Any) -> None:
    """Check everything that a variant declares. TypeError or ValueError if something is wrong."""
    if not isinstance(variant, Variant):
        raise TypeError(f"variant {name!r} is {_short(variant)}; expected Variant(process=…, summary=…, …)")
    for field, expected, is_valid in _FIELDS:
        value = getattr(variant, field, None)
        if value is not None and not is_valid(value):
            raise ValueError(f"{field} of variant {name!r} is {_short(value)}; expected {expected}")
    _check_assumptions(variant.assumes or ())
    _check_process(variant.process)
    _check_looks(variant.process, variant.looks)
    _check_cost(variant.cost, variant.process)


# ---- one field ---------------------------------------------------------------------------------------------


def is_name(word: str) -> bool:
    """Whether an algorithm can have that name."""
    return len(word) <= _LONGEST_NAME and re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", word) is not None


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_pair(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and all(map(_is_text, value))


def _maps_texts(value: Any, among: tuple[str, ...] = ()) -> bool:
    """Whether it is a mapping from texts to texts, `among` these if there are any."""
    return isinstance(value, Mapping) and all(
        _is_text(key) and isinstance(text, str) and (not among or text in among) for key, text in value.items()
    )


def _is_tuple_of(kind: type) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, tuple) and all(isinstance(item, kind) for item in value)


def _is_class(kind: type | tuple[type, ...]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, type) and issubclass(value, kind)


def _is_invariant(value: Any) -> bool:
    """Whether it can be called with the processes, or with them and the messages in transit, and serve as a key."""
    return isinstance(value, Hashable) and any(_takes(value, *arguments) for arguments in (((),), ((), ())))


def _takes(value: Any, *arguments: Any) -> bool:
    try:
        signature(value).bind(*arguments)
    except TypeError:  # also of something that is no function
        return False
    return True


def _or_none(is_valid: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: value is None or is_valid(value)


_FIELDS: tuple[tuple[str, str, Callable[[Any], bool]], ...] = (
    (
        "name",
        'small letters, digits and hyphens, such as "token-ring"',
        lambda value: isinstance(value, str) and is_name(value),
    ),
    ("title", "a text", _is_text),
    ("summary", "a text", _is_text),
    ("source", "a text", _is_text),
    ("process", "a class made from MutexProcess or ElectionProcess", _is_class(Process)),
    ("looks", "{Message: look, …}", lambda value: isinstance(value, Mapping)),
    ("topology", f"one of {', '.join(TOPOLOGIES)}", lambda value: value in tuple(TOPOLOGIES)),
    ("excludes", "all or neighbours", lambda value: value in ("all", "neighbours")),
    ("at_once", "the name of a parameter, or nothing", _or_none(_is_text)),
    ("assumes", "a tuple of texts", _is_tuple_of(str)),
    (
        "promises",
        f"a tuple of {', '.join((*PROMISES, *OF_THE_CHECKER))}",
        lambda value: _is_tuple_of(str)(value) and set(value) <= {*PROMISES, *OF_THE_CHECKER},
    ),
    ("cost", "Cost(formula, low, high), or nothing", _or_none(lambda value: isinstance(value, Cost))),
    ("token", "the class of a message, or nothing", _or_none(_is_class(Message))),
    ("badge", "the name of a variable, or nothing", _or_none(_is_text)),
    ("badge_rest", "the name of a parameter, or nothing", _or_none(_is_text)),
    ("chips", "the name of a variable, or two, or nothing", _or_none(lambda value: _is_text(value) or _is_pair(value))),
    ("pointers", f"{{variable: one of {', '.join(POINTERS)}, …}}", lambda value: _maps_texts(value, POINTERS)),
    ("region", "the name of a variable, or nothing", _or_none(_is_text)),
    ("at_edges", '{variable: the variable with those marked, or ""}', _maps_texts),
    ("identity", "the name of a variable, or nothing", _or_none(_is_text)),
    ("terms", "the name of a field of messages, or nothing", _or_none(_is_text)),
    ("paced_by", "the name of a parameter, or nothing", _or_none(_is_text)),
    ("baseline", "the name of an algorithm, or nothing", _or_none(_is_text)),
    (
        "invariants",
        "{name: function of the processes, or of them and the messages in transit, …}",
        lambda value: isinstance(value, Mapping) and all(map(_is_invariant, value.values())),
    ),
    ("privileges", "a function of the processes, or of them and the messages in transit", _or_none(_is_invariant)),
    ("variants", "{name: Variant(…), …}", lambda value: isinstance(value, Mapping)),
)


# ---- fields that have to agree -----------------------------------------------------------------------------


def _check_assumptions(assumptions: Iterable[str]) -> None:
    """ValueError for an assumption that is nearly one of those that rule faults out."""
    known = {name.casefold(): name for name in RULES_OUT}
    for assumption in assumptions:
        near = get_close_matches(assumption.casefold(), known, n=1, cutoff=0.85)
        if near and assumption != known[near[0]]:
            raise ValueError(f"assumes has {assumption!r}; did you mean {known[near[0]]!r}?")


def _check_process(process: type[Process]) -> None:
    """Check that the process has no __init__, can be asked, and has parameters with valid defaults."""
    if process.demand is Process.demand:
        raise TypeError(f"{process.__name__} can be asked for nothing; expected a MutexProcess or an ElectionProcess")
    if process.__init__ is not object.__init__:
        raise TypeError(f"{process.__name__} has __init__; expected setup, which gives each variable its first value")
    own_names.check_names(process)
    for name, parameter in parameters_of(process).items():
        _check_parameter(name, parameter)


def _check_parameter(name: str, parameter: Parameter) -> None:
    default, low, high = parameter.default, parameter.low, parameter.high
    if isinstance(default, list):
        raise TypeError(f"the default of {name} is the list {_short(default)}; expected the tuple {tuple(default)}")
    if type(default) not in KINDS:
        raise TypeError(f"the default of {name} is {_short(default)}; expected {', '.join(KINDS.values())}")
    too_low, too_high = low is not None and not default >= low, high is not None and not default <= high
    if too_low or too_high:
        raise ValueError(f"the default of {name} is {_short(default)}; expected {_range(low, high)}")
    if not any(parameter.fits(default, nodes) for nodes in range(2, 101)):
        raise ValueError(f"the default of {name} is {_short(default)}, which fits no system of 2 to 100 nodes")


def _check_looks(process: type[Process], looks: Mapping[type[Message], str]) -> None:
    """Check that each message is one, and has a handler and a valid look."""
    for message, look in looks.items():
        _check_message(message)
        handler, name = handler_of(process, message), handler_name(message)
        if not _takes(handler, *[None] * 3):
            found = f"{name}{signature(handler)}"
            raise TypeError(f"{process.__name__} has {found}; expected {name}(self, message, sender)")
        if look not in LOOKS:
            raise ValueError(f"{message.__name__} looks {look!r}; expected one of {', '.join(LOOKS)}")


def _check_message(message: Any) -> None:
    if not _is_class(Message)(message):
        name = getattr(message, "__name__", "")
        expected = f"class {name}(Message)" if name else "a class made from Message"
        raise TypeError(f"looks has {name or _short(message)}, which is no message; expected {expected}")


def _check_names(algorithm: Algorithm) -> None:
    """Check that the variables and parameters to be drawn exist."""
    process = algorithm.process
    drawn = {
        "badge": (algorithm.badge,),
        "chips": algorithm.rows_of_chips(),
        "identity": (algorithm.identity,),
        "pointers": algorithm.pointers,
        "region": (algorithm.region,),
        "at_edges": (*algorithm.at_edges, *algorithm.at_edges.values()),
    }
    for field, names in drawn.items():
        for name in filter(None, names):
            if not hasattr(process, name) and not own_names.assigns(process, name):
                raise ValueError(f"{field} is {_missing(name, 'variable', process, own_names.variables_of(process))}")
    for field in ("badge_rest", "paced_by", "at_once"):
        name, parameters = getattr(algorithm, field), parameters_of(process)
        if name and name not in parameters:
            raise ValueError(f"{field} is {_missing(name, 'parameter', process, parameters)}")


def _missing(name: str, what: str, process: type[Process], existing: Iterable[str]) -> str:
    near = get_close_matches(name, existing, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"expected the name of a {what}, or nothing"
    return f"{name!r}, and {process.__name__} has no such {what}; {hint}"


def _check_cost(cost: Cost | None, process: type[Process]) -> None:
    """Check that its formulas have a value for any number of nodes."""
    if cost is None:
        return
    if not isinstance(cost.formula, str):
        raise TypeError(f"the formula of the cost is {_short(cost.formula)}; expected it as it is printed")
    for bound, formula in (("low", cost.low), ("high", cost.high)):
        if formula and not callable(formula):
            raise TypeError(f"the cost's {bound} is {_short(formula)}; expected lambda n: {_short(formula)}")
    defaults = {name: parameter.default for name, parameter in parameters_of(process).items()}
    for nodes in _SIZES:
        _check_cost_for(Size(neighbours(nodes, edges_of("ring", nodes, 1)), defaults), cost)


def _check_cost_for(nodes: Size, cost: Cost) -> None:
    for bound, formula in (("low", cost.low), ("high", cost.high)):
        value = formula(nodes) if formula else 0.0
        if not isinstance(value, (int, float)) or isnan(value):
            raise Misuse(f"the cost's {bound} is {_short(value)} for {nodes} nodes; expected a number")


def check_answers(run: Simulation) -> None:
    """Check what an algorithm says about a run that is about to begin. Misuse, or an error of its own code."""
    if run.algorithm.cost is not None:
        _check_cost_for(size_of(run.scenario, run.algorithm), run.algorithm.cost)
    for process in run.processes:
        try:
            offered = process.offered() if isinstance(process, MutexProcess) else None
        except ZeroDivisionError:
            continue  # no time between turns
        if offered is not None and (not isinstance(offered, (int, float)) or isnan(offered)):
            raise Misuse(f"offered() of P{process.id} is {_short(offered)}; expected a number, or None")


# ---- words -------------------------------------------------------------------------------------------------


def _short(value: Any) -> str:
    words = value.__name__ if isinstance(value, type) else repr(value)
    return words if len(words) <= 40 else f"{words[:39]}…"


def _range(low: float | None, high: float | None) -> str:
    least, most = f"at least {low}" if low is not None else "", f"at most {high}" if high is not None else ""
    return " and ".join(filter(None, (least, most)))
