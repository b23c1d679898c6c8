"""The bully algorithm (Garcia-Molina, IEEE Trans. Computers 31(1), 1982): the highest live process becomes leader.

N−1 messages at best and N²−N−1 at worst, the crashed coordinator included in N. It takes silence for a crash,
which is right only while no process is slower than the timeouts allow.
"""

from algorithms.engine.process import Algorithm, Cost, ElectionProcess, Message, Parameter, any_of


class Election(Message):
    """Asks a higher process whether it is alive."""


class Answer(Message):
    """Says that the sender is alive and takes over the election."""


class Coordinator(Message):
    """Announces the sender as the new leader."""


class Bully(ElectionProcess):
    roles = ("awaiting answers", "awaiting coordinator")
    answer_time = Parameter(2.5, "how long it waits for an answer: a round trip", low=0, timer="answer_timeout")
    coordinator_time = Parameter(
        5.0, "how long it then waits for the new coordinator", low=0, timer="coordinator_timeout"
    )

    def setup(self):
        self.electing = False  # whether it holds an election or waits for the outcome of one
        self.answered = False  # whether a higher process has taken the election over

    def start(self):
        self.hold_election()

    def hold_election(self):
        if self.electing:
            return  # an election is already in progress
        self.electing = True
        self.answered = False
        if self.above():
            self.send(Election(), to=self.above())  # it asks every higher process whether it is alive
            self.set_timer("answer_timeout", self.answer_time)
        else:
            self.set_timer("answer_timeout", 0)  # no process is higher, so there are no answers to wait for

    def on_election(self, election, sender):
        self.hold_election()
        self.send(Answer(), to=sender)  # it answers: being higher than P{sender}, it takes the election over

    def on_answer(self, answer, sender):
        if self.electing:
            self.answered = True
            self.cancel_timer("answer_timeout")
            self.set_timer(
                "coordinator_timeout", self.coordinator_time
            )  # P{sender} takes over, so P{id} waits for the new coordinator

    def on_answer_timeout(self):
        self.suspect(self.above())
        self.electing = False
        self.elect(self.id)
        lower = self.below()
        self.send(Coordinator(), to=lower)  # it announces this to P{lower}

    def on_coordinator(self, coordinator, sender):
        # An announcement sent before the question does not answer it.
        if self.answered:
            self.electing = False
            self.cancel_timer("coordinator_timeout")
        self.elect(sender)

    def on_coordinator_timeout(self):
        self.electing = False
        self.hold_election()

    def recovered(self):
        self.electing = False
        self.leader = None
        self.hold_election()

    def above(self):
        return [process for process in self.peers if process > self.id]

    def below(self):
        return [process for process in self.peers if process < self.id]

    def role(self):
        return ("awaiting coordinator" if self.answered else "awaiting answers") if self.electing else ""

    def waiting_for(self):
        if not self.electing:
            return ()
        if self.answered:
            return any_of(self.above(), Coordinator, timers=("coordinator_timeout",))
        return any_of(self.above(), Answer, Coordinator, timers=("answer_timeout",))

    def keeps_waiting(self, other):
        if not self.electing or not other.electing or self.id <= other.id:
            return ""
        return "is waiting for the coordinator" if self.answered else "is holding an election"


ALGORITHM = Algorithm(
    name="bully",
    title="Bully",
    summary="The highest live process becomes leader; any higher process that answers takes over the election.",
    source="H. Garcia-Molina, Elections in a distributed computing system, IEEE Trans. Computers 31(1), 1982",
    process=Bully,
    looks={Election: "ask", Answer: "deny", Coordinator: "announce"},
    assumes=("reliable", "synchronous"),
    cost=Cost(
        "N−1 … N²−N−1",
        lambda n: n - 1,
        lambda n: n * n - n - 1,
        "if the coordinator has crashed and one process starts the election",
    ),
    promises=("E1", "E2"),
    explanation=(
        "A process that notices that the leader has crashed asks every process with a higher number whether it is "
        "alive. A higher process answers, and takes the election over by asking those above it in turn. A process "
        "that receives no answer in time becomes leader and announces this to all lower ones. One that has been "
        "answered waits for the announcement, and starts again if none comes. In the end the highest live process "
        "leads, provided that no process is slower than the timeouts allow."
    ),
    symbols={"N": "the number of processes, including the crashed coordinator"},
)
