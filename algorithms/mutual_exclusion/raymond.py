"""Raymond, ACM TOCS 7(1), 1989: a tree whose edges all point towards the token. 0 to 2D messages per entry.

A process knows its neighbours only: `holder` is the one in whose direction the token is, and the queue says which
neighbours want it. Passing the token on reverses the edge.

Nobody starves, as the paper proves: queues are first come, first served, and each has a process at most once.
"""

from collections import deque

from algorithms.components.invariants import nobody_twice_in_a_queue
from algorithms.engine.process import Algorithm, Cost, Message, MutexProcess, Variant, all_of, when


class Request(Message):
    """Asks a neighbour for the privilege, for the sender or for others behind it."""


class Privilege(Message):
    """The token: the right to enter."""


class Raymond(MutexProcess):
    def setup(self):
        self.holder = min(self.peers) if self.id else self.id  # the neighbour towards the token, or itself
        self.queue = deque()  # the neighbours that want the token, and itself, first come first served
        self.asked = False  # whether it has asked `holder` for the token

    def launch(self):
        if self.id == 0:
            self.create_token()

    def acquire(self):
        self.queue.append(self.id)

    def on_request(self, request, sender):
        self.queue.append(sender)  # it queues the request

    def on_privilege(self, privilege, sender):
        self.holder = self.id

    @when(lambda self: self.holder == self.id and not self.inside and self.queue)
    def assign_privilege(self):
        self.asked = False
        self.give_to(self.queue.popleft())

    def give_to(self, first):
        if first == self.id:
            self.enter()  # its own request is the first in its queue
        else:
            self.turn_to(first)
            self.send(Privilege(), to=first)  # it passes the privilege to P{first}, the first in its queue

    def turn_to(self, first):
        self.holder = first

    @when(lambda self: self.holder != self.id and self.queue and not self.asked)
    def make_request(self):
        self.asked = True
        self.send(Request(), to=self.holder)  # it asks P{holder}, in whose direction the token is

    def holding(self):
        return self.holder == self.id

    def waiting_for(self):
        return all_of({self.holder} - {self.id}, Privilege)

    def keeps_waiting(self, other):
        if other is self or other.id not in self.queue:
            return ""
        return f"has P{other.id} as number {self.queue.index(other.id) + 1} of {len(self.queue)} in its queue"


class AsksOnce(Raymond):
    @when(lambda self: self.holder == self.id and not self.inside and self.queue)
    def assign_privilege(self):
        self.give_to(self.queue.popleft())


class FromInside(Raymond):
    @when(lambda self: self.holder == self.id and self.queue)
    def assign_privilege(self):
        self.asked = False
        self.give_to(self.queue.popleft())


class DoesNotTurn(Raymond):
    def turn_to(self, first):
        self.create_token()  # it goes on as if it had the token: in effect, it passes on a copy

    def on_privilege(self, privilege, sender):
        if self.holder == self.id:
            self.destroy_token()
        super().on_privilege(privilege, sender)


def one_root(processes):
    """One process is its own holder, or else one edge points both ways, and the privilege is in transit on it."""
    holder = {process.id: process.holder for process in processes}
    roots = [node for node in holder if holder[node] == node]
    both_ways = [node for node in holder if holder[node] > node and holder.get(holder[node]) == node]
    return len(roots) + len(both_ways) == 1


ALGORITHM = Algorithm(
    name="raymond",
    title="Raymond's tree",
    summary="The edges of a tree point towards the token; requests follow them, and the token reverses them.",
    source="K. Raymond, A tree-based algorithm for distributed mutual exclusion, ACM TOCS 7(1), 1989",
    process=Raymond,
    looks={Request: "ask", Privilege: "token"},
    topology="tree",
    assumes=("reliable", "nobody crashes"),
    promises=("ME1", "ME2", "fair liveness"),
    cost=Cost("0 … 2D", lambda n: 0, lambda n: 2 * n.diameter, "2 for each edge between the process and the token"),
    token=Privilege,
    chips="queue",
    pointers={"holder": "solid"},
    explanation=(
        "The processes form a tree, and each edge points towards the token. A process that wants to enter puts itself "
        "into its queue and asks the neighbour in whose direction the token is; a process that is asked queues the "
        "neighbour, and passes the request on if it has not asked already. So one request stands for all behind it. "
        "The process that has the token sends it to the first in its queue, which reverses the edge; if its queue is "
        "not empty, it asks for the token back. Nobody knows where the token is, only its direction."
    ),
    symbols={
        "D": "the diameter of the tree: the number of edges between the two processes that are farthest apart",
        "holder": "towards the token",
    },
    invariants={"one root": one_root, "nobody twice in a queue": nobody_twice_in_a_queue},
    variants={
        "asks-once": Variant(
            AsksOnce,
            "Never forgets that it has asked, so it does not ask again after it has passed the token on.",
            breaks=("ME2",),
        ),
        "from-inside": Variant(FromInside, "Passes the token on while it is inside.", breaks=("ME1",)),
        "does-not-turn": Variant(
            DoesNotTurn,
            "Passes the token on and still points to itself, so it believes that it has the token.",
            breaks=("ME1", "one token"),
        ),
    },
)
