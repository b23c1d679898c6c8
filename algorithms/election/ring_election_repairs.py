"""Ring election with crashes: crashed neighbours are skipped, and an election that does not end is repeated.

Skipping crashed nodes is not enough. If the initiator crashes after sending its list, no process stops that list.
"""

from algorithms.components import handover
from algorithms.components.handover import Handover
from algorithms.election.ring_election import Election, RingElection
from algorithms.engine.process import Parameter, Part, Variant, exactly, when


class Skipping(RingElection):
    hops = Part(Handover)

    def pass_on(self, message):
        self.hops.hand_over(message)

    def on_election(self, election, sender):
        self.hops.acknowledge(sender)
        super().on_election(election, sender)

    def on_coordinator(self, coordinator, sender):
        self.hops.acknowledge(sender)
        super().on_coordinator(coordinator, sender)

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
        if election.ids[0] in self.hops.purged:
            self.hops.acknowledge(
                sender
            )  # it drops the list: it assumes that P{election.ids[0]}, which started it, has crashed
        else:
            super().on_election(election, sender)

    def on_coordinator(self, coordinator, sender):
        if coordinator.initiator in self.hops.purged:
            self.hops.acknowledge(
                sender
            )  # it drops the announcement: it assumes that P{coordinator.initiator} has crashed
        else:
            super().on_coordinator(coordinator, sender)

    def elect(self, leader):
        self.cancel_timer("leader_timeout")
        super().elect(leader)

    def on_leader_timeout(self):
        self.send_list()  # it sends a new list round: no leader was elected in time

    @when(lambda self: self.leader in self.hops.purged)
    def leader_is_dead(self):
        self.leader = None
        self.send_list()  # it sends a list round: it assumes that the leader has crashed


COST = exactly("2N, and as many acknowledgements", lambda n: 4 * n, "for each initiator")
VARIANTS = {
    "ring-election": {
        "skipping": Variant(
            Skipping,
            "Hands over with acknowledgements, skipping crashed nodes; a crashed initiator's list circulates forever.",
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
