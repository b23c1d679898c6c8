"""All elections side by side: messages, delays, and single faults."""

from __future__ import annotations

from lessons.experiments.family_lab import family_lab

LAB = family_lab(
    "election",
    """\
Messages and time are different prices: Bully, which may send to everyone at once, is the fastest, and Chang–Roberts
needs fewer messages at worst and ten times as long. If all call at once, the candidates of Raft split the votes and
need further terms, and on the ring of lists every caller's list goes round. Only Bully and Raft, which have timeouts,
survive a crash; only Raft survives the loss of a message as well. Every formula is met.""",
)
