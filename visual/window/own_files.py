"""Algorithms in files of a person's own: asks before a scenario's file runs, and begins again when one is saved."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from algorithms import scenario_file
from algorithms.authoring import own_file
from algorithms.bad_input import BadInput
from visual.window import intents
from visual.window.action_table import LONG, handles, perform
from visual.window.desk import Desk
from visual.window.memory import unsaved
from visual.window.menus import Entry, Menu
from visual.window.run_actions import begin_run
from visual.window.state import Interface, OpenMenu

_MENU = "trust"


def ask(interface: Interface, code: str, scenario: Path) -> Interface:
    """Ask whether the code that a scenario's file names may run."""
    return interface.paused().focused().over(OpenMenu(f"{_MENU}:{code}\n{scenario}", at=1))


def question(chosen: str) -> Menu:
    """The question of `ask`, as a menu."""
    code, scenario = chosen.split("\n")
    return Menu(
        f"{Path(scenario).name} runs the code in {Path(code).name}",
        (
            Entry(str(Path(code).resolve())),
            Entry("do not open it", intents.close()),
            Entry("run this code", intents.open_trusted((code, scenario)), "it can do whatever you can do"),
        ),
    )


@handles(intents.open_trusted)
def open_trusted(interface: Interface, desk: Desk, which: tuple[str, str]) -> Interface:
    """Open the scenario in a file, and run the code that it names."""
    code, scenario = which
    own_file.trust(code)
    is_unsaved = Path(scenario) in unsaved.files(unsaved.folder())
    return perform(interface, desk, (intents.open_unsaved if is_unsaved else intents.open_file)(scenario))


def begin_again_if_saved(interface: Interface, desk: Desk) -> Interface:
    """Load algorithms' files that have been saved again; their runs begin again, and a mistake is reported."""
    names = {run.scenario.algorithm for run in desk.runs if own_file.is_file(run.scenario.algorithm)}
    changed = own_file.changed(names)
    if not changed:
        return interface
    try:
        for name in changed:
            own_file.reload(name)
        for run in desk.runs:
            as_new = scenario_file.loads(scenario_file.dumps(run.scenario), Path(run.scenario.algorithm).name)
            run.open(as_new, run.path)  # BadInput if a variant or a parameter no longer exists
    except BadInput as error:
        return interface.say(str(error), LONG)
    positions = interface.graph.positions
    begun = begin_run(interface, desk)
    begun = replace(begun, graph=begun.graph._replace(positions=positions))
    return begun.say(f"{' and '.join(Path(name).name for name in changed)} has been saved: the run begins again.")
