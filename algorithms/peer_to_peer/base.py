"""What processes on an overlay have in common: routes to the replicas, a majority of their votes, and churn.

A routed message names its replica, and each process forwards it to its next hop; answers go directly to the client.
There are `resources` resources with `replicas` replicas each, numbered consecutively: those of resource 2 follow those
of resource 1. A process may request, and be inside, several resources at once. It asks all replicas of a resource, and
may enter when a majority votes for it; how replicas vote and what losers do is up to the protocol.

Nodes join and leave. All routing tables are repaired at once; a node that becomes responsible for a replica waits until
the previous one has sent the replica's state.
"""

from dataclasses import field
from functools import lru_cache

from algorithms.engine.process import Message, MutexProcess, Parameter, any_of
from algorithms.peer_to_peer.chord import Chord
from algorithms.peer_to_peer.overlay import CIRCLE, TABLES, identifier
from algorithms.peer_to_peer.pastry import Pastry
from algorithms.peer_to_peer.tickets import Replica, Ticket

OVERLAYS = ("chord", "pastry")
WIDTHS = (1, 2, 4, 8)  # the bits of a Pastry digit that divide an identifier evenly


class Routed(Message):
    replica: Replica  # its destination, reached hop by hop


class Joined(Message): ...


class Handover(Routed):
    state: tuple = field(repr=False)  # the replica's state


class Request(Routed):
    ticket: Ticket  # (clock, client, attempt): the smaller one is older and goes first
    asks = "ticket"


class Answer(Message):
    replica: Replica
    ticket: Ticket = field(repr=False)  # the request that this answers


class Response(Answer):
    owner: Ticket  # the ticket that the replica votes for


UPKEEP = {
    Joined: "announce",
    Handover: "announce",
}  # messages by which the overlay adapts to joins and leaves, and their looks


@lru_cache(maxsize=32)
def keys_of(placement, resources, replicas):
    """The places of all replicas' keys: those of one resource lie at equal distances round the circle."""
    names = [("resource", number) if number else ("resource",) for number in range(resources)]
    first = [identifier(placement, *name) for name in names]
    return tuple((start + k * CIRCLE // replicas) % CIRCLE for start in first for k in range(replicas))


class PeerProcess(MutexProcess):
    votes = "vote"  # for the picture: the variable with the ticket that each replica here votes for …
    paths = None  # … with the owner's ticket, the previous and the next node on its path, by replica …
    waits = None  # … with the (replica, ticket) that wait here …
    lines = None  # … and with the clients that wait for the token that is here, by resource

    resources = Parameter(1, "number of resources", low=1, high=10_000)
    replicas = Parameter(3, "number of replicas that vote on a resource", low=1, high=1_000)
    overlay = Parameter("chord", "kind of overlay: chord or pastry", fits=lambda kind, nodes: kind in OVERLAYS)
    near = Parameter(
        1, "neighbours that a node knows on the circle: successors (Chord), or leaves on each side (Pastry)", low=1
    )
    b = Parameter(2, "bits of a Pastry digit: 1, 2, 4 or 8", fits=lambda b, nodes: b in WIDTHS)
    tables = Parameter("convergent", "routing tables: convergent or random", fits=lambda kind, nodes: kind in TABLES)
    placement = Parameter(1, "seed of the places on the circle")
    handover = Parameter(
        True, "whether a replica's state is handed over to the next responsible node; otherwise it is lost"
    )
    grace = Parameter(10.0, "how long a newly responsible node waits for a replica's state before it gives up", low=0)
    backoff = Parameter(5.0, "mean of the random time before a client yields when no client has a majority", low=0)

    def setup(self):
        self.charge = set()  # the replicas whose state is here
        self.aside = []  # messages for replicas whose state has not arrived yet
        self.clock = 0  # Lamport clock: the highest seen in any ticket
        self.ticket = {}  # resource: the ticket of its request for it
        self.voted = {}  # replica: the ticket that it votes for, as its latest response says

    def launch(self):
        self.charge.update(self.dht.shares(self.keys()).get(self.id, ()))

    # ---- the application, for each resource ----------------------------------------------------------------

    def begin(self):
        self.wants = set()  # the resources that it has requested and not entered yet
        self.inside = set()  # the resources whose critical section it is in

    def busy(self, resource=0):
        return resource in self.wants or resource in self.inside

    def demand(self, resource=0):
        self.wants.add(resource)
        self.acquire(resource)

    def enter(self, resource):
        self.wants.remove(resource)
        self.inside.add(resource)
        self._host.entered(self.id, None, resource)

    def leave(self, resource=0):
        self.inside.remove(resource)
        self.release(resource)

    def set_rest(self, resource, after):
        """Call on_rest(resource) after that time."""
        self.set_timer(rest(resource), after)

    def cancel_rest(self, resource):
        self.cancel_timer(rest(resource))

    def run_out(self, timer):
        name, _, resource = timer.partition(" ")
        getattr(self, "on_" + name)(int(resource))

    # ---- the client: it asks all replicas, and counts their votes -----------------------------------------

    def acquire(self, resource):
        self.clock += 1
        self.ask_all(resource, (self.clock, self.id, 0))

    def ask_all(self, resource, ticket):
        self.ticket[resource] = ticket
        self.forget_votes(resource)
        for replica in self.replicas_of(resource):  # it asks every replica for its vote
            self.ask(replica, ticket)

    def ask(self, replica, ticket):
        """Send a request on its way: this node is the first on its path."""
        self.on_request(Request(replica, ticket), self.id)

    def on_request(self, request, sender):
        """A request has reached this node, which is on its path or responsible for the replica."""
        raise NotImplementedError

    def give_back(self, replica, ticket):
        """Free the vote that the replica may have given to that ticket."""
        raise NotImplementedError

    def give_votes_back(self, resource):
        for replica in self.my_votes(resource):
            self.give_back(replica, self.ticket[resource])
        self.forget_votes(resource)

    def answered(self, replica, ticket, owner):
        """The replica has answered that request: it votes for `owner`."""
        resource = self.resource_of(replica)
        self.voted[replica] = owner
        if len(self.my_votes(resource)) >= self.majority():
            self.win(resource)  # a majority of the replicas votes for it
        elif all(other in self.voted for other in self.replicas_of(resource)):
            self.lose(resource)  # all replicas have answered, without a majority for it

    def awaits(self, replica, ticket):
        """Whether that is the ticket of the pending request for the replica's resource."""
        resource = self.resource_of(replica)
        return resource in self.wants and self.ticket.get(resource) == ticket

    def my_votes(self, resource):
        """The replicas that vote for this client."""
        return [k for k in self.replicas_of(resource) if k in self.voted and self.is_mine(resource, self.voted[k])]

    def is_mine(self, resource, owner):
        return owner == self.ticket[resource]

    def majority(self):
        """The number of votes needed to enter."""
        return self.replicas // 2 + 1

    def forget_votes(self, resource):
        for replica in self.replicas_of(resource):
            self.voted.pop(replica, None)

    def has_chosen(self, resource):
        """The ticket for which a majority votes; None if there is no such ticket."""
        owners = [self.voted[replica] for replica in self.replicas_of(resource)]
        owner = max(owners, key=owners.count)
        return owner if owners.count(owner) >= self.majority() else None

    def waiting_for(self):
        wanted = [replica for replica in self.voted if self.resource_of(replica) in self.wants]
        votes = max((len(self.my_votes(resource)) for resource in self.wants), default=0)
        needed = f"{self.majority()} vote{'s' if self.majority() > 1 else ''}"
        note = f"it has {votes} of the {needed} it needs" if len(self.wants) == 1 else ""
        return any_of({self.voted[replica][1] for replica in wanted} - {self.id}, note=note)

    def keeps_waiting(self, other):
        resources = sorted(other.wants & self.lines_here().keys())
        places = [self.lines_here()[resource] for resource in resources if other.id in self.lines_here()[resource]]
        if places:
            return f"has P{other.id} as number {places[0].index(other.id) + 1} of {len(places[0])} in the token's queue"
        owners = {self.voted_for(replica) for resource in other.wants for replica in self.replicas_of(resource)}
        others = sorted({owner[1] for owner in owners if owner} - {other.id})
        names = ("itself" if client == self.id else f"P{client}" for client in others)
        return f"has voted for {' and '.join(names)}" if others else ""

    def voted_for(self, replica):
        """The ticket that the replica votes for; None if it votes for none, or is not here."""
        if replica not in self.charge:
            return None
        vote = vars(self)[self.votes].get(replica)
        return vote[0] if vote and isinstance(vote[0], tuple) else vote

    def lines_here(self):
        """Resource, while its token is here: the clients waiting for it, in order."""
        return vars(self)[self.lines] if self.lines else {}

    def carries_my_request(self, message):
        tickets = [self.ticket.get(resource) for resource in self.wants]
        fields = (getattr(message, name, None) for name in ("ticket", "again"))
        return any(ticket is not None and ticket in tickets for ticket in fields)

    # ---- replicas and the way to them ----------------------------------------------------------------------

    @property
    def dht(self):
        """The overlay; all processes compute the same one."""
        sort = (self.overlay, self.size, self.placement, self.near, self.tables, self.b)
        known = self.members.derived
        if sort not in known:
            known[sort] = overlay_of(*sort)
        known[sort].keep_up(self.members)
        return known[sort]

    def keys(self):
        return keys_of(self.placement, self.resources, self.replicas)

    def key(self, replica):
        """The place of the replica on the circle."""
        return self.keys()[replica]

    def replicas_of(self, resource):
        return range(resource * self.replicas, (resource + 1) * self.replicas)

    def resource_of(self, replica):
        return replica // self.replicas

    def next_hop(self, replica):
        """The next hop towards the replica; None if this node is responsible for it."""
        return self.dht.next_hop(self.id, self.key(replica))

    def arrived(self, message):
        """Whether the message's replica is here; if not, it goes one hop further, or waits for the replica's state."""
        replica, hop = message.replica, self.next_hop(message.replica)
        if hop is not None:
            self.send(message, to=hop)
        elif replica not in self.charge and not self.handover:
            self.charge.add(replica)  # the state of {replica:replica} is lost
        elif replica not in self.charge:
            self.aside.append(message)  # it is responsible for {replica:replica} now and waits for its state
            self.set_timer("grace", self.grace)
        return replica in self.charge and hop is None

    def unreached(self, message, to):
        """The receiver has left: continue from here."""
        if isinstance(message, Routed):
            hop = self.next_hop(message.replica)
            self.send(message, to=self.id if hop is None else hop)  # P{to} is down, so the message takes another route
        elif isinstance(message, Answer):
            self.give_back(message.replica, message.ticket)  # the client P{to} is down, so its vote is free

    # ---- nodes come and go ---------------------------------------------------------------------------------

    def recovered(self):
        self.send(Joined(), to=self.dht.beside(self.id))  # it presents itself to its neighbours on the circle

    def on_joined(self, joined, sender):
        self.hand_over()

    def leaving(self):
        self.hand_over()

    def hand_over(self):
        """Pass the state of replicas on to the nodes that are responsible for them now."""
        for replica in sorted(self.charge):
            heir = self.dht.responsible(self.key(replica))
            if heir != self.id:
                self.charge.remove(replica)
                state = self.take_out(replica, heir)
                if self.handover:
                    self.send(
                        Handover(replica, state), to=heir
                    )  # it hands the state of {replica:replica} over to P{heir}

    def on_handover(self, handover, sender):
        hop = self.next_hop(handover.replica)
        if hop is not None:
            self.send(handover, to=hop)
        else:
            self.take_charge(handover.replica)
            self.take_in(handover.replica, handover.state)  # it is responsible for {handover.replica:replica} now

    def on_grace(self):
        for replica in sorted({message.replica for message in self.aside}):
            self.take_charge(replica)  # it gives up waiting for the state of {replica:replica}

    def take_charge(self, replica):
        self.charge.add(replica)
        for message in [message for message in self.aside if message.replica == replica]:
            self.aside.remove(message)
            self.send(message, to=self.id)

    def take_out(self, replica, heir):
        """Remove and return the replica's state; `heir` is responsible for it from now on."""
        return ()

    def take_in(self, replica, state):
        """Store the state of the replica."""
        raise NotImplementedError


def overlay_of(kind, size, placement, near, tables, b):
    """The overlay of `size` processes at the places that the seed `placement` gives them."""
    places = places_of(size, placement)
    return Chord(places, near, tables, placement) if kind == "chord" else Pastry(places, near, tables, placement, b)


@lru_cache(maxsize=8)
def places_of(size, placement):
    return {node: identifier(placement, "node", node) for node in range(size)}


def rest(resource):
    """The name of the timer of a client that waits for the resource."""
    return f"rest {resource}" if resource else "rest"
