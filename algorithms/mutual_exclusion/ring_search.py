"""Memo 440, section 4.1: a token rests where it was last used, and is searched for node by node, with traps.

System Search (Figure 6) with the restrictions of Lemma 5: a search goes round the ring and leaves a trap at every
node; the holder sends the token to the first trap. N−1 searches and 1 token per entry, in time O(N).
"""

from collections import deque
from dataclasses import field, replace

from algorithms.engine.process import Algorithm, Message, MutexProcess, Variant, any_of, exactly


class Token(Message):
    satisfied: tuple = field(repr=False)  # of every node the number of its newest request that is satisfied

    def has_satisfied(self, node, number):
        return replace(self, satisfied=(*self.satisfied[:node], number, *self.satisfied[node + 1 :]))


class Search(Message):
    requester: int
    number: int  # of the request, counted by the requester


class RingSearch(MutexProcess):
    def setup(self):
        self.next = (self.id + 1) % self.size  # my successor on the ring
        self.number = 0  # how many requests I have made
        self.traps = deque()  # (node, number): requests to which the token is to be sent from here, in this order
        self.token = None  # the token, if I have it

    def launch(self):
        if self.id == 0:
            self.create_token()
            self.token = Token((0,) * self.size)

    def acquire(self):
        self.number += 1
        if self.token:
            self.enter()  # it rests here
        else:
            self.send(Search(self.id, self.number), to=self.next)  # let my successor look for it

    def on_search(self, search, sender):
        self.traps.append((search.requester, search.number))
        if self.next != search.requester:
            self.send(search, to=self.next)  # all round the ring: wherever the token goes, it finds this trap
        self.spring()

    def on_token(self, token, sender):
        self.token = token
        self.enter()  # a trap has sent it to me

    def spring(self):
        while self.token and not self.inside and self.traps:
            node, number = self.traps.popleft()
            if self.token.satisfied[node] < number:
                self.send(self.token, to=node)  # the first who has asked here has it next
                self.token = None

    def release(self):
        self.token = self.token.has_satisfied(self.id, self.number)  # traps that are left of my request are stale
        self.spring()

    def holding(self):
        return self.token is not None

    def waiting_for(self):
        return any_of(range(self.size), Token)

    def keeps_waiting(self, other):
        if self.token is None:
            return ""
        request = (other.id, other.number)
        if request not in self.traps:
            return f"has not received P{other.id}'s search"
        return f"has a trap for P{other.id}, number {self.traps.index(request) + 1} of {len(self.traps)}"

    def carries_my_request(self, message):
        return isinstance(message, Search) and (message.requester, message.number) == (self.id, self.number)

    @property
    def traps_for(self):
        """To whom the token is to be sent from here."""
        return [node for node, _ in self.traps]


class Circulating(RingSearch):
    def launch(self):
        super().launch()
        self.go_on()

    def on_token(self, token, sender):
        self.token = token
        if self.wants:
            self.enter()
        else:
            self.go_on()

    def on_search(self, search, sender):
        super().on_search(search, sender)
        self.go_on()

    def release(self):
        super().release()
        self.go_on()

    def go_on(self):
        self.spring()
        if self.token and not self.inside:
            self.send(self.token, to=self.next)  # no trap here: it goes on round the ring
            self.token = None


ALGORITHM = Algorithm(
    name="ring-search",
    title="Linear search with traps",
    summary="A search goes round the ring and leaves traps; whoever has the token sends it to the first of them.",
    source="B. Englert, L. Rudolph, A. Shvartsman, MIT CSG Memo 440, 2001, System Search with Lemma 5",
    process=RingSearch,
    looks={Token: "token", Search: "ask"},
    topology="ring",
    assumes=("reliable", "nobody crashes"),
    cost=exactly("N", lambda n: n, "0 where the token rests already"),
    token=Token,
    chips="traps_for",
    variants={
        "circulating": Variant(
            Circulating,
            "Lemma 5 as printed: the token goes round as well, and searches that follow it find it late.",
        )
    },
)
