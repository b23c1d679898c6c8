"""Echo with extinction: Chang, IEEE TSE 8(4), 1982; Tel, Introduction to Distributed Algorithms, ch. 7.

Every caller floods the graph with a wave, whose echoes return along a tree. Where two waves meet, the stronger one goes
on, so only the largest caller's wave is completed. 2E messages for one caller, and 2E−N+1 to announce the leader.
"""

from algorithms.components.invariants import form_no_cycle
from algorithms.engine.process import Algorithm, Cost, ElectionProcess, Message, Variant, all_of, any_of


class Wave(Message):
    number: int  # the caller that sent the wave out


class Echo(Message):
    number: int  # the caller to which it returns


class Elected(Message):
    number: int  # the leader


class EchoExtinction(ElectionProcess):
    roles = ("participant",)

    def setup(self):
        self.wave = None  # the wave that it takes part in: the number of a caller
        self.parent = None  # the neighbour from which this wave came first; None for the caller itself
        self.pending = set()  # neighbours that have not answered this wave

    def start(self):
        if self.wave is None:
            self.join(self.id, None)  # it sends out a wave of its own

    def join(self, wave, parent):
        self.wave, self.parent = wave, parent
        self.pending = {*self.peers} - {parent}
        self.send(Wave(wave), to=self.pending)
        self.finish_if_complete()

    def on_wave(self, wave, sender):
        self.receive(wave.number, sender)

    def on_echo(self, echo, sender):
        self.receive(echo.number, sender)

    def receive(self, number, sender):
        if self.wave is None:
            self.join(number, sender)  # wave {number} is its first: it joins it and passes it on
        elif self.is_stronger(number):
            self.join(number, sender)  # wave {number} is stronger than wave {wave}: it joins it and passes it on
        elif self.counts(number):
            self.pending -= {sender}  # it counts this as P{sender}'s answer to wave {wave}
            self.finish_if_complete()
        else:
            pass  # wave {number} dies here: it is weaker than wave {wave}

    def is_stronger(self, number):
        return number > self.wave

    def counts(self, number):
        return number == self.wave

    def finish_if_complete(self):
        if self.pending:
            return
        if self.parent is not None:
            self.send(Echo(self.wave), to=self.parent)  # all its other neighbours have answered: it echoes to P{parent}
        elif self.wave == self.id:
            self.elect(self.id)
            self.send(Elected(self.id), to=self.peers)  # its wave has come back from everywhere

    def on_elected(self, elected, sender):
        if self.leader == elected.number:
            pass  # it has passed this announcement on already
        else:
            self.elect(elected.number)
            self.send(elected, to={*self.peers} - {sender})  # it passes the announcement on

    def role(self):
        return "participant" if self.wave is not None and self.leader is None else ""

    def waiting_for(self):
        if self.wave is None or self.leader is not None:
            return ()
        if self.pending:
            return all_of(self.pending, Wave, Echo)
        return any_of(self.peers, Elected)

    def heeds(self, message):
        return self.wave is None or self.is_stronger(message.number) or self.counts(message.number)


class NoExtinction(EchoExtinction):
    def is_stronger(self, number):
        return False


class CountsAll(EchoExtinction):
    def counts(self, number):
        return True


def knows_only_its_own_wave(processes):
    """Whether every process that knows a leader has joined its wave."""
    return all(process.leader in (None, process.wave) for process in processes)


def parents_form_a_tree(processes):
    """Whether the parents of each wave form no cycle."""
    waves = {process.id: process.wave for process in processes}
    return form_no_cycle(
        {process.id: process.parent for process in processes if waves.get(process.parent) == process.wave}
    )


ALGORITHM = Algorithm(
    name="echo-extinction",
    title="Echo with extinction",
    summary="Every caller floods the graph with a wave; a weaker wave dies where it meets a stronger one.",
    source="E. J. H. Chang, IEEE TSE 8(4), 1982; G. Tel, Introduction to Distributed Algorithms, ch. 7",
    process=EchoExtinction,
    looks={Wave: "ask", Echo: "grant", Elected: "announce"},
    topology="random",
    assumes=("reliable", "nobody crashes", "the graph is connected"),
    cost=Cost(
        "4E−N+1",
        lambda n: 3 * n - 3,
        lambda n: 2 * n * (n - 1) - n + 1,
        "if one process starts the election, on a graph with E links",
    ),
    badge="wave",
    chips="pending",
    region="wave",
    pointers={"parent": "solid"},
    invariants={
        "knowing a leader means having joined its wave": knows_only_its_own_wave,
        "parents form a tree": parents_form_a_tree,
    },
    promises=("E1", "E2"),
    explanation=(
        "A process that calls an election sends a wave with its number to all its neighbours. A process that receives "
        "a wave for the first time, or one stronger than its own, remembers the sender as its parent and passes the "
        "wave on to its other neighbours. When all of them have answered, with the same wave or an echo, it sends an "
        "echo to its parent. Weaker waves are ignored, so only the largest caller's wave comes back complete, and that "
        "caller leads."
    ),
    symbols={
        "N": "the number of processes",
        "E": "the number of links",
        "wave": "the wave that a process takes part in, named after its caller",
        "parent": "the neighbour from which its wave came first",
    },
    variants={
        "no-extinction": Variant(
            NoExtinction,
            "A process stays with the first wave that reaches it: if two waves meet, neither is ever complete.",
            breaks=("E2",),
        ),
        "counts-all": Variant(
            CountsAll, "Counts a weaker wave's message as an answer to its own wave.", breaks=("E1",), topology="star"
        ),
    },
)
