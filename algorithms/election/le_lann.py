"""Le Lann, IFIP Congress 1977: every number travels all the way round the ring, and everyone knows them all.

N² messages, however many call the election; there is no announcement.
"""

from algorithms.components.numbered_ring import NumberedRing, greatest_leads
from algorithms.engine.process import Algorithm, Message, Variant, all_of, exactly


class Election(Message):
    number: int  # the number of one process


class LeLann(NumberedRing):
    roles = ("participant",)

    def setup(self):
        super().setup()
        self.seen = set()  # the numbers in this election so far, its own among them

    def start(self):
        if not self.seen:
            self.seen = {self.number}
            self.send(Election(self.number), to=self.next)  # it sends its number, {number}, round the ring

    def on_election(self, election, sender):
        if election.number == self.number:
            self.conclude()
        elif self.seen:
            self.note(election)  # it remembers {election.number} and passes it on
        else:
            self.start()
            self.note(election)  # it joins in with its own number, {number}, and passes {election.number} on

    def note(self, election):
        self.seen.add(election.number)
        self.send(election, to=self.next)

    def conclude(self):
        largest = max(self.seen)
        self.seen = set()
        self.elect(self.place_of(largest))  # its own number is back: the largest that it has seen is {largest}

    def role(self):
        return "participant" if self.seen else ""

    def waiting_for(self):
        return all_of({self.previous} if self.seen else (), Election)

    def carries_my_request(self, message):
        return isinstance(message, Election) and message.number == self.number


class FirstHome(LeLann):
    def conclude(self):
        self.seen = set()
        self.elect(self.id)  # its own number is back, so it leads


ALGORITHM = Algorithm(
    name="le-lann",
    title="Le Lann",
    summary="Every number travels all the way round the ring; in the end each process knows the largest.",
    source="G. Le Lann, Distributed systems: towards a formal approach, IFIP Congress 1977",
    process=LeLann,
    looks={Election: "ask"},
    topology="ring",
    assumes=("reliable", "FIFO", "nobody crashes", "all numbers differ"),
    cost=exactly("N²", lambda n: n * n, "whoever starts the election"),
    chips="seen",
    identity="number",
    invariants={"the greatest leads": greatest_leads},
    promises=("E1", "E2"),
    explanation=(
        "The processes form a ring, and each has a number. A process that calls an election, or hears of one, sends "
        "its number to its successor, and passes on and remembers every other number. When its own number comes back, "
        "every other number has passed it, because messages on a link do not overtake each other. So it knows the "
        "largest number without an announcement."
    ),
    symbols={"N": "the number of processes"},
    variants={
        "first-home": Variant(
            FirstHome, "A process whose number comes back becomes leader itself: so does every other.", breaks=("E1",)
        )
    },
)
