"""Memo 440 as rewriting rules: exact state counts, the prefix property, and refinement between systems."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algorithms.engine.randomness import Stream, key
from algorithms.engine.rewrite.reductions import Limits, ReachableStates, Reduction, Refinement, reachable_states
from algorithms.engine.rewrite.rewriting import Bag, Data, History, Rule, System, World, _, phi, phi_of, variables
from algorithms.engine.rewrite.rule_text import rule_text
from algorithms.rewriting_systems import (
    catalog,
    system_binary_search,
    system_message_passing,
    system_s,
    system_s1,
    system_search,
    system_token,
)
from algorithms.rewriting_systems.refinements import AS_PRINTED, DIRECT, REPAIRED
from algorithms.rewriting_systems.system_binary_search import HAT, arc
from algorithms.rewriting_systems.terms import LOAN, NOBODY, H, O, P, W, x, y
from tests.support.kit import for_each
from visual.command_line import main

S, S1, TOKEN = system_s.SYSTEM, system_s1.SYSTEM, system_token.SYSTEM
MESSAGE_PASSING, SEARCH_SYSTEM = system_message_passing.SYSTEM, system_search.SYSTEM
BINARY_SEARCH = system_binary_search.SYSTEM

SIZES = [  # system, limits, number of states
    (S, Limits(2, 1, 3), 142),
    (S, Limits(3, 1, 3), 854),
    (S1, Limits(2, 1, 2), 358),
    (S1, Limits(3, 1, 1), 296),
    (TOKEN, Limits(2, 1, 3), 142),
    (TOKEN, Limits(3, 1, 2), 200),
    (MESSAGE_PASSING, Limits(2, 1, 3), 418),
    (MESSAGE_PASSING, Limits(3, 1, 2), 584),
    (MESSAGE_PASSING.variant("ring"), Limits(3, 1, 3), 179),
    (SEARCH_SYSTEM, Limits(2, 1, 1, messages=2), 2548),
    (SEARCH_SYSTEM, Limits(3, 1, 1, messages=1), 2036),
    (SEARCH_SYSTEM.variant("linear"), Limits(2, 1, 1), 3052),
    (BINARY_SEARCH, Limits(2, 1, 3), 534),
    (BINARY_SEARCH, Limits(3, 1, 2), 3950),
]


@cache
def explored(system: System, limits: Limits) -> ReachableStates:
    return reachable_states(system, limits)


def numbers(reachable: ReachableStates, state) -> list[str]:
    """The numbers of the rules on a shortest reduction to the state."""
    return [step.application.rule.number for step in reachable.reduction(state)]


# ---- terms and rules ---------------------------------------------------------------------------------------


def test_bags_are_equal_in_whatever_order_they_were_filled():
    assert Bag(((1, "a"), (0, "b"))) == Bag(((0, "b"), (1, "a"))) == Bag(((1, "a"),)).plus((0, "b"))
    assert Bag((0, 0, 1)).without(0) == Bag((0, 1)) != Bag((1,))


def test_phi_is_a_left_identity_of_data_only():
    assert phi_of(0) + Data(((0, 1),)) == Data(((0, 1),))
    assert History() + phi_of(0) != History()


def test_a_variable_matches_the_same_term_wherever_it_occurs():
    a, b, rest = variables("a b rest")
    rule = Rule("1", (rest | (a, b), a), (rest, b))
    world = World(2, 1, (Bag(((0, "p"), (1, "q"))), 1))
    [bindings] = rule.matches(world)
    assert rule.apply(world, bindings) == (Bag(((0, "p"),)), "q")


def test_a_wildcard_on_both_sides_leaves_the_term_unchanged():
    a, rest = variables("a rest")
    rule = Rule("1", (rest | (a, _), _), (rest | (a, phi(a)), _))
    world = World(2, 1, (Bag(((0, "p"),)), "kept"))
    [bindings] = rule.matches(world)
    assert rule.apply(world, bindings) == (Bag(((0, phi_of(0)),)), "kept")


# ---- every system ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("system", "limits", "states"), SIZES)
def test_every_reachable_state_has_the_prefix_property_and_one_token(system, limits, states):
    reachable = explored(system, limits)
    assert reachable.is_complete
    assert reachable.first(lambda state: not system.prefix_property(state)) is None
    if system.tokens:
        assert reachable.first(lambda state: system.tokens(state) != 1) is None
    assert len(reachable.states) == states


def test_the_states_of_system_s_counted_by_hand():
    """For N = 2: histories of marks and at most one datum per node; a node that has sent none may have asked or not."""
    lengths = range(4)
    without = sum(2**n * 4 for n in lengths)
    one_of_two = sum(2 * n * 2 ** (n - 1) * 2 for n in lengths if n)
    both = sum(n * (n - 1) * 2 ** (n - 2) for n in lengths if n > 1)
    assert len(explored(S, Limits(2, 1, 3)).states) == without + one_of_two + both


@for_each(system=[S, S1, TOKEN, MESSAGE_PASSING, SEARCH_SYSTEM, BINARY_SEARCH])
def test_every_node_can_always_ask(system):
    reachable = explored(system, Limits(2, 1, 1, messages=1))
    assert reachable.first(lambda state: len(state[0]) != 2) is None


# ---- printed rules -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("system", "rule", "way"),
    [(S, "2", ["2", "2"]), (S1, "2", ["2", "2"]), (MESSAGE_PASSING, "3", ["3", "2", "4"] * 2)],
    ids=["S", "S1", "Message-Passing"],
)
def test_a_bare_q_on_the_right_drops_all_nodes(system, rule, way):
    reachable = explored(system.as_printed(rule), Limits(2, 1, 3))
    empty_queue = reachable.first(lambda state: not state[0] and not (len(state) == 5 and state[2] == NOBODY))
    assert numbers(reachable, empty_queue) == way


@pytest.mark.parametrize("system", [SEARCH_SYSTEM, BINARY_SEARCH], ids=lambda system: system.name)
def test_a_message_without_a_type_becomes_a_second_token(system):
    printed = system.as_printed("3")
    reachable = reachable_states(printed, Limits(2, 1, 1), until=lambda state: printed.tokens(state) == 2)
    two = reachable.first(lambda state: printed.tokens(state) == 2)
    assert sorted(numbers(reachable, two)) == ["1", "2", "3", "4", "5"]


def test_a_hat_on_the_receiver_loses_the_token():
    reachable = explored(BINARY_SEARCH.as_printed("7", "8"), Limits(2, 1, 2))
    assert reachable.is_complete
    lost = reachable.first(lambda state: any(type(node) is tuple and node[0] == HAT for node, _ in state[3]))
    assert numbers(reachable, lost)[-2:] == ["7", "2"]
    assert all(step.application.rule.number != "8" for step in reachable.steps())
    after = reachable_states(replace(reachable.system, initial=lambda nodes: lost), reachable.limits)
    assert all(state[2] == NOBODY for state in after.states)  # no node ever has it again


def test_the_first_forward_as_printed_leads_back_to_the_requester():
    reachable = explored(BINARY_SEARCH.as_printed("5", "6"), Limits(4, 1, 0, messages=1))
    forward = next(step for step in reachable.steps() if step.application.rule.number == "6")
    bindings = dict(forward.application.bindings)
    asked = set(forward.after[4]) - set(forward.before[4])
    assert [receiver for _, (receiver, _) in asked] == [bindings["z"]]


def test_a_search_as_printed_starts_without_any_need():
    reachable = explored(BINARY_SEARCH.as_printed("5"), Limits(2, 1, 0, messages=1))
    needless = reachable.first(lambda state: state[4])
    assert numbers(reachable, needless) == ["5"]  # its requester needs nothing, and has the token


# ---- the binary search -------------------------------------------------------------------------------------


@for_each(nodes=range(2, 30))
def test_the_arc_closes_on_a_resting_token(nodes):
    """The token has moved from node 0 to its holder; the halves of the arc lead there from any node."""
    world = World(nodes, 1, ())
    for holder in range(1, nodes):
        marks = [phi_of(node)[0] for node in range(holder)]  # the holder has not left its mark
        histories = {node: History(marks[: node + 1] if node < holder else ()) for node in range(nodes)}
        for asker in range(nodes):
            low, high, asked = 0, nodes, None
            while asker != holder != asked and high - low > 1:
                asked = (asker + (low + high) // 2) % nodes
                if asked != holder:
                    low, high = arc(world, low, high, histories[asked], asked, histories[asker], asker)
            assert asker == holder or asked == holder


def test_a_loan_comes_back_and_leaves_no_mark():
    reachable = explored(BINARY_SEARCH, Limits(2, 1, 3))
    loans = [step for step in reachable.steps() if step.application.rule.number == "8"]
    assert loans
    for step in loans:
        bindings = dict(step.application.bindings)
        before, after = (BINARY_SEARCH.histories(state) for state in (step.before, step.after))
        assert max(len(history.circulation()) for history in before) == max(len(h.circulation()) for h in after)
        assert (bindings["x"], (bindings["y"])) in [(sender, receiver) for sender, (receiver, _) in step.after[4]]


# ---- refinement --------------------------------------------------------------------------------------------

LIMITS = {
    S1: Limits(2, 1, 2),
    TOKEN: Limits(3, 1, 2),
    MESSAGE_PASSING: Limits(3, 1, 2),
    SEARCH_SYSTEM: Limits(2, 1, 1, messages=2),
    BINARY_SEARCH: Limits(2, 1, 3),
}
FAILS_AT = {"Lemma 3": "4", "Search": "7", "Theorem 1": "6a"}


def breach(refinement: Refinement) -> str | None:
    """The number of the first rule that the abstract system cannot simulate."""
    step = refinement.unexplained(explored(refinement.concrete, LIMITS[refinement.concrete]))
    return step and step.application.rule.number


@pytest.mark.parametrize("refinement", AS_PRINTED, ids=lambda refinement: refinement.name)
def test_the_claims_of_the_proof_sketches_hold_or_fail_as_known(refinement):
    assert breach(refinement) == FAILS_AT.get(refinement.name)


@for_each(refinement=[*REPAIRED, *DIRECT])
def test_with_the_missing_rule_every_step_is_simulated(refinement):
    assert breach(refinement) is None


KEEPING = Rule(  # a mutant of rule 7
    "7", (_, P | (x, H), x, _, O, W | (x, ("τ", y))), (_, P | (x, H), x, _, O | (x, (y, (LOAN, H))), W)
)


def test_a_rule_7_that_keeps_the_token_is_caught():
    mutant = replace(
        BINARY_SEARCH, rules=tuple(KEEPING if rule.number == "7" else rule for rule in BINARY_SEARCH.rules)
    )
    reachable = explored(mutant, Limits(2, 1, 2, messages=3))
    assert reachable.first(lambda state: mutant.tokens(state) == 2) is not None
    assert reachable.first(lambda state: not mutant.prefix_property(state)) is not None
    theorem = replace(REPAIRED[-1], concrete=mutant)
    assert theorem.unexplained(reachable).application.rule.number == "7"


def test_a_failing_refinement_comes_as_a_pair_of_runs():
    """The concrete run up to the failing step, and the image of each state in the abstract system."""
    refinement = AS_PRINTED[2]
    reachable = explored(MESSAGE_PASSING, LIMITS[MESSAGE_PASSING])
    step = refinement.unexplained(reachable)
    states = [earlier.after for earlier in reachable.reduction(step.before)]
    abstract = [refinement.mapping(state) for state in (*states, step.after)]
    assert abstract[-2] != abstract[-1]
    assert all(len(state) == len(TOKEN.components) for state in abstract)


# ---- step by step, and as text -----------------------------------------------------------------------------


LARGE = Limits(5, 2, 14, messages=4)


@settings(max_examples=6)
@given(st.binary(min_size=80, max_size=160))
def test_walks_in_a_larger_system_keep_the_properties(places):
    reduction = Reduction(BINARY_SEARCH, LARGE)
    for place in places:
        choices = reduction.choices()
        if not choices:
            break
        reduction.take(choices[place % len(choices)])
        assert BINARY_SEARCH.prefix_property(reduction.state)
        assert BINARY_SEARCH.tokens(reduction.state) == 1


def test_a_random_walk_in_a_larger_system_applies_the_rules_of_the_search():
    reduction, dice = Reduction(BINARY_SEARCH, LARGE), Stream(key(0, "strategy"))
    while (choices := reduction.choices()) and len(reduction.steps) < 120:
        reduction.take(dice.choice(choices))
    assert {step.application.rule.number for step in reduction.steps} >= {"1", "2", "3", "4", "5"}


def test_a_step_can_be_taken_back():
    reduction = Reduction(TOKEN, Limits(2, 1, 3))
    before, choices = reduction.state, reduction.choices()
    reduction.take(choices[-1])
    assert reduction.state != before
    assert reduction.back() == choices[-1]
    assert reduction.state == before
    assert reduction.choices() == choices


def test_rules_are_written_as_printed():
    assert rule_text(S.as_printed().rules[1]) == "(Q | (x, d), H) → (Q, H ⊕ d)"
    assert rule_text(TOKEN.rules[1]) == (
        "(Q | (x, d), H, P | (x, -), x) → (Q | (x, φ_x), H ⊕ d, P | (x, H ⊕ d), y) for any y"
    )
    ring = MESSAGE_PASSING.variant("ring").as_printed().rules[2]
    assert rule_text(ring).endswith("O | (x, (x⁺¹, H ⊕ d)))")


def test_every_repair_has_its_reason():
    for system in catalog.by_name().values():
        for rule in system.rules:
            assert rule.why or not rule.printed, f"{system.name}, rule {rule.number}"


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("", "system-binary-search"),
        ("system-search", "as printed:"),
        ("system-message-passing --variant ring", "3′"),
        ("system-token --steps 3 --seed 2", "φ_"),
        ("system-s --printed 2 --steps 9", "no rule applies any more"),
        ("system-token --check", "142 states"),
        ("system-search --check --printed 3 --history 1", "one token: there are 2"),
        ("system-message-passing --refines --history 1", "Lemma 3: System Message-Passing refines System Token: fails"),
        (
            "system-message-passing --refines --history 1",
            "Message-Passing in S1: System Message-Passing refines System S1: h",
        ),
    ],
)
def test_the_command_shows_rules_reductions_and_states(words, shown, capsys):
    assert main(["rules", *words.split()]) == 0
    assert shown in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("system-x", "system-token"),
        ("system-s --variant ring", "--variant"),
        ("system-s --printed 9", "--printed"),
        ("system-s --nodes 0", "--nodes"),
    ],
)
def test_bad_arguments_are_reported_in_one_sentence(words, said, capsys):
    assert main(["rules", *words.split()]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert said in captured.err
    assert captured.err.count("\n") == 1
