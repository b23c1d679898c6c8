"""Ring election that collects identifiers (Tanenbaum & van Steen, Distributed Systems, 6.5): two rounds, 2N messages.

The first round collects the live processes, the second announces the highest.
"""

from algorithms.engine.process import Algorithm, ElectionProcess, Message, Variant, exactly


class Election(Message):
    ids: tuple  # the processes that it has visited, its initiator first


class Coordinator(Message):
    leader: int
    initiator: int  # the process where the message ends


class RingElection(ElectionProcess):
    roles = ("participant",)

    def setup(self):
        self.next = (self.id + 1) % self.size  # its successor on the ring
        self.participant = False  # whether it is on a list whose election has not ended

    def start(self):
        self.send_list()  # it sends a list round the ring, with itself on it

    def send_list(self):
        self.participant = True
        self.pass_on(Election((self.id,)))

    def on_election(self, election, sender):
        if election.ids[0] == self.id:
            self.conclude(max(election.ids))
        elif self.id in election.ids:
            self.pass_on(election)  # it passes the list on unchanged: it is already on it
        else:
            self.participant = True
            self.pass_on(Election((*election.ids, self.id)))  # it passes the list on, adding itself

    def conclude(self, leader):
        self.participant = False
        self.elect(leader)
        self.pass_on(Coordinator(leader, self.id))  # its list is back, and P{leader} is the highest on it

    def on_coordinator(self, coordinator, sender):
        if coordinator.initiator == self.id:
            pass  # its announcement is back and goes no further
        else:
            self.participant = False
            self.elect(coordinator.leader)
            self.pass_on(coordinator)  # it passes the announcement on

    def pass_on(self, message):
        self.send(message, to=self.next)

    def role(self):
        return "participant" if self.participant else ""


class Short(RingElection):
    def on_coordinator(self, coordinator, sender):
        self.participant = False
        self.elect(coordinator.leader)
        if coordinator.initiator != self.next:
            self.pass_on(coordinator)  # it passes the announcement on


class Swallowing(RingElection):
    def on_election(self, election, sender):
        if election.ids[0] == self.id:
            self.conclude(max(election.ids))
        else:
            pass  # it discards the list of P{election.ids[0]}


ALGORITHM = Algorithm(
    name="ring-election",
    title="Ring election",
    summary="A list travels round the ring, every process adds itself, and the highest on it becomes leader.",
    source="A. S. Tanenbaum, M. van Steen, Distributed Systems, 6.5; lecture, '2. Ring Algorithm'",
    process=RingElection,
    looks={Election: "ask", Coordinator: "announce"},
    topology="ring",
    assumes=("reliable", "nobody crashes"),
    cost=exactly("2N", lambda n: 2 * n, "for each initiator"),
    promises=("E1", "E2"),
    explanation=(
        "The processes form a ring. A process that calls an election sends a list with its own number to its "
        "successor, and every process that receives the list adds its number and passes it on. When the list is back, "
        "its initiator knows all live processes, and the highest of them is the leader. A second message goes round "
        "the ring to announce this. If several processes start at the same time, each list goes round, with the same "
        "result."
    ),
    symbols={"N": "the number of processes"},
    variants={
        "short": Variant(
            Short,
            "Omits the announcement's last hop, back to its initiator: 2N−1 messages, as on the slide.",
            cost=exactly("2N−1", lambda n: 2 * n - 1, "for each initiator"),
        ),
        "swallowing": Variant(
            Swallowing, "No process passes on another's list, so no election ever ends.", breaks=("E2",)
        ),
    },
)
