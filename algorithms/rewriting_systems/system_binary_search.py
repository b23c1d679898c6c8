"""System BinarySearch (Memo 440, Figure 7): the token circulates and is lent to the node whose search finds it.

A message is a pair of its kind and its content. A search carries its arc: the token is among the nodes from `lo` to
`hi` after the requester z. A loan is a token that will come back. What the processes add for speed is left out: the
lender's silence during a loan, traps in FIFO order, and clean-up. None of it is needed for safety.
"""

# ruff: noqa: N803 (the variables are called as in the rules)

from algorithms.engine.rewrite.rewriter import Rewriter, algorithm_of
from algorithms.engine.rewrite.rewriting import Bag, History, Rule, System, _, function, new, phi, successor
from algorithms.rewriting_systems.terms import (
    EMPTY,
    LOAN,
    NOBODY,
    SEARCH,
    SOURCE,
    SYMBOLS,
    TOKEN,
    H,
    Hz,
    I,
    O,
    P,
    Q,
    W,
    d,
    empty_histories,
    for_another,
    hi,
    histories_from,
    lo,
    m,
    marked,
    may_ask,
    may_search,
    n,
    nothing_to_send,
    tau,
    tokens_of,
    trap,
    with_data,
    without,
    x,
    y,
    z,
)


def visited(history, node, nodes):
    """When the token last left a node on its way round: how many nodes it had left by then."""
    if not isinstance(history, History):  # by rule 3 as printed a search can be taken for one
        history = EMPTY
    marks = [who for _, who in history.circulation()]
    return next((place for place in range(len(marks), 0, -1) if marks[place - 1] == node), node + 1 - nodes)


def arc(world, lo, hi, H, x, Hz, z):
    """The half of the arc in which the token is: beyond x if it has been at x since it was at z, or else before."""
    here = (lo + hi) // 2
    beyond = visited(Hz, z, world.nodes) < visited(H, x, world.nodes)
    return (here, hi) if beyond else (lo, here)


@function("lo′")
def new_low(world, *terms):
    return arc(world, *terms)[0]


@function("hi′")
def new_high(world, *terms):
    return arc(world, *terms)[1]


@function("z + (lo′ + hi′)/2")
def next_asked(world, lo, hi, H, x, Hz, z):
    return (z + sum(arc(world, lo, hi, H, x, Hz, z)) // 2) % world.nodes


@function("N")
def ring_size(world):
    return world.nodes


@function("+N/2")
def across(world, node):
    return (node + world.nodes // 2) % world.nodes


@function("n/2")
def half(world, n):
    return n // 2


@function("x ± n/2")
def jump(world, x, n, H, Hz):
    """As printed: x⁻ⁿᐟ² if H ⊂ Hz on circulation events, x⁺ⁿᐟ² if Hz ⊂ H."""
    back = H.circulation().is_prefix_of(Hz.circulation())
    return (x + (-1 if back else 1) * (n // 2)) % world.nodes


def ask_on(world, x, lo, hi, H, Hz, z):
    """a node is left to ask between lo′ and hi′, and x does not have the token."""
    low, high = arc(world, lo, hi, H, x, Hz, z)
    return world.state[2] != x and high - low > 1


def stop_here(world, x, lo, hi, H, Hz, z):
    """no node is left to ask, or x has the token."""
    return not ask_on(world, x, lo, hi, H, Hz, z)


HALF = (lo, hi, H, x, Hz, z)
HAT = "^"  # as printed, ŷ: the token is to be returned after use

SYSTEM = System(
    name="system-binary-search",
    title="System BinarySearch",
    source=f"{SOURCE}, Figure 7",
    components=("Q", "P", "T", "I", "O", "W"),
    initial=lambda nodes: (nothing_to_send(nodes), empty_histories(nodes), 0, Bag(), Bag(), Bag()),
    rules=(
        Rule(
            "1",
            (Q | (x, d), _, _, _, _, _),
            (Q | (x, d + new(x)), _, _, _, _, _),
            condition=may_ask,
            words="{x} has something new to send",
        ),
        Rule(
            "2",
            (_, _, _, I, O | (x, (y, m)), _),
            (_, _, _, I | (y, (x, m)), O, _),
            words="a message ({m}) from {x} reaches {y}",
        ),
        Rule(
            "3",
            (_, P | (x, _), NOBODY, I | (x, (y, (TOKEN, H))), _, _),
            (_, P | (x, H), x, I, _, _),
            printed=Rule(
                "3",
                (_, P | (x, _), NOBODY, I | (x, (y, (_, H))), _, _),
                (_, P | (x, H), x, I, _, _),
                words="{x} mistakes a message from {y} for the token, and its content for the history",
            ),
            why="An untyped H also matches a search, which then becomes a second token.",
            words="{x} receives the token from {y}, with the history",
        ),
        Rule(
            "4",
            (Q | (x, d), P | (x, H), x, _, O, W),
            (
                Q | (x, phi(x)),
                P | (x, marked(with_data(H, d), x)),
                NOBODY,
                _,
                O | (x, (successor(x), (TOKEN, marked(with_data(H, d), x)))),
                without(W, (x, tau(x))),
            ),
            printed=Rule(
                "4",
                (Q | (x, d), P | (x, H), x, _, O, _),
                (Q, P | (x, H + d), NOBODY, _, O | (x, (successor(x), (TOKEN, H + d))), _),
            ),
            why="A bare Q on the right drops the pair of x, and a node that appends data would leave no mark.",
            words="{x} has the token, appends its data and the mark of its turn, and passes the token on",
        ),
        Rule(
            "5",
            (Q | (x, d), P | (x, H), _, _, O, W),
            (
                Q | (x, d),
                P | (x, H),
                _,
                _,
                O | (x, (across(x), (SEARCH, (0, ring_size(), H, x)))),
                trap(W, (x, tau(x))),
            ),
            condition=may_search,
            printed=Rule(
                "5",
                (_, P | (x, H), _, _, O, W),
                (_, P | (x, H), _, _, O | (x, (across(x), (SEARCH, (ring_size(), H, x)))), trap(W, (x, tau(x)))),
            ),
            why="Without a condition it floods the ring, whether x is ready or not, and even if x has the token.",
            words="{x} has something to send: it sets a trap for itself and sends a search halfway round the ring",
        ),
        Rule(
            "6",
            (_, P | (x, H), _, I | (x, (y, (SEARCH, (lo, hi, Hz, z)))), O, W),
            (
                _,
                P | (x, H),
                _,
                I,
                O | (x, (next_asked(*HALF), (SEARCH, (new_low(*HALF), new_high(*HALF), Hz, z)))),
                trap(W, (x, tau(z))),
            ),
            condition=ask_on,
            printed=Rule(
                "6",
                (_, P | (x, H), _, I | (x, (y, (SEARCH, (n, Hz, z)))), O, W),
                (
                    _,
                    P | (x, H),
                    _,
                    I,
                    O | (x, (jump(x, n, H, Hz), (SEARCH, (half(n), Hz, z)))),
                    trap(W, (x, tau(z))),
                ),
            ),
            why="The first jump leads back to the requester, and a jump of less than 1 leads to x itself, endlessly.",
            words="{x} sets a trap for {z}; the search goes on in the half of the arc in which the token is",
        ),
        Rule(
            "6a",
            (_, P | (x, H), _, I | (x, (y, (SEARCH, (lo, hi, Hz, z)))), _, W),
            (_, P | (x, H), _, I, _, trap(W, (x, tau(z)))),
            condition=stop_here,
            why="Not printed: where the arc is used up, or x has the token, the search ends and only a trap is set.",
            words="{x} sets a trap for {z}, and the search ends",
        ),
        Rule(
            "7",
            (_, P | (x, H), x, _, O, W | (x, ("τ", y))),
            (_, P | (x, H), NOBODY, _, O | (x, (y, (LOAN, H))), W),
            condition=for_another,
            printed=Rule(
                "7",
                (_, P | (x, H), x, _, O, W | (x, ("τ", y))),
                (_, P | (x, H), NOBODY, _, O | (x, ((HAT, y), (TOKEN, H))), W),
            ),
            why="The hat is on the receiver here and on the sender in rule 8, so no node can take the token.",
            words="{x} has the token and a trap for {y}, and lends the token to {y}",
        ),
        Rule(
            "8",
            (Q | (x, d), P | (x, _), NOBODY, I | (x, (y, (LOAN, H))), O, W),
            (
                Q | (x, phi(x)),
                P | (x, with_data(H, d)),
                NOBODY,
                I,
                O | (x, (y, (TOKEN, with_data(H, d)))),
                without(W, (x, tau(x))),
            ),
            printed=Rule(
                "8",
                (Q | (x, d), P | (x, _), NOBODY, I | (x, ((HAT, y), (TOKEN, H))), O, _),
                (Q, P | (x, H + d), NOBODY, I, O | (x, (y, (TOKEN, H + d))), _),
            ),
            why="See rule 7 and the bare Q; and φ_x appended on loan would look like a turn of the circulation.",
            words="{x} appends {d} to the history of the token on loan and returns the token to {y}",
        ),
    ),
    histories=histories_from(1, 3, 4),
    tokens=tokens_of,
)


class BinarySearch(Rewriter):
    system = SYSTEM


ALGORITHM = algorithm_of(
    BinarySearch,
    "The token circulates and is lent to the node whose binary search finds it.",
    """\
The token circulates on a ring and carries the history. A node with something to send searches for the token by
halving the ring: each node asked compares its history with the requester's to see on which side the token is, sets a
trap, and passes the search on. A node that has the token and a trap lends the token to the requester, which appends
its data and returns it. Marks φ in the history record the turns of the circulation, so that loans do not confuse the
search.""",
    SYMBOLS,
)
