"""Mutants of Maekawa's algorithm: what its second half is for, and the deadlock in the published rules."""

from algorithms.engine.process import Variant
from algorithms.mutual_exclusion.maekawa import Handback, Maekawa


class Plain(Maekawa):
    def compare(self, stamp, best):
        self.queue = tuple(sorted((*self.queue, stamp)))  # it queues the request: its vote is with P{locked[1]}


class AsPublished(Maekawa):
    def overtake(self, best):
        pass


class IgnoresInquire(Maekawa):
    def on_inquiry(self, inquiry, sender):
        if self.failed:
            super().on_inquiry(inquiry, sender)


class Obliging(Maekawa):
    def on_inquiry(self, inquiry, sender):
        if sender in self.votes:
            self.votes.remove(sender)
            self.failed.add(sender)
            self.tell(Handback(), sender)  # it hands the vote back at once


VARIANTS = {
    "maekawa": {
        "plain": Variant(
            Plain,
            "An arbiter never asks for its vote back: processes that each have some of the votes wait forever.",
            breaks=("ME2",),
        ),
        "as-published": Variant(
            AsPublished,
            "Does not tell a process that it has been overtaken in the queue, so it may keep other votes forever.",
            breaks=("ME2",),
        ),
        "ignores-inquire": Variant(
            IgnoresInquire,
            "Ignores an arbiter that asks for its vote back, unless another arbiter has refused by then.",
            breaks=("ME2",),
        ),
        "obliging": Variant(
            Obliging,
            "Hands a vote back as soon as it is asked, even from inside the critical section.",
            breaks=("ME1",),
        ),
    }
}
