"""System Search (Memo 440, Figure 6): searches lay traps, and the holder sends the token to one of its traps.

A trap (x, τ_y) in W: node x will send the token to y. A message is a pair of its kind and its content.
"""

from algorithms.engine.rewrite.rewriter import Rewriter, algorithm_of
from algorithms.engine.rewrite.rewriting import Bag, Rule, System, _, new, phi, successor
from algorithms.rewriting_systems.terms import (
    NOBODY,
    SEARCH,
    SOURCE,
    SYMBOLS,
    TOKEN,
    H,
    I,
    O,
    P,
    Q,
    W,
    d,
    empty_histories,
    for_another,
    histories_from,
    m,
    may_ask,
    may_search,
    nothing_to_send,
    tau,
    tokens_of,
    trap,
    u,
    without,
    x,
    y,
    z,
)

SYSTEM = System(
    name="system-search",
    title="System Search",
    source=f"{SOURCE}, Figure 6",
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
            why="An untyped H also matches a search message, which then becomes a second token.",
            words="{x} receives the token from {y}, with the history",
        ),
        Rule(
            "4",
            (Q | (x, d), P | (x, H), x, _, O, W),
            (Q | (x, phi(x)), P | (x, H + d), NOBODY, _, O | (x, (y, (TOKEN, H + d))), without(W, (x, tau(x)))),
            any_node=y,
            printed=Rule(
                "4",
                (Q | (x, d), P | (x, H), x, _, O, _),
                (Q, P | (x, H + d), NOBODY, _, O | (x, (y, (TOKEN, H + d))), _),
                any_node=y,
            ),
            why="A bare Q on the right drops the pair of x, and x still has its own trap after its turn.",
            words="{x} has the token, appends {d} to the history, and sends the token to {y}",
        ),
        Rule(
            "5",
            (Q | (x, d), _, _, _, O, W),
            (Q | (x, d), _, _, _, O | (x, (y, (SEARCH, tau(x)))), trap(W, (x, tau(x)))),
            condition=may_search,
            any_node=y,
            why="It is printed with seven components, but there are six; and without a condition it floods the ring.",
            words="{x} has something to send: it sets a trap for itself and sends a search to {y}",
        ),
        Rule(
            "6",
            (_, _, _, I | (x, (y, (SEARCH, z))), O, W),
            (_, _, _, I, O | (x, (u, (SEARCH, z))), trap(W, (x, z))),
            any_node=u,
            words="{x} sets the trap {z} and sends the search on to {u}",
        ),
        Rule(
            "7",
            (_, P | (x, H), x, _, O, W | (x, ("τ", y))),
            (_, P | (x, H), NOBODY, _, O | (x, (y, (TOKEN, H))), W),
            condition=for_another,
            printed=Rule(
                "7",
                (_, P | (x, H), x, _, O, W | (x, ("τ", y))),
                (_, P | (x, H), NOBODY, _, O | (x, (y, (TOKEN, H))), W),
            ),
            why="For y = x the holder would send the token to itself: its own trap only says that it is ready.",
            words="{x} has the token and a trap for {y}, and sends the token to {y}",
        ),
    ),
    histories=histories_from(1, 3, 4),
    tokens=tokens_of,
    variants={
        "linear": (  # Lemma 5: everything goes to the successor, and reaches a waiting node in O(N)
            Rule(
                "4′",
                (Q | (x, d), P | (x, H), x, _, O, W),
                (
                    Q | (x, phi(x)),
                    P | (x, H + d),
                    NOBODY,
                    _,
                    O | (x, (successor(x), (TOKEN, H + d))),
                    without(W, (x, tau(x))),
                ),
                words="{x} has the token, appends {d} to the history, and sends the token to its successor",
            ),
            Rule(
                "5′",
                (Q | (x, d), _, _, _, O, W),
                (Q | (x, d), _, _, _, O | (x, (successor(x), (SEARCH, tau(x)))), trap(W, (x, tau(x)))),
                condition=may_search,
                words="{x} has something to send: it sets a trap for itself and sends a search to its successor",
            ),
            Rule(
                "6′",
                (_, _, _, I | (x, (y, (SEARCH, z))), O, W),
                (_, _, _, I, O | (x, (successor(x), (SEARCH, z))), trap(W, (x, z))),
                words="{x} sets the trap {z} and sends the search on to its successor",
            ),
        )
    },
)


class Search(Rewriter):
    system = SYSTEM


ALGORITHM = algorithm_of(
    Search,
    "Search messages set traps, and traps say where the token is to go.",
    """\
As in System Message-Passing the token carries the history. A node with something to send also sends a search
message, which goes from node to node and leaves a trap for it at each of them. A node that has the token and a trap
for another node may send the token there. Any search order is allowed; the linear variant goes round the ring.""",
    SYMBOLS,
)
