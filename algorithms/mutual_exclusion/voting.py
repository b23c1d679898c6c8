"""Decentralized voting (Lin, Lian, Chen, Zhang, 2004; lecture, 'b.'): m of n votes let a process in, m > n/2.

2mk + m messages after k attempts, and the votes given back after each failed attempt. A coordinator that crashes
recovers at once, but has forgotten its vote.
"""

from algorithms.engine.process import Algorithm, Cost, Message, MutexProcess, Parameter, all_of, when


class Request(Message):
    """Asks for a vote."""


class Vote(Message):
    """Gives the vote."""


class Denied(Message):
    """Refuses: the vote has been given to another process."""


class Release(Message):
    """Returns the vote."""


def at_most_all(value, nodes):
    """Whether there are at least that many processes."""
    return value <= nodes


class Voting(MutexProcess):
    coordinators = Parameter(0, "n: the first n processes vote; 0 means all", low=0, fits=at_most_all)
    votes = Parameter(0, "m: the number of votes needed to enter; 0 means a majority", low=0, fits=at_most_all)
    asked = Parameter(0, "the number of coordinators asked at once; 0 means m", low=0, fits=at_most_all)
    backoff = Parameter(5.0, "mean random delay before the next attempt", low=0)

    def setup(self):
        self.vote = None  # coordinator: the process that has its vote
        self.electors = set()  # coordinators that have voted for it
        self.awaiting = set()  # coordinators that have not answered yet
        self.attempt = False  # whether it has asked for votes and not counted them yet

    def acquire(self):
        self.attempt = True
        self.awaiting = self.those_to_ask()
        self.send(Request(), to=self.awaiting)  # it asks P{awaiting} for a vote

    def on_request(self, request, sender):
        if self.vote is None:
            self.vote = sender
            self.send(Vote(), to=sender)  # it votes for P{sender}: its vote was free
        else:
            self.send(Denied(), to=sender)  # it refuses: P{vote} has its vote

    def on_vote(self, vote, sender):
        if sender in self.awaiting:
            self.awaiting.remove(sender)
            self.electors.add(sender)  # one more vote, {len(electors) + 1} so far

    def on_denied(self, denied, sender):
        self.awaiting.discard(sender)

    @when(lambda self: self.attempt and not self.awaiting)
    def all_have_answered(self):
        self.attempt = False
        votes, needed = len(self.electors), self.quorum()
        if votes >= needed:
            self.enter()  # {votes} votes have come in, and {needed} are needed
        else:
            self.give_back()
            delay = self.random.exponential(self.backoff)
            self.set_timer("retry", delay)  # it will try again later: it has {votes} of the {needed} votes it needs

    def on_retry(self):
        self.acquire()

    def release(self):
        self.give_back()  # it returns the votes of P{electors}

    def give_back(self):
        self.send(Release(), to=self.electors)
        self.electors = set()

    def on_release(self, release, sender):
        if self.vote == sender:
            self.vote = None  # it can vote again

    def quorum(self):
        return self.votes or self.voters() // 2 + 1

    def those_to_ask(self):
        n = self.voters()
        return {(self.id + k) % n for k in range(1, (self.asked or self.quorum()) + 1)}

    def voters(self):
        return self.coordinators or self.size

    def waiting_for(self):
        return all_of(
            self.awaiting, Vote, Denied, note=f"it has {len(self.electors)} of the {self.quorum()} votes it needs"
        )

    def keeps_waiting(self, other):
        free = self.vote in (None, other.id) or self.id not in other.those_to_ask()
        return "" if free else f"has voted for {'itself' if self.vote == self.id else f'P{self.vote}'}"


ALGORITHM = Algorithm(
    name="voting",
    title="Voting",
    summary="A process enters when a majority of the coordinators have voted for it.",
    source="S.-D. Lin, Q. Lian, M. Chen, Z. Zhang, 2004; lecture, 'b. A Decentralized Algorithm'",
    process=Voting,
    looks={Request: "ask", Vote: "grant", Denied: "deny", Release: "announce"},
    assumes=("reliable", "coordinators forget nothing", "nobody crashes"),
    cost=Cost(
        "2mk + m", lambda n: 3 * (n // 2 + 1), None, "k attempts; votes returned after failed attempts come on top"
    ),
    badge="vote",
    chips="electors",
    explanation=(
        "There are n coordinators with one vote each. A process enters once it has m votes, more than half of them, "
        "so two processes can never both have enough. A coordinator whose vote is taken refuses. A process with too "
        "few votes returns them, waits for a random time and tries again; it also returns its votes when it leaves. "
        "There is no single coordinator to depend on, but competing processes can keep each other from a majority for "
        "long."
    ),
    symbols={
        "n": "the number of coordinators",
        "m": "the number of votes needed to enter, more than n/2",
        "k": "the number of attempts that an entry takes",
    },
)
