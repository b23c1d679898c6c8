"""Monitors of a run's properties: ME1 to ME3, one token, and E1 and E2 for elections."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from algorithms.engine.events import KIND, NODE, REQUEST, TERM, TIME, Record
from algorithms.engine.observe.elections import Elections
from algorithms.engine.observe.fold import Fold
from algorithms.engine.observe.leadership import uninformed
from algorithms.engine.observe.observer import Observer, Seat, Situation
from algorithms.engine.observe.promises import fault_observer, is_promised
from algorithms.engine.observe.request_order import RequestOrder
from algorithms.engine.observe.rivals import Rivals, exclusion_words, rivals_of
from algorithms.engine.observe.tokens import Tokens
from algorithms.engine.observe.verdicts import BROKEN, PENDING, Breach, Monitor, Promise, Verdict, rounded
from algorithms.engine.process import Algorithm
from algorithms.engine.rewrite import system_of
from algorithms.engine.scenario import Scenario
from algorithms.engine.trace import Trace

if TYPE_CHECKING:
    from algorithms.engine.rewrite.rewriting import System


class Monitors(Fold):
    """Monitors a run: `advance(trace)` reads new steps, `at(step, time)` gives the verdicts.

    `by_name` holds the monitors that apply to the algorithm, `faults` what may break its assumptions.
    """

    def __init__(self, scenario: Scenario, algorithm: Algorithm) -> None:
        super().__init__(scenario, algorithm)
        here = self.situation
        self.faults = fault_observer(here, scenario.network)
        sources: list[Observer] = [self.faults]
        monitors: list[Monitor] = []
        system = system_of(algorithm)
        if system is not None:
            monitors += [Prefixes(system), *([TokenOfTerm(system)] if system.tokens else [])]
        elif algorithm.is_election():
            elections = Elections(here, algorithm)
            sources.append(elections)
            monitors += [
                Agreement(elections, has_terms=algorithm.terms is not None),
                Termination(elections, here, scenario),
            ]
        else:
            monitors += [
                Safety(here, rivals_of(scenario, algorithm), exclusion_words(algorithm)),
                Liveness(here, scenario),
                RequestOrder(here),
            ]
        if algorithm.token:
            tokens = Tokens(algorithm.token)
            sources.append(tokens)
            monitors.append(OneToken(tokens))
        self.by_name = {monitor.name: monitor for monitor in monitors}
        for monitor in monitors:
            monitor.promised = system is not None or is_promised(algorithm, monitor.name)
        self._end: _End | None = None
        self.observe([*sources, *monitors])

    def at(self, step: int, time: float) -> dict[str, Verdict]:
        """Name -> verdict after `step` steps, at `time`, not before the last of them."""
        ends = {breach.monitor: breach for breach in self._breaches_by_end(step)}
        return {name: monitor.at(step, time, ends.get(name)) for name, monitor in self.by_name.items()}

    def breaches(self, step: int) -> list[Breach]:
        """All breaches up to `step`, in order."""
        breaches = [breach for monitor in self.by_name.values() for breach in monitor.breaches.at(step)]
        return sorted([*breaches, *self._breaches_by_end(step)], key=lambda breach: breach.step)

    def breaches_at(self, step: int) -> list[Breach]:
        """The breaches by one step."""
        breaches = [breach for monitor in self.by_name.values() for breach in monitor.breaches.of(step)]
        return [*breaches, *(breach for breach in self._breaches_by_end(step) if breach.step == step)]

    def finish(self, trace: Trace | None = None) -> None:
        """Declare that nothing more can happen after the steps read so far: claims that are open are never met.

        The last steps of `trace`, if they are requests of processes that wait already, came after the end.
        """
        step, time = self.steps, self.now
        while trace and step > trace.forgotten + 1 and self._changes_nothing(trace, step):
            step, time = step - 1, trace.event(step - 2)[TIME]
        self._end = _End(step, time, self.steps)

    def truncate(self, step: int) -> None:
        if step < self.steps:
            self._end = None
        super().truncate(step)

    def _changes_nothing(self, trace: Trace, step: int) -> bool:
        """Whether a step is nothing but a request of a process that waits already."""
        event, *effects = trace.step(step - 1)
        liveness = self.by_name.get(Liveness.name)
        waits = isinstance(liveness, Promise) and liveness.has_claim(event[NODE], step - 1)
        return event[KIND] == REQUEST and not effects and waits

    def _breaches_by_end(self, step: int) -> list[Breach]:
        end = self._end
        if end is None or end.read != self.steps or step < end.step:
            return []
        found = (monitor.breach_by_end(end.step, end.time) for monitor in self.by_name.values())
        return [breach for breach in found if breach]


class _End(NamedTuple):
    """The end of a run: the step and time after which nothing more could happen, and the steps read by then."""

    step: int
    time: float
    read: int


class Safety(Monitor):
    """Mutual exclusion: no process inside together with its rivals. Paused processes count, crashed ones do not."""

    name = "ME1"

    def __init__(self, situation: Situation, rivals: Rivals, words: str) -> None:
        super().__init__()
        self._here = situation
        self._rivals = rivals
        self.words = words

    def on_entered(self, step: int, time: float, node: int, asked: float | None) -> None:
        self._check_alone(step, time, node, f"P{node} enters")

    def on_resumed(self, step: int, time: float, node: int) -> None:
        self._check_alone(step, time, node, f"P{node} is back in the critical section")

    def _check_alone(self, step: int, time: float, node: int, news: str) -> None:
        """Record a breach if other processes are inside, too."""
        others = sorted(self._rivals.excluding(self._here.insiders(), node)) if len(self._here.inside) > 1 else []
        if others:
            they = f"P{others[0]} is" if len(others) == 1 else f"P{others[0]} and {len(others) - 1} more are"
            self._break(
                step,
                time,
                f"{news} while {they} inside{self._here.resource_suffix(self._here.resource)}",
                {node, *others},
            )


class Liveness(Promise):
    """Liveness: every request is served. A crash voids requests until a recovery with memory."""

    name = "ME2"
    words = "every request is eventually served"

    def __init__(self, situation: Situation, scenario: Scenario) -> None:
        super().__init__(scenario)
        self._here = situation

    def on_request(self, step: int, time: float, node: int) -> None:
        self._claims.open((self._here.resource, node), step, time)

    def on_entered(self, step: int, time: float, node: int, asked: float | None) -> None:
        if asked is not None:
            self._claims.close((self._here.resource, node), step)

    def on_gone(self, step: int, time: float, node: int) -> None:
        for seat in self._here.seats_of(node):
            self._claims.void(seat, step)

    def on_back(self, step: int, time: float, node: int, memory: bool) -> None:
        for seat in self._here.seats_of(node):
            for _ in range(self._here.requests.waiting(seat)):
                self._claims.open(seat, step, time)

    def _late(self, seat: Seat, since: float) -> str:
        resource = self._here.resource_suffix(seat[0])
        waiting = f"P{seat[1]} has been waiting{resource} for more than {self._patience:g} time units"
        return f"{waiting} (since {rounded(since)})"

    def _never(self, seat: Seat, since: float) -> str:
        request = f"P{seat[1]}'s request{self._here.resource_suffix(seat[0])} (since {rounded(since)})"
        return f"{request} can never be served"

    def _never_so(self, seat: Seat, since: float) -> str:
        request = f"P{seat[1]}'s request{self._here.resource_suffix(seat[0])} (since {rounded(since)})"
        return f"{request} is never served if this repeats"


def _token_words(count: int) -> str:
    return f"there are {count} tokens" if count else "the token has been lost"


class OneToken(Monitor):
    """Exactly one token, from the creation of the first; pending until then."""

    name = "one token"
    words = "there is exactly one token"

    def __init__(self, tokens: Tokens) -> None:
        super().__init__()
        self._tokens = tokens
        self._last = 0  # number of tokens after the previous step

    def at(self, step: int, time: float, end: Breach | None = None) -> Verdict:
        verdict = super().at(step, time, end)
        is_there = verdict.status == BROKEN or self._tokens.level.at(step)
        return verdict if is_there else self._verdict(PENDING, detail="no token yet")

    def on_end(self, step: int, event: Record) -> None:
        count = self._tokens.level.value
        if count == self._last:
            return
        self._last = count
        if count != 1:
            self._break(step, event[TIME], _token_words(count), self._tokens.holders())


class Prefixes(Monitor):
    """The prefix property of a rewriting system: memo 440, definition 2."""

    name = "prefix property"
    words = "every history is a prefix of the longest one"

    def __init__(self, system: System) -> None:
        super().__init__()
        self._system = system

    def on_applied(self, step: int, record: Record) -> None:
        if not self._system.prefix_property(record[TERM]):
            self._break(step, record[TIME], "two histories have become different")


class TokenOfTerm(Monitor):
    """Exactly one token in the term of a rewriting system, always."""

    name = OneToken.name
    words = OneToken.words

    def __init__(self, system: System) -> None:
        super().__init__()
        self._system = system

    def on_applied(self, step: int, record: Record) -> None:
        count = self._system.tokens(record[TERM]) if self._system.tokens else 1
        if count != 1:
            self._break(step, record[TIME], _token_words(count))


class Agreement(Monitor):
    """Agreement: no two processes that are up believe in different leaders.

    During an election only beliefs learnt in it count; beliefs in a leader that has crashed never do. Where elections
    have terms, only beliefs about the same term are compared: there may be one leader in each. A paused process
    is not up. If it resumes and still believes itself the leader after another has been elected, that is a breach.
    """

    name = "E1"
    words = "no two processes disagree about who is the leader"

    def __init__(self, elections: Elections, *, has_terms: bool) -> None:
        super().__init__()
        if has_terms:
            self.words = f"{Agreement.words} of a term"
        self._elections = elections
        self._leader: tuple[int, int] | None = None  # the leader on whom all beliefs so far agree, and its term

    def on_end(self, step: int, event: Record) -> None:
        elections = self._elections
        for node in sorted(elections.changed):
            if elections.has_current_belief(node) and elections.belief_with_term(node) != self._leader:
                self._compare(step, event[TIME], node)

    def _compare(self, step: int, time: float, node: int) -> None:
        beliefs, terms = self._elections.beliefs, self._elections.terms
        rivals = (n for n in sorted(beliefs) if beliefs[n] != beliefs[node] and terms[n] == terms[node])
        other = next(filter(self._elections.has_current_belief, rivals), None)
        if other is None:
            self._leader = self._elections.belief_with_term(node)
        else:
            which = f" of term {terms[node]}" if terms[node] else ""
            named = f"P{node} believes P{beliefs[node]} is the leader{which}"
            self._break(step, time, f"{named}, P{other} believes P{beliefs[other]} is", {node, other})


class Termination(Promise):
    """Termination: after a call every process that is up eventually knows the same leader."""

    name = "E2"
    words = "every live process eventually knows the leader"

    def __init__(self, elections: Elections, situation: Situation, scenario: Scenario) -> None:
        super().__init__(scenario)
        self._elections = elections
        self._here = situation
        self._callers: set[int] = set()  # nodes with a request for an election that have not learnt of a leader since
        self._has_new_caller = False  # whether a node has requested an election in the current step
        self._uninformed: set[int] = set()  # nodes that have yet to learn

    def on_request(self, step: int, time: float, node: int) -> None:
        self._callers.add(node)
        self._has_new_caller = True

    def on_elected(self, step: int, time: float, node: int, leader: int, term: int) -> None:
        self._callers.discard(node)

    def on_gone(self, step: int, time: float, node: int) -> None:
        self._callers.discard(node)

    def on_end(self, step: int, event: Record) -> None:
        if not self._elections.changed and not self._has_new_caller:
            return
        self._has_new_caller = False
        up = (node for node in range(self._here.nodes) if self._here.is_up(node))
        without_leader = uninformed({node: self._elections.beliefs.get(node) for node in up}, self._callers)
        for node in sorted(without_leader - self._uninformed):
            self._claims.open((0, node), step, event[TIME])
        for node in sorted(self._uninformed - without_leader):
            self._claims.void((0, node), step)
        self._uninformed = without_leader

    def _late(self, seat: Seat, since: float) -> str:
        waiting = f"P{seat[1]} has not known the leader for more than {self._patience:g} time units"
        return f"{waiting} (since {rounded(since)})"

    def _never(self, seat: Seat, since: float) -> str:
        return f"P{seat[1]} can never learn who the leader is (waiting since {rounded(since)})"

    def _never_so(self, seat: Seat, since: float) -> str:
        return f"P{seat[1]} never learns who the leader is (waiting since {rounded(since)}) if this repeats"
