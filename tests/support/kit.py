"""A tiny host for one process: give it an event, and check that it sends exactly these messages.

    p1 = alone(RicartAgrawala, node=1, nodes=3)
    p1.get(Request((1, 0)), sender=0)
    p1.has_sent((0, Reply()))

Beside it, what tests of whole runs need: a run in one line, and its messages counted when they are sent.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import wraps
from inspect import signature
from itertools import product
from pathlib import Path
from typing import Any

from algorithms import catalog
from algorithms.engine.dispatch import Handlers, connect, reset, rules_of, settle, with_parameters
from algorithms.engine.events import DELIVER, ENTER, KIND, MESSAGE, NODE, SENDER, TIME
from algorithms.engine.membership import Members
from algorithms.engine.observe.monitors import Monitors
from algorithms.engine.process import Message, Process
from algorithms.engine.randomness import Stream, key
from algorithms.engine.scenario import Event, Scenario
from algorithms.engine.simulation import Simulation
from algorithms.engine.workload import Load


class Alone:
    """One process, with its outbox, its timers and its reports."""

    def __init__(self, process: Process) -> None:
        self.now = 0.0
        self.members = Members(())
        self.process: Any = process
        self.outbox: list[tuple[int, Message]] = []  # (receiver, message), unchecked
        self.timers: dict[str, float] = {}  # name -> duration
        self.reports: list[tuple[Any, ...]] = []  # ("entered",), ("elected", leader), ("suspected", whom) …
        self._rules = rules_of(type(process))
        self._handlers = Handlers(type(process))

    # ---- what reaches the process --------------------------------------------------------------------------

    def get(self, message: Message, sender: int) -> None:
        """The message arrives."""
        self._handlers[type(message)](self.process, message, sender)
        settle(self.process, self._rules)

    def ask(self) -> None:
        """The application asks for the critical section, or for an election."""
        self.process.demand()
        settle(self.process, self._rules)

    def leave(self) -> None:
        """The time in the critical section is over."""
        self.process.leave()
        settle(self.process, self._rules)

    def fire(self, timer: str) -> None:
        """A running timer runs out. KeyError if it does not run."""
        del self.timers[timer]
        self.process.run_out(timer)
        settle(self.process, self._rules)

    def recover(self) -> None:
        """The process recovers from a crash, with its memory but without its timers."""
        self.timers.clear()
        self.process.recovered()
        settle(self.process, self._rules)

    # ---- checks --------------------------------------------------------------------------------------------

    def has_sent(self, *expected: tuple[int, Message]) -> None:
        """Check that it has sent exactly these (receiver, message) since the last check, in any order."""
        sent, self.outbox = self.outbox, []
        assert Counter(sent) == Counter(expected), f"sent {sent}, not {list(expected)}"

    def has_reported(self, *expected: tuple[Any, ...]) -> None:
        """Check that it has reported exactly these since the last check, in this order."""
        reports, self.reports = self.reports, []
        assert reports == list(expected)

    # ---- calls of the process ------------------------------------------------------------------------------

    def send(self, message: Message, to: int | Iterable[int]) -> None:
        self.outbox += [(receiver, message) for receiver in ([to] if isinstance(to, int) else sorted(to))]

    def set_timer(self, node: int, name: str, after: float) -> None:
        self.timers[name] = after

    def cancel_timer(self, node: int, name: str) -> None:
        self.timers.pop(name, None)

    def entered(self, node: int, hold: float | None, resource: int = 0) -> None:
        self.reports.append(("entered",))

    def elected(self, node: int, leader: int, term: int) -> None:
        self.reports.append(("elected", leader))

    def suspected(self, node: int, suspect: int) -> None:
        self.reports.append(("suspected", suspect))

    def token_created(self, node: int) -> None:
        self.reports.append(("token created",))

    def token_destroyed(self, node: int) -> None:
        self.reports.append(("token destroyed",))

    def stream(self, node: int) -> Stream:
        return Stream(key(1, "algorithm", node))


def alone(process_class: type[Process], node: int, nodes: int, **parameters: Any) -> Alone:
    """Process `node` of a complete graph of `nodes`, set up and launched, its outbox empty."""
    process = with_parameters(process_class, parameters)()
    host = Alone(process)
    host.members = Members(range(nodes))
    connect(process, host, host.send, node, tuple(n for n in range(nodes) if n != node), nodes)
    reset(process)
    process.launch()
    host.outbox.clear()
    host.reports.clear()
    return host


def run(
    algorithm: str,
    nodes: int,
    *events: Event,
    variant: str | None = None,
    load: Load | None = None,
    until: float = 500.0,
    parameters: dict[str, Any] | None = None,
    **scenario: Any,
) -> Simulation:
    """A run of the algorithm with these events, up to `until`."""
    simulation = catalog.simulation(
        Scenario(
            algorithm,
            nodes=nodes,
            variant=variant,
            events=events,
            load=load or Load(),
            parameters=parameters or {},
            **scenario,
        )
    )
    simulation.run(until=until)
    return simulation


def sent(simulation: Simulation, by: int | None = None) -> Counter[str]:
    """Name of the message class -> the number sent (by one node), also to crashed nodes, but not to the sender."""
    effects = (record for _, records in simulation.trace.steps() for record in records[1:])
    messages = (record for record in effects if record[KIND] == DELIVER and record[SENDER] != record[NODE])
    return Counter(type(record[MESSAGE]).__name__ for record in messages if by in (None, record[SENDER]))


def entries(simulation: Simulation) -> list[tuple[float, int]]:
    """(time, node) of each entry into the critical section, in order."""
    return [(record[TIME], record[NODE]) for record in simulation.trace.records if record[KIND] == ENTER]


def leaders(simulation: Simulation) -> set[int | None]:
    """The leaders that the processes that are up believe in."""
    return {process.leader for process in simulation.processes if process.id not in simulation.down}


def verdicts(simulation: Simulation) -> dict[str, str]:
    """Name of each monitor -> "holds", "pending", "overdue" or "broken", at the end of the run so far."""
    monitors = Monitors(simulation.scenario, simulation.algorithm)
    monitors.advance(simulation.trace)
    if simulation.is_over():
        monitors.finish(simulation.trace)
    return {name: verdict.status for name, verdict in monitors.at(monitors.steps, simulation.now).items()}


def heed_ctrl_c() -> None:
    """For `preexec_fn`: a child is interrupted by Ctrl-C even if the tests run in the background of a shell."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def wait_for_work(program: subprocess.Popen[bytes], seconds: float) -> None:
    """Wait until a program and a process that it has started have worked for so long; 4 s where none can be seen."""
    if not Path("/proc/self/stat").exists():
        time.sleep(4)
        return
    while len([spent for spent in _work_of(program.pid) if spent > seconds]) < 2:
        assert program.poll() is None
        time.sleep(0.05)


def _work_of(pid: int) -> Iterator[float]:
    """Seconds of processor time of a process and of each child of it."""
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended meanwhile
            words = file.read_text().rpartition(")")[2].split()
            if pid in (int(words[1]), int(file.parent.name)):
                yield (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def for_each(**ranges: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make one test of a fact for all values of an argument, `for_each(n=range(2, 11))`.

    Of several arguments it takes all combinations. A failure is reported with its values.
    """
    combinations = [dict(zip(ranges, values, strict=True)) for values in product(*ranges.values())]

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def test_all(**others: Any) -> None:
            for values in combinations:
                try:
                    test(**values, **others)
                except BaseException as error:
                    error.add_note(", ".join(f"{name} = {value}" for name, value in values.items()))
                    raise

        whole = signature(test)
        others = [p.replace(kind=p.KEYWORD_ONLY) for p in whole.parameters.values() if p.name not in ranges]
        vars(test_all)["__signature__"] = whole.replace(parameters=others)  # read by pytest and Hypothesis
        return test_all

    return decorate
