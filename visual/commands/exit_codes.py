"""The exit codes of commands that judge the promises of an algorithm."""

from __future__ import annotations

import argparse

KEPT, BROKEN, UNDECIDED = 0, 1, 3  # 2 is for bad input, as in `visual.command_line`

EXPLANATION = (
    "exit codes: 0, no promise of the algorithm is broken; 1, a promise is broken; 2, bad input, or a file cannot be "
    "written; 3, undecided"
)


def add_exit_zero(parser: argparse.ArgumentParser) -> None:
    """Add the option against exit codes 1 and 3, and explain the codes."""
    parser.add_argument("--exit-zero", action="store_true", help="exit with 0 even if a promise is broken or undecided")
    parser.epilog = f"{parser.epilog}\n\n{EXPLANATION}" if parser.epilog else EXPLANATION


def exit_code(is_broken: bool, is_undecided: bool, arguments: argparse.Namespace) -> int:
    """The exit code of the command, unless something else fails."""
    if arguments.exit_zero:
        return KEPT
    return BROKEN if is_broken else UNDECIDED if is_undecided else KEPT
