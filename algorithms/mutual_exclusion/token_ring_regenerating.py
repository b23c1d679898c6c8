"""Token ring that regenerates a lost token, by an election on the same ring (Le Lann, IFIP Congress 1977).

Asking everybody for the token is not enough: while it is in transit nobody has it. The election is safe: its messages
cannot overtake the token, a process that is inside stops them, and one that has seen the token meanwhile does not win.
"""

from algorithms.components import handover
from algorithms.election import chang_roberts
from algorithms.election.chang_roberts import ChangRoberts
from algorithms.engine.process import Parameter, Part, Variant, when
from algorithms.mutual_exclusion.token_ring import Token, TokenRing
from algorithms.mutual_exclusion.token_ring_acknowledged import COST, Acknowledged


class ElectionOnTheRing(ChangRoberts):
    """Its messages go the way of the token. Who has seen the token since it proposed itself does not win."""

    def setup(self):
        super().setup()
        self.stands = False  # I have proposed myself, and have not seen the token since

    def propose(self):
        self.stands = True
        # Each proposal has a number of its own: an old one that comes home late does not count.
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
    loss_time = Parameter(40.0, "how long I wait for the token before I take it for lost", low=0, timer="no_token")
    election = Part(ElectionOnTheRing)

    def setup(self):
        super().setup()
        self.outdated = False  # I crashed inside: if my token was missed, there is another
        self.announced = False  # I have said that I live, in case I am left out

    def launch(self):
        super().launch()
        self.set_timer("no_token", self.loss_time)

    def on_token(self, token, sender):
        self.note_token()
        super().on_token(token, sender)

    def note_token(self):
        self.announced = False
        self.election.void()
        self.set_timer("no_token", self.loss_time)

    def on_no_token(self):
        self.set_timer("no_token", self.loss_time)
        if not self.announced:
            self.announced = True
            self.hops.announce()  # no token for so long: perhaps I am left out, though I live
        elif not self.inside:
            self.election.propose()  # still no token: we elect who makes a new one

    def on_election(self, election, sender):
        self.hops.acknowledge(sender)
        if self.inside:
            pass  # the election ends here: the token is not lost, I have it
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
        TokenRing.on_token(self, Token(), self.id)  # I am elected: I make a new token, and have it

    def recovered(self):
        super().recovered()
        self.election.void()
        self.outdated = self.inside
        self.set_timer("no_token", self.loss_time)

    def release(self):
        if self.outdated:
            self.outdated = False
            self.destroy_token()  # the others have made a new token since: mine ends here
        else:
            super().release()


VARIANTS = {
    "token-ring": {
        "regenerating": Variant(
            Regenerating,
            "Leaves out dead neighbours, and elects on the same ring who makes a new token when it stays away.",
            looks={**handover.LOOKS, **chang_roberts.ALGORITHM.looks},
            assumes=("FIFO", "reliable", "synchronous"),
            cost=COST,
        ),
    }
}
