"""Decentralized voting (Lin, Lian, Chen, Zhang, 2004; lecture, 'b.'): m of n votes let a process in, m > n/2.

2mk + m messages after k attempts, and the votes given back after each failed attempt. A coordinator that crashes
recovers at once, but has forgotten its vote.
"""

from algorithms.engine.process import Algorithm, Cost, Message, MutexProcess, Parameter, when


class Request(Message):
    """Do I have your vote?"""


class Vote(Message):
    """You have it."""


class Denied(Message):
    """I have given it to somebody else."""


class Release(Message):
    """I give your vote back."""


def at_most_all(value, nodes):
    """Whether there are so many processes."""
    return value <= nodes


class Voting(MutexProcess):
    coordinators = Parameter(0, "n: the first n processes vote; 0 stands for all", low=0, fits=at_most_all)
    votes = Parameter(0, "m: how many votes let a process in; 0 stands for a majority", low=0, fits=at_most_all)
    asked = Parameter(0, "how many are asked at once; 0 stands for as many as have to agree", low=0, fits=at_most_all)
    backoff = Parameter(5.0, "mean of the random time before another attempt", low=0)

    def setup(self):
        self.vote = None  # coordinator: to whom I have given my vote
        self.electors = set()  # who has voted for me
        self.awaiting = set()  # who has not answered me yet
        self.attempt = False  # I have asked for votes and have not counted them yet

    def acquire(self):
        self.attempt = True
        self.awaiting = self.those_to_ask()
        self.send(Request(), to=self.awaiting)  # I ask for votes

    def on_request(self, request, sender):
        if self.vote is None:
            self.vote = sender
            self.send(Vote(), to=sender)  # I have voted for nobody yet: you have my vote
        else:
            self.send(Denied(), to=sender)  # I have voted for somebody else

    def on_vote(self, vote, sender):
        if sender in self.awaiting:
            self.awaiting.remove(sender)
            self.electors.add(sender)  # one vote more

    def on_denied(self, denied, sender):
        self.awaiting.discard(sender)

    @when(lambda self: self.attempt and not self.awaiting)
    def all_have_answered(self):
        self.attempt = False
        if len(self.electors) >= self.quorum():
            self.enter()  # enough of them have voted for me
        else:
            self.give_back()  # not enough: I give the votes back, and shall ask again
            self.set_timer("retry", self.random.exponential(self.backoff))

    def on_retry(self):
        self.acquire()

    def release(self):
        self.give_back()  # I have had my turn: I give the votes back

    def give_back(self):
        self.send(Release(), to=self.electors)
        self.electors = set()

    def on_release(self, release, sender):
        if self.vote == sender:
            self.vote = None  # I may vote again

    def quorum(self):
        return self.votes or self.voters() // 2 + 1

    def those_to_ask(self):
        n = self.voters()
        return {(self.id + k) % n for k in range(1, (self.asked or self.quorum()) + 1)}

    def voters(self):
        return self.coordinators or self.size

    def waiting_for(self):
        return self.awaiting


ALGORITHM = Algorithm(
    name="voting",
    title="Voting",
    summary="Several coordinators vote; a majority of their votes lets a process in.",
    source="S.-D. Lin, Q. Lian, M. Chen, Z. Zhang, 2004; lecture, 'b. A Decentralized Algorithm'",
    process=Voting,
    looks={Request: "ask", Vote: "grant", Denied: "deny", Release: "announce"},
    assumes=("reliable", "coordinators forget nothing", "nobody crashes"),
    cost=Cost(
        "2mk + m", lambda n: 3 * (n // 2 + 1), None, "k attempts; and the votes given back after those that failed"
    ),
    badge="vote",
    chips="electors",
)
