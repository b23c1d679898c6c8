"""No coordination at all: every process simply enters. The contrast that shows why an algorithm is needed."""

from algorithms.engine.process import Algorithm, MutexProcess, exactly


class Uncoordinated(MutexProcess):
    def acquire(self):
        self.enter()  # I ask nobody


ALGORITHM = Algorithm(
    name="uncoordinated",
    title="No coordination",
    summary="Everybody enters when it likes, whoever else is inside.",
    source="the contrast; random access in A. Ciuffoletti, The Wandering Token",
    process=Uncoordinated,
    assumes=(),
    cost=exactly("0", lambda n: 0),
    promises=("ME2",),
)
