"""Memo 440 as rules: exact state counts, the prefix property, and which system refines which."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

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
from visual.command_line import main

S, S1, TOKEN = system_s.SYSTEM, system_s1.SYSTEM, system_token.SYSTEM
MESSAGE_PASSING, SEARCH_SYSTEM = system_message_passing.SYSTEM, system_search.SYSTEM
BINARY_SEARCH = system_binary_search.SYSTEM

SIZES = [  # system, its limits, how many states there are
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
def reached(system: System, limits: Limits) -> ReachableStates:
    return reachable_states(system, limits)


def numbers(found: ReachableStates, state) -> list[str]:
    """The numbers of the rules on a shortest way to the state."""
    return [step.application.rule.number for step in found.reduction(state)]


# ---- terms and rules ---------------------------------------------------------------------------------------


def test_equal_bags_are_equal_however_they_were_filled():
    assert Bag(((1, "a"), (0, "b"))) == Bag(((0, "b"), (1, "a"))) == Bag(((1, "a"),)).plus((0, "b"))
    assert Bag((0, 0, 1)).without(0) == Bag((0, 1)) != Bag((1,))


def test_phi_is_an_identity_on_the_left_of_data_only():
    assert phi_of(0) + Data(((0, 1),)) == Data(((0, 1),))
    assert History() + phi_of(0) != History()


def test_a_variable_is_the_same_thing_wherever_it_stands():
    a, b, rest = variables("a b rest")
    rule = Rule("1", (rest | (a, b), a), (rest, b))
    world = World(2, 1, (Bag(((0, "p"), (1, "q"))), 1))
    [bound] = rule.matches(world)
    assert rule.apply(world, bound) == (Bag(((0, "p"),)), "q")


def test_a_wild_card_on_both_sides_is_left_unchanged():
    a, rest = variables("a rest")
    rule = Rule("1", (rest | (a, _), _), (rest | (a, phi(a)), _))
    world = World(2, 1, (Bag(((0, "p"),)), "kept"))
    [bound] = rule.matches(world)
    assert rule.apply(world, bound) == (Bag(((0, phi_of(0)),)), "kept")


# ---- every system ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("system", "limits", "states"), SIZES)
def test_every_reachable_state_has_the_prefix_property_and_one_token(system, limits, states):
    found = reached(system, limits)
    assert found.is_complete
    assert found.first(lambda state: not system.prefix_property(state)) is None
    if system.tokens:
        assert found.first(lambda state: system.tokens(state) != 1) is None
    assert len(found.states) == states


def test_the_states_of_system_s_counted_by_hand():
    """For N = 2: histories of marks and up to one datum of each, and whoever has sent none may have asked or not."""
    lengths = range(4)
    without = sum(2**n * 4 for n in lengths)
    one_of_two = sum(2 * n * 2 ** (n - 1) * 2 for n in lengths if n)
    both = sum(n * (n - 1) * 2 ** (n - 2) for n in lengths if n > 1)
    assert len(reached(S, Limits(2, 1, 3)).states) == without + one_of_two + both


@pytest.mark.parametrize("system", [S, S1, TOKEN, MESSAGE_PASSING, SEARCH_SYSTEM, BINARY_SEARCH])
def test_nobody_is_ever_unable_to_ask(system):
    found = reached(system, Limits(2, 1, 1, messages=1))
    assert found.first(lambda state: len(state[0]) != 2) is None


# ---- printed rules -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("system", "rule", "way"),
    [(S, "2", ["2", "2"]), (S1, "2", ["2", "2"]), (MESSAGE_PASSING, "3", ["3", "2", "4"] * 2)],
    ids=["S", "S1", "Message-Passing"],
)
def test_a_bare_q_on_the_right_drops_everybody(system, rule, way):
    found = reached(system.as_printed(rule), Limits(2, 1, 3))
    everybody_gone = found.first(lambda state: not state[0] and not (len(state) == 5 and state[2] == NOBODY))
    assert numbers(found, everybody_gone) == way


@pytest.mark.parametrize("system", [SEARCH_SYSTEM, BINARY_SEARCH], ids=lambda system: system.name)
def test_a_message_without_a_type_becomes_a_second_token(system):
    printed = system.as_printed("3")
    found = reachable_states(printed, Limits(2, 1, 1), until=lambda state: printed.tokens(state) == 2)
    two = found.first(lambda state: printed.tokens(state) == 2)
    assert sorted(numbers(found, two)) == ["1", "2", "3", "4", "5"]


def test_a_hat_on_the_receiver_loses_the_token():
    found = reached(BINARY_SEARCH.as_printed("7", "8"), Limits(2, 1, 2))
    assert found.is_complete
    lost = found.first(lambda state: any(type(node) is tuple and node[0] == HAT for node, _ in state[3]))
    assert numbers(found, lost)[-2:] == ["7", "2"]
    assert all(step.application.rule.number != "8" for step in found.steps())
    after = reachable_states(replace(found.system, initial=lambda nodes: lost), found.limits)
    assert all(state[2] == NOBODY for state in after.states)  # nobody will ever have it again


def test_the_first_forward_as_printed_leads_back_to_the_requester():
    found = reached(BINARY_SEARCH.as_printed("5", "6"), Limits(4, 1, 0, messages=1))
    forward = next(step for step in found.steps() if step.application.rule.number == "6")
    bound = dict(forward.application.bindings)
    asked = set(forward.after[4]) - set(forward.before[4])
    assert [receiver for _, (receiver, _) in asked] == [bound["z"]]


def test_a_search_as_printed_starts_without_any_need():
    found = reached(BINARY_SEARCH.as_printed("5"), Limits(2, 1, 0, messages=1))
    needless = found.first(lambda state: state[4])
    assert numbers(found, needless) == ["5"]  # its requester wants nothing, and has the token


# ---- the binary search -------------------------------------------------------------------------------------


@pytest.mark.parametrize("nodes", range(2, 30))
def test_the_arc_closes_on_a_resting_token(nodes):
    """The token has gone round from node 0 to its holder; whoever asks, the halves of the arc lead to it."""
    world = World(nodes, 1, ())
    for holder in range(1, nodes):
        marks = [phi_of(node)[0] for node in range(holder)]  # the holder has not left its mark yet
        histories = {node: History(marks[: node + 1] if node < holder else ()) for node in range(nodes)}
        for asker in range(nodes):
            low, high, asked = 0, nodes, None
            while asker != holder != asked and high - low > 1:
                asked = (asker + (low + high) // 2) % nodes
                if asked != holder:
                    low, high = arc(world, low, high, histories[asked], asked, histories[asker], asker)
            assert asker == holder or asked == holder


def test_a_loan_comes_back_and_leaves_no_mark():
    found = reached(BINARY_SEARCH, Limits(2, 1, 3))
    loans = [step for step in found.steps() if step.application.rule.number == "8"]
    assert loans
    for step in loans:
        bound = dict(step.application.bindings)
        before, after = (BINARY_SEARCH.histories(state) for state in (step.before, step.after))
        assert max(len(history.circulation()) for history in before) == max(len(h.circulation()) for h in after)
        assert (bound["x"], (bound["y"])) in [(sender, receiver) for sender, (receiver, _) in step.after[4]]


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
    """The number of the first rule that the abstract system cannot follow."""
    step = refinement.unexplained(reached(refinement.concrete, LIMITS[refinement.concrete]))
    return step and step.application.rule.number


@pytest.mark.parametrize("refinement", AS_PRINTED, ids=lambda refinement: refinement.name)
def test_what_the_proof_sketches_claim(refinement):
    assert breach(refinement) == FAILS_AT.get(refinement.name)


@pytest.mark.parametrize("refinement", [*REPAIRED, *DIRECT], ids=lambda refinement: refinement.name)
def test_with_the_rule_that_is_missing_every_step_is_explained(refinement):
    assert breach(refinement) is None


KEEPING = Rule(  # a mutant of rule 7
    "7", (_, P | (x, H), x, _, O, W | (x, ("τ", y))), (_, P | (x, H), x, _, O | (x, (y, (LOAN, H))), W)
)


def test_a_rule_7_that_keeps_the_token_is_caught():
    mutant = replace(
        BINARY_SEARCH, rules=tuple(KEEPING if rule.number == "7" else rule for rule in BINARY_SEARCH.rules)
    )
    found = reached(mutant, Limits(2, 1, 2, messages=3))
    assert found.first(lambda state: mutant.tokens(state) == 2) is not None
    assert found.first(lambda state: not mutant.prefix_property(state)) is not None
    theorem = replace(REPAIRED[-1], concrete=mutant)
    assert theorem.unexplained(found).application.rule.number == "7"


def test_a_breach_comes_as_a_pair_of_runs():
    """The concrete run up to the step, and beside it what the abstract system makes of each state."""
    refinement = AS_PRINTED[2]
    found = reached(MESSAGE_PASSING, LIMITS[MESSAGE_PASSING])
    step = refinement.unexplained(found)
    states = [taken.after for taken in found.reduction(step.before)]
    abstract = [refinement.mapping(state) for state in (*states, step.after)]
    assert abstract[-2] != abstract[-1]
    assert all(len(state) == len(TOKEN.components) for state in abstract)


# ---- step by step, and in writing --------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_larger_systems_keep_the_properties_on_walks_at_random(seed):
    reduction, dice = Reduction(BINARY_SEARCH, Limits(5, 2, 14, messages=4)), Stream(key(seed, "strategy"))
    while (choices := reduction.choices()) and len(reduction.steps) < 120:
        reduction.take(dice.choice(choices))
        assert BINARY_SEARCH.prefix_property(reduction.state)
        assert BINARY_SEARCH.tokens(reduction.state) == 1
    assert {step.application.rule.number for step in reduction.steps} >= {"1", "2", "3", "4", "5"}


def test_a_step_can_be_taken_back():
    reduction = Reduction(TOKEN, Limits(2, 1, 3))
    before, choices = reduction.state, reduction.choices()
    reduction.take(choices[-1])
    assert reduction.state != before
    assert reduction.back() == choices[-1]
    assert reduction.state == before
    assert reduction.choices() == choices


def test_rules_are_written_as_they_are_printed():
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
def test_bad_words_are_answered_in_one_sentence(words, said, capsys):
    assert main(["rules", *words.split()]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert said in captured.err
    assert captured.err.count("\n") == 1
