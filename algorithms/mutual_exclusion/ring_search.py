"""Memo 440, section 4.1: a token rests where it was last used, and is searched for node by node, with traps.

System Search (Figure 6) with the restrictions of Lemma 5: a search goes round the ring and leaves a trap at every
node; the holder sends the token to the first trap. N−1 searches and 1 token per entry, in time O(N).
"""

from collections import deque
from dataclasses import field, replace

from algorithms.engine.process import Algorithm, Cost, Message, MutexProcess, Variant, any_of, exactly


class Token(Message):
    satisfied: tuple = field(repr=False)  # for each node, the number of its newest satisfied request

    def has_satisfied(self, node, number):
        return replace(self, satisfied=(*self.satisfied[:node], number, *self.satisfied[node + 1 :]))


class Search(Message):
    requester: int
    number: int  # which of the requester's requests it is


class RingSearch(MutexProcess):
    def setup(self):
        self.next = (self.id + 1) % self.size  # its successor on the ring
        self.number = 0  # number of its latest request
        self.traps = deque()  # (node, number): requests that the token is sent to from here, in this order
        self.token = None  # the token, while it is here

    def launch(self):
        if self.id == 0:
            self.create_token()
            self.token = Token((0,) * self.size)

    def acquire(self):
        self.number += 1
        if self.token:
            self.enter()  # the token rests here
        else:
            self.send(Search(self.id, self.number), to=self.next)  # it sends a search to its successor P{next}

    def on_search(self, search, sender):
        self.traps.append((search.requester, search.number))  # it sets a trap for P{search.requester}
        if self.next != search.requester:
            self.send(
                search, to=self.next
            )  # it sets a trap for P{search.requester} and passes the search on to P{next}
        self.spring()

    def on_token(self, token, sender):
        self.token = token
        self.enter()  # a trap has diverted the token to it

    def spring(self):
        while self.token and not self.inside and self.traps:
            node, number = self.traps.popleft()
            if self.token.satisfied[node] < number:
                self.send(self.token, to=node)  # it sends the token to P{node}, whose trap is next
                self.token = None

    def release(self):
        # Traps that are left of this request are stale from now on.
        self.token = self.token.has_satisfied(self.id, self.number)
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
        """The nodes that the traps here will send the token to, in this order."""
        return [node for node, _ in self.traps]


class Circulating(RingSearch):
    def launch(self):
        super().launch()
        self.go_on()

    def on_token(self, token, sender):
        self.token = token
        if self.wants:
            self.enter()  # it has the token now
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
            self.send(self.token, to=self.next)  # it passes the token on to P{next}: no trap is left
            self.token = None


ALGORITHM = Algorithm(
    name="ring-search",
    title="Linear search with traps",
    summary="A search goes round the ring and leaves a trap at every node; the token goes to its holder's first trap.",
    source="B. Englert, L. Rudolph, A. Shvartsman, MIT CSG Memo 440, 2001, System Search with Lemma 5",
    process=RingSearch,
    looks={Token: "token", Search: "ask"},
    topology="ring",
    assumes=("reliable", "nobody crashes"),
    cost=exactly("N", lambda n: n, "N − 1 searches and the token; 0 where the token rests already"),
    token=Token,
    chips="traps_for",
    explanation="""\
The token rests at the node that used it last, and only the node that has it may enter. A waiting node sends a search
to its successor, and the search goes all the way round the ring. Every node on the way sets a trap for the
requester, a note that the token is to be sent there. As soon as the holder has left the critical section, it sends
the token to the first trap whose request is still open. So a request costs N messages, however near the token is.""",
    symbols={
        "search": "a message that goes round the ring and asks for the token on behalf of the requester",
        "trap": "a note at a node that sends the token to a waiting node",
        "number": "which of its requests a node made",
    },
    variants={
        "circulating": Variant(
            Circulating,
            "Lemma 5 as printed: the token circulates too, so a search may follow it and reach it late.",
            cost=Cost("≥ N", lambda n: n, None, "plus the hops of the token while nobody asks"),
        )
    },
)
