"""Other readings of the two papers on the wandering token, as named variants that show their effects."""

from algorithms.engine.process import Parameter, Variant
from algorithms.mutual_exclusion import wandering_token_journal as journal
from algorithms.mutual_exclusion import wandering_token_report as report


class NoAdaptation(report.WanderingToken):
    k1 = Parameter(1.0, "the timeout does not grow", low=1)


class NoRemoval(report.WanderingToken):
    def receive(self, token):
        if self.now - self.started > self.dmin:
            self.operate(token)
        else:
            self.rest(token)  # the token rests here; this variant never removes one


class NeverToItself(report.WanderingToken):
    def next_hop(self):
        return self.random.choice(self.peers) if self.peers else self.id


class Figure2(report.WanderingToken):
    def receive(self, token):
        if self.now - self.started > self.dmin:
            self.operate(token)
        elif self.served != token.stamp:
            self.destroy_token()  # token {token.stamp} is not {served}, the only one that may rest here
        else:
            self.rest(token)


class LiteralTimestamps(report.WanderingToken):
    def receive(self, token):
        if token.stamp[0] - self.served[0] > self.dmin:
            self.operate(token)  # token {token.stamp} was generated more than Δmin after {served}
        elif self.served != token.stamp:
            self.destroy_token()
        else:
            self.rest(token)


class SkipRefreshes(report.WanderingToken):
    def rest(self, token):
        super().rest(token)
        self.started = self.now  # the rest counts as a use, so Δmin starts again


class GeneratorWaits(report.WanderingToken):
    def on_timeout(self):
        self.dgen *= self.k1
        self.expect_token()
        if self.token is None:
            self.create_token()
            self.pass_on(
                report.Token((self.now, self.id))
            )  # its timeout has expired, so it assumes that the token is lost and only passes the new one on


class PoissonTimeouts(journal.WanderingToken):
    def expect_token(self):
        # A sum of twelve uniform variates is close to a normal one.
        normal = sum(self.random.random() for _ in range(12)) - 6
        self.set_timer("timeout", self.dmin + self.gamma + self.gamma**0.5 * normal)


class Figure1(journal.WanderingToken):
    def sandwiched(self, stamp):
        # "discard" falls through to "send(token)": nothing is removed.
        return False


VARIANTS = {
    "wandering-token-report": {
        "no-adaptation": Variant(
            NoAdaptation, "The timeout stays at Δmax: recovery is shorter, with more operations at once."
        ),
        "no-removal": Variant(NoRemoval, "Superfluous tokens are never removed."),
        "never-to-itself": Variant(
            NeverToItself, "The token always moves to another node: nearly the same, but not what was printed."
        ),
        "figure-2": Variant(
            Figure2,
            "Figure 2 as printed: within Δmin, every token except the last one used is removed, the good one too.",
        ),
        "literal-timestamps": Variant(
            LiteralTimestamps, "Figure 2 with its timestamps taken literally: no node ever uses the same token twice."
        ),
        "skip-refreshes": Variant(SkipRefreshes, "A visit without use restarts Δmin, so operations become rare."),
        "generator-waits": Variant(GeneratorWaits, "A node that generates a token does not use it first."),
    },
    "wandering-token-journal": {
        "poisson-timeouts": Variant(
            PoissonTimeouts, "Timeouts from a Poisson distribution hardly vary: a lost token is never replaced."
        ),
        "figure-1": Variant(
            Figure1, "Figure 1 as printed: a superfluous token is discarded, and then sent on all the same."
        ),
    },
}
