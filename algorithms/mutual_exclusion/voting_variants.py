"""Voting with too few votes, and voting that crashed coordinators do not stop."""

from algorithms.engine.process import Cost, Parameter, Variant
from algorithms.mutual_exclusion.voting import Release, Voting


class Half(Voting):
    def quorum(self):
        return self.voters() // 2


class Tolerant(Voting):
    answer_time = Parameter(2.5, "how long I wait for an answer: a round trip", low=0)

    def acquire(self):
        super().acquire()
        self.set_timer("no_answer", self.answer_time)

    def those_to_ask(self):
        return set(range(self.voters()))

    def on_no_answer(self):
        self.suspect(self.awaiting)  # silence is a refusal
        self.send(Release(), to=self.awaiting)
        self.awaiting = set()


VARIANTS = {
    "voting": {
        "half": Variant(
            Half, "Half of the votes are enough, so that two processes may have them at once.", breaks=("ME1",)
        ),
        "tolerant": Variant(
            Tolerant,
            "Asks all coordinators and takes silence for a refusal: as long as m are alive, somebody can enter.",
            assumes=("reliable", "synchronous", "coordinators forget nothing", "a minority crashes, nobody with votes"),
            cost=Cost(
                "2nk + m", lambda n: 2 * (n - 1) + n // 2, None, "n coordinators, k attempts; its own vote is free"
            ),
        ),
    }
}
