"""Other readings of the two papers on the wandering token, as named variants that show their effects."""

from algorithms.engine.process import Parameter, Variant
from algorithms.mutual_exclusion import wandering_token_journal as journal
from algorithms.mutual_exclusion import wandering_token_report as report


class NoAdaptation(report.WanderingToken):
    k1 = Parameter(1.0, "the time-out does not grow", low=1)


class NoRemoval(report.WanderingToken):
    def receive(self, token):
        if self.now - self.started > self.dmin:
            self.operate(token)
        else:
            self.rest(token)  # however many tokens there are, none is ever removed


class NeverToItself(report.WanderingToken):
    def next_hop(self):
        return self.random.choice(self.peers) if self.peers else self.id


class Figure2(report.WanderingToken):
    def receive(self, token):
        if self.now - self.started > self.dmin:
            self.operate(token)
        elif self.served != token.stamp:
            self.destroy_token()  # any other token than the one I served last is removed, be it older or younger
        else:
            self.rest(token)


class LiteralTimestamps(report.WanderingToken):
    def receive(self, token):
        if token.stamp[0] - self.served[0] > self.dmin:
            self.operate(token)  # only a token made more than Δmin after the one I served last counts
        elif self.served != token.stamp:
            self.destroy_token()
        else:
            self.rest(token)


class SkipRefreshes(report.WanderingToken):
    def rest(self, token):
        super().rest(token)
        self.started = self.now  # a token that only rests here counts as if I had used it


class GeneratorWaits(report.WanderingToken):
    def on_timeout(self):
        self.dgen *= self.k1
        self.expect_token()
        if self.token is None:
            self.create_token()
            self.pass_on(report.Token((self.now, self.id)))  # I generate a new token, and only pass it on


class PoissonTimeouts(journal.WanderingToken):
    def expect_token(self):
        normal = sum(self.random.random() for _ in range(12)) - 6  # near enough to a normal variate
        self.set_timer("timeout", self.dmin + self.gamma + self.gamma**0.5 * normal)


class Figure1(journal.WanderingToken):
    def sandwiched(self, stamp):
        return False  # "discard" falls through to "send(token)": nothing is removed


VARIANTS = {
    "wandering-token-report": {
        "no-adaptation": Variant(NoAdaptation, "The time-out stays at Δmax: recovery is shorter, but more crowded."),
        "no-removal": Variant(NoRemoval, "Spurious tokens are never removed, and stay for good."),
        "never-to-itself": Variant(NeverToItself, "The token always moves; nearly the same, but not what was printed."),
        "figure-2": Variant(
            Figure2, "Figure 2 as printed: any token but the last one served is removed, the good one too."
        ),
        "literal-timestamps": Variant(
            LiteralTimestamps,
            "Figure 2 with its timestamps taken at their word: nobody ever uses the same token twice.",
        ),
        "skip-refreshes": Variant(SkipRefreshes, "A visit without use restarts Δmin: operations become rare."),
        "generator-waits": Variant(GeneratorWaits, "Whoever generates a token does not use it."),
    },
    "wandering-token-journal": {
        "poisson-timeouts": Variant(
            PoissonTimeouts, "Time-outs from a Poisson distribution hardly vary: a lost token is never replaced."
        ),
        "figure-1": Variant(
            Figure1, "Figure 1 as printed: a spurious token is discarded, and then sent on all the same."
        ),
    },
}
