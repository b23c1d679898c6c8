"""Memo 440, section 4.4: refinements of the binary search, and the cost of following the printed rules."""

from dataclasses import replace

from algorithms.engine.process import Message, Parameter, Variant
from algorithms.mutual_exclusion import binary_search_token as printed
from algorithms.mutual_exclusion.binary_search_token import BinarySearchToken


class MyTurnFirst(BinarySearchToken):
    def go_on(self):
        if self.token and self.wants:
            self.traps.remove((self.id, self.number))
            self.enter()  # I want it and have it: whoever else has asked here waits
        else:
            super().go_on()


class NoCleanUp(MyTurnFirst):
    def spring(self, node, number):
        self.lend(node)  # perhaps the request has been satisfied elsewhere: I cannot know


class LoansLeaveMarks(BinarySearchToken):
    def borrow(self, token):
        self.visited = token.visits  # a loan counts as a visit, though the token is on its way elsewhere
        super().borrow(token)


class Answer(Message):
    number: int  # of the request
    low: int  # where the token is, as in a gimme
    high: int


class DirectedSearch(BinarySearchToken):
    def on_gimme(self, gimme, sender):
        self.traps.append((gimme.requester, gimme.number))
        if self.in_charge():
            self.send(Answer(gimme.number, gimme.low, gimme.low), to=sender)  # found: nothing is left to be asked
            self.go_on()
        else:
            half = self.halved(gimme)
            self.send(Answer(gimme.number, half.low, half.high), to=sender)  # not here: I say on which side

    def on_answer(self, answer, sender):
        if self.wants and answer.number == self.number:  # otherwise the token came by itself: the search is over
            self.search(printed.Gimme(self.id, self.number, self.visited, answer.low, answer.high))


class Token(printed.Token):
    target: tuple | None  # (node, number): the request that it is on its way to


class InverseCleanUp(BinarySearchToken):
    def setup(self):
        super().setup()
        self.trail = {}  # request -> from whom its gimme came here

    def new_token(self):
        return Token(0, (0,) * self.size, None, None)

    def on_gimme(self, gimme, sender):
        self.trail[gimme.requester, gimme.number] = sender
        super().on_gimme(gimme, sender)

    def spring(self, node, number):
        if node == self.id:
            self.enter()
        else:
            self.lent = True
            self.trace(replace(self.token, lender=self.id, target=(node, number)))

    def trace(self, token):
        back = self.trail.pop(token.target, token.target[0])
        self.hand_over(token, back)  # back along the trail of the gimmes, which end here

    def borrow(self, token):
        if token.target[0] == self.id:
            super().borrow(token)
        else:
            if token.target in self.traps:
                self.traps.remove(token.target)  # the token takes this trap away as it passes
            self.trace(token)


class OneGimme(BinarySearchToken):
    def setup(self):
        super().setup()
        self.asking = False  # a gimme of mine is out, and I have not seen the token since

    def search(self, gimme):
        if not self.asking and gimme.high - gimme.low > 1:
            self.asking = True
            super().search(gimme)  # what comes after it waits here, as a trap

    def on_token(self, token, sender):
        self.asking = False
        super().on_token(token, sender)


class AdaptiveSpeed(BinarySearchToken):
    most_rest = Parameter(20, "how long a token that nobody wants rests at a node at most", low=0)

    def setup(self):
        super().setup()
        self.seen = None  # who had been satisfied when the token was last here
        self.rest = 0  # how long I keep it: one unit more with every round in which nobody was

    def on_token(self, token, sender):
        if token.lender is None:
            self.rest = min(self.rest + 1, self.most_rest) if token.satisfied == self.seen else 0
            self.seen = token.satisfied
        super().on_token(token, sender)

    def pass_on(self):
        if self.rest and self.token.satisfied == self.seen:
            self.set_timer("rested", self.rest)  # nobody has wanted it for a round: it need not hurry
        else:
            super().pass_on()

    def spring(self, node, number):
        self.cancel_timer("rested")
        super().spring(node, number)

    def on_rested(self):
        super().pass_on()


VARIANTS = {
    "binary-search-token": {
        "no-clean-up": Variant(
            NoCleanUp, "As printed: traps of requests that were satisfied elsewhere stay, and divert the token in vain."
        ),
        "loans-leave-marks": Variant(
            LoansLeaveMarks, "As printed, rule 8: a loan counts as a visit, and searches turn the wrong way."
        ),
        "my-turn-first": Variant(
            MyTurnFirst, "Whoever has the token takes its own turn before older traps: not log N fair any more."
        ),
        "directed": Variant(
            DirectedSearch,
            "Every gimme is answered to the requester, who asks on, and stops when the token comes by itself.",
            looks={Answer: "deny"},
        ),
        "inverse-clean-up": Variant(
            InverseCleanUp,
            "The token goes to the requester back along the trail of its gimmes and removes the traps on the way.",
            looks={Token: "token"},
            token=Token,
        ),
        "one-gimme": Variant(
            OneGimme, "One gimme outstanding per node: fewer messages, but the search is no longer logarithmic."
        ),
        "adaptive-speed": Variant(
            AdaptiveSpeed, "The token goes the slower the longer nobody wants it: fewer hops for little more waiting."
        ),
    }
}
