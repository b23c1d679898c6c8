"""The terms that all systems of Memo 440 share (section 2 and Figure 1), and the variables their rules use."""

from __future__ import annotations

from functools import lru_cache

from algorithms.engine.rewrite.rewriting import (
    Bag,
    Data,
    History,
    State,
    Term,
    function,
    highest_datum,
    phi_of,
    variables,
)

SOURCE = "B. Englert, L. Rudolph, A. Shvartsman, MIT CSG Memo 440, 2001"
SYMBOLS = {
    "Q": "for each node, the data that it has to send",
    "P": "for each node, its local history",
    "H": "a history: the data that have been appended, in order",
    "T": "the node that has the token; ⊥ while the token is in transit",
    "I": "messages that have arrived: (receiver, (sender, content))",
    "O": "messages that have been sent: (sender, (receiver, content))",
    "W": "traps: (x, τ_y) means that node x will send the token to y",
    "d": "data to send; d₀,₁ is the first datum of P0",
    "φ": "φ_x: node x has nothing to send; in a history, the mark that the token has been at x",
    "τ": "τ_x: a trap for node x",
    "⊕": "appends to a history",
    "|": "and, in a collection without order",
}

x, y, z, u, d, m, T = variables("x y z u d m T")
lo, hi, n = variables("lo hi n")
H, Hz = variables("H Hz")  # histories
Q, P, I, O, W = variables("Q P I O W")  # noqa: E741

NOBODY = "⊥"  # T while the token is in transit
TOKEN, LOAN, SEARCH = "token", "loan", "search"  # kinds of messages; a loan is a token that will come back
EMPTY = History()


def nothing_to_send(nodes: int) -> Bag:
    """||_{x} (x, φ_x)"""
    return Bag((node, phi_of(node)) for node in range(nodes))


def empty_histories(nodes: int) -> Bag:
    """||_{x} (x, ∅)"""
    return Bag((node, EMPTY) for node in range(nodes))


@lru_cache(maxsize=1 << 14)
def histories_in(term: Term) -> tuple[History, ...]:
    """All histories inside a term."""
    if isinstance(term, History):
        return (term,)
    return tuple(history for part in term for history in histories_in(part)) if isinstance(term, tuple) else ()


def histories_from(*places: int):
    """The histories in the given components of a state."""
    return lambda state: [history for place in places for history in histories_in(state[place])]


def may_ask(world, x):
    """x has data left to send (bounded, so that the states are finite)."""
    return highest_datum(world.state, x) < world.requests


def may_search(world, x, d):
    """x has something to send, no token, and no search under way."""
    holder, traps = world.state[2], world.state[5]
    return not d.is_phi() and holder != x and (x, tau_of(x)) not in traps


def for_another(world, x, y):
    """x ≠ y."""
    return x != y


def tokens_of(state):
    """The number of tokens: held, in transit and on loan."""
    messages = [content[1] for bag in (state[3], state[4]) for _, content in bag]
    return (state[2] != NOBODY) + sum(message[0] in (TOKEN, LOAN) for message in messages)


def tau_of(node: int) -> Term:
    """τ_x: a trap laid for x, or a message that asks to lay one."""
    return ("τ", node)


@function("τ")
def tau(world, node: int) -> Term:
    return tau_of(node)


@function("trap")
def trap(world, bag: Bag, term: Term) -> Bag:
    """A bag of traps with one more, unless it holds that trap already."""
    return bag if term in bag else Bag((*bag, term))


@function("marked")
def marked(world, history: History, node: int) -> History:
    """History ⊕ φ_x: the mark of a visit of the circulating token."""
    return history + phi_of(node)


@function("⊕")
def with_data(world, history: History, data: Data) -> History:
    """History ⊕ d, but a loan that finds nothing to send leaves no mark."""
    return history if data.is_phi() else history + data


@function("without")
def without(world, bag: Bag, term: Term) -> Bag:
    """A bag without one term, if it holds it."""
    return bag.without(term)


def longest(state: State, *places: int) -> History:
    """The longest history in the given components."""
    return max(histories_from(*places)(state), key=len, default=EMPTY)
