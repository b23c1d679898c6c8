"""Token ring (Le Lann, IFIP Congress 1977): the holder of the token may enter; the token never rests.

1 to N messages per entry when every process is waiting, without bound when none is.
"""

from algorithms.engine.process import Algorithm, Cost, Message, MutexProcess, all_of


class Token(Message):
    """The right to enter; the ring has one token."""


class TokenRing(MutexProcess):
    def setup(self):
        self.next = (self.id + 1) % self.size  # its successor on the ring

    def launch(self):
        if self.id == 0:
            self.create_token()
            self.pass_on(Token())  # it sends the token to P{next}

    def on_token(self, token, sender):
        if self.wants:
            self.enter()  # only the token holder may
        else:
            self.pass_on(token)  # it passes the token on: it is not waiting

    def release(self):
        self.pass_on(Token())  # it passes the token on

    def pass_on(self, token):
        self.send(token, to=self.next)

    def holding(self):
        return self.inside

    def waiting_for(self):
        return all_of({(self.id - 1) % self.size}, Token)


ALGORITHM = Algorithm(
    name="token-ring",
    title="Token ring",
    summary="A token travels round a ring; only the process that holds it may enter.",
    source="G. Le Lann, Distributed systems: towards a formal approach, IFIP Congress 1977",
    process=TokenRing,
    looks={Token: "token"},
    topology="ring",
    assumes=("reliable", "nobody crashes"),
    cost=Cost(
        "1 … N",
        lambda n: 1,
        lambda n: n,
        "1 if every process keeps asking, up to N if only one does; unbounded while none does",
    ),
    token=Token,
    explanation=(
        "The processes form a ring, and one token travels round it. A process that receives the token enters the "
        "critical section if it is waiting, and passes the token on when it leaves; otherwise it passes it on at "
        "once. Since there is one token, at most one process is inside, and every waiting process enters within one "
        "round. The token never rests, so an idle ring keeps sending messages, and if the token is lost, all "
        "processes wait forever."
    ),
    symbols={"N": "the number of processes"},
)
