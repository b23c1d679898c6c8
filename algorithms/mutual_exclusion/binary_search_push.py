"""Memo 440, end of section 4.2: the token asks which nodes are waiting, instead of or beside being searched for.

The printed sentence promises a logarithmic number of messages. But a node that does not know which nodes are ready has
to ask all of them. The probes go out as a tree, so only the time is logarithmic.
"""

from algorithms.engine.process import Message, Parameter, Variant
from algorithms.mutual_exclusion.binary_search_token import BinarySearchToken, most_gimmes


class Probe(Message):
    holder: int  # who has the token, and asks
    low: int  # as seen from the holder, the nodes after this one …
    high: int  # … and before this one are asked


class Ready(Message):
    number: int  # of the request


class Push(BinarySearchToken):
    delay = Parameter(1.0, "how long a message takes at most", low=0)

    def setup(self):
        super().setup()
        self.wave = None  # my probes: None not sent yet, "out", or "over"

    def acquire(self):
        self.number += 1
        self.traps.append((self.id, self.number))
        if self.in_charge():
            self.go_on()  # otherwise I wait to be asked

    def pass_on(self):
        if self.wave is None:
            self.wave = "out"
            self.set_timer("all_answered", self.delay * (most_gimmes(self.size) + 2))
            self.probe(self.id, 0, self.size)  # nobody has asked: I ask everybody
        elif self.wave == "over":
            self.wave = None
            super().pass_on()

    def probe(self, holder, low, high):
        if high - low > 1:
            self.send(Probe(holder, low, high), to=(holder + (low + high) // 2) % self.size)

    def on_probe(self, probe, sender):
        if self.wants:
            self.send(Ready(self.number), to=probe.holder)
        middle = (probe.low + probe.high) // 2
        self.probe(probe.holder, probe.low, middle)
        self.probe(probe.holder, middle, probe.high)

    def on_ready(self, ready, sender):
        self.traps.append((sender, ready.number))
        if self.in_charge():
            self.go_on()

    def on_all_answered(self):
        self.wave = "over"
        self.go_on()


class PushAndPull(Push):
    acquire = BinarySearchToken.acquire


VARIANTS = {
    "binary-search-token": {
        "push": Variant(
            Push,
            "Nobody asks for the token: wherever it comes, it asks all nodes, as a tree, who wants it.",
            looks={Probe: "announce", Ready: "grant"},
            assumes=("reliable", "synchronous", "nobody crashes"),
        ),
        "push-and-pull": Variant(
            PushAndPull,
            "Requesters search for the token, and the token for requesters.",
            looks={Probe: "announce", Ready: "grant"},
            assumes=("reliable", "synchronous", "nobody crashes"),
        ),
    }
}
