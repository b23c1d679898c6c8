"""Election on a tree by saturation (Santoro, Design and Analysis of Distributed Algorithms, 2.6).

Once awake, a leaf reports to its only neighbour, and any other process to the last neighbour that has not reported.
Two neighbours end up reporting to each other, and know the largest of all. 3N+k−4 messages with k callers, always.
"""

from algorithms.engine.process import Algorithm, Cost, ElectionProcess, Message, Variant, all_of, when


class WakeUp(Message):
    """Wakes a neighbour: an election is under way."""


class Best(Message):
    number: int  # the largest on the sender's side of the link


class Elected(Message):
    number: int  # the leader


class TreeElection(ElectionProcess):
    roles = ("asleep", "participant")

    def setup(self):
        self.awake = False  # whether it knows of an election
        self.missing = {*self.peers}  # neighbours that have not reported
        self.best = self.id  # the largest number that it knows of
        self.to = None  # the neighbour to which it has reported

    def start(self):
        if not self.awake:
            self.wake(())

    def on_wake_up(self, wake_up, sender):
        if self.awake:
            pass  # it is awake already
        else:
            self.wake({sender})

    def wake(self, sources):
        self.awake = True
        self.send(WakeUp(), to={*self.peers} - {*sources})  # it wakes its other neighbours

    @when(lambda self: self.awake and self.to is None and self.is_ready())
    def report(self):
        self.to = min(self.missing)
        self.send(Best(self.best), to=self.to)  # it reports the largest number that it knows, {best}, to P{to}

    def is_ready(self):
        return len(self.missing) == 1

    def on_best(self, best, sender):
        self.missing -= {sender}
        self.best = max(self.best, best.number)
        if not self.missing:
            self.elect(self.best)
            self.send(Elected(self.best), to={*self.peers} - {sender})  # all its neighbours have reported

    def on_elected(self, elected, sender):
        self.elect(elected.number)
        self.send(elected, to={*self.peers} - {sender})  # it passes the announcement on

    def role(self):
        if self.leader is not None:
            return ""
        return "participant" if self.awake else "asleep"

    def waiting_for(self):
        return all_of(self.missing if self.awake and self.leader is None else (), Best, Elected)


class NoWaking(TreeElection):
    def wake(self, sources):
        self.awake = True


class Eager(TreeElection):
    def is_ready(self):
        return len(self.missing) in (1, 2)

    def waiting_for(self):
        return super().waiting_for()._replace(is_any=True)


def two_neighbours_decide(processes):
    """Whether at most two processes have received every report, and these are neighbours."""
    deciding = [process for process in processes if not process.missing]
    return len(deciding) < 2 or (len(deciding) == 2 and deciding[0].id in deciding[1].peers)


ALGORITHM = Algorithm(
    name="tree-election",
    title="Tree election",
    summary="Reports flow from the leaves inwards, until two neighbours have reported to each other.",
    source="N. Santoro, Design and Analysis of Distributed Algorithms, 2006, 2.6",
    process=TreeElection,
    looks={WakeUp: "ask", Best: "grant", Elected: "announce"},
    topology="tree",
    assumes=("reliable", "FIFO", "nobody crashes", "the graph is a tree"),
    cost=Cost("3N+k−4", lambda n: 3 * n - 3, lambda n: 4 * n - 4, "if k processes start the election"),
    badge="best",
    chips="missing",
    pointers={"to": "solid"},
    invariants={"two neighbours decide": two_neighbours_decide},
    promises=("E1", "E2"),
    explanation=(
        "The processes form a tree without a root. A process that calls an election wakes its neighbours, and they "
        "wake theirs. A leaf reports its number to its only neighbour; any other process waits until all but one of "
        "its neighbours have reported, and then reports the largest number so far to that one. In the end two "
        "neighbours have reported to each other: both know the largest number of all, and announce it outwards."
    ),
    symbols={
        "N": "the number of processes",
        "k": "the number of processes that start the election",
        "best": "the largest number that a process knows of",
        "to": "the neighbour to which a process has reported",
    },
    variants={
        "no-waking": Variant(NoWaking, "The caller wakes nobody, so nobody else reports.", breaks=("E2",)),
        "eager": Variant(
            Eager, "Reports while two neighbours are missing, and so without part of the tree.", breaks=("E1",)
        ),
    },
)
