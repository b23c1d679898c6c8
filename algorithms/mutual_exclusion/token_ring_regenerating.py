"""Token ring that regenerates a lost token, by an election on the same ring (Le Lann, IFIP Congress 1977).

Asking every process for the token is not enough: while it is in transit, no process has it. The election is safe: its
messages cannot overtake the token, a process that is inside stops them, and one that has seen the token since does not
win. A lost token is replaced, but a second one is never removed: the ring is not self-stabilizing.
"""

from algorithms.components import handover
from algorithms.election import chang_roberts
from algorithms.election.chang_roberts import ChangRoberts
from algorithms.engine.process import Parameter, Part, Variant, when
from algorithms.mutual_exclusion.token_ring import Token, TokenRing
from algorithms.mutual_exclusion.token_ring_acknowledged import COST, Acknowledged


class ElectionOnTheRing(ChangRoberts):
    """Its messages take the token's way; a process that has seen the token since its proposal does not win."""

    def setup(self):
        super().setup()
        self.stands = False  # whether it has proposed itself and not seen the token since

    def propose(self):
        self.stands = True
        # Each proposal has its own number: an old one that comes back late does not count.
        self.number += self.size
        super().propose()

    def void(self):
        self.stands = False
        self.participant = False

    def win(self):
        if self.stands:
            super().win()

    def pass_on(self, message):
        self.owner.hops.hand_over(message)

    def place_of(self, number):
        return number % self.size


class Regenerating(Acknowledged):
    loss_time = Parameter(
        40.0, "how long it waits for the token before it assumes that it is lost", low=0, timer="token_timeout"
    )
    election = Part(ElectionOnTheRing)

    def setup(self):
        super().setup()
        self.outdated = False  # whether it crashed inside, so that there may be another token
        self.announced = False  # whether it has announced that it is alive, in case it is being skipped

    def launch(self):
        super().launch()
        self.set_timer("token_timeout", self.loss_time)

    def on_token(self, token, sender):
        self.note_token()
        super().on_token(token, sender)

    def note_token(self):
        self.announced = False
        self.election.void()
        self.set_timer("token_timeout", self.loss_time)

    def on_token_timeout(self):
        self.set_timer("token_timeout", self.loss_time)
        if not self.announced:
            self.announced = True
            self.hops.announce()  # it tells P{hops.giver} that it is alive, in case it is being skipped
        elif not self.inside:
            self.election.propose()  # it calls an election to replace the token: it is still without one

    def on_election(self, election, sender):
        self.hops.acknowledge(sender)
        if self.inside:
            pass  # it stops the election: it holds the token
        else:
            self.election.on_election(election, sender)

    def on_elected(self, elected, sender):
        self.hops.acknowledge(sender)
        self.election.on_elected(elected, sender)

    @when(lambda self: self.election.leader == self.id)
    def elected(self):
        self.election.leader = None
        self.note_token()
        self.create_token()
        TokenRing.on_token(self, Token(), self.id)  # it is elected to make a new token

    def recovered(self):
        super().recovered()
        self.election.void()
        self.outdated = self.inside
        self.set_timer("token_timeout", self.loss_time)

    def release(self):
        if self.outdated:
            self.outdated = False
            self.destroy_token()  # it crashed inside, and the others may have made a new token
        else:
            super().release()


VARIANTS = {
    "token-ring": {
        "regenerating": Variant(
            Regenerating,
            "Skips crashed neighbours; if the token does not come back, the ring elects a process to make a new one.",
            looks={**handover.LOOKS, **chang_roberts.ALGORITHM.looks},
            assumes=("FIFO", "reliable", "synchronous"),
            cost=COST,
        )
    }
}
