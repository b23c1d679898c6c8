"""Mutants of Ricart–Agrawala with one mistake each, which show what each line is for."""

from algorithms.engine.process import Parameter, Variant
from algorithms.mutual_exclusion.ricart_agrawala import Reply, RicartAgrawala


class BothDefer(RicartAgrawala):
    def goes_before(self, request):
        return self.stamp[0] <= request.stamp[0]

    def defer(self, request, sender):
        self.deferred.add(
            sender
        )  # it defers its reply: its own clock, {stamp[0]}, is not later than {request.stamp[0]}

    def compared_with(self, other):
        if self.stamp[0] == other.stamp[0]:
            return f"both clocks are {self.stamp[0]}, and it goes first on a tie"
        return super().compared_with(other)


class NeitherDefers(RicartAgrawala):
    def goes_before(self, request):
        return self.stamp[0] < request.stamp[0]

    def give_way(self, request, sender):
        self.send(
            Reply(), to=sender
        )  # it replies at once: its own clock, {stamp[0]}, is not earlier than {request.stamp[0]}


class CurrentClock(RicartAgrawala):
    def goes_before(self, request):
        # An arrival is an event as well, so the clock ticks, and its own request never comes out older.
        now = self.clock + 1
        return (now, self.id) < request.stamp

    def give_way(self, request, sender):
        self.send(Reply(), to=sender)  # it replies at once: {request.stamp} is older than its clock now, {clock + 1}


class Impatient(RicartAgrawala):
    reply_time = Parameter(
        3.0, "how long it waits for replies before it enters without them", low=0, timer="reply_timeout"
    )

    def acquire(self):
        super().acquire()
        self.set_timer("reply_timeout", self.reply_time)

    def on_reply(self, reply, sender):
        self.awaiting.discard(sender)

    def on_reply_timeout(self):
        if self.wants:
            self.enter()  # it goes ahead without replies from P{awaiting}
        self.awaiting = set()


class Forgetful(RicartAgrawala):
    def release(self):
        self.stamp = None
        self.deferred = set()  # it forgets to reply to P{deferred}

    def keeps_waiting(self, other):
        forgotten = self.id in other.awaiting and other.id not in self.deferred
        return f"has forgotten that P{other.id} waits" if forgotten else super().keeps_waiting(other)


VARIANTS = {
    "ricart-agrawala": {
        "both-defer": Variant(
            BothDefer,
            "No tie-break: equal clocks count as “mine is older”, so two simultaneous requests wait for each other.",
            breaks=("ME2",),
        ),
        "neither-defers": Variant(
            NeitherDefers,
            "No tie-break: equal clocks count as “theirs is older”, so two simultaneous requests both get in.",
            breaks=("ME1",),
        ),
        "current-clock": Variant(
            CurrentClock,
            "Compares with its current clock instead of its request's timestamp, and so never defers.",
            breaks=("ME1", "ME3"),
        ),
        "impatient": Variant(
            Impatient,
            "Stops waiting for late replies and enters: a deferred reply looks like a crash.",
            breaks=("ME1", "ME3"),
        ),
        "forgetful": Variant(
            Forgetful,
            "Sends no deferred replies when it leaves: the processes it kept waiting wait forever.",
            breaks=("ME2",),
        ),
    }
}
