"""Israeli & Jalfon, PODC 1990: tokens walk at random and merge where they meet, until one is left.

The ancestor that both papers on the wandering token measure themselves against. On any connected graph.
"""

from algorithms.engine.process import Algorithm, Message, Parameter, when
from algorithms.mutual_exclusion.token_passing import TokenProcess


class Token(Message):
    """Whoever has it may enter."""


class IsraeliJalfon(TokenProcess):
    every = Parameter(1, "every so-many-th process starts with a token", low=1)
    pause = Parameter(1.0, "the mean time that a token rests at a process that does not want it", low=0)

    def setup(self):
        self.token = False  # whether I hold a token

    def launch(self):
        if self.id % self.every == 0:
            self.create_token()
            self.take()  # I start with a token, and I am not the only one

    def on_token(self, token, sender):
        if self.token:
            self.destroy_token()  # I hold one already: the two become one
        else:
            self.take()

    def take(self):
        self.token = True
        self.set_timer("rest", self.random.exponential(self.pause))

    @when(lambda self: self.wants and self.token)
    def have_both(self):
        self.cancel_timer("rest")
        self.enter()  # I want to enter, and I have a token

    def on_rest(self):
        self.let_go()  # I do not want it: it goes on

    def release(self):
        self.let_go()  # I have had my turn: it goes on

    def let_go(self):
        self.token = False
        self.pass_on(Token())

    def next_hop(self):
        return self.random.choice(self.peers) if self.peers else self.id  # any neighbour, each as likely

    def holding(self):
        return self.token

    def leaving(self):
        if self.token:
            self.let_go()


ALGORITHM = Algorithm(
    name="israeli-jalfon",
    title="Israeli–Jalfon",
    summary="Tokens walk at random and merge when they meet: from any number of them one is left.",
    source="A. Israeli, M. Jalfon, Token management schemes and random walks, PODC 1990",
    process=IsraeliJalfon,
    looks={Token: "token"},
    topology="ring",
    assumes=("reliable", "at least one token"),
    token=Token,
    promises=("ME2",),
)
