"""Chang–Roberts with crashes: crashed neighbours are skipped, and an election that does not end is repeated.

Skipping crashed nodes is not enough. If the maximum crashes after sending its number, no process stops that number.
"""

from algorithms.components import handover
from algorithms.components.handover import Handover
from algorithms.election.chang_roberts import ChangRoberts, Elected, Election
from algorithms.engine.process import Cost, Parameter, Part, Variant, any_of, when


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

    def waiting_for(self):
        return any_of(range(self.size) if self.participant else (), Election, Elected)

    def recovered(self):
        self.participant = False
        self.hops.recovered()


class Restarting(Skipping):
    election_time = Parameter(
        40.0, "how long an election may take before it calls another", low=0, timer="leader_timeout"
    )

    def pass_on(self, message):
        super().pass_on(message)
        if isinstance(message, Election):
            self.set_timer("leader_timeout", self.election_time)

    def on_election(self, election, sender):
        if self.place_of(election.number) in self.hops.purged:
            self.hops.acknowledge(sender)  # it drops {election.number}: it assumes that its process has crashed
        else:
            super().on_election(election, sender)

    def on_elected(self, elected, sender):
        if self.place_of(elected.number) in self.hops.purged:
            self.hops.acknowledge(sender)  # it drops the announcement: it assumes that this leader has crashed
        else:
            super().on_elected(elected, sender)

    def elect(self, leader):
        self.cancel_timer("leader_timeout")
        super().elect(leader)

    def on_leader_timeout(self):
        self.propose()  # it proposes itself again: no leader was elected in time

    @when(lambda self: self.leader in self.hops.purged)
    def leader_is_dead(self):
        self.leader = None
        self.propose()  # it proposes itself: it assumes that the leader has crashed


COST = Cost(
    "2N … 3N−1, and as many acknowledgements",
    lambda n: 4 * n,
    lambda n: 6 * n - 2,
    "if one process starts the election",
)
VARIANTS = {
    "chang-roberts": {
        "skipping": Variant(
            Skipping,
            "Hands over with acknowledgements, skipping crashed nodes; a crashed maximum's number circulates forever.",
            breaks=("E2",),
            looks=handover.LOOKS,
            assumes=("reliable", "synchronous", "nobody crashes during the election"),
            cost=COST,
        ),
        "restarting": Variant(
            Restarting,
            "Skips crashed nodes, drops their messages, and calls a new election when one takes too long.",
            looks=handover.LOOKS,
            assumes=("reliable", "synchronous"),
            cost=COST,
        ),
    }
}
