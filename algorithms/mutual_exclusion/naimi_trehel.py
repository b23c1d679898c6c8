"""Naimi & Trehel, ICDCS 1987: requests climb a tree whose pointers then turn to the requester. About ln N messages.

0 to N messages per entry, 1 + 1/2 + … + 1/(N−1) on average. The queue is spread over the processes: `next` is the one
that receives the token from this one. With A. Arnold, J. Parallel and Distributed Computing 34(1), 1996.

Nobody starves, as the paper of 1996 proves: a request comes to the end of the queue that the `next` pointers form, and
nobody overtakes it there.
"""

from algorithms.components.invariants import form_no_cycle
from algorithms.engine.process import Algorithm, Cost, Message, MutexProcess, Parameter, Variant


class Request(Message):
    asker: int  # the process that asks for the token; the sender may only pass the request on

    def label(self):
        return f"for P{self.asker}"


class Token(Message):
    """The right to enter."""


class NaimiTrehel(MutexProcess):
    chain = Parameter(False, "whether the fathers form a chain at the start; otherwise all point to P0")

    def setup(self):
        self.father = None if self.id == 0 else self.id - 1 if self.chain else 0  # the last to ask, to its knowledge
        self.next = None  # the process that receives the token from it
        self.here = self.id == 0  # whether it has the token

    def launch(self):
        if self.id == 0:
            self.create_token()

    def acquire(self):
        if self.father is None:
            self.enter()  # the token is already here
        else:
            self.send(Request(self.id), to=self.father)  # it asks P{father}; having asked last, it now points to nobody
            self.father = None

    def on_request(self, request, sender):
        if self.father is not None:
            self.pass_on(request.asker)
        elif self.wants or self.inside:
            self.next = request.asker  # it will pass the token on to P{request.asker} when it leaves
            self.point_to(request.asker)
        else:
            self.give_to(request.asker)  # it does not need the token: it passes it on to P{request.asker}
            self.point_to(request.asker)

    def pass_on(self, asker):
        self.send(Request(asker), to=self.father)  # it passes the request on to P{father}, and now points to P{asker}
        self.father = asker

    def point_to(self, asker):
        self.father = asker

    def on_token(self, token, sender):
        self.here = True
        self.enter()  # only the token holder may

    def release(self):
        if self.next is not None:
            self.give_to(self.next)  # it passes the token on to P{next}
            self.forget_next()

    def give_to(self, process):
        self.here = False
        self.send(Token(), to=process)

    def forget_next(self):
        self.next = None

    def holding(self):
        return self.here

    def carries_my_request(self, message):
        return isinstance(message, Request) and message.asker == self.id

    def keeps_waiting(self, other):
        return f"passes the token on to P{other.id} when it leaves" if self.next == other.id else ""


class NoReversal(NaimiTrehel):
    def pass_on(self, asker):
        self.send(Request(asker), to=self.father)  # it passes the request on to P{father}, and still points there


class StaysLast(NaimiTrehel):
    def point_to(self, asker):
        pass


class KeepsNext(NaimiTrehel):
    def forget_next(self):
        pass

    def on_token(self, token, sender):
        self.here = True
        if self.wants:
            self.enter()  # only the token holder may


def no_cycle(pointer):
    """An invariant: following this pointer comes to an end."""

    return lambda processes: form_no_cycle({process.id: getattr(process, pointer) for process in processes})


ALGORITHM = Algorithm(
    name="naimi-trehel",
    title="Naimi–Trehel",
    summary="Requests climb a tree to the process that asked last; all that they pass then point to the requester.",
    source="M. Naimi, M. Trehel, ICDCS 1987; with A. Arnold, J. Parallel and Distributed Computing 34(1), 1996",
    process=NaimiTrehel,
    looks={Request: "ask", Token: "token"},
    assumes=("reliable", "nobody crashes"),
    promises=("ME1", "ME2", "fair liveness"),
    cost=Cost("0 … N", lambda n: 0, lambda n: n, "1 + 1/2 + … + 1/(N−1) on average, if all ask equally often, in turn"),
    token=Token,
    pointers={"father": "solid", "next": "dotted"},
    explanation=(
        "Each process points to a father, and the pointers lead to the process that asked last. A request climbs the "
        "pointers, and each process on the way points to the requester from then on, since that one has now asked "
        "last: the path is reversed, and the next request has a short one. The process at the end passes the token on "
        "if it does not need it; otherwise it notes the requester as its next. So each knows only its own successor in "
        "the queue, and nobody knows all of it."
    ),
    symbols={
        "N": "the number of processes",
        "father": "father: asked last, it believes",
        "next": "next: receives the token from it",
    },
    invariants={"fathers form no cycle": no_cycle("father"), "nexts form no cycle": no_cycle("next")},
    variants={
        "no-reversal": Variant(
            NoReversal, "A process that passes a request on keeps its father: correct, but the paths stay long."
        ),
        "stays-last": Variant(
            StaysLast,
            "The process that asked last does not point to the next requester, and still believes that it is the last.",
            breaks=("ME1", "one token", "ME2"),
        ),
        "keeps-next": Variant(
            KeepsNext, "Does not forget its next, and passes the token on to it again.", breaks=("ME1", "one token")
        ),
    },
)
