"""The page of plots: its values agree with the run's ledger and with an ordinary run of the baseline."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from time import process_time

import pytest

from algorithms import catalog, scenario_file
from algorithms.bad_input import BadInput
from algorithms.engine.events import ENTER, KIND
from algorithms.engine.observe.fold import Fold
from algorithms.engine.observe.offered_load import load_for, offered_load, pace_for
from algorithms.engine.observe.series import Level, Samples
from algorithms.engine.randomness import Fixed
from algorithms.engine.scenario import Event, Scenario, Zone
from algorithms.engine.workload import Burst, Closed, Poisson, Saturated, Script
from lessons.experiments.observers import UseTotals
from tests.support.desks import desk_of
from tests.support.interfaces import interface_of
from tests.support.screens import ALGORITHMS, SCALES, SIZES, check_texts, opened, placed_texts
from visual.analysis.studies import baseline_of
from visual.drawing.picking import bounds
from visual.window import intents
from visual.window.actions import perform
from visual.window.arrangement import look_of
from visual.window.desk import Desk
from visual.window.gallery.cards import scenario_of
from visual.window.inputs import Tick
from visual.window.pages import plot_kinds
from visual.window.pages.plot_chart import Axis, round_step
from visual.window.pages.plot_kinds import LevelColumns
from visual.window.panel import View
from visual.window.playback.playing import BESIDE
from visual.window.playback.transport import kind_of, token_strip
from visual.window.screen import Screen
from visual.window.update import update

STABLE = Scenario(
    "wandering-token-report",
    nodes=20,
    until=2000.0,
    parameters={"dskip": 0.6, "dop": 4.0, "dmin": 80.0, "dmax": 240.0},
)
FOREVER = 60.0  # seconds: without a limit


def played(scenario: Scenario, time: float) -> Desk:
    desk = desk_of(scenario)
    assert desk.front.seek_time(time)
    while desk.front.ledger.studies.work(FOREVER):
        pass
    return desk


# ---- plots and counters agree ------------------------------------------------------------------------------


def test_shares_of_time_are_those_of_the_counters():
    desk = played(STABLE, 1500.0)
    spent = desk.front.ledger.counters(1500.0).concurrency
    shown = plot_kinds.measured_shares(desk.front, 1500.0)
    assert sum(shown) == pytest.approx(1.0)
    assert shown[0] == pytest.approx(spent[0] / 1500)
    assert shown[1] == pytest.approx(spent[1] / 1500)
    assert 0.5 < shown[1] < 0.75


def test_many_inside_share_the_last_column():
    assert plot_kinds.shares({0: 1.0, 4: 1.0, 5: 1.0, 9: 1.0}) == [0.25, 0, 0, 0, 0.25, 0.5]
    assert plot_kinds.shares({0: 0.0}) == []


def test_the_random_access_baseline_is_an_ordinary_run_under_the_same_load():
    desk = played(STABLE, 1500.0)
    scenario = baseline_of(desk.front.timeline)
    assert scenario.algorithm == "random-access"
    run = catalog.simulation(scenario)
    assert offered_load(run) == pytest.approx(offered_load(desk.front.simulation)) == pytest.approx(1.0)
    fold = Fold(scenario, run.algorithm)
    use = UseTotals(fold.situation, 500.0)
    fold.observe([use])
    run.run(until=desk.front.now)
    fold.advance(run.trace)
    figures = use.figures(desk.front.now)["concurrency"]
    shown = plot_kinds.baseline_shares(desk.front, 1500.0)
    assert shown[:3] == pytest.approx([figures[count] / desk.front.now for count in range(3)])
    assert shown[0] == pytest.approx(plot_kinds.poisson(1.0)[0], abs=0.15)


def test_the_random_access_baseline_follows_interventions():
    desk = played(STABLE, 600.0)
    before = plot_kinds.baseline_shares(desk.front, 600.0)
    desk.front.seek_time(100.0)
    for node in range(1, 20):
        desk.front.act("crash", 100.0, node=node)
    desk.front.seek_time(600.0)
    while desk.front.ledger.studies.work(FOREVER):
        pass
    after = plot_kinds.baseline_shares(desk.front, 600.0)
    assert after[0] > before[0] + 0.3


def test_intervals_are_those_of_the_lab():
    desk = played(STABLE, 2000.0)
    fold = Fold(STABLE, desk.front.simulation.algorithm)
    use = UseTotals(fold.situation, 20.0)
    fold.observe([use])
    fold.advance(desk.front.timeline.trace)
    _, samples, _ = plot_kinds.durations_of(desk.front)
    step = desk.front.timeline.step
    counts = samples.histogram(step, 20.0, 60)
    assert {place * 20.0: count for place, count in enumerate(counts) if count} == use.figures(2000.0)["intervals"]


def test_a_histogram_has_all_samples_each_in_its_class():
    samples = Samples()
    for step, value in enumerate([0.0, 0.9, 1.0, 2.5, 7.0], 1):
        samples.add(step, value)
    assert samples.histogram(5, 1.0, 4) == [2, 1, 1, 1]
    assert samples.histogram(2, 1.0, 4) == [2, 0, 0, 0]
    assert plot_kinds.classes(samples, 5) == (1.0, [2, 1, 1, 0, 0, 0, 0, 1])


def test_poisson_sums_to_one_and_has_its_mean():
    shares = plot_kinds.poisson(0.8)
    assert sum(shares) == pytest.approx(1.0)
    assert shares[1] == pytest.approx(0.8 * shares[0])


# ---- a variable along the run ------------------------------------------------------------------------------


def test_the_plot_of_a_variable_has_its_past_values():
    desk = played(STABLE, 1500.0)
    course = desk.front.ledger.studies.variable
    assert course.reached >= 1500.0
    for time in (0.0, 300.0, 1110.0, 1200.0, 1500.0):
        desk.front.seek_time(time)
        now = [process.dgen for process in desk.front.simulation.processes]
        assert [history.at(desk.front.now) for history in course.of] == now
    assert {history.at(1500.0) for history in course.of} != {240.0}


def test_the_plot_of_a_variable_follows_into_another_branch():
    desk = played(STABLE, 1500.0)
    desk.front.seek_time(700.0)
    desk.front.act("lose-token", 700.0)
    desk.front.seek_time(1500.0)
    while desk.front.ledger.studies.work(FOREVER):
        pass
    course = desk.front.ledger.studies.variable
    assert [history.at(1500.0) for history in course.of] == [
        process.dgen for process in desk.front.simulation.processes
    ]
    assert max(history.at(1500.0) for history in course.of) > 360.0


# ---- the offered load --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("algorithm", "parameters", "nodes", "load"),
    [
        ("wandering-token-report", {}, 150, 1.0),
        ("wandering-token-journal", {}, 300, 1.0),
        ("random-access", {}, 300, 1.6),
        ("random-access", {}, 150, 0.8),
    ],
)
def test_k_load_is_that_of_the_papers(algorithm, parameters, nodes, load):
    run = catalog.simulation(Scenario(algorithm, nodes=nodes, parameters=parameters))
    assert offered_load(run) == pytest.approx(load)


@pytest.mark.parametrize(
    ("load", "expected"),
    [
        (Poisson(rate=0.05, hold=Fixed(2.0)), 0.5),
        (Closed(think=8.0, hold=Fixed(2.0)), 1.0),
        (Saturated(), 5.0),
        (Burst(every=20.0), 0.25),
        (Script(), None),
    ],
)
def test_the_load_of_applications(load, expected):
    run = catalog.simulation(Scenario("ricart-agrawala", nodes=5, load=load))
    assert offered_load(run) == (None if expected is None else pytest.approx(expected))


@pytest.mark.parametrize("load", [Poisson(rate=0.05), Closed(think=8.0), Saturated(), Burst(every=9.0), Script()])
def test_every_level_of_load_can_be_offered(load):
    scenario = Scenario("ricart-agrawala", nodes=5, load=load)
    wanted = load_for(catalog.simulation(scenario), 0.7)
    assert offered_load(catalog.simulation(replace(scenario, load=wanted))) == pytest.approx(0.7)


def test_a_process_that_enters_by_itself_is_paced_by_a_parameter():
    run = catalog.simulation(STABLE)
    pace = pace_for(run, 2.0)
    faster = replace(STABLE, parameters={**STABLE.parameters, "dmin": pace})
    assert offered_load(catalog.simulation(faster)) == pytest.approx(2.0)


PACED = [name for name, algorithm in catalog.by_name().items() if algorithm.paced_by]


@pytest.mark.parametrize("name", PACED)
def test_a_default_run_of_processes_that_enter_by_themselves_shows_entries(name):
    """With the papers' think time of ten minutes, the window would show nothing for ten minutes."""
    run = catalog.simulation(scenario_of(name))
    assert offered_load(run) == pytest.approx(0.5)
    run.run(until=100.0)
    assert sum(record[KIND] == ENTER for record in run.trace.records) >= 5
    assert not any(process.wants for process in run.processes), "no application requests"


@pytest.mark.parametrize("name", PACED)
def test_processes_that_enter_by_themselves_take_over_the_offered_load(name):
    desk = desk_of(Scenario("token-ring", nodes=8, load=Poisson(rate=0.05, hold=Fixed(2.0))))
    desk.front.choose_algorithm(name)
    assert offered_load(desk.front.simulation) == pytest.approx(0.8)
    desk.front.choose_algorithm("token-ring")
    assert desk.front.scenario.load == Poisson(rate=0.1)
    desk.front.open(Scenario("bully"))
    desk.front.choose_algorithm(name)
    assert offered_load(desk.front.simulation) == pytest.approx(0.5)


def test_absent_nodes_offer_no_load():
    run = catalog.simulation(replace(STABLE, members=10, events=(Event(5.0, "crash", node=0),)))
    assert offered_load(run) == pytest.approx(0.5)
    run.run(until=6.0)
    assert offered_load(run) == pytest.approx(0.45)


# ---- parts of a chart --------------------------------------------------------------------------------------


@pytest.mark.parametrize("most", [1, 3, 5, 8])
@pytest.mark.parametrize("high", [0.07, 1.0, 3.0, 47.0, 2000.0, 31234.0])
def test_ticks_are_round_evenly_spaced_and_few(high, most):
    ticks = Axis(0.0, high).ticks(most)
    assert 1 <= len(ticks) <= most + 1
    assert all(0 <= tick <= high * (1 + 1e-9) for tick in ticks)
    gaps = {round(b - a, 9) for a, b in pairwise(ticks)}
    assert len(gaps) <= 1
    assert round_step(high) >= high * (1 - 1e-9)


def test_columns_have_the_minimum_and_maximum_of_each_interval():
    level, columns = Level(0), LevelColumns(4)
    for step, (time, value) in enumerate([(1.0, 1), (2.5, 3), (2.6, 1), (7.0, 0)], 1):
        level.set(step, time, value)
    found = columns.follow(level, 8.0, 8.0)
    assert [(column.low, column.high, column.last) for column in found] == [(0, 1, 1), (1, 3, 1), (1, 1, 1), (0, 1, 0)]


def test_columns_extended_step_by_step_are_those_computed_at_once():
    desk = desk_of(replace(STABLE, parameters={**STABLE.parameters, "dmin": 40.0}, seed=6))
    columns = LevelColumns(50)
    for time in [*range(10, 1200, 37), 600, 50, 1190]:
        desk.front.seek_time(float(time))
        if time == 600:
            desk.front.act("lose-token", 600.0)
        level = desk.front.ledger.tokens
        fresh = LevelColumns(50).follow(level, 1200.0, desk.front.now)
        assert columns.follow(level, 1200.0, desk.front.now) == fresh
    assert {column.high for column in fresh} != {1}


def test_the_axis_of_time_ends_where_the_timeline_does_or_at_a_half_of_it():
    desk = desk_of(STABLE)
    assert plot_kinds.reach(desk.front, 1200.0) == 2000.0
    assert plot_kinds.reach(desk.front, 900.0) == 1000.0
    assert plot_kinds.reach(desk.front, 100.0) == 125.0


# ---- on the page -------------------------------------------------------------------------------------------


def test_work_beside_a_run_keeps_to_its_slices():
    """The limit is ten milliseconds of a frame in process time, and half as much again for a slow machine."""
    desk = desk_of(scenario_file.load("assets/scenarios/ftp-subscribers.toml"))
    desk.front.seek_time(3000.0)
    studies = desk.front.ledger.studies
    slices = [timed(lambda: studies.work(2 * BESIDE)) for _ in range(30)]
    assert sorted(slices)[len(slices) // 2] < 0.015


def timed(work) -> float:
    """The seconds of process time that it takes."""
    start = process_time()
    work()
    return process_time() - start


def test_looking_at_plots_never_holds_up_a_frame_for_long():
    """The work beside the run gets a slice of each frame, and is finished after some frames."""
    desk = desk_of(scenario_file.load("assets/scenarios/ftp-subscribers.toml"))
    desk.front.seek_time(3000.0)
    screen, interface = Screen(desk), interface_of(page="plots")
    rival = desk.front.ledger.studies.baseline
    frames = 0
    while rival.reached < desk.front.now:
        interface = update(interface, screen, Tick(0.02))
        frames += 1
        assert frames < 2000
    assert plot_kinds.baseline_shares(desk.front, desk.front.now)


def test_every_plot_can_be_reached_by_keys():
    desk = played(STABLE, 200.0)
    screen, interface = Screen(desk), interface_of(1280, 720, page="plots")
    titles = set()
    for _ in range(5):
        titles |= {title for title in TITLES if title in shown_texts(screen, interface)}
        interface = perform(interface, desk, intents.turn_plots(1))
    assert titles == TITLES


TITLES = {
    "share of time with 0, 1, 2 … in the CS",
    "tokens alive",
    "Δgen of each node",
    "time between turns of a node",
    "messages handled",
}


def shown_texts(screen, interface):
    page = next(shown for shown in screen.panels(interface) if shown.name == "plots")
    return {shape.text for shape in page.panel.shapes if hasattr(shape, "text")}


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_plots_are_whole_and_legible_for_every_algorithm(algorithm):
    interface, screen = opened(algorithm, (1280, 720), [intents.open_page("plots")])
    for turned in range(3):
        interface = perform(interface, screen.desk, intents.turn_plots(turned))
        check_page(screen, interface)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_plots_are_whole_at_every_size(size, scale):
    desk = played(STABLE, 1200.0)
    screen, interface = Screen(desk), interface_of(*size, scale=scale, page="plots", selection="node:9")
    for _ in range(5):
        check_page(screen, interface)
        interface = perform(interface, desk, intents.turn_plots(1))


def check_page(screen, interface):
    check_texts(screen=screen, interface=interface)
    for shown in screen.panels(interface):
        if shown.name == "plots":
            sizes = [text.size for text in placed_texts(shown.group.shapes, shown.region)]
            assert min(sizes, default=13.0) >= 12.95 * min(1.0, interface.display.scale)


# ---- along the timeline ------------------------------------------------------------------------------------


def strip_kinds(time: float, name: str = "wandering-token-domino") -> list[str]:
    desk = desk_of(scenario_file.load(f"assets/scenarios/{name}.toml"))
    desk.front.seek_time(time)
    level = desk.front.ledger.tokens
    return [kind_of(column) for column in LevelColumns(90).follow(level, 900.0, desk.front.reached)]


def test_the_strip_tells_none_one_and_several_tokens_apart():
    kinds = strip_kinds(500.0)
    assert kinds[0] == "one"
    assert kinds[41] == "none"  # the token was lost at 400
    assert set(kinds[24:30]) == {"several"}
    assert 46 <= len(kinds) <= 50  # up to the present, and no further


def test_the_strip_is_visible_for_tokens_only_and_moves_nothing():
    boxes = {}
    for algorithm in ("wandering-token-report", "random-access"):
        interface, screen = opened(algorithm, (1280, 720), [])
        shown = next(shown for shown in screen.panels(interface) if shown.name == "transport")
        boxes[algorithm] = [widget.box for widget in shown.panel.widgets]
        view = View(interface, screen.desk, screen.desk.front, look_of(interface), shown.region)
        assert bool(token_strip(view, shown.panel.widgets[-1].box)) == (algorithm == "wandering-token-report")
    assert boxes["wandering-token-report"] == boxes["random-access"]


def test_the_strip_stays_in_the_bar():
    interface, screen = opened("wandering-token-report", (1280, 720), [])
    shown = next(shown for shown in screen.panels(interface) if shown.name == "transport")
    track = shown.panel.widgets[-1].box
    found = token_strip(View(interface, screen.desk, screen.desk.front, look_of(interface), shown.region), track)
    assert all(track.y <= bounds(shape).y and bounds(shape).y + bounds(shape).h <= track.y + track.h for shape in found)


# ---- zones -------------------------------------------------------------------------------------------------


def test_shares_of_zones_are_those_of_the_journal():
    """At most one is the bandwidth, exactly two the extra billing, more the zone without a guarantee."""
    desk = desk_of(scenario_file.load("assets/scenarios/ftp-subscribers.toml"))
    desk.front.seek_time(3000.0)
    spent = desk.front.ledger.counters().concurrency
    found = plot_kinds.shares_by_zone(desk.front.scenario.zones, spent)
    assert found[0] == pytest.approx((spent[0] + spent[1]) / desk.front.now)
    assert found[1] == pytest.approx(spent[2] / desk.front.now)
    assert sum(found) == pytest.approx(1.0)


def test_zones_come_from_the_scenario():
    ours = (Zone("calm", 2), Zone("crowd"))
    assert plot_kinds.shares_by_zone(ours, {0: 1.0, 2: 1.0, 3: 1.0, 7: 1.0}) == [0.5, 0.5]
    screen, interface = Screen(played(replace(STABLE, zones=ours), 500.0)), interface_of(1920, 1080, page="plots")
    words = shown_texts(screen, interface)
    assert any(text.startswith("calm 100.0") for text in words)
    assert not any("MB/s" in text for text in words)


def test_without_zones_there_is_no_such_plot():
    assert not plot_kinds.has_zones(desk_of(STABLE).front)


def test_zones_in_a_file(tmp_path):
    scenario = scenario_file.load("assets/scenarios/ftp-subscribers.toml")
    assert [zone.upto for zone in scenario.zones] == [1, 2, None]
    path = tmp_path / "zones.toml"
    path.write_text(scenario_file.dumps(scenario))
    assert scenario_file.load(path) == scenario


@pytest.mark.parametrize("bounds", [(2, 1, None), (1, None, None), (1, 2), (0, None)])
def test_invalid_zones_are_rejected(tmp_path, bounds):
    tables = [f'[[zone]]\nname = "z"\n{"" if upto is None else f"upto = {upto}"}' for upto in bounds]
    path = tmp_path / "zones.toml"
    path.write_text("\n".join(['format = 1\nalgorithm = "token-ring"', *tables]))
    with pytest.raises(BadInput, match="upto"):
        scenario_file.load(path)
