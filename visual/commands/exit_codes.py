"""The exit codes of commands that judge the promises of an algorithm."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection

from algorithms.engine.observe.promises import is_promised
from algorithms.engine.process import Algorithm
from algorithms.scenario_format.place import Place

KEPT, BROKEN, UNDECIDED = 0, 1, 3  # 2 is for bad input, as in `visual.command_line`

EXPLANATION = (
    "exit codes: 0, no promise of the algorithm is broken; 1, a promise is broken; 2, bad input, or a file cannot be "
    "written; 3, undecided"
)


def add_exit_zero(parser: argparse.ArgumentParser) -> None:
    """Add the option against exit codes 1 and 3, and explain the codes."""
    parser.add_argument("--exit-zero", action="store_true", help="exit with 0 even if a promise is broken or undecided")
    parser.epilog = f"{parser.epilog}\n\n{EXPLANATION}" if parser.epilog else EXPLANATION


def add_expect(parser: argparse.ArgumentParser) -> None:
    """Add the option that says which properties the exit code is about."""
    parser.add_argument(
        "--expect",
        metavar="NAME,NAME",
        help="let the exit code tell whether these properties hold, such as ME1,ME2 (default: what is promised)",
    )


def expected(arguments: argparse.Namespace) -> list[str] | None:
    """The properties that the person expects; None for those that the algorithm promises."""
    return None if arguments.expect is None else [name.strip() for name in arguments.expect.split(",")]


def expectation(algorithm: Algorithm, wanted: Collection[str] | None, known: Collection[str]) -> Callable[[str], bool]:
    """Whether a property is expected, by its name. BadInput for a name that is not among the `known` ones."""
    if wanted is None:
        return lambda name: is_promised(algorithm, name)
    for name in wanted:
        if name not in known:
            raise Place("--expect").unknown("property", name, known)
    return lambda name: name in wanted


def exit_code(is_broken: bool, is_undecided: bool, arguments: argparse.Namespace) -> int:
    """The exit code of the command, unless something else fails."""
    if arguments.exit_zero:
        return KEPT
    return BROKEN if is_broken else UNDECIDED if is_undecided else KEPT
