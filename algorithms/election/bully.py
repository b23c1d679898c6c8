"""The bully algorithm (Garcia-Molina, IEEE Trans. Computers 31(1), 1982): the highest live process takes over.

N−1 messages at best and N²−N−1 at worst, the crashed coordinator included in N. It takes silence for a crash,
which is right only while no process is slower than the timeouts allow.
"""

from algorithms.engine.process import Algorithm, Cost, ElectionProcess, Message, Parameter


class Election(Message):
    """I want to lead. Is anybody above me alive?"""


class Answer(Message):
    """I am, and I take over."""


class Coordinator(Message):
    """I lead from now on."""


class Bully(ElectionProcess):
    roles = ("awaiting answers", "awaiting coordinator")
    answer_time = Parameter(2.5, "how long I wait for an answer: a round trip", low=0, timer="answer_timeout")
    coordinator_time = Parameter(
        5.0, "how long I then wait for the new coordinator", low=0, timer="coordinator_timeout"
    )

    def setup(self):
        self.electing = False  # I hold an election, or wait for the outcome of one
        self.answered = False  # somebody above me has taken it over

    def start(self):
        self.hold_election()  # I ask whether anybody above me is alive

    def hold_election(self):
        if self.electing:
            return
        self.electing = True
        self.answered = False
        if self.above():
            self.send(Election(), to=self.above())
            self.set_timer("answer_timeout", self.answer_time)
        else:
            self.set_timer("answer_timeout", 0)  # nobody is above me: I need not wait for answers

    def on_election(self, election, sender):
        self.hold_election()
        self.send(Answer(), to=sender)  # I am alive and above you: leave the election to me

    def on_answer(self, answer, sender):
        if self.electing:
            self.answered = True
            self.cancel_timer("answer_timeout")
            self.set_timer("coordinator_timeout", self.coordinator_time)  # somebody above me takes over: I wait

    def on_answer_timeout(self):
        self.suspect(self.above())  # nobody above me has answered: I take them all for crashed
        self.electing = False
        self.elect(self.id)
        self.send(Coordinator(), to=self.below())  # I lead, and tell everybody below me

    def on_coordinator(self, coordinator, sender):
        # An announcement from before my question does not answer it.
        if self.answered:
            self.electing = False
            self.cancel_timer("coordinator_timeout")
        self.elect(sender)  # there is a new coordinator

    def on_coordinator_timeout(self):
        self.electing = False
        self.hold_election()  # whoever took over has fallen silent: I ask once more

    def recovered(self):
        self.electing = False
        self.leader = None
        self.hold_election()  # I am back, and may be the highest

    def above(self):
        return [process for process in self.peers if process > self.id]

    def below(self):
        return [process for process in self.peers if process < self.id]

    def role(self):
        return ("awaiting coordinator" if self.answered else "awaiting answers") if self.electing else ""

    def waiting_for(self):
        return self.above() if self.electing else ()


ALGORITHM = Algorithm(
    name="bully",
    title="Bully",
    summary="The highest process alive takes over; whoever is above you takes your election away from you.",
    source="H. Garcia-Molina, Elections in a distributed computing system, IEEE Trans. Computers 31(1), 1982",
    process=Bully,
    looks={Election: "ask", Answer: "deny", Coordinator: "announce"},
    assumes=("reliable", "synchronous"),
    cost=Cost("N−1 … N²−N−1", lambda n: n - 1, lambda n: n * n - n - 1, "the coordinator has crashed; one initiator"),
    promises=("E1", "E2"),
)
