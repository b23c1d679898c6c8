"""System Token (Memo 440, Figure 4): only the holder of the token T appends, and passes the token to any node."""

from algorithms.engine.rewrite.rewriter import Rewriter, algorithm_of
from algorithms.engine.rewrite.rewriting import Rule, System, _, new, phi
from algorithms.rewriting_systems.terms import (
    EMPTY,
    SOURCE,
    SYMBOLS,
    H,
    P,
    Q,
    d,
    empty_histories,
    histories_from,
    may_ask,
    nothing_to_send,
    x,
    y,
)

SYSTEM = System(
    name="system-token",
    title="System Token",
    source=f"{SOURCE}, Figure 4",
    components=("Q", "H", "P", "T"),
    initial=lambda nodes: (nothing_to_send(nodes), EMPTY, empty_histories(nodes), 0),
    rules=(
        Rule(
            "1",
            (Q | (x, d), _, _, _),
            (Q | (x, d + new(x)), _, _, _),
            condition=may_ask,
            words="{x} has something new to send",
        ),
        Rule(
            "2",
            (Q | (x, d), H, P | (x, _), x),
            (Q | (x, phi(x)), H + d, P | (x, H + d), y),
            any_node=y,
            words="{x} has the token, appends {d} to the history, and passes the token to {y}",
        ),
    ),
    histories=histories_from(1, 2),
    tokens=lambda state: 1,
)


class Token(Rewriter):
    system = SYSTEM


ALGORITHM = algorithm_of(
    Token,
    "Only the holder of the token appends.",
    """\
One node has the token T. Only this node may append its data to the history; in the same step it copies the history
and passes the token to any node. So appends are ordered by the token, and two nodes never append at the same time.""",
    SYMBOLS,
)
