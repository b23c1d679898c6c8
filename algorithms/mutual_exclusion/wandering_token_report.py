"""A. Ciuffoletti, The Wandering Token (report): soft mutual exclusion by a token on a random walk.

A node that has waited Δgen for a token assumes that it is lost and generates another; the oldest survives.
"""

from collections import deque

from algorithms.engine.process import Algorithm, Message, Parameter
from algorithms.mutual_exclusion.token_passing import RandomWalk


class Token(Message):
    stamp: tuple  # (time, node) of its generation, which is its name: the smaller one is older


class WanderingToken(RandomWalk):
    dskip = Parameter(1.0, "how long a token rests at a node that does not use it", low=0)
    dop = Parameter(4.0, "how long the protected operation takes", low=0)
    dmin = Parameter(600.0, "the shortest time between the starts of two operations of a node", low=0)
    dmax = Parameter(1800.0, "the smallest timeout after which a node generates a new token", low=0)
    k1 = Parameter(1.5, "factor by which the timeout grows when it expires", low=1)
    k2 = Parameter(0.05, "share of its excess over Δmax that the timeout loses when a token arrives", low=0)

    def offered(self):
        return self.dop / self.dmin

    def setup(self):
        self.dgen = self.dmax  # its timeout: after this long without a token it assumes that the token is lost
        self.started = 0.0  # when its last operation began
        self.served = (0.0, 0)  # the token of that operation: (time, node) of its generation
        self.token = None  # the token that it holds, if any
        self.waiting = deque()  # tokens that have arrived since and wait

    def launch(self):
        self.expect_token()
        if self.id == 0:
            self.create_token()
            self.pass_on(Token((0.0, 0)))  # the first token starts at P0

    def latest_operation(self):
        return self.started

    def expect_token(self):
        self.set_timer("timeout", self.dgen)

    def on_token(self, token, sender):
        self.dgen -= self.k2 * (self.dgen - self.dmax)
        self.expect_token()
        if self.token is None:
            self.receive(token)
        else:
            self.waiting.append(token)  # it holds another token already, so this one waits

    def receive(self, token):
        if self.now - self.started > self.dmin:
            self.operate(token)  # no operation of its own began within the last Δmin
        elif self.served < token.stamp:
            self.destroy_token()  # token {served} is older than {token.stamp}
        else:
            self.rest(token)  # it lets the token rest: Δmin has not passed since t = {started}

    def operate(self, token):
        self.token = token
        self.started = self.now
        self.served = token.stamp
        self.enter(self.dop)

    def rest(self, token):
        self.token = token
        self.set_timer("skip", self.dskip)

    def on_skip(self):
        self.let_go()

    def release(self):
        self.let_go()

    def let_go(self):
        self.pass_on(self.token)  # it passes the token on at random
        self.token = None
        while self.waiting and self.token is None:
            self.receive(self.waiting.popleft())

    def on_timeout(self):
        self.dgen *= self.k1
        self.expect_token()
        if self.token is None:
            self.create_token()
            self.operate(Token((self.now, self.id)))  # its timeout has expired, so it assumes that the token is lost


ALGORITHM = Algorithm(
    name="wandering-token-report",
    title="Wandering token (report)",
    summary="A token walks at random; a node uses it at most once per Δmin, and generates another if it misses it.",
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
    explanation="""\
A token walks at random from node to node. A node that receives it and has not begun an operation within the last
Δmin uses it for Δop; any other passes it on after Δskip. Mutual exclusion is soft: a node that has waited Δgen for a
token assumes that it is lost, generates a new one and uses it, so there can be several tokens. A node that receives
a token within Δmin of its last operation removes it if the token of that operation was older; so in the end the
oldest survives. The timeout Δgen adapts: it grows by the factor K1 when it expires, and goes back towards Δmax when
tokens arrive.""",
    symbols={
        "Δmin": "the shortest time between the starts of two operations of a node",
        "Δop": "how long an operation takes",
        "Δskip": "how long a token rests at a node that does not use it",
        "Δgen": "a node's present timeout: after this long without a token it generates a new one",
        "Δmax": "the smallest value of the timeout Δgen",
        "K1": "factor by which Δgen grows when it expires",
        "K2": "share of its excess over Δmax that Δgen loses when a token arrives",
        "k_load": "the offered load: how many nodes would be inside on average if no node had to wait",
        "P15·3.5": "the name of a token: the node that generated it, and when",
    },
)
