"""Memo 440, section 5: a token whose holder has crashed is regenerated.

As printed, the holder's two neighbours are asked, which makes a second token if the holder has lent the first. So a
process that misses the token asks everybody whether they are alive, and whether they have the token or have had it so
recently that it may be in transit. It asks twice: a process that crashes before the first question reaches it may have
sent the token just before. If the same processes answer both times and none has seen the token, the first live process
makes a new one, which skips crashed nodes.
"""

from dataclasses import replace

from algorithms.engine.process import Message, Parameter, Variant, any_of
from algorithms.mutual_exclusion import binary_search_token as printed
from algorithms.mutual_exclusion.binary_search_token import BinarySearchToken


class Token(printed.Token):
    dead: frozenset  # who did not answer when the token was made


class Census(Message):
    """Do you live, and have you seen the token?"""


class Alive(Message):
    seen: bool  # I have the token, or had it just now


class MakeToken(Message):
    dead: frozenset


class Whereabouts(Message):
    seen: bool  # as in Alive
    visited: int  # when the token last came by


class Recovering(BinarySearchToken):
    delay = Parameter(1.0, "how long a message takes at most", low=0)
    loss_time = Parameter(60.0, "how long I wait for the token before I ask who has it", low=0, timer="no_token")

    def setup(self):
        super().setup()
        self.lately = False  # I had the token in the last 8 delays
        self.first = None  # who answered the first time I asked; None while I have not asked twice
        self.alive = set()  # who has answered by now
        self.seen = False  # one of them has seen the token

    def new_token(self):
        return Token(0, (0,) * self.size, None, frozenset())

    def acquire(self):
        super().acquire()
        if self.wants:
            self.set_timer("no_token", self.loss_time)

    def on_no_token(self):
        if self.wants:
            self.first, self.seen = None, False
            self.ask_everybody()  # no token for so long

    def ask_everybody(self):
        self.alive = {self.id}
        self.send(Census(), to=set(range(self.size)) - {self.id})  # who lives, and who has seen the token?
        self.set_timer("counted", 3 * self.delay)

    def waiting_for(self):
        return any_of(range(self.size), Token, Alive, Whereabouts, MakeToken)

    def on_census(self, census, sender):
        self.send(Alive(self.lately or self.token is not None), to=sender)

    def on_alive(self, answer, sender):
        self.alive.add(sender)
        self.seen = self.seen or answer.seen

    def on_counted(self):
        lost = self.wants and not self.seen and not self.lately
        if lost and self.first is None:
            self.first = self.alive
            self.ask_everybody()  # what the dead had sent has arrived by now: I ask again
            return
        if lost and self.first == self.alive:
            dead = frozenset(range(self.size)) - self.alive
            self.suspect(dead)
            self.send(MakeToken(dead), to=min(self.alive))  # it is lost: the first of us makes a new one
        self.set_timer("no_token", self.loss_time)

    def on_make_token(self, order, sender):
        if not self.lately and self.token is None:
            self.create_token()  # whom it has satisfied is forgotten: for one round, old traps may divert it in vain
            self.on_token(replace(self.new_token(), visits=self.visited, dead=order.dead), self.id)

    def on_token(self, token, sender):
        if token.lender is None:
            self.lent = False  # if I have a loan out, it is lost
        super().on_token(token, sender)

    def spring(self, node, number):
        if node not in self.token.dead:
            super().spring(node, number)

    def pass_on(self):
        steps = next(k for k in range(1, self.size + 1) if (self.id + k) % self.size not in self.token.dead)
        if steps < self.size:  # otherwise I am the last: it stays here
            visits = (self.token.visits + steps) % (2 * self.size)
            self.hand_over(replace(self.token, visits=visits), (self.id + steps) % self.size)  # past the dead

    def hand_over(self, token, node):
        self.lately = True
        self.set_timer("later", 8 * self.delay)
        super().hand_over(token, node)

    def on_later(self):
        self.lately = False


class AskingOnce(Recovering):
    def on_counted(self):
        self.first = self.alive  # nobody is asked again
        super().on_counted()


class AskingTheNeighbours(Recovering):
    """As printed: whether the token was with a dead process is up to the two beside it, asked once."""

    def setup(self):
        super().setup()
        self.answers = {}  # who has answered: whether it has seen the token, and when that last came by

    def ask_everybody(self):
        self.answers = {self.id: (self.has_seen_it(), self.visited)}
        super().ask_everybody()

    def has_seen_it(self):
        return self.lately or self.token is not None

    def on_census(self, census, sender):
        self.send(Whereabouts(self.has_seen_it(), self.visited), to=sender)

    def on_whereabouts(self, answer, sender):
        self.answers[sender] = (answer.seen, answer.visited)

    def on_counted(self):
        dead = frozenset(range(self.size)) - set(self.answers)
        if self.wants and any(self.was_at(node) for node in dead):
            self.suspect(dead)
            self.send(MakeToken(dead), to=min(self.answers))  # the token has died with its holder: make a new one
        self.set_timer("no_token", self.loss_time)

    def was_at(self, node):
        before, after = (node - 1) % self.size, (node + 1) % self.size
        if before not in self.answers or after not in self.answers:
            return False
        (seen_before, came_before), (seen_after, came_after) = self.answers[before], self.answers[after]
        if seen_before or seen_after:
            return False
        return (
            0 < (came_before - came_after) % (2 * self.size) < self.size
        )  # it has left one, and not reached the other


VARIANTS = {
    "binary-search-token": {
        "recovering": Variant(
            Recovering,
            "Whoever misses the token takes a census; if nobody has it, a new one is made, which leaves out the dead.",
            looks={Token: "token", Census: "ask", Alive: "grant", MakeToken: "announce"},
            assumes=("reliable", "synchronous", "crashes one at a time and for good"),
            token=Token,
        ),
        "asking-once": Variant(
            AskingOnce,
            "One census is not enough: who dies before the question reaches it may have sent the token just before.",
            breaks=("ME1",),
            looks={Token: "token", Census: "ask", Alive: "grant", MakeToken: "announce"},
            assumes=("reliable", "synchronous", "crashes one at a time and for good"),
            token=Token,
        ),
        "asking-neighbours": Variant(
            AskingTheNeighbours,
            "As printed, the neighbours of a dead holder say where the token was; they know nothing of its loan.",
            breaks=("ME1",),
            looks={Token: "token", Census: "ask", Whereabouts: "grant", MakeToken: "announce"},
            assumes=("reliable", "synchronous", "crashes one at a time and for good"),
            token=Token,
        ),
    }
}
