"""A person as the scheduler: what may happen next, that it does, and that the run replays from what was chosen."""

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
from visual.analysis.run_cache import RunCache
from visual.drawing.shapes import Rect
from visual.drawing.theme import load
from visual.scene.graph.layout import arrange
from visual.scene.graph.messages import Track, tracks
from visual.scene.options import Options
from visual.window import intents
from visual.window.actions import perform
from visual.window.inputs import Key, Tick
from visual.window.pages import choose
from visual.window.pages.choose import agenda, numbers
from visual.window.screen import Screen
from visual.window.session import YOU_CHOOSE, Session
from visual.window.state import Interface
from visual.window.update import update

KINDS = {"deliver": (DELIVER, LOST), "fire": (TIMER,), "exit": (LEAVE,)}  # a message may be doomed
QUIET = Scenario("ricart-agrawala", nodes=3, load=Load())


def chosen_by_dice(scenario: Scenario, seed: int, picks: int = 60) -> Session:
    """A run in which dice pick what happens next, mostly what happens by itself."""
    dice = random.Random(seed)
    session = Session(scenario)
    session.leave_to(person=True)
    for _ in range(picks):
        possible = regular(session.run) if dice.random() < 0.9 else adverse(session.run)
        if not possible:
            break
        choice = dice.choice(possible)
        step = session.timeline.step
        session.act(choice.do, session.now + session.flight, **dict(choice.fields))
        if session.failure:
            break
        event = session.timeline.trace.event(step)
        assert event[KIND] in KINDS.get(choice.do, (FAULT,)), "what was chosen is what happens"
        if choice.do == "deliver":
            assert event[SEQ] == choice.entry[SEQ]
    return session


@pytest.mark.parametrize("name", sorted(catalog.by_name()))
def test_whatever_is_chosen_happens_and_the_run_replays_from_its_file(name):
    session = chosen_by_dice(Scenario(name, nodes=4, load=Load()), seed=3)
    text = scenario_file.dumps(scenario_file.saved_run(session.timeline))
    again = catalog.timeline(scenario_file.loads(text))
    again.seek(session.timeline.frontier)
    assert again.trace.records == session.timeline.trace.records


def test_on_fifo_channels_only_the_first_message_may_arrive():
    for fifo in (True, False):
        scenario = Scenario("ricart-agrawala", nodes=2, load=Load(), network=Network(fifo=fifo))
        session = Session(scenario)
        session.leave_to(person=True)
        for do, node in (("request", 0), ("deliver", None), ("deliver", None), ("exit", 0), ("request", 0)):
            if do == "deliver":
                session.act(do, session.now + 1, message=deliverable(session.run)[0][SEQ])
            else:
                session.act(do, session.now + 1, node=node)
        flying = deliverable(session.run)
        links = [(entry[SENDER], entry[NODE]) for entry in flying]
        assert len(links) == len(set(links)) or not fifo
        session.act("duplicate", session.now + 1, message=flying[0][SEQ])
        assert len(deliverable(session.run)) == (len(flying) if fifo else len(flying) + 1)


def test_nothing_happens_by_itself_while_a_person_chooses():
    screen = Screen(Session(Scenario("token-ring", nodes=3)))
    interface = update(Interface(), screen, Key("Shift+J"))
    assert screen.session.timeline.step == 1, "the launch is nobody's choice"
    for chord in ("Right", "Space", "End", "PageDown", "+"):
        interface = update(interface, screen, Key(chord))
        for _ in range(20):
            interface = update(interface, screen, Tick(0.1))
    assert screen.session.timeline.step == screen.session.timeline.frontier == 1
    interface = update(update(interface, screen, Key("Space")), screen, Tick(0.1))
    assert interface.notice.words == YOU_CHOOSE
    assert not interface.playing


def test_a_digit_picks_and_undo_takes_it_back():
    screen = Screen(Session(QUIET))
    interface = update(Interface(), screen, Key("Shift+J"))
    asked = [choice for choice in agenda(interface, screen.session).usual if choice.do == "request"]
    assert len(asked) == 3
    interface = update(interface, screen, Key("2"))
    assert screen.session.run.processes[1].wants
    assert numbers(interface, screen.session) == {
        entry[SEQ]: place + 1 for place, entry in enumerate(deliverable(screen.session.run))
    }
    update(interface, screen, Key("Ctrl+Z"))
    assert not screen.session.run.processes[1].wants


def test_choices_can_be_sifted_by_kind_and_numbers_are_of_those_that_are_left():
    screen = Screen(Session(Scenario("bully", nodes=3)))
    interface = update(Interface(), screen, Key("Shift+J"))
    interface = update(interface, screen, Key("1"))  # P0 starts an election: two messages, and a timer
    everything = agenda(interface, screen.session)
    deeds = Counter(choice.do for choice in everything.usual)
    assert deeds == {"deliver": 2, "fire": 1, "request": 3}
    for deed, kind in {**choose.KINDS, "crash": choose.ADVERSE}.items():
        assert f"choose.{kind}" in {widget.id for widget in screen.widgets(interface)}
        sifted = agenda(perform(interface, screen.session, intents.sift(kind)), screen.session)
        assert [choice for choice in everything.usual if choice.do != deed] == list(sifted.usual)
        assert bool(sifted.adverse) == (kind != choose.ADVERSE)
    assert sorted(numbers(interface, screen.session).values()) == [1, 2]
    assert numbers(perform(interface, screen.session, intents.sift("messages")), screen.session) == {}


def test_a_click_on_a_message_lets_it_arrive_but_only_if_it_is_first():
    scenario = Scenario("ricart-agrawala", nodes=3, load=Load())
    screen = Screen(Session(scenario))
    interface = update(Interface(), screen, Key("Shift+J"))
    interface = update(interface, screen, Key("1"))
    first = deliverable(screen.session.run)[0]
    screen.session.act("duplicate", screen.session.now, message=first[SEQ])
    twin = max(screen.session.run.queue.in_transit(), key=lambda entry: entry[SEQ])
    refused = perform(interface, screen.session, intents.select(f"message:{twin[SEQ]}"))
    assert "FIFO" in refused.notice.words
    perform(interface, screen.session, intents.select(f"message:{first[SEQ]}"))
    assert screen.session.timeline.trace.event(screen.session.timeline.step - 1)[SEQ] == first[SEQ]


def test_choosing_in_the_past_opens_a_branch_and_the_clock_takes_over_again():
    screen = Screen(Session(Scenario("token-ring", nodes=3)))
    screen.session.seek(12)
    interface = perform(Interface(), screen.session, intents.seek_step(6))
    interface = update(interface, screen, Key("Shift+J"))
    interface = perform(interface, screen.session, intents.pick(0))
    assert screen.session.timeline.branch.name != "main"
    interface = update(interface, screen, Key("Shift+J"))
    screen.session.seek(60)
    assert screen.session.timeline.step == 60
    assert not interface.by_hand


@pytest.mark.parametrize("name", ["ricart-agrawala", "wandering-token-report", "sigma"])
def test_of_one_node_that_is_listed_which_concerns_it(name):
    session = chosen_by_dice(Scenario(name, nodes=4, load=Load()), seed=2, picks=20)
    session.act("pause", session.now, node=2)
    for possible in (regular, adverse):
        every = list(possible(session.run))
        for node in range(4):
            concerned = [choice for choice in every if concerns(choice, node)]
            assert list(possible(session.run, node)) == concerned


def concerns(choice, node: int) -> bool:
    if choice.entry is not None:
        return node in (choice.entry[SENDER], choice.entry[NODE])
    return dict(choice.fields).get("node") == node


def test_a_digit_picks_of_what_is_listed():
    screen = Screen(Session(QUIET))
    interface = update(replace(Interface(), selection="node:2"), screen, Key("Shift+J"))
    update(perform(interface, screen.session, intents.sift_node()), screen, Key("1"))
    assert [process.wants for process in screen.session.run.processes] == [False, False, True]


def test_of_thousands_of_choices_few_are_made(monkeypatch):
    session = Session(Scenario("ricart-agrawala", nodes=60, load=Load()))
    for node in range(60):
        session.act("request", node=node)
    made = []
    monkeypatch.setattr("algorithms.engine.check.choices._naming", lambda entry: made.append(entry) or ())
    screen = Screen(session)
    interface = update(Interface(), screen, Key("Shift+J"))
    screen.widgets(update(interface, screen, Key("Down")))
    assert len(regular(session.run)) > 3000
    assert 0 < len(made) < 200


def test_nodes_that_are_down_come_back_by_choice():
    scenario = Scenario("token-ring", nodes=3, load=Load(), events=(Event(2.0, "crash", 1),))
    session = Session(scenario)
    session.seek_time(3.0)
    assert session.run.down == {1: CRASHED}
    assert ("recover", (("node", 1),)) in [choice[:2] for choice in adverse(session.run)]
    assert ("request", (("node", 1),)) not in [choice[:2] for choice in regular(session.run)]
    session.act("leave", node=2)
    assert session.run.down[2] == ABSENT
    assert ("join", (("node", 2),)) in [choice[:2] for choice in adverse(session.run)]


def test_a_run_that_is_opened_while_a_person_chooses_is_where_it_was_left():
    chosen = chosen_by_dice(QUIET, seed=5, picks=12)
    screen = Screen(Session(QUIET))
    update(Interface(), screen, Key("Shift+J"))
    screen.session.open(scenario_file.saved_run(chosen.timeline))
    assert screen.session.timeline.step == chosen.timeline.frontier
    assert screen.session.timeline.trace.records == chosen.timeline.trace.records


def test_however_much_has_been_picked_a_look_at_the_last_pick_executes_only_that():
    session = chosen_by_dice(replace(QUIET, nodes=5), seed=2, picks=30)
    last = session.timeline.step - 1
    assert session.timeline.branch.nearest(last).steps == last
    before = session.timeline.trace.records[:]
    assert session.sentence
    assert session.timeline.trace.records == before


def test_messages_that_wait_for_a_pick_are_drawn_as_if_seen_for_the_first_time():
    session = Session(QUIET)
    session.leave_to(person=True)
    layout = arrange(session.run, Rect(0, 0, 800, 600))
    theme, dice = load("light"), random.Random(1)

    def drawn(cache: RunCache) -> list[Track]:
        return tracks(cache, layout, theme, Options())

    for pick in range(40):
        possible = regular(session.run)
        choice = possible[dice.randrange(len(possible))]
        session.act(choice.do, session.now + session.flight, **dict(choice.fields))
        if pick == 25:
            session.undo()
        assert drawn(session.cache) == drawn(RunCache(session.run))


# ---- the critical sections of several resources ------------------------------------------------------------

TWICE = Scenario(
    "sigma",
    nodes=6,
    load=Script(hold=Fixed(200.0), requests=(Request(1.0, 2, resource=1), Request(20.0, 2, resource=0))),
    parameters={"resources": 2},
    until=100.0,
)  # node 2 is inside resource 1 first, and from about time 24 on inside both


def inside_after(scenario: Scenario) -> set[int]:
    """The resources that node 2 is inside in the end."""
    simulation = catalog.simulation(scenario)
    simulation.run(until=100.0)
    return simulation.processes[2].inside


def test_each_stay_and_each_request_is_a_choice_of_its_own():
    session = Session(TWICE)
    session.seek_time(60.0)
    offered = [(choice.do, dict(choice.fields)) for choice in regular(session.run)]
    assert [what for do, what in offered if do == "exit"] == [{"node": 2, "resource": k} for k in (0, 1)]
    assert sum(do == "request" for do, _ in offered) == 2 * 5
    session.act("exit", node=2, resource=0)
    assert session.run.processes[2].inside == {1}
    session.act("request", node=3, resource=1)
    assert session.run.processes[3].wants == {1}


@pytest.mark.parametrize(("resource", "left"), [(0, {1}), (1, {0}), (None, {0})])
def test_an_exit_at_a_time_ends_the_stay_that_it_names_or_the_longest(resource, left):
    assert inside_after(replace(TWICE, events=(Event(60.0, "exit", 2, resource=resource),))) == left


def test_an_exit_of_a_node_that_is_not_inside_changes_nothing():
    assert inside_after(TWICE) == {0, 1}
    assert inside_after(replace(TWICE, events=(Event(60.0, "exit", 3), Event(10.0, "exit", 2, resource=0)))) == {0, 1}
