"""A. Ciuffoletti, The Wandering Token, section 2: every process enters once per period, regardless of the others.

The baseline for both versions of the wandering token. No messages.
"""

from algorithms.engine.process import Algorithm, MutexProcess, Parameter, Variant, all_of, exactly


class RandomAccess(MutexProcess):
    dmin = Parameter(600.0, "the shortest time between the starts of two operations of a node", low=0)
    dop = Parameter(4.0, "how long an operation takes", low=0)
    low = Parameter(0.0, "the smallest random addition to Δmin, as a share of it")
    high = Parameter(0.5, "the largest random addition to Δmin, as a share of it")

    def offered(self):
        return self.dop / (self.dmin * (1 + (self.low + self.high) / 2))

    def launch(self):
        self.set_timer(
            "period", self.random.random() * self.period()
        )  # every process starts at a random point of its period

    def on_period(self):
        if not self.inside:  # its last operation may take longer than the period
            self.enter(self.dop)  # no other process is asked
        self.set_timer("period", self.period())

    def waiting_for(self):
        return all_of((), note="it asks nobody and enters when its period is over")

    def period(self):
        return self.dmin * (1 + self.low + (self.high - self.low) * self.random.random())

    def recovered(self):
        self.set_timer("period", self.period())


class Journal(RandomAccess):
    dmin = Parameter(1200.0, "the mean time between the starts of two operations of a node", low=0)
    low = Parameter(-0.5, "the smallest random addition to Δmin, as a share of it")


class Quarter(RandomAccess):
    low = Parameter(-0.25, "the smallest random addition to Δmin, as a share of it")
    high = Parameter(0.25, "the largest random addition to Δmin, as a share of it")


class Half(RandomAccess):
    low = Parameter(-0.5, "the smallest random addition to Δmin, as a share of it")


class Minus(RandomAccess):
    low = Parameter(-0.5, "the smallest random addition to Δmin, as a share of it")
    high = Parameter(0.0, "the largest random addition to Δmin, as a share of it")


class EndToStart(RandomAccess):
    def offered(self):
        return self.dop / (self.dop + self.dmin * (1 + (self.low + self.high) / 2))

    def on_period(self):
        self.enter(self.dop)  # no other process is asked

    def release(self):
        self.set_timer("period", self.period())  # its next period begins now


ALGORITHM = Algorithm(
    name="random-access",
    title="Random access",
    summary="Every process enters once per period, at a random time, without asking anybody: the baseline.",
    source="A. Ciuffoletti, The Wandering Token (report), section 2; the journal version's benchmark, section 3",
    process=RandomAccess,
    assumes=(),
    cost=exactly("0", lambda n: 0),
    promises=(),
    paced_by="dmin",
    explanation="""\
Every process performs an operation of length Δop once per period, and no process asks another. A period is Δmin plus
a random addition, so that the processes do not stay in step. If two periods end close together, two operations
overlap: nothing prevents it. With many processes the number of operations running at once follows a Poisson
distribution whose mean is k_load. The algorithm needs no messages; it is the baseline that the wandering token is
compared with.""",
    symbols={
        "Δmin": "the shortest time between the starts of two operations of a node (the mean, in the journal's variant)",
        "Δop": "how long an operation takes",
        "k_load": "the offered load: how many nodes would be inside on average if no node had to wait",
    },
    variants={
        "journal": Variant(Journal, "The journal's benchmark: 1200 s between two operations on average, ± 600 s."),
        "quarter": Variant(Quarter, "Addition of ± Δmin/4: 300 nodes offer 2.0 times the capacity, not 1.6 times."),
        "half": Variant(Half, "Addition of ± Δmin/2: the same load as with ± Δmin/4, not that of table 1."),
        "minus": Variant(Minus, "Addition between − Δmin/2 and 0: an even higher load."),
        "end-to-start": Variant(EndToStart, "The period counts from the end of an operation: a slightly lower load."),
    },
)
