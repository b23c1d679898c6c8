"""A node played by hand: as its algorithm would, it changes no byte; otherwise exactly the chosen effects happen."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algorithms import catalog, scenario_file
from algorithms.bad_input import BadInput
from algorithms.engine.check.choices import regular
from algorithms.engine.check.own_acts import would_do
from algorithms.engine.events import DELIVER, ENTER, KIND, MESSAGE, NODE, SENDER, Record
from algorithms.engine.played import ENTERING, sending
from algorithms.engine.process import ElectionProcess, MutexProcess
from algorithms.engine.scenario import Event, NodeAct, Scenario
from algorithms.engine.timeline import Timeline
from algorithms.engine.workload import Load
from tests.support.kit import for_each
from visual.analysis.ledger import Ledger
from visual.analysis.run_cache import RunCache
from visual.narration.steps import step_sentence

PLAYABLE = sorted(
    name
    for name, algorithm in catalog.by_name().items()
    if issubclass(algorithm.process, MutexProcess | ElectionProcess)
)


def started(name: str = "ricart-agrawala", nodes: int = 3) -> Timeline:
    """A run in which nothing happens by itself, after its launch."""
    timeline = catalog.timeline(Scenario(name, nodes=nodes, load=Load()))
    timeline.forward()
    return timeline


def reopened(timeline: Timeline) -> Timeline:
    """The run saved as a file, and opened and executed again."""
    again = catalog.timeline(scenario_file.loads(scenario_file.dumps(scenario_file.saved_run(timeline))))
    again.seek(timeline.step)
    return again


def happened(timeline: Timeline) -> list[list]:
    """The records of all steps, without the interventions themselves."""
    steps = (list(records) for _, records in timeline.trace.steps())
    return [[r if not isinstance(r[-1], Event) else (*r[:-1], r[-1].do) for r in records] for records in steps]


def acts_in(records: list[Record], node: int) -> set[NodeAct]:
    """What a node does in a step: messages to others, and entering."""
    acts: set[NodeAct] = set()
    for record in records[1:]:
        if record[KIND] == DELIVER and record[SENDER] == node != record[NODE]:
            acts.add(sending(record[MESSAGE], record[NODE]))
        elif record[KIND] == ENTER and record[NODE] == node:
            acts.add(ENTERING)
    return acts


@pytest.mark.parametrize("name", PLAYABLE)
@settings(max_examples=4, deadline=None)
@given(places=st.lists(st.integers(0, 10**6), min_size=12, max_size=25))
def test_playing_as_the_algorithm_would_is_the_algorithm(name, places):
    """One schedule twice: decided by the algorithm, and by a person who decides the same each time."""
    alone, played = started(name), started(name)
    for place in places:
        choices = regular(alone.simulation)
        if not choices:
            break
        choice = choices[place % len(choices)]
        event = Event(alone.simulation.now + 1.0, choice.do, **dict(choice.fields))
        records = would_do(played.simulation, event)
        alone.act(event)
        played.act(replace(event, acts=tuple(sorted(acts_in(records, records[0][NODE]), key=repr))))
    assert happened(played) == happened(alone)
    assert [vars(p) for p in played.simulation.processes] == [vars(p) for p in alone.simulation.processes]


CHOSEN = [None, (), (NodeAct("send", "Token", 2),), (NodeAct("send", "Token", 0), NodeAct("send", "Token", 1))]


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 10**6), st.sampled_from(CHOSEN)), min_size=3, max_size=12))
def test_a_played_run_is_a_file_that_gives_the_same_bytes_and_can_be_gone_back_in(schedule):
    timeline = started("token-ring", 4)
    for place, acts in schedule:
        if choices := regular(timeline.simulation):
            choice = choices[place % len(choices)]
            timeline.act(Event(timeline.simulation.now + 1.0, choice.do, acts=acts, **dict(choice.fields)))
    again, before = reopened(timeline), [*timeline.trace.steps()]
    assert [*again.trace.steps()] == before
    timeline.seek(1)
    timeline.seek(len(before))
    assert [*timeline.trace.steps()] == before


def test_a_kept_reply_is_not_sent_and_nobody_enters():
    timeline = started()
    timeline.act(Event(0.0, "request", node=1))
    for to in (0, 2):
        timeline.act(Event(1.0, "deliver", node=1, to=to, type="Request", acts=()))
    assert not [*timeline.simulation.queue.in_transit()]
    assert timeline.simulation.processes[1].awaiting == {0, 2}


def test_entering_too_early_breaks_mutual_exclusion():
    timeline = started()
    ledger = Ledger(timeline, RunCache(timeline))
    timeline.act(Event(0.0, "request", node=0))
    timeline.act(Event(0.0, "request", node=1))
    for node in (0, 1):
        timeline.act(Event(1.0, "act", node=node, acts=(NodeAct("enter"),)))
    assert [process.inside for process in timeline.simulation.processes] == [True, True, False]
    assert [breach.monitor for breach in ledger.breaches] == ["ME1"]


def test_entering_put_off_leaves_the_node_waiting_until_its_next_step():
    timeline = started("ricart-agrawala", 2)
    timeline.act(Event(0.0, "request", node=0))
    timeline.act(Event(1.0, "deliver", node=0, to=1, type="Request"))
    timeline.act(Event(2.0, "deliver", node=1, to=0, type="Reply", acts=()))
    process = timeline.simulation.processes[0]
    assert (process.wants, process.inside) == (True, False)
    timeline.act(Event(3.0, "act", node=0, acts=(NodeAct("enter"),)))
    assert (process.wants, process.inside) == (False, True)
    assert timeline.trace.step(timeline.step - 1)[1][KIND] == ENTER


@pytest.mark.parametrize("do", ["nothing is asked", "inside already"])
def test_entering_without_a_request_does_nothing(do):
    timeline = started()
    if do == "inside already":
        timeline.act(Event(0.0, "request", node=0))
        timeline.act(Event(0.0, "act", node=0, acts=(NodeAct("enter"),)))
    timeline.act(Event(0.0, "act", node=0, acts=(NodeAct("enter"),)))
    assert len(timeline.trace.step(timeline.step - 1)) == 1


def test_a_forged_message_arrives_as_it_was_written():
    timeline = started()
    timeline.act(Event(0.0, "act", node=2, acts=(NodeAct("send", "Request", 0, (("stamp", (5, 2)),)),)))
    (entry,) = timeline.simulation.queue.in_transit()
    assert (entry[KIND], entry[SENDER], entry[NODE], entry[MESSAGE].stamp) == (DELIVER, 2, 0, (5, 2))
    timeline.act(Event(1.0, "deliver", message=entry[1]))
    assert timeline.simulation.processes[0].clock == 5


def test_a_choice_of_a_message_that_is_gone_plays_nobody():
    timeline = started()
    timeline.act(Event(0.0, "deliver", node=1, to=0, message=77, acts=(NodeAct("send", "Reply", 2),)))
    assert not [*timeline.simulation.queue.in_transit()]


def test_a_crashed_node_does_nothing():
    timeline = started()
    timeline.act(Event(0.0, "crash", node=1))
    timeline.act(Event(0.0, "act", node=1, acts=(NodeAct("send", "Reply", 0),)))
    assert not [*timeline.simulation.queue.in_transit()]


def test_the_caption_says_what_was_done_and_what_the_algorithm_says():
    timeline = started()
    timeline.act(Event(0.0, "request", node=1))
    timeline.act(Event(1.0, "deliver", node=1, to=0, type="Request", acts=()))
    timeline.act(Event(1.0, "deliver", node=1, to=2, type="Request", acts=(NodeAct("send", "Reply", 1),)))
    head = "P0 receives P1's request (1,1). By hand, it does nothing."
    assert step_sentence(timeline, 2) == f"{head} Its algorithm replies at once: it is not competing."
    assert step_sentence(timeline, 2, reveals=False) == head
    assert step_sentence(timeline, 3).endswith("By hand, it sends a reply to P1, as its algorithm would.")


FILE = """\
format = 1
algorithm = "ricart-agrawala"
nodes = 3

[[event]]
at = 1.0
do = "act"
node = 1
step = 1
by_hand = true
acts = """


@for_each(
    case=[
        ("3", "a list of acts"),
        ('[{ do = "jump" }]', "send or enter"),
        ('[{ do = "send", to = 2 }]', "the type"),
        ('[{ do = "send", type = "Token", to = 2 }]', "Token"),
        ('[{ do = "send", type = "Reply", to = 7 }]', "a node from 0 to 2"),
        ('[{ do = "send", type = "Request", to = 2 }]', "stamp"),
        ('[{ do = "enter", to = 2 }]', "enter alone"),
    ]
)
def test_wrong_acts_in_a_file_are_told_in_a_sentence(case):
    acts, words = case
    with pytest.raises(BadInput) as told:
        scenario_file.loads(FILE + acts)
    assert "event[0].acts" in str(told.value).replace("events", "event")
    if words != "the type":
        assert words in str(told.value)
