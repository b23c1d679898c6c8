"""Term rewriting: print a system's rules, apply them at random, or explore all states within bounds.

Where a rule as printed cannot be what was meant, the repaired rule is used; both are shown, with the reason.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from algorithms.bad_input import BadInput
from algorithms.engine.randomness import Stream, key
from algorithms.engine.rewrite.reductions import Limits, Reduction, Step, reachable_states
from algorithms.engine.rewrite.rewriting import State, System
from algorithms.engine.rewrite.rule_text import rule_text, term_text
from algorithms.rewriting_systems import catalog
from visual.commands.argument_types import count
from visual.commands.refinement_report import report_refinements

EXAMPLES = """\
  mutoscope rules
  mutoscope rules system-binary-search
  mutoscope rules system-token --nodes 3 --steps 12 --seed 7
  mutoscope rules system-search --check --nodes 2 --history 1 --messages 2
  mutoscope rules system-binary-search --check --printed 3
  mutoscope rules system-message-passing --refines --history 1"""

COUNTS = (
    ("--nodes", 2, "number of nodes (default: 2)"),
    ("--requests", 1, "number of data that each node has to send (default: 1)"),
    ("--history", 3, "longest history to explore, in events (default: 3)"),
    ("--messages", None, "greatest number of messages in transit (default: no limit)"),
    ("--seed", 1, "seed of the random choice of rules (default: 1)"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("system", metavar="SYSTEM", nargs="?", help="the system (default: list all systems)")
    add("--variant", metavar="NAME", help="use the rules of a variant")
    add("--printed", metavar="RULES", help="use these rules as printed: 3, or 7,8, or all")
    add("--steps", metavar="N", type=count, help="reduce for N steps")
    add("--check", action="store_true", help="explore all states; check the prefix property and the tokens")
    add(
        "--refines",
        action="store_true",
        help="check that each step is a step of the more abstract system, or leaves its state as it is",
    )
    add("-o", "--output", metavar="FOLDER", help="folder for a pair of runs that shows a failed refinement")
    for flag, usual, words in COUNTS:
        add(flag, metavar="N", type=count, default=usual, help=words)


def run(arguments: argparse.Namespace) -> int:
    """Print the rules, a reduction, a check, or the refinements."""
    if arguments.system is None:
        for system in catalog.by_name().values():
            print(f"{system.name:24} {system.source}")
        return 0
    if not arguments.nodes:
        raise BadInput("--nodes: expected at least 1 node, got 0")
    system = _system(arguments)
    limits = Limits(arguments.nodes, arguments.requests, arguments.history, arguments.messages)
    if arguments.check:
        _check(system, limits)
    elif arguments.refines:
        report_refinements(system, _catalogued(arguments), limits, arguments.output and Path(arguments.output))
    elif arguments.steps is not None:
        _reduce(system, limits, arguments.steps, arguments.seed)
    else:
        _print_rules(system)
    return 0


def _system(arguments: argparse.Namespace) -> System:
    """The system that the arguments specify. BadInput if there is no such variant or rule."""
    system = catalog.find(arguments.system)
    if arguments.variant:
        if arguments.variant not in system.variants:
            names = ", ".join(system.variants) or "none"
            raise BadInput(f"--variant: {system.name} has no variant {arguments.variant!r}; expected {names}")
        system = system.variant(arguments.variant)
    if arguments.printed:
        repaired = [rule.number for rule in system.rules if rule.printed]
        numbers = repaired if arguments.printed == "all" else arguments.printed.split(",")
        for number in numbers:
            if number not in repaired:
                raise BadInput(
                    f"--printed: expected repaired rules of {system.name} ({', '.join(repaired)}), got {number!r}"
                )
        system = system.as_printed(*numbers)
    return system


def _catalogued(arguments: argparse.Namespace) -> str | None:
    """The variant under which the system can be played."""
    if arguments.printed and "," not in arguments.printed and arguments.printed != "all":
        return f"printed-{arguments.printed}"
    return str(arguments.variant) if arguments.variant else None


def _print_rules(system: System) -> None:
    print(f"{system.title} ({system.source})\n({', '.join(system.components)})\n")
    for rule in system.rules:
        print(f"{rule.number:>3}  {rule_text(rule)}")
        if rule.printed:
            print(f"     as printed: {rule_text(rule.printed)}")
        if rule.why:
            print(f"     {rule.why}")


def _reduce(system: System, limits: Limits, steps: int, seed: int) -> None:
    """Print a reduction that picks rules at random."""
    reduction, dice = Reduction(system, limits), Stream(key(seed, "strategy"))
    print(f"     {_state_text(reduction.state)}")
    for _ in range(steps):
        choices = reduction.choices()
        if not choices:
            print("     no rule applies any more")
            return
        reduction.take(dice.choice(choices))
        print(_step_text(reduction.steps[-1]))


def _check(system: System, limits: Limits) -> None:
    """Explore all states; print a shortest path to a state in which a property fails."""

    def broken(state: State) -> str | None:
        if system.tokens and system.tokens(state) != 1:
            return f"one token: there are {system.tokens(state)}"
        return None if system.prefix_property(state) else "the prefix property"

    reached = reachable_states(system, limits, until=lambda state: broken(state) is not None)
    wrong = reached.first(lambda state: broken(state) is not None)
    more = "" if reached.is_complete or wrong else " (more exist)"
    print(f"{system.title}: {len(reached.states)} states{more}")
    if wrong is None:
        print("prefix property" + (" and one token" if system.tokens else "") + ": holds")
        return
    print(f"fails: {broken(wrong)}")
    for step in reached.reduction(wrong):
        print(_step_text(step))


def _step_text(step: Step) -> str:
    return f"{step.application.rule.number:>3}  {_state_text(step.after)}"


def _state_text(state: State) -> str:
    return f"({', '.join(map(term_text, state))})"
