"""Chang & Roberts, CACM 22(5), 1979: the largest number travels all the way round the ring; smaller ones are dropped.

With one initiator and the maximum d hops behind it: d + N election messages, then N to announce the leader.
"""

from algorithms.components.numbered_ring import IDS
from algorithms.engine.process import Algorithm, Cost, ElectionProcess, Message, all_of


class Election(Message):
    number: int  # the largest so far


class Elected(Message):
    number: int  # that of the leader


class ChangRoberts(ElectionProcess):
    roles = ("participant",)
    ids = IDS

    def setup(self):
        self.number = self.ids[self.id] if self.ids else self.id  # its number; the largest one wins
        self.next = (self.id + 1) % self.size  # its successor on the ring
        self.participant = False  # whether it has sent its own number or a larger one

    def start(self):
        if not self.participant:
            self.propose()  # it sends its number, {number}, round the ring

    def propose(self):
        self.participant = True
        self.pass_on(Election(self.number))

    def on_election(self, election, sender):
        if election.number == self.number:
            self.win()
        elif election.number > self.number:
            self.participant = True
            self.pass_on(election)  # it passes {election.number} on: its own number, {number}, is smaller
        elif self.participant:
            pass  # it drops {election.number}: it has already sent a larger number
        else:
            self.propose()  # it replaces {election.number} with its own number: {number} is larger

    def win(self):
        self.participant = False
        self.elect(self.id)
        self.pass_on(Elected(self.number))  # its number, {number}, has come all the way round

    def on_elected(self, elected, sender):
        leader = self.place_of(elected.number)
        if leader == self.id:
            pass  # its announcement is back and goes no further
        else:
            self.participant = False
            self.elect(leader)
            self.pass_on(elected)  # it passes the announcement on

    def pass_on(self, message):
        self.send(message, to=self.next)

    def place_of(self, number):
        return self.ids.index(number) if self.ids else number

    def role(self):
        return "participant" if self.participant else ""

    def waiting_for(self):
        return all_of({(self.id - 1) % self.size} if self.participant else (), Election, Elected)

    def heeds(self, message):
        return not self.participant or message.number >= self.number


ALGORITHM = Algorithm(
    name="chang-roberts",
    title="Chang–Roberts",
    summary="A number travels round the ring until it meets a larger one; the number that comes back is the leader's.",
    source="E. Chang, R. Roberts, CACM 22(5), 1979",
    process=ChangRoberts,
    looks={Election: "ask", Elected: "announce"},
    topology="ring",
    assumes=("reliable", "nobody crashes", "all numbers differ"),
    cost=Cost("2N … 3N−1", lambda n: 2 * n, lambda n: 3 * n - 1, "if one process starts the election"),
    identity="number",
    promises=("E1", "E2"),
    explanation=(
        "The processes form a ring, and each has a number. A process that calls an election sends its number to its "
        "successor. A process passes a larger number on; it replaces a smaller one with its own, or drops it if it "
        "has already sent a larger one. Only the largest number travels all the way round: its process is leader and "
        "sends an announcement round the ring."
    ),
    symbols={"N": "the number of processes"},
)
