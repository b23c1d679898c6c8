"""System S (Memo 440, Figure 2): one global history; any ready node appends its datum."""

from algorithms.engine.rewrite.rewriter import Rewriter, algorithm_of
from algorithms.engine.rewrite.rewriting import Rule, System, _, new, phi
from algorithms.rewriting_systems.terms import (
    EMPTY,
    SOURCE,
    SYMBOLS,
    H,
    Q,
    d,
    histories_from,
    may_ask,
    nothing_to_send,
    x,
)

SYSTEM = System(
    name="system-s",
    title="System S",
    source=f"{SOURCE}, Figure 2",
    components=("Q", "H"),
    initial=lambda nodes: (nothing_to_send(nodes), EMPTY),
    rules=(
        Rule(
            "1",
            (Q | (x, d), _),
            (Q | (x, d + new(x)), _),
            condition=may_ask,
            words="{x} has something new to send",
        ),
        Rule(
            "2",
            (Q | (x, d), H),
            (Q | (x, phi(x)), H + d),
            printed=Rule("2", (Q | (x, d), H), (Q, H + d)),
            why="A bare Q on the right drops the pair of x for good: after N broadcasts no node can send any more.",
            words="{x} appends {d} to the history",
        ),
    ),
    histories=histories_from(1),
)


class Global(Rewriter):
    system = SYSTEM


ALGORITHM = algorithm_of(
    Global,
    "One global history; any ready node appends its datum.",
    """\
System S is the specification: there is one history, a sequence of data that all nodes would agree on. Rule 1 gives a
node something new to send; rule 2 lets any node that has something to send append it to the history. No node knows
how the others take turns: the refinements say that.""",
    SYMBOLS,
)
