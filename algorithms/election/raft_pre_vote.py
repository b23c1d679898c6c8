"""Raft with pre-votes (D. Ongaro, Consensus: bridging theory and practice, PhD thesis, Stanford 2014, 9.6).

A process that is cut off times out again and again. Without pre-votes its term grows with each timeout, and deposes a
working leader when it returns. With them, it raises its term only once a majority would vote for it.
"""

from algorithms.election.raft_election import Heartbeat, RaftElection, Refused
from algorithms.engine.process import Message, Variant, any_of, when


class PreVote(Message):
    proposed: int  # the term in which the sender would stand

    def label(self):
        return f"for term {self.proposed}"


class Consent(Message):
    """The sender has heard from no leader for the shortest timeout, and would vote."""

    proposed: int

    def label(self):
        return f"to term {self.proposed}"


class PreVoting(RaftElection):
    roles = ("pre-candidate", "candidate")

    def setup(self):
        super().setup()
        self.has_leader = False  # whether it has heard from a leader within the shortest timeout

    def recovered(self):
        super().recovered()
        self.has_leader = False

    def on_heartbeat(self, heartbeat, sender):
        if heartbeat.term >= self.term:
            self.has_leader = True
            self.set_timer("lease", self.shortest)
        super().on_heartbeat(heartbeat, sender)

    def on_lease(self):
        self.has_leader = False  # it has heard from no leader for {shortest}

    def on_silence(self):
        self.role = "pre-candidate"
        self.votes = {self.id}
        self.be_patient()
        self.send(PreVote(self.term + 1), to=self.peers)  # it asks who would vote for it in the next term

    def on_pre_vote(self, request, sender):
        if request.proposed <= self.term:
            self.send(Refused(self.term), to=sender)  # it refuses: it is in term {term} already
        elif self.role == "leader":
            self.send(Refused(self.term), to=sender)  # it refuses: it is the leader
        elif self.has_leader:
            self.send(Refused(self.term), to=sender)  # it refuses: it has a leader
        else:
            self.send(Consent(request.proposed), to=sender)  # it would vote for P{sender}: it has heard from no leader

    def on_consent(self, consent, sender):
        if self.role == "pre-candidate" and consent.proposed == self.term + 1:
            self.votes.add(sender)

    @when(lambda self: self.role == "pre-candidate" and self.has_majority())
    def stand_with_consent(self):
        self.stand()

    def waiting_for(self):
        if self.role != "pre-candidate":
            return super().waiting_for()
        note = f"{len(self.votes)} of the {self.size // 2 + 1} that it needs would vote for it"
        return any_of({*self.peers} - self.votes, Consent, Heartbeat, timers=("silence",), note=note)

    def heeds(self, message):
        return isinstance(message, Consent) or super().heeds(message)

    def keeps_waiting(self, other):
        if other.role == "pre-candidate":
            return "has a leader" if self.has_leader or self.role == "leader" else ""
        return super().keeps_waiting(other)


VARIANTS = {
    "raft-election": {
        "pre-vote": Variant(
            PreVoting,
            "After a timeout it stands only if a majority has heard from no leader either: its term does not run away.",
            looks={Consent: "grant"},
        )
    }
}
