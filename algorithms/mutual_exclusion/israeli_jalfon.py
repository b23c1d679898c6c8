"""Israeli & Jalfon, PODC 1990: tokens walk at random and merge where they meet, until one is left.

The ancestor that both papers on the wandering token compare themselves with. It works on any connected graph. A token
rests at each process for a random time: two tokens that move in step on a ring or grid might never meet.
"""

from algorithms.engine.process import Algorithm, Message, MutexProcess, Parameter, when


class Token(Message):
    """Whoever has it may enter."""


class IsraeliJalfon(MutexProcess):
    every = Parameter(1, "every so-many-th process starts with a token", low=1)
    pause = Parameter(1.0, "the mean time that a token rests at a process, beside the time in the CS", low=0)

    def setup(self):
        self.token = False  # whether I hold a token
        self.used = False  # whether I have used it

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
        self.token, self.used = True, False
        self.rest()

    def rest(self):
        self.set_timer("rest", self.random.exponential(self.pause))

    @when(lambda self: self.wants and self.token and not self.used)
    def have_both(self):
        self.used = True
        self.cancel_timer("rest")
        self.enter()  # I want to enter, and I have a token

    def on_rest(self):
        self.let_go()  # it has rested here: it goes on

    def release(self):
        self.rest()  # I have had my turn: it will go on

    def let_go(self):
        self.token = False
        self.send(Token(), to=self.next_hop())

    def next_hop(self):
        return self.random.choice(self.peers) if self.peers else self.id  # any neighbour, each as likely

    def holding(self):
        return self.token

    def recovered(self):
        if self.token and not self.inside:
            self.rest()  # I still have the token that rested here

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
    assumes=("reliable", "at least one token", "nobody crashes"),
    token=Token,
    promises=("ME2",),
)
