"""The local view: no event elsewhere may change a single shape of it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import combinations, groupby

import pytest

from algorithms import catalog, scenario_file
from algorithms.engine.events import DELIVER, KIND, NODE, SENDER
from algorithms.engine.randomness import Uniform
from algorithms.engine.rewrite import system_of
from algorithms.engine.scenario import Network, Scenario
from algorithms.engine.workload import Closed, Load, Poisson
from tests.support.desks import desk_of
from tests.support.interfaces import changed, interface_of
from tests.support.legibility import drawn
from tests.support.shapes import flat
from visual.analysis.run_cache import RunCache
from visual.drawing.picking import bounds, overlap
from visual.drawing.shapes import Circle, Group, Line, Mark, Shape, Text
from visual.drawing.theme import load
from visual.narration.local_knowledge import local_knowledge, own_steps
from visual.scene.graph.nodes import UNKNOWN, look_of
from visual.window import intents
from visual.window.actions import perform
from visual.window.desk import Desk
from visual.window.inputs import Key
from visual.window.memory.saving import save_picture
from visual.window.run_view import RunView
from visual.window.screen import Screen
from visual.window.state import Interface
from visual.window.update import update

ALGORITHMS = [name for name, algorithm in sorted(catalog.by_name().items()) if system_of(algorithm) is None]
RICART = Scenario("ricart-agrawala", nodes=4, load=Closed(think=3.0), network=Network(Uniform(0.5, 1.5)))
QUIET = Scenario("ricart-agrawala", nodes=5, load=Load())


def view_of(node: int, screen: Screen, **how: object) -> Interface:
    """An interface with the node's local view, at the present step of the desk."""
    desk = screen.desk
    interface = interface_of(1280, 720, selection=f"node:{node}", only_local=True, time=desk.front.now, **how)
    return changed(interface, panel_revision=desk.front.revision)


def view_shapes(node: int, screen: Screen, **how: object) -> list[tuple[str, tuple[Shape, ...]]]:
    """Everything on screen, panel by panel, from an empty cache."""
    for run in screen.desk.runs:
        run.ledger.cache = RunCache(run.simulation)
    interface = view_of(node, screen, **how)
    panels = [(shown.name, shown.group.shapes) for shown in screen.panels(interface)]
    everything = screen.shapes(interface)
    assert [shape for shape in everything if isinstance(shape, Group)] == everything
    assert len(everything) == len(panels), "only the panels of the view are drawn"
    return panels


def words_of(view: list[tuple[str, tuple[Shape, ...]]]) -> str:
    return "\n".join(shape.text for _, shapes in view for shape in flat(shapes) if isinstance(shape, Text))


@pytest.mark.parametrize("name", ALGORITHMS)
def test_an_event_elsewhere_changes_no_shape(name):
    """The first and the last step of those without an event at the node look alike, and so does one between them."""
    load = Poisson(rate=0.1) if catalog.find(name).is_election() else Closed(think=3.0)
    desk = desk_of(Scenario(name, nodes=4, load=load, network=Network(Uniform(0.5, 1.5))))
    desk.front.seek(36)
    compared = 0
    for node in (0, 2):
        for _, alike in groupby(range(1, desk.front.timeline.frontier + 1), partial(latest_of, node, desk.front)):
            first, *others = alike
            before = view_at(first, node, desk) if others else []
            for step in {*others[-1:], *others[len(others) // 2 : -1][:1]}:
                assert view_at(step, node, desk) == before, f"an event up to step {step} happened elsewhere"
                compared += 1
    assert compared > 5


def latest_of(node: int, run: RunView, step: int) -> list[int]:
    """The latest step that the node has noticed, at some step."""
    run.seek(step)
    return own_steps(run.ledger, node, 1)


def view_at(step: int, node: int, desk: Desk) -> list[tuple[str, tuple[Shape, ...]]]:
    desk.front.seek(step)
    return view_shapes(node, Screen(desk))


ELSEWHERE = {
    "a crash": [("crash", {"node": 4})],
    "a pause": [("pause", {"node": 3})],
    "a cut link": [("cut", {"node": 3, "to": 4})],
    "its own link cut": [("cut", {"node": 1, "to": 4})],
    "a request of another": [("request", {"node": 2})],
    "its own pause": [("pause", {"node": 1})],
    "a partition": [("partition", {"groups": ((0, 1), (2, 3, 4))})],
    "another load": [("load", {"load": Load()})],
}


@pytest.mark.parametrize("what", ELSEWHERE)
@pytest.mark.parametrize("theme", ["light", "print"])
def test_runs_that_differ_only_beyond_its_knowledge_look_alike_to_a_node(what, theme):
    views = []
    for deeds in ([], ELSEWHERE[what]):
        desk = desk_of(QUIET)
        desk.front.seek(1)
        desk.front.act("request", node=1)
        for do, fields in deeds:
            desk.front.act(do, **fields)
        views.append(view_shapes(1, Screen(desk), theme=theme))
    assert views[0] == views[1]
    assert "P1 requests the critical section" in words_of(views[0])


def test_a_paused_node_notices_nothing_until_it_resumes():
    desk = desk_of(RICART)
    desk.front.seek(20)
    desk.front.act("pause", node=2)
    before = view_shapes(2, Screen(desk))
    desk.front.seek(60)
    assert desk.front.simulation.inboxes[2]
    assert view_shapes(2, Screen(desk)) == before
    desk.front.act("resume", node=2)
    desk.front.seek(64)
    assert view_shapes(2, Screen(desk)) != before


def test_a_sender_does_not_know_the_fate_of_its_message():
    views = []
    for fate in ("", "drop", "duplicate", "delay"):
        desk = desk_of(QUIET)
        desk.front.seek(1)
        desk.front.act("request", node=1)
        flying = min(desk.front.simulation.queue.in_transit())
        if fate:
            desk.front.act(fate, message=flying[1], **({"delay": 5.0} if fate == "delay" else {}))
        views.append(view_shapes(1, Screen(desk)))
    assert views.count(views[0]) == len(views)


def test_a_network_that_duplicates_shows_each_message_once():
    desk = desk_of(replace(QUIET, network=Network(duplicate=1.0)))
    desk.front.seek(1)
    desk.front.act("request", node=1)
    sent = [r for r in desk.front.timeline.trace.step(1)[1:] if r[KIND] == DELIVER]
    assert len(sent) == 8
    assert len(local_knowledge(desk.front.ledger, 1).messages) == 4


def test_a_holder_still_shows_a_token_that_was_lost_in_secret():
    desk = desk_of(Scenario("token-ring", nodes=3, load=Closed(think=1.0)))
    while not desk.front.simulation.processes[1].holding():
        desk.front.forward()
    before = view_shapes(1, Screen(desk))
    desk.front.act("lose-token")
    assert desk.front.simulation.post.marks == {1: "lose"}
    assert view_shapes(1, Screen(desk)) == before


def test_other_nodes_are_outlines_and_nothing_global_is_visible():
    desk = desk_of(RICART)
    desk.front.seek(45)
    words = words_of(view_shapes(1, Screen(desk)))
    assert look_of(UNKNOWN, load("light")).fill == look_of("absent", load("light")).fill, "no state of its own"
    assert words.count("unknown") == 3 - len(local_knowledge(desk.front.ledger, 1).others)
    assert "only what P1 knows" in words
    for name, value in vars(desk.front.simulation.processes[1]).items():
        assert f"{name} = " in words, value
    for fact in ("step 45", f"{desk.front.now:.1f}", "safety", "liveness", "per entry", "space", "seed"):
        assert fact not in words


def test_what_a_node_knows_of_the_others_is_drawn_and_said_as_it_is():
    """P3 in “a deferred reply is not a refusal” waits for two, and keeps nobody waiting."""
    desk = desk_of(scenario_file.load(scenario_file.find("deferred-reply")))
    desk.front.seek(19)
    known = local_knowledge(desk.front.ledger, 3)
    awaited = desk.front.simulation.processes[3].awaiting
    assert known.others == tuple((node, "awaited") for node in sorted(awaited))
    screen = Screen(desk)
    words = words_of(view_shapes(3, screen))
    assert words.count("\nawaited\n") == len(awaited)
    header = words_of([shown for shown in view_shapes(3, screen) if shown[0] == "localhead"])
    marks = [s for name, shapes in view_shapes(3, screen) for s in flat(shapes) if isinstance(s, Mark)]
    assert marks
    assert "Drawn: its variables, the messages of its latest event." in header


def test_a_local_view_has_its_own_channels_and_messages_of_its_last_event():
    desk = desk_of(RICART)
    desk.front.seek(45)
    for node in range(4):
        screen = Screen(desk)
        shapes = [*flat(dict(view_shapes(node, screen))["local"])]
        assert sum(isinstance(shape, Line) for shape in shapes) == len(desk.front.simulation.processes[node].peers)
        known = local_knowledge(desk.front.ledger, node)
        assert sum(isinstance(shape, Mark) for shape in shapes) == len(known.messages)
        last = desk.front.timeline.trace.event(own_steps(desk.front.ledger, node, 1)[0])
        if last[KIND] == DELIVER:
            assert (known.messages[0].sender, known.messages[0].receiver) == (last[SENDER], last[NODE])


def test_a_key_opens_and_closes_the_local_view_and_needs_a_node():
    screen = Screen(desk_of(RICART))
    screen.desk.front.seek(45)
    interface = update(Interface(), screen, Key("L"))
    assert interface.local_node is None
    assert "Select a node" in interface.notice.words
    interface = update(update(interface, screen, Key("Down")), screen, Key("L"))
    assert interface.local_node == 0
    assert update(interface, screen, Key("L")).local_node is None
    assert update(interface, screen, Key("Esc")).local_node is None
    assert update(interface, screen, Key("Down")).local_node == 1
    picked = {screen.under(interface, x, y).partition(":")[0] for x in range(0, 850, 30) for y in range(60, 620, 30)}
    assert picked == {"", "node"}, "the pointer finds no message"
    system = Screen(desk_of(Scenario("system-s", nodes=3)))
    assert "rewriting" in perform(interface_of(selection="node:1"), system.desk, intents.local_view()).notice.words


def test_the_local_view_has_no_diagram():
    screen = Screen(desk_of(RICART))
    for view in ("both", "graph", "space-time"):
        names = [shown.name for shown in screen.panels(view_of(1, screen, view=view))]
        assert names == ["local", "localhead", "localside", "localfoot"]


def test_a_saved_picture_shows_no_more_than_the_view(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    desk = desk_of(QUIET)
    desk.front.seek(1)
    desk.front.act("request", node=1)
    save_picture(view_of(1, Screen(desk)), desk)
    (file,) = tmp_path.glob("*.svg")
    drawn = file.read_text("utf-8")
    assert "only what P1 knows" in drawn
    assert drawn.count(">awaited<") == 4, "what it knows of the others: it has asked them"
    desk.front.act("crash", node=4)
    save_picture(view_of(1, Screen(desk)), desk)
    (other,) = set(tmp_path.glob("*.svg")) - {file}
    assert other.read_text("utf-8") == drawn


@pytest.mark.parametrize("name", [name for name in ALGORITHMS if catalog.find(name).pointers])
def test_the_pointers_of_the_node_are_drawn_and_no_others(name):
    load = Poisson(rate=0.1) if catalog.find(name).is_election() else Closed(think=3.0)
    desk = desk_of(Scenario(name, nodes=5, load=load, seed=3))
    drawn = []
    for step in range(5, 60, 6):
        desk.front.seek(step)
        process = desk.front.simulation.processes[1]
        named = [getattr(process, pointer) for pointer in desk.front.simulation.algorithm.pointers]
        others = [other for other in named if other is not None and 0 <= other != process.id]
        graph = dict(view_shapes(1, Screen(desk)))["local"]
        drawn.append(len([line for line in flat(graph) if isinstance(line, Line) and line.arrow]))
        assert drawn[-1] == len(others)
    assert any(drawn)


@pytest.mark.parametrize(
    ("name", "variable", "size"),
    [("maekawa", "quorum", 1.75), ("chandy-misra", "forks", 0.3), ("carvalho-roucairol", "allowed", 0.3)],
)
def test_the_region_and_the_things_at_the_links_of_the_node_are_drawn(name, variable, size):
    desk = desk_of(Scenario(name, nodes=5, load=Closed(think=3.0)))
    numbers = set()
    for step in range(1, 60, 3):
        desk.front.seek(step)
        process = desk.front.simulation.processes[1]
        is_visible = variable != "quorum" or process.wants or process.inside
        circles = [one for one in flat(dict(view_shapes(1, Screen(desk)))["local"]) if isinstance(one, Circle)]
        (radius,) = {round(one.r, 2) for one in circles if one.dash}  # of the nodes it knows nothing about
        drawn = [one for one in circles if one.r == pytest.approx(size * radius, abs=0.1)]
        assert len(drawn) == len(getattr(process, variable)) * is_visible
        numbers.add(len(drawn))
    assert len(numbers) > 1


def test_no_message_to_a_node_hides_another():
    desk = desk_of(Scenario("raymond", nodes=5, load=Closed(think=1.0)))
    twice = 0
    for step in range(1, 80):
        desk.front.seek(step)
        for node in range(5):
            marks = [one for one in flat(dict(view_shapes(node, Screen(desk)))["local"]) if isinstance(one, Mark)]
            for one, other in combinations(map(bounds, marks), 2):
                common = overlap(one, other)
                assert common.w * common.h < 0.25 * min(one.w * one.h, other.w * other.h), (step, node)
            twice += len(marks) > 1
    assert twice > 20


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (1024, 768)])
@pytest.mark.parametrize("name", ["deferred-reply", "lost-token", "bully-worst", "p2p-figure-1"])
def test_the_banner_of_a_presentation_covers_no_node(name: str, size: tuple[int, int]) -> None:
    scenario = scenario_file.load(scenario_file.find(name))
    screen, time = Screen(desk_of(scenario)), scenario.until / 2
    screen.desk.front.seek_time(time)
    interface = interface_of(*size, time=time, presenting=True, selection="node:1", only_local=True)
    shapes = screen.panel(interface, "local").shapes
    banner = next(
        s for s in drawn(shapes, load("light")) if isinstance(s.shape, Text) and s.shape.text == "only what P1 knows"
    )
    circles = [
        one for one in drawn(shapes, load("light")) if isinstance(one.shape, Circle) and one.owner.startswith("node:")
    ]
    assert circles
    assert all(one.box.y + one.box.h < banner.box.y for one in circles)
