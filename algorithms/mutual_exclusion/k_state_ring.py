"""E. W. Dijkstra, CACM 17(11), 1974: the ring of K-state machines, self-stabilizing from any state.

A machine has the privilege if it differs from its left neighbour; P0 has it if the two are equal. Dijkstra's machines
read their neighbour's state. Here each sends its state to the right on every move, and periodically in case of a loss.
"""

from itertools import pairwise

from algorithms.engine.process import Algorithm, Message, MutexProcess, Parameter, all_of, when


class State(Message):
    value: int


class KStateRing(MutexProcess):
    k = Parameter(101, "K: the number of states, more than the number of machines and messages in transit", low=2)
    repeat = Parameter(20.0, "how often it repeats its state when nothing happens", low=0)

    def setup(self):
        self.state = self.random.below(self.k)  # its state; the initial one is arbitrary
        self.left = self.random.below(self.k)  # the last state of its left neighbour that it knows of

    def launch(self):
        self.tell()

    def tell(self):
        self.set_timer("repeat", self.repeat)
        self.send(State(self.state), to=(self.id + 1) % self.size)

    def on_state(self, message, sender):
        self.left = message.value

    def privileged(self):
        return (self.left == self.state) == (self.id == 0)

    @when(lambda self: self.privileged() and not self.inside)
    def have_privilege(self):
        if self.wants:
            self.enter()  # P{id} has the privilege
        else:
            self.move()

    def release(self):
        self.move()

    def move(self):
        if self.id == 0:
            self.state = (self.left + 1) % self.k  # it gives up the privilege by moving on to state {(left + 1) % k}
        else:
            self.state = self.left  # it gives up the privilege by copying its left neighbour's state, {left}
        self.tell()

    def on_repeat(self):
        self.tell()

    def recovered(self):
        self.tell()

    def holding(self):
        return self.privileged()

    def waiting_for(self):
        compared = "differs from" if self.id == 0 else "equals"
        note = f"its state {self.state} {compared} its neighbour's, {self.left}, so it has no privilege"
        return all_of({(self.id - 1) % self.size}, State, timers=(), note=note)

    def keeps_waiting(self, other):
        return "has a privilege" if self.privileged() else ""


def privileges(processes, messages):
    """How many there are if each message in transit counts as a machine that copies its left neighbour's state."""
    up = {process.id: process for process in processes}
    transit = {}
    for sender, _, message in messages:
        transit.setdefault(sender, []).insert(0, message.value)  # the oldest comes last
    count = 0
    for left, process in sorted(up.items()):
        right = (left + 1) % process.size
        states = [process.state, *transit.get(left, ())]
        if right in up:
            states += [up[right].left, up[right].state] if right else [up[right].left]
        count += sum(one != other for one, other in pairwise(states))
    return count + (0 in up and up[0].privileged())


ALGORITHM = Algorithm(
    name="k-state-ring",
    title="K-state ring",
    summary="From any initial state, a ring of counters ends up with exactly one privilege, which circulates.",
    source="E. W. Dijkstra, Self-stabilizing systems in spite of distributed control, CACM 17(11), 1974",
    process=KStateRing,
    looks={State: "announce"},
    topology="ring",
    assumes=("FIFO", "nobody crashes"),
    badge="state",
    explanation=(
        "Each machine has a counter with K states and knows its left neighbour's. P0 has the privilege to enter when "
        "the two are equal; every other machine has it when they differ. A machine gives up its privilege by moving: "
        "P0 increments its counter, the others copy their left neighbour's. There is always at least one privilege, "
        "and moves never create more, so from any initial state the ring reaches one privilege and keeps it. Until "
        "then several processes may be inside at the same time."
    ),
    symbols={
        "K": "the number of states of each machine",
        "privilege": "the right to enter the critical section and to change state",
    },
    privileges=privileges,
    promises=("ME2", "convergence"),
)
