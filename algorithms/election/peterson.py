"""Peterson, ACM TOPLAS 4(4), 1982; Dolev, Klawe & Rodeh, J. Algorithms 3(3), 1982: N log N on a one-way ring.

A process cannot ask the neighbour ahead, so the numbers move on by one place: an active process compares the two
behind it, and goes on with the nearer one if that is the largest of the three. At most half of the numbers survive a
phase of 2N messages; N more find the leader, and N announce it.
"""

from math import floor, log2

from algorithms.components.numbered_ring import NumberedRing, greatest_leads
from algorithms.engine.process import Algorithm, Cost, Message, Variant, all_of


class One(Message):
    number: int  # the value of the nearest active process behind


class Two(Message):
    number: int  # the value of the one behind that


class Elected(Message):
    number: int  # the number of the leader
    finder: int  # the process where the message ends

    def label(self):
        return f"{self.number}"


class Peterson(NumberedRing):
    roles = ("asleep", "active", "relay")

    def setup(self):
        super().setup()
        self.role = "asleep"  # asleep, active or relay
        self.value = None  # the number that it stands for now; at first its own
        self.first = None  # the value of the active process behind it, once that has arrived

    def start(self):
        if self.role == "asleep":
            self.role = "active"
            self.value = self.number
            self.send(One(self.value), to=self.next)  # it sends its number, {number}

    def on_one(self, one, sender):
        self.start()
        if self.role != "active":
            self.send(one, to=self.next)  # it passes {one.number} on
        elif one.number == self.value:
            self.found()
        else:
            self.first = one.number
            self.send(Two(one.number), to=self.next)  # it tells the next process which value is behind it: {one.number}

    def on_two(self, two, sender):
        if self.role != "active":
            self.send(two, to=self.next)  # it passes {two.number} on
        elif self.first is None:
            pass  # it ignores {two.number}: the value that should have come before it is missing
        else:
            first, self.first = self.first, None
            if self.is_largest(first, two.number):
                self.go_on(first)
            else:
                self.role = "relay"  # it drops out: {first} is not larger than both {value} and {two.number}
                self.value = None

    def is_largest(self, first, second):
        return first > self.value and first > second

    def go_on(self, first):
        self.value = first  # it goes on with {first} instead of {value}
        self.send(One(first), to=self.next)

    def found(self):
        leader = self.value
        self.reset()
        self.elect(self.place_of(leader))
        self.send(Elected(leader, self.id), to=self.next)  # its value, {leader}, is back: no other is left

    def on_elected(self, elected, sender):
        if elected.finder == self.id:
            pass  # its announcement is back and goes no further
        else:
            self.reset()
            self.elect(self.place_of(elected.number))
            self.send(elected, to=self.next)  # it passes the announcement on

    def reset(self):
        self.role = "asleep"
        self.value = None
        self.first = None

    def waiting_for(self):
        if self.role == "active":
            return all_of({self.previous}, One if self.first is None else Two)
        return all_of({self.previous} if self.role == "relay" else (), Elected)

    def carries_my_request(self, message):
        return isinstance(message, One) and message.number == self.value


class KeepsOwn(Peterson):
    def go_on(self, first):
        self.send(One(self.value), to=self.next)  # it survives because of {first}, but keeps {value}


class OneNeighbour(Peterson):
    def is_largest(self, first, second):
        return first > self.value


ALGORITHM = Algorithm(
    name="peterson",
    title="Peterson (Dolev–Klawe–Rodeh)",
    summary="On a one-way ring the numbers move on by one place in each phase, and only local maxima survive.",
    source="G. L. Peterson, ACM TOPLAS 4(4), 1982; D. Dolev, M. Klawe, M. Rodeh, J. Algorithms 3(3), 1982",
    process=Peterson,
    looks={One: "ask", Two: "ask", Elected: "announce"},
    topology="ring",
    assumes=("reliable", "FIFO", "nobody crashes", "all numbers differ"),
    cost=Cost(
        "≤ 2N⌊log₂ N⌋ + 2N",
        lambda n: 4 * n,
        lambda n: 2 * n * floor(log2(n)) + 2 * n,
        "whoever starts the election; the papers' refinements take 1.356 N log₂ N + O(N)",
    ),
    badge="value",
    identity="number",
    invariants={"the greatest leads": greatest_leads},
    promises=("E1", "E2"),
    explanation=(
        "The processes form a ring on which messages travel one way, and each stands for a value, at first its own "
        "number. In each phase an active process learns the values of the two active processes behind it. If the "
        "nearer one is the largest of the three, it goes on with that value; otherwise it only passes messages on. "
        "Of two neighbouring values, at most one survives, so each phase at least halves them. A process that receives "
        "the value that it stands for has found the largest, which is usually another process's number."
    ),
    symbols={"N": "the number of processes", "value": "the number that an active process stands for"},
    variants={
        "keeps-own": Variant(
            KeepsOwn,
            "Survives because of the neighbour's value but goes on with its own: one leader, though not the largest.",
            breaks=("the greatest leads",),
        ),
        "one-neighbour": Variant(
            OneNeighbour, "Compares with one neighbour only: still correct, but more numbers survive each phase."
        ),
    },
)
