"""The runs behind the labs on Memo 440: each a function of a seed that returns plain figures.

Messages take one unit and local steps no time, as in section 4; so stays in the critical section take no time. A
waiting node makes no further request: its requests are a Poisson process without those that come too early.
"""

from __future__ import annotations

from collections import Counter
from statistics import mean

from algorithms import catalog
from algorithms.engine.events import MESSAGE, NODE, SENDER, Record
from algorithms.engine.observe.fold import Fold, run_and_forget
from algorithms.engine.observe.meters import Turns
from algorithms.engine.observe.observer import Observer
from algorithms.engine.randomness import Fixed
from algorithms.engine.scenario import Scenario
from algorithms.engine.workload import Closed
from lessons.laboratory.lab import Figures

RING, LINEAR, BINARY = "token-ring", "ring-search", "binary-search-token"


def loaded_run(seed: int, algorithm: str, nodes: int, gap: float, until: float, variant: str | None = None) -> Figures:
    """Responsiveness, waiting time and cost at one request per `gap` units in the whole system."""
    run = catalog.simulation(
        Scenario(algorithm, nodes=nodes, seed=seed, variant=variant, load=Closed(think=gap * nodes, hold=Fixed(0.0)))
    )
    fold = Fold(run.scenario, run.algorithm)
    turns, messages, fairness = Turns(fold.situation), Messages(), Fairness(nodes)
    fold.observe([turns, messages, fairness])
    run_and_forget(run, [fold], until)
    entries = fairness.entries
    return {
        "entries": entries,
        "per_unit": entries / until,
        "responsiveness": mean(turns.responses.values),
        "worst_responsiveness": max(turns.responses.values),
        "waiting": mean(turns.waiting.values),
        "worst_waiting": max(turns.waiting.values),
        "messages": {kind: count / entries for kind, count in sorted(messages.kinds.items())},  # per entry
        "gimmes": max(messages.gimmes.values(), default=0),  # the most for one request
        "useless_loans": messages.useless_loans,
        "most_to_one": fairness.most_to_one,
        "most_to_others": fairness.most_to_others,
    }


class Messages(Observer):
    """Messages by kind, gimmes by request, and unused loans.

    The token is counted as "hop" while it circulates, as "loan" while it goes to a requester and back.
    """

    def __init__(self) -> None:
        self.kinds: Counter[str] = Counter()
        self.gimmes: Counter[tuple[int, int]] = Counter()
        self.useless_loans = 0
        self._entered: set[int] = set()  # who has used the token since it came

    def on_entered(self, step: int, time: float, node: int, asked: float | None) -> None:
        self._entered.add(node)

    def on_sent(self, step: int, record: Record) -> None:
        message, sender = record[MESSAGE], record[SENDER]
        kind = type(message).__name__
        if kind == "Gimme":
            self.gimmes[message.requester, message.number] += 1
        if kind == "Token":
            lender = getattr(message, "lender", None)
            kind = "hop" if lender is None else "loan"
            self.useless_loans += lender == record[NODE] and sender not in self._entered
            self._entered.discard(sender)
        self.kinds[kind.lower()] += 1


class Fairness(Observer):
    """Theorem 3: the most entries during one wait, by any one other process and by all others together."""

    def __init__(self, nodes: int) -> None:
        self.most_to_one = 0
        self.most_to_others = 0
        self._order: list[int] = []  # who has entered, one after the other
        self._asked_at = [0] * nodes  # number of entries when this one asked

    @property
    def entries(self) -> int:
        return len(self._order)

    def on_asked(self, step: int, time: float, node: int) -> None:
        self._asked_at[node] = len(self._order)

    def on_entered(self, step: int, time: float, node: int, asked: float | None) -> None:
        meanwhile = self._order[self._asked_at[node] :]
        self._order.append(node)
        self.most_to_others = max(self.most_to_others, len(meanwhile))
        self.most_to_one = max(self.most_to_one, *Counter(meanwhile).values(), 0)
