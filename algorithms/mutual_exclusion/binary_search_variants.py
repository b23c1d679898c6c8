"""Memo 440, section 4.4: refinements of the binary search, and the cost of following the printed rules."""

from dataclasses import replace

from algorithms.engine.process import Message, Parameter, Variant
from algorithms.mutual_exclusion import binary_search_token as printed
from algorithms.mutual_exclusion.binary_search_token import BinarySearchToken


class MyTurnFirst(BinarySearchToken):
    def go_on(self):
        if self.token and self.wants:
            self.traps.remove((self.id, self.number))
            self.enter()  # it takes its own turn before any other trap
        else:
            super().go_on()


class NoCleanUp(MyTurnFirst):
    def spring(self, node, number):
        # The request may have been satisfied elsewhere; no clean-up, so nobody knows.
        self.lend(node)


class LoansLeaveMarks(BinarySearchToken):
    def borrow(self, token):
        # A loan counts as a visit, although the token is not here on its round.
        self.visited = token.visits
        super().borrow(token)


class Answer(Message):
    number: int  # which of the requester's requests it is
    low: int  # the range to search, as in a gimme
    high: int


class DirectedSearch(BinarySearchToken):
    def on_gimme(self, gimme, sender):
        self.traps.append((gimme.requester, gimme.number))
        if self.in_charge():
            self.send(
                Answer(gimme.number, gimme.low, gimme.low), to=sender
            )  # it sets a trap for P{sender} and ends its search
            self.go_on()
        else:
            half = self.halved(gimme)
            self.send(
                Answer(gimme.number, half.low, half.high), to=sender
            )  # it sets a trap for P{sender} and tells it where to ask next

    def on_answer(self, answer, sender):
        # Otherwise the token came by itself, and the search is over.
        if self.wants and answer.number == self.number:
            self.search(printed.Gimme(self.id, self.number, self.visited, answer.low, answer.high))


class Token(printed.Token):
    target: tuple | None  # (node, number): the request that it is sent to


class InverseCleanUp(BinarySearchToken):
    def setup(self):
        super().setup()
        self.trail = {}  # request: the node that its gimme came from

    def new_token(self):
        return Token(0, (0,) * self.size, None, None)

    def on_gimme(self, gimme, sender):
        self.trail[gimme.requester, gimme.number] = sender
        super().on_gimme(gimme, sender)

    def spring(self, node, number):
        if node == self.id:
            self.enter()  # its own trap is next
        else:
            self.lent = True
            self.trace(replace(self.token, lender=self.id, target=(node, number)))

    def trace(self, token):
        back = self.trail.pop(token.target, token.target[0])
        self.hand_over(token, back)  # it sends the token to P{back}, along the trail of P{token.target[0]}'s gimmes

    def borrow(self, token):
        if token.target[0] == self.id:
            super().borrow(token)
        else:
            if token.target in self.traps:
                self.traps.remove(token.target)
            self.trace(token)


class OneGimme(BinarySearchToken):
    def setup(self):
        super().setup()
        self.asking = False  # whether it has sent a gimme and not had the token since

    def search(self, gimme):
        if not self.asking and gimme.high - gimme.low > 1:
            self.asking = True
            super().search(gimme)

    def on_token(self, token, sender):
        self.asking = False
        super().on_token(token, sender)


class AdaptiveSpeed(BinarySearchToken):
    most_rest = Parameter(20, "the longest time that an unused token rests at a node", low=0)

    def setup(self):
        super().setup()
        self.seen = None  # the requests that were satisfied when the token was last here
        self.rest = 0  # how long it keeps the token: one unit more after each round without an entry

    def on_token(self, token, sender):
        if token.lender is None:
            self.rest = min(self.rest + 1, self.most_rest) if token.satisfied == self.seen else 0
            self.seen = token.satisfied
        super().on_token(token, sender)

    def pass_on(self):
        if self.rest and self.token.satisfied == self.seen:
            self.set_timer("rest", self.rest)  # it keeps the token for {rest}: no node has entered for a round
        else:
            super().pass_on()

    def spring(self, node, number):
        self.cancel_timer("rest")
        super().spring(node, number)

    def on_rest(self):
        super().pass_on()


VARIANTS = {
    "binary-search-token": {
        "no-clean-up": Variant(
            NoCleanUp,
            "As printed: traps of requests that were satisfied elsewhere stay and divert the token needlessly.",
        ),
        "loans-leave-marks": Variant(
            LoansLeaveMarks, "As printed in rule 8: a loan counts as a visit, so some searches turn the wrong way."
        ),
        "my-turn-first": Variant(
            MyTurnFirst,
            "The holder takes its own turn before older traps: one node can enter many times while another waits.",
        ),
        "directed": Variant(
            DirectedSearch,
            "Each gimme is answered to the requester, which asks the next node and stops when the token arrives.",
            looks={Answer: "deny"},
        ),
        "inverse-clean-up": Variant(
            InverseCleanUp,
            "The token travels to the requester back along the trail of its gimmes and removes the traps on its path.",
            looks={Token: "token"},
            token=Token,
        ),
        "one-gimme": Variant(
            OneGimme, "At most one outstanding gimme per node: fewer messages, but the search is no longer logarithmic."
        ),
        "adaptive-speed": Variant(
            AdaptiveSpeed, "The token slows down while no node is waiting: fewer hops, and slightly longer waiting."
        ),
    }
}
