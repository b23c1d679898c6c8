"""Englert, Rudolph & Shvartsman, MIT CSG Memo 440, 2001: a circulating token, found by binary search.

A node that wants the token asks halfway round the ring. A node that is asked remembers the request as a trap and asks
on, halfway towards the token. A trap diverts the token to the requester; then it returns and resumes its round.

System BinarySearch (Figure 7) with its rules repaired, and with token-rotation clean-up (section 4.4).
At most ⌈log₂ N⌉ gimmes and 2 loans per entry, and the hops of the token.
"""

from collections import deque
from dataclasses import field, replace
from math import ceil, log2

from algorithms.engine.process import Algorithm, Cost, Message, MutexProcess, any_of


class Token(Message):
    visits: int  # how many nodes it has come by on its way round, modulo 2N
    satisfied: tuple = field(repr=False)  # of every node the number of its newest request that is satisfied
    lender: int | None  # who has lent it, and wants it back; None on its way round

    def has_satisfied(self, node, number):
        return replace(self, satisfied=(*self.satisfied[:node], number, *self.satisfied[node + 1 :]))


class Gimme(Message):
    requester: int
    number: int  # of the request, counted by the requester
    visited: int = field(repr=False)  # when the token was last at the requester
    low: int  # as seen from the requester, so many nodes on, the token is beyond this node …
    high: int  # … and before this one


class BinarySearchToken(MutexProcess):
    def setup(self):
        self.visited = (self.id - self.size) % (2 * self.size)  # when the token last came by, as it counts its visits
        self.number = 0  # how many requests I have made
        self.traps = deque()  # (node, number): requests that the token is to satisfy when it is here, in this order
        self.token = None  # the token, if it is in my hands
        self.lent = False  # my token is on loan, and will be back

    def launch(self):
        if self.id == 0:
            self.create_token()
            self.on_token(self.new_token(), self.id)

    def new_token(self):
        return Token(visits=0, satisfied=(0,) * self.size, lender=None)

    def acquire(self):
        self.number += 1
        self.traps.append((self.id, self.number))  # a trap for me: when the token comes by, I take my turn
        if self.in_charge():
            self.go_on()
        else:
            self.search(Gimme(self.id, self.number, self.visited, 0, self.size))

    def search(self, gimme):
        if gimme.high - gimme.low > 1:
            self.send(gimme, to=self.asked(gimme))  # ask halfway: the token is there, has been there, or is to come

    def asked(self, gimme):
        return (gimme.requester + (gimme.low + gimme.high) // 2) % self.size

    def on_gimme(self, gimme, sender):
        self.traps.append((gimme.requester, gimme.number))  # a trap for the requester
        if self.in_charge():
            self.go_on()  # the token is here, or on loan from here: nobody else need be asked
        else:
            self.search(self.halved(gimme))

    def halved(self, gimme):
        here = (gimme.low + gimme.high) // 2
        if 0 < (self.visited - gimme.visited) % (2 * self.size) < self.size:
            return replace(gimme, low=here)  # it has been here since it was at the requester: search clockwise
        return replace(gimme, high=here)  # it has not: search counter-clockwise

    def in_charge(self):
        return self.lent or (self.token is not None and self.token.lender is None)

    def on_token(self, token, sender):
        if token.lender is None:
            self.visited = token.visits  # the token comes by on its way round
            self.take(token)
        elif token.lender == self.id:
            self.lent = False
            self.take(replace(token, lender=None))  # my loan is back: the token goes on from here
        else:
            self.borrow(token)

    def take(self, token):
        self.token = token
        self.go_on()

    def borrow(self, token):
        if self.wants:
            self.token = token
            self.traps.remove((self.id, self.number))
            self.enter()  # a trap has sent me the token
        else:
            self.send(token, to=token.lender)  # a stale trap has sent it: I want nothing

    def go_on(self):
        while self.token and not self.inside and self.traps:
            self.spring(*self.traps.popleft())
        if self.token and not self.inside:
            self.pass_on()

    def spring(self, node, number):
        if node == self.id:
            self.enter()  # my turn among those who have asked here
        elif self.token.satisfied[node] < number:
            self.lend(node)

    def lend(self, node):
        self.lent = True
        self.hand_over(replace(self.token, lender=self.id), node)  # whoever laid the trap has it next

    def pass_on(self):
        visits = (self.token.visits + 1) % (2 * self.size)
        self.hand_over(replace(self.token, visits=visits), (self.id + 1) % self.size)  # no trap here: to the next

    def hand_over(self, token, node):
        self.token = None
        self.send(token, to=node)

    def release(self):
        self.token = self.token.has_satisfied(self.id, self.number)  # traps that are left of my request are stale
        if self.in_charge():
            self.go_on()
        else:
            self.hand_over(self.token, self.token.lender)  # it is only lent: back to where it was diverted

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
        """To whom the token is to be sent from here."""
        return [node for node, _ in self.traps]


def most_gimmes(nodes):
    """How many gimmes a request needs at most: ⌈log₂ N⌉."""
    return ceil(log2(nodes))


ALGORITHM = Algorithm(
    name="binary-search-token",
    title="Token with binary search",
    summary="A token goes round a ring; who wants it asks halfway towards it, and traps divert it and send it back.",
    source="B. Englert, L. Rudolph, A. Shvartsman, MIT CSG Memo 440, 2001, System BinarySearch",
    process=BinarySearchToken,
    looks={Token: "token", Gimme: "ask"},
    topology="ring",
    assumes=("reliable", "nobody crashes"),
    cost=Cost(
        "0 … ⌈log₂ N⌉ + 2",
        lambda n: 0,
        lambda n: most_gimmes(n) + 2,
        "gimmes and a loan, there and back; beside them the token goes round for ever",
    ),
    token=Token,
    chips="traps_for",
)
