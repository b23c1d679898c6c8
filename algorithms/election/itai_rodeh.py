"""Itai & Rodeh, FOCS 1981, without rounds: Fokkink & Pang, ENTCS 128(6), 2005. A leader among processes without names.

All processes are alike, so only chance can tell them apart: each draws a number, and the largest stay in the running.
A process recognizes its own message by the number of hops, and a tie by a bit in the message.
"""

from algorithms.engine.process import Algorithm, Cost, ElectionProcess, Message, Parameter, Variant, all_of


class Draw(Message):
    number: int  # the number that an active process has drawn
    hops: int  # how many hops it has gone when it arrives
    alone: bool  # whether it has met no other process with the same number

    def label(self):
        return f"{self.number}, hop {self.hops}{'' if self.alone else ' tie'}"


class Elected(Message):
    hops: int  # how many hops away the leader is

    def label(self):
        return f"hop {self.hops}"


class ItaiRodeh(ElectionProcess):
    roles = ("asleep", "active", "relay")
    k = Parameter(2, "how many numbers there are to draw: 0 to k−1", low=1)

    def setup(self):
        self.next = (self.id + 1) % self.size  # its successor on the ring
        self.role = "asleep"  # asleep, active or relay; over when it knows the leader
        self.number = None  # the number that it has drawn

    def start(self):
        if self.role == "asleep":
            self.role = "active"
            self.draw()

    def draw(self):
        self.number = self.random.below(self.k)
        self.pass_on(Draw(self.number, 1, True))  # it draws {number}

    def on_draw(self, draw, sender):
        self.start()
        if self.role != "active":
            self.pass_on(self.after_hop(draw))  # it passes {draw.number} on
        elif self.is_mine(draw):
            self.come_home(draw)
        elif draw.number == self.number:
            self.pass_on(self.tied(draw))  # it passes {draw.number} on as a tie: it has drawn the same
        elif draw.number > self.number:
            self.role = "relay"  # it drops out and passes {draw.number} on: it has drawn only {number}
            self.number = None
            self.pass_on(self.after_hop(draw))
        else:
            pass  # it swallows {draw.number}: it has drawn {number}

    def is_mine(self, draw):
        return draw.hops == self.size

    def come_home(self, draw):
        if draw.alone:
            self.finish(self.id)
            self.pass_on(Elected(1))  # the {draw.number} that has arrived counts as its own, without a tie
        else:
            self.draw()  # the {draw.number} that has arrived counts as its own, with a tie: it draws again

    def on_elected(self, elected, sender):
        if elected.hops < self.size:
            self.finish((self.id - elected.hops) % self.size)
            self.pass_on(Elected(elected.hops + 1))  # it passes the announcement on
        else:
            pass  # its announcement is back and goes no further

    def finish(self, leader):
        self.role = "over"
        self.number = None
        self.elect(leader)

    def after_hop(self, draw):
        return Draw(draw.number, draw.hops + 1, draw.alone)

    def tied(self, draw):
        return Draw(draw.number, draw.hops + 1, False)

    def pass_on(self, message):
        self.send(message, to=self.next)

    def waiting_for(self):
        previous = {(self.id - 1) % self.size}
        return all_of(previous if self.role in ("active", "relay") else (), Draw, Elected)

    def heeds(self, message):
        return isinstance(message, Elected) or self.role != "active" or message.number >= self.number


class NoCount(ItaiRodeh):
    def is_mine(self, draw):
        return draw.number == self.number


class NoBit(ItaiRodeh):
    def tied(self, draw):
        return self.after_hop(draw)


ALGORITHM = Algorithm(
    name="itai-rodeh",
    title="Itai–Rodeh",
    summary="Processes without names draw numbers; those with the largest stay in, and draw again if there is a tie.",
    source="A. Itai, M. Rodeh, Symmetry breaking in distributive networks, FOCS 1981; W. Fokkink, J. Pang, "
    "ENTCS 128(6), 2005",
    process=ItaiRodeh,
    looks={Draw: "ask", Elected: "announce"},
    topology="ring",
    assumes=("reliable", "FIFO", "nobody crashes", "N is known"),
    cost=Cost(
        "3N−1 or more", lambda n: 3 * n - 1, None, "no bound, but on average proportional to N log N; with announcement"
    ),
    badge="number",
    invariants={"somebody is in the running": lambda processes: any(process.role != "relay" for process in processes)},
    promises=("E1", "E2"),
    explanation=(
        "The processes form a ring, know how many they are, and have no names. Each draws a number and sends it round. "
        "A process that receives a larger number drops out and passes it on, and swallows a smaller one; an equal one "
        "it passes on marked as a tie. A process whose number comes back unmarked is the only one with the largest "
        "number, and leads; after a tie it draws again. It recognizes its own message by the number of hops."
    ),
    symbols={"N": "the number of processes", "k": "how many different numbers can be drawn"},
    variants={
        "no-count": Variant(
            NoCount,
            "Mistakes any message with its own number for its own, although another may have drawn the same.",
            breaks=("E1",),
        ),
        "no-bit": Variant(
            NoBit, "Never marks a tie, so several processes with the largest number may become leader.", breaks=("E1",)
        ),
    },
)
