"""The checker in a separate process, which blocks no frame of the window."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from dataclasses import replace
from math import inf
from multiprocessing.connection import Connection
from typing import NamedTuple

from algorithms import catalog
from algorithms.authoring.failures import guard_algorithm
from algorithms.bad_input import BadInput
from algorithms.clock import wall_clock
from algorithms.engine.check.counterexample import counterexample_scenario, faults_of
from algorithms.engine.check.explore import CheckReport, Exploration, Finding
from algorithms.engine.check.moves import Bounds
from algorithms.engine.check.process_steps import NotExplorable
from algorithms.engine.check.properties import SOMETIMES
from algorithms.engine.observe.promises import assumption_words, broken_assumptions, is_promised
from algorithms.engine.rewrite import rewriter, system_of
from algorithms.engine.scenario import Network, Scenario
from visual.window.state import Budget

SLICE = 200  # states between two looks at the clock
EVERY = 0.2  # seconds between two reports
GRACE = 5.0  # seconds to answer a request to stop, before the process is terminated


class CheckProgress(NamedTuple):
    """The progress of a check: states, unexpanded states, depth in moves, seconds."""

    states: int = 0
    waiting: int = 0
    depth: int = 0
    seconds: float = 0.0

    @property
    def pace(self) -> float:
        """States per second."""
        return self.states / self.seconds if self.seconds else 0.0


class PropertyResult(NamedTuple):
    """The result for one property, with a counter-example if there is one, and what happens in it."""

    name: str
    words: str
    status: str
    sentence: str  # the status, and what it is based on
    detail: str = ""
    example: Scenario | None = None


class CheckOutcome(NamedTuple):
    """The outcome of a check that has ended; `trouble` says why it failed."""

    is_complete: bool = False
    final_states: int = 0
    deadlocks: int = 0
    results: tuple[PropertyResult, ...] = ()
    trouble: str = ""


def small_system(scenario: Scenario, budget: Budget) -> Scenario:
    """The system to check: algorithm and channels of a scenario, without load and events."""
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


def _without_unused_seed(system: Scenario) -> Scenario:
    """The system with seed 0, unless a random graph depends on the seed."""
    return system if system.topology == "random" else replace(system, seed=0)


class Check:
    """A check in the background; it has ended once there is an `outcome`."""

    def __init__(self, scenario: Scenario, budget: Budget) -> None:
        self.system, self.budget = small_system(scenario, budget), budget
        self.progress = CheckProgress()
        self.outcome: CheckOutcome | None = None
        self._deadline = inf  # for its answer to a request to stop
        context = multiprocessing.get_context("spawn")
        self._connection, other_end = context.Pipe()
        self._process = context.Process(target=work, args=(other_end, self.system, budget), daemon=True)
        self._process.start()
        other_end.close()

    def receive(self) -> bool:
        """Receive the latest reports. Returns whether there were any."""
        is_new = False
        try:
            while self.outcome is None and self._connection.poll():
                report = self._connection.recv()
                is_new, self._deadline = True, inf
                if isinstance(report, CheckOutcome):
                    self.outcome = report
                else:
                    self.progress = report
        except EOFError:
            self.outcome, is_new = CheckOutcome(trouble="the checker has ended without an answer"), True
        if wall_clock() > self._deadline and self.outcome is None:
            self._process.terminate()
            trouble = f"after {GRACE:.0f} seconds the checker is still in one and the same step"
            self.outcome, is_new = CheckOutcome(trouble=trouble), True
        return is_new

    def stop(self) -> None:
        """Ask the checker to stop and to send the results so far."""
        if self.outcome is None and self._deadline == inf:
            self._deadline = wall_clock() + GRACE
            self._connection.send("stop")

    def is_about(self, scenario: Scenario) -> bool:
        """Whether the checked system is the one that this scenario would give."""
        return _without_unused_seed(small_system(scenario, self.budget)) == _without_unused_seed(self.system)

    def is_under_way_for(self, scenario: Scenario) -> bool:
        """Whether a check of this scenario's system has not ended yet."""
        return self.outcome is None and self.is_about(scenario)

    def close(self) -> None:
        """Terminate the process at once."""
        self._process.terminate()
        self._connection.close()


# ---- in the other process ----------------------------------------------------------------------------------


def work(connection: Connection, system: Scenario, budget: Budget) -> None:
    """The main function of the process: explore, report the progress, send the outcome."""
    try:
        connection.send(explore(system, budget, connection.send, connection.poll))
    except BadInput as error:
        connection.send(CheckOutcome(trouble=str(error)))
    except (BrokenPipeError, EOFError, KeyboardInterrupt):  # the window is gone
        return


def explore(
    system: Scenario, budget: Budget, report: Callable[[CheckProgress], None], is_stopped: Callable[[], bool]
) -> CheckOutcome:
    """Explore a system within a budget, and report the progress."""
    start = reported = wall_clock()
    catalog.try_start(system)
    algorithm = catalog.find(system.algorithm)
    token = algorithm.of(system.variant).token
    tokens = ((token.__name__, budget.tokens),) if token and budget.tokens else ()
    bounds = Bounds(budget.requests, budget.crashes, budget.losses, budget.duplicates, losses_of=tokens)
    try:
        with guard_algorithm(algorithm, "cannot be checked"):
            exploration = Exploration(system, algorithm, bounds, budget.most_states)
            while exploration.advance(SLICE) and not is_stopped():
                if wall_clock() >= reported + EVERY:
                    reported = wall_clock()
                    report(_progress(exploration, reported - start))
            report(_progress(exploration, wall_clock() - start))
            return outcome_of(exploration)
    except NotExplorable as error:
        return CheckOutcome(trouble=f"it cannot be checked: {error}")


def _progress(exploration: Exploration, seconds: float) -> CheckProgress:
    return CheckProgress(len(exploration.states), exploration.frontier_size, exploration.depth, seconds)


def outcome_of(exploration: Exploration) -> CheckOutcome:
    """The results of an exploration, with counter-examples."""
    report = exploration.report()
    results = tuple(_result(exploration, report, finding) for finding in report.findings)
    return CheckOutcome(report.is_complete, report.final_states, report.deadlocks, results)


def _result(exploration: Exploration, report: CheckReport, finding: Finding) -> PropertyResult:
    checked, trail, algorithm = finding.property, finding.trail, exploration.algorithm
    if checked.when == SOMETIMES:
        words = f"in at least one state, {checked.words}"
    else:
        words = f"{checked.words}{'' if is_promised(algorithm, checked.name) else ' (not promised)'}"
    result = PropertyResult(checked.name, words, finding.status, report.sentence(finding))
    if trail is None:
        return result
    example = counterexample_scenario(exploration, finding)
    cause = assumption_words(broken_assumptions(algorithm, faults_of(exploration, trail)))
    detail = f"{example.markers[-1].name}; {cause}" if cause else example.markers[-1].name
    return result._replace(detail=detail, example=example)
