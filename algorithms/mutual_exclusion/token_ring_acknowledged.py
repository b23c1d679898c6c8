"""Token ring with acknowledgements: a crashed neighbour is skipped, and readmitted when it recovers.

A token in transit to a crashed neighbour is handed to the next one instead. A token whose holder crashes is lost.
"""

from algorithms.components import handover
from algorithms.components.handover import Handover
from algorithms.engine.process import Cost, Part, Variant, any_of
from algorithms.mutual_exclusion.token_ring import Token, TokenRing


class Acknowledged(TokenRing):
    hops = Part(Handover)

    def pass_on(self, token):
        self.hops.hand_over(token)

    def on_token(self, token, sender):
        self.hops.acknowledge(sender)
        super().on_token(token, sender)

    def holding(self):
        return self.inside or self.hops.keeps(Token())

    def waiting_for(self):
        return any_of(range(self.size), Token)  # from the live process before it

    def recovered(self):
        self.hops.recovered()


COST = Cost(
    "2 … 2N",
    lambda n: 2,
    lambda n: 2 * n,
    "2 if every process keeps asking, up to 2N if only one does; half of them are acknowledgements",
)
VARIANTS = {
    "token-ring": {
        "acknowledged": Variant(
            Acknowledged,
            "Hands over the token with acknowledgements, skipping crashed nodes; a crash inside still loses it.",
            looks=handover.LOOKS,
            assumes=("reliable", "synchronous", "nobody crashes inside"),
            cost=COST,
        )
    }
}
