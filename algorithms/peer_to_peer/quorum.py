"""What two of the three protocols share: a replica's vote, and queues whose clients give way."""

from algorithms.engine.process import Parameter


class Voter:
    """The replica's side in Sigma and End-to-End: each replica here votes for one ticket at a time."""

    def setup(self):
        super().setup()
        self.vote = {}  # replica, if it is here: the ticket that it votes for

    def take_out(self, replica, heir):
        return (self.vote.pop(replica, None), *super().take_out(replica, heir))

    def take_in(self, replica, state):
        vote, *_ = state
        if vote is not None:
            self.vote[replica] = vote


class Yielding:
    """In Sigma and Non-End-to-End requests wait in queues; a client without a majority yields and asks again."""

    waits = "queue"

    patience = Parameter(50.0, "how long a client waits for another's majority before it yields all the same", low=0)

    def setup(self):
        super().setup()
        self.queue = set()  # (replica, ticket): the requests that wait here

    def unqueued(self, replica):
        """Remove and return the tickets that wait here for the replica."""
        waiting = {(at, ticket) for at, ticket in self.queue if at == replica}
        self.queue -= waiting
        return tuple(sorted(ticket for _, ticket in waiting))

    def take_out(self, replica, heir):
        return (self.unqueued(replica),)

    def release(self, resource):
        for replica in self.replicas_of(resource):  # it tells every replica that its vote is free
            self.give_back(replica, self.ticket[resource])

    def win(self, resource):
        self.cancel_rest(resource)
        self.enter(resource)

    def lose(self, resource):
        decided = self.has_chosen(resource) is not None
        self.set_rest(resource, self.patience if decided else self.random.exponential(self.backoff))

    def on_rest(self, resource=0):
        self.give_way(resource)

    def give_way(self, resource):
        """YIELD: give votes back and ask for them again."""
        raise NotImplementedError
