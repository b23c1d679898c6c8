"""Open the window on a scenario."""

from __future__ import annotations

import argparse

from visual.commands.scenario_options import add_scenario_arguments, scenario_of

EXAMPLES = """\
  mutoscope play
  mutoscope play my-scenario.toml
  mutoscope play --algorithm token-ring --nodes 8 --load poisson:0.1"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_scenario_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Open the window."""
    scenario = scenario_of(arguments)
    from visual.window import open_window

    return open_window(scenario, arguments.scenario)
