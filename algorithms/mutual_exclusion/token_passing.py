"""What the two versions of the wandering token share: the random walk, and recovery from a crash.

A version has `token`, the one that it holds, and says how it expects one, lets it rest, and lets it go.
"""

from algorithms.engine.process import MutexProcess, any_of


class RandomWalk(MutexProcess):
    """Its tokens move to a random neighbour or stay for another turn, all equally likely."""

    def next_hop(self):
        peers = self.peers
        k = self.random.below(len(peers) + 1)
        return peers[k] if k < len(peers) else self.id

    def pass_on(self, token):
        self.send(token, to=self.next_hop())

    def holding(self):
        return self.token is not None

    def waiting_for(self):
        return any_of(self.peers, note=self.rest_of_pause())

    def rest_of_pause(self):
        """How long a token does not let me in, as a note."""
        ends = self.latest_operation() + self.dmin
        when = f"t = {ends:.1f}, Δmin after its last operation"
        return f"a token lets it in only after {when}" if self.now <= ends else ""

    def recovered(self):
        self.expect_token()
        if self.token is not None and not self.inside:
            self.rest(self.token)  # it still has the token that rested here

    def leaving(self):
        if self.token is not None:
            self.let_go()
