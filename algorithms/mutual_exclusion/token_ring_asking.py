"""The naive cure for a lost token: ask everybody for it. While the token is in transit, nobody has it."""

from algorithms.engine.process import Message, Parameter, Variant
from algorithms.mutual_exclusion.token_ring import Token, TokenRing


class WhoHasIt(Message):
    """Do you have the token?"""


class IHaveIt(Message):
    """I do."""


class NotI(Message):
    """I do not."""


class AskingEverybody(TokenRing):
    loss_time = Parameter(40.0, "how long I wait for the token before I ask for it", low=0, timer="no_token")

    def setup(self):
        super().setup()
        self.asked = set()  # who has not told me yet whether it has the token

    def launch(self):
        super().launch()
        self.set_timer("no_token", self.loss_time)

    def on_token(self, token, sender):
        self.asked = set()  # here it is: I need no answers any more
        self.set_timer("no_token", self.loss_time)
        super().on_token(token, sender)

    def on_no_token(self):
        if not self.inside:
            self.asked = set(range(self.size)) - {self.id}
            self.send(WhoHasIt(), to=self.asked)  # no token for so long: I ask everybody
        self.set_timer("no_token", self.loss_time)

    def on_who_has_it(self, question, sender):
        self.send(IHaveIt() if self.inside else NotI(), to=sender)  # I say whether I have it

    def on_i_have_it(self, answer, sender):
        self.asked = set()  # it is not lost

    def on_not_i(self, answer, sender):
        if sender in self.asked:
            self.asked.remove(sender)
            if not self.asked:
                self.create_token()
                self.on_token(Token(), self.id)  # nobody has it, so I make a new one, and have it


VARIANTS = {
    "token-ring": {
        "asking-everybody": Variant(
            AskingEverybody,
            "Asks everybody for a token that stays away and makes a new one: while it is in flight nobody has it.",
            breaks=("ME1", "one token"),
            looks={WhoHasIt: "ask", IHaveIt: "grant", NotI: "deny"},
            topology="complete",
        ),
    }
}
