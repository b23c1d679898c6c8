"""A. Ciuffoletti, The Wandering Token, section 2: every process enters once per period, regardless of the others.

The baseline for both versions of the wandering token. No messages.
"""

from algorithms.engine.process import Algorithm, MutexProcess, Parameter, Variant, all_of, exactly


class RandomAccess(MutexProcess):
    dmin = Parameter(600.0, "the least time from one of my operations to the next, start to start", low=0)
    dop = Parameter(4.0, "how long an operation takes", low=0)
    low = Parameter(0.0, "the least bias on dmin, as a share of it")
    high = Parameter(0.5, "the largest bias on dmin, as a share of it")

    def offered(self):
        return self.dop / (self.dmin * (1 + (self.low + self.high) / 2))

    def launch(self):
        self.set_timer("period", self.random.random() * self.period())  # we have not all begun together

    def on_period(self):
        self.enter(self.dop)  # my period is over: enter, I ask nobody
        self.set_timer("period", self.period())

    def waiting_for(self):
        return all_of((), note="it asks nobody and enters when its period is over")

    def period(self):
        return self.dmin * (1 + self.low + (self.high - self.low) * self.random.random())

    def recovered(self):
        self.set_timer("period", self.period())


class Journal(RandomAccess):
    dmin = Parameter(1200.0, "the mean time from one of my operations to the next, start to start", low=0)
    low = Parameter(-0.5, "the least bias on dmin, as a share of it")


class Quarter(RandomAccess):
    low = Parameter(-0.25, "the least bias on dmin, as a share of it")
    high = Parameter(0.25, "the largest bias on dmin, as a share of it")


class Half(RandomAccess):
    low = Parameter(-0.5, "the least bias on dmin, as a share of it")


class Minus(RandomAccess):
    low = Parameter(-0.5, "the least bias on dmin, as a share of it")
    high = Parameter(0.0, "the largest bias on dmin, as a share of it")


class EndToStart(RandomAccess):
    def offered(self):
        return self.dop / (self.dop + self.dmin * (1 + (self.low + self.high) / 2))

    def on_period(self):
        self.enter(self.dop)  # my period is over: enter, I ask nobody

    def release(self):
        self.set_timer("period", self.period())  # the next period begins when I leave


ALGORITHM = Algorithm(
    name="random-access",
    title="Random access",
    summary="Everybody enters once per period, which varies at random; nobody asks anybody.",
    source="A. Ciuffoletti, The Wandering Token (report), section 2; the journal version's benchmark, section 3",
    process=RandomAccess,
    assumes=(),
    cost=exactly("0", lambda n: 0),
    promises=(),
    paced_by="dmin",
    variants={
        "journal": Variant(Journal, "The journal's benchmark: 1200 s between two operations, biased by up to 600."),
        "quarter": Variant(Quarter, "Bias of ± Δmin/4: offers 2.0 times the capacity for 300 nodes, not 1.6."),
        "half": Variant(Half, "Bias of ± Δmin/2: as much load as ± Δmin/4, not what table 1 shows."),
        "minus": Variant(Minus, "Bias of down to − Δmin/2: more load still."),
        "end-to-start": Variant(EndToStart, "The period counts from the end of an operation: a little less load."),
    },
)
