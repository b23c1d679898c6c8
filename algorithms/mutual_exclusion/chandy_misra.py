"""Chandy & Misra, ACM TOPLAS 6(4), 1984: the dining philosophers, with clean and dirty forks.

Two neighbours share a fork, and a process needs all of its forks to enter; so neighbours, and only they, exclude each
other. A dirty fork is given away on request, a clean one is not: its owner goes first. 2 messages for each fork
that is elsewhere.

Nobody starves, as the paper proves: of two neighbours, the one that has used their fork last gives way, and these
precedences never form a circle.
"""

from collections import Counter

from algorithms.engine.process import Algorithm, Cost, Message, MutexProcess, Parameter, Variant, all_of, when


class Request(Message):
    """The request token of a fork: the process that has it may ask for the fork."""


class Fork(Message):
    """The fork that sender and receiver share, cleaned."""


class ChandyMisra(MutexProcess):
    alternate = Parameter(False, "whether even processes begin with all their forks, not the smaller of two neighbours")

    def setup(self):
        self.forks = {other for other in self.peers if self.begins_with(other)}  # neighbours whose shared fork it has
        self.dirty = set(self.forks)  # those of them whose fork has been used since it arrived
        self.tokens = set(self.peers) - self.forks  # neighbours whose shared request token it has

    def begins_with(self, other):
        if self.alternate and (self.id + other) % 2:
            return self.id % 2 == 0
        return self.id < other

    def on_request(self, request, sender):
        self.tokens.add(sender)

    def on_fork(self, fork, sender):
        self.forks.add(sender)
        self.dirty.discard(sender)

    @when(lambda self: self.wants and self.forks == set(self.peers))
    def eat(self):
        self.use_forks()
        self.enter()  # all its forks are here

    def use_forks(self):
        self.dirty = set(self.forks)

    @when(lambda self: not self.inside and self.tokens & self.dirty)
    def give_forks(self):
        self.give(self.tokens & self.dirty)

    def give(self, asked):
        self.forks -= asked
        self.dirty -= asked
        self.send(Fork(), to=asked)  # it gives P{asked} a dirty fork, having cleaned it

    @when(lambda self: self.wants and self.tokens - self.forks)
    def ask_for_forks(self):
        missing = self.tokens - self.forks
        self.tokens -= missing
        self.send(Request(), to=missing)  # it asks P{missing} for a fork

    def waiting_for(self):
        return all_of(set(self.peers) - self.forks, Fork)

    def keeps_waiting(self, other):
        if other.id not in self.forks:
            return ""
        state = "dirty" if other.id in self.dirty else "clean"
        return f"has the {state} fork that it shares with P{other.id}"


class DirtyCircle(ChandyMisra):
    def begins_with(self, other):
        return other == (self.id + 1) % self.size


class Circle(DirtyCircle):
    def setup(self):
        super().setup()
        self.dirty = set()


class StaysClean(ChandyMisra):
    def use_forks(self):
        pass


class WhileEating(ChandyMisra):
    @when(lambda self: self.tokens & self.dirty)
    def give_forks(self):
        self.give(self.tokens & self.dirty)


def _one_for_each_edge(variable, kind):
    """An invariant: any two neighbours share exactly one such thing, at one end or in transit."""

    def holds(processes, messages):
        up = {process.id for process in processes}
        edges = {frozenset((process.id, other)) for process in processes for other in process.peers if other in up}
        ends = [(process.id, other) for process in processes for other in getattr(process, variable)]
        ends += [(sender, receiver) for sender, receiver, message in messages if isinstance(message, kind)]
        count = Counter(map(frozenset, ends))
        return all(count[edge] == 1 for edge in edges)

    return holds


def clean_forks_are_wanted(processes):
    return all(process.wants or process.forks <= process.dirty for process in processes)


def dirty_forks_are_here(processes):
    return all(process.dirty <= process.forks for process in processes)


ALGORITHM = Algorithm(
    name="chandy-misra",
    title="Chandy–Misra",
    summary="Dining philosophers: two neighbours share a fork, and give it away on request only if it is dirty.",
    source="K. M. Chandy, J. Misra, The drinking philosophers problem, ACM TOPLAS 6(4), 1984",
    process=ChandyMisra,
    looks={Request: "ask", Fork: "grant"},
    excludes="neighbours",
    assumes=("reliable", "FIFO", "nobody crashes"),
    promises=("ME1", "ME2", "fair liveness"),
    cost=Cost("0 … 2d", lambda n: 0, lambda n: 2 * n.degree, "2 for each fork that is elsewhere"),
    at_edges={"forks": "dirty", "tokens": ""},
    explanation=(
        "Each pair of neighbours shares a fork, and a process needs all its forks to enter. So neighbours are never "
        "inside together, while others may be: on a complete graph this is mutual exclusion. Using a fork makes it "
        "dirty. When asked, a process cleans a dirty fork and gives it away; it keeps a clean one until it has used "
        "it. So of two neighbours, the one that has used the fork goes second. That is fair, and there is no deadlock "
        "unless the forks are dealt out in a circle at the start."
    ),
    symbols={
        "d": "the largest number of neighbours; N−1 on a complete graph",
        "forks": "clean fork",
        "dirty": "dirty fork",
        "tokens": "may ask for the fork",
    },
    invariants={
        "one fork per edge": _one_for_each_edge("forks", Fork),
        "one request per edge": _one_for_each_edge("tokens", Request),
        "clean forks are wanted": clean_forks_are_wanted,
        "dirty forks are here": dirty_forks_are_here,
    },
    variants={
        "circle": Variant(
            Circle,
            "On a ring, each begins with one clean fork, all on the same side: each waits for the next.",
            breaks=("ME2",),
            topology="ring",
        ),
        "dirty-circle": Variant(
            DirtyCircle,
            "On a ring, each begins with one dirty fork, all on the same side: each gives it away, and then all wait.",
            breaks=("ME2",),
            topology="ring",
        ),
        "stays-clean": Variant(
            StaysClean, "Using a fork does not make it dirty, so it is never given away.", breaks=("ME2",)
        ),
        "while-eating": Variant(WhileEating, "Gives its forks away while it is inside.", breaks=("ME1",)),
    },
)
