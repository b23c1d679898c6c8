"""A person as the scheduler: the choices, their effect, and the replay of a run from them."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest

from algorithms import catalog, scenario_file
from algorithms.engine.check.choices import adverse, deliverable, regular
from algorithms.engine.events import DELIVER, FAULT, KIND, LEAVE, LOST, NODE, SENDER, SEQ, TIMER
from algorithms.engine.membership import ABSENT, CRASHED
from algorithms.engine.randomness import Fixed
from algorithms.engine.scenario import Event, Network, Scenario
from algorithms.engine.workload import Load, Request, Script
from tests.support.desks import desk_of
from tests.support.interfaces import changed
from tests.support.kit import for_each
from visual.analysis.run_cache import RunCache
from visual.drawing.shapes import Rect
from visual.drawing.theme import load
from visual.scene.graph.layout import arrange
from visual.scene.graph.messages import Track, tracks
from visual.scene.options import Options
from visual.window import intents
from visual.window.actions import perform
from visual.window.desk import Desk
from visual.window.inputs import Key, Tick
from visual.window.pages import choose
from visual.window.pages.choose import agenda, numbers
from visual.window.run_view import YOU_CHOOSE
from visual.window.screen import Screen
from visual.window.state import Interface
from visual.window.update import update

KINDS = {"deliver": (DELIVER, LOST), "fire": (TIMER,), "exit": (LEAVE,)}  # a message may be lost on arrival
QUIET = Scenario("ricart-agrawala", nodes=3, load=Load())


def chosen_by_dice(scenario: Scenario, seed: int, picks: int = 60) -> Desk:
    """A run of random choices, mostly of regular events."""
    dice = random.Random(seed)
    desk = desk_of(scenario)
    desk.front.set_manual(True)
    for _ in range(picks):
        possible = regular(desk.front.simulation) if dice.random() < 0.9 else adverse(desk.front.simulation)
        if not possible:
            break
        choice = dice.choice(possible)
        step = desk.front.timeline.step
        desk.front.act(choice.do, desk.front.now + desk.front.flight, **dict(choice.fields))
        if desk.front.failure:
            break
        event = desk.front.timeline.trace.event(step)
        assert event[KIND] in KINDS.get(choice.do, (FAULT,)), "what was chosen is what happens"
        if choice.do == "deliver":
            assert event[SEQ] == choice.entry[SEQ]
    return desk


@for_each(name=sorted(catalog.by_name()))
def test_every_choice_happens_and_the_run_replays_from_its_file(name):
    desk = chosen_by_dice(Scenario(name, nodes=4, load=Load()), seed=3)
    text = scenario_file.dumps(scenario_file.saved_run(desk.front.timeline))
    again = catalog.timeline(scenario_file.loads(text))
    again.seek(desk.front.timeline.frontier)
    assert again.trace.records == desk.front.timeline.trace.records


def test_on_fifo_channels_only_the_first_message_may_arrive():
    for fifo in (True, False):
        scenario = Scenario("ricart-agrawala", nodes=2, load=Load(), network=Network(fifo=fifo))
        desk = desk_of(scenario)
        desk.front.set_manual(True)
        for do, node in (("request", 0), ("deliver", None), ("deliver", None), ("exit", 0), ("request", 0)):
            if do == "deliver":
                desk.front.act(do, desk.front.now + 1, message=deliverable(desk.front.simulation)[0][SEQ])
            else:
                desk.front.act(do, desk.front.now + 1, node=node)
        flying = deliverable(desk.front.simulation)
        links = [(entry[SENDER], entry[NODE]) for entry in flying]
        assert len(links) == len(set(links)) or not fifo
        desk.front.act("duplicate", desk.front.now + 1, message=flying[0][SEQ])
        assert len(deliverable(desk.front.simulation)) == (len(flying) if fifo else len(flying) + 1)


def test_nothing_happens_by_itself_while_a_person_chooses():
    screen = Screen(desk_of(Scenario("token-ring", nodes=3)))
    interface = update(Interface(), screen, Key("Shift+J"))
    assert screen.desk.front.timeline.step == 1, "the launch is nobody's choice"
    for chord in ("Right", "Space", "End", "PageDown", "+"):
        interface = update(interface, screen, Key(chord))
        for _ in range(20):
            interface = update(interface, screen, Tick(0.1))
    assert screen.desk.front.timeline.step == screen.desk.front.timeline.frontier == 1
    interface = update(update(interface, screen, Key("Space")), screen, Tick(0.1))
    assert interface.notice.words == YOU_CHOOSE
    assert not interface.playback.playing


def test_a_digit_picks_and_undo_takes_it_back():
    screen = Screen(desk_of(QUIET))
    interface = update(Interface(), screen, Key("Shift+J"))
    asked = [choice for choice in agenda(interface, screen.desk.front).usual if choice.do == "request"]
    assert len(asked) == 3
    interface = update(interface, screen, Key("2"))
    assert screen.desk.front.simulation.processes[1].wants
    assert numbers(interface, screen.desk.front) == {
        entry[SEQ]: place + 1 for place, entry in enumerate(deliverable(screen.desk.front.simulation))
    }
    update(interface, screen, Key("Ctrl+Z"))
    assert not screen.desk.front.simulation.processes[1].wants


def test_choices_can_be_filtered_by_kind_and_are_numbered_after_that():
    screen = Screen(desk_of(Scenario("bully", nodes=3)))
    interface = update(Interface(), screen, Key("Shift+J"))
    interface = update(interface, screen, Key("1"))  # P0 starts an election: two messages, and a timer
    everything = agenda(interface, screen.desk.front)
    kinds = Counter(choice.do for choice in everything.usual)
    assert kinds == {"deliver": 2, "fire": 1, "request": 3}
    for do, kind in {**choose.KINDS, "crash": choose.ADVERSE}.items():
        assert f"choose.{kind}" in {widget.id for widget in screen.widgets(interface)}
        filtered = agenda(perform(interface, screen.desk, intents.filter_kind(kind)), screen.desk.front)
        assert [choice for choice in everything.usual if choice.do != do] == list(filtered.usual)
        assert bool(filtered.adverse) == (kind != choose.ADVERSE)
    assert sorted(numbers(interface, screen.desk.front).values()) == [1, 2]
    assert numbers(perform(interface, screen.desk, intents.filter_kind("messages")), screen.desk.front) == {}


def test_a_click_on_a_message_lets_it_arrive_but_only_if_it_is_first():
    scenario = Scenario("ricart-agrawala", nodes=3, load=Load())
    screen = Screen(desk_of(scenario))
    interface = update(Interface(), screen, Key("Shift+J"))
    interface = update(interface, screen, Key("1"))
    first = deliverable(screen.desk.front.simulation)[0]
    screen.desk.front.act("duplicate", screen.desk.front.now, message=first[SEQ])
    twin = max(screen.desk.front.simulation.queue.in_transit(), key=lambda entry: entry[SEQ])
    refused = perform(interface, screen.desk, intents.select(f"message:{twin[SEQ]}"))
    assert "FIFO" in refused.notice.words
    perform(interface, screen.desk, intents.select(f"message:{first[SEQ]}"))
    assert screen.desk.front.timeline.trace.event(screen.desk.front.timeline.step - 1)[SEQ] == first[SEQ]


def test_choosing_in_the_past_opens_a_branch_and_the_clock_takes_over_again():
    screen = Screen(desk_of(Scenario("token-ring", nodes=3)))
    screen.desk.front.seek(12)
    interface = perform(Interface(), screen.desk, intents.seek_step(6))
    interface = update(interface, screen, Key("Shift+J"))
    interface = perform(interface, screen.desk, intents.pick(0))
    assert screen.desk.front.timeline.branch.name != "main"
    interface = update(interface, screen, Key("Shift+J"))
    screen.desk.front.seek(60)
    assert screen.desk.front.timeline.step == 60
    assert not screen.desk.is_manual


@pytest.mark.parametrize("name", ["ricart-agrawala", "wandering-token-report", "sigma"])
def test_the_choices_of_a_node_are_those_that_concern_it(name):
    desk = chosen_by_dice(Scenario(name, nodes=4, load=Load()), seed=2, picks=20)
    desk.front.act("pause", desk.front.now, node=2)
    for possible in (regular, adverse):
        every = list(possible(desk.front.simulation))
        for node in range(4):
            concerned = [choice for choice in every if concerns(choice, node)]
            assert list(possible(desk.front.simulation, node)) == concerned


def concerns(choice, node: int) -> bool:
    if choice.entry is not None:
        return node in (choice.entry[SENDER], choice.entry[NODE])
    return dict(choice.fields).get("node") == node


def test_a_digit_picks_from_the_filtered_list():
    screen = Screen(desk_of(QUIET))
    interface = update(changed(Interface(), selection="node:2"), screen, Key("Shift+J"))
    update(perform(interface, screen.desk, intents.filter_node()), screen, Key("1"))
    assert [process.wants for process in screen.desk.front.simulation.processes] == [False, False, True]


def test_only_a_few_of_thousands_of_choices_are_made(monkeypatch):
    desk = desk_of(Scenario("ricart-agrawala", nodes=60, load=Load()))
    for node in range(60):
        desk.front.act("request", node=node)
    made = []
    monkeypatch.setattr("algorithms.engine.check.choices._naming", lambda entry: made.append(entry) or ())
    screen = Screen(desk)
    interface = update(Interface(), screen, Key("Shift+J"))
    screen.widgets(update(interface, screen, Key("Down")))
    assert len(regular(desk.front.simulation)) > 3000
    assert 0 < len(made) < 200


def test_nodes_that_are_down_come_back_by_choice():
    scenario = Scenario("token-ring", nodes=3, load=Load(), events=(Event(2.0, "crash", 1),))
    desk = desk_of(scenario)
    desk.front.seek_time(3.0)
    assert desk.front.simulation.down == {1: CRASHED}
    assert ("recover", (("node", 1),)) in [choice[:2] for choice in adverse(desk.front.simulation)]
    assert ("request", (("node", 1),)) not in [choice[:2] for choice in regular(desk.front.simulation)]
    desk.front.act("leave", node=2)
    assert desk.front.simulation.down[2] == ABSENT
    assert ("join", (("node", 2),)) in [choice[:2] for choice in adverse(desk.front.simulation)]


def test_a_saved_run_opened_while_a_person_chooses_repeats_its_choices_by_itself():
    chosen = chosen_by_dice(QUIET, seed=5, picks=12)
    screen = Screen(desk_of(QUIET))
    update(Interface(), screen, Key("Shift+J"))
    screen.desk.front.open(scenario_file.saved_run(chosen.front.timeline))
    assert screen.desk.front.is_automatic
    assert screen.desk.front.timeline.step == 0
    screen.desk.front.seek(chosen.front.timeline.frontier)
    assert screen.desk.front.timeline.trace.records == chosen.front.timeline.trace.records


def test_looking_at_the_last_pick_executes_only_its_step():
    desk = chosen_by_dice(replace(QUIET, nodes=5), seed=2, picks=30)
    last = desk.front.timeline.step - 1
    assert desk.front.timeline.branch.nearest(last).steps == last
    before = desk.front.timeline.trace.records[:]
    assert desk.front.sentence
    assert desk.front.timeline.trace.records == before


def test_messages_that_wait_for_a_pick_are_drawn_the_same_without_a_cache():
    desk = desk_of(QUIET)
    desk.front.set_manual(True)
    layout = arrange(desk.front.simulation, Rect(0, 0, 800, 600))
    theme, dice = load("light"), random.Random(1)

    def drawn(cache: RunCache) -> list[Track]:
        return tracks(cache, layout, theme, Options())

    for pick in range(40):
        possible = regular(desk.front.simulation)
        choice = possible[dice.randrange(len(possible))]
        desk.front.act(choice.do, desk.front.now + desk.front.flight, **dict(choice.fields))
        if pick == 25:
            desk.front.undo()
        assert drawn(desk.front.cache) == drawn(RunCache(desk.front.simulation))


# ---- the critical sections of several resources ------------------------------------------------------------

TWICE = Scenario(
    "sigma",
    nodes=6,
    load=Script(hold=Fixed(200.0), requests=(Request(1.0, 2, resource=1), Request(20.0, 2, resource=0))),
    parameters={"resources": 2},
    until=100.0,
)  # node 2 is inside resource 1 first, and from about time 24 on inside both


def inside_after(scenario: Scenario) -> set[int]:
    """The resources that node 2 is inside at the end."""
    simulation = catalog.simulation(scenario)
    simulation.run(until=100.0)
    return simulation.processes[2].inside


def test_each_stay_and_each_request_is_a_choice_of_its_own():
    desk = desk_of(TWICE)
    desk.front.seek_time(60.0)
    offered = [(choice.do, dict(choice.fields)) for choice in regular(desk.front.simulation)]
    assert [what for do, what in offered if do == "exit"] == [{"node": 2, "resource": k} for k in (0, 1)]
    assert sum(do == "request" for do, _ in offered) == 2 * 5
    desk.front.act("exit", node=2, resource=0)
    assert desk.front.simulation.processes[2].inside == {1}
    desk.front.act("request", node=3, resource=1)
    assert desk.front.simulation.processes[3].wants == {1}


@pytest.mark.parametrize(("resource", "left"), [(0, {1}), (1, {0}), (None, {0})])
def test_an_exit_at_a_time_ends_the_stay_that_it_names_or_the_longest(resource, left):
    assert inside_after(replace(TWICE, events=(Event(60.0, "exit", 2, resource=resource),))) == left


def test_an_exit_of_a_node_that_is_not_inside_changes_nothing():
    assert inside_after(TWICE) == {0, 1}
    assert inside_after(replace(TWICE, events=(Event(60.0, "exit", 3), Event(10.0, "exit", 2, resource=0)))) == {0, 1}
