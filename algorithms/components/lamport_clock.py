"""A logical clock, for algorithms that ask what happened before: L. Lamport, CACM 21(7), 1978, rules IR1 and IR2."""

from algorithms.engine.process import Process


class LamportClock(Process):
    """`clock = Part(LamportClock)` in a class body; then `self.clock.tick()` and `self.clock.hear(stamp)`."""

    def setup(self):
        self.time = 0  # the latest time that it knows of

    def tick(self):
        """A timestamp (time, id) of its own, later than all that it knows of; no two timestamps are equal."""
        self.time += 1
        return (self.time, self.id)

    def hear(self, stamp):
        """Take note of another process's timestamp."""
        self.time = max(self.time, stamp[0])
