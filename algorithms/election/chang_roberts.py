"""Chang & Roberts, CACM 22(5), 1979: the greatest number travels all the way round the ring, smaller ones stop.

With one initiator and the maximum d hops behind it: d + N election messages, then N to announce the leader.
"""

from algorithms.engine.process import Algorithm, Cost, ElectionProcess, Message, Parameter


class Election(Message):
    number: int  # the greatest seen so far


class Elected(Message):
    number: int  # the leader's


def is_a_numbering(ids, nodes):
    """Whether every process has a number, or none has one; equal numbers break an assumption."""
    return not ids or (all(isinstance(i, int) for i in ids) and len(ids) == nodes)


class ChangRoberts(ElectionProcess):
    roles = ("participant",)
    ids = Parameter((), "the number of each process (default: its place on the ring)", fits=is_a_numbering)

    def setup(self):
        self.number = self.ids[self.id] if self.ids else self.id  # the greatest one wins
        self.next = (self.id + 1) % self.size  # my successor on the ring
        self.participant = False  # a number of mine, or a greater one, has gone on from here

    def start(self):
        if not self.participant:
            self.propose()  # I send my number round

    def propose(self):
        self.participant = True
        self.pass_on(Election(self.number))

    def on_election(self, election, sender):
        if election.number == self.number:
            self.win()
        elif election.number > self.number:
            self.participant = True
            self.pass_on(election)  # it is greater than mine: it goes on
        elif self.participant:
            pass  # I have sent on a greater one already: this one ends here
        else:
            self.propose()  # mine is greater: it takes the other's place

    def win(self):
        self.participant = False
        self.elect(self.id)
        self.pass_on(Elected(self.number))  # my number has come all the way round: I lead

    def on_elected(self, elected, sender):
        leader = self.place_of(elected.number)
        if leader == self.id:
            pass  # everybody knows by now
        else:
            self.participant = False
            self.elect(leader)
            self.pass_on(elected)  # now I know the leader, and let the next one know

    def pass_on(self, message):
        self.send(message, to=self.next)

    def place_of(self, number):
        return self.ids.index(number) if self.ids else number

    def role(self):
        return "participant" if self.participant else ""

    def waiting_for(self):
        return ((self.id - 1) % self.size,) if self.participant else ()


ALGORITHM = Algorithm(
    name="chang-roberts",
    title="Chang–Roberts",
    summary="Numbers travel round the ring and stop at greater ones; the one that comes home is the leader's.",
    source="E. Chang, R. Roberts, CACM 22(5), 1979",
    process=ChangRoberts,
    looks={Election: "ask", Elected: "announce"},
    topology="ring",
    assumes=("reliable", "nobody crashes", "all numbers differ"),
    cost=Cost("2N … 3N−1", lambda n: 2 * n, lambda n: 3 * n - 1, "one initiator"),
    identity="number",
    promises=("E1", "E2"),
)
