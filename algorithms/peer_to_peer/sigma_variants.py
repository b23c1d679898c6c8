"""Sigma without queues at the replicas."""

from algorithms.engine.process import Parameter, Variant
from algorithms.peer_to_peer.sigma import Release, Sigma


class Polling(Sigma):
    poll_time = Parameter(10.0, "how long a client waits before it asks all replicas again, give or take a half", low=0)

    def keep(self, request):
        """A replica that has voted remembers nobody else."""

    def lose(self, resource):
        for replica in self.my_votes(resource):
            self.on_release(Release(replica, self.ticket[resource]), self.id)  # I give back what votes I have
        self.forget_votes(resource)
        self.set_rest(resource, self.poll_time * (0.5 + self.random.random()))

    def give_way(self, resource):
        self.acquire(resource)  # I ask all of them again


VARIANTS = {
    "sigma": {
        "polling": Variant(
            Polling,
            "The replicas keep no queues: who has no majority asks all of them again, and again.",
            promises=("ME1",),
        ),
    }
}
