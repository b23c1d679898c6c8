"""Counter-examples of the checker as ordinary runs: scenarios whose interventions replay a trail.

The moves are one unit of time apart, and each message takes exactly as long as the trail leaves it in transit, so that
the run looks like any other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import Any

from algorithms.engine.check.encoding import State
from algorithms.engine.check.explore import Finding, Search, Trail
from algorithms.engine.check.moves import Move
from algorithms.engine.check.properties import FAIRLY, KNOWLEDGE, LIVENESS, ONE_TOKEN
from algorithms.engine.errors import SAME_EACH_TIME, Misuse, count_words
from algorithms.engine.events import DELIVER, KIND, LOST, MESSAGE, NODE, SENDER, SENT, SEQ, TIME, Record
from algorithms.engine.observe.monitors import Monitors
from algorithms.engine.observe.promises import CRASH, DUPLICATE, HASTE, LOSS, OVERTAKING, Fault
from algorithms.engine.observe.verdicts import CONVERGENCE, title
from algorithms.engine.process import Algorithm, Message
from algorithms.engine.randomness import Fixed
from algorithms.engine.scenario import Event, Flight, Marker, Network, Scenario
from algorithms.engine.simulation import Simulation
from algorithms.engine.workload import Load

_FAULTS = {
    "drop": Fault(LOSS, "a message is lost"),
    "cut": Fault(LOSS, "a link is cut"),
    "cut-way": Fault(LOSS, "a link is cut in one direction"),
    "duplicate": Fault(DUPLICATE, "a message is duplicated"),
    "crash": Fault(CRASH, "a process crashes"),
    "reset": Fault(CRASH, "a process crashes"),
}
SEEDS = 100_000  # number of seeds to try for a launch like the trail's


def counterexample_scenario(search: Search, finding: Finding) -> Scenario:
    """The scenario of a run that violates a property. ValueError if the finding has no trail.

    The run stops before a step that fails, and its marker says what would follow. For fair liveness it stops once the
    cycle has gone round, before its first move is made again: what a run would do by itself need not repeat it.
    """
    trail = finding.trail
    if trail is None:
        raise ValueError(f"nothing shows how {finding.property.name} fails")
    replay = Replay(base_scenario(search, trail), search.algorithm)
    moves = trail.moves[: _moves_before_failure(search, trail)]
    times = [replay.now, *map(replay.make, moves)]  # when the states of the trail are reached
    is_fair = finding.property.when == FAIRLY
    watched = search.judge.eventual if is_fair else finding.property
    if watched in (ONE_TOKEN, LIVENESS, KNOWLEDGE):
        replay.lose_undeliverable()
    end = replay.now
    judged = replay.scenario
    if finding.property.name == CONVERGENCE:
        words = _privilege_words(search, trail)
    else:
        if trail.cycle:
            since = times[min(_unmet_since(search, trail), len(moves))]
            judged = replace(judged, patience=end - since - 0.5, shows=finding.property.name)
        words = _failure_words(search, trail) or _verdict_words(judged, replay.run, watched.name)
    if stops_early := is_fair and trail.cycle > 0:
        replay.make(trail.moves[-trail.cycle])
    return replace(
        judged,
        title=f"{title(finding.property.name)}: broken after {count_words(len(trail.moves), 'move')}",
        until=end + (0.5 if stops_early else 2),
        network=replace(judged.network, flights=replay.flights()),
        events=tuple(replay.events),
        markers=(Marker(end, words),),
    )


def faults_of(search: Search, trail: Trail) -> Iterator[Fault]:
    """The faults along a trail that an algorithm may assume never to happen."""
    if not search.scenario.network.fifo:
        yield Fault(OVERTAKING, "messages may overtake one another")
    for move, state in zip(trail.moves, trail.states, strict=False):
        if move.do in _FAULTS:
            yield _FAULTS[move.do]
        if move.do == "fire" and not search.bounds.synchronous and search.system.messages(state):
            yield Fault(HASTE, "a timer expires while a message is in transit")


class Replay:
    """A run of interventions alone, one per unit of time."""

    def __init__(self, scenario: Scenario, algorithm: Algorithm) -> None:
        self.scenario = scenario
        self.events: list[Event] = []
        self.run = Simulation(scenario, algorithm)
        self.run.run(steps=1)

    @property
    def now(self) -> float:
        return self.run.now

    def make(self, move: Move) -> float:
        """Make the move, and return its time."""
        if move.do == "reset":
            self._act("crash", node=move.node)
            self._act("recover", node=move.node, memory=False, draws=move.draws)
        elif move.do in ("cut", "cut-way"):
            self._act("cut", node=move.sender, to=move.node, both=move.do == "cut")
        elif move.envelope is None:
            self._act(move.do, node=move.node, timer=move.timer, draws=move.draws)
        else:
            self._act_on(move.do, self._message_of(move), move.draws)
        return self.now

    def lose_undeliverable(self) -> None:
        """Deliver all messages to crashed processes, where they are lost, and lose those on links that are cut."""
        for entry in sorted(self.run.queue.in_transit()):
            if entry[KIND] == LOST:
                self._act_on("drop", entry)
            elif not self.run.is_up(entry[NODE]):
                self._act_on("deliver", entry)

    def flights(self) -> tuple[Flight, ...]:
        """How long the messages of each link are in transit.

        It is until they arrive, a little longer than until they are lost, or beyond the end of the run.
        """
        steps = [self.run.trace.step(k) for k in range(len(self.run.trace))]
        lost = {record[SEQ]: record[TIME] + 1 for record in chain(*steps) if record[KIND] == LOST}
        arrived = {step[0][SEQ]: step[0][TIME] for step in steps if step[0][KIND] == DELIVER}
        doomed = {entry[SEQ] for entry in self.run.queue.in_transit() if entry[KIND] == LOST}
        ends = {**lost, **arrived}
        takes: dict[tuple[int, int], list[float]] = {}
        for event, *effects in steps:
            for sent in effects:
                if sent[KIND] == DELIVER and sent[SENT] == event[TIME] and sent[SENDER] != sent[NODE]:
                    end = ends.get(sent[SEQ], self.now + 1)
                    if sent[SEQ] in doomed:  # it vanishes halfway
                        end += self.now + 1 - sent[SENT]
                    takes.setdefault((sent[SENDER], sent[NODE]), []).append(end - sent[SENT])
        return tuple(Flight(*link, tuple(durations)) for link, durations in sorted(takes.items()))

    def _message_of(self, move: Move) -> Record:
        """The message of a move; among equal messages, the one sent first."""
        wanted = (move.sender, move.node, move.envelope.message if move.envelope else None)
        in_transit = sorted(self.run.queue.in_transit(), key=lambda entry: entry[SEQ])
        matching = (entry for entry in in_transit if (entry[SENDER], entry[NODE], entry[MESSAGE]) == wanted)
        message = next(matching, None)
        if message is None:
            raise Misuse(f"what the checker has found goes differently when it is executed again; {SAME_EACH_TIME}")
        return message

    def _act_on(self, do: str, message: Record, draws: tuple[float, ...] = ()) -> None:
        sender, receiver, name = message[SENDER], message[NODE], type(message[MESSAGE]).__name__
        if sender == receiver:
            self._act(do, message=message[SEQ], type=name, draws=draws)
        else:
            self._act(do, node=sender, to=receiver, message=message[SEQ], type=name, draws=draws)

    def _act(self, do: str, **what: Any) -> None:
        step = self.run.steps
        event = Event(float(step), do, step=step, by_hand=True, **what)
        self.events.append(event)
        self.run.interventions.append(event)
        self.run.step()


# ---- within ------------------------------------------------------------------------------------------------


def base_scenario(search: Search, trail: Trail) -> Scenario:
    """The scenario without load and delays, with a seed for the trail's first state.

    Stays in the critical section end by intervention only: by themselves they would outlast the trail.
    """
    load = Load(hold=Fixed(2.0 * len(trail.moves) + 2))
    network = Network(fifo=search.scenario.network.fifo)
    base = replace(search.scenario, load=load, network=network, events=(), markers=())
    seeds = (replace(base, seed=seed) for seed in chain([base.seed], range(SEEDS)))
    suitable = next((scenario for scenario in seeds if _begins_in(search, scenario, trail.states[0])), None)
    if suitable is None:
        raise Misuse(f"of {SEEDS} seeds none makes a run begin as the checker has found it to begin; {SAME_EACH_TIME}")
    return suitable


def _begins_in(search: Search, scenario: Scenario, start: State) -> bool:
    run = Simulation(scenario, search.algorithm)
    run.run(steps=1)
    in_transit: dict[tuple[int, int], list[Message]] = {}
    for entry in sorted(run.queue.in_transit(), key=lambda entry: entry[SEQ]):
        in_transit.setdefault((entry[SENDER], entry[NODE]), []).append(entry[MESSAGE])
    return search.system.matches(start, [vars(process) for process in run.processes], in_transit)


def _moves_before_failure(search: Search, trail: Trail) -> int:
    """The number of moves before the first that fails."""
    failures = (k - 1 for k, state in enumerate(trail.states) if search.judge.snapshot(state).errors)
    return next(failures, len(trail.moves))


def _unmet_since(search: Search, trail: Trail) -> int:
    """The first state of the trail after which an obligation stays unmet."""
    obligations = [search.judge.judge(state).obligations for state in trail.states]
    since = len(obligations) - 1
    unmet = obligations[since]
    while since and unmet & obligations[since - 1]:
        since -= 1
        unmet &= obligations[since]
    return since


def _failure_words(search: Search, trail: Trail) -> str:
    """Why the last step of the trail fails; empty if it succeeds."""
    errors = search.judge.snapshot(trail.states[-1]).errors
    return f"the next step fails: {errors[0]}" if errors else ""


def _privilege_words(search: Search, trail: Trail) -> str:
    """How many privileges there are at the end of the trail."""
    count = search.judge.privileges(search.judge.snapshot(trail.states[-1]))
    privilege = "privilege" if search.algorithm.privileges else "token"
    few = {0: f"no {privilege} is left", 1: f"there is one {privilege}"}
    return f"{few.get(count, f'there are {count} {privilege}s')}, and there can never be exactly one for good"


def _verdict_words(scenario: Scenario, run: Simulation, name: str) -> str:
    """The sentence of the monitor of that name about the run."""
    monitors = Monitors(scenario, run.algorithm)
    monitors.advance(run.trace)
    if run.is_over():
        monitors.finish(run.trace)
    verdict = monitors.at(run.steps, run.now).get(name)
    return verdict.detail if verdict and verdict.detail else f"{name} broken"
