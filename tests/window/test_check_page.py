"""The checker in the window: it runs in a process of its own, and a counter-example opens in place of the run."""

from __future__ import annotations

import multiprocessing
import time
from dataclasses import replace

import pytest

from algorithms import catalog
from algorithms.engine.check.explore import Exploration
from algorithms.engine.check.moves import Bounds
from algorithms.engine.scenario import Event, Network, Scenario
from algorithms.engine.workload import Closed, Load
from tests.support.desks import desk_of
from tests.support.interfaces import changed, interface_of
from tests.support.shapes import texts
from visual.drawing.picking import bounds
from visual.drawing.shapes import Text
from visual.window import intents
from visual.window.actions import perform
from visual.window.arrangement import regions
from visual.window.inputs import Key, Tick, Use
from visual.window.menus.contents import choose_entry, menu_of
from visual.window.pages import background_check
from visual.window.pages.background_check import Check, CheckOutcome, reports, small_system
from visual.window.screen import Screen
from visual.window.side import PAGES
from visual.window.state import BUDGETS, Budget, Interface
from visual.window.update import update
from visual.window.widgets import Target

MUTANT = Scenario("ricart-agrawala", variant="current-clock", nodes=5, load=Closed(think=3.0))
SMALL = Budget(nodes=2)


def never() -> bool:
    return False


def explored(scenario: Scenario, budget: Budget) -> CheckOutcome:
    return list(reports(small_system(scenario, budget), budget, never))[-1]


def finished(interface: Interface, screen: Screen, seconds: float = 60.0) -> Interface:
    """The interface after the checker's process has answered."""
    stop = time.monotonic() + seconds
    while screen.desk.check.outcome is None and time.monotonic() < stop:
        time.sleep(0.02)
        interface = update(interface, screen, Tick(0.02))
    return update(interface, screen, Tick(0.2))


def test_the_window_shows_the_outcome_of_the_checker():
    outcome = explored(MUTANT, SMALL)
    exploration = Exploration(small_system(MUTANT, SMALL), catalog.find("ricart-agrawala"), Bounds())
    while exploration.advance(1000):
        pass
    report = exploration.report()
    assert (outcome.is_complete, outcome.final_states, outcome.deadlocks) == (True, report.final_states, 0)
    assert [found.name for found in outcome.results] == [finding.property.name for finding in report.findings]
    assert [found.status for found in outcome.results] == [finding.status for finding in report.findings]


def test_a_checked_system_has_no_load_and_no_events():
    scenario = Scenario(
        "token-ring", nodes=5, edges=((0, 1), (1, 2)), events=(Event(1.0, "crash", 4),), load=Closed(think=1.0)
    )
    system = small_system(scenario, SMALL)
    assert (system.nodes, system.edges, system.events, system.load) == (2, None, (), Load())


def test_a_stopped_check_reports_its_results_so_far():
    *_, progress, outcome = reports(small_system(MUTANT, Budget()), Budget(), lambda: True)
    assert not outcome.is_complete
    assert 0 < progress.states < 8816


def test_without_processes_the_checker_works_in_slices(monkeypatch):
    """As in a web page: the same outcome, and no look at it takes much longer than its part of a frame."""
    monkeypatch.setattr(background_check, "HAS_PROCESSES", False)
    check = Check(MUTANT, SMALL)
    while check.outcome is None:
        check.receive()
    assert check.outcome == explored(MUTANT, SMALL)
    stopped = Check(MUTANT, Budget())
    stopped.receive()
    assert stopped.outcome is None
    stopped.stop()
    while stopped.outcome is None:
        stopped.receive()
    assert not stopped.outcome.is_complete


def test_an_impossible_check_is_explained_in_words():
    assert "cannot be checked: it acts on the time" in explored(Scenario("wandering-token-report"), SMALL).trouble


def test_a_counter_example_replaces_the_run_which_returns_unchanged():
    screen = Screen(desk_of(MUTANT))
    screen.desk.front.seek(25)
    screen.desk.front.act("crash", node=4)
    timeline, trace = screen.desk.front.timeline, list(screen.desk.front.timeline.trace.records)
    interface = update(Interface(), screen, Key("Shift+C"))
    interface = perform(interface, screen.desk, intents.change_budget(("nodes", -1)))
    interface = update(update(interface, screen, Key("Down")), screen, Key("Enter"))
    assert screen.desk.check is not None, "the button has the focus"
    interface = finished(interface, screen)
    interface = update(update(interface, screen, Key("Esc")), screen, Key("Shift+C"))
    interface = perform(interface, screen.desk, intents.open_page("check"))
    interface = update(update(interface, screen, Key("Down")), screen, Key("Enter"))
    broken = {verdict.name for verdict in screen.desk.front.ledger.verdicts if verdict.status == "broken"}
    assert "ME1" in broken
    screen.desk.front.seek(screen.desk.front.timeline.step - 1)
    assert all(verdict.status != "broken" for verdict in screen.desk.front.ledger.verdicts), "it opens at the breach"
    assert screen.desk.front.scenario.nodes == 2
    interface = perform(interface, screen.desk, intents.leave_example())
    assert screen.desk.front.timeline is timeline
    assert timeline.trace.records == trace
    assert interface.playback.time == screen.desk.front.now
    assert "no previous run" in perform(interface, screen.desk, intents.leave_example()).notice.words
    screen.desk.close()


def test_a_phone_has_each_page_in_place_of_the_graph_and_shows_a_counter_example_on_it(monkeypatch):
    monkeypatch.setattr(background_check, "HAS_PROCESSES", False)
    desk = desk_of(MUTANT)
    screen, interface = Screen(desk), update(interface_of(390, 844), Screen(desk), Use("header.more"))
    entries = menu_of(interface, desk).entries
    for page in PAGES[1:]:
        (place,) = (place for place, entry in enumerate(entries) if entry.label == page.name)
        shown = choose_entry(interface, desk, place)
        assert [panel.name for panel in screen.panels(shown) if panel.name in (page.name, "strip")] == [page.name]
        assert {f"tabs.{one.name}" for one in PAGES} <= {widget.id for widget in screen.widgets(shown)}
    interface = perform(interface_of(390, 844), desk, intents.open_page("check"))
    interface = perform(interface, desk, intents.change_budget(("nodes", -1)))
    interface = finished(update(interface, screen, Use("check.start")), screen)
    assert regions(interface).graph.h == 0
    interface = perform(interface, desk, intents.open_example("ME1"))
    assert regions(interface).graph.h > 300
    assert "broken" in {verdict.status for verdict in desk.front.ledger.verdicts}
    assert regions(perform(interface, desk, intents.other_scheduler())).graph.h > 300, "to pick messages on the graph"
    notice = screen.panel(perform(interface, desk, intents.open_page("check")).say("words"), "notice")
    assert 0 <= bounds(notice.shapes[0]).x < 390
    desk.close()


def test_a_result_for_another_system_says_so():
    screen = Screen(desk_of(MUTANT))
    desk, interface = screen.desk, interface_of(page="check")
    desk.begin_check(Check(MUTANT, interface.pages.budget))
    desk.check.close()

    def said(interface: Interface) -> str:
        return " ".join(shape.text for shape in screen.panel(interface, "check").shapes if isinstance(shape, Text))

    assert "different" not in said(interface)
    for alike in (replace(MUTANT, seed=9, nodes=4), replace(MUTANT, load=Load(), events=(Event(1.0, "crash", 0),))):
        desk.front.open(alike)
        assert desk.check.is_under_way_for(alike)
        assert "different" not in said(interface)
    assert "belongs to different limits" in said(changed(interface, budget=Budget(crashes=1)))
    for other in (replace(MUTANT, variant=None), replace(MUTANT, network=Network(fifo=False))):
        desk.front.open(other)
        assert not desk.check.is_under_way_for(other)
        assert "belongs to a different system" in said(interface)


def test_an_endless_step_ends_when_the_check_is_stopped(monkeypatch):
    monkeypatch.setattr("visual.window.pages.background_check.GRACE", 0.0)
    monkeypatch.setattr("visual.window.pages.background_check.Connection.poll", lambda connection: False)
    check = Check(MUTANT, SMALL)
    assert not check.receive()
    check.stop()
    time.sleep(0.01)
    assert check.receive()
    assert "one and the same step" in check.outcome.trouble
    check.close()


def test_a_restarted_counter_example_still_leads_back_to_the_run():
    desk = desk_of(MUTANT)
    timeline, ledger = desk.front.timeline, desk.front.ledger
    desk.front.visit(replace(MUTANT, nodes=2))
    desk.front.restart()
    assert desk.front.scenario.nodes == 2
    assert desk.front.leave_example()
    assert desk.front.timeline is timeline
    assert desk.front.ledger is ledger, "a long run is not read twice"


def test_a_process_of_its_own_reports_and_can_be_stopped():
    check = Check(Scenario("ricart-agrawala"), Budget(nodes=4, requests=3, most_states=1_000_000))
    stop = time.monotonic() + 60
    while not check.progress.states and time.monotonic() < stop:
        time.sleep(0.02)
        check.receive()
    assert check.progress.states > 0
    assert check.progress.pace > 0
    check.stop()
    while check.outcome is None and time.monotonic() < stop:
        time.sleep(0.02)
        check.receive()
    assert not check.outcome.is_complete
    check.close()


def test_the_crash_of_a_checker_is_reported():
    check = Check(Scenario("ricart-agrawala"), Budget(nodes=4))
    for child in multiprocessing.active_children():
        child.terminate()
        child.join()
    while check.outcome is None:
        check.receive()
    assert "without an answer" in check.outcome.trouble


@pytest.mark.parametrize("name", BUDGETS)
def test_a_budget_stays_within_its_bounds(name):
    desk, interface = desk_of(MUTANT), Interface()
    for by in (1, -1):
        for _ in range(8):
            interface = perform(interface, desk, intents.change_budget((name, by)))
        assert getattr(interface.pages.budget, name) == BUDGETS[name][-1 if by > 0 else 0]


@pytest.mark.parametrize(
    ("scenario", "budget", "expected"),
    [
        (
            Scenario("ricart-agrawala"),
            Budget(nodes=2, requests=2, duplicates=1),
            {
                "safety": "broken",
                "order": "broken",
                "no error": "broken",
                "liveness": "not refuted (some runs are cut short)",
                "entry": "happens",
                "contention": "happens",
            },
        ),
        (
            Scenario("ricart-agrawala"),
            Budget(nodes=4, most_states=300),
            {"safety": "not refuted (3 moves deep)", "entry": "not seen (3 moves deep)"},
        ),
        (
            Scenario("token-ring"),
            Budget(nodes=2, tokens=1),
            {"safety": "holds in all 33 states", "one token": "broken"},
        ),
        (Scenario("ring-election", variant="swallowing"), Budget(nodes=2), {"leader": "never happens"}),
    ],
)
def test_the_page_says_no_more_than_the_checker_knows(scenario, budget, expected):
    screen = Screen(desk_of(scenario))
    interface = changed(interface_of(1280, 1800, page="check"), budget=budget)
    check = Check(scenario, budget)
    screen.desk.begin_check(check)
    check.close()
    check.outcome = explored(scenario, budget)
    panel = screen.panel(interface, "check")
    words = texts(panel.shapes)
    assert {name: words[words.index(name) + 1] for name in expected} == expected
    broken = {result.name for result in check.outcome.results if result.example}
    opening = {w.id for w in panel.widgets if isinstance(w, Target) and w.does.intent is intents.open_example}
    assert opening == {f"check.{name}" for name in broken}, "each has its own"
    assert words.count("open as a run") == len(broken)
    for name in broken:
        perform(interface, screen.desk, intents.open_example(name))
        failing = {verdict.name for verdict in screen.desk.front.ledger.verdicts if verdict.status == "broken"}
        assert name in failing or name == "no error"
        perform(interface, screen.desk, intents.leave_example())


def test_a_process_that_starves_is_found_if_asked_for_and_its_run_opens_at_the_end():
    polling = Scenario("centralized", variant="polling", nodes=5, load=Closed(think=3.0))
    screen = Screen(desk_of(polling))
    interface = interface_of(page="check")
    for part, by in (("nodes", -1), ("fair", 1), *[("requests", 1)] * 3):
        interface = perform(interface, screen.desk, intents.change_budget((part, by)))
    page = texts(screen.panel(interface, "check").shapes)
    assert {"check that nobody starves", "yes", "any"} <= set(page)
    screen.desk.begin_check(Check(polling, interface.pages.budget))
    interface = finished(interface, screen)
    said = " ".join(texts(screen.panel(interface, "check").shapes))
    assert "any number of requests per node" in said
    result = next(one for one in screen.desk.check.outcome.results if one.name == "fair liveness")
    assert result.words == "in every fair run, every request is served (not promised)"
    interface = perform(interface, screen.desk, intents.open_example("fair liveness"))
    front = screen.desk.front
    assert front.now == front.scenario.markers[0].at
    verdict = next(verdict for verdict in front.ledger.verdicts if verdict.name == "ME2")
    assert (verdict.status, verdict.detail) == ("broken", "P0's request (since 1) is never served if this repeats")
    screen.desk.close()
