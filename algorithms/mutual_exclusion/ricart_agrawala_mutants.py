"""Ricart–Agrawala with one mistake in each mutant: what every line of it is for."""

from algorithms.engine.process import Parameter, Variant
from algorithms.mutual_exclusion.ricart_agrawala import RicartAgrawala


class BothDefer(RicartAgrawala):
    def goes_before(self, request):
        # On a tie I think that I am the older.
        return self.stamp[0] <= request.stamp[0]


class NeitherDefers(RicartAgrawala):
    def goes_before(self, request):
        # On a tie I think that I am the younger.
        return self.stamp[0] < request.stamp[0]


class CurrentClock(RicartAgrawala):
    def goes_before(self, request):
        # Its arrival is an event as well, so my clock ticks, and I never come out older.
        now = self.clock + 1
        return (now, self.id) < request.stamp


class Impatient(RicartAgrawala):
    reply_time = Parameter(3.0, "how long it waits for replies before it enters without them", low=0, timer="enough")

    def acquire(self):
        super().acquire()
        self.set_timer("enough", self.reply_time)

    def on_reply(self, reply, sender):
        self.awaiting.discard(sender)

    def on_enough(self):
        self.awaiting = set()  # whoever has not replied by now must be dead


class Forgetful(RicartAgrawala):
    def release(self):
        self.stamp = None
        self.deferred = set()  # I forget those I kept waiting


VARIANTS = {
    "ricart-agrawala": {
        "both-defer": Variant(
            BothDefer, "No tie-break, an equal clock defers: two requests at once wait for each other.", breaks=("ME2",)
        ),
        "neither-defers": Variant(
            NeitherDefers,
            "No tie-break, an equal clock is answered: two requests at once are both let in.",
            breaks=("ME1",),
        ),
        "current-clock": Variant(
            CurrentClock,
            "Compares with the clock of now instead of the request's stamp, and so never defers.",
            breaks=("ME1", "ME3"),
        ),
        "impatient": Variant(
            Impatient,
            "Enters when the replies take too long: a deferred reply looks like a crash.",
            breaks=("ME1", "ME3"),
        ),
        "forgetful": Variant(
            Forgetful, "Forgets those it kept waiting when it leaves: they wait for ever.", breaks=("ME2",)
        ),
    }
}
