"""The table of states that the tests check: exact state counts, and the shortest counter-examples of each algorithm.

python -m tests.support.state_counts            # recount everything (half an hour) and print the rows that differ
python -m tests.support.state_counts sigma      # … of some algorithms only
"""

from __future__ import annotations

import sys
from dataclasses import fields
from functools import cache
from typing import Any, NamedTuple

from algorithms import catalog
from algorithms.engine.check.explore import BROKEN, STATE_LIMIT, CheckReport, Exploration
from algorithms.engine.check.moves import Bounds
from algorithms.engine.process import Algorithm, Process
from algorithms.engine.scenario import Scenario

READS_THE_CLOCK = ("wandering-token-journal", "wandering-token-report")
TOLD_OF_CRASHES = {
    (name, variant)
    for name, algorithm in catalog.by_name().items()
    for variant in (None, *algorithm.variants)
    if algorithm.of(variant).process.unreached is not Process.unreached
}
"""The algorithms and variants that are told whom their messages have not reached, which is not explored."""
LARGE = 6_000  # tests explore only the first states of a system with more …
MEDIUM = 3_000  # … or of one with more than this, unless it is the smallest of its algorithm or variant
SMALL = 1_500  # tests share the exploration of a system with fewer


class Row(NamedTuple):
    """A system, and the results of its complete exploration.

    `bounds` has the bounds that differ from the defaults, and parameters: without them the exploration would not end,
    or would take too long. `broken` maps a property to the moves of its shortest trail; None if it has no trail.
    """

    algorithm: str
    variant: str | None
    nodes: int
    bounds: str
    states: int
    depth: int
    final_states: int
    broken: dict[str, int | None]

    @property
    def is_small(self) -> bool:
        return self.states < SMALL

    def allows(self, *faults: str) -> bool:
        """Whether one of these faults may happen, named as in `Bounds`."""
        return any(word.partition("=")[0] in faults for word in self.bounds.split())


def exploration(algorithm: str, variant: str | None, nodes: int, bounds: str, **more: Any) -> Exploration:
    """A new exploration of a system; `bounds` as in a row."""
    return Exploration(*system_of(algorithm, variant, nodes, bounds), **more)


def system_of(algorithm: str, variant: str | None, nodes: int, bounds: str) -> tuple[Scenario, Algorithm, Bounds]:
    """The system of a row."""
    words = (word.partition("=") for word in bounds.split())
    values: dict[str, Any] = {name: _value_of(number) for name, _, number in words}
    limits = {field.name: values.pop(field.name) for field in fields(Bounds) if field.name in values}
    scenario = Scenario(algorithm, variant=variant, nodes=nodes, parameters=values)
    return scenario, catalog.find(algorithm), Bounds(**limits)


def _value_of(word: str) -> Any:
    """A bound or a parameter: no value stands for True, and "0,1" for a bound of each process."""
    if "," in word:
        return tuple(map(int, word.split(",")))
    return int(word) if word.isdigit() else word or True


def finished(exploration: Exploration) -> CheckReport:
    """The report of a complete exploration."""
    while exploration.advance(10_000):
        pass
    return exploration.report()


@cache
def shared_exploration(algorithm: str, variant: str | None, nodes: int, bounds: str) -> Exploration:
    """The complete exploration of a small system, for all tests in this process."""
    shared = exploration(algorithm, variant, nodes, bounds)
    finished(shared)
    return shared


def is_counted(row: Row) -> bool:
    """Whether tests explore all states of the system."""
    smallest = min(other.states for other in ROWS if other[:2] == row[:2])
    return row.states <= (LARGE if row.states == smallest else MEDIUM)


def broken(report: CheckReport) -> dict[str, int | None]:
    """The broken properties and the moves of their shortest trails, as in a row."""
    return {
        finding.property.name: len(finding.trail.moves) if finding.trail else None
        for finding in report.findings
        if finding.status == BROKEN
    }


def recount(row: Row) -> Row:
    """The row with the results of an exploration."""
    system = row[:4]
    explored = shared_exploration(*system) if row.is_small else exploration(*system, state_limit=10 * STATE_LIMIT)
    report = finished(explored)
    assert report.is_complete
    return Row(*system, report.states, report.depth, report.final_states, broken(report))


ROWS = (
    Row("afek-gafni", None, 2, "", 20, 5, 4, {}),
    Row("afek-gafni", None, 2, "losses=1", 36, 6, 10, {"owners keep what they count": 3, "E2": 2}),
    Row("afek-gafni", None, 2, "crashes=1", 47, 6, 14, {"owners keep what they count": 3, "E2": 2}),
    Row("afek-gafni", None, 3, "", 223, 11, 14, {}),
    Row("afek-gafni", None, 3, "losses=1", 545, 11, 50, {"owners keep what they count": 3, "E2": 2}),
    Row("afek-gafni", None, 3, "crashes=1", 591, 11, 56, {"owners keep what they count": 3, "E2": 2}),
    Row("afek-gafni", None, 4, "", 2221, 15, 44, {}),
    Row("afek-gafni", "goes-on", 4, "", 5490, 26, 104, {"E1": 18, "owners keep what they count": 9, "E2": 24}),
    Row("afek-gafni", "never-asks", 3, "", 265, 12, 16, {"owners keep what they count": 4}),
    Row("afek-gafni", "silent", 3, "", 223, 11, 15, {"E2": 8}),
    Row("binary-search-token", None, 2, "", 160, 11, 0, {}),
    Row("binary-search-token", None, 2, "losses=1", 384, 12, 48, {"one token": 1, "ME2": 3}),
    Row("binary-search-token", None, 2, "crashes=1", 308, 12, 24, {"one token": 1, "ME2": 2}),
    Row("binary-search-token", None, 3, "", 3888, 21, 0, {}),
    Row("binary-search-token", None, 3, "losses=1", 11598, 22, 594, {"one token": 1, "ME2": 3}),
    Row("binary-search-token", None, 3, "crashes=1", 10686, 22, 318, {"one token": 1, "ME2": 2}),
    Row("binary-search-token", "adaptive-speed", 2, "synchronous", 6103, 97, 0, {}),
    Row(
        "binary-search-token", "adaptive-speed", 2, "synchronous losses=1", 13955, 98, 2331, {"one token": 1, "ME2": 3}
    ),
    Row(
        "binary-search-token", "adaptive-speed", 2, "synchronous crashes=1", 10180, 97, 804, {"one token": 1, "ME2": 2}
    ),
    Row("binary-search-token", "adaptive-speed", 3, "synchronous", 171785, 149, 0, {}),
    Row("binary-search-token", "directed", 2, "", 272, 13, 0, {}),
    Row("binary-search-token", "directed", 2, "losses=1", 700, 14, 48, {"one token": 1, "ME2": 4}),
    Row("binary-search-token", "directed", 2, "crashes=1", 540, 14, 24, {"one token": 1, "ME2": 2}),
    Row("binary-search-token", "directed", 3, "", 59028, 34, 0, {}),
    Row("binary-search-token", "inverse-clean-up", 2, "", 212, 14, 0, {}),
    Row("binary-search-token", "inverse-clean-up", 2, "losses=1", 468, 14, 60, {"one token": 1, "ME2": 3}),
    Row("binary-search-token", "inverse-clean-up", 2, "crashes=1", 404, 15, 28, {"one token": 1, "ME2": 2}),
    Row("binary-search-token", "inverse-clean-up", 3, "", 7350, 26, 0, {}),
    Row("binary-search-token", "loans-leave-marks", 2, "", 164, 12, 0, {}),
    Row("binary-search-token", "loans-leave-marks", 2, "losses=1", 396, 13, 52, {"one token": 1, "ME2": 3}),
    Row("binary-search-token", "loans-leave-marks", 2, "crashes=1", 320, 13, 28, {"one token": 1, "ME2": 2}),
    Row("binary-search-token", "loans-leave-marks", 3, "", 4236, 24, 0, {}),
    Row("binary-search-token", "my-turn-first", 2, "", 160, 12, 0, {}),
    Row("binary-search-token", "my-turn-first", 2, "losses=1", 384, 12, 48, {"one token": 1, "ME2": 3}),
    Row("binary-search-token", "my-turn-first", 2, "crashes=1", 308, 12, 24, {"one token": 1, "ME2": 2}),
    Row("binary-search-token", "my-turn-first", 3, "", 3948, 21, 0, {}),
    Row("binary-search-token", "no-clean-up", 2, "", 196, 14, 0, {}),
    Row("binary-search-token", "no-clean-up", 2, "losses=1", 436, 14, 56, {"one token": 1, "ME2": 3}),
    Row("binary-search-token", "no-clean-up", 2, "crashes=1", 376, 15, 28, {"one token": 1, "ME2": 2}),
    Row("binary-search-token", "no-clean-up", 3, "", 7200, 31, 0, {}),
    Row("binary-search-token", "one-gimme", 2, "", 160, 11, 0, {}),
    Row("binary-search-token", "one-gimme", 2, "losses=1", 384, 12, 48, {"one token": 1, "ME2": 3}),
    Row("binary-search-token", "one-gimme", 2, "crashes=1", 308, 12, 24, {"one token": 1, "ME2": 2}),
    Row("binary-search-token", "one-gimme", 3, "", 2112, 20, 0, {}),
    Row("binary-search-token", "push", 2, "synchronous", 216, 17, 0, {}),
    Row("binary-search-token", "push", 2, "synchronous losses=1", 516, 20, 32, {"one token": 3, "ME2": 4}),
    Row("binary-search-token", "push", 2, "synchronous crashes=1", 388, 18, 16, {"one token": 1, "ME2": 3}),
    Row("binary-search-token", "push", 3, "synchronous", 2184, 33, 0, {}),
    Row("binary-search-token", "push-and-pull", 2, "synchronous", 572, 22, 0, {}),
    Row("binary-search-token", "push-and-pull", 2, "synchronous losses=1", 1552, 23, 104, {"one token": 3, "ME2": 5}),
    Row("binary-search-token", "push-and-pull", 2, "synchronous crashes=1", 1000, 22, 44, {"one token": 1, "ME2": 3}),
    Row("binary-search-token", "push-and-pull", 3, "synchronous", 26688, 47, 0, {}),
    Row("binary-search-token", "recovering", 2, "synchronous", 1083, 23, 0, {}),
    Row("binary-search-token", "recovering", 2, "synchronous losses=1", 9228, 33, 28, {"one token": 1}),
    Row("binary-search-token", "recovering", 2, "synchronous crashes=1", 2086, 24, 28, {"one token": 1}),
    Row("binary-search-token", "recovering", 3, "synchronous", 194007, 50, 0, {}),
    Row("bully", None, 2, "synchronous", 38, 7, 1, {}),
    Row("bully", None, 2, "synchronous losses=1", 111, 12, 5, {"E1": 5, "E2": 3}),
    Row("bully", None, 2, "synchronous crashes=1", 81, 8, 4, {}),
    Row("bully", None, 2, "timeouts=2", 109, 10, 3, {"E1": 4}),
    Row("bully", None, 3, "synchronous", 11504, 20, 1, {}),
    Row("bully", None, 3, "synchronous losses=1", 46755, 28, 11, {"E1": 5, "E2": 4}),
    Row("bully", None, 3, "synchronous crashes=1", 20659, 21, 5, {}),
    Row("bully", "oracle", 2, "synchronous", 38, 7, 1, {}),
    Row("bully", "oracle", 2, "synchronous losses=1", 68, 8, 9, {"E2": 2}),
    Row("bully", "oracle", 2, "synchronous crashes=1", 79, 8, 9, {"E2": 2}),
    Row("bully", "oracle", 3, "synchronous", 11504, 20, 1, {}),
    Row("bully", "unguarded", 2, "synchronous", 38, 7, 1, {}),
    Row("bully", "unguarded", 2, "synchronous losses=1", 111, 12, 5, {"E1": 5, "E2": 3}),
    Row("bully", "unguarded", 2, "synchronous crashes=1", 81, 8, 4, {}),
    Row("bully", "unguarded", 3, "synchronous", 26980, 20, 1, {}),
    Row("bully", "watching", 2, "synchronous", 69, 11, 0, {}),
    Row("bully", "watching", 2, "synchronous losses=1", 356, 17, 1, {"E1": 5, "E2": 3}),
    Row("bully", "watching", 2, "synchronous crashes=1", 155, 12, 3, {}),
    Row("bully", "watching", 3, "synchronous", 525233, 42, 0, {}),
    Row("carvalho-roucairol", None, 2, "", 31, 8, 3, {}),
    Row("carvalho-roucairol", None, 2, "losses=1", 52, 8, 12, {"ME2": 2}),
    Row("carvalho-roucairol", None, 2, "crashes=1", 70, 9, 15, {"ME2": 2}),
    Row("carvalho-roucairol", None, 3, "", 2096, 18, 12, {}),
    Row("carvalho-roucairol", None, 3, "losses=1", 7131, 18, 127, {"ME2": 4}),
    Row("carvalho-roucairol", None, 3, "crashes=1", 5426, 19, 136, {"ME2": 4}),
    Row("carvalho-roucairol", "forgets-to-ask", 3, "requests=2", 15854, 36, 208, {"ME2": 21}),
    Row("carvalho-roucairol", "keeps", 2, "requests=2", 179, 16, 14, {"ME1": 8, "one permission between two": 7}),
    Row("centralized", None, 2, "", 33, 10, 1, {}),
    Row("centralized", None, 2, "losses=1", 47, 10, 6, {"ME2": 2}),
    Row("centralized", None, 2, "crashes=1", 61, 10, 6, {"ME2": 2}),
    Row("centralized", None, 3, "", 180, 15, 1, {}),
    Row("centralized", None, 3, "losses=1", 314, 15, 23, {"ME2": 2}),
    Row("centralized", None, 3, "crashes=1", 461, 15, 17, {"ME2": 2}),
    Row("centralized", None, 3, "requests=2", 1238, 30, 1, {}),
    Row("centralized", "detecting", 2, "synchronous", 67, 12, 1, {}),
    Row("centralized", "detecting", 2, "synchronous losses=1", 151, 14, 5, {"ME2": 9}),
    Row("centralized", "detecting", 2, "synchronous crashes=1", 116, 12, 6, {"ME2": 6}),
    Row("centralized", "detecting", 3, "synchronous", 824, 19, 1, {}),
    Row("centralized", "electing", 2, "synchronous", 67, 12, 1, {}),
    Row("centralized", "electing", 2, "synchronous losses=1", 410, 21, 7, {"ME2": 9}),
    Row("centralized", "electing", 2, "synchronous crashes=1", 124, 12, 7, {"ME2": 6}),
    Row("centralized", "electing", 3, "synchronous", 824, 19, 1, {}),
    Row("centralized", "electing", 3, "synchronous crashes=1", 2809, 27, 18, {"ME2": 6}),
    Row("centralized", "electing-unsafe", 2, "synchronous", 67, 12, 1, {}),
    Row("centralized", "electing-unsafe", 2, "synchronous losses=1", 280, 17, 5, {"ME1": 10, "ME2": 9}),
    Row("centralized", "electing-unsafe", 2, "synchronous crashes=1", 121, 12, 7, {"ME2": 6}),
    Row("centralized", "electing-unsafe", 3, "synchronous", 824, 19, 1, {}),
    Row("centralized", "electing-unsafe", 3, "synchronous crashes=1", 2398, 20, 14, {"ME1": 9, "ME2": 6}),
    Row("centralized", "grants-twice", 2, "", 36, 10, 1, {"ME1": 6}),
    Row("centralized", "grants-twice", 3, "", 216, 15, 1, {"ME1": 6}),
    Row("centralized", "impatient", 2, "", 64, 10, 1, {}),
    Row("centralized", "impatient", 2, "losses=1", 98, 10, 6, {"ME2": 3}),
    Row("centralized", "impatient", 2, "crashes=1", 103, 10, 6, {"ME2": 3}),
    Row("centralized", "impatient", 3, "", 544, 15, 1, {}),
    Row("centralized", "polling", 2, "", 43, 10, 1, {}),
    Row("centralized", "polling", 2, "losses=1", 59, 10, 4, {"ME2": 2}),
    Row("centralized", "polling", 2, "crashes=1", 74, 10, 5, {"ME2": 2}),
    Row("centralized", "polling", 3, "", 294, 15, 1, {}),
    Row("centralized", "told-to-wait", 2, "", 43, 10, 1, {}),
    Row("centralized", "told-to-wait", 2, "losses=1", 67, 11, 8, {"ME2": 2}),
    Row("centralized", "told-to-wait", 2, "crashes=1", 79, 10, 7, {"ME2": 2}),
    Row("centralized", "told-to-wait", 3, "", 342, 15, 1, {}),
    Row("chandy-misra", None, 2, "", 20, 8, 2, {}),
    Row("chandy-misra", None, 2, "losses=1", 30, 8, 6, {"one fork per edge": 3, "one request per edge": 2, "ME2": 2}),
    Row("chandy-misra", None, 2, "crashes=1", 41, 8, 8, {"ME2": 2}),
    Row("chandy-misra", None, 3, "", 379, 18, 6, {}),
    Row("chandy-misra", None, 3, "alternate=1", 379, 18, 6, {}),
    Row("chandy-misra", None, 3, "requests=2", 3202, 28, 6, {}),
    Row(
        "chandy-misra", None, 3, "losses=1", 1101, 18, 37, {"one fork per edge": 3, "one request per edge": 2, "ME2": 2}
    ),
    Row("chandy-misra", None, 3, "crashes=1", 1022, 19, 44, {"ME2": 2}),
    Row("chandy-misra", "circle", 3, "", 27, 6, 1, {"clean forks are wanted": 0, "ME2": 2, "entry": None}),
    Row("chandy-misra", "dirty-circle", 3, "", 359, 16, 7, {"ME2": 12}),
    Row("chandy-misra", "stays-clean", 2, "", 18, 6, 2, {"clean forks are wanted": 3, "ME2": 6}),
    Row("chandy-misra", "while-eating", 2, "", 24, 8, 2, {"ME1": 4}),
    Row("chang-roberts", None, 2, "", 35, 9, 1, {}),
    Row("chang-roberts", None, 2, "losses=1", 74, 10, 13, {"E2": 2}),
    Row("chang-roberts", None, 2, "crashes=1", 78, 10, 11, {"E2": 2}),
    Row("chang-roberts", None, 3, "", 304, 21, 1, {}),
    Row("chang-roberts", None, 3, "losses=1", 764, 22, 55, {"E2": 2}),
    Row("chang-roberts", None, 3, "crashes=1", 827, 22, 47, {"E2": 2}),
    Row("chang-roberts", None, 4, "", 2437, 34, 1, {}),
    Row("chang-roberts", None, 5, "", 18249, 45, 1, {}),
    Row("chang-roberts", "restarting", 2, "synchronous", 78, 16, 1, {}),
    Row("chang-roberts", "restarting", 2, "synchronous losses=1", 1099, 30, 5, {"E1": 14, "E2": 9}),
    Row("chang-roberts", "restarting", 2, "synchronous crashes=1", 325, 20, 5, {}),
    Row("chang-roberts", "restarting", 3, "synchronous", 2356, 39, 1, {}),
    Row("chang-roberts", "restarting", 3, "synchronous crashes=1", 7066, 48, 8, {}),
    Row("chang-roberts", "skipping", 2, "synchronous", 78, 16, 1, {}),
    Row("chang-roberts", "skipping", 2, "synchronous losses=1", 730, 26, 11, {"E1": 14, "E2": 9}),
    Row("chang-roberts", "skipping", 2, "synchronous crashes=1", 300, 20, 8, {"E2": 6}),
    Row("chang-roberts", "skipping", 3, "synchronous", 2356, 39, 1, {}),
    Row("echo-extinction", None, 2, "", 20, 5, 4, {}),
    Row("echo-extinction", None, 2, "losses=1", 36, 6, 10, {"E2": 2}),
    Row("echo-extinction", None, 2, "crashes=1", 47, 6, 14, {"E2": 2}),
    Row("echo-extinction", None, 3, "", 1771, 13, 36, {}),
    Row("echo-extinction", None, 3, "losses=1", 4360, 13, 108, {"E2": 5}),
    Row("echo-extinction", None, 3, "crashes=1", 3851, 13, 129, {"E2": 3}),
    Row(
        "echo-extinction",
        "counts-all",
        3,
        "",
        636,
        17,
        12,
        {"E1": 5, "knowing a leader means having joined its wave": 6},
    ),
    Row("echo-extinction", "no-extinction", 2, "", 21, 5, 5, {"E2": 4}),
    Row("end-to-end", None, 2, "timeouts=1", 124460, 36, 114, {}),
    Row("end-to-end", None, 2, "replicas=1 timeouts=1", 201, 16, 6, {}),
    Row("end-to-end", None, 2, "replicas=1 timeouts=1 losses=1", 350, 16, 25, {"ME2": 2}),
    Row("end-to-end", None, 3, "replicas=1 timeouts=1", 9800, 27, 42, {}),
    Row("end-to-end", None, 3, "replicas=1 timeouts=1 losses=1", 22428, 27, 259, {"ME2": 2}),
    Row("end-to-end", "as-described", 2, "replicas=1 timeouts=0 requests=2", 3330, 26, 28, {"ME1": 9, "ME2": 8}),
    Row("end-to-end", "both-steps", 2, "replicas=1 timeouts=0 requests=2", 2243, 25, 9, {"ME1": 10}),
    Row("end-to-end", "lost-enqueue", 2, "replicas=1 timeouts=0", 83, 11, 5, {"ME2": 7}),
    Row("end-to-end", "owner-asks-again", 2, "replicas=1 timeouts=0 requests=2", 1753, 24, 16, {"ME1": 9}),
    Row("end-to-end", "without-stamps", 2, "replicas=1 timeouts=1 requests=2", 5100, 27, 27, {}),
    Row("franklin", None, 2, "", 50, 12, 3, {}),
    Row("franklin", None, 2, "losses=1", 121, 12, 12, {"E2": 5}),
    Row(
        "franklin", None, 2, "crashes=1", 91, 12, 11, {"the greatest is no relay": 4, "the greatest leads": 11, "E2": 2}
    ),
    Row("franklin", None, 3, "", 613, 18, 7, {}),
    Row("franklin", None, 3, "losses=1", 1892, 18, 24, {"E2": 7}),
    Row(
        "franklin",
        None,
        3,
        "crashes=1",
        1184,
        19,
        31,
        {"the greatest is no relay": 5, "the greatest leads": 15, "E2": 4},
    ),
    Row("hirschberg-sinclair", None, 2, "", 72, 14, 3, {}),
    Row("hirschberg-sinclair", None, 2, "losses=1", 153, 14, 11, {"E2": 4}),
    Row("hirschberg-sinclair", None, 2, "crashes=1", 135, 14, 12, {"the greatest leads": 10, "E2": 2}),
    Row("hirschberg-sinclair", None, 3, "", 1865, 27, 7, {}),
    Row("hirschberg-sinclair", None, 3, "losses=1", 4890, 27, 36, {"E2": 4}),
    Row("hirschberg-sinclair", None, 3, "crashes=1", 3912, 27, 45, {"the greatest leads": 18, "E2": 4}),
    Row("hirschberg-sinclair", "no-waking", 2, "", 51, 12, 2, {"E2": 3}),
    Row("israeli-jalfon", None, 2, "", 192, 12, 0, {"ME1": 2, "one token": 0}),
    Row("israeli-jalfon", None, 2, "losses=1", 272, 12, 9, {"ME1": 2, "one token": 0, "ME2": 5, "convergence": 4}),
    Row("israeli-jalfon", None, 2, "crashes=1", 232, 12, 6, {"ME1": 2, "one token": 0, "ME2": 3, "convergence": 2}),
    Row("israeli-jalfon", None, 3, "", 12096, 17, 0, {"ME1": 2, "one token": 0}),
    Row("israeli-jalfon", None, 3, "losses=1", 15424, 18, 27, {"ME1": 2, "one token": 0, "ME2": 7, "convergence": 6}),
    Row("israeli-jalfon", None, 3, "crashes=1", 15456, 17, 27, {"ME1": 2, "one token": 0, "ME2": 4, "convergence": 3}),
    Row("israeli-jalfon", None, 4, "", 374016, 24, 0, {"ME1": 2, "one token": 0}),
    Row("itai-rodeh", None, 2, "", 105, 7, 6, {}),
    Row("itai-rodeh", None, 2, "losses=1", 199, 9, 20, {"E2": 2}),
    Row("itai-rodeh", None, 2, "crashes=1", 201, 7, 20, {"somebody is in the running": 3, "E2": 2}),
    Row("itai-rodeh", None, 3, "", 2308, 16, 21, {}),
    Row("itai-rodeh", None, 3, "losses=1", 5245, 21, 72, {"E2": 2}),
    Row("itai-rodeh", None, 3, "crashes=1", 5170, 16, 90, {"somebody is in the running": 5, "E2": 2}),
    Row("itai-rodeh", "no-bit", 2, "", 116, 10, 9, {"E1": 5, "E2": 9}),
    Row("itai-rodeh", "no-count", 2, "", 98, 8, 9, {"E1": 3, "E2": 7}),
    Row("k-entries", None, 2, "", 61, 8, 2, {}),
    Row("k-entries", None, 2, "k=1", 30, 8, 2, {}),
    Row("k-entries", None, 2, "losses=1", 119, 8, 8, {}),
    Row("k-entries", None, 2, "crashes=1", 115, 8, 10, {}),
    Row("k-entries", None, 3, "", 7036, 18, 3, {}),
    Row("k-entries", None, 3, "losses=1", 22693, 18, 33, {}),
    Row("k-entries", None, 3, "crashes=1", 15976, 18, 39, {}),
    Row("k-state-ring", None, 2, "k=3 synchronous", 2160, 11, 0, {"ME1": 4, "convergence": 6}),
    Row("k-state-ring", None, 2, "k=3 synchronous losses=1", 5676, 13, 0, {"ME1": 4, "convergence": 6}),
    Row("k-state-ring", None, 2, "k=3 synchronous crashes=1", 2916, 11, 0, {"ME1": 4, "ME2": 4, "convergence": 6}),
    Row("k-state-ring", None, 2, "k=4 synchronous", 5572, 11, 0, {"ME1": 4}),
    Row("k-state-ring", None, 3, "k=3 synchronous", 145383, 18, 0, {"ME1": 4, "convergence": 10}),
    Row("k-state-ring", None, 3, "k=3 synchronous losses=1", 399936, 20, 0, {"ME1": 4, "convergence": 10}),
    Row("k-state-ring", None, 3, "k=3 synchronous crashes=1", 221166, 19, 0, {"ME1": 4, "ME2": 6, "convergence": 10}),
    Row("lamport", None, 2, "", 80, 10, 7, {}),
    Row("lamport", None, 2, "losses=1", 179, 10, 31, {"ME1": 5, "the oldest is inside": 5, "ME2": 2}),
    Row("lamport", None, 2, "crashes=1", 184, 11, 38, {"ME2": 2}),
    Row("lamport", None, 3, "", 96302, 24, 61, {}),
    Row("lamport", None, 3, "losses=1", 405109, 24, 2450, {"ME1": 8, "ME3": 13, "the oldest is inside": 7, "ME2": 4}),
    Row("lamport", None, 3, "crashes=1", 195250, 25, 1000, {"ME2": 4}),
    Row("lamport", "clockless", 2, "", 48, 10, 2, {}),
    Row("lamport", "clockless", 3, "", 14596, 24, 3, {"ME3": 15}),
    Row("lamport", "hasty", 2, "", 259, 10, 24, {"ME1": 2, "the oldest is inside": 2}),
    Row("lamport", "lazy", 2, "", 70, 10, 7, {}),
    Row("lamport", "lazy", 2, "losses=1", 151, 10, 30, {"ME1": 5, "the oldest is inside": 5, "ME2": 2}),
    Row("lamport", "lazy", 2, "crashes=1", 164, 11, 37, {"ME2": 2}),
    Row("lamport", "lazy", 3, "", 43671, 24, 58, {}),
    Row("lamport", "lazy", 3, "losses=1", 183810, 24, 1795, {"ME1": 8, "ME3": 13, "the oldest is inside": 7, "ME2": 4}),
    Row("lamport", "lazy", 3, "crashes=1", 98526, 25, 750, {"ME2": 4}),
    Row("lamport", "no-tie-break", 2, "", 94, 10, 9, {"ME1": 5, "the oldest is inside": 5}),
    Row("lamport", "no-tie-break", 3, "", 182229, 24, 91, {"ME1": 8, "the oldest is inside": 7}),
    Row("le-lann", None, 2, "", 42, 9, 1, {}),
    Row("le-lann", None, 2, "losses=1", 94, 10, 18, {"E1": 9, "the greatest leads": 4, "E2": 2}),
    Row("le-lann", None, 2, "crashes=1", 90, 9, 15, {"the greatest leads": 5, "E2": 2}),
    Row("le-lann", None, 3, "", 899, 28, 1, {}),
    Row("le-lann", None, 3, "losses=1", 3584, 29, 43, {"E1": 9, "the greatest leads": 6, "E2": 2}),
    Row("le-lann", None, 3, "crashes=1", 2261, 28, 88, {"the greatest leads": 8, "E2": 2}),
    Row("le-lann", "first-home", 2, "", 32, 9, 1, {"E1": 5, "the greatest leads": 4, "E2": 5, "leader": None}),
    Row("maekawa", None, 2, "", 49, 11, 2, {}),
    Row("maekawa", None, 2, "quorums=own", 9, 4, 1, {"ME1": 2}),
    Row("maekawa", None, 2, "losses=1", 103, 11, 22, {"ME2": 2}),
    Row("maekawa", None, 2, "crashes=1", 116, 11, 20, {"ME2": 2}),
    Row("maekawa", None, 3, "", 457, 16, 7, {}),
    Row("maekawa", None, 3, "quorums=all", 10884, 27, 3, {}),
    Row("maekawa", None, 3, "quorums=tree", 383, 16, 3, {}),
    Row("maekawa", None, 3, "losses=1", 1222, 16, 75, {"ME2": 2}),
    Row("maekawa", None, 3, "crashes=1", 1308, 16, 70, {"ME2": 2}),
    Row("maekawa", None, 4, "requests=0,1,1,1", 8204, 26, 7, {}),
    Row("maekawa", "as-published", 3, "", 457, 16, 7, {}),
    Row("maekawa", "as-published", 4, "requests=0,1,1,1", 8432, 26, 8, {"ME2": 14}),
    Row("maekawa", "ignores-inquire", 2, "", 43, 10, 2, {"ME2": 5}),
    Row("maekawa", "obliging", 3, "", 788, 15, 11, {"ME1": 6, "votes are real": 7}),
    Row("maekawa", "plain", 2, "", 36, 10, 2, {"ME2": 4}),
    Row("maekawa", "plain", 3, "", 306, 15, 7, {"ME2": 6}),
    Row("maekawa", "tree-quorums", 3, "", 383, 16, 3, {}),
    Row("maekawa", "tree-quorums", 3, "losses=1", 1023, 17, 58, {"ME2": 2}),
    Row("naimi-trehel", None, 2, "", 20, 8, 2, {}),
    Row("naimi-trehel", None, 2, "losses=1", 30, 8, 7, {"one token": 3, "ME2": 2}),
    Row("naimi-trehel", None, 2, "crashes=1", 41, 8, 8, {"one token": 1, "ME2": 2}),
    Row("naimi-trehel", None, 3, "", 154, 13, 6, {}),
    Row("naimi-trehel", None, 3, "chain=1", 154, 14, 5, {}),
    Row("naimi-trehel", None, 3, "losses=1", 294, 13, 34, {"one token": 3, "ME2": 2}),
    Row("naimi-trehel", None, 3, "crashes=1", 426, 14, 37, {"one token": 1, "ME2": 2}),
    Row("naimi-trehel", None, 4, "", 1386, 18, 24, {}),
    Row("naimi-trehel", "keeps-next", 2, "requests=2", 192, 18, 14, {"one token": 12, "nexts form no cycle": 7}),
    Row(
        "naimi-trehel",
        "keeps-next",
        2,
        "requests=3",
        1194,
        24,
        34,
        {"ME1": 13, "one token": 12, "nexts form no cycle": 7},
    ),
    Row("naimi-trehel", "no-reversal", 2, "", 20, 8, 2, {}),
    Row("naimi-trehel", "no-reversal", 2, "losses=1", 30, 8, 7, {"one token": 3, "ME2": 2}),
    Row("naimi-trehel", "no-reversal", 2, "crashes=1", 41, 8, 8, {"one token": 1, "ME2": 2}),
    Row("naimi-trehel", "no-reversal", 3, "", 158, 14, 6, {}),
    Row("naimi-trehel", "no-reversal", 3, "losses=1", 274, 14, 30, {"one token": 3, "ME2": 2}),
    Row("naimi-trehel", "no-reversal", 3, "crashes=1", 460, 15, 43, {"one token": 1, "ME2": 2}),
    Row("naimi-trehel", "stays-last", 3, "", 93, 10, 3, {"ME1": 4, "one token": 4, "ME2": 8}),
    Row("non-end-to-end", None, 2, "timeouts=1", 6314, 25, 146, {}),
    Row("non-end-to-end", None, 2, "timeouts=1 losses=1", 23357, 25, 919, {}),
    Row("non-end-to-end", None, 2, "replicas=1 timeouts=1", 62, 12, 4, {}),
    Row("non-end-to-end", None, 2, "replicas=1 timeouts=1 losses=1", 100, 12, 13, {"ME2": 2}),
    Row("non-end-to-end", None, 3, "replicas=1 timeouts=1", 1345, 20, 19, {}),
    Row("non-end-to-end", None, 3, "replicas=1 timeouts=1 losses=1", 2934, 21, 101, {"ME2": 2}),
    Row("non-end-to-end", "as-described", 2, "timeouts=1", 6877, 24, 117, {"ME1": 13}),
    Row("non-end-to-end", "yield-to-voters", 2, "timeouts=1", 4852, 22, 139, {}),
    Row("peterson", None, 2, "", 62, 16, 1, {}),
    Row("peterson", None, 2, "losses=1", 177, 17, 23, {"the greatest leads": 11, "E2": 2}),
    Row("peterson", None, 2, "crashes=1", 140, 17, 21, {"the greatest leads": 8, "E2": 2}),
    Row("peterson", None, 3, "", 646, 36, 1, {}),
    Row("peterson", None, 3, "losses=1", 2818, 37, 99, {"E1": 22, "the greatest leads": 15, "E2": 2}),
    Row("peterson", None, 3, "crashes=1", 1663, 37, 85, {"the greatest leads": 11, "E2": 2}),
    Row("peterson", "keeps-own", 2, "", 62, 16, 1, {"the greatest leads": 7}),
    Row("peterson", "one-neighbour", 2, "", 62, 16, 1, {}),
    Row("peterson", "one-neighbour", 2, "losses=1", 177, 17, 23, {"the greatest leads": 11, "E2": 2}),
    Row("peterson", "one-neighbour", 2, "crashes=1", 140, 17, 21, {"the greatest leads": 8, "E2": 2}),
    Row("peterson", "one-neighbour", 3, "", 646, 36, 1, {}),
    Row("raft-election", None, 2, "requests=0 timeouts=2", 58, 8, 0, {}),
    Row("raft-election", None, 2, "requests=0 timeouts=2 losses=1", 117, 9, 0, {}),
    Row("raft-election", None, 2, "requests=0 timeouts=2 crashes=1", 138, 9, 0, {}),
    Row("raft-election", None, 2, "timeouts=2", 2398, 15, 0, {}),
    Row("raft-election", None, 3, "requests=0 timeouts=1", 73, 7, 0, {}),
    Row("raft-election", None, 3, "requests=0 timeouts=1 resets=1", 485, 8, 0, {"voters stand by their votes": 4}),
    Row("raft-election", None, 3, "requests=0 timeouts=2", 5497, 14, 0, {}),
    Row("raft-election", None, 3, "requests=0 timeouts=2 losses=1", 17656, 15, 0, {}),
    Row("raft-election", None, 3, "requests=0 timeouts=2 crashes=1", 11347, 14, 0, {}),
    Row("raft-election", "half", 2, "requests=0 timeouts=2", 71, 8, 0, {"E1": 2, "one leader a term": 2}),
    Row(
        "raft-election",
        "votes-twice",
        3,
        "requests=0 timeouts=2",
        8680,
        14,
        0,
        {"E1": 6, "one leader a term": 6, "voters stand by their votes": 5},
    ),
    Row("raft-election", "pre-vote", 2, "requests=0 timeouts=2", 100, 11, 0, {}),
    Row("raft-election", "pre-vote", 2, "requests=0 timeouts=2 losses=1", 193, 11, 0, {}),
    Row("raft-election", "pre-vote", 2, "requests=0 timeouts=2 crashes=1", 232, 12, 0, {}),
    Row("raft-election", "pre-vote", 2, "requests=0 timeouts=3", 514, 16, 0, {}),
    Row("raft-election", "pre-vote", 3, "requests=0 timeouts=2", 31441, 22, 0, {}),
    Row("random-access", None, 2, "timeouts=2", 45, 6, 0, {"ME1": 2}),
    Row("random-access", None, 2, "timeouts=2 losses=1", 45, 6, 0, {"ME1": 2}),
    Row("random-access", None, 2, "timeouts=2 crashes=1", 69, 6, 0, {"ME1": 2}),
    Row("random-access", None, 3, "timeouts=2", 150, 7, 0, {"ME1": 2}),
    Row("random-access", None, 3, "timeouts=2 losses=1", 150, 7, 0, {"ME1": 2}),
    Row("random-access", None, 3, "timeouts=2 crashes=1", 285, 7, 0, {"ME1": 2}),
    Row("random-access", "end-to-start", 2, "timeouts=2", 45, 6, 0, {"ME1": 2}),
    Row("random-access", "half", 2, "timeouts=2", 45, 6, 0, {"ME1": 2}),
    Row("random-access", "journal", 2, "timeouts=2", 45, 6, 0, {"ME1": 2}),
    Row("random-access", "minus", 2, "timeouts=2", 45, 6, 0, {"ME1": 2}),
    Row("random-access", "quarter", 2, "timeouts=2", 45, 6, 0, {"ME1": 2}),
    Row("raymond", None, 2, "", 20, 8, 2, {}),
    Row("raymond", None, 2, "losses=1", 30, 8, 7, {"one token": 3, "ME2": 2}),
    Row("raymond", None, 2, "crashes=1", 41, 8, 8, {"one token": 1, "one root": 1, "ME2": 2}),
    Row("raymond", None, 3, "", 136, 14, 3, {}),
    Row("raymond", None, 3, "losses=1", 258, 14, 33, {"one token": 3, "ME2": 2}),
    Row("raymond", None, 3, "crashes=1", 357, 14, 25, {"one token": 1, "one root": 1, "ME2": 2}),
    Row("raymond", "asks-once", 2, "", 20, 8, 2, {}),
    Row("raymond", "asks-once", 2, "requests=2", 59, 12, 3, {"ME2": 9}),
    Row("raymond", "asks-once", 3, "", 130, 12, 4, {"ME2": 11}),
    Row("raymond", "does-not-turn", 2, "", 16, 6, 1, {"ME1": 4, "one token": 2, "one root": 3}),
    Row("raymond", "does-not-turn", 3, "", 87, 10, 1, {"ME1": 4, "one token": 2, "one root": 3}),
    Row("raymond", "from-inside", 2, "", 24, 8, 2, {"ME1": 4}),
    Row("raymond", "from-inside", 3, "", 198, 14, 3, {"ME1": 4}),
    Row("ricart-agrawala", None, 2, "", 30, 8, 2, {}),
    Row("ricart-agrawala", None, 2, "losses=1", 51, 8, 11, {"ME2": 2}),
    Row("ricart-agrawala", None, 2, "crashes=1", 71, 9, 14, {"ME2": 2}),
    Row("ricart-agrawala", None, 2, "duplicates=1", 139, 10, 4, {"no error": 5}),
    Row("ricart-agrawala", None, 2, "requests=2", 133, 16, 3, {}),
    Row("ricart-agrawala", None, 3, "", 3115, 18, 3, {}),
    Row("ricart-agrawala", None, 3, "losses=1", 11034, 18, 161, {"ME2": 4}),
    Row("ricart-agrawala", None, 3, "crashes=1", 8138, 19, 125, {"ME2": 4}),
    Row("ricart-agrawala", None, 3, "requests=2", 67351, 36, 5, {"ME3": 14}),
    Row("ricart-agrawala", "both-defer", 2, "", 26, 8, 2, {"ME2": 4}),
    Row("ricart-agrawala", "both-defer", 3, "", 2124, 18, 14, {"ME2": 8}),
    Row("ricart-agrawala", "current-clock", 2, "", 38, 8, 2, {"ME1": 6}),
    Row("ricart-agrawala", "forgetful", 2, "", 30, 8, 4, {"ME2": 6}),
    Row("ricart-agrawala", "impatient", 2, "synchronous", 91, 10, 2, {"ME1": 6}),
    Row("ricart-agrawala", "neither-defers", 2, "", 34, 8, 2, {"ME1": 6}),
    Row("ring-election", None, 2, "", 48, 10, 1, {}),
    Row("ring-election", None, 2, "losses=1", 91, 10, 10, {"E2": 2}),
    Row("ring-election", None, 2, "crashes=1", 108, 10, 11, {"E2": 2}),
    Row("ring-election", None, 3, "", 1337, 21, 1, {}),
    Row("ring-election", None, 3, "losses=1", 2841, 21, 59, {"E2": 2}),
    Row("ring-election", None, 3, "crashes=1", 3758, 21, 70, {"E2": 2}),
    Row("ring-election", None, 4, "", 58118, 36, 1, {}),
    Row("ring-election", None, 5, "", 3427627, 55, 1, {}),
    Row("ring-election", "restarting", 2, "synchronous", 102, 18, 1, {}),
    Row("ring-election", "restarting", 2, "synchronous losses=1", 1466, 31, 5, {"E1": 12, "E2": 9}),
    Row("ring-election", "restarting", 2, "synchronous crashes=1", 494, 18, 5, {}),
    Row("ring-election", "restarting", 3, "synchronous", 10820, 39, 1, {}),
    Row("ring-election", "short", 2, "", 37, 8, 1, {}),
    Row("ring-election", "short", 2, "losses=1", 66, 8, 10, {"E2": 2}),
    Row("ring-election", "short", 2, "crashes=1", 85, 8, 11, {"E2": 2}),
    Row("ring-election", "short", 3, "", 952, 18, 1, {}),
    Row("ring-election", "short", 4, "", 37521, 32, 1, {}),
    Row("ring-election", "skipping", 2, "synchronous", 102, 18, 1, {}),
    Row("ring-election", "skipping", 2, "synchronous losses=1", 990, 26, 12, {"E1": 12, "E2": 9}),
    Row("ring-election", "skipping", 2, "synchronous crashes=1", 435, 18, 8, {"E2": 12}),
    Row("ring-election", "skipping", 3, "synchronous", 10820, 39, 1, {}),
    Row("ring-election", "swallowing", 2, "", 9, 4, 1, {"E2": 2, "leader": None}),
    Row("ring-election", "swallowing", 3, "", 27, 6, 1, {"E2": 2, "leader": None}),
    Row("ring-search", None, 2, "", 20, 8, 2, {}),
    Row("ring-search", None, 2, "losses=1", 30, 8, 7, {"one token": 3, "ME2": 2}),
    Row("ring-search", None, 2, "crashes=1", 46, 9, 10, {"one token": 1, "ME2": 2}),
    Row("ring-search", None, 3, "", 284, 15, 6, {}),
    Row("ring-search", None, 3, "losses=1", 703, 15, 38, {"one token": 3, "ME2": 2}),
    Row("ring-search", None, 3, "crashes=1", 828, 16, 51, {"one token": 1, "ME2": 2}),
    Row("ring-search", None, 4, "", 7066, 24, 34, {}),
    Row("ring-search", None, 5, "", 226359, 35, 293, {}),
    Row("ring-search", "circulating", 2, "", 66, 10, 0, {}),
    Row("ring-search", "circulating", 2, "losses=1", 136, 10, 10, {"one token": 1, "ME2": 3}),
    Row("ring-search", "circulating", 2, "crashes=1", 124, 10, 8, {"one token": 1, "ME2": 2}),
    Row("ring-search", "circulating", 3, "", 1971, 19, 0, {}),
    Row("sigma", None, 2, "", 3729, 25, 102, {}),
    Row("sigma", None, 2, "losses=1", 12583, 25, 529, {}),
    Row("sigma", None, 2, "replicas=1 timeouts=1", 45, 10, 4, {}),
    Row("sigma", None, 2, "replicas=1 timeouts=1 losses=1", 68, 10, 12, {"ME2": 2}),
    Row("sigma", None, 3, "replicas=1 timeouts=1", 625, 17, 8, {}),
    Row("sigma", None, 3, "replicas=1 timeouts=1 losses=1", 1198, 18, 56, {"ME2": 2}),
    Row("sigma", "polling", 2, "timeouts=2", 12226, 31, 209, {}),
    Row("sigma", "polling", 2, "timeouts=2 losses=1", 43857, 31, 1253, {}),
    Row("sigma", "polling", 3, "replicas=1 timeouts=1", 1139, 19, 8, {}),
    Row("suzuki-kasami", None, 2, "", 20, 8, 2, {}),
    Row("suzuki-kasami", None, 2, "losses=1", 30, 8, 7, {"one token": 3, "ME2": 2}),
    Row("suzuki-kasami", None, 2, "crashes=1", 43, 9, 9, {"one token": 1, "ME2": 2}),
    Row("suzuki-kasami", None, 3, "", 589, 15, 5, {}),
    Row("suzuki-kasami", None, 3, "losses=1", 1852, 15, 39, {"one token": 3, "ME2": 3}),
    Row("suzuki-kasami", None, 3, "crashes=1", 1284, 15, 33, {"one token": 1, "ME2": 3}),
    Row("suzuki-kasami", "copies", 2, "", 19, 6, 1, {"ME1": 4, "one token": 2}),
    Row("suzuki-kasami", "copies", 3, "", 791, 15, 6, {"ME1": 4, "one token": 2}),
    Row("suzuki-kasami", "deaf", 2, "", 22, 8, 4, {"ME2": 4}),
    Row("suzuki-kasami", "deaf", 3, "", 877, 15, 30, {"ME2": 5}),
    Row("token-ring", None, 2, "", 24, 7, 0, {}),
    Row("token-ring", None, 2, "losses=1", 33, 7, 4, {"one token": 1, "ME2": 2}),
    Row("token-ring", None, 2, "crashes=1", 38, 7, 4, {"one token": 1, "ME2": 2}),
    Row("token-ring", None, 3, "", 108, 11, 0, {}),
    Row("token-ring", None, 3, "losses=1", 135, 11, 8, {"one token": 1, "ME2": 2}),
    Row("token-ring", None, 3, "crashes=1", 207, 11, 12, {"one token": 1, "ME2": 2}),
    Row("token-ring", None, 3, "duplicates=1", 360, 12, 0, {"ME1": 6, "one token": 1}),
    Row("token-ring", None, 3, "requests=2", 525, 20, 0, {}),
    Row("token-ring", None, 4, "", 432, 15, 0, {}),
    Row("token-ring", None, 5, "", 1620, 19, 0, {}),
    Row("token-ring", "acknowledged", 2, "synchronous", 68, 10, 0, {}),
    Row("token-ring", "acknowledged", 2, "synchronous losses=1", 645, 16, 0, {"ME1": 7, "one token": 1, "ME2": 8}),
    Row("token-ring", "acknowledged", 2, "synchronous crashes=1", 151, 10, 5, {"one token": 1, "ME2": 5}),
    Row("token-ring", "acknowledged", 3, "synchronous", 1000, 16, 0, {}),
    Row("token-ring", "acknowledged", 3, "synchronous crashes=1", 1823, 16, 15, {"one token": 1, "ME2": 5}),
    Row("token-ring", "acknowledged", 4, "synchronous", 7760, 22, 0, {}),
    Row("token-ring", "asking-everybody", 2, "synchronous", 264, 13, 0, {}),
    Row("token-ring", "asking-everybody", 2, "synchronous losses=1", 929, 19, 0, {"ME1": 9, "one token": 1}),
    Row("token-ring", "asking-everybody", 2, "synchronous crashes=1", 424, 13, 0, {"one token": 1, "ME2": 4}),
    Row("token-ring", "asking-everybody", 3, "timeouts=1", 5634, 16, 0, {"ME1": 8, "one token": 5}),
    Row("token-ring", "regenerating", 2, "synchronous timeouts=6", 3593, 37, 0, {}),
    Row("token-ring", "regenerating", 2, "synchronous timeouts=6 losses=1", 19938, 40, 0, {"ME1": 7, "one token": 1}),
    Row("token-ring", "regenerating", 2, "synchronous timeouts=6 crashes=1", 7481, 37, 0, {"one token": 1}),
    Row("token-ring", "regenerating", 3, "synchronous timeouts=3", 19912, 41, 0, {}),
    Row("token-ring", "regenerating", 3, "synchronous timeouts=3 crashes=1", 40707, 46, 0, {"one token": 1}),
    Row("token-ring", "regenerating", 3, "synchronous timeouts=4", 47700, 51, 0, {}),
    Row("token-ring", "three-messages", 2, "identifiers=4 synchronous", 254, 33, 0, {}),
    Row(
        "token-ring",
        "three-messages",
        2,
        "identifiers=4 synchronous losses=1",
        1481,
        37,
        33,
        {"one token": 3, "ME2": 5},
    ),
    Row(
        "token-ring",
        "three-messages",
        2,
        "identifiers=4 synchronous crashes=1",
        495,
        33,
        17,
        {"one token": 1, "ME2": 4},
    ),
    Row("token-ring", "three-messages", 2, "identifiers=4 timeouts=1", 1811, 37, 33, {"one token": 4, "ME2": 5}),
    Row("token-ring", "three-messages", 3, "identifiers=4 synchronous", 1150, 50, 0, {}),
    Row(
        "token-ring",
        "three-messages",
        3,
        "identifiers=4 synchronous crashes=1",
        5491,
        65,
        50,
        {"one token": 1, "ME2": 4},
    ),
    Row("token-ring", "three-messages-without-identifier", 2, "synchronous", 74, 15, 0, {}),
    Row(
        "token-ring",
        "three-messages-without-identifier",
        2,
        "synchronous losses=1",
        460,
        20,
        5,
        {"one token": 3, "ME2": 5},
    ),
    Row(
        "token-ring",
        "three-messages-without-identifier",
        2,
        "synchronous crashes=1",
        141,
        15,
        5,
        {"one token": 1, "ME2": 4},
    ),
    Row("token-ring", "three-messages-without-identifier", 2, "timeouts=1", 626, 20, 5, {"one token": 4, "ME2": 5}),
    Row("tree-election", None, 2, "", 24, 5, 3, {}),
    Row("tree-election", None, 2, "losses=1", 56, 6, 10, {"E2": 3}),
    Row("tree-election", None, 2, "crashes=1", 42, 5, 9, {"E2": 2}),
    Row("tree-election", None, 3, "", 291, 9, 14, {}),
    Row("tree-election", None, 3, "losses=1", 775, 10, 44, {"E2": 3}),
    Row("tree-election", None, 3, "crashes=1", 624, 10, 45, {"E2": 2}),
    Row("tree-election", "eager", 3, "", 313, 9, 11, {"E1": 6, "E2": 7, "leader": None}),
    Row("tree-election", "no-waking", 2, "", 11, 4, 3, {"E2": 2, "leader": None}),
    Row("uncoordinated", None, 2, "", 9, 4, 1, {"ME1": 2}),
    Row("uncoordinated", None, 2, "losses=1", 9, 4, 1, {"ME1": 2}),
    Row("uncoordinated", None, 2, "crashes=1", 15, 4, 3, {"ME1": 2}),
    Row("uncoordinated", None, 3, "", 27, 6, 1, {"ME1": 2}),
    Row("uncoordinated", None, 3, "losses=1", 27, 6, 1, {"ME1": 2}),
    Row("uncoordinated", None, 3, "crashes=1", 54, 6, 4, {"ME1": 2}),
    Row("voting", None, 2, "", 806, 19, 1, {}),
    Row("voting", None, 2, "losses=1", 1906, 25, 11, {"ME2": 4}),
    Row("voting", None, 2, "crashes=1", 1066, 19, 11, {"ME2": 4}),
    Row("voting", None, 2, "resets=1", 4465, 23, 8, {"ME2": 12}),
    Row("voting", None, 3, "", 34166, 34, 1, {}),
    Row("voting", None, 3, "losses=1", 169808, 41, 31, {"ME2": 4}),
    Row("voting", None, 3, "crashes=1", 67298, 34, 64, {"ME2": 4}),
    Row("voting", "half", 2, "", 40, 10, 1, {"ME1": 6}),
    Row("voting", "half", 3, "", 216, 15, 1, {"ME1": 6}),
    Row("voting", "tolerant", 2, "synchronous", 1025, 19, 1, {}),
    Row("voting", "tolerant", 2, "synchronous losses=1", 4031, 25, 4, {"ME2": 11}),
    Row("voting", "tolerant", 2, "synchronous crashes=1", 1319, 19, 5, {"ME2": 7}),
    Row("voting", "tolerant", 2, "timeouts=2", 30291, 23, 1, {"ME1": 14}),
    Row("voting", "tolerant", 3, "synchronous timeouts=1", 987673, 37, 0, {}),
)


if __name__ == "__main__":
    wanted = sys.argv[1:] or [row.algorithm for row in ROWS]
    for row in ROWS:
        if row.algorithm in wanted and (now := recount(row)) != row:
            print(f"    Row({', '.join(map(repr, now))}),".replace("'", '"'))
