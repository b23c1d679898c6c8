"""Chang–Roberts when processes crash: dead neighbours are left out, and an election that does not end is repeated.

Leaving out the dead is not enough. If the maximum crashes when its number has left, nobody stops that number.
"""

from algorithms.components import handover
from algorithms.components.handover import Handover
from algorithms.election.chang_roberts import ChangRoberts, Election
from algorithms.engine.process import Cost, Parameter, Part, Variant


class Skipping(ChangRoberts):
    hops = Part(Handover)

    def pass_on(self, message):
        self.hops.hand_over(message)

    def on_election(self, election, sender):
        self.hops.acknowledge(sender)
        super().on_election(election, sender)

    def on_elected(self, elected, sender):
        self.hops.acknowledge(sender)
        super().on_elected(elected, sender)

    def recovered(self):
        self.participant = False
        self.hops.recovered()


class Restarting(Skipping):
    election_time = Parameter(40.0, "how long an election may take before I call for another", low=0)

    def setup(self):
        super().setup()
        self.best = None  # the number that I have sent on last in this election
        self.given_up = set()  # numbers that were the greatest, yet not elected in time

    def pass_on(self, message):
        super().pass_on(message)
        if isinstance(message, Election):
            if self.best is None:
                self.set_timer("no_leader", self.election_time)
            self.best = message.number

    def on_election(self, election, sender):
        if election.number in self.given_up:
            self.hops.acknowledge(sender)  # this number has had its time: it ends here
        else:
            super().on_election(election, sender)

    def on_no_leader(self):
        self.given_up |= {self.best} - {self.number}  # nobody was elected in time: the greatest must be dead
        self.best = None
        self.participant = False
        self.start()

    def on_elected(self, elected, sender):
        if self.participant:
            super().on_elected(elected, sender)
        else:
            self.hops.acknowledge(sender)  # it comes by again, so the leader is dead: it ends here

    def elect(self, leader):
        self.cancel_timer("no_leader")
        self.best = None
        self.given_up = set()
        super().elect(leader)

    def recovered(self):
        self.best = None
        super().recovered()


VARIANTS = {
    "chang-roberts": {
        "skipping": Variant(
            Skipping,
            "Hands over against receipt and leaves out the dead; the number of a dead maximum circulates for ever.",
            breaks=("E2",),
            looks=handover.LOOKS,
            assumes=("reliable", "synchronous", "nobody crashes during the election"),
            cost=Cost("2N … 3N−1, and as many receipts", lambda n: 4 * n, lambda n: 6 * n - 2, "one initiator"),
        ),
        "restarting": Variant(
            Restarting,
            "Leaves out dead neighbours, and starts anew without the dead number when an election takes too long.",
            looks=handover.LOOKS,
            assumes=("reliable", "synchronous"),
            cost=Cost("2N … 3N−1, and as many receipts", lambda n: 4 * n, lambda n: 6 * n - 2, "one initiator"),
        ),
    }
}
