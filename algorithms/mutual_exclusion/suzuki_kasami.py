"""Suzuki & Kasami, ACM TOCS 3(4), 1985: N messages per entry, or none if the token is already here.

A request is broadcast, but the queue is not: it travels in the token, with the number of the last request served for
each process. These numbers identify an old request that arrives late.

Nobody starves, as the paper proves: a request joins the token's queue at the next exit after it has arrived everywhere,
and nobody overtakes it there.
"""

from dataclasses import field

from algorithms.components.invariants import nobody_twice_in_a_queue
from algorithms.engine.process import Algorithm, Cost, Message, MutexProcess, Variant, any_of


class Request(Message):
    number: int  # the number of times that the sender has requested


class Token(Message):
    served: tuple = field(repr=False)  # served[i]: the latest request of Pi that has been served
    queue: tuple  # the processes that receive the token next

    def label(self):
        return "then " + " ".join(f"P{node}" for node in self.queue) if self.queue else ""


class SuzukiKasami(MutexProcess):
    def setup(self):
        self.asked = [0] * self.size  # asked[i]: the latest request of Pi that it knows of
        self.token = None  # the token, if it is here

    def launch(self):
        if self.id == 0:
            self.create_token()
            self.token = Token((0,) * self.size, ())

    def acquire(self):
        if self.token:
            self.enter()  # the token is already here
        else:
            self.asked[self.id] += 1
            self.send(Request(self.asked[self.id]), to=self.peers)  # it asks every other process for the token

    def on_request(self, request, sender):
        self.asked[sender] = max(self.asked[sender], request.number)
        if self.token and request.number <= self.token.served[sender]:
            return  # it ignores it: the token says that this request has been served
        if self.token and not self.inside:
            self.pass_on()

    def on_token(self, token, sender):
        self.token = token
        self.enter()  # only the token holder may

    def release(self):
        self.pass_on()

    def pass_on(self):
        served = list(self.token.served)
        served[self.id] = self.asked[self.id]
        new = [i for i in range(self.size) if self.asked[i] == served[i] + 1 and i not in self.token.queue]
        queue = (*self.token.queue, *new)
        self.token = Token(tuple(served), queue[1:])
        if queue:
            self.hand_over(queue[0])

    def hand_over(self, first):
        self.send(self.token, to=first)  # it passes the token to P{first}, the first in the queue
        self.token = None

    @property
    def queue(self):
        """The queue in the token that is here."""
        return self.token.queue if self.token else ()

    def holding(self):
        return self.token is not None

    def waiting_for(self):
        return any_of(self.peers, Token)

    def keeps_waiting(self, other):
        if not self.token:
            return ""
        if other.id in self.queue:
            return (
                f"has P{other.id} as number {self.queue.index(other.id) + 1} of {len(self.queue)} in the token's queue"
            )
        if self.asked[other.id] > self.token.served[other.id]:
            return f"keeps P{other.id}'s request {self.asked[other.id]} until it leaves"
        return f"has not received P{other.id}'s request {other.asked[other.id]}"


class Copies(SuzukiKasami):
    def hand_over(self, first):
        self.create_token()
        self.send(self.token, to=first)  # it sends a copy of the token to P{first}, and keeps the token

    def on_token(self, token, sender):
        if self.wants:
            super().on_token(token, sender)
        else:
            self.destroy_token()  # it drops the copy: it is not waiting


class Deaf(SuzukiKasami):
    def on_request(self, request, sender):
        if not self.inside:
            super().on_request(request, sender)


def no_more_served_than_asked(processes):
    tokens = [process.token for process in processes if process.token]
    return all(token.served[process.id] <= process.asked[process.id] for token in tokens for process in processes)


ALGORITHM = Algorithm(
    name="suzuki-kasami",
    title="Suzuki–Kasami",
    summary="A process asks all others for the token, which carries the queue of those waiting for it.",
    source="I. Suzuki, T. Kasami, ACM TOCS 3(4), 1985",
    process=SuzukiKasami,
    looks={Request: "ask", Token: "token"},
    assumes=("reliable", "nobody crashes"),
    promises=("ME1", "ME2", "fair liveness"),
    cost=Cost("0 or N", lambda n: 0, lambda n: n, "0 if the token is already here"),
    token=Token,
    chips="queue",
    explanation=(
        "One token exists, and only the process that has it may enter. A process without the token sends a numbered "
        "request to every other process. The process that has the token passes it on when it leaves, or at once if "
        "it is not inside. The token carries a queue of processes and, for each process, the number of the last "
        "request served: a request with a later number is new and joins the queue, and an older one is ignored. "
        "Requests may therefore arrive late and in any order, but if the token is lost, all processes wait forever."
    ),
    symbols={"N": "the number of processes"},
    invariants={"nobody twice in the queue": nobody_twice_in_a_queue, "served ≤ asked": no_more_served_than_asked},
    variants={
        "copies": Variant(Copies, "Keeps the token that it sends: two processes have it.", breaks=("ME1", "one token")),
        "deaf": Variant(
            Deaf, "Ignores requests while it is inside: a process that asks at that time is forgotten.", breaks=("ME2",)
        ),
    },
)
