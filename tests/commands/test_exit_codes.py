"""`run` ends with 1 if a promise is broken, with 3 if it cannot be judged, and names broken assumptions."""

from __future__ import annotations

import json
import re

import pytest

from algorithms import scenario_file
from algorithms.authoring.failures import Failure, guard_run
from algorithms.catalog import simulation
from algorithms.engine.events import DELIVER, FAULT, KIND, LOST, NODE
from algorithms.engine.scenario import Event, Network, Scenario
from algorithms.engine.workload import Saturated
from visual.command_line import main


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("deferred-reply", 0),
        ("two-cash-machines", 0),  # at most one inside is not promised there
        ("lost-token", 1),
        ("lost-token-replaced", 0),  # whoever makes a new token does not promise that there is always one
        ("bully --until 1", 0),
        ("ricart-agrawala --variant neither-defers --load saturated --until 30", 1),
        ("ricart-agrawala --duplicate 0.2 --until 200", 3),  # it stops where a duplicated reply makes it fail
    ],
)
def test_the_exit_code_says_whether_the_promises_were_kept(words, code, capsys):
    assert main(["run", *words.split()]) == code
    assert main(["run", *words.split(), "--exit-zero"]) == 0
    report, errors = capsys.readouterr()
    assert errors == ""
    assert not re.search(r"\b1 (messages|steps|nodes)\b", report)


def test_a_run_that_a_broken_assumption_stops_is_reported_with_the_assumption(capsys):
    assert main(["run", "ricart-agrawala", "--duplicate", "0.2", "--until", "200"]) == 3
    report = capsys.readouterr().out
    assert "assumption broken: reliable (a message is duplicated at " in report
    assert "The run stops: ricart-agrawala fails in step " in report
    assert "entries " in report
    assert main(["run", "ricart-agrawala", "--duplicate", "0.2", "--until", "200", "--json"]) == 3
    facts = json.loads(capsys.readouterr().out)
    assert facts["broken_assumptions"].keys() == {"reliable"}
    assert facts["time"] < 200
    assert facts["monitors"]["ME2"]["status"] != "broken", "what might still have happened is unknown"


def assumptions_broken_according_to_the_trace(scenario: Scenario) -> set[str]:
    """Read off the records: losses other than at crashed nodes, copies, crashes."""
    run = simulation(scenario)
    run.run(until=scenario.until)
    broken, crashed = set(), set()
    for step in range(len(run.trace)):
        event, *effects = run.trace.step(step)
        if event[KIND] == FAULT and event[4].do == "crash":
            broken.add("nobody crashes")
            crashed.add(event[NODE])
        if event[KIND] == FAULT and event[4].do == "duplicate" and any(e[KIND] == DELIVER for e in effects):
            broken.add("reliable")
        if any(record[KIND] == LOST and record[NODE] not in crashed for record in (event, *effects)):
            broken.add("reliable")
    return broken & set(run.algorithm.assumes)


def test_an_assumption_is_called_broken_only_if_a_fault_has_broken_it(capsys):
    names = ("lost-token", "deferred-reply", "endless-election", "bully-two-crashes", "coordinator", "idle-ring")
    for name in names:
        scenario = scenario_file.load(scenario_file.find(name))
        main(["run", name, "--json"])
        told = json.loads(capsys.readouterr().out).get("broken_assumptions", {})
        assert told.keys() == assumptions_broken_according_to_the_trace(scenario), name


def test_a_failure_without_a_fault_blames_no_assumption():
    crash = Scenario(
        "ricart-agrawala",
        nodes=3,
        load=Saturated(),
        network=Network(duplicate=1.0),
        events=(Event(0.5, "crash", node=2),),
    )
    run = simulation(crash)
    with pytest.raises(Failure) as failure, guard_run(run):
        run.run(until=20)
    assert "assumptions broken: " in str(failure.value)
    plain = simulation(Scenario("ricart-agrawala", nodes=3, load=Saturated()))
    plain.processes[0].id = 7  # an author's mistake
    with pytest.raises(Failure) as failure, guard_run(plain):
        plain.run(until=20)
    assert "assum" not in str(failure.value)
