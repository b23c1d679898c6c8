"""Ring election that collects identifiers (Tanenbaum & van Steen, Distributed Systems, 6.5): two rounds, 2N messages.

The first round collects the live processes, the second announces the greatest.
"""

from algorithms.engine.process import Algorithm, ElectionProcess, Message, Variant, exactly


class Election(Message):
    ids: tuple  # who has passed it on, its initiator first


class Coordinator(Message):
    leader: int
    initiator: int  # where the message ends


class RingElection(ElectionProcess):
    roles = ("participant",)

    def setup(self):
        self.next = (self.id + 1) % self.size  # my successor on the ring
        self.participant = False  # I stand on a list whose election has not ended

    def start(self):
        self.send_list()  # I send a list round to see who is there

    def send_list(self):
        self.participant = True
        self.pass_on(Election((self.id,)))

    def on_election(self, election, sender):
        if election.ids[0] == self.id:
            self.conclude(max(election.ids))
        elif self.id in election.ids:
            self.pass_on(election)  # I stand on it already
        else:
            self.participant = True
            self.pass_on(Election((*election.ids, self.id)))  # I add myself

    def conclude(self, leader):
        self.participant = False
        self.elect(leader)
        self.pass_on(Coordinator(leader, self.id))  # my list is back: the greatest on it leads

    def on_coordinator(self, coordinator, sender):
        if coordinator.initiator == self.id:
            pass  # everybody knows by now
        else:
            self.participant = False
            self.elect(coordinator.leader)
            self.pass_on(coordinator)  # there is a new coordinator, and I let the next one know

    def pass_on(self, message):
        self.send(message, to=self.next)

    def role(self):
        return "participant" if self.participant else ""


class Short(RingElection):
    def on_coordinator(self, coordinator, sender):
        self.participant = False
        self.elect(coordinator.leader)
        if coordinator.initiator != self.next:
            self.pass_on(coordinator)  # there is a new coordinator, and I let the next one know


class Swallowing(RingElection):
    def on_election(self, election, sender):
        if election.ids[0] == self.id:
            self.conclude(max(election.ids))
        else:
            pass  # what is not my own list ends here


ALGORITHM = Algorithm(
    name="ring-election",
    title="Ring election",
    summary="A list goes round the ring, everybody adds itself, and the greatest on it leads.",
    source="A. S. Tanenbaum, M. van Steen, Distributed Systems, 6.5; lecture, '2. Ring Algorithm'",
    process=RingElection,
    looks={Election: "ask", Coordinator: "announce"},
    topology="ring",
    assumes=("reliable", "nobody crashes"),
    cost=exactly("2N", lambda n: 2 * n, "for each initiator"),
    promises=("E1", "E2"),
    variants={
        "short": Variant(
            Short,
            "Leaves out the last hop of the announcement, home to its initiator: 2N−1 messages, as on the slide.",
            cost=exactly("2N−1", lambda n: 2 * n - 1, "for each initiator"),
        ),
        "swallowing": Variant(
            Swallowing, "Nobody passes on the list of another: no election ever ends.", breaks=("E2",)
        ),
    },
)
