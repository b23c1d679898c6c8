"""Ring election when processes crash: dead neighbours are left out, and an election that does not end is repeated.

Leaving out the dead is not enough. If the initiator crashes when its list has left, nobody ends that list's journey.
"""

from algorithms.components import handover
from algorithms.components.handover import Handover
from algorithms.election.ring_election import Election, RingElection
from algorithms.engine.process import Parameter, Part, Variant, exactly


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
        self.hops.recovered()


class Restarting(Skipping):
    election_time = Parameter(40.0, "how long an election may take before I call for another", low=0)

    def setup(self):
        super().setup()
        self.open = set()  # initiators of elections that I have taken part in and that have not ended
        self.given_up = set()  # initiators whose elections have not ended in time: they must be dead

    def pass_on(self, message):
        super().pass_on(message)
        if isinstance(message, Election):
            if not self.open:
                self.set_timer("no_leader", self.election_time)
            self.open.add(message.ids[0])

    def on_election(self, election, sender):
        if election.ids[0] in self.given_up:
            self.hops.acknowledge(sender)  # this list has had its time: it ends here
        else:
            super().on_election(election, sender)

    def on_no_leader(self):
        self.given_up |= self.open - {self.id}  # no leader in time: whoever began has crashed
        self.open = set()
        self.start()

    def on_coordinator(self, coordinator, sender):
        if coordinator.initiator in self.open:
            super().on_coordinator(coordinator, sender)
        else:
            self.hops.acknowledge(sender)  # I know the outcome already: it ends here

    def elect(self, leader):
        self.cancel_timer("no_leader")
        self.open = set()
        self.given_up = set()
        super().elect(leader)

    def recovered(self):
        self.open = set()
        super().recovered()


VARIANTS = {
    "ring-election": {
        "skipping": Variant(
            Skipping,
            "Hands over against receipt and leaves out the dead; the list of a dead initiator circulates for ever.",
            breaks=("E2",),
            looks=handover.LOOKS,
            assumes=("reliable", "synchronous", "nobody crashes during the election"),
            cost=exactly("2N, and as many receipts", lambda n: 4 * n, "for each initiator"),
        ),
        "restarting": Variant(
            Restarting,
            "Leaves out dead neighbours, and starts anew when an election takes too long.",
            looks=handover.LOOKS,
            assumes=("reliable", "synchronous"),
            cost=exactly("2N, and as many receipts", lambda n: 4 * n, "for each initiator"),
        ),
    }
}
