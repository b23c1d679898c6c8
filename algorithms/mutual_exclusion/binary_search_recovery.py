"""Memo 440, section 5: a token whose holder has crashed is regenerated.

As printed, the holder's two neighbours are asked, which makes a second token if the holder has lent the first. So a
node that misses the token takes a census: it asks every other node whether it has the token or had it so recently that
the token may be in transit. It asks twice: a node that crashes before the first question reaches it
may have sent the token just before. If the same nodes answer both times and none has seen the token, the first of them
makes a new one, which skips crashed nodes.
"""

from dataclasses import replace

from algorithms.engine.process import Message, Parameter, Variant, any_of
from algorithms.mutual_exclusion import binary_search_token as printed
from algorithms.mutual_exclusion.binary_search_token import BinarySearchToken


class Token(printed.Token):
    dead: frozenset  # the nodes that did not answer the census before it was made


class Census(Message):
    """Asks whether the receiver is up and has seen the token."""


class Alive(Message):
    seen: bool  # whether the sender has the token or had it in the last 8 delays


class MakeToken(Message):
    dead: frozenset


class Whereabouts(Message):
    seen: bool  # as in Alive
    visited: int  # the token's `visits` when it last came by


class Recovering(BinarySearchToken):
    delay = Parameter(1.0, "the longest time that a message takes", low=0)
    loss_time = Parameter(
        60.0, "how long a node waits for the token before it takes a census", low=0, timer="token_timeout"
    )

    def setup(self):
        super().setup()
        self.lately = False  # whether it had the token in the last 8 delays
        self.first = None  # nodes that answered its first census; None before the second
        self.alive = set()  # nodes that have answered its present census
        self.seen = False  # whether one of them has seen the token

    def new_token(self):
        return Token(0, (0,) * self.size, None, frozenset())

    def acquire(self):
        super().acquire()
        if self.wants:
            self.set_timer("token_timeout", self.loss_time)

    def on_token_timeout(self):
        if self.wants:
            self.first, self.seen = None, False
            self.ask_everybody()

    def ask_everybody(self):
        self.alive = {self.id}
        others = set(range(self.size)) - {self.id}
        self.send(Census(), to=others)  # it asks every other node whether it has seen the token
        self.set_timer("census_timeout", 3 * self.delay)

    def waiting_for(self):
        return any_of(range(self.size), Token, Alive, Whereabouts, MakeToken)

    def on_census(self, census, sender):
        self.send(Alive(self.lately or self.token is not None), to=sender)

    def on_alive(self, answer, sender):
        self.alive.add(sender)
        self.seen = self.seen or answer.seen

    def on_census_timeout(self):
        lost = self.wants and not self.seen and not self.lately
        if lost and self.first is None:
            self.first = self.alive
            # What crashed nodes had sent has arrived by now.
            self.ask_everybody()
            return
        if lost and self.first == self.alive:
            dead = frozenset(range(self.size)) - self.alive
            self.suspect(dead)
            self.send(
                MakeToken(dead), to=min(self.alive)
            )  # it assumes that the token is lost; P{min(alive)} is to make a new one
        self.set_timer("token_timeout", self.loss_time)

    def on_make_token(self, order, sender):
        if not self.lately and self.token is None:
            # Which requests are satisfied is forgotten: for one round, old traps may divert the token needlessly.
            self.create_token()
            self.on_token(replace(self.new_token(), visits=self.visited, dead=order.dead), self.id)

    def on_token(self, token, sender):
        if token.lender is None:
            self.lent = False
        super().on_token(token, sender)

    def spring(self, node, number):
        if node not in self.token.dead:
            super().spring(node, number)

    def pass_on(self):
        steps = next(k for k in range(1, self.size + 1) if (self.id + k) % self.size not in self.token.dead)
        # Where no other node is left, the token stays here.
        if steps < self.size:
            visits = (self.token.visits + steps) % (2 * self.size)
            following = (self.id + steps) % self.size
            self.hand_over(replace(self.token, visits=visits), following)  # it passes the token on to P{following}

    def hand_over(self, token, node):
        self.lately = True
        self.set_timer("memory", 8 * self.delay)
        super().hand_over(token, node)

    def on_memory(self):
        self.lately = False  # it has not had the token for 8 delays


class AskingOnce(Recovering):
    def on_census_timeout(self):
        # The second census is left out.
        self.first = self.alive
        super().on_census_timeout()


class AskingTheNeighbours(Recovering):
    """As printed: the two neighbours of a crashed node decide, in one census, whether the token was there."""

    def setup(self):
        super().setup()
        self.answers = {}  # node: whether it has seen the token, and the token's `visits` when it last came by

    def ask_everybody(self):
        self.answers = {self.id: (self.has_seen_it(), self.visited)}
        super().ask_everybody()

    def has_seen_it(self):
        return self.lately or self.token is not None

    def on_census(self, census, sender):
        self.send(Whereabouts(self.has_seen_it(), self.visited), to=sender)

    def on_whereabouts(self, answer, sender):
        self.answers[sender] = (answer.seen, answer.visited)

    def on_census_timeout(self):
        dead = frozenset(range(self.size)) - set(self.answers)
        if self.wants and any(self.was_at(node) for node in dead):
            self.suspect(dead)
            self.send(
                MakeToken(dead), to=min(self.answers)
            )  # it assumes that a crashed node had the token; P{min(answers)} is to make a new one
        self.set_timer("token_timeout", self.loss_time)

    def was_at(self, node):
        before, after = (node - 1) % self.size, (node + 1) % self.size
        if before not in self.answers or after not in self.answers:
            return False
        (seen_before, came_before), (seen_after, came_after) = self.answers[before], self.answers[after]
        if seen_before or seen_after:
            return False
        # Whether the token has left the one neighbour and not reached the other.
        return 0 < (came_before - came_after) % (2 * self.size) < self.size


VARIANTS = {
    "binary-search-token": {
        "recovering": Variant(
            Recovering,
            "A node that misses the token takes a census; if no node has it, a new one skips crashed nodes.",
            looks={Token: "token", Census: "ask", Alive: "grant", MakeToken: "announce"},
            assumes=("reliable", "synchronous", "crashes one at a time and for good"),
            token=Token,
        ),
        "asking-once": Variant(
            AskingOnce,
            "One census is not enough: a node that crashes before the question arrives may just have sent the token.",
            breaks=("ME1",),
            looks={Token: "token", Census: "ask", Alive: "grant", MakeToken: "announce"},
            assumes=("reliable", "synchronous", "crashes one at a time and for good"),
            token=Token,
        ),
        "asking-neighbours": Variant(
            AskingTheNeighbours,
            "As printed, the neighbours of a crashed holder say where the token was; they know nothing of its loan.",
            breaks=("ME1",),
            looks={Token: "token", Census: "ask", Whereabouts: "grant", MakeToken: "announce"},
            assumes=("reliable", "synchronous", "crashes one at a time and for good"),
            token=Token,
        ),
    }
}
