"""System S1 (Memo 440, Figure 3): every node keeps a local history, a copy of the global one taken at any time."""

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
    name="system-s1",
    title="System S1",
    source=f"{SOURCE}, Figure 3",
    components=("Q", "H", "P"),
    initial=lambda nodes: (nothing_to_send(nodes), EMPTY, empty_histories(nodes)),
    rules=(
        Rule(
            "1",
            (Q | (x, d), _, _),
            (Q | (x, d + new(x)), _, _),
            condition=may_ask,
            words="{x} has something new to send",
        ),
        Rule(
            "2",
            (Q | (x, d), H, _),
            (Q | (x, phi(x)), H + d, _),
            printed=Rule("2", (Q | (x, d), H, _), (Q, H + d, _)),
            why="A bare Q on the right drops the pair of x, as in System S.",
            words="{x} appends {d} to the global history",
        ),
        Rule(
            "3",
            (_, H, P | (y, _)),
            (_, H, P | (y, H)),
            words="{y} copies the global history",
        ),
    ),
    histories=histories_from(1, 2),
)


class Copied(Rewriter):
    system = SYSTEM


ALGORITHM = algorithm_of(
    Copied,
    "Every node keeps a copy of the global history, taken at any time.",
    """\
As in System S a ready node appends its datum to one global history. Every node also keeps a local history, and rule
3 lets it copy the global one at any time. So each local history is a prefix of the global one: it may be old, but it
is never in conflict with another. This is the prefix property that all refinements keep.""",
    SYMBOLS,
)
