"""Franklin, CACM 25(5), 1982: in each round a process stays in the running if it beats both its neighbours.

Neighbours are the next processes that are still in the running. Of any two, at most one survives, so at least half of
them drop out in each round: at most ⌊log₂ N⌋ + 1 rounds of 2N messages, and N to announce the leader.
"""

from collections import deque
from math import floor, log2

from algorithms.components.numbered_ring import Announced, Elected, NumberedRing, greatest_leads
from algorithms.engine.process import Algorithm, Cost, Message, all_of


class Bid(Message):
    number: int  # the number of an active process
    way: str  # left or right: where it is going

    def label(self):
        return f"{self.number} {self.way}"


class Franklin(Announced, NumberedRing):
    roles = ("asleep", "active", "relay")

    def setup(self):
        super().setup()
        self.role = "asleep"  # asleep, active or relay; over when it knows the leader
        self.left = deque()  # numbers from the next active process on the left, one for each round
        self.right = deque()  # the same from the right

    def start(self):
        if self.role == "asleep":
            self.role = "active"
            self.bid()

    def bid(self):
        self.send(Bid(self.number, "left"), to=self.previous)
        self.send(Bid(self.number, "right"), to=self.next)  # it bids both ways with its number, {number}

    def on_bid(self, bid, sender):
        self.start()
        if self.role != "active":
            self.pass_on(bid)  # it passes the bid on, {bid.way}wards
        else:
            (self.right if bid.way == "left" else self.left).append(bid.number)
            if self.left and self.right:
                self.compare(max(self.left.popleft(), self.right.popleft()))
            else:
                pass  # it waits for a bid from the other side

    def compare(self, best):
        if best == self.number:
            self.finish(self.id)
            self.send(Elected(self.number), to=self.next)  # its own bid has come back: no other process is active
        elif best < self.number:
            self.bid()  # both its neighbours' numbers are smaller than {number}, so it enters another round
        else:
            self.role = "relay"  # it drops out: {best} is larger than its own number, {number}
            for number in self.left:
                self.send(Bid(number, "right"), to=self.next)
            for number in self.right:
                self.send(Bid(number, "left"), to=self.previous)
            self.left.clear()
            self.right.clear()

    def pass_on(self, bid):
        self.send(bid, to=self.previous if bid.way == "left" else self.next)

    def finish(self, leader):
        self.left.clear()
        self.right.clear()
        super().finish(leader)

    def waiting_for(self):
        if self.role == "active":
            sides = ((self.left, self.previous), (self.right, self.next))
            return all_of({neighbour for numbers, neighbour in sides if not numbers}, Bid)
        return all_of({self.previous} if self.role == "relay" else (), Elected)

    def carries_my_request(self, message):
        return isinstance(message, Bid) and message.number == self.number


def greatest_is_no_relay(processes):
    """Whether the process with the largest number has not given up."""
    return max(processes, key=lambda process: process.number).role != "relay"


ALGORITHM = Algorithm(
    name="franklin",
    title="Franklin",
    summary="In each round, only processes with a larger number than both active neighbours stay in the running.",
    source="W. R. Franklin, CACM 25(5), 1982",
    process=Franklin,
    looks={Bid: "ask", Elected: "announce"},
    topology="ring",
    assumes=("reliable", "FIFO", "nobody crashes", "all numbers differ"),
    cost=Cost(
        "≤ 2N⌊log₂ N⌋ + 3N", lambda n: 5 * n, lambda n: 2 * n * floor(log2(n)) + 3 * n, "whoever starts the election"
    ),
    chips=("left", "right"),
    identity="number",
    invariants={"the greatest is no relay": greatest_is_no_relay, "the greatest leads": greatest_leads},
    promises=("E1", "E2"),
    explanation=(
        "The processes form a ring, and each has a number. An active process sends its number both ways, to the next "
        "active process on either side; the others only pass messages on. It stays active if its number is larger "
        "than both that it receives, and then enters another round. Of two active neighbours, at most one survives, so "
        "at least half of them drop out in each round. A process that receives its own number is the only one left, "
        "and leads."
    ),
    symbols={"N": "the number of processes"},
)
