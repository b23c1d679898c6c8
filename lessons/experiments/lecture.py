"""The lecture's two comparison tables, each claim checked against runs of the shipped algorithms.

Every message takes one unit of time, so delays are in message times. Messages are counted when they are sent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from algorithms import catalog
from algorithms.engine.events import ENTER, KIND
from algorithms.engine.observe.meters import Counters, Meters
from algorithms.engine.randomness import Fixed
from algorithms.engine.scenario import Event, Scenario
from algorithms.engine.workload import Load, Request, Saturated, Script

Spread = tuple[float, float | None]  # least and most; None: without bound
PERIOD = 200.0  # time units measured before a crash, and after it
LEAST, MOST = 4, 40  # processes


@dataclass(frozen=True)
class ClaimCheck:
    """One claim of a slide beside the measured range, and whether they agree."""

    claimed: str
    measured: Spread
    holds: bool


@dataclass(frozen=True)
class AlgorithmClaims:
    """One algorithm: its claims by column, the problem that the slide names, and a remark."""

    algorithm: str
    title: str
    cells: dict[str, ClaimCheck]
    problem: str
    effect: str  # the measured effect of that problem
    note: str = ""


@dataclass(frozen=True)
class LectureTable:
    """A comparison table of the lecture: its rows, and contradictions in the slides."""

    family: str
    nodes: int
    rows: list[AlgorithmClaims]
    contradictions: tuple[str, ...] = field(default=())


def compare(family: str, nodes: int) -> LectureTable:
    """The table of a family, "mutual-exclusion" or "election", for `nodes` processes. KeyError for another."""
    make, contradictions = TABLES[family]
    return LectureTable(family, nodes, make(nodes), contradictions)


# ---- mutual exclusion --------------------------------------------------------------------------------------


def mutual_exclusion(n: int) -> list[AlgorithmClaims]:
    """Delay from request to entry, messages per entry and exit, and the effect of one crash."""
    return [centralized(n), voting(n), ricart_agrawala(n), token_ring(n)]


def centralized(n: int) -> AlgorithmClaims:
    once = measured(Scenario("centralized", nodes=n, load=requests((0.0, n - 1))))
    cells = {"delay": cell("2", [once.waiting_time.max], 2, 2), "messages": cell("3", [once.per_entry], 3, 3)}
    return AlgorithmClaims("centralized", "Centralized", cells, "coordinator crashes", after_a_crash("centralized", n))


def voting(n: int) -> AlgorithmClaims:
    """k = 1 and k = 2 attempts; with k = 2, two of the m coordinators have voted for another process."""
    m = n // 2 + 1
    once = measured(Scenario("voting", nodes=n + 1, parameters={"coordinators": n}, load=requests((0.0, n))))
    twice = second_attempt(n, m)
    given_back = m - (2 * m - n)
    cells = {
        "delay": cell("2mk", [once.waiting_time.max], 2 * m, 2 * m),
        "messages": cell("2mk + m", [once.per_entry, twice], 3 * m, 5 * m),
    }
    note = (
        f"m = {m}; k = 1 takes 3m = {3 * m} messages; k = 2 takes 5m = {5 * m}, plus {given_back} messages that give "
        "votes back after the first attempt; requests of one attempt travel together, so it takes 2 message times"
    )
    effect = f"{after_a_crash('voting', n)}; --variant tolerant: {after_a_crash('voting', n, 'tolerant')}"
    return AlgorithmClaims("voting", "Decentralized", cells, "large number of messages", effect, note)


def ricart_agrawala(n: int) -> AlgorithmClaims:
    alone = measured(Scenario("ricart-agrawala", nodes=n, load=requests((0.0, 0))))
    together = measured(Scenario("ricart-agrawala", nodes=n, load=requests(*((0.0, node) for node in range(n)))))
    cost = 2 * (n - 1)
    cells = {
        "delay": cell("2(n−1)", [alone.waiting_time.max], cost, cost),
        "messages": cell("2(n−1)", [alone.per_entry, together.per_entry], cost, cost),
    }
    note = "2(n−1) is the number of messages; they travel together, so the delay is one round trip"
    effect = after_a_crash("ricart-agrawala", n)
    return AlgorithmClaims("ricart-agrawala", "Distributed", cells, "crash of any process", effect, note)


def token_ring(n: int) -> AlgorithmClaims:
    """At time n the token is back at P0: a process d hops on that requests then waits for d hops."""
    away = [measured(Scenario("token-ring", nodes=n, load=requests((float(n), d)), until=4.0 * n)) for d in range(n)]
    busy = per_entry(Scenario("token-ring", nodes=n, load=Saturated(), until=20.0 * n))
    one = per_entry(Scenario("token-ring", nodes=n, load=requests(*[(0.0, 0)] * 20), until=15.0 * n))
    cells = {
        "delay": cell("0 to (n−1)", [each.waiting_time.max for each in away], 0, n - 1),
        "messages": ClaimCheck("1 to ∞", (busy, None), busy == 1),
    }
    note = f"messages: {busy:g} if every process keeps requesting, {one:g} if only one does, unbounded if none does"
    problem = "token may be lost, ring can cease to exist"
    return AlgorithmClaims("token-ring", "Token ring", cells, problem, after_a_crash("token-ring", n), note)


def second_attempt(n: int, m: int) -> int:
    """Messages to and from a process refused once, by the fewest possible of the m that it asks."""
    rival = n + m  # a process asks those after its own number: the rival the n − m that were left out, and 2m − n more
    load = requests((0.0, n), (1.0, rival))
    both = measured(Scenario("voting", nodes=rival + 1, parameters={"coordinators": n, "votes": m}, load=load))
    return both.messages - 3 * m


def after_a_crash(algorithm: str, n: int, variant: str | None = None) -> str:
    """The number of entries under saturated load, before and after P0 crashes."""
    crash = Event(PERIOD, "crash", node=0)
    counters = [
        measured(Scenario(algorithm, nodes=n, variant=variant, load=Saturated(), events=(crash,), until=time))
        for time in (PERIOD, 2 * PERIOD)
    ]
    before, after = counters[0].entries, counters[1].entries - counters[0].entries
    return f"{before} entries in {PERIOD:g} time units, and {after} in as many after P0 has crashed"


# ---- election ----------------------------------------------------------------------------------------------


def election(n: int) -> list[AlgorithmClaims]:
    """Messages and time to elect a coordinator, over all possible initiators."""
    return [bully(n), ring(n), chang_roberts(n)]


def bully(n: int) -> AlgorithmClaims:
    runs = elections("bully", n, range(n - 1), crash=n - 1)
    cells = {"messages": cell("O(n²)", totals(runs), n - 1, n * n - n - 1), "time": duration("", runs)}
    note = "n−1 at best, including the message to the crashed coordinator, which the slide omits; n²−n−1 at worst"
    return AlgorithmClaims("bully", "Bully", cells, "large message overhead", average_of(runs, n), note)


def ring(n: int) -> AlgorithmClaims:
    runs = elections("ring-election", n, range(n))
    cells = {"messages": cell("2n−1", totals(runs), 2 * n - 1, 2 * n - 1), "time": duration("", runs)}
    short = totals(elections("ring-election", n, range(n), variant="short"))
    note = f"two rounds are 2n; {short[0]:g} = 2n−1 without the last hop back to the initiator (--variant short)"
    return AlgorithmClaims("ring-election", "Ring, list", cells, "needs an overlay ring", average_of(runs, n), note)


def chang_roberts(n: int) -> AlgorithmClaims:
    runs = elections("chang-roberts", n, range(n))
    cells = {"messages": cell("2n−1", totals(runs), 2 * n - 1, 2 * n - 1), "time": duration("", runs)}
    note = "as in the slide's picture; its worst case is 2n−1 without the announcement, which takes n more"
    return AlgorithmClaims("chang-roberts", "Ring, numbers", cells, "needs an overlay ring", average_of(runs, n), note)


def elections(
    algorithm: str, n: int, initiators: Iterable[int], crash: int | None = None, variant: str | None = None
) -> list[Counters]:
    """One election per initiator."""
    crashes = () if crash is None else (Event(0.0, "crash", node=crash),)
    return [
        measured(Scenario(algorithm, nodes=n, variant=variant, events=(*crashes, Event(1.0, "request", node=node))))
        for node in initiators
    ]


def totals(runs: list[Counters]) -> list[float]:
    return [run.messages for run in runs]


def duration(claimed: str, runs: list[Counters]) -> ClaimCheck:
    """The duration of the elections, timeouts included."""
    times = [run.elections.turnaround.max for run in runs if run.elections]
    finished = [time for time in times if time is not None]
    return ClaimCheck(claimed, (min(finished), max(finished)), True)


def average_of(runs: list[Counters], n: int) -> str:
    average = sum(totals(runs)) / len(runs)
    return f"on average {average:.1f} messages, {average / n:.1f} per process"


# ---- measuring ---------------------------------------------------------------------------------------------


def requests(*when: tuple[float, int]) -> Load:
    """A script: (time, node) of each request."""
    return Script(requests=tuple(Request(at, node) for at, node in when), hold=Fixed(1.0))


def measured(scenario: Scenario) -> Counters:
    """Run a scenario and return its final counters."""
    simulation = catalog.simulation(scenario)
    simulation.run(until=scenario.until)
    meters = Meters(scenario, simulation.algorithm)
    meters.advance(simulation.trace)
    return meters.at(meters.steps, scenario.until)


def per_entry(scenario: Scenario) -> float:
    """Messages between two entries of one process, per entry of any process meanwhile."""
    simulation = catalog.simulation(scenario)
    simulation.run(until=scenario.until)
    meters = Meters(scenario, simulation.algorithm)
    meters.advance(simulation.trace)
    steps = [
        step + 1
        for step, records in simulation.trace.steps()
        if any(record[KIND] == ENTER and record[3] == 0 for record in records)
    ]
    first, second = (meters.at(step, scenario.until) for step in steps[1:3])
    return (second.messages - first.messages) / (second.entries - first.entries)


def cell(claimed: str, values: Iterable[float | None], low: float, high: float) -> ClaimCheck:
    """Check a claim: whether the measured values span exactly `low` to `high`."""
    numbers = [value for value in values if value is not None]
    spread = (min(numbers), max(numbers))
    return ClaimCheck(claimed, spread, spread == (low, high))


Maker = Callable[[int], list[AlgorithmClaims]]
TABLES: dict[str, tuple[Maker, tuple[str, ...]]] = {
    "mutual-exclusion": (
        mutual_exclusion,
        (
            "The delay column counts messages for some rows (2mk, 2(n−1)) and time for others (2, 0 to n−1).",
            "“Distributed = most robust” contradicts “crash of any process”: if one process crashes, even an idle one, "
            "everyone stops.",
            "2mk + m omits the messages that give votes back after a failed attempt.",
            "Ricart–Agrawala is presented without its tie-break: of two equal clocks, the smaller id counts as older.",
        ),
    ),
    "election": (
        election,
        (
            "The ring algorithm is described with a list of ids, drawn with one number (Chang–Roberts), and "
            "counted as 2n−1.",
            "Bully's best case omits the election message to the crashed coordinator.",
            "Bully's worst case is N²−N−1 only if no process holds two elections at a time; without that guard it "
            "doubles with every process.",
            "“Turnaround is one message transmission time” omits the timeout that comes first.",
        ),
    ),
}


def as_plain(table: LectureTable) -> dict[str, Any]:
    """The table as one JSON object."""
    return {
        "family": table.family,
        "nodes": table.nodes,
        "rows": [
            {
                "algorithm": row.algorithm,
                "title": row.title,
                **{
                    column: {"claimed": cell.claimed, "measured": list(cell.measured), "holds": cell.holds}
                    for column, cell in row.cells.items()
                },
                "problem": {"claimed": row.problem, "seen": row.effect},
                "note": row.note,
            }
            for row in table.rows
        ],
        "contradictions": list(table.contradictions),
    }
