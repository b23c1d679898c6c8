"""Afek & Gafni, SIAM J. Computing 20(2), 1991: candidates of a complete graph capture the others one by one.

A candidate's level is the number of processes that it has captured. It takes a process from another candidate only if
that one gives up, so candidates at level k have captured different processes: at most N/(k+1) ever reach it, and an
election costs O(N log N) messages. The best of the paper's asynchronous algorithms takes 2N log₂ N + O(N).
"""

from collections import Counter

from algorithms.engine.process import Algorithm, Cost, ElectionProcess, Message, Variant, any_of


class Capture(Message):
    level: int  # the candidate's level

    def label(self):
        return f"level {self.level}"


class Challenge(Message):
    """A captured process asks its owner to give up, for a candidate that may be stronger."""

    level: int  # the level of that candidate
    candidate: int  # its number

    def label(self):
        return f"P{self.candidate}, level {self.level}"


class Surrender(Message):
    """The owner gives up in favour of a candidate."""

    level: int
    candidate: int

    def label(self):
        return f"to P{self.candidate}"


class Consent(Message):
    """The sender is captured."""


class Elected(Message):
    """The sender has captured all others."""


class AfekGafni(ElectionProcess):
    roles = ("asleep", "candidate", "relay")

    def setup(self):
        self.role = "asleep"  # asleep, candidate or relay; over when it knows the leader
        self.level = 0  # the number of processes that it has captured
        self.owner = None  # the candidate that has captured it
        self.strongest = (0, -1)  # (level, id) of the strongest candidate that it knows of

    def start(self):
        if self.role == "asleep":
            self.role = "candidate"
            self.strongest = (self.level, self.id)
            self.capture_next()

    def capture_next(self):
        self.send(Capture(self.level), to=self.target)  # it tries to capture P{target}; its level is {level}

    @property
    def target(self):
        """The process that it tries to capture; the paper leaves the order open."""
        return self.peers[self.level]

    def on_capture(self, capture, sender):
        if (capture.level, sender) < self.strongest:
            pass  # it ignores it: P{sender}, at level {capture.level}, is weaker than P{strongest[1]}
        else:
            self.strongest = (capture.level, sender)
            if self.owner is None:
                self.give_up()
                self.consent(sender)
            else:
                self.challenge(capture.level, sender)

    def challenge(self, level, candidate):
        self.send(
            Challenge(level, candidate), to=self.owner
        )  # P{candidate} is stronger than all it knows of: it asks its owner, P{owner}, to give up

    def consent(self, candidate):
        self.owner = candidate
        self.send(Consent(), to=candidate)  # it is captured by P{candidate}

    def on_challenge(self, challenge, sender):
        if (challenge.level, challenge.candidate) < (self.level, self.id):
            pass  # it does not give P{sender} up: at level {level}, it is stronger than P{challenge.candidate}
        else:
            self.give_up()
            self.send(
                Surrender(challenge.level, challenge.candidate), to=sender
            )  # it gives P{sender} up: P{challenge.candidate} is stronger

    def give_up(self):
        self.role = "relay"

    def on_surrender(self, surrender, sender):
        if (surrender.level, surrender.candidate) == self.strongest:
            self.consent(surrender.candidate)
        else:
            pass  # it ignores it: an even stronger candidate, P{strongest[1]}, has come

    def on_consent(self, consent, sender):
        if self.role == "candidate":
            self.level += 1
            self.strongest = max(self.strongest, (self.level, self.id))
            if self.level < self.size - 1:
                self.capture_next()
            else:
                self.finish(self.id)
                self.send(Elected(), to=self.peers)  # it has captured all others
        else:
            pass  # it has given up already

    def on_elected(self, elected, sender):
        self.finish(sender)

    def finish(self, leader):
        self.role = "over"
        self.elect(leader)

    def waiting_for(self):
        if self.role == "candidate":
            return any_of(self.peers, Consent, Elected)
        return any_of(self.peers if self.role == "relay" else (), Elected)

    def keeps_waiting(self, other):
        if other.target != self.id or (other.level, other.id) >= self.strongest:
            return ""
        level, strongest = self.strongest
        return f"knows of a stronger candidate, P{strongest} at level {level}"


class GoesOn(AfekGafni):
    def give_up(self):
        if self.role == "asleep":
            super().give_up()


class Silent(AfekGafni):
    def on_challenge(self, challenge, sender):
        if self.role == "candidate":
            super().on_challenge(challenge, sender)
        else:
            pass  # it does not answer: it has given up already


class NeverAsks(AfekGafni):
    def challenge(self, level, candidate):
        self.consent(candidate)


def owners_keep_what_they_count(processes, messages):
    """Whether each candidate owns as many processes as it counts, and the one whose consent is in transit."""
    owned = Counter(process.owner for process in processes)
    under_way = Counter(receiver for _, receiver, message in messages if isinstance(message, Consent))
    return all(p.level + under_way[p.id] == owned[p.id] for p in processes if p.role == "candidate")


ALGORITHM = Algorithm(
    name="afek-gafni",
    title="Afek–Gafni",
    summary="Candidates capture one process after another; the one that has captured all others leads.",
    source="Y. Afek, E. Gafni, Time and message bounds for election in synchronous and asynchronous complete networks, "
    "SIAM J. Computing 20(2), 1991",
    process=AfekGafni,
    looks={Capture: "ask", Challenge: "ask", Surrender: "grant", Consent: "grant", Elected: "announce"},
    assumes=("reliable", "nobody crashes", "all numbers differ"),
    cost=Cost(
        "3(N−1) … 4N·H(N)",
        lambda n: 3 * (n - 1),
        lambda n: 4 * n * sum(1 / k for k in range(1, n + 1)),
        "whoever starts the election",
    ),
    badge="level",
    pointers={"owner": "solid"},
    invariants={"owners keep what they count": owners_keep_what_they_count},
    promises=("E1", "E2"),
    explanation=(
        "All processes are linked to each other. A candidate captures the others one after another, and its level is "
        "the number that it has captured; of two candidates, the one with the higher level is stronger, then the one "
        "with the larger number. A process ignores a candidate that is weaker than one it knows of. If it has an "
        "owner, it asks this owner to give up first; a candidate that is captured itself has lost. So candidates of "
        "equal level never count the same process, and only few reach a high level. One that has captured all leads."
    ),
    symbols={
        "N": "the number of processes",
        "H(N)": "1 + 1/2 + … + 1/N, about 0.69 log₂ N",
        "level": "the number of processes that a candidate has captured",
        "owner": "was captured by",
    },
    variants={
        "goes-on": Variant(
            GoesOn,
            "A candidate that is captured, or gives up a process, remains a candidate: two can capture all others.",
            breaks=("E1",),
        ),
        "silent": Variant(
            Silent,
            "A candidate that has given up no longer answers: nobody can take the processes that it has captured.",
            breaks=("E2",),
        ),
        "never-asks": Variant(
            NeverAsks,
            "Takes a process without asking its owner: still one leader, but more candidates reach high levels.",
            breaks=("owners keep what they count",),
        ),
    },
)
