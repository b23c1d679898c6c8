"""Each reason why a node waits is checked against what happens when everything else is frozen."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from random import Random

import pytest

from algorithms import catalog, scenario_file
from algorithms.authoring.queries import is_request_of, wait_of
from algorithms.engine import checkpoint
from algorithms.engine.events import (
    DELIVER,
    DESTROYED,
    ELECTED,
    ENTER,
    FAULT,
    KIND,
    MESSAGE,
    NODE,
    REQUEST,
    SENDER,
    SEQ,
)
from algorithms.engine.randomness import Fixed, Uniform
from algorithms.engine.rewrite import system_of
from algorithms.engine.scenario import Event, Network, Scenario
from algorithms.engine.simulation import Simulation
from algorithms.engine.workload import Load, Script
from algorithms.engine.workload import Request as Ask
from tests.support.kit import for_each
from tests.support.random_truth import EVERYTHING
from tests.support.state_counts import TOLD_OF_CRASHES
from visual.analysis.wait_for import arriving_tokens, deadlocked, holds_on, is_waiting, relevant_messages, token_holders
from visual.narration.waiting import Reason, reasons

MOST_STEPS = 300  # of a run that are looked at, and of a run that goes on from there
MOMENTS = 5  # of each scenario
NODES = 3  # at each of them
LOSING = ("lost-enqueue", "silent")  # variants that lose or ignore requests by mistake


@contextmanager
def copied(run: Simulation) -> Iterator[Simulation]:
    """The run itself, which is as before when the block ends."""
    saved = checkpoint.save(run)
    try:
        yield run
    finally:
        checkpoint.restore(run, saved)


def moments(name: str) -> Iterator[tuple[Simulation, int]]:
    """The run of a scenario at a few steps, with a node that waits there; none of a large one, or one of terms."""
    draw = Random(name)
    scenario = scenario_file.load(scenario_file.find(name))
    if scenario.nodes > 100 or system_of(catalog.find(scenario.algorithm)):
        return
    run = catalog.simulation(scenario)
    total = run.run(until=scenario.until, steps=MOST_STEPS)
    run = catalog.simulation(scenario)
    for step in sorted(draw.sample(range(1, total), min(MOMENTS, total - 1))):
        run.run(steps=step)
        nodes = [node for node in range(scenario.nodes) if is_waiting(run, node)]
        for node in draw.sample(nodes, min(NODES, len(nodes))):
            yield run, node


def states(run: Simulation) -> list[dict[str, object]]:
    return [checkpoint.freeze(vars(process)) for process in run.processes]


@for_each(name=scenario_file.names())
def test_what_is_named_is_what_the_node_waits_for(name):
    for run, node in moments(name):
        for reason in reasons(run, node)[1:]:
            for serial in reason.messages:
                check_message(run, node, serial, reason)
            if reason.is_permanent:
                check_permanent(run, node)
            elif reason.nodes and not reason.messages:
                check_holders(run, node, reason)


def check_message(run: Simulation, node: int, serial: int, reason: Reason) -> None:
    """The message is in transit, and its delivery moves the node, its request or the token."""
    (entry,) = (entry for entry in run.queue.in_transit() if entry[SEQ] == serial)
    assert f"P{entry[NODE]}" in reason.words or entry[NODE] == node or len(reason.messages) > 3
    assert f"P{entry[SENDER]}" in reason.words or entry[SENDER] == node or len(reason.messages) > 3
    if entry[KIND] != DELIVER or not run.is_up(entry[NODE]) or run.scenario.variant in LOSING:
        return  # it will be lost, or wait
    with copied(run):
        link = (entry[SENDER], entry[NODE])
        ahead = [e for e in run.queue.in_transit() if (e[SENDER], e[NODE]) == link and e[:2] < entry[:2]]
        run.queue.restore([*ahead, entry])  # they arrive first on a FIFO channel
        run.timers.restore(({}, {}))
        run.run(steps=run.steps + len(ahead))
        if ahead and not is_waiting(run, node):
            return  # what comes before it has served the node
        before = states(run)
        run.queue.restore([entry])
        run.step()
        after, receiver = states(run), entry[NODE]
        merges = any(effect[KIND] == DESTROYED for effect in run.trace.records[-3:])
        if vars(entry[MESSAGE]).get("value") == before[receiver].get("left", ""):
            return  # Dijkstra's machines repeat their states
        if receiver == node or isinstance(entry[MESSAGE], run.algorithm.token or ()):
            assert after[receiver] != before[receiver] or len(run.queue) or merges, reason
        elif not run.algorithm.is_election():
            forwarded = any(is_request_of(run, run.processes[node], e[MESSAGE]) for e in run.queue.in_transit())
            moved = forwarded or relevant_messages(run, node) or receiver in holds_on(run, node)
            assert moved or not is_waiting(run, node) or after[receiver] != before[receiver], reason


def goes_on(run: Simulation, node: int, *, requests: bool) -> bool:
    """Whether the node stops waiting as the run goes on without faults, and perhaps without requests."""
    if not requests:
        run.applications.load = Load()
        run.queue.remove(lambda entry: entry[KIND] == REQUEST)
    run.queue.remove(lambda entry: entry[KIND] == FAULT)
    entered = vars(run.processes[node]).get("leader")
    for _ in range(MOST_STEPS):
        if not run.step():
            break
        if not is_waiting(run, node) or vars(run.processes[node]).get("leader") != entered:
            return True
    return False


def check_permanent(run: Simulation, node: int) -> None:
    """No continuation serves the node."""
    for requests in (False, True):
        with copied(run):
            assert not goes_on(run, node, requests=requests), reasons(run, node)


def with_crashes(name: str, variant: str | None, dice: Random) -> Scenario:
    """Four nodes that all ask once, or twice for an election, while one or two of them crash and messages are lost."""
    algorithm = catalog.find(name)
    asks = tuple(Ask(dice.uniform(0, 10), node) for node in range(4))
    calls = (Event(1.0, "request", node=0), Event(8.0, "request", node=1)) if algorithm.is_election() else ()
    crashes = (Event(dice.uniform(0, 12), "crash", node=dice.randrange(4)) for _ in range(dice.choice([1, 2])))
    by_itself = algorithm.is_election() or algorithm.enters_by_itself()
    return Scenario(
        name,
        variant=variant,
        nodes=4,
        seed=dice.randrange(1000),
        network=Network(loss=dice.choice([0.0, 0.2]), delay=dice.choice([Fixed(1.0), Uniform(0.5, 2.0)])),
        load=Load() if by_itself else Script(requests=asks),
        events=(*crashes, *calls),
    )


def with_one_crash(seed: int) -> Scenario:
    """The process inside crashes, and an answer of the coordinator's may be lost, so that another one is elected."""
    asks, crash = (Ask(0, 3), Ask(1, 1), Ask(1, 0)), Event(2.5, "crash", node=3)
    network, load = Network(loss=0.2), Script(requests=asks)
    return Scenario(
        "centralized", variant="electing-unsafe", nodes=4, seed=seed, network=network, load=load, events=(crash,)
    )


def broken_words(scenario: Scenario) -> Iterator[Reason]:
    """Each reason that is said to last forever, and does not: its node enters, or learns of a leader, after all."""
    run = catalog.simulation(scenario)
    forever: dict[int, Reason] = {}
    end = ELECTED if run.algorithm.is_election() else ENTER
    while run.steps < MOST_STEPS:
        before = len(run.trace.records)
        try:
            if not run.step():
                break
        except (KeyError, ValueError):
            break  # an assumption is broken
        for record in run.trace.records[before:]:
            reason = forever.pop(record[NODE], None) if record[KIND] in (end, FAULT) else None
            if reason and record[KIND] == end:
                yield reason
        for node in filter(run.is_up, range(scenario.nodes)):
            forever.update((node, reason) for reason in reasons(run, node) if reason.is_permanent)


def test_what_is_said_to_last_forever_does() -> None:
    """Also where a detector's timer or an election at other nodes may change what a node waits for."""
    for name, variant in EVERYTHING:
        assert not list(broken_words(with_crashes(name, variant, Random(f"{name} {variant}")))), (name, variant)
    for seed in range(20):
        assert not list(broken_words(with_one_crash(seed))), seed


def check_holders(run: Simulation, node: int, reason: Reason) -> None:
    """While one of those that keep it waiting is frozen, it is not served, if it needs every one of them."""
    wait, process = wait_of(run, run.processes[node]), run.processes[node]
    alone = list(token_holders(run))
    for other in set(reason.nodes) - {node}:
        needs_all = other in wait.nodes and not wait.is_any
        is_only_token = alone == [other] and not arriving_tokens(run)
        if not (needs_all or is_only_token) or any(owner == node for owner, _ in run.timers.due):
            continue
        with copied(run):
            run.down.setdefault(other, "paused")
            is_told = (run.algorithm.name, run.scenario.variant) in TOLD_OF_CRASHES
            if is_told and any(e[NODE] == other for e in run.queue.in_transit()):
                continue  # its sender will learn of the crash
            if not any(e[SENDER] == other for e in run.queue.in_transit()) and not run.timers.due:
                assert not goes_on(run, process.id, requests=False), reason


def test_a_deadlock_is_never_cried_where_a_token_goes_round(ricart_agrawala_token):
    """Everybody waits for any one of the others, and is served all the same."""
    run = ricart_agrawala_token
    while run.step():
        assert not deadlocked(run)
        assert not any(reason.is_permanent for node in range(3) for reason in reasons(run, node))
    assert not any(process.wants for process in run.processes)


@pytest.fixture(params=["any_of(self.peers, Token)", "self.peers"])
def ricart_agrawala_token(request, tmp_path, monkeypatch) -> Simulation:
    """The algorithm of the README, whose processes say that they wait for the others."""
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    text = readme.partition("```python\n")[2].partition("```")[0]
    text = text.replace("import Algorithm,", "import Algorithm, any_of,")
    own = f"    def waiting_for(self):\n        return {request.param} if self.wants and not self.token else ()\n\n"
    (tmp_path / "token_waits.py").write_text(text.replace("    def setup", f"{own}    def setup", 1), encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "token_waits", raising=False)
    load = Script(requests=tuple(Ask(0.0, node) for node in range(3)))
    return Simulation(Scenario("ricart-agrawala-token", nodes=3, load=load), import_module("token_waits").ALGORITHM)
