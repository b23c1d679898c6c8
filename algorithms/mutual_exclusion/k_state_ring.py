"""E. W. Dijkstra, CACM 17(11), 1974: the ring of K-state machines, self-stabilizing from any state.

A machine has the privilege if it differs from its left neighbour; P0 has it if the two are equal. Dijkstra's machines
read their neighbour's state. Here each sends its state to the right on every move, and periodically in case of a loss.
"""

from algorithms.engine.process import Algorithm, Message, MutexProcess, Parameter, when


class State(Message):
    value: int


class KStateRing(MutexProcess):
    k = Parameter(101, "the number of states, more than there are machines and messages under way", low=2)
    repeat = Parameter(20.0, "how often I tell my state when nothing happens", low=0)

    def setup(self):
        self.state = self.random.below(self.k)  # my state: at the start it may be anything
        self.left = self.random.below(self.k)  # what I believe my left neighbour's to be

    def launch(self):
        self.tell()

    def tell(self):
        self.set_timer("tell_again", self.repeat)
        self.send(State(self.state), to=(self.id + 1) % self.size)  # my right neighbour learns my state

    def on_state(self, message, sender):
        self.left = message.value

    def privileged(self):
        return (self.left == self.state) == (self.id == 0)

    @when(lambda self: self.privileged() and not self.inside)
    def have_privilege(self):
        if self.wants:
            self.enter()  # the privilege is mine, and I want it
        else:
            self.move()

    def release(self):
        self.move()

    def move(self):
        if self.id == 0:
            self.state = (self.left + 1) % self.k  # I lead: a new value for all
        else:
            self.state = self.left  # I follow: now the privilege is my right neighbour's
        self.tell()

    def on_tell_again(self):
        self.tell()

    def recovered(self):
        self.tell()

    def holding(self):
        return self.privileged()

    def waiting_for(self):
        return ((self.id - 1) % self.size,) if self.wants else ()


ALGORITHM = Algorithm(
    name="k-state-ring",
    title="K-state ring",
    summary="A ring of counters from any state to exactly one privilege, which goes round and round.",
    source="E. W. Dijkstra, Self-stabilizing systems in spite of distributed control, CACM 17(11), 1974",
    process=KStateRing,
    looks={State: "announce"},
    topology="ring",
    assumes=("FIFO", "nobody crashes"),
    badge="state",
    promises=("ME2",),
)
