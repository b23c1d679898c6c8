"""Term rewriting: states are terms, which rules transform.

A rule is written as it is printed (Memo 440, section 2). `Q | (x, d)` is the bag Q with one more element, the pair
(x, d). A variable matches any term, and the same term wherever it occurs. `_` matches any term, and on both sides of a
rule it leaves the term unchanged.

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


_order = lru_cache(maxsize=1 << 16)(repr)  # an arbitrary but fixed order of terms


class Bag(tuple[Term, ...]):
    """A multiset of terms; equal bags are equal values, in whatever order they were filled."""

    __slots__ = ()

    def __new__(cls, terms: Iterable[Term] = ()) -> Bag:
        return super().__new__(cls, sorted(terms, key=_order))

    def plus(self, term: Term) -> Bag:
        """The bag with this term added once."""
        place = bisect(self, _order(term), key=_order)
        return super().__new__(Bag, (*self[:place], term, *self[place:]))

    def without(self, term: Term) -> Bag:
        """The bag with this term removed once; the bag itself if it does not contain the term."""
        if term not in self:
            return self
        place = self.index(term)
        return super().__new__(Bag, self[:place] + self[place + 1 :])


class Data(tuple[Term, ...]):
    """The data that a node has to send, d_x, or φ_x for nothing.

    ⊕ is written +, and φ_x is its left identity.
    """

    __slots__ = ()

    def __add__(self, other: tuple[Term, ...]) -> Data:
        return Data(other) if self.is_phi() else Data((*self, *other))

    def is_phi(self) -> bool:
        """Whether this is some φ_x."""
        return len(self) == 1 and self[0][0] == PHI


class History(tuple[Term, ...]):
    """An ordered sequence of events, with ⊕ written +.

    H ⊕ φ_x ≠ H: φ is an identity on the left only, and of data only. As an identity of histories it would let the next
    append erase a history of one mark.
    """

    __slots__ = ()

    def __add__(self, other: tuple[Term, ...]) -> History:
        return History((*self, *other))

    def is_prefix_of(self, other: History) -> bool:
        """The relation ⊂ of Figure 1."""
        return self == other[: len(self)]

    def circulation(self) -> History:
        """The projection of the history on 𝒞, the events of the token's circulation: the marks φ_x."""
        return History(event for event in self if event[0] == PHI)


PHI = "φ"


def phi_of(node: int) -> Data:
    """φ_x: node x has nothing to send; in a history, the token has visited x."""
    return Data(((PHI, node),))


# ---- patterns ----------------------------------------------------------------------------------------------


class TermPattern:
    """A part of a rule that matches terms, or builds them."""

    def __or__(self, item: Term) -> Filled:
        return Filled(self, (item,))

    def __add__(self, other: Term) -> Call:
        return Call("⊕", lambda world, left, right: left + right, (self, other))


@dataclass(frozen=True)
class Variable(TermPattern):
    """Matches any term, and the same term wherever it occurs."""

    name: str


@dataclass(frozen=True)
class Anything(TermPattern):
    """The wildcard `_`."""


@dataclass(frozen=True)
class Filled(TermPattern):
    """A bag as some elements and the rest: `Q | (x, d)`."""

    rest: TermPattern
    items: tuple[Term, ...]

    def __or__(self, item: Term) -> Filled:
        return Filled(self.rest, (*self.items, item))


@dataclass(frozen=True)
class Call(TermPattern):
    """A function of the world and of terms, on a right side."""

    name: str
    function: Callable[..., Term]
    arguments: tuple[Term, ...]


class World(NamedTuple):
    """The facts that a rule may read besides its variables."""

    nodes: int
    requests: int  # data that each node sends in total, to keep an exploration finite
    state: State


def function(name: str) -> Callable[[Callable[..., Term]], Callable[..., Call]]:
    """Make `f(world, *terms)` usable on right sides as `f(*patterns)`, printed as `name`."""

    def wrap(f: Callable[..., Term]) -> Callable[..., Call]:
        return lambda *arguments: Call(name, f, arguments)

    return wrap


def variables(names: str) -> list[Variable]:
    """A variable for each name."""
    return [Variable(name) for name in names.split()]


_ = Anything()


@function("φ")
def phi(world: World, node: int) -> Term:
    return phi_of(node)


@function("new")
def new(world: World, node: int) -> Term:
    """The next datum of a node: (node, number)."""
    return Data(((node, highest_datum(world.state, node) + 1),))


@function("+1")
def successor(world: World, node: int) -> int:
    return (node + 1) % world.nodes


@lru_cache(maxsize=1 << 16)
def highest_datum(term: Term, node: int) -> int:
    """The highest number of a node's data in a term; 0 if there is none."""
    if isinstance(term, History | Data):
        return max((number for who, number in term if who == node), default=0)
    return max((highest_datum(part, node) for part in term), default=0) if isinstance(term, tuple) else 0


def node_in(term: Term) -> int:
    """The node that a term denotes: the node itself, or one with a hat, ("^", node)."""
    return node_in(term[-1]) if isinstance(term, tuple) else int(term)


# ---- rules -------------------------------------------------------------------------------------------------

Condition = Callable[..., bool]


@dataclass(frozen=True)
class Rule:
    """A rule left → right (if condition), with the number under which it is printed.

    The condition receives the world and, by name, the variables that it has parameters for. `any_node` is a variable of
    the right side that may be any node. For a repaired rule, `printed` is the rule as printed and `why` the reason.
    """

    number: str
    left: tuple[Term, ...]
    right: tuple[Term, ...]
    condition: Condition | None = None
    any_node: Variable | None = None
    printed: Rule | None = None
    why: str = ""
    words: str = ""  # its effect in a sentence, with its variables in braces

    @cached_property
    def _places(self) -> tuple[int, ...]:
        """The components to match, bags last.

        Bags have many matches, and by then most variables are bound.
        """
        places = [place for place, pattern in enumerate(self.left) if not isinstance(pattern, Anything)]
        return tuple(sorted(places, key=lambda place: isinstance(self.left[place], Filled)))

    @cached_property
    def _bindings(self) -> Callable[[tuple[Term, ...]], list[Bindings]]:
        """All bindings under which the left side matches, cached for states that share components."""
        patterns = tuple(self.left[place] for place in self._places)
        return lru_cache(maxsize=1 << 14)(lambda terms: list(_match_all(patterns, terms, {})))

    @cached_property
    def _condition_names(self) -> tuple[str, ...]:
        """The variables that are parameters of the condition."""
        return self.condition.__code__.co_varnames[1 : self.condition.__code__.co_argcount] if self.condition else ()

    def matches(self, world: World) -> Iterator[Bindings]:
        """All applications of the rule to the state, as bindings of its variables."""
        state, condition = world.state, self.condition
        for matched in self._bindings(tuple(state[place] for place in self._places)):
            for node in range(world.nodes) if self.any_node else (None,):
                bindings = {**matched, self.any_node.name: node} if self.any_node else matched
                if condition is None or condition(world, **{name: bindings[name] for name in self._condition_names}):
                    yield bindings

    def matched(self, state: State, bindings: Bindings) -> Iterator[tuple[int, Term]]:
        """The matched parts of the state: (component, element of a bag or whole term)."""
        for place, (pattern, term) in enumerate(zip(self.left, state, strict=True)):
            if isinstance(pattern, Filled):
                for item in pattern.items:
                    yield place, next(element for element in term if any(_match(item, element, bindings)))
            elif not isinstance(pattern, Anything) and not isinstance(term, Bag):
                yield place, term

    def apply(self, world: World, bindings: Bindings) -> State:
        """The state after the rule has been applied with these bindings."""
        return tuple(
            old if isinstance(new_term, Anything) else _build(new_term, bindings, world)
            for old, new_term in zip(world.state, self.right, strict=True)
        )


@dataclass(frozen=True)
class Application:
    """One application of a rule, and the state that it leads to."""

    rule: Rule
    bindings: tuple[tuple[str, Term], ...]
    after: State

    @property
    def node(self) -> int:
        """The node at which the rule was applied: x, or y in a rule without x."""
        bindings = dict(self.bindings)
        return node_in(bindings["x"] if "x" in bindings else bindings["y"])


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
    tokens: Callable[[State], int] | None = None  # the number of tokens; None in a system without tokens
    variants: Mapping[str, tuple[Rule, ...]] = field(default_factory=dict)  # rules that replace those of their numbers

    def __repr__(self) -> str:
        return f"<{self.name}>"

    def rule(self, number: str) -> Rule:
        """The rule with that number."""
        return next(rule for rule in self.rules if rule.number == number)

    def successors(self, state: State, nodes: int, requests: int) -> Iterator[Application]:
        """All applications of rules, in the order of the rules; one per rule and resulting state."""
        world = World(nodes, requests, state)
        for rule in self.rules:
            results = set()
            for bindings in rule.matches(world):
                after = rule.apply(world, bindings)
                if after not in results:
                    results.add(after)
                    yield Application(rule, tuple(sorted(bindings.items(), key=lambda item: item[0])), after)

    def as_printed(self, *numbers: str) -> System:
        """The system with the repaired rules of these numbers, or with all of them, as printed."""
        rules = tuple(
            replace(rule.printed, words=rule.printed.words or rule.words)
            if rule.printed and (not numbers or rule.number in numbers)
            else rule
            for rule in self.rules
        )
        return replace(self, name=f"{self.name} as printed", rules=rules)

    def with_rules(self, *more: Rule) -> System:
        """The system with additional rules."""
        return replace(self, rules=(*self.rules, *more))

    def variant(self, name: str) -> System:
        """The system with the rules of a named variant in place of its own. KeyError if unknown."""
        others = {rule.number.rstrip("′"): rule for rule in self.variants[name]}
        rules = tuple(others.pop(rule.number, rule) for rule in self.rules)
        return replace(self, name=f"{self.name} {name}", rules=(*rules, *others.values()))

    def prefix_property(self, state: State) -> bool:
        """Definition 2, with the longest history as the global one: every history is a prefix of it."""
        histories = list(self.histories(state))
        longest = max(histories, key=len)
        return all(history.is_prefix_of(longest) for history in histories)


# ---- matching ----------------------------------------------------------------------------------------------


def _match_all(patterns: tuple[Term, ...], terms: tuple[Term, ...], bindings: Bindings) -> Iterator[Bindings]:
    """All bindings under which each pattern matches the term in its place."""
    if not patterns:
        yield bindings
        return
    for extended in _match(patterns[0], terms[0], bindings):
        yield from _match_all(patterns[1:], terms[1:], extended)


def _match(pattern: Term, term: Term, bindings: Bindings) -> Iterator[Bindings]:
    kind = type(pattern)
    if kind is Variable:
        if pattern.name not in bindings:
            yield {**bindings, pattern.name: term}
        elif bindings[pattern.name] == term:
            yield bindings
    elif kind is tuple:
        if type(term) is tuple and len(term) == len(pattern):
            yield from _match_all(pattern, term, bindings)
    elif kind is Filled:
        yield from _match_items(pattern.items, pattern.rest, term, bindings)
    elif kind is Anything or pattern == term:
        yield bindings


def _match_items(items: tuple[Term, ...], rest: TermPattern, bag: Bag, bindings: Bindings) -> Iterator[Bindings]:
    """All bindings under which each item matches an element of the bag, and `rest` the remaining bag."""
    if not items:
        yield from _match(rest, bag, bindings)
        return
    for element in dict.fromkeys(bag):
        for extended in _match(items[0], element, bindings):
            yield from _match_items(items[1:], rest, bag.without(element), extended)


def _build(term: Term, bindings: Bindings, world: World) -> Term:
    kind = type(term)
    if kind is Variable:
        return bindings[term.name]
    if kind is tuple:
        return tuple([_build(part, bindings, world) for part in term])
    if kind is Call:
        return term.function(world, *[_build(argument, bindings, world) for argument in term.arguments])
    if kind is Filled:
        bag = _build(term.rest, bindings, world)
        for item in term.items:
            bag = bag.plus(_build(item, bindings, world))
        return bag
    return term
