"""The bully algorithm with a failure detector, without its guard, and with an oracle."""

from algorithms.components import failure_detector
from algorithms.components.failure_detector import FailureDetector
from algorithms.election.bully import Bully
from algorithms.engine.process import Cost, Part, Variant, when


class Unguarded(Bully):
    def hold_election(self):
        # An election that it already holds makes no difference.
        self.electing = False
        super().hold_election()


class Oracle(Bully):
    def set_timer(self, name, after):
        # An oracle says that the higher processes are alive, so it needs no timeout.
        if not self.above():
            super().set_timer(name, after)


class Watching(Bully):
    detector = Part(FailureDetector)

    def elect(self, leader):
        super().elect(leader)
        self.detector.watch({leader} - {self.id})

    @when(lambda self: self.leader in self.detector.suspected)
    def leader_is_silent(self):
        self.leader = None
        self.detector.watch(())
        self.hold_election()

    def recovered(self):
        self.detector.watch(())
        super().recovered()


VARIANTS = {
    "bully": {
        "watching": Variant(
            Watching,
            "Every process watches the leader with a failure detector and calls an election when it falls silent.",
            looks=failure_detector.LOOKS,
        ),
        "unguarded": Variant(
            Unguarded,
            "Every election message starts a new election: 2^(N−1)−1 election messages instead of N(N−1)/2.",
            cost=Cost("≤ 2^(N−1)−1 elections", lambda n: n - 1, None, "if the coordinator has crashed"),
        ),
        "oracle": Variant(
            Oracle, "Waits for higher processes without a timeout: forever, if one of them has crashed.", breaks=("E2",)
        ),
    }
}
