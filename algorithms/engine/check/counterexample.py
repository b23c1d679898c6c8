"""A schedule that the checker has found, as an ordinary run: a scenario whose events, made by hand, replay it.

One move follows the other after a unit of time, and every message takes exactly as long as the schedule leaves it on
its way, so that the run looks like any other.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import Any

from algorithms.engine.check.encoding import State
from algorithms.engine.check.explore import Exploration, Finding, Trail
from algorithms.engine.check.moves import Move
from algorithms.engine.check.properties import KNOWLEDGE, LIVENESS, NAMES, ONE_TOKEN, Property
from algorithms.engine.errors import SAME_EACH_TIME, Misuse
from algorithms.engine.events import DELIVER, KIND, LOST, MESSAGE, NODE, SENDER, SENT, SEQ, TIME, Record
from algorithms.engine.observe.monitors import Monitors
from algorithms.engine.process import Algorithm, Message
from algorithms.engine.randomness import Fixed
from algorithms.engine.scenario import Event, Flight, Marker, Network, Scenario
from algorithms.engine.simulation import Simulation
from algorithms.engine.workload import Load

SEEDS = 100_000  # how many are tried to find one with which the launch goes as wanted


def run_of(exploration: Exploration, finding: Finding) -> Scenario:
    """The run that shows how a property fails. ValueError if there is no one place where it does.

    Before a step that fails the run stops, and its marker says what would come.
    """
    trail = finding.trail
    if trail is None:
        raise ValueError(f"nothing shows how {finding.property.name} fails")
    replay = Replay(base_of(exploration, trail), exploration.algorithm)
    moves = trail.moves[: _sound_moves(exploration, trail)]
    times = [replay.now, *map(replay.make, moves)]  # when the states of the trail are reached
    if finding.property in (ONE_TOKEN, LIVENESS, KNOWLEDGE):
        replay.lose_what_cannot_arrive()
    end = replay.now
    scenario = replace(
        replay.scenario,
        title=f"{_called(finding.property)}: broken after {len(trail.moves)} moves",
        until=end + 2,
        patience=end - times[min(_owed_since(exploration, trail), len(moves))] - 0.5 if trail.loop else None,
        network=replace(replay.scenario.network, flights=replay.flights()),
        events=tuple(replay.events),
    )
    words = _failure(exploration, trail) or _verdict(scenario, replay.run, finding.property.name)
    return replace(scenario, markers=(Marker(end, words),))


def _called(broken: Property) -> str:
    """The name of a property as a title begins."""
    name = NAMES.get(broken.name, broken.name)
    return f"{name[0].upper()}{name[1:]}"


class Replay:
    """A run in which nothing happens but what is made to happen, one thing per unit of time."""

    def __init__(self, scenario: Scenario, algorithm: Algorithm) -> None:
        self.scenario = scenario
        self.events: list[Event] = []
        self.run = Simulation(scenario, algorithm)
        self.run.run(steps=1)

    @property
    def now(self) -> float:
        return self.run.now

    def make(self, move: Move) -> float:
        """Make the move; returns when that was."""
        if move.do == "reset":
            self._act("crash", node=move.node)
            self._act("recover", node=move.node, memory=False, draws=move.draws)
        elif move.letter is None:
            self._act(move.do, node=move.node, timer=move.timer, draws=move.draws)
        else:
            self._act_on(move.do, self._on_the_way(move), move.draws)
        return self.now

    def lose_what_cannot_arrive(self) -> None:
        """Let arrive, and so be lost, what is on its way to processes that have crashed."""
        for entry in sorted(self.run.queue.in_transit()):
            if not self.run.is_up(entry[NODE]):
                self._act_on("deliver", entry)

    def flights(self) -> tuple[Flight, ...]:
        """How long the messages of each link are on their way: until they arrive, a little longer than until they
        are lost, or beyond the end."""
        steps = [self.run.trace.step(k) for k in range(len(self.run.trace))]
        lost = {record[SEQ]: record[TIME] + 1 for record in chain(*steps) if record[KIND] == LOST}
        arrived = {step[0][SEQ]: step[0][TIME] for step in steps if step[0][KIND] == DELIVER}
        ends = {**lost, **arrived}
        takes: dict[tuple[int, int], list[float]] = {}
        for event, *effects in steps:
            for sent in effects:
                if sent[KIND] == DELIVER and sent[SENT] == event[TIME] and sent[SENDER] != sent[NODE]:
                    end = ends.get(sent[SEQ], self.now + 1)
                    takes.setdefault((sent[SENDER], sent[NODE]), []).append(end - sent[SENT])
        return tuple(Flight(*link, tuple(durations)) for link, durations in sorted(takes.items()))

    def _on_the_way(self, move: Move) -> Record:
        """The message that is meant; of several that are the same, the one sent first."""
        wanted = (move.sender, move.node, move.letter.message if move.letter else None)
        found = sorted(self.run.queue.in_transit(), key=lambda entry: entry[SEQ])
        meant = next((entry for entry in found if (entry[SENDER], entry[NODE], entry[MESSAGE]) == wanted), None)
        if meant is None:
            raise Misuse(f"what the checker has found goes differently when it is executed again; {SAME_EACH_TIME}")
        return meant

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


def base_of(exploration: Exploration, trail: Trail) -> Scenario:
    """The scenario without a load or chance, and with a seed with which a run begins as the trail does.

    Nobody leaves the critical section but by hand: its time there would end after the trail.
    """
    load = Load(hold=Fixed(2.0 * len(trail.moves) + 2))
    network = Network(fifo=exploration.scenario.network.fifo)
    base = replace(exploration.scenario, load=load, network=network, events=(), markers=())
    seeds = (replace(base, seed=seed) for seed in chain([base.seed], range(SEEDS)))
    fitting = next((scenario for scenario in seeds if _begins_in(exploration, scenario, trail.states[0])), None)
    if fitting is None:
        raise Misuse(f"of {SEEDS} seeds none makes a run begin as the checker has found it to begin; {SAME_EACH_TIME}")
    return fitting


def _begins_in(exploration: Exploration, scenario: Scenario, start: State) -> bool:
    run = Simulation(scenario, exploration.algorithm)
    run.run(steps=1)
    on_the_way: dict[tuple[int, int], list[Message]] = {}
    for entry in sorted(run.queue.in_transit(), key=lambda entry: entry[SEQ]):
        on_the_way.setdefault((entry[SENDER], entry[NODE]), []).append(entry[MESSAGE])
    return exploration.system.shows(start, [vars(process) for process in run.processes], on_the_way)


def _sound_moves(exploration: Exploration, trail: Trail) -> int:
    """How many moves come before the first one that fails."""
    fails = (k - 1 for k, state in enumerate(trail.states) if exploration.judge.sight(state).errors)
    return next(fails, len(trail.moves))


def _owed_since(exploration: Exploration, trail: Trail) -> int:
    """From which state of the trail on something is owed that is never paid."""
    owed = [exploration.judge.judge(state).owed for state in trail.states]
    never = owed[-1]
    since = len(owed) - 1
    while since and never & owed[since - 1]:
        since -= 1
        never &= owed[since]
    return since


def _failure(exploration: Exploration, trail: Trail) -> str:
    """Why the last step of the trail fails; empty if it does not."""
    errors = exploration.judge.sight(trail.states[-1]).errors
    return f"the next step fails: {errors[0]}" if errors else ""


def _verdict(scenario: Scenario, run: Simulation, name: str) -> str:
    """What the monitor of that name says of the run."""
    monitors = Monitors(scenario, run.algorithm)
    monitors.advance(run.trace)
    if run.next_time() is None:
        monitors.finish()
    verdict = monitors.at(run.steps, run.now).get(name)
    return verdict.detail if verdict and verdict.detail else f"{name} broken"
