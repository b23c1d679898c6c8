"""Maekawa, ACM TOCS 3(2), 1985: votes of a quorum of about √N processes; 3(K−1) to about 5(K−1) messages per entry.

Any two quorums of K processes intersect, and each process, as an arbiter, has one vote. Processes that each have some
of the votes may block each other, so an arbiter can ask for its vote back. The published rules still deadlock with
four processes; the refusal in `overtake` is the correction, after B. Sanders, ACM TOCS 5(3), 1987.
"""

from algorithms.components.quorums import QUORUMS
from algorithms.engine.process import Algorithm, Cost, Message, MutexProcess, Parameter, all_of, when


class Request(Message):
    stamp: tuple  # (clock, id): the smaller one is older and goes first


class Vote(Message):
    """The only vote of an arbiter, until it is released or handed back."""


class Refusal(Message):
    """The arbiter prefers an older request."""


class Inquiry(Message):
    """Asks for the vote back, for an older request; answered only by a process that cannot win yet."""


class Handback(Message):
    """Gives the vote back for a while: the request stays in the arbiter's queue."""


class Release(Message):
    """Gives the vote back: the sender has left."""


class Maekawa(MutexProcess):
    quorums = Parameter(
        "grid",
        "which quorums: grid (or the lines of a projective plane), all, tree, or own",
        fits=lambda value, nodes: value in QUORUMS,
    )

    def setup(self):
        self.quorum = QUORUMS[self.quorums](self.id, self.size)  # the processes whose votes it needs, itself among them
        self.clock = 0  # Lamport clock: the highest seen in any request
        # as a requester
        self.stamp = None  # timestamp (clock, id) of its pending request, if any
        self.votes = set()  # arbiters that have voted for it
        self.failed = set()  # arbiters that prefer another request
        self.pressed = set()  # arbiters that have asked for their vote back, and have no answer yet
        # as an arbiter
        self.locked = None  # timestamp of the request that has its vote
        self.queue = ()  # timestamps of the requests that wait for its vote, oldest first
        self.asked = False  # whether it has asked for its vote back

    def acquire(self):
        self.clock += 1
        self.stamp = (self.clock, self.id)
        self.votes, self.failed, self.pressed = set(), set(), set()
        self.tell_all(Request(self.stamp), self.quorum)  # it asks its quorum, P{quorum}, for their votes

    # ---- as an arbiter

    def on_request(self, request, sender):
        self.clock = max(self.clock, request.stamp[0])
        if self.locked is None:
            self.vote_for(request.stamp)
        else:
            self.compare(request.stamp, self.queue[0] if self.queue else None)

    def compare(self, stamp, best):
        self.queue = tuple(sorted((*self.queue, stamp)))  # it queues the request
        if stamp > self.locked or (best and stamp > best):
            self.tell(Refusal(), stamp[1])  # it refuses for now: it prefers an older request
            return
        if best and best < self.locked:
            self.overtake(best)
        self.inquire(self.locked[1])

    def overtake(self, best):
        self.tell(Refusal(), best[1])  # it refuses P{best[1]}, too, whose request is no longer the oldest in the queue

    def inquire(self, holder):
        if not self.asked:
            self.asked = True
            self.tell(Inquiry(), holder)  # it asks P{holder} for its vote back: the new request is older

    def vote_for(self, stamp):
        self.locked = stamp
        self.tell(Vote(), stamp[1])  # it votes for P{stamp[1]}

    def on_release(self, release, sender):
        self.vote_again()

    def on_handback(self, handback, sender):
        self.queue = tuple(sorted((*self.queue, self.locked)))
        self.vote_again()

    def vote_again(self):
        self.locked = None
        self.asked = False
        if self.queue:
            oldest, self.queue = self.queue[0], self.queue[1:]
            self.vote_for(oldest)

    # ---- as a requester

    def on_vote(self, vote, sender):
        self.votes.add(sender)
        self.failed.discard(sender)

    def on_refusal(self, refusal, sender):
        if sender not in self.votes:
            self.failed.add(sender)

    def on_inquiry(self, inquiry, sender):
        if self.wants and sender in self.votes:
            self.pressed.add(sender)
        else:
            pass  # P{sender}'s vote comes back with the release

    @when(lambda self: self.wants and self.votes >= set(self.quorum))
    def elected(self):
        self.pressed = set()
        self.enter()  # all votes of its quorum are here

    @when(lambda self: self.wants and self.pressed and self.failed)
    def hand_back(self):
        given, self.pressed = self.pressed, set()
        self.votes -= given
        self.failed |= given
        self.tell_all(Handback(), given)  # it hands back the vote of P{given}: P{failed} preferred another request

    def release(self):
        self.stamp = None
        self.votes = set()
        self.tell_all(Release(), self.quorum)  # it releases the votes of its quorum

    # ---- messages to itself are plain calls

    def tell(self, message, process):
        if process == self.id:
            getattr(self, f"on_{type(message).__name__.lower()}")(message, self.id)
        else:
            self.send(message, to=process)

    def tell_all(self, message, processes):
        for process in sorted(processes):
            self.tell(message, process)

    # ---- for the window

    @property
    def voted_for(self):
        """The process that has its vote."""
        return self.locked and self.locked[1]

    def waiting_for(self):
        missing = set(self.quorum) - self.votes
        return all_of(missing, Vote, note=f"it has {len(self.votes)} of the {len(self.quorum)} votes it needs")

    def keeps_waiting(self, other):
        if other.stamp not in self.queue:
            return ""
        whom = "itself" if self.voted_for == self.id else f"P{self.voted_for}"
        back = " and has asked for its vote back" if self.asked else ""
        return f"has voted for {whom}{back}"

    def kept_by(self, other):
        return self.voted_for if other.stamp in self.queue else None


def votes_are_real(processes):
    """A process that counts a vote has it."""
    arbiters = {process.id: process for process in processes}
    return all(
        arbiters[arbiter].voted_for == process.id
        for process in processes
        for arbiter in process.votes
        if arbiter in arbiters
    )


def no_queue_without_a_vote(processes):
    return all(process.locked for process in processes if process.queue)


def _least(n):
    """The fewest messages of an entry: the smallest quorum's, without contention."""
    return 3 * (min(_quorum_sizes(n)) - 1)


def _quorum_sizes(n):
    return [len(QUORUMS[n.parameters["quorums"]](node, n)) for node in range(n)]


ALGORITHM = Algorithm(
    name="maekawa",
    title="Maekawa's quorums",
    summary="A process needs the votes of its quorum, about √N processes; any two quorums have a process in common.",
    source="M. Maekawa, A √N algorithm for mutual exclusion in decentralized systems, ACM TOCS 3(2), 1985",
    process=Maekawa,
    looks={Request: "ask", Vote: "grant", Refusal: "deny", Inquiry: "ask", Handback: "announce", Release: "announce"},
    assumes=("reliable", "FIFO", "nobody crashes"),
    cost=Cost("3(K−1) … 5(K−1)", _least, None, "as published; more where votes are handed back again and again"),
    badge="clock",
    chips=("votes", "queue"),
    pointers={"voted_for": "dotted"},
    region="quorum",
    explanation=(
        "Each process has a quorum, and any two quorums have a process in common. A process that wants to enter asks "
        "its quorum for their votes and enters when it has them all; each arbiter has one vote, so no two can enter. "
        "An arbiter that has already voted queues the request; if the new one is older, it asks for its vote back, "
        "and a process that another arbiter has refused hands it back. Otherwise two processes, each with some "
        "of the votes, would wait for each other forever."
    ),
    symbols={
        "K": "the size of a quorum: about √N in a projective plane, about 2√N in a grid",
        "N": "the number of processes",
        "quorum": "quorum",
        "voted_for": "has its vote",
        "(clock, id)": "a timestamp: the Lamport clock and the number of the process; the smaller one is older",
    },
    invariants={"votes are real": votes_are_real, "no queue without a vote": no_queue_without_a_vote},
)
