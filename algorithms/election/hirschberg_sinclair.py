"""Hirschberg & Sinclair, CACM 23(11), 1980: a candidate asks twice as far each time, both ways round the ring.

Candidates of phase k are more than 2^(k−1) apart, so each of the log₂ N phases costs O(N) messages, however unlucky the
order of the numbers.
"""

from math import ceil, log2

from algorithms.components.numbered_ring import Announced, Elected, NumberedRing, greatest_leads
from algorithms.engine.process import Algorithm, Cost, Message, Variant, any_of


class Probe(Message):
    number: int  # the number of the candidate
    phase: int  # it goes 2^phase hops
    hops: int  # how many hops it has gone when it arrives

    def label(self):
        return f"{self.number}, hop {self.hops}/{2**self.phase}"


class Answer(Message):
    number: int  # the number of the candidate, to which it goes back
    phase: int

    def label(self):
        return f"to {self.number}"


class HirschbergSinclair(Announced, NumberedRing):
    roles = ("asleep", "candidate", "relay")

    def setup(self):
        super().setup()
        self.role = "asleep"  # asleep, candidate or relay; over when it knows the leader
        self.phase = 0  # its probes go 2^phase hops each way
        self.answers = 0  # the number of answers to the probes of this phase

    def start(self):
        if self.role == "asleep":
            self.role = "candidate"
            self.probe()

    def probe(self):
        self.send(Probe(self.number, self.phase, 1), to=self.previous)
        self.send(Probe(self.number, self.phase, 1), to=self.next)  # it probes both ways, to a distance of {2 ** phase}

    def on_probe(self, probe, sender):
        if probe.number == self.number:
            self.come_home()
        elif probe.number < self.number:
            self.swallow(probe)
        else:
            self.yield_to(probe, sender)

    def come_home(self):
        if self.role == "candidate":
            self.finish(self.id)
            self.send(Elected(self.number), to=self.next)  # its probe, {number}, has come all the way round
        else:
            pass  # its probe has come round the other way, too

    def swallow(self, probe):
        self.start()  # it swallows {probe.number}: its own number, {number}, is larger

    def yield_to(self, probe, sender):
        if self.role == "asleep":
            self.role = "relay"
        if probe.hops < 2**probe.phase:
            self.send(
                Probe(probe.number, probe.phase, probe.hops + 1), to=self.beyond(sender)
            )  # it passes {probe.number} on: its own number, {number}, is smaller
        else:
            self.send(
                Answer(probe.number, probe.phase), to=sender
            )  # the probe has gone all its hops without meeting a number above {probe.number}: it answers

    def on_answer(self, answer, sender):
        if answer.number != self.number:
            self.send(answer, to=self.beyond(sender))  # it passes the answer on
        elif self.role == "candidate":
            self.answers += 1  # it has {answers + 1} of 2 answers
            if self.answers == 2:
                self.phase += 1
                self.answers = 0
                self.probe()

    def finish(self, leader):
        self.phase = 0
        self.answers = 0
        super().finish(leader)

    def beyond(self, sender):
        """The neighbour on the other side."""
        return self.previous if sender == self.next else self.next

    @property
    def reach(self):
        """The places that its probes of this phase may come to."""
        far = min(2**self.phase, self.size // 2) if self.role == "candidate" else -1
        return {(self.id + away) % self.size for away in range(-far, far + 1)}

    def waiting_for(self):
        if self.role == "candidate":
            return any_of({self.previous, self.next}, Answer, Elected)
        return any_of({self.previous} if self.role == "relay" else (), Elected)

    def heeds(self, message):
        return self.role == "asleep" or message.number >= self.number

    def carries_my_request(self, message):
        return isinstance(message, Probe) and message.number == self.number


class NoWaking(HirschbergSinclair):
    def swallow(self, probe):
        pass  # it swallows {probe.number}: its own number, {number}, is larger


def candidates_keep_their_distance(processes):
    """Whether any two candidates that have come to phase k > 0 are more than 2^(k−1) apart."""
    candidates = [process for process in processes if process.role == "candidate"]
    return all(
        min((a.id - b.id) % a.size, (b.id - a.id) % a.size) > 2 ** (min(a.phase, b.phase) - 1)
        for a in candidates
        for b in candidates
        if a is not b and a.phase and b.phase
    )


ALGORITHM = Algorithm(
    name="hirschberg-sinclair",
    title="Hirschberg–Sinclair",
    summary="Candidates probe twice as far in each phase, both ways; one that meets no larger number anywhere leads.",
    source="D. S. Hirschberg, J. B. Sinclair, CACM 23(11), 1980",
    process=HirschbergSinclair,
    looks={Probe: "ask", Answer: "grant", Elected: "announce"},
    topology="ring",
    assumes=("reliable", "nobody crashes", "all numbers differ"),
    cost=Cost(
        "≤ 9N + 8⌈N log₂ N⌉",
        lambda n: 4 * (2 ** ceil(log2(n)) - 1) + 3 * n,
        lambda n: 9 * n + 8 * ceil(n * log2(n)),
        "whoever starts the election",
    ),
    badge="phase",
    region="reach",
    identity="number",
    invariants={"candidates keep their distance": candidates_keep_their_distance, "the greatest leads": greatest_leads},
    promises=("E1", "E2"),
    explanation=(
        "The processes form a ring, and each has a number. A candidate sends probes both ways: over 1 hop in phase 0, "
        "then 2, 4, 8 and so on. A process with a larger number swallows the probe, one with a smaller number passes "
        "it on, and the last one answers. A candidate with both answers is the largest within that distance, and "
        "enters the next phase. A probe that comes all the way round tells its candidate that it is the leader."
    ),
    symbols={
        "reach": "how far the probes of a candidate go in its phase",
        "N": "the number of processes",
        "phase": "how often a candidate has doubled the distance of its probes",
    },
    variants={
        "no-waking": Variant(
            NoWaking,
            "A sleeping process swallows a smaller number and stays asleep, so maybe no probe comes all the way round.",
            breaks=("E2",),
        )
    },
)
