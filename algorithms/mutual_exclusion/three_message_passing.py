"""Token algorithms whose tokens travel in three messages instead of one: variants of each, a few lines a piece."""

from algorithms.components.three_messages import LOOKS, Commitment, ThreeMessages, WithoutIdentifier
from algorithms.engine.process import Part, Variant
from algorithms.mutual_exclusion.token_passing import TokenProcess
from algorithms.mutual_exclusion.wandering_token_journal import WanderingToken as Journal
from algorithms.mutual_exclusion.wandering_token_report import WanderingToken as Report


class Careful(TokenProcess):
    """Before a token algorithm in the list of base classes: its tokens go from hand to hand in three messages."""

    passing = Part(ThreeMessages)

    def pass_on(self, token):
        self.passing.hand_over(token)

    def holding(self):
        return bool(self.passing.tokens) or super().holding()


class Careless(Careful):
    """The same without an identifier per attempt."""

    passing = Part(WithoutIdentifier)


class CarefulReport(Careful, Report):
    pass


class CarelessReport(Careless, Report):
    pass


class CarefulJournal(Careful, Journal):
    pass


class CarelessJournal(Careless, Journal):
    pass


def three_messages(process):
    return Variant(
        process,
        "The token goes in three messages (offer, acknowledgement, commitment): only a lost commitment loses it.",
        looks=LOOKS,
        token=Commitment,
    )


def without_identifier(process):
    return Variant(
        process,
        "Three messages whose attempts look alike: an answer that comes late from one node loses another's token.",
        looks=LOOKS,
        token=Commitment,
    )


VARIANTS = {
    "wandering-token-report": {
        "three-messages": three_messages(CarefulReport),
        "three-messages-without-identifier": without_identifier(CarelessReport),
    },
    "wandering-token-journal": {
        "three-messages": three_messages(CarefulJournal),
        "three-messages-without-identifier": without_identifier(CarelessJournal),
    },
}
