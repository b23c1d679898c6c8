"""A new coordinator asks who is inside before it grants, and assumes that those that do not answer have crashed."""

from algorithms.engine.process import Message, Parameter, Variant, all_of
from algorithms.mutual_exclusion.centralized_successor import LOOKS, Electing
from algorithms.mutual_exclusion.centralized_variants import THREE_AND_SIGNS_OF_LIFE


class Inquiry(Message):
    """Asks, as the new coordinator, whether the receiver is inside."""


class Status(Message):
    inside: bool


class Inquiring(Electing):
    inquiry_time = Parameter(2.5, "how long a new coordinator waits for answers: a round trip", low=0)

    def setup(self):
        super().setup()
        self.unheard = set()  # new coordinator: processes that have not reported yet
        self.found = None  # new coordinator: the process that has reported being inside

    def take_over(self):
        self.unheard = set(range(self.size))
        self.found = None
        self.granted = self.id  # all requests wait until it knows who is inside
        self.send(
            Inquiry(), to=self.unheard
        )  # it takes over as coordinator and asks every process whether it is inside
        self.set_timer("inquiry_timeout", self.inquiry_time)

    def on_request(self, request, sender):
        if self.unheard:
            self.queue.append(sender)  # it queues the request until it knows who is inside
        else:
            super().on_request(request, sender)

    def on_inquiry(self, inquiry, sender):
        self.send(Status(self.inside), to=sender)

    def on_status(self, status, sender):
        if sender in self.unheard:
            self.unheard.remove(sender)
            if status.inside:
                self.found = sender  # P{sender} was inside when asked
            if not self.unheard:
                self.conclude_inquiry()

    def on_inquiry_timeout(self):
        self.suspect(self.unheard)  # no answer from P{unheard} in time
        self.unheard = set()
        self.conclude_inquiry()

    def conclude_inquiry(self):
        self.cancel_timer("inquiry_timeout")
        if self.found is None:
            self.serve_next()  # no process has reported being inside
        else:
            self.granted = self.found  # it waits for the release of P{found}, which was inside when asked

    def waiting_for(self):
        return all_of(self.unheard, Status) if self.unheard else super().waiting_for()

    def keeps_waiting(self, other):
        if self.unheard and other.coordinator == self.id:
            heard = self.size - len(self.unheard)
            return f"asks who is inside and has heard from {heard} of {self.size}, so it grants nothing yet"
        return super().keeps_waiting(other)

    def why_busy(self):
        return f"waits for P{self.granted}'s release"  # it may have been let in by the coordinator before

    def on_release(self, release, sender):
        if self.unheard:
            self.found = None  # P{sender} has left in the meantime
        else:
            super().on_release(release, sender)


VARIANTS = {
    "centralized": {
        "electing": Variant(
            Inquiring,
            "An election replaces a silent coordinator; the new one first asks every process whether it is inside.",
            looks={**LOOKS, Inquiry: "ask", Status: "grant"},
            topology="complete",
            assumes=("reliable", "synchronous", "only the coordinator crashes"),
            cost=THREE_AND_SIGNS_OF_LIFE,
        )
    }
}
