"""Term rewriting: states are terms, rules have a left side, a condition and a right side, and say their number.

A rule is written as it is printed (Memo 440, section 2). `Q | (x, d)` is the bag Q with one more element, the pair
(x, d); a variable matches anything, and the same thing wherever it stands; `_` matches anything and, where it stands on
both sides, is left as it is.

    Rule("2", (Q | (x, d), H), (Q | (x, phi(x)), H + d))
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

Term = Any  # a node, a symbol, a tuple of terms, a History or a Bag
State = tuple[Term, ...]
Bindings = dict[str, Term]


_order = lru_cache(maxsize=1 << 16)(repr)  # any fixed order of terms will do, as long as it is always the same


class Bag(tuple[Term, ...]):
    """A multiset of terms; equal bags are equal values whatever the order they were filled in."""

    __slots__ = ()

    def __new__(cls, terms: Iterable[Term] = ()) -> Bag:
        return super().__new__(cls, sorted(terms, key=_order))

    def plus(self, term: Term) -> Bag:
        """The bag with one such term more."""
        place = bisect(self, _order(term), key=_order)
        return super().__new__(Bag, (*self[:place], term, *self[place:]))

    def without(self, term: Term) -> Bag:
        """The bag with one such term fewer; the bag itself if there is none."""
        if term not in self:
            return self
        place = self.index(term)
        return super().__new__(Bag, self[:place] + self[place + 1 :])


class Data(tuple[Term, ...]):
    """What a node has to send, d_x: a sequence of data, or φ_x, nothing. φ_x is the left identity of ⊕, written +."""

    __slots__ = ()

    def __add__(self, other: tuple[Term, ...]) -> Data:
        return Data(other) if self.is_phi() else Data((*self, *other))

    def is_phi(self) -> bool:
        """Whether this is some φ_x."""
        return len(self) == 1 and self[0][0] == PHI


class History(tuple[Term, ...]):
    """An ordered sequence of events; ⊕ is written +, and H ⊕ φ_x ≠ H: φ is an identity on the left only, and of data.

    (Were it one of histories too, a history of one mark would be forgotten by the next append.)
    """

    __slots__ = ()

    def __add__(self, other: tuple[Term, ...]) -> History:
        return History((*self, *other))

    def is_prefix_of(self, other: History) -> bool:
        """The relation ⊂ of Figure 1."""
        return self == other[: len(self)]

    def circulation(self) -> History:
        """The history projected on 𝒞, the events of the token's circulation: the marks φ_x alone."""
        return History(event for event in self if event[0] == PHI)


PHI = "φ"


def phi_of(node: int) -> Data:
    """φ_x: node x has nothing to send; appended to a history, the mark that the token has come by."""
    return Data(((PHI, node),))


# ---- patterns ----------------------------------------------------------------------------------------------


class Pattern:
    """What stands in a rule in place of a term."""

    def __or__(self, item: Term) -> Filled:
        return Filled(self, (item,))

    def __add__(self, other: Term) -> Call:
        return Call("⊕", lambda world, left, right: left + right, (self, other))


@dataclass(frozen=True)
class Variable(Pattern):
    """Matches anything, and the same thing wherever it stands."""

    name: str


@dataclass(frozen=True)
class Anything(Pattern):
    """The wild card `_`."""


@dataclass(frozen=True)
class Filled(Pattern):
    """A bag with some of its elements taken out: `Q | (x, d)`."""

    rest: Pattern
    items: tuple[Term, ...]

    def __or__(self, item: Term) -> Filled:
        return Filled(self.rest, (*self.items, item))


@dataclass(frozen=True)
class Call(Pattern):
    """On a right side: a function of the world and of terms."""

    name: str
    function: Callable[..., Term]
    arguments: tuple[Term, ...]


class World(NamedTuple):
    """What a rule may look at beside the variables it has bound."""

    nodes: int
    requests: int  # how many data each node sends in all: what keeps an exploration finite
    state: State


def function(name: str) -> Callable[[Callable[..., Term]], Callable[..., Call]]:
    """Make `f(world, *terms)` usable on right sides as `f(*patterns)`, printed as `name`."""

    def wrap(f: Callable[..., Term]) -> Callable[..., Call]:
        return lambda *arguments: Call(name, f, arguments)

    return wrap


def variables(names: str) -> list[Variable]:
    """One variable for each of the names."""
    return [Variable(name) for name in names.split()]


_ = Anything()


@function("φ")
def phi(world: World, node: int) -> Term:
    return phi_of(node)


@function("new")
def new(world: World, node: int) -> Term:
    """The next datum of a node, (node, number)."""
    return Data(((node, issued(world.state, node) + 1),))


@function("+1")
def successor(world: World, node: int) -> int:
    return (node + 1) % world.nodes


@lru_cache(maxsize=1 << 16)
def issued(term: Term, node: int) -> int:
    """How many data of a node there have been: the highest number in a state or part of one."""
    if isinstance(term, History | Data):
        return max((number for who, number in term if who == node), default=0)
    return max((issued(part, node) for part in term), default=0) if isinstance(term, tuple) else 0


def node_in(term: Term) -> int:
    """The node that a term means: itself, or with a hat on it, ("^", node)."""
    return node_in(term[-1]) if isinstance(term, tuple) else int(term)


# ---- rules -------------------------------------------------------------------------------------------------

Condition = Callable[..., bool]


@dataclass(frozen=True)
class Rule:
    """left → right (if condition), carrying the number it is printed under.

    The condition gets the world and, by name, the variables that it asks for. `any_node` is a variable of the right
    side that may be any node. Where the printed rule cannot be meant, `printed` is that rule and `why` says so.
    """

    number: str
    left: tuple[Term, ...]
    right: tuple[Term, ...]
    condition: Condition | None = None
    any_node: Variable | None = None
    printed: Rule | None = None
    why: str = ""
    words: str = ""  # what it does, in a sentence with its variables in braces

    @cached_property
    def _places(self) -> tuple[int, ...]:
        """The components to be matched, bags last: by then little is open, and a rule that does not apply is out."""
        wanted = [place for place, pattern in enumerate(self.left) if not isinstance(pattern, Anything)]
        return tuple(sorted(wanted, key=lambda place: isinstance(self.left[place], Filled)))

    @cached_property
    def _bindings(self) -> Callable[[tuple[Term, ...]], list[Bindings]]:
        """All bindings under which the left side matches these components: many states have them in common."""
        patterns = tuple(self.left[place] for place in self._places)
        return lru_cache(maxsize=1 << 14)(lambda terms: list(_match_all(patterns, terms, {})))

    @cached_property
    def _asks_for(self) -> tuple[str, ...]:
        """The variables that the condition has parameters for."""
        return self.condition.__code__.co_varnames[1 : self.condition.__code__.co_argcount] if self.condition else ()

    def matches(self, world: World) -> Iterator[Bindings]:
        """All ways in which the rule applies to the state, as bindings of its variables."""
        state, condition = world.state, self.condition
        for bound in self._bindings(tuple(state[place] for place in self._places)):
            choices = range(world.nodes) if self.any_node else (None,)
            for chosen in choices:
                found = {**bound, self.any_node.name: chosen} if self.any_node else bound
                if condition is None or condition(world, **{name: found[name] for name in self._asks_for}):
                    yield found

    def matched(self, state: State, bound: Bindings) -> Iterator[tuple[int, Term]]:
        """What the left side matches under these bindings: (component, the element of that bag, or all of it)."""
        for place, (pattern, term) in enumerate(zip(self.left, state, strict=True)):
            if isinstance(pattern, Filled):
                for item in pattern.items:
                    yield place, next(element for element in term if any(_match(item, element, bound)))
            elif not isinstance(pattern, Anything) and not isinstance(term, Bag):
                yield place, term

    def apply(self, world: World, bound: Bindings) -> State:
        """The state after the rule has been applied in that way."""
        return tuple(
            old if isinstance(new_term, Anything) else _build(new_term, bound, world)
            for old, new_term in zip(world.state, self.right, strict=True)
        )


@dataclass(frozen=True)
class Application:
    """One way to apply a rule, and the state that it leads to."""

    rule: Rule
    bound: tuple[tuple[str, Term], ...]
    after: State

    @property
    def node(self) -> int:
        """The node at which the rule was applied: x, or y in a rule without x."""
        bound = dict(self.bound)
        return node_in(bound["x"] if "x" in bound else bound["y"])


@dataclass(frozen=True, eq=False, repr=False)
class System:
    """A term rewriting system: named components, the initial state for n nodes, and rules."""

    name: str
    title: str
    source: str
    components: tuple[str, ...]
    initial: Callable[[int], State]
    rules: tuple[Rule, ...]
    histories: Callable[[State], Iterable[History]]  # all histories of a state
    tokens: Callable[[State], int] | None = None  # how many tokens there are; None where there is none by design
    variants: Mapping[str, tuple[Rule, ...]] = field(default_factory=dict)  # rules that replace those of their numbers

    def __repr__(self) -> str:
        return f"<{self.name}>"

    def rule(self, number: str) -> Rule:
        """The rule with that number."""
        return next(rule for rule in self.rules if rule.number == number)

    def successors(self, state: State, nodes: int, requests: int) -> Iterator[Application]:
        """Every application of every rule, in the order of the rules; equal ones once."""
        world = World(nodes, requests, state)
        for rule in self.rules:
            seen = set()
            for bound in rule.matches(world):
                after = rule.apply(world, bound)
                if after not in seen:
                    seen.add(after)
                    yield Application(rule, tuple(sorted(bound.items(), key=lambda b: b[0])), after)

    def as_printed(self, *numbers: str) -> System:
        """The system with the repaired rules of these numbers, or all of them, as they are printed."""
        rules = tuple(
            replace(rule.printed, words=rule.words)
            if rule.printed and (not numbers or rule.number in numbers)
            else rule
            for rule in self.rules
        )
        return replace(self, name=f"{self.name} as printed", rules=rules)

    def with_rules(self, *more: Rule) -> System:
        """The system with further rules."""
        return replace(self, rules=(*self.rules, *more))

    def variant(self, name: str) -> System:
        """The system with the rules of a named variant in the place of its own. KeyError if unknown."""
        others = {rule.number.rstrip("′"): rule for rule in self.variants[name]}
        rules = tuple(others.pop(rule.number, rule) for rule in self.rules)
        return replace(self, name=f"{self.name} {name}", rules=(*rules, *others.values()))

    def prefix_property(self, state: State) -> bool:
        """Definition 2, on the longest history as the global one: every history is a prefix of it."""
        histories = list(self.histories(state))
        longest = max(histories, key=len)
        return all(history.is_prefix_of(longest) for history in histories)


# ---- matching ----------------------------------------------------------------------------------------------


def _match_all(patterns: tuple[Term, ...], terms: tuple[Term, ...], bound: Bindings) -> Iterator[Bindings]:
    """Bindings under which each pattern matches the term in its place."""
    if not patterns:
        yield bound
        return
    for found in _match(patterns[0], terms[0], bound):
        yield from _match_all(patterns[1:], terms[1:], found)


def _match(pattern: Term, term: Term, bound: Bindings) -> Iterator[Bindings]:
    if isinstance(pattern, Anything):
        yield bound
    elif isinstance(pattern, Variable):
        if pattern.name not in bound:
            yield {**bound, pattern.name: term}
        elif bound[pattern.name] == term:
            yield bound
    elif isinstance(pattern, Filled):
        yield from _match_items(pattern.items, pattern.rest, term, bound)
    elif type(pattern) is tuple:
        if type(term) is tuple and len(term) == len(pattern):
            yield from _match_all(pattern, term, bound)
    elif pattern == term:
        yield bound


def _match_items(items: tuple[Term, ...], rest: Pattern, bag: Bag, bound: Bindings) -> Iterator[Bindings]:
    """Take an element out of the bag for each item; `rest` is what is left."""
    if not items:
        yield from _match(rest, bag, bound)
        return
    for element in dict.fromkeys(bag):
        for found in _match(items[0], element, bound):
            yield from _match_items(items[1:], rest, bag.without(element), found)


def _build(term: Term, bound: Bindings, world: World) -> Term:
    if isinstance(term, Variable):
        return bound[term.name]
    if isinstance(term, Call):
        return term.function(world, *(_build(argument, bound, world) for argument in term.arguments))
    if isinstance(term, Filled):
        bag = _build(term.rest, bound, world)
        for item in term.items:
            bag = bag.plus(_build(item, bound, world))
        return bag
    if type(term) is tuple:
        return tuple(_build(part, bound, world) for part in term)
    return term
