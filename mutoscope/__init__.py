"""Mutoscope from Python: simulate, look, intervene, check, measure, test. See docs/python.md.

import mutoscope

run = mutoscope.simulate("ricart-agrawala", nodes=5, load="closed:10", until=100, seed=3)
run.counters["messages"]["per_entry"], run.verdicts["ME1"].status
run.at(30).picture()                      # a notebook shows it
run.branch(at=12).act("crash", node=2).verdicts

A mistake raises `mutoscope.BadInput` with the sentence that the command line would print.
"""

from __future__ import annotations

from algorithms.bad_input import BadInput
from mutoscope.checking import Checked, check
from mutoscope.laboratory import lab
from mutoscope.runs import MomentOfRun, NotebookPicture, SimulatedRun, load, simulate
from mutoscope.sweeping import Swept, sweep
from mutoscope.testing import Tested, test

__all__ = [
    "BadInput",
    "Checked",
    "MomentOfRun",
    "NotebookPicture",
    "SimulatedRun",
    "Swept",
    "Tested",
    "check",
    "lab",
    "load",
    "simulate",
    "sweep",
    "test",
]
