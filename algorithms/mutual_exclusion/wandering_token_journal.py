"""A. Ciuffoletti, The Wandering Token: Congestion Avoidance of a Shared Resource (journal version).

As in the report a token walks at random. But timeouts are drawn at random, and of three visits by two tokens that form
a sandwich, x … y … x with y the older, the third removes x.
"""

from collections import deque

from algorithms.engine.process import Algorithm, Message, Parameter
from algorithms.mutual_exclusion.token_passing import RandomWalk


class Token(Message):
    stamp: tuple  # (when, by whom) it was generated: its identifier, and the smaller is the older


class WanderingToken(RandomWalk):
    dskip = Parameter(0.1, "how long a token stays where it is not used", low=0)
    dop = Parameter(4.0, "how long the protected operation takes", low=0)
    dmin = Parameter(600.0, "the least time from one of my operations to the next", low=0)
    gamma = Parameter(180_000.0, "the mean of the random part of the time-out, dmin times N", low=0)

    def offered(self):
        return self.dop / (2 * self.dmin)  # Δmin is half of Δop times the number that saturates the resource

    def setup(self):
        self.accessed = -self.dmin  # when my last operation began; at first, long enough ago
        self.history = deque()  # the stamps of the tokens I have seen, the newest first, repetitions left out
        self.token = None  # the token that I hold, if any
        self.waiting = deque()  # tokens that have come since, and wait

    def launch(self):
        self.expect_token()
        if self.id == 0:
            self.create_token()
            self.pass_on(Token((0.0, 0)))  # the first token sets out from P0

    def latest_operation(self):
        return self.accessed

    def expect_token(self):
        self.set_timer("timeout", self.dmin + self.random.exponential(self.gamma))

    def on_token(self, token, sender):
        self.expect_token()  # a token has come: I draw a new time-out
        if self.token is None:
            self.receive(token)
        else:
            self.waiting.append(token)  # I hold a token already: this one waits

    def receive(self, token):
        if self.sandwiched(token.stamp):
            self.destroy_token()  # since I last saw it an older one has been here: this one is spurious
            return
        self.push(token.stamp)
        if self.now - self.accessed > self.dmin:
            self.operate(token)  # my last operation is more than Δmin ago: it is my turn
        else:
            self.rest(token)  # my last operation is less than Δmin ago: the token only rests here

    def sandwiched(self, stamp):
        older = False  # whether one of the entries so far is older than the stamp
        for seen in self.history:
            if seen == stamp and older:
                return True
            older = older or seen < stamp
        return False

    def operate(self, token):
        self.token = token
        self.accessed = self.now
        self.enter(self.dop)

    def rest(self, token):
        self.token = token
        self.set_timer("skip", self.dskip)

    def push(self, stamp):
        if not self.history or self.history[0] != stamp:
            self.history.appendleft(stamp)

    def on_skip(self):
        self.let_go()  # it has rested here for Δskip

    def release(self):
        self.let_go()  # my operation is over

    def let_go(self):
        self.pass_on(self.token)  # to anybody, at random
        self.token = None
        while self.waiting and self.token is None:
            self.receive(self.waiting.popleft())  # the next token has its turn

    def on_timeout(self):
        self.expect_token()
        if self.token is None:
            token = Token((self.now, self.id))
            self.create_token()
            self.push(token.stamp)
            self.operate(token)  # no token for too long: I generate a new one, and use it


ALGORITHM = Algorithm(
    name="wandering-token-journal",
    title="Wandering token (journal)",
    summary="A token walks at random; random time-outs make new ones; a sandwich of visits removes the spurious.",
    source="A. Ciuffoletti, The Wandering Token: congestion avoidance of a shared resource (journal), section 2",
    process=WanderingToken,
    looks={Token: "token"},
    assumes=(),
    token=Token,
    chips="history",
    promises=(),
    paced_by="dmin",
    baseline="random-access",
)
