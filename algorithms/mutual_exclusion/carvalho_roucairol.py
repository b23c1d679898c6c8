"""Carvalho & Roucairol, CACM 26(2), 1983: a reply stays valid until its sender asks for it back.

0 to 2(N−1) messages. It is Ricart–Agrawala's algorithm with permissions that last: a process asks only those whose
permission it lacks. The order of requests (ME3) is given up, since a process that has all permissions asks nobody.
"""

from algorithms.engine.process import Algorithm, Cost, Message, MutexProcess, Variant, all_of, when


class Request(Message):
    stamp: tuple  # (clock, id): the smaller one is older and goes first


class Reply(Message):
    """Permission to enter, until the sender asks for it back."""


class CarvalhoRoucairol(MutexProcess):
    def setup(self):
        self.clock = 0  # Lamport clock: the highest seen in any request
        self.stamp = None  # timestamp (clock, id) of its pending request, if any
        self.allowed = set()  # processes whose permission it has
        self.deferred = set()  # processes that it will reply to when it leaves

    def acquire(self):
        self.clock += 1
        self.stamp = (self.clock, self.id)
        lacking = set(self.peers) - self.allowed
        self.send(Request(self.stamp), to=lacking)  # it asks P{lacking}, whose permission it lacks

    def on_request(self, request, sender):
        self.clock = max(self.clock, request.stamp[0])
        if self.inside:
            self.deferred.add(sender)  # it defers its reply until it leaves
        elif self.wants and self.stamp < request.stamp:
            self.deferred.add(sender)  # it defers its reply: its own {stamp} is older than {request.stamp}
        elif self.wants:
            self.give_way(sender)
        else:
            self.reply_to(sender)  # it replies at once: it is not competing

    def give_way(self, sender):
        had = sender in self.allowed
        self.reply_to(sender)  # it replies at once: P{sender}'s request is older than its own {stamp}
        if had:
            self.ask_back(sender)

    def reply_to(self, sender):
        self.allowed.discard(sender)
        self.send(Reply(), to=sender)

    def ask_back(self, sender):
        self.send(
            Request(self.stamp), to=sender
        )  # it replies, which gives P{sender}'s permission back, and asks for it again

    def on_reply(self, reply, sender):
        self.allowed.add(sender)

    @when(lambda self: self.wants and self.allowed == set(self.peers))
    def all_allow(self):
        self.enter()  # the permissions of all others are here

    def release(self):
        self.stamp = None
        self.allowed -= self.deferred
        self.send(Reply(), to=self.deferred)  # it replies to P{deferred}, which it kept waiting
        self.deferred = set()

    def waiting_for(self):
        return all_of(set(self.peers) - self.allowed, Reply)

    def keeps_waiting(self, other):
        if other.id not in self.deferred or self.id in other.allowed:
            return ""
        comparison = f": {self.stamp} is older than {other.stamp}" if self.stamp < other.stamp else ""
        return f"has deferred its reply to P{other.id}{comparison}"


class Keeps(CarvalhoRoucairol):
    def give_way(self, sender):
        self.reply_to(sender)

    def reply_to(self, sender):
        self.send(Reply(), to=sender)  # it replies at once, and keeps the permission of P{sender} if it has it


class ForgetsToAsk(CarvalhoRoucairol):
    def ask_back(self, sender):
        pass


def one_permission_between_two(processes):
    allowed = {process.id: process.allowed for process in processes}
    return not any(other in allowed and node in allowed[other] for node in allowed for other in allowed[node])


ALGORITHM = Algorithm(
    name="carvalho-roucairol",
    title="Carvalho–Roucairol",
    summary="Permissions last: a process asks only those whose permission it has given back since its last entry.",
    source="O. Carvalho, G. Roucairol, On mutual exclusion in computer networks, CACM 26(2), 1983",
    process=CarvalhoRoucairol,
    looks={Request: "ask", Reply: "grant"},
    assumes=("reliable", "nobody crashes"),
    cost=Cost("0 … 2(N−1)", lambda n: 0, lambda n: 2 * (n - 1), "2 for each process whose permission it lacks"),
    badge="clock",
    chips="deferred",
    at_edges={"allowed": ""},
    explanation=(
        "It works as Ricart and Agrawala's algorithm does, but a reply remains valid after the entry, until its sender "
        "asks for it back. So of any two processes, at most one has the other's permission: it is like a token that "
        "the pair shares. A process asks only those whose permission it lacks, and enters when it has them all; if "
        "nobody has asked since it left, it enters again without any message. If an older request arrives while it "
        "waits, it gives the permission back and asks for it again."
    ),
    symbols={
        "(clock, id)": "a timestamp: the Lamport clock and the number of the process; the smaller one is older",
        "N": "the number of processes",
        "allowed": "the other's permission",
    },
    invariants={"one permission between two": one_permission_between_two},
    variants={
        "keeps": Variant(
            Keeps, "Replies but keeps the other's permission as well, so both may enter.", breaks=("ME1",)
        ),
        "forgets-to-ask": Variant(
            ForgetsToAsk, "Gives a permission back while it waits, and does not ask for it again.", breaks=("ME2",)
        ),
    },
)
