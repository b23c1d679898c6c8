"""A. Ciuffoletti, The Wandering Token (report): soft mutual exclusion by a token on a random walk.

A process that has waited Δgen for the token assumes that it is lost and generates another; the oldest survives.
"""

from collections import deque

from algorithms.engine.process import Algorithm, Message, Parameter
from algorithms.mutual_exclusion.token_passing import RandomWalk


class Token(Message):
    stamp: tuple  # (when, by whom) it was generated: the smaller precedes


class WanderingToken(RandomWalk):
    dskip = Parameter(1.0, "how long a token stays where it is not used", low=0)
    dop = Parameter(4.0, "how long the protected operation takes", low=0)
    dmin = Parameter(600.0, "the least time from one of my operations to the next", low=0)
    dmax = Parameter(1800.0, "the least time-out after which I generate a new token", low=0)
    k1 = Parameter(1.5, "the time-out grows by this factor when I generate a token", low=1)
    k2 = Parameter(0.05, "its excess over dmax shrinks by this share with every token that comes", low=0)

    def offered(self):
        return self.dop / self.dmin  # times N it is k_load

    def setup(self):
        self.dgen = self.dmax  # my time-out: so long without a token, and I take it for lost
        self.started = 0.0  # when my last operation began
        self.served = (0.0, 0)  # the stamp of the token that it was for
        self.token = None  # the token that I hold, if any
        self.waiting = deque()  # tokens that have come since, and wait

    def launch(self):
        self.expect_token()
        if self.id == 0:
            self.create_token()
            self.pass_on(Token((0.0, 0)))  # the first token sets out from P0

    def latest_operation(self):
        return self.started

    def expect_token(self):
        self.set_timer("timeout", self.dgen)

    def on_token(self, token, sender):
        self.dgen -= self.k2 * (self.dgen - self.dmax)  # a token has come: my time-out goes back towards Δmax
        self.expect_token()
        if self.token is None:
            self.receive(token)
        else:
            self.waiting.append(token)  # I hold a token already: this one waits

    def receive(self, token):
        if self.now - self.started > self.dmin:
            self.operate(token)  # my last operation is more than Δmin ago: it is my turn
        elif self.served < token.stamp:
            self.destroy_token()  # I have just served a token that precedes this one: this one is spurious
        else:
            self.rest(token)  # my last operation is less than Δmin ago: the token only rests here

    def operate(self, token):
        self.token = token
        self.started = self.now
        self.served = token.stamp
        self.enter(self.dop)

    def rest(self, token):
        self.token = token
        self.set_timer("skip", self.dskip)

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
        self.dgen *= self.k1  # no token for Δgen: it seems lost; I shall be more patient next time
        self.expect_token()
        if self.token is None:
            self.create_token()
            self.operate(Token((self.now, self.id)))  # I generate a new token, and use it


ALGORITHM = Algorithm(
    name="wandering-token-report",
    title="Wandering token (report)",
    summary="A token walks at random; whoever has not used it for Δmin uses it; whoever misses it makes another.",
    source="A. Ciuffoletti, The Wandering Token (report), section 5",
    process=WanderingToken,
    looks={Token: "token"},
    assumes=(),
    token=Token,
    badge="dgen",
    badge_rest="dmax",
    chips="waiting",
    promises=(),
    paced_by="dmin",
    baseline="random-access",
)
