"""A naive cure for a lost token: ask every process for it. While the token is in transit, no process has it."""

from algorithms.engine.process import Message, Parameter, Variant, all_of
from algorithms.mutual_exclusion.token_ring import Token, TokenRing


class WhoHasIt(Message):
    """Asks whether the receiver has the token."""


class IHaveIt(Message):
    """Says that the sender has the token."""


class NotI(Message):
    """Says that the sender does not have the token."""


class AskingEverybody(TokenRing):
    loss_time = Parameter(40.0, "how long it waits for the token before it asks for it", low=0, timer="token_timeout")

    def setup(self):
        super().setup()
        self.asked = set()  # processes that have not answered whether they have the token

    def launch(self):
        super().launch()
        self.set_timer("token_timeout", self.loss_time)

    def on_token(self, token, sender):
        self.asked = set()
        self.set_timer("token_timeout", self.loss_time)
        super().on_token(token, sender)

    def on_token_timeout(self):
        if not self.inside:
            self.asked = set(range(self.size)) - {self.id}
            self.send(
                WhoHasIt(), to=self.asked
            )  # it asks every other process for the token: none has come for {loss_time} time units
        self.set_timer("token_timeout", self.loss_time)

    def waiting_for(self):
        if not self.asked:
            return super().waiting_for()
        missing = f"{len(self.asked)} answer{'s' if len(self.asked) > 1 else ''}"
        return all_of(self.asked, Token, IHaveIt, NotI, note=f"it has asked everybody for it and lacks {missing}")

    def on_who_has_it(self, question, sender):
        self.send(IHaveIt() if self.inside else NotI(), to=sender)

    def on_i_have_it(self, answer, sender):
        self.asked = set()  # it stops asking: P{sender} had the token when asked

    def on_not_i(self, answer, sender):
        if sender in self.asked:
            self.asked.remove(sender)
            if not self.asked:
                self.create_token()
                self.on_token(Token(), self.id)  # every other process has answered that it does not have the token


VARIANTS = {
    "token-ring": {
        "asking-everybody": Variant(
            AskingEverybody,
            "Makes a new token if every process says that it has none; but no process has a token that is in transit.",
            breaks=("ME1", "one token"),
            looks={WhoHasIt: "ask", IHaveIt: "grant", NotI: "deny"},
            topology="complete",
        )
    }
}
