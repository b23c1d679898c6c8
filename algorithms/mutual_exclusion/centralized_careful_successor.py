"""A new coordinator asks who is inside before it grants, and assumes that those that do not answer have crashed."""

from algorithms.engine.process import Message, Parameter, Variant
from algorithms.mutual_exclusion.centralized_successor import LOOKS, Electing
from algorithms.mutual_exclusion.centralized_variants import THREE_AND_SIGNS_OF_LIFE


class Inquiry(Message):
    """I am the new coordinator. Are you inside?"""


class Status(Message):
    inside: bool


class Inquiring(Electing):
    inquiry_time = Parameter(2.5, "how long a new coordinator waits for answers: a round trip", low=0)

    def setup(self):
        super().setup()
        self.unheard = set()  # new coordinator: who has not said yet whether it is inside
        self.found = None  # new coordinator: who is inside, as far as I have heard

    def take_over(self):
        self.unheard = set(range(self.size))
        self.found = None
        self.granted = self.id  # until I know who is inside everybody waits
        self.send(Inquiry(), to=self.unheard)  # I ask everybody who is inside
        self.set_timer("inquiry_over", self.inquiry_time)

    def on_inquiry(self, inquiry, sender):
        self.send(Status(self.inside), to=sender)  # I say whether I am inside

    def on_status(self, status, sender):
        if sender in self.unheard:
            self.unheard.remove(sender)
            if status.inside:
                self.found = sender  # this one is inside
            if not self.unheard:
                self.conclude_inquiry()

    def on_inquiry_over(self):
        self.suspect(self.unheard)  # no answer: they must be dead
        self.unheard = set()
        self.conclude_inquiry()

    def conclude_inquiry(self):
        self.cancel_timer("inquiry_over")
        if self.found is None:
            self.serve_next()  # nobody is inside
        else:
            self.granted = self.found  # somebody is inside: its release will come to me

    def on_release(self, release, sender):
        if self.unheard:
            self.found = None  # it was inside, and has left while I was asking
        else:
            super().on_release(release, sender)


VARIANTS = {
    "centralized": {
        "electing": Variant(
            Inquiring,
            "A silent coordinator is replaced by election; the new one asks who is inside before it lets anybody in.",
            looks={**LOOKS, Inquiry: "ask", Status: "grant"},
            topology="complete",
            assumes=("reliable", "synchronous", "only the coordinator crashes"),
            cost=THREE_AND_SIGNS_OF_LIFE,
        ),
    }
}
