"""Token ring (Le Lann, IFIP Congress 1977): the holder of the token may enter; the token never rests.

1 to N messages per entry when every process is waiting, without bound when none is.
"""

from algorithms.engine.process import Algorithm, Cost, Message, MutexProcess


class Token(Message):
    """The right to enter."""


class TokenRing(MutexProcess):
    def setup(self):
        self.next = (self.id + 1) % self.size  # my successor on the ring

    def launch(self):
        if self.id == 0:
            self.create_token()
            self.pass_on(Token())  # the token sets out from P0

    def on_token(self, token, sender):
        if self.wants:
            self.enter()  # I have the token, so nobody else is inside
        else:
            self.pass_on(token)  # I want nothing: pass it on

    def release(self):
        self.pass_on(Token())  # I have had my turn: pass it on

    def pass_on(self, token):
        self.send(token, to=self.next)

    def holding(self):
        return self.inside

    def waiting_for(self):
        return ((self.id - 1) % self.size,) if self.wants else ()


ALGORITHM = Algorithm(
    name="token-ring",
    title="Token ring",
    summary="A token travels round a ring; whoever has it may enter.",
    source="G. Le Lann, Distributed systems: towards a formal approach, IFIP Congress 1977",
    process=TokenRing,
    looks={Token: "token"},
    topology="ring",
    assumes=("reliable", "nobody crashes"),
    cost=Cost("1 … N", lambda n: 1, lambda n: n, "everybody wants all the time; idle, there is no bound"),
    token=Token,
    invariants={"one token": lambda processes: sum(p.holding() for p in processes) <= 1},
)
