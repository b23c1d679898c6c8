"""A parameter that is changed while the system runs, and the load that it sets."""

from __future__ import annotations

from dataclasses import replace

import pytest

from algorithms import catalog, scenario_file
from algorithms.bad_input import BadInput
from algorithms.engine.events import ENTER, KIND, TIME
from algorithms.engine.observe.offered_load import offered_load
from algorithms.engine.scenario import Event, Scenario
from algorithms.engine.workload import Closed
from tests.support.desks import desk_of
from tests.support.interfaces import changed, interface_of
from visual.analysis.studies import baseline_of
from visual.window import intents
from visual.window.actions import perform
from visual.window.menus.contents import load_words, menu_of
from visual.window.state import Interface

WANDERING = Scenario(
    "wandering-token-report", nodes=20, until=1000.0, parameters={"dskip": 1.0, "dop": 4.0, "dmin": 80.0, "dmax": 240.0}
)
SLOWER = Event(300.0, "tune", parameter="dmin", value=1e6)


def entries(run) -> list[float]:
    return [record[TIME] for record in run.trace.records if record[KIND] == ENTER]


def test_what_is_set_holds_from_then_on():
    usual, slower = (catalog.simulation(replace(WANDERING, events=events)) for events in ((), (SLOWER,)))
    for run in (usual, slower):
        run.run(until=1000.0)
    before = [time for time in entries(usual) if time < 300]
    assert [time for time in entries(slower) if time < 300] == before
    assert len(entries(usual)) > 100
    late = [time for time in entries(slower) if time > 300]
    assert len(late) < 10  # only newly generated tokens are used


def test_two_runs_do_not_share_what_is_set():
    one, other = (catalog.simulation(WANDERING) for _ in range(2))
    one.tune({"dmin": 5.0})
    assert (one.process_class.dmin, other.process_class.dmin) == (5.0, 80.0)


def test_a_timeline_takes_it_back_and_does_it_again():
    timeline = catalog.timeline(replace(WANDERING, events=(SLOWER,)))
    timeline.seek_time(900.0)
    once = entries(timeline.simulation)
    for time in (100.0, 700.0, 299.0, 301.0, 10.0, 900.0):
        timeline.seek_time(time)
        assert timeline.simulation.process_class.dmin == (80.0 if time < 300 else 1e6)
    assert entries(timeline.simulation) == once


def test_undoing_it_restores_the_scenarios_value():
    desk = desk_of(WANDERING)
    desk.front.seek_time(200.0)
    desk.front.act("tune", 200.0, parameter="dmin", value=40.0)
    desk.front.seek_time(400.0)
    assert desk.front.simulation.process_class.dmin == 40.0
    desk.front.undo()
    assert desk.front.simulation.process_class.dmin == 80.0


def test_parts_of_a_process_have_it_too():
    run = catalog.simulation(Scenario("token-ring", variant="acknowledged", nodes=4))
    run.tune({"acknowledgement_time": 77.0})
    assert (run.process_class.acknowledgement_time, run.processes[0].hops.acknowledgement_time) == (77.0, 77.0)
    run.tune({})
    assert run.processes[0].hops.acknowledgement_time == 2.5


# ---- in a file ---------------------------------------------------------------------------------------------

FILE = """
format = 1
algorithm = "wandering-token-report"

[[event]]
at = 3.0
do = "tune"
"""


def test_a_file_says_it(tmp_path):
    path = tmp_path / "tuned.toml"
    path.write_text(FILE + 'parameter = "dmin"\nvalue = 40')
    scenario = scenario_file.load(path)
    assert scenario.events == (Event(3.0, "tune", parameter="dmin", value=40.0),)
    again = tmp_path / "again.toml"
    again.write_text(scenario_file.dumps(scenario))
    assert scenario_file.load(again) == scenario


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        ("", "tune needs"),
        ('parameter = "dmin"', "tune needs"),
        ('parameter = "dmim"\nvalue = 1.0', "dmim"),
        ('parameter = "dmin"\nvalue = "long"', "a number"),
        ('parameter = "dmin"\nvalue = -1.0', "at least 0"),
    ],
)
def test_nonsense_is_refused(tmp_path, lines, complaint):
    path = tmp_path / "tuned.toml"
    path.write_text(FILE + lines)
    with pytest.raises(BadInput, match=complaint):
        scenario_file.load(path)


# ---- k_load in the window ----------------------------------------------------------------------------------


def test_the_load_menu_of_who_asks_nobody_is_one_of_k_load():
    desk = desk_of(WANDERING)
    interface = perform(interface_of(menu="load"), desk, intents.offer(2.0))
    assert offered_load(desk.front.simulation) == pytest.approx(2.0)
    assert desk.front.simulation.process_class.dmin == pytest.approx(40.0)
    assert load_words(desk.front.simulation) == "k = 2"
    ticked = [entry.label for entry in menu_of(changed(interface, menu="load"), desk).entries if entry.on]
    assert ticked == ["2"]


@pytest.mark.parametrize("algorithm", ["wandering-token-journal", "random-access", "ricart-agrawala", "token-ring"])
def test_keys_raise_and_lower_it_step_by_step(algorithm):
    desk = desk_of(Scenario(algorithm, nodes=6, load=Closed(think=9.0)))
    interface = perform(Interface(), desk, intents.offer(1.0))
    seen = []
    for intent in (intents.more_load, intents.more_load, intents.less_load, intents.less_load, intents.less_load):
        interface = perform(interface, desk, intent())
        seen.append(round(offered_load(desk.front.simulation), 3))
    assert seen == [1.2, 1.4, 1.2, 1.0, 0.9]


def test_a_slider_drawn_along_at_one_moment_leaves_one_change():
    desk = desk_of(WANDERING)
    desk.front.seek_time(200.0)
    interface = interface_of(time=200.0)
    for share in (0.6, 0.7, 0.8, 0.9, 1.0):
        interface = perform(interface, desk, intents.slide_load(share))
    changes = [event for event in desk.front.timeline.branch.interventions if event.do == "tune"]
    assert len(changes) == 1
    assert offered_load(desk.front.simulation) == pytest.approx(3.0, rel=1e-5)


def test_elections_have_no_load():
    desk = desk_of(Scenario("bully"))
    assert "Elections" in perform(Interface(), desk, intents.more_load()).notice.words
    assert desk.front.timeline.branch.interventions == ()


def test_random_access_beside_it_takes_part_in_the_change():
    desk = desk_of(WANDERING)
    desk.front.seek_time(200.0)
    perform(interface_of(time=200.0), desk, intents.offer(2.0))
    rival = catalog.simulation(baseline_of(desk.front.timeline))
    assert offered_load(rival) == pytest.approx(1.0)
    rival.run(until=201.0)
    assert offered_load(rival) == pytest.approx(2.0)
