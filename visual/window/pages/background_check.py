"""The checker in a process of its own, so that no frame of the window waits for it."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from dataclasses import replace
from math import inf
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, NamedTuple

from algorithms.clock import wall_clock
from algorithms.engine.scenario import Network, Scenario
from visual.window.state import Budget

if TYPE_CHECKING:
    from algorithms.engine.check.explore import Exploration

SLICE = 200  # states between two looks at the clock
EVERY = 0.2  # seconds between two reports
GRACE = 5.0  # seconds after which a checker that has been asked to stop and says nothing is ended


class CheckProgress(NamedTuple):
    """How far the checker is: states reached, those not looked beyond yet, moves to the farthest, seconds."""

    states: int = 0
    waiting: int = 0
    depth: int = 0
    seconds: float = 0.0

    @property
    def pace(self) -> float:
        """States per second."""
        return self.states / self.seconds if self.seconds else 0.0


class PropertyResult(NamedTuple):
    """What is known of one property; `example` is a run that shows how it fails, `moves` moves long.

    One that is `sometimes` need only hold in some run.
    """

    name: str
    words: str
    holds: bool
    sometimes: bool = False
    moves: int = 0
    example: Scenario | None = None


class CheckOutcome(NamedTuple):
    """What the checker knows in the end, or when it was stopped; `trouble` says why it knows nothing."""

    is_complete: bool = False
    final_states: int = 0
    results: tuple[PropertyResult, ...] = ()
    trouble: str = ""


def system_of(scenario: Scenario, budget: Budget) -> Scenario:
    """The small system that is checked: the scenario's algorithm and channels, without its load and its events."""
    from algorithms import catalog
    from algorithms.engine.rewrite import rewriter, system_of

    edges = scenario.edges if budget.nodes == scenario.nodes else None
    if system_of(catalog.find(scenario.algorithm)):
        scenario = replace(scenario, parameters=rewriter.SMALL)
    return Scenario(
        algorithm=scenario.algorithm,
        variant=scenario.variant,
        nodes=budget.nodes,
        seed=scenario.seed,
        topology=scenario.topology,
        edges=edges,
        network=Network(fifo=scenario.network.fifo),
        parameters=scenario.parameters,
    )


def _what_counts(system: Scenario) -> Scenario:
    """The system, without the seed where no random graph depends on it."""
    return system if system.topology == "random" else replace(system, seed=0)


class Check:
    """A check that goes on in the background, or is over once there is an `outcome`."""

    def __init__(self, scenario: Scenario, budget: Budget) -> None:
        self.system, self.budget = system_of(scenario, budget), budget
        self.progress = CheckProgress()
        self.outcome: CheckOutcome | None = None
        self._patience = inf  # until when it has to answer
        context = multiprocessing.get_context("spawn")
        self._connection, other_end = context.Pipe()
        self._process = context.Process(target=work, args=(other_end, self.system, budget), daemon=True)
        self._process.start()
        other_end.close()

    def look(self) -> bool:
        """Read what has been reported; whether there was anything."""
        heard = False
        try:
            while self.outcome is None and self._connection.poll():
                said = self._connection.recv()
                heard, self._patience = True, inf
                if isinstance(said, CheckOutcome):
                    self.outcome = said
                else:
                    self.progress = said
        except EOFError:
            self.outcome, heard = CheckOutcome(trouble="the checker has ended without an answer"), True
        if wall_clock() > self._patience and self.outcome is None:
            self._process.terminate()
            self.outcome, heard = (
                CheckOutcome(trouble=f"after {GRACE:.0f} seconds it is still in one and the same step"),
                True,
            )
        return heard

    def stop(self) -> None:
        """Ask for what is known by now."""
        if self.outcome is None and self._patience == inf:
            self._patience = wall_clock() + GRACE
            self._connection.send("stop")

    def is_about(self, scenario: Scenario) -> bool:
        """Whether it is this scenario's algorithm that is checked, as it runs there."""
        return _what_counts(system_of(scenario, self.budget)) == _what_counts(self.system)

    def is_under_way_for(self, scenario: Scenario) -> bool:
        """Whether it is not over yet, and about this scenario."""
        return self.outcome is None and self.is_about(scenario)

    def close(self) -> None:
        """End it at once."""
        self._process.terminate()
        self._connection.close()


# ---- in the other process ----------------------------------------------------------------------------------


def work(connection: Connection, system: Scenario, budget: Budget) -> None:
    """Explore, report now and then, and in the end send the outcome."""
    from algorithms.bad_input import BadInput

    try:
        connection.send(explore(system, budget, connection.send, connection.poll))
    except BadInput as error:
        connection.send(CheckOutcome(trouble=str(error)))
    except (BrokenPipeError, EOFError, KeyboardInterrupt):  # the window is gone
        return


def explore(
    system: Scenario, budget: Budget, report: Callable[[CheckProgress], None], is_stopped: Callable[[], bool]
) -> CheckOutcome:
    """The outcome for a system within that budget, reporting how far it is until it is stopped."""
    from algorithms import catalog
    from algorithms.authoring.failures import guard_algorithm
    from algorithms.engine.check.explore import Exploration
    from algorithms.engine.check.moves import Bounds
    from algorithms.engine.check.process_steps import NotExplorable

    bounds = Bounds(budget.requests, budget.crashes, budget.losses, budget.duplicates)
    start = told = wall_clock()
    catalog.try_start(system)
    algorithm = catalog.find(system.algorithm)
    try:
        with guard_algorithm(algorithm, "cannot be checked"):
            exploration = Exploration(system, algorithm, bounds, budget.most_states)
            while exploration.advance(SLICE) and not is_stopped():
                if wall_clock() >= told + EVERY:
                    told = wall_clock()
                    report(_progress(exploration, told - start))
            report(_progress(exploration, wall_clock() - start))
            return outcome_of(exploration)
    except NotExplorable as error:
        return CheckOutcome(trouble=f"it cannot be checked: {error}")


def _progress(exploration: Exploration, seconds: float) -> CheckProgress:
    return CheckProgress(len(exploration.states), exploration.frontier_size, exploration.depth, seconds)


def outcome_of(exploration: Exploration) -> CheckOutcome:
    """What an exploration has found, with runs that show it."""
    from algorithms.engine.check.counterexample import counterexample_scenario
    from algorithms.engine.check.properties import SOMETIMES
    from algorithms.engine.observe.verdicts import BROKEN

    report = exploration.report()
    found = []
    for finding in report.findings:
        known, trail = finding.property, finding.trail
        example = counterexample_scenario(exploration, finding) if trail else None
        moves, sometimes = len(trail.moves) if trail else 0, known.when == SOMETIMES
        found.append(PropertyResult(known.name, known.words, finding.status != BROKEN, sometimes, moves, example))
    return CheckOutcome(report.is_complete, report.final_states, tuple(found))
