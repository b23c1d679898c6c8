"""Variants of token algorithms whose tokens travel in three messages instead of one."""

from dataclasses import replace

from algorithms.components.three_messages import LOOKS, Commitment, ThreeMessages, WithoutIdentifier
from algorithms.engine.process import Cost, Part, Variant, any_of
from algorithms.mutual_exclusion.token_ring import TokenRing
from algorithms.mutual_exclusion.wandering_token_journal import WanderingToken as Journal
from algorithms.mutual_exclusion.wandering_token_report import WanderingToken as Report


class Careful:
    """Before a token algorithm in the list of base classes: its tokens go from hand to hand in three messages."""

    passing = Part(ThreeMessages)

    def pass_on(self, token):
        self.passing.hand_over(token)

    def holding(self):
        return bool(self.passing.tokens) or super().holding()

    def recovered(self):
        super().recovered()
        self.passing.recovered()


class CarefulRing(Careful, TokenRing):
    def pass_on(self, token):
        self.candidate = self.id
        super().pass_on(token)

    def next_hop(self):
        self.candidate = (
            self.candidate + 1
        ) % self.size  # its successor first, and the one after it at each further attempt
        return self.candidate

    def waiting_for(self):
        return any_of(range(self.size), Commitment)


class CarelessRing(CarefulRing):
    passing = Part(WithoutIdentifier)


class CarefulReport(Careful, Report):
    pass


class CarelessReport(Careful, Report):
    passing = Part(WithoutIdentifier)


class CarefulJournal(Careful, Journal):
    pass


class CarelessJournal(Careful, Journal):
    passing = Part(WithoutIdentifier)


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


ON_THE_RING = {
    "assumes": ("a commitment arrives, and in time", "nobody crashes with the token"),
    "cost": Cost(
        "3 … 3N",
        lambda n: 3,
        lambda n: 3 * n,
        "3 if everyone keeps asking, up to 3N if only one does, unbounded if nobody does",
    ),
}
VARIANTS = {
    "token-ring": {
        "three-messages": replace(three_messages(CarefulRing), **ON_THE_RING),
        "three-messages-without-identifier": replace(without_identifier(CarelessRing), **ON_THE_RING),
    },
    "wandering-token-report": {
        "three-messages": three_messages(CarefulReport),
        "three-messages-without-identifier": without_identifier(CarelessReport),
    },
    "wandering-token-journal": {
        "three-messages": three_messages(CarefulJournal),
        "three-messages-without-identifier": without_identifier(CarelessJournal),
    },
}
