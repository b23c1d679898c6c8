"""A. Ciuffoletti, The Wandering Token: Congestion Avoidance of a Shared Resource (journal version).

As in the report a token walks at random. But timeouts are drawn at random, and a node removes a token x that it has
seen before if it has seen an older token y since: the visits x … y … x form a sandwich.
"""

from collections import deque

from algorithms.engine.process import Algorithm, Message, Parameter
from algorithms.mutual_exclusion.token_passing import RandomWalk


class Token(Message):
    stamp: tuple  # (time, node) of its generation, which is its name: the smaller one is older


class WanderingToken(RandomWalk):
    dskip = Parameter(0.1, "how long a token rests at a node that does not use it", low=0)
    dop = Parameter(4.0, "how long the protected operation takes", low=0)
    dmin = Parameter(600.0, "the shortest time between the starts of two operations of a node", low=0)
    gamma = Parameter(180_000.0, "the mean of the random part of the timeout", low=0)

    def offered(self):
        return self.dop / (2 * self.dmin)

    def setup(self):
        self.accessed = -self.dmin  # when its last operation began; at first, long enough ago
        self.history = deque()  # the tokens that it has seen, latest first, without repetitions
        self.token = None  # the token that it holds, if any
        self.waiting = deque()  # tokens that have arrived since and wait

    def launch(self):
        self.expect_token()
        if self.id == 0:
            self.create_token()
            self.pass_on(Token((0.0, 0)))  # the first token starts at P0

    def latest_operation(self):
        return self.accessed

    def expect_token(self):
        self.set_timer("timeout", self.dmin + self.random.exponential(self.gamma))

    def on_token(self, token, sender):
        self.expect_token()
        if self.token is None:
            self.receive(token)
        else:
            self.waiting.append(token)  # it holds another token already, so this one waits

    def receive(self, token):
        if self.sandwiched(token.stamp):
            self.destroy_token()  # an older token has been here since the last visit of {token.stamp}
            return
        self.push(token.stamp)
        if self.now - self.accessed > self.dmin:
            self.operate(token)  # no operation of its own began within the last Δmin
        else:
            self.rest(token)  # it lets the token rest: Δmin has not passed since t = {accessed}

    def sandwiched(self, stamp):
        older = False
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
        self.let_go()

    def release(self):
        self.let_go()

    def let_go(self):
        self.pass_on(self.token)  # it passes the token on at random
        self.token = None
        while self.waiting and self.token is None:
            self.receive(self.waiting.popleft())

    def on_timeout(self):
        self.expect_token()
        if self.token is None:
            token = Token((self.now, self.id))
            self.create_token()
            self.push(token.stamp)
            self.operate(token)  # no token has come before its timeout, so it assumes that the token is lost


ALGORITHM = Algorithm(
    name="wandering-token-journal",
    title="Wandering token (journal)",
    summary="A token walks at random; random timeouts generate new ones; a sandwich of visits removes extra ones.",
    source="A. Ciuffoletti, The Wandering Token: congestion avoidance of a shared resource (journal), section 2",
    process=WanderingToken,
    looks={Token: "token"},
    assumes=(),
    token=Token,
    chips="history",
    promises=(),
    paced_by="dmin",
    baseline="random-access",
    explanation="""\
A token walks at random from node to node. A node that receives it and has not begun an operation within the last
Δmin uses it for Δop; any other passes it on after Δskip. Mutual exclusion is soft: a node whose timeout, Δmin plus a
random time with mean γ, expires before a token comes assumes that it is lost, generates a new one and uses it. So
there can be several tokens. Each node remembers the tokens that it has seen: if an older token has been there since
the last visit of the one that arrives, it removes the latter.""",
    symbols={
        "Δmin": "the shortest time between the starts of two operations of a node",
        "Δop": "how long an operation takes",
        "Δskip": "how long a token rests at a node that does not use it",
        "γ": "the mean of the random part of the timeout",
        "k_load": "the offered load: how many nodes would be inside on average if no node had to wait",
        "P15·3.5": "the name of a token: the node that generated it, and when",
    },
)
