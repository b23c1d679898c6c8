"""No coordination: every process simply enters. The contrast that shows why an algorithm is needed."""

from algorithms.engine.process import Algorithm, MutexProcess, exactly


class Uncoordinated(MutexProcess):
    def acquire(self):
        self.enter()  # no other process is asked


ALGORITHM = Algorithm(
    name="uncoordinated",
    title="No coordination",
    summary="A process enters whenever it likes, even if another one is inside.",
    source="the contrast; random access in A. Ciuffoletti, The Wandering Token",
    process=Uncoordinated,
    assumes=(),
    cost=exactly("0", lambda n: 0),
    promises=("ME2",),
    explanation=(
        "A process that wants to enter the critical section simply enters. No messages are sent. As soon as two "
        "processes want to enter at about the same time, both are inside, which is what the other algorithms prevent."
    ),
)
