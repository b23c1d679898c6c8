"""Each rung of docs/algorithm.md is a file that works, and does what its text says."""

from __future__ import annotations

import ast
import re
from dataclasses import fields
from pathlib import Path

import pytest

from algorithms import catalog
from algorithms.authoring import own_file
from algorithms.engine.process import Algorithm, ElectionProcess, MutexProcess, Process
from algorithms.engine.scenario import Event, Scenario
from algorithms.engine.timeline import Timeline
from algorithms.engine.workload import Request, Script
from algorithms.examination import demands
from algorithms.examination.demands import Demands
from algorithms.examination.examiner import trial_results
from tests.support.kit import verdicts
from tests.support.sources import ROOT
from visual.narration.inspection import glosses_of
from visual.narration.steps import step_sentence

PAGE = (ROOT / "docs/algorithm.md").read_text("utf-8")
IMPORTS = "from algorithms.engine.process import *\n"  # "with … imported", as the text says


class Draft:
    """A file as it grows from rung to rung: top-level statements by name, and the members of its classes."""

    def __init__(self) -> None:
        self.imports: list[str] = []
        self.parts: dict[str, str | dict[str, str]] = {}

    def merge(self, block: str) -> None:
        """Add the statements of a block; a class that exists already gets its new or changed members."""
        lines = block.splitlines()
        for node in ast.parse(block).body:
            text = "\n".join(lines[first_line(node) - 1 : node.end_lineno])
            if isinstance(node, ast.ImportFrom | ast.Import):
                self.imports.append(text)
            elif isinstance(node, ast.ClassDef):
                members = self.parts.setdefault(node.name, {"": lines[node.lineno - 1]})
                for member in node.body:
                    members[name_of(member)] = "\n".join(lines[first_line(member) - 1 : member.end_lineno])
            else:
                self.parts[name_of(node)] = text

    def text(self) -> str:
        last = self.parts.pop("ALGORITHM")
        self.parts["ALGORITHM"] = last
        bodies = ["\n\n".join(p.values()) if isinstance(p, dict) else p for p in self.parts.values()]
        return IMPORTS + "\n\n\n".join(["\n".join(self.imports), *bodies]) + "\n"


def first_line(node: ast.stmt) -> int:
    return min([node.lineno, *(part.lineno for part in getattr(node, "decorator_list", []))])


def name_of(node: ast.stmt) -> str:
    """The name that a statement defines; its docstring's for a text."""
    if isinstance(node, ast.Assign):
        return node.targets[0].id
    return node.target.id if isinstance(node, ast.AnnAssign) else getattr(node, "name", "doc")


def rungs() -> dict[int, str]:
    """Number of a rung -> the whole file after it."""
    files, draft = {}, Draft()
    for number, text in re.findall(r"^## (\d+)\.[^\n]*\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE):
        for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
            draft = Draft() if block.startswith('"""') else draft
            draft.merge(block)
            files[int(number)] = draft.text()
    return files


RUNGS = rungs()


@pytest.fixture(autouse=True)
def here(nobody_trusted: Path) -> Path:
    return nobody_trusted


def written(rung: int) -> str:
    Path(f"rung_{rung}.py").write_text(RUNGS[rung], "utf-8")
    return own_file.trust(f"rung_{rung}.py")


def flaws(rung: int, demanded: Demands | None = None) -> dict[str, str]:
    """Trial -> what it finds, of those that do not pass."""
    results = [result for _, result in trial_results(Path(written(rung)), demanded or Demands()) if result]
    return {result.trial: " | ".join(result.words) for result in results if result.status != "passed"}


def timeline(rung: int, **values: object) -> Timeline:
    load = Script(requests=tuple(Request(1.0, node) for node in range(3)))
    return catalog.timeline(Scenario(written(rung), nodes=3, load=load, until=60.0, **values))


def captions(rung: int) -> list[str]:
    run = timeline(rung)
    run.seek_time(60.0)
    steps = run.step
    found = []
    for step in range(steps):
        run.seek(step + 1)
        found.append(step_sentence(run, step))
    return found


def test_the_ladder_has_all_its_rungs():
    assert list(RUNGS) == [*range(1, 11)]


def test_the_first_rung_runs_and_lets_two_in():
    found = flaws(1)
    assert "safety (ME1) fails with 2 processes: P1 enters while P0 is inside" in found["every interleaving"]


@pytest.mark.parametrize("rung", [2, 3, 4, 5, 6, 7, 8])
def test_every_further_rung_passes_all_trials(rung):
    assert flaws(rung) == {}


def test_the_token_that_is_handed_over_has_the_mistake_that_the_text_names():
    found = flaws(9)
    assert "enters without a request" in found["every interleaving"]


def test_the_election_passes():
    assert flaws(10) == {}


def test_the_captions_and_variables_are_explained_from_the_third_rung_on():
    assert not any("turnstile" in caption for caption in captions(2))
    said = captions(3)
    assert "P1 requests the critical section and asks P0, which keeps the turnstile." in said
    assert any(caption.endswith("lets P1 in.") for caption in said)
    run = timeline(3)
    run.seek_time(3.5)
    assert glosses_of(run.simulation.process_class)["guest"].startswith("the keeper's: the process")


def test_the_forgetful_keeper_breaks_what_it_says(capsys):
    algorithm = catalog.find(written(5))
    assert algorithm.variants["forgetful"].breaks == ("ME2",)
    run = timeline(5, variant="forgetful").simulation
    run.run(until=60.0)
    assert verdicts(run) == {"ME1": "holds", "ME2": "broken", "ME3": "holds"}


@pytest.mark.parametrize(("rung", "status"), [(5, "broken"), (6, "holds")])
def test_a_lost_request_is_repeated_from_the_sixth_rung_on(rung, status):
    lost = (Event(1.5, "drop", node=1, to=0),)
    run = timeline(rung, events=lost).simulation
    run.run(until=60.0)
    assert verdicts(run)["ME2"] == status


def test_a_process_whose_request_was_lost_asks_again_after_a_crash():
    events = (Event(1.5, "drop", node=2, to=0), Event(5.0, "crash", node=2), Event(20.0, "recover", node=2))
    for rung, waits in ((6, True), (7, False)):
        run = timeline(rung, events=events).simulation
        run.run(until=60.0)
        assert run.processes[2].wants is waits


def test_the_clock_serves_in_the_order_in_which_requests_happened():
    assert "clock.time" in vars(timeline(8).simulation.processes[0])


def test_the_page_s_demands_are_read_and_met(here):
    (block,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    Path("spec.toml").write_text(block, "utf-8")
    read = demands.read(Path("spec.toml"))
    assert (read.promises, read.low, read.topology) == (("ME1", "ME2", "ME3"), "2*(N-1)", "complete")


def test_every_method_that_the_page_lists_exists_and_every_hook_is_listed():
    listed = set(re.findall(r"`(?:@)?(\w+)", PAGE[PAGE.index("## What may be overridden") :]))
    public = {
        name
        for cls in (Process, MutexProcess, ElectionProcess)
        for name in vars(cls)
        if not name.startswith("_") and name not in ("begin", "run_out", "busy", "demand", "leave", "roles")
    }
    assert public <= listed, public - listed


def test_every_field_of_a_declaration_is_explained():
    of_shipped_ones = {"badge_rest", "paced_by", "baseline"}
    unexplained = {field.name for field in fields(Algorithm) if not re.search(rf"\b{field.name}\b", PAGE)}
    assert unexplained == of_shipped_ones
