"""System Message-Passing (Memo 440, Figure 5): instead of a global history, the token carries one from node to node.

Variant "ring" has rule 3′ in place of rule 3: the token goes to the successor, and reaches a waiting node in O(N).
"""

from algorithms.engine.rewrite.rewriter import Rewriter, algorithm_of
from algorithms.engine.rewrite.rewriting import Bag, Rule, System, _, new, phi, successor
from algorithms.rewriting_systems.terms import (
    NOBODY,
    SOURCE,
    SYMBOLS,
    H,
    I,
    O,
    P,
    Q,
    d,
    empty_histories,
    histories_from,
    m,
    may_ask,
    nothing_to_send,
    x,
    y,
)


def tokens(state):
    """The number of tokens, held and in transit."""
    return (state[2] != NOBODY) + len(state[3]) + len(state[4])


SYSTEM = System(
    name="system-message-passing",
    title="System Message-Passing",
    source=f"{SOURCE}, Figure 5",
    components=("Q", "P", "T", "I", "O"),
    initial=lambda nodes: (nothing_to_send(nodes), empty_histories(nodes), 0, Bag(), Bag()),
    rules=(
        Rule(
            "1",
            (Q | (x, d), _, _, _, _),
            (Q | (x, d + new(x)), _, _, _, _),
            condition=may_ask,
            words="{x} has something new to send",
        ),
        Rule(
            "2",
            (_, _, _, I, O | (x, (y, m))),
            (_, _, _, I | (y, (x, m)), O),
            words="a message from {x} reaches {y}",
        ),
        Rule(
            "3",
            (Q | (x, d), P | (x, H), x, _, O),
            (Q | (x, phi(x)), P | (x, H + d), NOBODY, _, O | (x, (y, H + d))),
            any_node=y,
            printed=Rule(
                "3", (Q | (x, d), P | (x, H), x, _, O), (Q, P | (x, H + d), NOBODY, _, O | (x, (y, H + d))), any_node=y
            ),
            why="A bare Q on the right drops the pair of x: after N hops nothing can happen any more.",
            words="{x} has the token, appends {d} to the history, and sends the token to {y}",
        ),
        Rule(
            "4",
            (_, P | (x, _), NOBODY, I | (x, (y, H)), _),
            (_, P | (x, H), x, I, _),
            words="{x} receives the token from {y}, with the history",
        ),
    ),
    histories=histories_from(1, 3, 4),
    tokens=tokens,
    variants={
        "ring": (
            Rule(
                "3′",
                (Q | (x, d), P | (x, H), x, _, O),
                (Q | (x, phi(x)), P | (x, H + d), NOBODY, _, O | (x, (successor(x), H + d))),
                words="{x} has the token, appends {d} to the history, and sends the token to its successor",
            ),
        )
    },
)


class MessagePassing(Rewriter):
    system = SYSTEM


ALGORITHM = algorithm_of(
    MessagePassing,
    "The token carries the history from node to node.",
    """\
There is no global history any more: the token is a message that carries it. The holder appends its data and sends
the token, with the history, to any node; the receiver replaces its local history by the one in the token. Messages
are first sent (O) and then arrive (I). The variant with rule 3′ sends the token round the ring, so a waiting node is
served within N hops.""",
    SYMBOLS,
)
