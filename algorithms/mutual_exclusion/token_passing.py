"""What token algorithms have in common: to whom the token goes next is one question, how it gets there another."""

from algorithms.engine.process import MutexProcess


class TokenProcess(MutexProcess):
    """Passes tokens to whom `next_hop` says; a class that takes the place of `pass_on` can do it with more care."""

    def next_hop(self):
        """Whom the token goes to now."""
        raise NotImplementedError

    def pass_on(self, token):
        self.send(token, to=self.next_hop())


class RandomWalk(TokenProcess):
    """Its tokens go anywhere: to any neighbour, or stay for another turn, each as likely."""

    def next_hop(self):
        peers = self.peers
        k = self.random.below(len(peers) + 1)
        return peers[k] if k < len(peers) else self.id
