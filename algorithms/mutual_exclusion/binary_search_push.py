"""Memo 440, end of section 4.2: the token asks which nodes are waiting, instead of or besides being searched for.

The printed sentence promises a logarithmic number of messages. But a holder that does not know which nodes are waiting
must ask all of them. The probes go out as a tree, so only the time is logarithmic.
"""

from algorithms.engine.process import Message, Parameter, Variant
from algorithms.mutual_exclusion.binary_search_token import BinarySearchToken, most_gimmes


class Probe(Message):
    holder: int  # the node that has the token and asks
    low: int  # asked are the nodes from this many after the holder …
    high: int  # … to this many, both ends excluded


class Ready(Message):
    number: int  # which of its requests is waiting


class Push(BinarySearchToken):
    delay = Parameter(1.0, "the longest time that a message takes", low=0)

    def setup(self):
        super().setup()
        self.wave = None  # its probes: None (not sent yet), "out" or "over"

    def acquire(self):
        self.number += 1
        self.traps.append((self.id, self.number))  # it sets a trap for itself
        if self.in_charge():
            self.go_on()

    def pass_on(self):
        if self.wave is None:
            self.wave = "out"
            self.set_timer("answer_timeout", self.delay * (most_gimmes(self.size) + 2))
            self.probe(self.id, 0, self.size)  # it has no trap and asks which other nodes are waiting
        elif self.wave == "over":
            self.wave = None
            super().pass_on()

    def probe(self, holder, low, high):
        if high - low > 1:
            self.send(Probe(holder, low, high), to=(holder + (low + high) // 2) % self.size)

    def on_probe(self, probe, sender):
        if self.wants:
            self.send(Ready(self.number), to=probe.holder)  # it tells P{probe.holder} that it is waiting
        middle = (probe.low + probe.high) // 2
        self.probe(probe.holder, probe.low, middle)
        self.probe(probe.holder, middle, probe.high)

    def on_ready(self, ready, sender):
        self.traps.append((sender, ready.number))  # it sets a trap for P{sender}
        if self.in_charge():
            self.go_on()

    def on_answer_timeout(self):
        self.wave = "over"
        self.go_on()


class PushAndPull(Push):
    acquire = BinarySearchToken.acquire


VARIANTS = {
    "binary-search-token": {
        "push": Variant(
            Push,
            "Waiting nodes do not search: the token's holder asks all nodes, along a tree, which of them are waiting.",
            looks={Probe: "announce", Ready: "grant"},
            assumes=("reliable", "synchronous", "nobody crashes"),
        ),
        "push-and-pull": Variant(
            PushAndPull,
            "Waiting nodes search for the token, and its holder also asks for waiting nodes.",
            looks={Probe: "announce", Ready: "grant"},
            assumes=("reliable", "synchronous", "nobody crashes"),
        ),
    }
}
