"""The checker in a separate process, which blocks no frame of the window; in a web page, in slices of the frames."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Generator, Iterator
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
from algorithms.engine.check.properties import FAIRLY, SOMETIMES
from algorithms.engine.observe.promises import assumption_words, broken_assumptions, is_promised
from algorithms.engine.rewrite import rewriter, system_of
from algorithms.engine.scenario import Network, Scenario
from algorithms.machine import HAS_PROCESSES
from visual.window.state import Budget

SLICE = 200 if HAS_PROCESSES else 20  # states between two looks at the clock
OF_A_FRAME = 0.008  # seconds of work
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
        self._checker = (CheckerProcess if HAS_PROCESSES else SlicedChecker)(self.system, budget)

    def receive(self) -> bool:
        """Receive the latest reports. Returns whether there were any."""
        is_new = False
        try:
            while self.outcome is None and (report := self._checker.receive()) is not None:
                is_new, self._deadline = True, inf
                if isinstance(report, CheckOutcome):
                    self.outcome = report
                else:
                    self.progress = report
        except EOFError:
            self.outcome, is_new = CheckOutcome(trouble="the checker has ended without an answer"), True
        if wall_clock() > self._deadline and self.outcome is None:
            self._checker.close()
            trouble = f"after {GRACE:.0f} seconds the checker is still in one and the same step"
            self.outcome, is_new = CheckOutcome(trouble=trouble), True
        return is_new

    def stop(self) -> None:
        """Ask the checker to stop and to send the results so far."""
        if self.outcome is None and self._deadline == inf:
            self._deadline = wall_clock() + GRACE
            self._checker.stop()

    def is_about(self, scenario: Scenario) -> bool:
        """Whether the checked system is the one that this scenario would give."""
        return _without_unused_seed(small_system(scenario, self.budget)) == _without_unused_seed(self.system)

    def is_under_way_for(self, scenario: Scenario) -> bool:
        """Whether a check of this scenario's system has not ended yet."""
        return self.outcome is None and self.is_about(scenario)

    def close(self) -> None:
        """End the checker at once."""
        self._checker.close()


class CheckerProcess:
    """A checker in a process of its own."""

    def __init__(self, system: Scenario, budget: Budget) -> None:
        context = multiprocessing.get_context("spawn")
        self._connection, other_end = context.Pipe()
        self._process = context.Process(target=work, args=(other_end, system, budget), daemon=True)
        self._process.start()
        other_end.close()

    def receive(self) -> CheckProgress | CheckOutcome | None:
        """The next report, None if there is none yet. EOFError if the process has ended without an answer."""
        report: CheckProgress | CheckOutcome | None = self._connection.recv() if self._connection.poll() else None
        return report

    def stop(self) -> None:
        """Ask it to stop and to send the results so far."""
        self._connection.send("stop")

    def close(self) -> None:
        """End the process."""
        self._process.terminate()
        self._connection.close()


class SlicedChecker:
    """A checker that works while it is asked for reports, and then for no longer than a frame has room for."""

    def __init__(self, system: Scenario, budget: Budget) -> None:
        self._is_stopped = False
        self._work = reports(system, budget, lambda: self._is_stopped)

    def receive(self) -> CheckProgress | CheckOutcome | None:
        """The next report, None if there is none yet."""
        stop = wall_clock() + OF_A_FRAME
        while wall_clock() < stop:
            report = next(self._work, None)
            if report is not None:
                return report
        return None

    def stop(self) -> None:
        """Let the next report be the last, with the results so far."""
        self._is_stopped = True

    def close(self) -> None:
        """Forget the check."""
        self._work.close()


# ---- the check itself --------------------------------------------------------------------------------------


def work(connection: Connection, system: Scenario, budget: Budget) -> None:
    """The main function of the process: explore, report the progress, send the outcome."""
    try:
        for report in reports(system, budget, connection.poll):
            if report is not None:
                connection.send(report)
    except (BrokenPipeError, EOFError, KeyboardInterrupt):  # the window is gone
        return


def reports(
    system: Scenario, budget: Budget, is_stopped: Callable[[], bool]
) -> Generator[CheckProgress | CheckOutcome | None, None, None]:
    """Explore a system within a budget: the progress from time to time, None in between, and at last the outcome."""
    try:
        yield from explore(system, budget, is_stopped)
    except BadInput as error:
        yield CheckOutcome(trouble=str(error))
    except NotExplorable as error:
        yield CheckOutcome(trouble=f"it cannot be checked: {error}")


def explore(
    system: Scenario, budget: Budget, is_stopped: Callable[[], bool]
) -> Iterator[CheckProgress | CheckOutcome | None]:
    """The same. BadInput if the algorithm fails, NotExplorable if it cannot be checked."""
    start = reported = wall_clock()
    catalog.try_start(system)
    algorithm = catalog.find(system.algorithm)
    token = algorithm.of(system.variant).token
    tokens = ((token.__name__, budget.tokens),) if token and budget.tokens else ()
    bounds = Bounds(budget.requests, budget.crashes, budget.losses, budget.duplicates, losses_of=tokens)
    with guard_algorithm(algorithm, "cannot be checked"):
        exploration = Exploration(system, algorithm, bounds, budget.most_states, wants_fairness=budget.fair)
        while exploration.advance(SLICE) and not is_stopped():
            is_due = wall_clock() >= reported + EVERY
            reported = wall_clock() if is_due else reported
            yield _progress(exploration, reported - start) if is_due else None
        yield _progress(exploration, wall_clock() - start)
        yield outcome_of(exploration)


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
        scope = "in every fair run, " if checked.when == FAIRLY else ""
        words = f"{scope}{checked.words}{'' if is_promised(algorithm, checked.name) else ' (not promised)'}"
    result = PropertyResult(checked.name, words, finding.status, report.sentence(finding))
    if trail is None:
        return result
    example = counterexample_scenario(exploration, finding)
    cause = assumption_words(broken_assumptions(algorithm, faults_of(exploration, trail)))
    detail = f"{example.markers[-1].name}; {cause}" if cause else example.markers[-1].name
    return result._replace(detail=detail, example=example)
