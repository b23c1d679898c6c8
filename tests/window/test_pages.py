"""The pages of the column at the right: their contents, their clicks and keys, and their cost."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from algorithms import catalog, scenario_file
from algorithms.engine.dispatch import rules_of
from algorithms.engine.events import ENTER, FAULT, KIND, LOST, NODE, REQUEST, SENDER, affected_nodes
from algorithms.engine.observe.line_trace import guard_values
from algorithms.engine.rewrite import system_of
from algorithms.engine.scenario import Event, Marker, Network, Scenario
from algorithms.engine.workload import Closed, Poisson
from tests.support.desks import desk_of
from tests.support.interfaces import changed, interface_of
from tests.support.screens import pressed
from tests.support.shapes import texts
from visual.analysis.event_index import KINDS, EventFilter, EventIndex
from visual.analysis.studies import ValueChange
from visual.drawing.picking import middle_of
from visual.drawing.shapes import Text
from visual.narration.inspection import variable_texts
from visual.window.desk import Desk
from visual.window.gallery.cards import scenario_of
from visual.window.inputs import Press, Release, Tick, Typed, Wheel
from visual.window.pages.branches import tree
from visual.window.playback import playing
from visual.window.screen import Screen
from visual.window.state import Interface, Scrolls
from visual.window.update import update
from visual.window.widgets import Scroller, Target
from visual.words import assumption_words, full_text

RING = Scenario("token-ring", nodes=4, load=Closed(think=3.0))
RICART = Scenario("ricart-agrawala", nodes=3, load=Closed(think=3.0))


def opened(scenario: Scenario, *chords: str, steps: int = 40) -> tuple[Interface, Screen]:
    """The window after that number of steps and some keys."""
    screen = Screen(desk_of(scenario))
    screen.desk.front.seek(steps)
    return pressed(interface_of(1280, 720), screen, *chords), screen


def clicked(interface: Interface, screen: Screen, widget: str) -> Interface:
    found = {each.id: each for each in screen.widgets(interface)}[widget]
    point = middle_of(found.box)
    return update(update(interface, screen, Press(*point)), screen, Release(*point))


def page_words(interface: Interface, screen: Screen) -> str:
    return "\n".join(texts(screen.panel(interface, interface.display.page).shapes))


def lines_of(interface: Interface, screen: Screen) -> list[str]:
    """The names of the dense targets of the open page."""
    widgets = screen.panel(interface, interface.display.page).widgets
    return [widget.id for widget in widgets if isinstance(widget, Target) and widget.dense]


# ---- events ------------------------------------------------------------------------------------------------


def test_the_list_of_events_marks_the_present_one_and_a_click_goes_there():
    interface, screen = opened(RING, "E")
    assert "events.39" in lines_of(interface, screen)
    assert "40 of 40 events" in page_words(interface, screen)
    interface = clicked(interface, screen, "events.31")
    assert screen.desk.front.timeline.step == 32
    assert screen.panel(interface, "events").start == "events.31"


def test_the_list_stays_where_it_is_when_a_line_is_clicked():
    interface, screen = opened(RING, "E", steps=200)
    before = lines_of(interface, screen)
    interface = clicked(interface, screen, before[-8])
    assert lines_of(interface, screen) == before


def test_the_list_scrolls_only_to_keep_the_present_event_in_view():
    interface, screen = opened(RING, "E", steps=200)
    moved = 0
    for _ in range(60):
        before = lines_of(interface, screen)
        interface = pressed(interface, screen, "Left")
        after = lines_of(interface, screen)
        assert f"events.{screen.desk.front.timeline.step - 1}" in after
        moved += before != after
    assert 0 < moved < 60


def test_arrow_keys_leave_a_list_at_its_first_line_for_the_switches_above():
    interface, screen = opened(RING, "E", "Down", steps=4)
    interface = pressed(interface, screen, *["Up"] * 3)
    assert interface.pointer.focus == "events.0"
    interface = pressed(interface, screen, "Up")
    assert interface.pointer.focus == "events.node"


def test_arrow_keys_go_through_the_list_and_scroll_it_at_both_ends():
    interface, screen = opened(RING, "E", "Down", steps=200)
    assert interface.pointer.focus == "events.199"
    interface = pressed(interface, screen, *["Up"] * 60)
    assert interface.pointer.focus == "events.139"
    interface = pressed(interface, screen, *["Down"] * 30, "Enter")
    assert screen.desk.front.timeline.step == 170
    interface = pressed(interface, screen, "Esc", "Down")
    assert interface.selected_id == "node:0", "after Esc the arrows are the graph's again"


def test_the_wheel_scrolls_until_another_step_is_shown():
    interface, screen = opened(RING, "E", steps=200)
    scroller = next(w for w in screen.panel(interface, "events").widgets if isinstance(w, Scroller))
    for _ in range(30):
        interface = update(interface, screen, Wheel(*middle_of(scroller.box), 1.0))
    assert "events.199" not in lines_of(interface, screen)
    interface = pressed(interface, screen, "Left")
    assert "events.198" in lines_of(interface, screen)


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_can_be_listed_alone(kind):
    scenario = Scenario("bully", nodes=4, load=Poisson(rate=0.2), events=(Event(3.0, "crash", 3),))
    interface, screen = opened(scenario, "E", steps=300)
    for other in KINDS:
        if other != kind:
            interface = clicked(interface, screen, f"events.{other}")
    alone = screen.desk.front.ledger.matching_steps(EventFilter(frozenset({kind})))
    assert 1 < len(alone) < 300
    assert f"{len(alone)} of 300 events" in page_words(interface, screen)


def test_events_of_a_node_are_those_at_it_and_messages_that_never_came():
    lossy = Scenario("bully", nodes=3, load=Poisson(rate=0.3), network=Network(loss=0.2))
    interface, screen = opened(lossy, "Down", "Down", "E", steps=120)
    interface = clicked(interface, screen, "events.node")
    trace = screen.desk.front.timeline.trace
    listed = list(screen.desk.front.ledger.matching_steps(EventFilter(node=1)))
    lost = [k for k in range(120) if trace.event(k)[KIND] == LOST and trace.event(k)[SENDER] == 1]
    assert listed == sorted({*lost, *(k for k in range(120) if trace.event(k)[NODE] == 1)})
    assert 0 < len(lost) < len(listed) / 2
    assert f"{len(listed)} of 120 events" in page_words(interface, screen)


@pytest.mark.parametrize("question", [EventFilter(), EventFilter(frozenset({"entries"})), EventFilter(node=1)])
def test_the_index_does_not_depend_on_the_way_to_the_run(question):
    desk = desk_of(RICART)
    desk.front.seek(300)
    before = list(desk.front.ledger.matching_steps(question))
    desk.front.seek(100)
    desk.front.act("crash", node=0)
    desk.front.seek(250)
    fresh = EventIndex()
    fresh.follow(desk.front.timeline.trace)
    assert list(desk.front.ledger.matching_steps(question)) == list(fresh.steps(question)) != before
    assert desk.front.timeline.trace.event(100)[KIND] == FAULT


def test_a_long_run_costs_a_frame_no_more_than_a_short_one():
    interface, screen = opened(RING, "E", steps=30_000)
    screen.shapes(interface)
    interface = clicked(interface, screen, "events.messages")
    times = []
    for _ in range(15):
        start = time.process_time()
        interface = pressed(interface, screen, "Left")
        screen.panel(interface, "events")
        times.append(time.process_time() - start)
    widgets = screen.panel(interface, "events").widgets
    assert len(widgets) < 40, "only visible lines are built"
    assert sorted(times)[7] < 0.05


def test_without_room_for_a_column_arrow_keys_belong_to_the_graph():
    interface, screen = opened(RING)
    interface = pressed(changed(interface, width=1024, height=768, scale=2.0), screen, "E")
    interface = pressed(interface, screen, "Down")
    assert "no room" in interface.notice.words
    assert pressed(interface, screen, "Down").selected_id == "node:0"


# ---- branches ----------------------------------------------------------------------------------------------


def branched() -> tuple[Interface, Screen]:
    """A run with two branches, the second leaving the first."""
    interface, screen = opened(RING, steps=40)
    screen.desk.front.seek(20)
    screen.desk.front.act("crash", node=1)
    screen.desk.front.seek(30)
    screen.desk.front.act("recover", node=1)
    screen.desk.front.seek(50)
    screen.desk.front.seek(25)
    screen.desk.front.act("request", node=2)
    return pressed(interface, screen, "Shift+B"), screen


def test_the_tree_of_branches_says_where_each_begins_and_with_what():
    interface, screen = branched()
    leaves = tree(screen.desk.front.timeline)
    assert [(leaf.branch.name, leaf.depth) for leaf in leaves] == [("main", 0), ("branch 1", 1), ("branch 2", 2)]
    words = page_words(interface, screen)
    assert "starts from main at step 20: P1: crash" in words
    assert "starts from branch 1 at step 25: P2: request now" in words
    assert screen.panel(interface, "branches").start == "branches.branch 2"


def test_a_click_goes_to_a_branch_and_its_future_is_there():
    interface, screen = branched()
    moment, timeline = screen.desk.front.now, screen.desk.front.timeline
    interface = rested(clicked(interface, screen, "branches.main"), screen)
    assert (timeline.branch.name, timeline.frontier) == ("main", 40)
    assert interface.playback.time == moment
    assert timeline.step == timeline.trace.steps_until(moment)
    interface = rested(clicked(interface, screen, "branches.branch 1"), screen)
    assert screen.desk.front.simulation.down == {1: "crashed"}
    assert timeline.frontier == timeline.branch.length > 26
    assert interface.playback.time == moment


def rested(interface: Interface, screen: Screen) -> Interface:
    """The interface once the search is over and the forgotten steps have been executed again."""
    while interface.playback.goal is not None or screen.desk.is_recalling:
        interface = update(interface, screen, Tick(0.02))
    return interface


@pytest.mark.parametrize("generations", [3, 12, 40])
def test_the_parent_of_a_branch_is_visible_in_any_generation(generations):
    interface, screen = opened(RING, steps=200)
    desk = screen.desk
    for generation in range(generations):
        desk.front.seek(generation + 1)
        desk.front.act("request", node=2)
        desk.front.seek(200)
    desk.front.timeline.go_to("branch 1")
    desk.front.act("request", node=3)
    leaves = {leaf.branch.name: leaf for leaf in tree(desk.front.timeline)}
    assert list(leaves)[:3] == ["main", "branch 1", "branch 2"]
    assert [leaf.depth for leaf in leaves.values()] == [*range(generations + 1), 2]
    last = f"branch {generations + 1}"
    for name, leaf in leaves.items():
        assert leaf.rails == ({1} if name not in ("main", "branch 1", last) else set()), "down to the younger branch"
    interface = playing.settle(pressed(interface, screen, "Shift+B"), desk)
    shown = screen.panel(interface, "branches").shapes
    left = {shape.text: shape.x for shape in shown if isinstance(shape, Text) and shape.text in leaves}
    for name in left.keys() - {"main"}:
        assert left[name] > left.get(leaves[name].branch.parent, 0.0), "a child is indented from its parent"
    assert last in left, "the present branch is in view, with its whole name"


def names(screen: Screen) -> list[tuple[str, int]]:
    return [(leaf.branch.name, leaf.depth) for leaf in tree(screen.desk.front.timeline)]


def test_undo_restores_a_deleted_branch_before_it_undoes_interventions():
    interface, screen = branched()
    before = names(screen)
    interface = pressed(interface, screen, "Down", "Up", "Delete")
    assert names(screen) == [("main", 0), ("branch 2", 1)]
    assert "undo (Ctrl+Z) restores it" in interface.notice.words
    assert screen.desk.front.timeline.branch.name == "branch 2"
    interface = pressed(interface, screen, "Ctrl+Z")
    assert names(screen) == before
    pressed(interface, screen, "Ctrl+Z")
    assert screen.desk.front.timeline.branch.name == "branch 1", "the request at P2 is undone"


def test_deleting_the_present_branch_shows_its_parent():
    interface, screen = branched()
    moment, timeline = screen.desk.front.now, screen.desk.front.timeline
    records = list(timeline.trace.records)
    interface = rested(clicked(interface, screen, "branches.delete"), screen)
    assert (timeline.branch.name, interface.playback.time) == ("branch 1", moment)
    interface = rested(pressed(interface, screen, "Ctrl+Z"), screen)
    assert (timeline.branch.name, interface.playback.time, timeline.trace.records) == ("branch 2", moment, records)


def test_interventions_after_a_deletion_are_undone_first_and_names_stay_unique():
    interface, screen = branched()
    interface = pressed(clicked(interface, screen, "branches.delete"), screen, "Left", "Left")
    screen.desk.front.act("request", node=3)
    assert screen.desk.front.timeline.branch.name == "branch 3"
    interface = pressed(interface, screen, "Ctrl+Z")
    assert ("branch 2", 2) not in names(screen)
    pressed(interface, screen, "Ctrl+Z")
    assert ("branch 2", 2) in names(screen)


def test_the_main_branch_cannot_be_deleted():
    interface, screen = branched()
    interface = pressed(interface, screen, "Up", "Up", "Up", "Delete")
    assert interface.pointer.focus == "branches.main"
    assert "“main” cannot be deleted" in interface.notice.words
    assert len(names(screen)) == 3


@pytest.fixture
def long_branches(monkeypatch) -> tuple[Interface, Screen, float]:
    """A pair of long branches that share only their beginning, the end of the first, and a small slice per frame."""
    for name in ("WORK", "BESIDE"):
        monkeypatch.setattr(playing, name, 0.0)
    interface, screen = opened(replace(RING, until=400.0), steps=3000)
    desk = screen.desk
    end = desk.front.now
    desk.front.seek(10)
    desk.front.act("request", node=2)
    desk.front.seek(1500)
    interface = playing.settle(interface, desk)
    return pressed(interface, screen, "Shift+B"), screen, end


def test_a_long_search_for_a_branch_takes_several_frames(long_branches):
    interface, screen, _ = long_branches
    desk, moment = screen.desk, screen.desk.front.now
    interface = clicked(interface, screen, "branches.main")
    for _ in range(3):
        before = desk.front.timeline.frontier
        interface = update(interface, screen, Tick(0.02))
        assert 0 < desk.front.timeline.frontier - before <= 400
    assert desk.front.now < moment
    interface = rested(interface, screen)
    assert (interface.playback.time, desk.front.timeline.frontier) == (moment, 3000)
    plain = catalog.timeline(desk.front.scenario)
    plain.seek(3000)
    assert desk.front.timeline.trace.records == plain.trace.records


@pytest.mark.parametrize("chord", ["Esc", "Right", "Space", "Left"])
def test_a_key_ends_the_search_for_a_branch_and_nothing_is_lost(long_branches, chord):
    interface, screen, end = long_branches
    desk, moment = screen.desk, screen.desk.front.now
    interface = update(clicked(interface, screen, "branches.main"), screen, Tick(0.02))
    interface = pressed(interface, screen, chord)
    assert interface.playback.goal is None
    interface = update(interface, screen, Tick(0.02))
    assert desk.front.now < 0.9 * moment
    interface = pressed(interface, screen, "Space") if interface.playback.playing else interface
    timeline = rested(interface, screen) and desk.front.timeline
    assert (timeline.branch.name, timeline.frontier, timeline.branch.end) == ("main", 3000, end)
    assert desk.front.now < 0.9 * moment, "only the memory of the future has grown"


def test_an_intervention_before_the_future_is_recalled_keeps_it(long_branches):
    interface, screen, end = long_branches
    desk = screen.desk
    interface = update(clicked(interface, screen, "branches.main"), screen, Tick(0.02))
    interface = pressed(interface, screen, "Down", "Down", "C")
    assert [leaf.branch.name for leaf in tree(desk.front.timeline)] == ["main", "branch 1", "branch 2"]
    assert desk.front.timeline.branch.parent == "main"
    interface = rested(pressed(interface, screen, "Ctrl+Z"), screen)
    assert (desk.front.timeline.branch.name, desk.front.timeline.branch.end, desk.front.timeline.frontier) == (
        "main",
        end,
        3000,
    )


def test_undo_before_the_future_is_recalled_goes_to_the_intervention(long_branches):
    interface, screen, _ = long_branches
    desk = screen.desk
    desk.front.act("crash", node=1)
    moment = desk.front.now
    interface = clicked(interface, screen, "branches.main")
    interface = update(clicked(interface, screen, "branches.branch 1"), screen, Tick(0.02))
    interface = rested(pressed(interface, screen, "Ctrl+Z"), screen)
    assert (interface.playback.time, desk.front.simulation.down, desk.front.timeline.branch.name) == (
        moment,
        {},
        "branch 1",
    )


def test_a_branch_is_named_by_typing_and_two_cannot_have_one_name():
    interface, screen = branched()
    interface = clicked(interface, screen, "branches.rename")
    assert interface.mode(screen.desk.is_manual) == "typing"
    for character in "main":
        interface = update(interface, screen, Typed(character))
    interface = pressed(interface, screen, "Enter")
    assert interface.notice.words == "Another branch already has that name."
    interface = clicked(interface, screen, "branches.rename")
    for character in "P2 asks":
        interface = update(interface, screen, Typed(character))
    interface = pressed(interface, screen, "Enter")
    assert [leaf.branch.name for leaf in tree(screen.desk.front.timeline)] == ["main", "branch 1", "P2 asks"]
    moment = screen.desk.front.now
    interface = clicked(interface, screen, "branches.main")
    assert rested(clicked(interface, screen, "branches.P2 asks"), screen).playback.time == moment
    assert screen.desk.front.timeline.branch.name == "P2 asks"


def test_children_of_a_renamed_branch_stay_its_children_and_undo_finds_it():
    _, screen = branched()
    timeline = screen.desk.front.timeline
    timeline.go_to("branch 1")
    timeline.rename("the crash")
    assert timeline.branches["branch 2"].parent == "the crash"
    with pytest.raises(ValueError, match="already"):
        timeline.rename("main")
    timeline.go_to("branch 2")
    assert timeline.undo()
    assert timeline.branch.name == "the crash"


def test_a_click_elsewhere_ends_typing():
    interface, screen = branched()
    interface = clicked(interface, screen, "branches.rename")
    assert clicked(interface, screen, "branches.main").mode != "typing"


# ---- notes -------------------------------------------------------------------------------------------------

TOLD = replace(RING, notes="Ask first: who is next?\nThen play.", markers=(Marker(9.0, "late"), Marker(5.0, "early")))


def test_notes_hold_what_a_speaker_needs():
    interface, screen = opened(TOLD, "N")
    interface = changed(interface, width=1920, height=1080)
    words = page_words(interface, screen)
    algorithm = screen.desk.front.simulation.algorithm
    assert "Ask first: who is next?\nThen play." in words
    assert words.index("early") < words.index("late")
    below = page_words(pressed(interface, screen, *["Down"] * 20), screen)
    assert algorithm.source in below.replace("\n", " ")
    assert assumption_words(algorithm.assumes) in words.replace("\n", " ")
    assert "safety: at most one process" in words


def test_a_click_on_a_marker_goes_to_its_moment():
    interface, screen = opened(TOLD, "N")
    early, late = lines_of(interface, screen)
    interface = clicked(interface, screen, late)
    assert interface.playback.time == 9.0
    assert screen.panel(interface, "notes").start == late
    assert clicked(interface, screen, early).playback.time == 5.0


def test_long_notes_scroll_with_the_arrow_keys():
    long = replace(RING, notes="\n".join(f"Line {n}." for n in range(80)))
    interface, screen = opened(long, "N")
    assert "Line 70." not in page_words(interface, screen)
    screens = []
    for _ in range(60):
        interface = pressed(interface, screen, "Down")
        screens.append(page_words(interface, screen))
    assert any("Line 70." in words for words in screens)
    assert screen.desk.front.simulation.algorithm.source[-8:] in screens[-1], "and to the end"


def test_notes_are_part_of_a_scenario_file():
    assert scenario_file.loads(scenario_file.dumps(TOLD)) == TOLD


# ---- source ------------------------------------------------------------------------------------------------


def source_words(interface: Interface, screen: Screen) -> list[str]:
    return texts(screen.panel(interface, "source").shapes)


def test_guards_belong_to_the_acting_node_or_the_selected_one():
    interface, screen = opened(RICART, "Shift+U", steps=33)
    for node in range(3):
        chosen = changed(interface, selection=f"node:{node}")
        process = screen.desk.front.simulation.processes[node]
        words = source_words(chosen, screen)
        assert f"guards of P{node}" in words
        acted = screen.desk.front.timeline.trace.event(32)[NODE] == node
        if not acted:
            assert ("true" in words) == bool(process.wants and not process.awaiting)
    acting = screen.desk.front.timeline.trace.event(32)[NODE]
    assert f"guards of P{acting}" in source_words(interface, screen)


def test_a_guard_shows_its_value_before_its_rule_ran():
    interface, screen = opened(RICART, "Shift+U", steps=0)
    trace = screen.desk.front.timeline.trace
    screen.desk.front.seek(80)
    entered = next(k for k in range(80) if any(record[KIND] == ENTER for record in trace.step(k)))
    screen.desk.front.seek(entered + 1)
    interface = changed(interface, panel_revision=screen.desk.front.revision)
    process = screen.desk.front.simulation.processes[trace.event(entered)[NODE]]
    assert not process.wants
    assert "true" in source_words(interface, screen)


def test_every_guard_of_every_algorithm_can_be_evaluated_at_any_time():
    for name in sorted(catalog.by_name()):
        desk = desk_of(Scenario(name, nodes=4, load=Closed(think=3.0)))
        desk.front.seek(60)
        for process in desk.front.simulation.processes:
            before = vars(process).copy()
            asked = guard_values(process)
            assert vars(process) == before
            assert len(asked) <= len(rules_of(type(process)))


def test_the_wheel_scrolls_the_source_until_another_step_is_shown():
    interface, screen = opened(RICART, steps=30)
    before = source_words(interface, screen)
    scroller = next(w for w in screen.panel(interface, "source").widgets if isinstance(w, Scroller))
    assert scroller.content > scroller.box.h
    down = update(interface, screen, Wheel(*middle_of(scroller.box), -3.0))
    assert source_words(down, screen) != before
    assert source_words(changed(down, scrolls=Scrolls((), (("source", 29),))), screen) == before, (
        "it was another step then"
    )


# ---- history -----------------------------------------------------------------------------------------------


def found_by_seeking(desk: Desk, node: int, name: str) -> list[ValueChange]:
    """The values of a variable, read at every step."""
    found: list[ValueChange] = []
    for step in range(1, desk.front.timeline.frontier + 1):
        desk.front.seek(step)
        value = full_text(vars(desk.front.simulation.processes[node])[name])
        if not found or found[-1].value != value:
            found.append(ValueChange(step, desk.front.now, value))
    return found


@pytest.mark.parametrize("name", ["ricart-agrawala", "token-ring", "bully", "wandering-token-report"])
def test_the_history_of_a_variable_has_its_value_at_each_step(name):
    desk = desk_of(
        Scenario(name, nodes=4, load=Poisson(rate=0.2), events=(Event(6.0, "crash", 2), Event(12.0, "recover", 2)))
    )
    desk.front.seek(150)
    history = desk.front.ledger.variable_history(2)
    while history.reached < desk.front.timeline.frontier:
        history.work(0.001)
    for variable in vars(desk.front.simulation.processes[2]):
        assert history.changes[variable] == found_by_seeking(desk, 2, variable)


@pytest.mark.parametrize("name", [algorithm.name for family in catalog.by_family().values() for algorithm in family])
def test_variables_change_only_in_steps_that_may_change_them(name):
    crashes = (Event(2.0, "crash", node=0), Event(5.0, "crash", node=3), Event(20.0, "recover", node=0))
    events = () if system_of(catalog.find(name).of(None)) else crashes
    run = catalog.simulation(replace(scenario_of(name), events=events))
    before = [variable_texts(process) for process in run.processes]
    for _ in range(400):
        if not run.step():
            break
        event = run.trace.event(run.steps - 1)
        now = [variable_texts(process) for process in run.processes]
        changed = [node for node in range(len(now)) if now[node] != before[node]]
        assert set(changed) <= set(affected_nodes(event, len(run.processes))), (event, changed)
        before = now


def test_the_history_begins_anew_after_a_change_of_the_past():
    desk = desk_of(RING)
    desk.front.seek(80)
    history = desk.front.ledger.variable_history(1)
    history.work(9.0)
    before = history.changes
    desk.front.act("request", node=1)
    history.work(9.0)
    assert history.changes is before, "a step at the end only adds to it"
    desk.front.seek(30)
    desk.front.act("crash", node=1)
    desk.front.seek(60)
    history.work(9.0)
    assert history.changes is not before
    for variable in vars(desk.front.simulation.processes[1]):
        assert history.changes[variable] == found_by_seeking(desk, 1, variable)


def test_the_history_is_computed_in_slices_and_costs_no_frame():
    desk = desk_of(RING)
    desk.front.seek(20_000)
    history = desk.front.ledger.variable_history(1)
    slices = []
    while not slices or slices[-1][0]:
        start = time.process_time()
        goes_on = history.work(0.004)
        slices.append((goes_on, time.process_time() - start))
    spent = sorted(seconds for _, seconds in slices)
    assert len(spent) > 5
    assert spent[int(0.9 * len(spent))] < 0.03


def test_a_click_on_a_value_goes_to_its_step():
    interface, screen = opened(RICART, "Down", "Shift+I", steps=60)
    for _ in range(5):
        interface = update(interface, screen, Tick(0.1))
    interface = clicked(interface, screen, "history.variable.clock")
    changes = screen.desk.front.ledger.variable_history(0).changes["clock"]
    assert [f"history.{change.step}" for change in changes] == [
        name for name in lines_of(interface, screen) if "variable" not in name
    ]
    clicked(interface, screen, f"history.{changes[1].step}")
    assert screen.desk.front.timeline.step == changes[1].step
    assert screen.desk.front.simulation.processes[0].clock == int(changes[1].value)


def test_changes_of_the_present_step_are_marked():
    interface, screen = opened(RICART, "Down", "Shift+I", steps=0)
    screen.desk.front.seek(80)
    trace = screen.desk.front.timeline.trace
    asked = next(k for k in range(80) if trace.event(k)[KIND] == REQUEST and trace.event(k)[NODE] == 0)
    screen.desk.front.seek(asked + 1)
    words = page_words(changed(interface, panel_revision=screen.desk.front.revision), screen)
    assert "• clock" in words
    assert "• deferred" not in words


def test_the_history_of_a_message_has_its_times_of_sending_and_arrival():
    interface, screen = opened(RICART, steps=60)
    screen.desk.front.seek(20)
    entry = min(screen.desk.front.simulation.queue.between_processes())
    interface = changed(
        interface, selection=f"message:{entry[1]}", page="history", panel_revision=screen.desk.front.revision
    )
    sent, arrives = (int(name.partition(".")[2]) for name in lines_of(interface, screen))
    trace = screen.desk.front.timeline.trace
    assert entry in trace.step(sent - 1)[1:]
    assert trace.event(arrives - 1) == entry
    assert "it arrives" in page_words(interface, screen)


def test_the_inspectors_card_leads_to_the_history():
    interface, screen = opened(RICART, "Down", "I", steps=30)
    assert clicked(interface, screen, "cards.history").display.page == "history"
