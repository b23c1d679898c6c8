"""A failure detector: a process that gives no sign of life in time is suspected (Chandra & Toueg, JACM 43(2), 1996).

It sees nothing but messages, so it can be wrong about a slow process. A late sign of life ends the suspicion.
"""

from algorithms.engine.process import Message, Parameter, Process


class AreYouThere(Message):
    """Asks for a sign of life."""


class IAmHere(Message):
    """A sign of life."""


LOOKS = {AreYouThere: "ask", IAmHere: "grant"}


class FailureDetector(Process):
    suspect_after = Parameter(5.0, "how long it waits for a sign of life", low=0)

    def setup(self):
        self.watched = set()  # processes that it watches
        self.silent = set()  # processes that have not answered its latest question yet
        self.suspected = set()  # processes that it suspects to have crashed

    def watch(self, whom):
        self.watched = set(whom)
        self.suspected &= self.watched
        if self.watched:
            self.ask()
        else:
            self.cancel_timer("ping_timeout")

    def ask(self):
        self.silent = set(self.watched)
        self.send(AreYouThere(), to=self.watched)
        self.set_timer("ping_timeout", self.suspect_after)

    def on_are_you_there(self, question, sender):
        self.send(IAmHere(), to=sender)

    def on_i_am_here(self, answer, sender):
        self.silent.discard(sender)
        if sender in self.suspected:
            self.suspected.remove(sender)  # it no longer suspects P{sender}

    def on_ping_timeout(self):
        new = self.silent - self.suspected
        if new:
            self.suspected |= new
            self.suspect(new)  # no sign of life has come from P{new} in time
        self.ask()

    def recovered(self):
        self.watch(self.watched)
