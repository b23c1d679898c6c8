"""Englert, Rudolph & Shvartsman, MIT CSG Memo 440, 2001: a circulating token, found by binary search.

A waiting node asks the node halfway round the ring. A node that is asked sets a trap for the requester and passes the
search on, halfway through the range that is left. A trap diverts the token to the requester; then the token returns.

System BinarySearch (Figure 7) with its rules repaired, and with token-rotation clean-up (section 4.4).
At most ⌈log₂ N⌉ gimmes and a loan, there and back, per entry, besides the hops of the token's round.
"""

from collections import deque
from dataclasses import field, replace
from math import ceil, log2

from algorithms.engine.process import Algorithm, Cost, Message, MutexProcess, any_of


class Token(Message):
    visits: int  # how far it has come on its round, in hops modulo 2N
    satisfied: tuple = field(repr=False)  # for each node, the number of its newest satisfied request
    lender: int | None  # the node that has lent it and will have it back; None on its round

    def has_satisfied(self, node, number):
        return replace(self, satisfied=(*self.satisfied[:node], number, *self.satisfied[node + 1 :]))


class Gimme(Message):
    requester: int
    number: int  # which of the requester's requests it is
    visited: int = field(repr=False)  # `visits` when the token last came by the requester
    low: int  # the search goes on between this many nodes after the requester …
    high: int  # … and this many


class BinarySearchToken(MutexProcess):
    def setup(self):
        self.visited = (self.id - self.size) % (2 * self.size)  # the token's `visits` when it last came by on its round
        self.number = 0  # number of its latest request
        self.traps = deque()  # (node, number): requests that divert the token from here, in this order
        self.token = None  # the token, while it is here
        self.lent = False  # whether the token is on loan from here and will come back

    def launch(self):
        if self.id == 0:
            self.create_token()
            self.on_token(self.new_token(), self.id)

    def new_token(self):
        return Token(visits=0, satisfied=(0,) * self.size, lender=None)

    def acquire(self):
        self.number += 1
        self.traps.append((self.id, self.number))  # it sets a trap for itself
        if self.in_charge():
            self.go_on()
        else:
            self.search(Gimme(self.id, self.number, self.visited, 0, self.size))

    def search(self, gimme):
        asked = (gimme.requester + (gimme.low + gimme.high) // 2) % self.size
        if gimme.high - gimme.low > 1 and gimme.requester == self.id:
            self.send(gimme, to=asked)  # it asks P{asked}, in the middle of the range to search
        elif gimme.high - gimme.low > 1:
            self.send(
                gimme, to=asked
            )  # it sets a trap for P{gimme.requester}, then asks P{asked}, halfway through the rest

    def on_gimme(self, gimme, sender):
        self.traps.append((gimme.requester, gimme.number))  # it sets a trap for P{gimme.requester}, and the search ends
        if self.in_charge():
            self.go_on()
        else:
            self.search(self.halved(gimme))

    def halved(self, gimme):
        here = (gimme.low + gimme.high) // 2
        # If the token has been here since it was at the requester, it is beyond this node; else it is before it.
        if 0 < (self.visited - gimme.visited) % (2 * self.size) < self.size:
            return replace(gimme, low=here)
        return replace(gimme, high=here)

    def in_charge(self):
        return self.lent or (self.token is not None and self.token.lender is None)

    def on_token(self, token, sender):
        if token.lender is None:
            self.visited = token.visits
            self.take(token)
        elif token.lender == self.id:
            self.lent = False
            self.take(replace(token, lender=None))
        else:
            self.borrow(token)

    def take(self, token):
        self.token = token
        self.go_on()

    def borrow(self, token):
        if self.wants:
            self.token = token
            self.traps.remove((self.id, self.number))
            self.enter()  # a trap has diverted the token to it
        else:
            self.send(token, to=token.lender)  # it returns the token to P{token.lender}: it is not waiting any more

    def go_on(self):
        while self.token and not self.inside and self.traps:
            self.spring(*self.traps.popleft())
        if self.token and not self.inside:
            self.pass_on()

    def spring(self, node, number):
        if node == self.id:
            self.enter()  # its own trap is next
        elif self.token.satisfied[node] < number:
            self.lend(node)

    def lend(self, node):
        self.lent = True
        self.hand_over(replace(self.token, lender=self.id), node)  # it lends the token to P{node}, whose trap is next

    def pass_on(self):
        visits = (self.token.visits + 1) % (2 * self.size)
        following = (self.id + 1) % self.size
        self.hand_over(
            replace(self.token, visits=visits), following
        )  # it passes the token on to P{following}: no trap is left

    def hand_over(self, token, node):
        self.token = None
        self.send(token, to=node)

    def release(self):
        # Traps that are left of this request are stale from now on.
        self.token = self.token.has_satisfied(self.id, self.number)
        if self.in_charge():
            self.go_on()
        else:
            self.hand_over(self.token, self.token.lender)  # it returns the token to P{token.lender}, which had lent it

    def holding(self):
        return self.token is not None

    def waiting_for(self):
        return any_of(range(self.size), type(self.new_token()))

    def keeps_waiting(self, other):
        request = (other.id, other.number)
        if not self.in_charge() or request not in self.traps:
            return ""
        place = f"a trap for P{other.id}, number {self.traps.index(request) + 1} of {len(self.traps)}"
        return f"has lent the token and has {place}" if self.lent else f"has {place}"

    def carries_my_request(self, message):
        return isinstance(message, Gimme) and (message.requester, message.number) == (self.id, self.number)

    @property
    def traps_for(self):
        """The nodes that the traps here will send the token to, in this order."""
        return [node for node, _ in self.traps]


def most_gimmes(nodes):
    """The largest number of gimmes for one request: ⌈log₂ N⌉."""
    return ceil(log2(nodes))


ALGORITHM = Algorithm(
    name="binary-search-token",
    title="Token with binary search",
    summary="A token circulates on a ring; waiting nodes search for it by halving the ring, with traps that divert it.",
    source="B. Englert, L. Rudolph, A. Shvartsman, MIT CSG Memo 440, 2001, System BinarySearch",
    process=BinarySearchToken,
    looks={Token: "token", Gimme: "ask"},
    topology="ring",
    assumes=("reliable", "nobody crashes"),
    cost=Cost(
        "0 … ⌈log₂ N⌉ + 2",
        lambda n: 0,
        lambda n: most_gimmes(n) + 2,
        "gimmes and a loan, there and back; the hops of the token's round come on top",
    ),
    token=Token,
    chips="traps_for",
    explanation="""\
A single token circulates on a ring, and only the node that has it may enter. A node that wants to enter does not
wait for the token to come round: it sends a gimme, a search message, to the node halfway round the ring. That node
sets a trap for the requester and passes the search on to the half of the range in which the token is. It knows which
half, because it compares when the token last came by here and when it last came by the requester. When the token
reaches a trap, it is lent to the requester, which enters, returns it, and lets it resume its round. So a request
needs at most ⌈log₂ N⌉ gimmes, and waiting grows with log₂ N instead of N.""",
    symbols={
        "gimme": "a search message: it asks a node for the token on behalf of the requester",
        "trap": "a note at a node that sends the token to a waiting node",
        "visits": "how far the token has come on its round, in hops modulo 2N",
        "lender": "the node that has lent the token and will have it back",
        "low": "the search goes on between this many nodes after the requester, and high",
        "high": "the search goes on between low and this many nodes after the requester",
        "number": "which of its requests a node made",
        "⌈log₂ N⌉": "how often N nodes can be halved, rounded up",
    },
)
