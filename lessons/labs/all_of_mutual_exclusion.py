"""All algorithms for mutual exclusion side by side: messages, delays, and single faults."""

from __future__ import annotations

from lessons.experiments.family_lab import family_lab

LAB = family_lab(
    "mutual exclusion",
    """\
An algorithm with a token makes the cheapest entries, down to none for the process that has the token already; but the
loss of one message can take the token away, and with it liveness. Ricart–Agrawala asks everyone, which takes 2(N−1)
messages for every entry, and waits for one round trip only. On the token ring an entry costs a single message if all
ask at once, and a whole round if one process asks. Only the binary search sends more than its formula says, which
leaves out the hops of the token.""",
)
