"""What should be true of a run, watched along its trace: ME1 to ME3, one token, and E1 and E2 for elections."""

from __future__ import annotations

from typing import TYPE_CHECKING

from algorithms.engine.events import TERM, TIME, Record
from algorithms.engine.observe.elections import Elections
from algorithms.engine.observe.fold import Fold
from algorithms.engine.observe.leadership import uninformed
from algorithms.engine.observe.observer import Observer, Seat, Situation
from algorithms.engine.observe.request_order import RequestOrder
from algorithms.engine.observe.tokens import Tokens
from algorithms.engine.observe.verdicts import Breach, Monitor, Promise, Verdict
from algorithms.engine.process import Algorithm
from algorithms.engine.rewrite import system_of
from algorithms.engine.scenario import Scenario
from algorithms.engine.workload import of_resource

if TYPE_CHECKING:
    from algorithms.engine.rewrite.rewriting import System
    from algorithms.engine.simulation import Simulation


class Monitors(Fold):
    """Watches along a run: `advance(trace)` reads what is new, `at(step, time)` tells the verdicts there.

    `watched` are the monitors that fit the algorithm, by name.
    """

    def __init__(self, scenario: Scenario, algorithm: Algorithm) -> None:
        super().__init__(scenario, algorithm)
        here, patience = self.situation, scenario.patience
        sources: list[Observer] = []
        monitors: list[Monitor] = []
        system = system_of(algorithm)
        if system is not None:
            monitors += [Prefixes(system), *([TokenOfTerm(system)] if system.tokens else [])]
        elif algorithm.is_election():
            elections = Elections(here, algorithm)
            sources.append(elections)
            monitors += [Agreement(elections), Termination(elections, here, patience)]
        else:
            monitors += [Safety(here), Liveness(here, patience), RequestOrder(here)]
        if algorithm.token:
            tokens = Tokens(algorithm.token)
            sources.append(tokens)
            monitors.append(OneToken(tokens))
        self.watched = {monitor.name: monitor for monitor in monitors}
        self._over: int | None = None  # after so many steps nothing can happen any more
        self.observe([*sources, *monitors])

    def at(self, step: int, time: float) -> dict[str, Verdict]:
        """Name -> verdict after `step` steps, which have been read, at `time`, which may lie after the last of them."""
        over = step == self._over == self.steps
        return {name: monitor.at(step, time, over) for name, monitor in self.watched.items()}

    def breaches(self, step: int) -> list[Breach]:
        """All breaches up to that step, in order: ticks for a timeline."""
        found = [breach for monitor in self.watched.values() for breach in monitor.breaches.at(step)]
        return sorted(found, key=lambda breach: breach.step)

    def finish(self) -> None:
        """Nothing can happen after the steps read so far: what is pending now will never be."""
        self._over = self.steps

    def truncate(self, step: int) -> None:
        if step < self.steps:
            self._over = None
        super().truncate(step)


class Safety(Monitor):
    """Watches that nobody enters while somebody else is inside. Crashed processes are not inside, paused ones are."""

    name = "ME1"
    words = "at most one process at a time is in the critical section"

    def __init__(self, situation: Situation) -> None:
        super().__init__()
        self._here = situation

    def on_entered(self, step: int, time: float, node: int, asked: float | None) -> None:
        self._look(step, time, node, f"P{node} enters")

    def on_resumed(self, step: int, time: float, node: int) -> None:
        self._look(step, time, node, f"P{node} is back in the critical section")

    def _look(self, step: int, time: float, node: int, news: str) -> None:
        """Whether it has company, now that it is inside."""
        others = sorted(self._here.insiders() - {node}) if len(self._here.inside) > 1 else []
        if others:
            they = f"P{others[0]} is" if len(others) == 1 else f"P{others[0]} and {len(others) - 1} more are"
            self._break(step, time, f"{news} while {they} inside{of_resource(self._here.resource, self._here.several)}")


class Liveness(Promise):
    """Watches that every request is served. Who crashes has no claim; back with its memory, it claims anew."""

    name = "ME2"
    words = "every request is served in the end"

    def __init__(self, situation: Situation, patience: float | None) -> None:
        super().__init__(patience)
        self._here = situation

    def on_request(self, step: int, time: float, node: int) -> None:
        self._claim((self._here.resource, node), step, time)

    def on_entered(self, step: int, time: float, node: int, asked: float | None) -> None:
        if asked is not None:
            self._claims.close((self._here.resource, node), step)

    def on_gone(self, step: int, time: float, node: int) -> None:
        for seat in self._here.seats_of(node):
            self._claims.void(seat, step)

    def on_back(self, step: int, time: float, node: int, memory: bool) -> None:
        for seat in self._here.seats_of(node):
            for _ in range(self._here.requests.waiting(seat)):
                self._claim(seat, step, time)

    def _late(self, seat: Seat, since: float) -> str:
        request = f"its request of time {since:g}{of_resource(seat[0], self._here.several)}"
        return f"P{seat[1]} has waited longer than {self._patience:g} for {request}"

    def _never(self, seat: Seat, since: float) -> str:
        request = f"P{seat[1]} asked at time {since:g}{of_resource(seat[0], self._here.several)}"
        return f"{request} and will never be served: nothing can happen any more"


class OneToken(Monitor):
    """Watches that, once there is a token, there is exactly one."""

    name = "one token"
    words = "there is exactly one token"

    def __init__(self, tokens: Tokens) -> None:
        super().__init__()
        self._tokens = tokens
        self._last = 0  # how many there were after the step before

    def on_end(self, step: int, event: Record) -> None:
        count = self._tokens.level.value
        if count == self._last:
            return
        self._last = count
        if count != 1:
            self._break(step, event[TIME], f"there are {count} tokens" if count else "there is no token any more")


class Prefixes(Monitor):
    """Watches the prefix property of a rewriting system: memo 440, definition 2."""

    name = "prefix property"
    words = "every history is a prefix of the longest one"

    def __init__(self, system: System) -> None:
        super().__init__()
        self._system = system

    def on_applied(self, step: int, record: Record) -> None:
        if not self._system.prefix_property(record[TERM]):
            self._break(step, record[TIME], "two histories have become different")


class TokenOfTerm(Monitor):
    """Watches that there is always exactly one token in the term of a rewriting system."""

    name = OneToken.name
    words = OneToken.words

    def __init__(self, system: System) -> None:
        super().__init__()
        self._system = system

    def on_applied(self, step: int, record: Record) -> None:
        count = self._system.tokens(record[TERM]) if self._system.tokens else 1
        if count != 1:
            self._break(step, record[TIME], f"there are {count} tokens" if count else "there is no token any more")


class Agreement(Monitor):
    """Watches that no two processes that are up take different ones for the leader.

    While an election is under way, only what has been learnt in it counts: the others are about to learn. Neither
    does a belief in a leader that has crashed. A paused process is not up; when it goes on and still takes itself for
    the leader while another has been elected, that is a breach.
    """

    name = "E1"
    words = "no two processes disagree about who is the leader"

    def __init__(self, elections: Elections) -> None:
        super().__init__()
        self._elections = elections
        self._leader: int | None = None  # whom all that count have named so far

    def on_end(self, step: int, event: Record) -> None:
        for node in sorted(self._elections.news):
            if self._elections.counts(node) and self._elections.beliefs[node] != self._leader:
                self._compare(step, event[TIME], node)

    def _compare(self, step: int, time: float, node: int) -> None:
        beliefs = self._elections.beliefs
        others = (n for n in sorted(beliefs) if beliefs[n] != beliefs[node] and self._elections.counts(n))
        other = next(others, None)
        if other is None:
            self._leader = beliefs[node]
        else:
            named = f"P{node} takes P{beliefs[node]} for the leader"
            self._break(step, time, f"{named}, P{other} takes P{beliefs[other]}")


class Termination(Promise):
    """Watches that those who call for an election come to know a leader, and that what one knows all come to know."""

    name = "E2"
    words = "everybody alive ends up knowing the leader"

    def __init__(self, elections: Elections, situation: Situation, patience: float | None) -> None:
        super().__init__(patience)
        self._elections = elections
        self._here = situation
        self._asked: set[int] = set()  # who has asked for an election and learnt nothing since
        self._news = False  # whether anybody has asked in the present step
        self._doubting: set[int] = set()  # who has yet to learn

    def on_request(self, step: int, time: float, node: int) -> None:
        self._asked.add(node)
        self._news = True

    def on_elected(self, step: int, time: float, node: int, leader: int) -> None:
        self._asked.discard(node)

    def on_gone(self, step: int, time: float, node: int) -> None:
        self._asked.discard(node)

    def on_end(self, step: int, event: Record) -> None:
        if not self._elections.news and not self._news:
            return
        self._news = False
        up = (node for node in range(self._here.nodes) if self._here.is_up(node))
        doubting = uninformed({node: self._elections.beliefs.get(node) for node in up}, self._asked)
        for node in sorted(doubting - self._doubting):
            self._claim((0, node), step, event[TIME])
        for node in sorted(self._doubting - doubting):
            self._claims.void((0, node), step)
        self._doubting = doubting

    def _late(self, seat: Seat, since: float) -> str:
        return f"P{seat[1]} still does not know who leads {self._patience:g} after time {since:g}"

    def _never(self, seat: Seat, since: float) -> str:
        return f"P{seat[1]} has not known who leads since time {since:g} and never will: nothing can happen any more"


class StateMonitor:
    """Checks an algorithm's own invariants, which look at the processes themselves, after each step of a live run."""

    def __init__(self, simulation: Simulation) -> None:
        self.first: dict[str, Breach] = {}  # name of each broken invariant -> where it first failed
        self._run = simulation

    def check(self) -> list[Breach]:
        """The invariants that fail now, in the present state."""
        run = self._run
        failing = [name for name, holds in run.algorithm.invariants.items() if not holds(run.processes)]
        breaches = [Breach(name, run.steps, run.now, f"{name} does not hold") for name in failing]
        for breach in breaches:
            self.first.setdefault(breach.monitor, breach)
        return breaches

    def run(self, steps: int) -> dict[str, Breach]:
        """Execute up to that step of the run, checking after each; returns `first`."""
        while self._run.steps < steps and self._run.step():
            self.check()
        return self.first
