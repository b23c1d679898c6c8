"""Non-End-to-End read word by word: a RELEASE that is not checked, and a YIELD that only some replicas get."""

from algorithms.engine.process import Variant
from algorithms.peer_to_peer.non_end_to_end import NonEndToEnd, Yield


class AsDescribed(NonEndToEnd):
    def frees(self, replica, ticket):
        return replica in self.entries  # a RELEASE is a RELEASE, whoever holds the vote


class YieldToVoters(NonEndToEnd):
    def give_way(self, resource):
        ticket = self.ticket[resource]
        for replica in self.my_votes(resource):
            del self.voted[replica]
            self.on_yield(Yield(replica, ticket, ticket, ()), self.id)  # those behind others stay there


VARIANTS = {
    "non-end-to-end": {
        "as-described": Variant(
            AsDescribed,
            "A RELEASE makes the replica vote for the next although another than the sender has its vote.",
            breaks=("ME1",),
        ),
        "yield-to-voters": Variant(
            YieldToVoters,
            "YIELD goes only to the replicas that vote for the sender: requests stay behind others, and nobody wins.",
            breaks=("ME2",),
            promises=("ME1",),
        ),
    }
}
