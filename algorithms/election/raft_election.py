"""Raft's election (Ongaro & Ousterhout, USENIX ATC 2014), with all logs assumed equal: one leader in each term.

A process that hears nothing for a while stands as a candidate in the next term. It leads if a majority votes for it;
nobody votes twice in a term. 3(N−1) messages until everyone knows the leader, then N−1 heartbeats at each interval.
"""

from typing import ClassVar

from algorithms.engine.process import Algorithm, Cost, ElectionProcess, Message, Parameter, Variant, any_of, when


class RequestVote(Message):
    term: int

    def label(self):
        return f"term {self.term}"


class Granted(Message):
    term: int

    def label(self):
        return f"term {self.term}"


class Refused(Message):
    term: int  # the sender's own

    def label(self):
        return f"term {self.term}"


class Heartbeat(Message):
    term: int

    def label(self):
        return f"of term {self.term}"


class RaftElection(ElectionProcess):
    roles: ClassVar[tuple[str, ...]] = ("candidate",)
    shortest = Parameter(
        10.0, "the shortest time without a heartbeat after which a process stands", low=0, timer="silence"
    )
    spread = Parameter(10.0, "how much longer that time may be, at random", low=0)
    beat = Parameter(4.0, "time between two heartbeats of a leader", low=0, timer="beat")

    def setup(self):
        self.term = 0  # the latest term that it has heard of
        self.voted = None  # the candidate that has its vote in this term
        self.role = "follower"  # follower, candidate or leader
        self.votes = set()  # the processes that have voted for it in this term

    def launch(self):
        self.be_patient()

    def recovered(self):
        self.role = "follower"
        self.votes = set()
        self.be_patient()

    def be_patient(self):
        self.set_timer("silence", self.shortest + self.spread * self.random.random())

    def start(self):
        self.stand()

    def on_silence(self):
        self.stand()

    def stand(self):
        if self.role != "leader":
            self.term += 1
            self.role = "candidate"
            self.leader = None
            self.voted = self.id
            self.votes = {self.id}
            self.be_patient()
            self.send(RequestVote(self.term), to=self.peers)  # it stands as a candidate in term {term}

    def notice(self, term):
        """Leave everything behind that belongs to an earlier term."""
        if term > self.term:
            if self.role == "leader":
                self.cancel_timer("beat")
                self.be_patient()
            self.term = term
            self.role = "follower"
            self.leader = None
            self.voted = None
            self.votes = set()

    def on_request_vote(self, request, sender):
        self.notice(request.term)
        if request.term == self.term and self.may_vote_for(sender):
            self.voted = sender
            self.be_patient()
            self.send(Granted(self.term), to=sender)  # it votes for P{sender} in term {term}
        elif request.term == self.term:
            self.send(Refused(self.term), to=sender)  # it refuses: it has voted for P{voted} in term {term}
        else:
            self.send(Refused(self.term), to=sender)  # it refuses: term {request.term} is over, it is in term {term}

    def may_vote_for(self, candidate):
        return self.voted in (None, candidate)

    def on_granted(self, granted, sender):
        self.notice(granted.term)
        if self.role == "candidate" and self.counts(granted):
            self.votes.add(sender)

    def counts(self, granted):
        return granted.term == self.term

    def on_refused(self, refused, sender):
        self.notice(refused.term)

    @when(lambda self: self.role == "candidate" and self.has_majority())
    def win(self):
        self.role = "leader"
        self.cancel_timer("silence")
        self.elect(self.id, self.term)
        self.send_heartbeat()  # {len(votes)} of {size} votes in term {term} are for it

    def has_majority(self):
        return len(self.votes) > self.size / 2

    def on_beat(self):
        self.send_heartbeat()  # it sends its heartbeat of term {term} to all others

    def send_heartbeat(self):
        self.set_timer("beat", self.beat)
        self.send(Heartbeat(self.term), to=self.peers)

    def on_heartbeat(self, heartbeat, sender):
        if heartbeat.term < self.term:
            self.send(Refused(self.term), to=sender)  # it tells P{sender} that term {term} has begun
        else:
            self.notice(heartbeat.term)
            self.role = "follower"
            self.be_patient()
            if self.leader != sender:
                self.elect(sender, self.term)

    @property
    def supporters(self):
        """The votes while they are counted, for the picture."""
        return self.votes if self.role in self.roles else ()

    def waiting_for(self):
        if self.role != "candidate":
            return ()
        needed = self.size // 2 + 1
        note = f"it has {len(self.votes)} of the {needed} votes it needs"
        return any_of({*self.peers} - self.votes, Granted, Heartbeat, timers=("silence",), note=note)

    def heeds(self, message):
        if message.term == self.term:
            is_counted = isinstance(message, Granted) and self.role == "candidate"
            return is_counted or isinstance(message, Heartbeat | RequestVote)
        return message.term > self.term

    def keeps_waiting(self, other):
        if self.term != other.term or self.voted in (None, other.id):
            return ""
        return f"has voted for {'itself' if self.voted == self.id else f'P{self.voted}'} in term {self.term}"


class VotesTwice(RaftElection):
    def may_vote_for(self, candidate):
        return True


class Half(RaftElection):
    def has_majority(self):
        return len(self.votes) >= self.size / 2


class OldVotes(RaftElection):
    def counts(self, granted):
        return True


def one_leader_a_term(processes):
    """Whether no two processes lead in the same term."""
    terms = [process.term for process in processes if process.role == "leader"]
    return len(terms) == len(set(terms))


def voters_stand_by_their_votes(processes):
    """Whether every process that has voted for a leader stands by it, or is in a later term."""
    leaders = [process for process in processes if process.role == "leader"]
    return all(
        voter.term > leader.term or (voter.term == leader.term and voter.voted == leader.id)
        for leader in leaders
        for voter in processes
        if voter.id in leader.votes
    )


ALGORITHM = Algorithm(
    name="raft-election",
    title="Raft election",
    summary="A process that hears nothing for a while stands in a new term, and leads if a majority votes for it.",
    source="D. Ongaro, J. Ousterhout, In search of an understandable consensus algorithm, USENIX ATC 2014",
    process=RaftElection,
    looks={RequestVote: "ask", Granted: "grant", Refused: "deny", Heartbeat: "announce"},
    assumes=("a majority is up",),
    cost=Cost("3(N−1)", lambda n: 3 * (n - 1), None, "if one process stands; then N−1 for each heartbeat"),
    badge="term",
    terms="term",
    chips="supporters",
    pointers={"voted": "dotted"},
    invariants={"one leader a term": one_leader_a_term, "voters stand by their votes": voters_stand_by_their_votes},
    promises=("E1", "E2"),
    explanation=(
        "Time is divided into terms. A process that has heard no leader for a random time raises its term, stands as "
        "a candidate and asks everyone for a vote. Each process votes once in a term, for the candidate that asks "
        "first. A candidate with the votes of a majority leads, and keeps the others quiet with heartbeats; if votes "
        "are split, the next timeout begins another term. Two processes may both believe that they lead, but never "
        "in the same term."
    ),
    symbols={
        "N": "the number of processes",
        "term": "the latest term that a process has heard of",
        "votes": "the processes that have voted for a candidate",
        "voted": "has voted for",
    },
    variants={
        "votes-twice": Variant(
            VotesTwice, "A process votes for every candidate that asks in a term.", breaks=("one leader a term",)
        ),
        "half": Variant(
            Half, "Half of the votes are enough, so each half can elect a leader.", breaks=("one leader a term",)
        ),
        "old-votes": Variant(
            OldVotes, "A candidate also counts late votes of an earlier term.", breaks=("one leader a term",)
        ),
    },
)
