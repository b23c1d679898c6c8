"""The trials of an algorithm: what holds for every algorithm, tried on one. Each yields the flaws that it finds.

A trial runs the algorithm's own code, so it may raise BadInput with the sentence of an author's mistake: that is a
flaw, too.
"""

from __future__ import annotations

import random
import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from copy import deepcopy
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

from algorithms import catalog, engine, trace_file
from algorithms.authoring import own_names
from algorithms.authoring.failures import Failure, StallDetector, guard_algorithm, guard_run, guard_timeline
from algorithms.bad_input import BadInput
from algorithms.clock import wall_clock
from algorithms.engine.check.counterexample import counterexample_scenario
from algorithms.engine.check.explore import Exploration
from algorithms.engine.check.moves import Bounds
from algorithms.engine.check.process_steps import NotExplorable
from algorithms.engine.check.properties import SOMETIMES
from algorithms.engine.checkpoint import check_state, freeze
from algorithms.engine.errors import SAME_EACH_TIME
from algorithms.engine.events import DELIVER, KIND, MESSAGE, NODE, SENDER
from algorithms.engine.observe.caption_text import INITIALIZERS, placeholders
from algorithms.engine.observe.line_trace import comments, execution_in
from algorithms.engine.observe.meters import Meters
from algorithms.engine.observe.monitors import Monitors
from algorithms.engine.observe.promises import is_promised
from algorithms.engine.observe.size import Size, size_of
from algorithms.engine.observe.verdicts import BROKEN, FAIR_LIVENESS, NAMES
from algorithms.engine.process import Algorithm, Cost
from algorithms.engine.randomness import Exponential, Fixed, Uniform
from algorithms.engine.scenario import Network, Scenario
from algorithms.engine.simulation import Simulation
from algorithms.engine.timeline import Timeline
from algorithms.engine.workload import Request, Saturated, Script
from algorithms.examination import waits
from algorithms.examination.demands import FAMILIES, Demands, formula
from algorithms.examination.twins import check_repeatable

_ENGINE = Path(str(engine.__file__)).parent
STATES = 300_000  # of one system, of which every interleaving is explored
MORE_STATES = 2_000  # beyond twice the states in which the first violation was found
SECONDS = 25.0  # of one such exploration
MOST_TIMEOUTS = 2  # in such a system, if timers may expire at any moment
RUNS = 6  # random runs
REQUESTS = 6  # of each process in a random run
LAST = 150.0  # the time of the last of them
SLACK = 400.0  # units of time for the last request of a random run
MOST_STEPS = 40_000  # of a random run
MOST_CAPTIONS = 300  # steps in which captions are looked at
MOST_SHARED_STEPS = 600  # of a run in which shared variables are looked for
ALWAYS_DEMANDED = {"mutex": ("ME1", "ME2"), "election": ("E1", "E2")}


class Flaw(NamedTuple):
    """Something that an algorithm does wrong, in a sentence; perhaps with a run that shows it."""

    words: str
    property: str = ""  # its name if a property is broken, such as ME1
    example: Scenario | None = None


class Subject(NamedTuple):
    """An algorithm under examination."""

    name: str  # as in the catalogue, or its file
    algorithm: Algorithm
    demands: Demands

    @property
    def family(self) -> str:
        """A key of FAMILIES."""
        return "election" if self.algorithm.is_election() else "mutex"

    def demanded(self) -> set[str]:
        """The properties that must hold: of its family, of the demands, and what it promises itself."""
        return {*ALWAYS_DEMANDED[self.family], *self.demands.promises}

    def must_hold(self, name: str) -> bool:
        """Whether a property of that name must hold."""
        return name in self.demanded() or is_promised(self.algorithm, name)

    def scenario(self, nodes: int, **values: Any) -> Scenario:
        """A scenario on the graph that it must run on."""
        return Scenario(self.name, nodes=nodes, topology=self.demands.topology, **values)


class Undecided(Exception):  # noqa: N818
    """A trial has found no flaw, but could not try everything, for the reason given."""


Trial = Callable[[Subject], Iterator[Flaw]]


def declaration(subject: Subject) -> Iterator[Flaw]:
    """It is of the demanded family, promises what it should, uses what it imports, and can be set up."""
    wanted, algorithm = subject.demands.family, subject.algorithm
    if wanted and wanted != subject.family:
        yield Flaw(f"it is made for {FAMILIES[subject.family]}; expected {FAMILIES[wanted]}")
    missing = sorted(subject.demanded() - {*algorithm.promises})
    if missing:
        expected = "".join(f'"{name}", ' for name in missing)
        yield Flaw(f"it does not promise {' and '.join(missing)}; expected promises=({expected}…)")
    for code in own_names.code_of(algorithm.process):
        is_own = not Path(code.co_filename).is_relative_to(_ENGINE)
        if is_own and not set(code.co_names).isdisjoint(("_host", "_parts")):
            yield Flaw(f"{code.co_name} uses self._host or self._parts, which are the engine's; expected messages")
    for nodes in (*subject.demands.nodes, 5):
        catalog.try_start(subject.scenario(nodes))


def own_state(subject: Subject) -> Iterator[Flaw]:
    """Its processes share nothing, and if a graph is demanded send messages to their neighbours only."""
    for nodes in (3, 5):
        run = catalog.simulation(subject.scenario(nodes, load=_requests(nodes, 2, random.Random(nodes)), until=200.0))
        owners: list[tuple[str, Mapping[str, Any]]]
        owners = [(f"{owner.__name__}.", vars(owner)) for owner in own_names.own_classes(run.process_class)]
        owners.append(("the global ", vars(sys.modules[subject.algorithm.process.__module__])))
        before = [_plain_values(names) for _, names in owners]
        try:
            with guard_run(run):
                while run.steps < MOST_SHARED_STEPS and run.run(run.scenario.until, run.steps + 3):
                    for (owner, names), values in zip(owners, before, strict=True):
                        for name in _differences(values, _plain_values(names)):
                            words = f"all processes share {owner}{name}, which changes in a run"
                            yield Flaw(f"{words}; expected self.{name}, set in setup")
                            return
        except BadInput as error:
            if isinstance(error, Failure) and error.is_endless:
                raise  # every other trial would take as long
            return  # another trial reports what fails
        words = _sent_too_far(run) if subject.demands.topology else ""
        if words:
            yield Flaw(words)
            return


def _sent_too_far(run: Simulation) -> str:
    """The first message of a run to a node without a link to its sender, in words; "" if there is none."""
    for record in run.trace.records:
        if record[KIND] == DELIVER and record[NODE] not in (record[SENDER], *run.neighbours[record[SENDER]]):
            message, sender, receiver = type(record[MESSAGE]).__name__, record[SENDER], record[NODE]
            return f"P{sender} sends {message} to P{receiver}, which is not its neighbour; expected one of self.peers"
    return ""


def captions(subject: Subject) -> Iterator[Flaw]:
    """What a caption names in braces has a value whenever its line runs."""
    file = sys.modules[subject.algorithm.process.__module__].__file__
    timeline = catalog.timeline(subject.scenario(4, load=_requests(4, 3, random.Random(4)), until=LAST + SLACK))
    with suppress(BadInput), guard_timeline(timeline):  # another trial reports what fails
        for _ in range(MOST_CAPTIONS):
            for line in execution_in(timeline, timeline.forward).lines:
                if line.file != file or line.function in INITIALIZERS:
                    continue
                for hole, value in zip(placeholders(comments(file).get(line.number, "")), line.values, strict=True):
                    if value == hole.expression:
                        where = f"line {line.number}: {{{value}}} in the comment has no value"
                        yield Flaw(f"{where}; expected a variable of the method, of the process or of the file")
                        return


_PLAIN = (int, float, str, tuple, list, dict, set, deque, type(None))


def _plain_values(names: Mapping[str, Any]) -> dict[str, Any]:
    """Copies of the values that a class or module holds, apart from functions and classes."""
    copies = {}
    for name, value in names.items():
        if not name.startswith("__") and isinstance(value, _PLAIN):
            with suppress(Exception):  # a value that cannot be copied is none that is shared by mistake
                copies[name] = deepcopy(value)
    return copies


def _differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    missing = object()
    return sorted(name for name in {*before, *after} if before.get(name, missing) != after.get(name, missing))


def every_interleaving(subject: Subject) -> Iterator[Flaw]:
    """Its properties hold in every order of events of a small system."""
    cut_short, demands = [], subject.demands
    for nodes in sorted(demands.nodes):
        requests = demands.requests if nodes == min(demands.nodes) else 1
        is_complete, flaws = _explored(subject, nodes, _bounds(subject, requests))
        yield from flaws
        if flaws:
            return
        if not is_complete:
            cut_short.append(nodes)
    if cut_short:
        sizes = " and ".join(map(str, cut_short))
        raise Undecided(f"only part of the states of {sizes} processes was explored; no violation in it")


def _bounds(subject: Subject, requests: int | None) -> Bounds:
    is_synchronous = "synchronous" in subject.algorithm.assumes
    has_timers = own_names.uses(subject.algorithm.process, "set_timer")
    timeouts = MOST_TIMEOUTS if has_timers and not is_synchronous else None  # each may be set again without end
    return Bounds(requests, timeouts=timeouts, synchronous=is_synchronous, **subject.demands.faults)


def _explored(subject: Subject, nodes: int, bounds: Bounds) -> tuple[bool, list[Flaw]]:
    """Whether all states of a system were explored, and the flaws in them."""
    scenario = subject.scenario(nodes)
    try:
        with guard_algorithm(subject.algorithm, "cannot be checked"):
            is_fair = subject.must_hold(FAIR_LIVENESS)
            exploration = Exploration(scenario, subject.algorithm, bounds, STATES, wants_fairness=is_fair)
            end, most = wall_clock() + SECONDS, STATES
            names = [p.name for p in exploration.judge.properties if subject.must_hold(p.name)]
            while exploration.advance(200) and len(exploration.states) < most and wall_clock() < end:
                if most == STATES and any(map(exploration.has_broken, names)):
                    most = 2 * len(exploration.states) + MORE_STATES  # for what else is wrong
            report = exploration.report()
            flaws = []
            for finding in report.findings:
                name, status = finding.property.name, finding.status
                example = counterexample_scenario(exploration, finding) if finding.trail else None
                if status == BROKEN and subject.must_hold(name) and example:
                    detail = example.markers[-1].name
                    flaws.append(Flaw(f"{_plain(name)} fails with {nodes} processes: {detail}", name, example))
                elif finding.property.when == SOMETIMES and status == BROKEN:
                    flaws.append(Flaw(f"with {nodes} processes it never happens that {finding.property.words}", name))
    except NotExplorable as error:
        raise Undecided(f"not every interleaving can be explored: {error}") from None
    return report.is_complete, flaws


def random_runs(subject: Subject) -> Iterator[Flaw]:
    """Its properties hold in random runs, in which every request is served and nothing stalls."""
    draw = random.Random(subject.algorithm.name)
    for seed in range(1, RUNS + 1):
        nodes = draw.choice((2, 3, 4, 5, 7))
        load = _requests(nodes, REQUESTS, draw)
        network = _delays(subject, draw)
        scenario = subject.scenario(nodes, seed=seed, load=load, network=network, until=LAST + SLACK)
        flaw = _flaw_of_run(subject, scenario)
        if flaw is not None:
            yield flaw
            return


def _flaw_of_run(subject: Subject, scenario: Scenario) -> Flaw | None:
    """The first flaw that a run shows."""
    where = f"in a run with {scenario.nodes} processes (seed {scenario.seed})"
    run = catalog.simulation(scenario)
    monitors = Monitors(scenario, run.algorithm)
    stall = StallDetector(run)
    with guard_run(run):
        while run.steps < MOST_STEPS and run.run(scenario.until, run.steps + 500):
            stall.check()
            for process in run.processes:
                check_state(process)
    monitors.advance(run.trace)
    if run.is_over():
        monitors.finish(run.trace)
    for name, verdict in monitors.at(monitors.steps, run.now).items():
        if verdict.status == BROKEN and subject.must_hold(name):
            shown = replace(scenario, until=(verdict.time or 0.0) + 1.0)
            return Flaw(f"{_plain(name)} fails {where}: {verdict.detail}", name, shown)
    if run.steps >= MOST_STEPS and run.now < scenario.until:
        return Flaw(f"it has taken {run.steps:,} steps up to time {run.now:.0f} {where}; expected far fewer")
    waiting = [process.id for process in run.processes if subject.family == "mutex" and process.wants]
    if waiting and not subject.algorithm.enters_by_itself():
        late = f"P{waiting[0]} still waits {SLACK:.0f} time units after the last request"
        return Flaw(f"{_plain('ME2')} fails {where}: {late}", "ME2", scenario)
    has_timers = own_names.uses(subject.algorithm.process, "set_timer")
    if subject.family == "election" and not run.is_over() and not has_timers:
        return Flaw(f"messages are still sent {SLACK:.0f} time units after the last call for an election {where}")
    return None


def repeats_itself(subject: Subject) -> Iterator[Flaw]:
    """The same run goes the same way in another process, and when it is executed again."""
    scenario = subject.scenario(4, load=Saturated(), until=40.0)
    check_repeatable(scenario)
    one, two = _trace(scenario), _trace(scenario)
    if one != two:
        step = next((k for k, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))
        yield Flaw(f"step {step + 1} goes differently when the run is repeated; {SAME_EACH_TIME}")


def _trace(scenario: Scenario) -> list[str]:
    """The lines of a run's trace."""
    run = catalog.simulation(scenario)
    with guard_run(run):
        run.run(scenario.until, MOST_STEPS)
    return list(trace_file.lines(run.trace))


def goes_back(subject: Subject) -> Iterator[Flaw]:
    """Its state can be saved and restored: going back and forward again comes to the same states."""
    timeline = catalog.timeline(subject.scenario(4, load=Saturated(), until=60.0))
    states: list[list[dict[str, Any]]] = []
    with guard_timeline(timeline):
        while len(states) < 120:
            states.append(_states(timeline))
            if not timeline.forward():
                break
    draw = random.Random(1)
    for step in sorted(draw.sample(range(len(states)), min(12, len(states))), reverse=True):
        with guard_timeline(timeline):
            timeline.seek(step)
        if _states(timeline) != states[step]:
            node = next(n for n, (a, b) in enumerate(zip(_states(timeline), states[step], strict=True)) if a != b)
            yield Flaw(f"P{node} is in another state when step {step} is executed again")
            return


def says_whom_it_waits_for(subject: Subject) -> Iterator[Flaw]:
    """A process waits for the processes that it names."""
    if subject.family == "mutex" and not subject.algorithm.enters_by_itself():
        for nodes in (3, 4):
            run = catalog.simulation(subject.scenario(nodes, load=Saturated(), until=80.0))
            with guard_run(run):
                yield from (Flaw(words) for words in waits.untruths(run, 80.0))


def cost(subject: Subject) -> Iterator[Flaw]:
    """An entry, or an election, costs as many messages as the formula says, if that has no note with an assumption."""
    own = subject.algorithm.cost
    costs = {"the exercise": _demanded_cost(subject.demands), "its formula": None if own and own.note else own}
    for nodes in (2, 3, 5, 8):
        for case, scenario in _cost_scenarios(subject, nodes):
            measured, size = _measured_cost(scenario), size_of(scenario, subject.algorithm)
            for source, declared in costs.items():
                if words := _excess(measured, declared, size):
                    what = "election" if subject.family == "election" else "entry"
                    yield Flaw(f"{case} of {nodes} processes, one {what} costs {words}, as {source} says")
                    return


def _excess(measured: float | None, declared: Cost | None, size: Size) -> str:
    """A measured cost beside the expected one, "9 messages; expected 8"; "" if it is as declared."""
    if measured is None or declared is None:
        return ""
    low, high = declared.low(size), declared.high(size) if declared.high else inf
    if low - 0.01 <= measured <= high + 0.01:
        return ""
    expected = f"{low:g}" if low == high else f"at least {low:g}" if high == inf else f"{low:g} to {high:g}"
    return f"{measured:g} messages; expected {expected}"


# ---- runs for the trials -----------------------------------------------------------------------------------


def _requests(nodes: int, each: int, draw: random.Random) -> Script:
    """Requests of every process at random times."""
    times = [(round(draw.uniform(0.0, LAST), 3), node) for node in range(nodes) for _ in range(each)]
    return Script(requests=tuple(Request(at, node) for at, node in sorted(times)))


def _delays(subject: Subject, draw: random.Random) -> Network:
    """Channels with random delays, unless the algorithm counts on the time that a message takes."""
    if "synchronous" in subject.algorithm.assumes:
        return Network()
    return Network(delay=draw.choice((Fixed(1.0), Uniform(0.5, 1.5), Exponential(1.0))))


def _states(timeline: Timeline) -> list[dict[str, Any]]:
    """The variables of all processes."""
    return [freeze(vars(process)) for process in timeline.simulation.processes]


def _cost_scenarios(subject: Subject, nodes: int) -> Iterator[tuple[str, Scenario]]:
    """One request alone, of a few processes in turn; for mutual exclusion also all at once."""
    for node in sorted({0, nodes // 2, nodes - 1}):
        load = Script(requests=(Request(5.0, node),))
        yield f"for P{node} alone", subject.scenario(nodes, load=load, until=300.0)
    if subject.family == "mutex":
        load = Script(requests=tuple(Request(5.0, node) for node in range(nodes)))
        yield "for all at once", subject.scenario(nodes, load=load, until=600.0)


def _measured_cost(scenario: Scenario) -> float | None:
    """The messages of an entry, or of an election, on average; None if there was none that costs something."""
    run = catalog.simulation(scenario)
    meters = Meters(scenario, run.algorithm)
    with guard_run(run):
        run.run(scenario.until, MOST_STEPS)
    meters.advance(run.trace)
    counters = meters.at(meters.steps, run.now)
    return counters.per_entry if counters.elections is None else counters.elections.messages_per_election


def _demanded_cost(demands: Demands) -> Cost | None:
    if not (demands.low or demands.high):
        return None
    low = formula(demands.low) if demands.low else lambda n: 0.0
    return Cost(demands.high or demands.low, low, formula(demands.high) if demands.high else None)


def _plain(name: str) -> str:
    """A property with its plain name: "safety (ME1)"."""
    return f"{NAMES[name]} ({name})" if name in NAMES else f"“{name}”"


TRIALS: dict[str, Trial] = {
    "declaration": declaration,
    "own state": own_state,
    "every interleaving": every_interleaving,
    "random runs": random_runs,
    "repeats itself": repeats_itself,
    "goes back": goes_back,
    "captions": captions,
    "waiting": says_whom_it_waits_for,
    "cost": cost,
}
"""What is tried, in this order."""
