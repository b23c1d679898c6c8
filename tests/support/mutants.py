"""How each mutant in the catalogue is caught, with the shortest schedules stored as runs to play.

python -m tests.support.mutants                 # search for the schedules again and store them
python -m tests.support.mutants voting          # … of some algorithms only
"""

from __future__ import annotations

import sys
from pathlib import Path

from algorithms import catalog, scenario_file
from algorithms.engine.check.counterexample import counterexample_scenario
from algorithms.engine.check.explore import Exploration, Finding
from algorithms.engine.scenario import Scenario
from tests.support.state_counts import ROWS, exploration, shared_exploration

SCHEDULES = Path(__file__).parents[1] / "schedules"
FAMILIES = ("mutual exclusion", "election", "peer to peer")

# (algorithm, variant, property) -> the least nodes and bounds that suffice
CAUGHT = {
    ("afek-gafni", "goes-on", "E1"): (4, ""),
    ("afek-gafni", "never-asks", "owners keep what they count"): (3, ""),
    ("afek-gafni", "silent", "E2"): (3, ""),
    ("bully", "oracle", "E2"): (2, "synchronous crashes=1"),
    ("carvalho-roucairol", "forgets-to-ask", "ME2"): (3, "requests=2"),
    ("carvalho-roucairol", "keeps", "ME1"): (2, "requests=2"),
    ("centralized", "electing-unsafe", "ME1"): (3, "synchronous crashes=1"),
    ("centralized", "grants-twice", "ME1"): (2, ""),
    ("chandy-misra", "circle", "ME2"): (3, ""),
    ("chandy-misra", "dirty-circle", "ME2"): (3, ""),
    ("chandy-misra", "stays-clean", "ME2"): (2, ""),
    ("chandy-misra", "while-eating", "ME1"): (2, ""),
    ("chang-roberts", "skipping", "E2"): (2, "synchronous crashes=1"),
    ("echo-extinction", "counts-all", "E1"): (3, ""),
    ("echo-extinction", "no-extinction", "E2"): (2, ""),
    ("end-to-end", "as-described", "ME1"): (2, "replicas=1 timeouts=0 requests=2"),
    ("end-to-end", "as-described", "ME2"): (2, "replicas=1 timeouts=0"),
    ("end-to-end", "both-steps", "ME1"): (2, "replicas=1 timeouts=0 requests=2"),
    ("end-to-end", "lost-enqueue", "ME2"): (2, "replicas=1 timeouts=0"),
    ("end-to-end", "owner-asks-again", "ME1"): (2, "replicas=1 timeouts=0 requests=2"),
    ("hirschberg-sinclair", "no-waking", "E2"): (2, ""),  # the larger one swallows both probes and sleeps on
    ("itai-rodeh", "no-bit", "E1"): (2, ""),
    ("itai-rodeh", "no-count", "E1"): (2, ""),
    ("k-entries", "takes-late-replies", "ME1"): (3, "requests=1,1,2"),
    ("lamport", "clockless", "ME3"): (3, ""),
    ("lamport", "hasty", "ME1"): (2, ""),
    ("lamport", "no-tie-break", "ME1"): (2, ""),
    ("le-lann", "first-home", "E1"): (2, ""),
    ("maekawa", "as-published", "ME2"): (4, "requests=0,1,1,1"),
    ("maekawa", "ignores-inquire", "ME2"): (2, ""),
    ("maekawa", "obliging", "ME1"): (3, ""),
    ("maekawa", "plain", "ME2"): (2, ""),
    ("naimi-trehel", "keeps-next", "ME1"): (2, "requests=3"),  # 2 would do if enter() did not refuse an entry unasked
    ("naimi-trehel", "keeps-next", "one token"): (2, "requests=2"),
    ("naimi-trehel", "stays-last", "ME1"): (3, ""),
    ("naimi-trehel", "stays-last", "ME2"): (3, ""),
    ("naimi-trehel", "stays-last", "one token"): (3, ""),
    ("non-end-to-end", "as-described", "ME1"): (2, "timeouts=1"),
    ("raymond", "asks-once", "ME2"): (2, "requests=2"),  # with one request each it takes three processes
    ("raymond", "does-not-turn", "ME1"): (2, ""),
    ("raymond", "does-not-turn", "one token"): (2, ""),
    ("raymond", "from-inside", "ME1"): (2, ""),
    ("peterson", "keeps-own", "the greatest leads"): (2, ""),  # the smaller one survives for the larger's number
    ("raft-election", "half", "one leader a term"): (2, "requests=0 timeouts=2"),
    ("raft-election", "old-votes", "one leader a term"): (3, "requests=0 timeouts=3"),
    ("raft-election", "votes-twice", "one leader a term"): (3, "requests=0 timeouts=2"),
    ("ricart-agrawala", "both-defer", "ME2"): (2, ""),
    ("ricart-agrawala", "current-clock", "ME1"): (2, ""),
    ("ricart-agrawala", "current-clock", "ME3"): (3, ""),
    ("ricart-agrawala", "forgetful", "ME2"): (2, ""),
    ("ricart-agrawala", "impatient", "ME1"): (2, ""),
    ("ricart-agrawala", "impatient", "ME3"): (2, ""),
    ("ricart-agrawala", "neither-defers", "ME1"): (2, ""),
    ("ring-election", "skipping", "E2"): (2, "synchronous crashes=1"),
    ("ring-election", "swallowing", "E2"): (2, ""),
    ("suzuki-kasami", "copies", "ME1"): (2, ""),
    ("suzuki-kasami", "copies", "one token"): (2, ""),
    ("suzuki-kasami", "deaf", "ME2"): (2, ""),
    ("token-ring", "asking-everybody", "ME1"): (3, ""),
    ("token-ring", "asking-everybody", "one token"): (3, ""),
    ("tree-election", "eager", "E1"): (3, ""),
    ("tree-election", "no-waking", "E2"): (2, ""),
    ("voting", "half", "ME1"): (2, ""),
}
# too large to explore: shipped scenarios show these violations
SHOWN = {
    ("binary-search-token", "asking-neighbours", "ME1"): "dead-lender-neighbours",  # needs four processes
    ("binary-search-token", "asking-once", "ME1"): "one-census",  # the checker needs 150,000 states
    ("end-to-end", "overwriting", "ME1"): "p2p-overwritten-vote",
    ("end-to-end", "resets-any", "ME1"): "p2p-any-owner-reset",
    ("end-to-end", "without-stamps", "ME1"): "p2p-old-response",
    ("non-end-to-end", "yield-to-voters", "ME2"): "p2p-yield-to-voters",
}


def breaks() -> set[tuple[str, str, str]]:
    """All claims of the catalogue that a mutant breaks a property: (algorithm, variant, property)."""
    algorithms = (algorithm for family in FAMILIES for algorithm in catalog.by_family()[family])
    return {(a.name, name, broken) for a in algorithms for name, v in a.variants.items() for broken in v.breaks}


def caught(algorithm: str, variant: str, broken: str) -> tuple[Exploration, Finding]:
    """The exploration and the finding that catch the mutant. StopIteration if it is not caught."""
    system = (algorithm, variant, *CAUGHT[algorithm, variant, broken])
    is_small = any(row[:4] == system and row.is_small for row in ROWS)
    explored = shared_exploration(*system) if is_small else exploration(*system)
    while not explored.has_broken(broken) and explored.advance(100):
        pass
    findings = explored.report().findings
    return explored, next(f for f in findings if f.property.name == broken and f.trail)


def file_of(algorithm: str, variant: str, broken: str) -> Path:
    """The file of the mutant's schedule."""
    return SCHEDULES / f"{algorithm}-{variant}-{broken.replace(' ', '-')}.toml"


def shortest(algorithm: str, variant: str, broken: str) -> Scenario:
    """The mutant's shortest schedule, as the scenario of a run."""
    return counterexample_scenario(*caught(algorithm, variant, broken))


if __name__ == "__main__":
    SCHEDULES.mkdir(exist_ok=True)
    for mutant in sorted(mutant for mutant in CAUGHT if mutant[0] in (sys.argv[1:] or mutant)):
        scenario_file.save(shortest(*mutant), file_of(*mutant))
