"""Israeli & Jalfon, PODC 1990: tokens walk at random and merge where they meet, until one is left.

The ancestor that both papers on the wandering token compare themselves with. It works on any connected graph. A token
rests at each process for a random time: two tokens that move in step on a ring or grid might never meet.
"""

from algorithms.engine.process import Algorithm, Message, MutexProcess, Parameter, any_of, when


class Token(Message):
    """The right to enter; at the start there may be several tokens."""


class IsraeliJalfon(MutexProcess):
    every = Parameter(1, "every k-th process starts with a token", low=1)
    pause = Parameter(
        1.0, "mean time that a token rests at a process, not counting time in the critical section", low=0
    )

    def setup(self):
        self.token = False  # whether it holds a token
        self.used = False  # whether it has entered with this token

    def launch(self):
        if self.id % self.every == 0:
            self.create_token()
            self.take()

    def on_token(self, token, sender):
        if self.token:
            self.destroy_token()  # two tokens have met and become one
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
        self.enter()  # the holder of a token may

    def on_rest(self):
        self.let_go()  # it passes its token on to a random neighbour

    def release(self):
        self.rest()  # it keeps its token for a while

    def let_go(self):
        self.token = False
        self.send(Token(), to=self.next_hop())

    def next_hop(self):
        return self.random.choice(self.peers) if self.peers else self.id

    def holding(self):
        return self.token

    def waiting_for(self):
        return any_of(self.peers, Token, note="it has used this token already" if self.token and self.used else "")

    def recovered(self):
        if self.token and not self.inside:
            self.rest()  # it still has the token that rested here

    def leaving(self):
        if self.token:
            self.let_go()


ALGORITHM = Algorithm(
    name="israeli-jalfon",
    title="Israeli–Jalfon",
    summary="Tokens walk at random and merge when they meet, until one is left.",
    source="A. Israeli, M. Jalfon, Token management schemes and random walks, PODC 1990",
    process=IsraeliJalfon,
    looks={Token: "token"},
    topology="ring",
    assumes=("reliable", "at least one token", "nobody crashes"),
    token=Token,
    explanation=(
        "At the start several processes hold a token. Each token walks at random: it rests at a process for a random "
        "time and then moves to a random neighbour. When two tokens meet, they merge into one, so that in the end "
        "exactly one is left, whatever the number was at the start. A process may enter while it holds a token; as "
        "long as there are several tokens, several processes may be inside at the same time."
    ),
    promises=("ME2", "convergence"),
)
