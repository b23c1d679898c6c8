"""Non-End-to-End read word by word: a RELEASE that is not checked, and a YIELD that only some replicas receive."""

from algorithms.engine.process import Variant
from algorithms.peer_to_peer.non_end_to_end import NonEndToEnd, Yield


class AsDescribed(NonEndToEnd):
    def frees(self, replica, ticket):
        # The release is not compared with the holder.
        return replica in self.entries


class YieldToVoters(NonEndToEnd):
    def give_way(self, resource):
        ticket = self.ticket[resource]
        for replica in self.my_votes(resource):
            del self.voted[replica]
            self.on_yield(Yield(replica, ticket, ticket, ()), self.id)  # it yields only to replicas that vote for it


VARIANTS = {
    "non-end-to-end": {
        "as-described": Variant(
            AsDescribed,
            "A RELEASE makes the replica vote for the next request even if the vote is not the sender's.",
            breaks=("ME1",),
        ),
        "yield-to-voters": Variant(
            YieldToVoters,
            "YIELD goes only to replicas that vote for the sender: requests stay behind others, and none wins.",
            breaks=("ME2",),
            promises=("ME1",),
        ),
    }
}
