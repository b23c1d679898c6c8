"""Voting with too few votes, and voting that tolerates crashed coordinators."""

from algorithms.engine.process import Cost, Parameter, Variant
from algorithms.mutual_exclusion.voting import Release, Voting


class Half(Voting):
    def quorum(self):
        return self.voters() // 2


class Tolerant(Voting):
    answer_time = Parameter(2.5, "how long it waits for an answer: a round trip", low=0)

    def acquire(self):
        super().acquire()
        self.set_timer("answer_timeout", self.answer_time)

    def those_to_ask(self):
        return set(range(self.voters()))

    def on_answer_timeout(self):
        self.suspect(self.awaiting)  # it counts the silence of P{awaiting} as a refusal
        self.send(Release(), to=self.awaiting)
        self.awaiting = set()


VARIANTS = {
    "voting": {
        "half": Variant(
            Half,
            "Half of the votes are enough, so two processes can both have enough at the same time.",
            breaks=("ME1",),
        ),
        "tolerant": Variant(
            Tolerant,
            "Asks all coordinators and counts silence as a refusal: while m of them are up, a process can enter.",
            assumes=("reliable", "synchronous", "coordinators forget nothing", "a minority crashes, nobody with votes"),
            cost=Cost(
                "2nk + m",
                lambda n: 2 * (n - 1) + n // 2,
                None,
                "n coordinators, k attempts; a process's own vote costs nothing",
            ),
        ),
    }
}
