"""What processes on an overlay have in common: routes to the replicas, a majority of their votes, and churn.

A routed message names its replica, and each process forwards it to its next hop; answers go straight to the client.
There are `resources` resources with `replicas` replicas each, numbered consecutively: those of resource 2 follow those
of resource 1. A process may want, and be inside, several resources at once. It asks all replicas of a resource, and
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
    replica: Replica  # where it goes, hop by hop


class Joined(Message): ...


class Handover(Routed):
    state: tuple = field(repr=False)  # what there is to know about the replica


class Request(Routed):
    ticket: Ticket  # (clock, client, attempt): the smaller is the older, and the older goes first
    asks = "ticket"


class Answer(Message):
    replica: Replica
    ticket: Ticket = field(repr=False)  # the request that this answers


class Response(Answer):
    owner: Ticket  # the ticket that the replica votes for


UPKEEP = {Joined: "announce", Handover: "announce"}  # what goes to and fro when nodes come and go, and how it looks


@lru_cache(maxsize=32)
def keys_of(placement, resources, replicas):
    """The places of all replicas' keys: those of one resource lie at equal distances round the circle."""
    names = [("resource", number) if number else ("resource",) for number in range(resources)]
    first = [identifier(placement, *name) for name in names]
    return tuple((start + k * CIRCLE // replicas) % CIRCLE for start in first for k in range(replicas))


class PeerProcess(MutexProcess):
    votes = "vote"  # for the picture: my variable with the ticket that each replica here votes for …
    paths = None  # … with the owner's ticket, the node before and the node after me on its path, by replica …
    waits = None  # … with the (replica, ticket) that wait here …
    lines = None  # … and with the clients that wait for the token that is here, by resource

    resources = Parameter(1, "how many resources there are", low=1, high=10_000)
    replicas = Parameter(3, "how many replicas vote on a resource", low=1, high=1_000)
    overlay = Parameter("chord", "chord or pastry", fits=lambda kind, nodes: kind in OVERLAYS)
    near = Parameter(1, "how many neighbours on the circle each knows: successors, or leaves on each side", low=1)
    b = Parameter(2, "how many bits a digit of Pastry's has: 1, 2, 4 or 8", fits=lambda b, nodes: b in WIDTHS)
    tables = Parameter("convergent", "convergent or random routing tables", fits=lambda kind, nodes: kind in TABLES)
    placement = Parameter(1, "the seed of the places on the circle")
    handover = Parameter(True, "whether a replica's state goes on to whoever answers for it next; otherwise it is lost")
    grace = Parameter(
        10.0, "how long whoever answers for a replica now waits for its state before it does without", low=0
    )
    backoff = Parameter(5.0, "mean of the random time before I give way when nobody has a majority", low=0)

    def setup(self):
        self.charge = set()  # the replicas whose state is here
        self.aside = []  # messages for replicas whose state has yet to arrive
        self.clock = 0  # the highest clock seen in any ticket
        self.ticket = {}  # resource: the ticket of my request for it
        self.voted = {}  # replica: for whose ticket it votes, as far as it has told me

    def launch(self):
        self.charge.update(self.dht.shares(self.keys()).get(self.id, ()))

    # ---- the application, for each resource ----------------------------------------------------------------

    def begin(self):
        self.wants = set()  # the resources that I have asked for and am not inside yet
        self.inside = set()  # those whose critical section I am in

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
        for replica in self.replicas_of(resource):
            self.ask(replica, ticket)  # I ask all replicas, by way of the overlay

    def ask(self, replica, ticket):
        """My request sets out: I am the first whom it passes."""
        self.on_request(Request(replica, ticket), self.id)

    def on_request(self, request, sender):
        """A request for a replica has come to me, who may be on its way or answer for the replica."""
        raise NotImplementedError

    def give_back(self, replica, ticket):
        """Free the vote that the replica may have for that ticket."""
        raise NotImplementedError

    def give_votes_back(self, resource):
        for replica in self.my_votes(resource):
            self.give_back(replica, self.ticket[resource])
        self.forget_votes(resource)

    def answered(self, replica, ticket, owner):
        """The replica has told me, about that request of mine, for whom it votes."""
        resource = self.resource_of(replica)
        self.voted[replica] = owner
        if len(self.my_votes(resource)) >= self.majority():
            self.win(resource)  # a majority votes for me
        elif all(other in self.voted for other in self.replicas_of(resource)):
            self.lose(resource)  # all have answered, and I have no majority

    def awaits(self, replica, ticket):
        """Whether that is the ticket with which I want the replica's resource now."""
        resource = self.resource_of(replica)
        return resource in self.wants and self.ticket.get(resource) == ticket

    def my_votes(self, resource):
        """The replicas that vote for me."""
        return [k for k in self.replicas_of(resource) if k in self.voted and self.is_mine(resource, self.voted[k])]

    def is_mine(self, resource, owner):
        return owner == self.ticket[resource]

    def majority(self):
        """How many replicas have to vote for me."""
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
        """The overlay that I am on; all processes work out the same."""
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
        """My next hop towards the replica; None if I answer for it."""
        return self.dht.next_hop(self.id, self.key(replica))

    def arrived(self, message):
        """Whether the replica that the message is for is here; if not, it goes one hop on, or waits for the state."""
        replica, hop = message.replica, self.next_hop(message.replica)
        if hop is not None:
            self.send(message, to=hop)
        elif replica not in self.charge and not self.handover:
            self.charge.add(replica)  # its state is lost, and nobody will bring it
        elif replica not in self.charge:
            self.aside.append(message)  # I answer for it now, but do not know yet what is known of it
            self.set_timer("grace", self.grace)
        return replica in self.charge and hop is None

    def unreached(self, message, to):
        """The way has changed: it starts anew from here."""
        if isinstance(message, Routed):
            hop = self.next_hop(message.replica)
            self.send(message, to=self.id if hop is None else hop)  # whoever it was for is gone: on by another way
        elif isinstance(message, Answer):
            self.give_back(message.replica, message.ticket)  # who asked is gone

    # ---- nodes come and go ---------------------------------------------------------------------------------

    def recovered(self):
        self.send(Joined(), to=self.dht.beside(self.id))  # you may have replicas that are mine now

    def on_joined(self, joined, sender):
        self.hand_over()

    def leaving(self):
        self.hand_over()

    def hand_over(self):
        """Whoever answers now for replicas that were mine gets to know what I know about them."""
        for replica in sorted(self.charge):
            heir = self.dht.responsible(self.key(replica))
            if heir != self.id:
                self.charge.remove(replica)
                state = self.take_out(replica, heir)
                if self.handover:
                    self.send(Handover(replica, state), to=heir)  # you answer for it now: this is what I know of it

    def on_handover(self, handover, sender):
        hop = self.next_hop(handover.replica)
        if hop is not None:
            self.send(handover, to=hop)
        else:
            self.take_charge(handover.replica)
            self.take_in(handover.replica, handover.state)  # I answer for it now, and know what is known of it

    def on_grace(self):
        for replica in sorted({message.replica for message in self.aside}):
            self.take_charge(replica)  # nobody knows its state any more

    def take_charge(self, replica):
        self.charge.add(replica)
        for message in [message for message in self.aside if message.replica == replica]:
            self.aside.remove(message)
            self.send(message, to=self.id)

    def take_out(self, replica, heir):
        """What I know about the replica, which I forget; `heir` answers for it from now on."""
        return ()

    def take_in(self, replica, state):
        """I know this about the replica now."""
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
