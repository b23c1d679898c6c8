"""What the textbooks say about mutual exclusion, exact for N = 2 … 10, in runs of the shipped algorithms.

“Alone” is one process that asks while nobody else does, “together” all at time 0, once. Messages take 1 and stays 1.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations, islice

import pytest

from algorithms import catalog
from algorithms.components.quorums import QUORUMS, tree
from algorithms.engine.check.explore import Exploration
from algorithms.engine.check.moves import Bounds
from algorithms.engine.events import DELIVER, ENTER, KIND, LEAVE, MESSAGE, NODE
from algorithms.engine.observe.size import size_of
from algorithms.engine.observe.verdicts import BROKEN, HOLDS
from algorithms.engine.randomness import Fixed
from algorithms.engine.scenario import Event, Network, Scenario
from algorithms.engine.simulation import Simulation
from algorithms.engine.workload import Request, Saturated, Script
from tests.support.kit import entries, for_each, run, sent, verdicts
from tests.support.loads import asks, in_turn

SIZES = range(2, 11)


def receivers(simulation: Simulation, kind: str) -> Counter[int]:
    """Node -> the number of messages of that class sent to it."""
    effects = (record for _, records in simulation.trace.steps() for record in records[1:])
    messages = (record for record in effects if record[KIND] == DELIVER)
    return Counter(record[NODE] for record in messages if type(record[MESSAGE]).__name__ == kind)


# ---- Carvalho–Roucairol ------------------------------------------------------------------------------------


@for_each(n=SIZES)
def test_carvalho_roucairol_takes_2_n_minus_1_messages_at_first_and_none_again(n):
    alone = run("carvalho-roucairol", n, load=asks(0))
    assert sent(alone) == Counter(Request=n - 1, Reply=n - 1)
    assert entries(alone) == [(2.0, 0)]
    again = run("carvalho-roucairol", n, load=in_turn(*[0] * 5))
    assert sent(again).total() == 2 * (n - 1)
    assert entries(again)[1:] == [(100.0 * turn, 0) for turn in range(1, 5)]
    together = run("carvalho-roucairol", n, load=asks(*range(n)))
    assert sent(together).total() == 2 * n * (n - 1)
    assert [node for _, node in entries(together)] == [*range(n)]


@for_each(n=SIZES)
def test_carvalho_roucairol_asks_those_that_have_asked_since(n):
    for k in range(1, n):  # P1 … Pk enter after P0, which then lacks their permissions
        simulation = run("carvalho-roucairol", n, load=in_turn(0, *range(1, k + 1), 0), until=2_000.0)
        assert sent(simulation, by=0)["Request"] == n - 1 + k


# ---- Chandy–Misra ------------------------------------------------------------------------------------------


@for_each(n=SIZES)
def test_chandy_misra_takes_two_messages_for_each_fork_that_is_elsewhere(n):
    for node in range(n):
        alone = run("chandy-misra", n, load=asks(node))
        assert sent(alone) == Counter({kind: node for kind in ("Request", "Fork") if node})
        assert entries(alone) == [(2.0 if node else 0.0, node)]
    again = run("chandy-misra", n, load=in_turn(n - 1, n - 1))
    assert sent(again).total() == 2 * (n - 1), "the second entry costs nothing"


@for_each(n=SIZES)
def test_chandy_misra_together_takes_two_messages_for_each_way_of_a_fork(n):
    """By hand: P0 has all its forks; of any two others the larger takes the fork, eats, and returns it."""
    together = run("chandy-misra", n, load=asks(*range(n)))
    assert sent(together).total() == 2 * ((n - 1) + 2 * (n - 1) * (n - 2) // 2) == 2 * (n - 1) ** 2
    assert [node for _, node in entries(together)] == [0, *reversed(range(1, n))]
    assert verdicts(together)["ME1"] == HOLDS


def most_inside(simulation: Simulation) -> int:
    """The largest number of processes inside at the same time."""
    inside, most = 0, 0
    for _, (event, *effects) in simulation.trace.steps():
        inside += sum(record[KIND] == ENTER for record in effects) - (event[KIND] == LEAVE)
        most = max(most, inside)
    return most


@pytest.mark.parametrize(("alternate", "at_a_time"), [(False, 1), (True, 3)])
def test_six_philosophers_eat_as_the_forks_are_dealt_out(alternate, at_a_time):
    parameters = {"alternate": alternate}
    ring = run("chandy-misra", 6, load=Saturated(hold=Fixed(2.0)), topology="ring", parameters=parameters, until=300.0)
    assert most_inside(ring) == at_a_time
    turns = Counter(node for _, node in entries(ring))
    assert max(turns.values()) - min(turns.values()) <= 1, "nobody starves"
    assert verdicts(ring)["ME1"] == HOLDS


def test_two_neighbours_inside_break_me1_and_two_others_do_not():
    """By hand: P0 of a ring of four has all its forks; its neighbour does not, and the one opposite does."""
    for other, verdict in ((2, HOLDS), (1, BROKEN)):
        load = asks(0, other, hold=9.0)
        simulation = catalog.simulation(Scenario("chandy-misra", nodes=4, topology="ring", load=load))
        for process in simulation.processes:
            process.forks = set(process.peers)
        simulation.run(until=5.0)
        assert verdicts(simulation)["ME1"] == verdict


# ---- Raymond's k entries -----------------------------------------------------------------------------------


@for_each(n=SIZES)
def test_k_entries_lets_in_k_at_a_time_for_2_n_minus_1_messages(n):
    for k in range(1, n + 1):
        alone = run("k-entries", n, load=asks(0), parameters={"k": k})
        assert sent(alone) == Counter(Request=n - 1, Reply=n - 1)
        assert entries(alone) == [(2.0 if k < n else 0.0, 0)]
        together = run("k-entries", n, load=asks(*range(n)), parameters={"k": k})
        assert sent(together) == Counter(dict.fromkeys(("Request", "Reply"), n * (n - 1)))
        busy = run("k-entries", n, load=Saturated(hold=Fixed(3.0)), parameters={"k": k}, until=200.0)
        assert most_inside(busy) == k
        assert verdicts(busy)["ME1"] == HOLDS


def test_me1_is_broken_by_one_more_than_k():
    for k, verdict in ((3, HOLDS), (2, BROKEN)):
        simulation = catalog.simulation(
            Scenario("k-entries", nodes=4, parameters={"k": k}, load=asks(0, 1, 2, hold=9.0))
        )
        for process in simulation.processes:
            process.owed = [-9] * 4  # as if all others had replied
        simulation.run(until=5.0)
        assert verdicts(simulation)["ME1"] == verdict


# ---- Lamport -----------------------------------------------------------------------------------------------


@for_each(n=SIZES)
def test_lamport_takes_3_n_minus_1_messages_and_a_round_trip(n):
    alone = run("lamport", n, load=asks(n - 1))
    assert sent(alone) == Counter(Request=n - 1, Ack=n - 1, Release=n - 1)
    assert entries(alone) == [(2.0, n - 1)]
    together = run("lamport", n, load=asks(*range(n)))
    assert sent(together) == Counter(dict.fromkeys(("Request", "Ack", "Release"), n * (n - 1)))
    assert entries(together) == [(1.0 + 2.0 * node, node) for node in range(n)], "their later requests let P0 in"


@for_each(n=SIZES)
def test_lazy_lamport_saves_an_acknowledgement_for_each_two_requests_that_cross(n):
    assert sent(run("lamport", n, load=asks(0), variant="lazy")).total() == 3 * (n - 1)
    together = run("lamport", n, load=asks(*range(n)), variant="lazy")
    assert sent(together)["Ack"] == n * (n - 1) // 2
    assert sent(together).total() == 2.5 * n * (n - 1)
    assert receivers(together, "Ack") == Counter({node: node for node in range(1, n)}), "one from each older process"


# ---- Maekawa -----------------------------------------------------------------------------------------------


@for_each(name=sorted({*QUORUMS} - {"own"}))
def test_any_two_quorums_meet_and_each_has_its_process(name):
    for n in range(2, 41):
        quorums = [{*QUORUMS[name](node, n)} for node in range(n)]
        assert all(node in quorum for node, quorum in enumerate(quorums))
        assert all(one & other for one in quorums for other in quorums)


def test_quorums_are_about_the_root_of_n():
    for n, k in {3: 2, 7: 3, 13: 4, 21: 5, 31: 6}.items():
        lines = [{*QUORUMS["grid"](node, n)} for node in range(n)]
        assert {len(line) for line in lines} == {k}
        assert all(len(one & other) == 1 for one in lines for other in lines if one != other), "a projective plane"
    for width in (2, 4, 5, 6):
        assert {len(QUORUMS["grid"](node, width**2)) for node in range(width**2)} == {2 * width - 1}
    for n in (3, 7, 15, 31):
        assert {len(QUORUMS["tree"](node, n)) for node in range(n)} == {(n + 1).bit_length() - 1}


@pytest.mark.parametrize("n", [3, 7, 15])
def test_exactly_half_of_all_sets_of_crashed_processes_leave_a_tree_quorum(n):
    """Any two of these intersect, whichever processes had crashed; they have log₂(N+1) to (N+1)/2 members."""
    everybody = frozenset(range(n))
    crashed = [frozenset(some) for k in range(n + 1) for some in combinations(everybody, k)]
    asking = range(0, n, 1 if n < 15 else 14)  # of fifteen, the root, which goes left, and the last leaf
    quorums = {gone: {tree(node, n, gone) for node in asking} for gone in crashed}
    assert sum(None not in found for found in quorums.values()) == 2 ** (n - 1)
    assert all(found == {None} for found in quorums.values() if None in found), "whoever asks"
    found = {frozenset(quorum) for found in quorums.values() for quorum in found if quorum}
    assert all(one & other for one in found for other in found)
    assert {len(quorum) for quorum in found} == {*range((n + 1).bit_length() - 1, (n + 1) // 2 + 1)}
    assert all(not gone & frozenset(quorum) for gone in crashed for quorum in quorums[gone] if quorum)


@for_each(n=(3, 7, 15))
def test_tree_quorums_serve_whoever_asks_after_crashes_that_leave_a_quorum(n):
    for gone in islice(combinations(range(n), 1 + n // 7), None, None, 3 if n > 7 else 1):
        crashes = [Event(0.0, "crash", node=node) for node in gone]
        alive = [node for node in range(n) if node not in gone]
        load = asks(*alive, at=1.0)
        served = run("maekawa", n, *crashes, load=load, variant="tree-quorums", topology="complete")
        has_quorum = tree(alive[0], n, {*gone}) is not None
        assert sorted(node for _, node in entries(served)) == (alive if has_quorum else [])
        assert verdicts(served)["ME1"] == HOLDS


def test_each_crash_on_the_way_costs_a_message_and_a_round_trip():
    """By hand: P0's request is lost, then P2 and P5 are asked, where P3's quorum without crashes is P0, P1 and P3."""
    load = asks(3, at=1.0)
    served = run("maekawa", 7, Event(0.0, "crash", node=0), load=load, variant="tree-quorums")
    assert sent(served) == Counter(Request=4, Vote=3, Release=4)
    assert entries(served) == [(4.0, 3)]
    assert set(served.processes[3].quorum) == {1, 2, 3, 5}


@for_each(n=SIZES)
def test_maekawa_takes_3_k_minus_1_messages_and_a_round_trip(n):
    for node in range(n):
        k = len(QUORUMS["grid"](node, n))
        alone = run("maekawa", n, load=asks(node))
        assert sent(alone) == Counter(Request=k - 1, Vote=k - 1, Release=k - 1)
        assert entries(alone) == [(2.0, node)]


@for_each(n=SIZES)
def test_maekawa_together_serves_everybody(n):
    together = run("maekawa", n, load=asks(*range(n)))
    assert sorted(node for _, node in entries(together)) == [*range(n)]
    count = sent(together)
    assert count["Vote"] == count["Release"] + count["Handback"]
    assert count["Inquiry"] >= count["Handback"]


@for_each(n=SIZES)
def test_maekawa_together_takes_a_refusal_more_for_each_request_but_one_of_an_arbiter(n):
    """Each arbiter asks itself first. It refuses all others but the first older one, so P0 refuses all."""
    together = sent(run("maekawa", n, load=asks(*range(n))))
    requests = sum(len(QUORUMS["grid"](node, n)) - 1 for node in range(n))
    assert together == Counter(Request=requests, Vote=requests, Release=requests, Refusal=requests - (n - 1))


def test_from_one_to_the_next_maekawa_takes_two_delays():
    """The release to the common arbiter, and its vote; one if the leaver is the arbiter itself."""
    seven = run("maekawa", 7, load=Script(requests=(Request(0.0, 0), Request(0.5, 2)), hold=Fixed(3.0)))
    assert entries(seven) == [(2.0, 0), (7.0, 2)]
    shared = run("maekawa", 7, load=Script(requests=(Request(0.0, 3), Request(0.5, 2)), hold=Fixed(3.0)))
    assert entries(shared) == [(2.0, 3), (6.0, 2)]


# ---- Naimi–Trehel ------------------------------------------------------------------------------------------


@for_each(n=SIZES)
def test_naimi_trehel_takes_a_request_for_each_father_and_the_token(n):
    for node in range(n):
        alone = run("naimi-trehel", n, load=asks(node), parameters={"chain": True})
        assert sent(alone) == Counter({"Request": node, "Token": 1} if node else {})
        assert entries(alone) == [(node + 1.0 if node else 0.0, node)]
        star = run("naimi-trehel", n, load=asks(node))
        assert sent(star).total() == (2 if node else 0)


@for_each(n=SIZES)
def test_naimi_trehel_together_passes_all_requests_but_the_first_on_once(n):
    """By hand: all ask P0, which notes the first as its next, and passes any other on to the one before it."""
    together = run("naimi-trehel", n, load=asks(*range(n)))
    assert sent(together) == Counter(Request=1 + 2 * (n - 2), Token=n - 1)
    assert [node for _, node in entries(together)] == [*range(n)]


@for_each(n=SIZES)
def test_the_way_along_a_chain_is_paid_for_once_or_each_time_if_it_is_not_reversed(n):
    load = in_turn(*reversed(range(n)))
    turned = run("naimi-trehel", n, load=load, parameters={"chain": True}, until=2_000.0)
    assert sent(turned).total() == n + 2 + 3 * (n - 2), "the chain; then one request, and then two, and the token"
    kept = run("naimi-trehel", n, load=load, variant="no-reversal", parameters={"chain": True}, until=2_000.0)
    assert sent(kept).total() == n * n


def fathers_after(n: int, fathers: tuple[int | None, ...], asker: int) -> tuple[tuple[int | None, ...], int]:
    """The fathers after an entry of the asker, and its messages, from a state in which nobody waits."""
    simulation = catalog.simulation(Scenario("naimi-trehel", nodes=n, load=asks(asker, at=1.0)))
    for process, father in zip(simulation.processes, fathers, strict=True):
        process.father, process.here = father, father is None
    simulation.run(until=50.0)
    return tuple(process.father for process in simulation.processes), sent(simulation).total()


@for_each(n=range(2, 5))
def test_naimi_trehel_takes_the_harmonic_number_of_messages_on_average(n):
    """Exactly 1 + 1/2 + … + 1/(N−1), the token included: the stationary mean of the chain of all trees of fathers."""
    start: tuple[int | None, ...] = (None, *[0] * (n - 1))
    moves: dict[tuple[int | None, ...], list[tuple[tuple[int | None, ...], int]]] = {}
    todo = [start]
    while todo:
        state = todo.pop()
        if state not in moves:
            moves[state] = [fathers_after(n, state, asker) for asker in range(n)]
            todo += [after for after, _ in moves[state]]
    share = dict.fromkeys(moves, 1 / len(moves))
    for _ in range(200):
        following = dict.fromkeys(moves, 0.0)
        for state, part in share.items():
            for after, _ in moves[state]:
                following[after] += part / n
        share = following
    mean = sum(part * sum(count for _, count in moves[state]) / n for state, part in share.items())
    assert mean == pytest.approx(sum(1 / k for k in range(1, n)), rel=1e-9)


# ---- Raymond -----------------------------------------------------------------------------------------------


@for_each(n=SIZES)
def test_raymond_takes_two_messages_for_each_edge_between_the_process_and_the_token(n):
    for node in range(n):
        distance = (node + 1).bit_length() - 1  # in the binary tree
        alone = run("raymond", n, load=asks(node))
        assert sent(alone) == Counter({kind: distance for kind in ("Request", "Privilege") if distance})
        assert entries(alone) == [(2.0 * distance, node)]


@for_each(n=SIZES)
def test_raymond_together_takes_the_token_twice_over_each_edge_but_those_to_the_last(n):
    """By hand: down each edge on request, and back up on request where somebody still waits."""
    together = run("raymond", n, load=asks(*range(n)))
    assert sorted(node for _, node in entries(together)) == [*range(n)]
    depth = (entries(together)[-1][1] + 1).bit_length() - 1
    assert sent(together) == Counter(dict.fromkeys(("Request", "Privilege"), 2 * (n - 1) - depth))


@for_each(n=SIZES)
def test_raymond_takes_about_four_messages_an_entry_together_on_a_star(n):
    together = run("raymond", n, load=asks(*range(n)), topology="star")
    assert len(entries(together)) == n
    assert sent(together) == Counter(Request=2 * n - 3, Privilege=2 * n - 3)


@pytest.mark.parametrize(("topology", "diameter"), [("star", 2), ("tree", 7), ("grid", 6)])
def test_the_formula_of_raymond_knows_the_graph(topology, diameter):
    size = size_of(Scenario("raymond", nodes=16, topology=topology), catalog.find("raymond"))
    cost = catalog.find("raymond").cost
    assert cost is not None
    assert cost.high is not None
    assert (size.diameter, cost.low(size), cost.high(size)) == (diameter, 0, 2 * diameter)


# ---- Suzuki–Kasami -----------------------------------------------------------------------------------------


@for_each(n=SIZES)
def test_suzuki_kasami_takes_n_messages_or_none(n):
    for node in range(1, n):
        alone = run("suzuki-kasami", n, load=asks(node))
        assert sent(alone) == Counter(Request=n - 1, Token=1)
        assert entries(alone) == [(2.0, node)]
    at_home = run("suzuki-kasami", n, load=asks(0))
    assert (entries(at_home), sent(at_home).total()) == ([(0.0, 0)], 0)


@for_each(n=SIZES)
def test_suzuki_kasami_together_hands_the_token_on_in_one_message_per_entry(n):
    together = run("suzuki-kasami", n, load=asks(*range(n)))
    assert sent(together) == Counter(Request=(n - 1) ** 2, Token=n - 1)  # the token is at P0, which sends no request
    times = [time for time, _ in entries(together)]
    assert times == [2.0 * turn for turn in range(n)], "a stay, and a message from one to the next"


# ---- without FIFO channels ---------------------------------------------------------------------------------


@for_each(
    case=[
        ("lamport", 2, Bounds(), {"ME1", "the oldest is inside"}),
        ("maekawa", 4, Bounds(requests=(0, 1, 1, 1)), {"ME2"}),
        ("carvalho-roucairol", 2, Bounds(requests=2), set()),
        ("carvalho-roucairol", 3, Bounds(), set()),
        ("suzuki-kasami", 3, Bounds(), set()),
        ("raymond", 3, Bounds(requests=2), set()),
        ("naimi-trehel", 3, Bounds(requests=2), set()),
        ("chandy-misra", 3, Bounds(), set()),
    ]
)
def test_what_channels_that_reorder_break(case):
    name, nodes, bounds, broken = case
    scenario = Scenario(name, nodes=nodes, network=Network(fifo=False))
    exploration = Exploration(scenario, catalog.find(name), bounds)
    while exploration.advance(1_000):
        pass
    report = exploration.report()
    assert report.is_complete
    assert {finding.property.name for finding in report.findings if finding.trail} == broken
