"""Editing the graph in the window: adding and removing nodes and links, topologies, files, and moving nodes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from algorithms.engine.randomness import Fixed
from algorithms.engine.scenario import Event, Flight, Network, Scenario
from algorithms.engine.topology import TOPOLOGIES
from algorithms.engine.workload import Request, Script
from tests.support.desks import desk_of
from tests.support.interfaces import changed, interface_of
from tests.support.screens import check_draws
from visual.window import intents
from visual.window.actions import perform
from visual.window.graph.editing import graph_menu
from visual.window.inputs import Key, Motion, Press, Release
from visual.window.intents import Do
from visual.window.screen import Screen
from visual.window.state import Interface
from visual.window.subset import among
from visual.window.update import update

SCENARIO = Scenario(
    "uncoordinated",
    nodes=5,
    network=Network(Fixed(1.0), flights=(Flight(1, 4, (2.0,)), Flight(0, 2, (3.0,)))),
    load=Script(requests=(Request(1.0, 1), Request(2.0, 4))),
    events=(
        Event(3.0, "crash", node=2),
        Event(4.0, "cut", node=0, to=4),
        Event(5.0, "partition", groups=((0, 1), (4,))),
    ),
)


@pytest.fixture
def screen():
    return Screen(desk_of(Scenario("ricart-agrawala", nodes=4)))


def do(screen: Screen, does: Do, interface: Interface = Interface()) -> Interface:  # noqa: B008
    return perform(interface, screen.desk, does)


def test_a_scenario_on_some_of_its_nodes_drops_events_of_the_others():
    fewer = among(SCENARIO, [0, 1, 3, 4])
    assert fewer.nodes == 4
    assert fewer.network.flights == (Flight(1, 3, (2.0,)),)
    assert fewer.load.requests == (Request(1.0, 1), Request(2.0, 3))
    assert fewer.events == (Event(4.0, "cut", node=0, to=3), Event(5.0, "partition", groups=((0, 1), (3,))))


def test_edges_among_the_remaining_nodes_keep_their_ends():
    fewer = among(replace(SCENARIO, edges=((0, 2), (1, 3), (3, 4))), [1, 3, 4])
    assert fewer.edges == ((0, 1), (1, 2))


def test_all_nodes_are_the_same_scenario():
    assert among(SCENARIO, range(5)) == SCENARIO


@pytest.mark.parametrize("name", TOPOLOGIES)
def test_every_topology_can_be_chosen(screen, name):
    do(screen, intents.choose_topology(name))
    assert screen.desk.front.simulation.links == tuple(TOPOLOGIES[name](4, 1))


def test_a_node_can_be_added_and_removed(screen):
    do(screen, intents.add_node())
    assert screen.desk.front.scenario.nodes == 5
    do(screen, intents.remove_node(0))
    assert screen.desk.front.scenario.nodes == 4


def test_a_link_is_switched_off_and_on_again(screen):
    before = screen.desk.front.simulation.links
    do(screen, intents.toggle_link((3, 1)))
    assert set(before) - set(screen.desk.front.simulation.links) == {(1, 3)}
    do(screen, intents.toggle_link((1, 3)))
    assert set(screen.desk.front.simulation.links) == set(before)


def test_at_least_two_nodes_remain(screen):
    do(screen, intents.choose_nodes(2))
    said = do(screen, intents.remove_node(1))
    assert screen.desk.front.scenario.nodes == 2
    assert said.notice is not None


def test_a_graph_file_is_read_and_an_invalid_one_reported(screen, tmp_path):
    (tmp_path / "path.edgelist").write_text("0 1\n1 2\n2 3\n")
    do(screen, intents.graph_file_typed(str(tmp_path / "path.edgelist")))
    assert screen.desk.front.simulation.links == ((0, 1), (1, 2), (2, 3))
    for name, content in (("no.graphml", "none"), ("other.png", "")):
        (tmp_path / name).write_text(content)
        said = do(screen, intents.graph_file_typed(str(tmp_path / name)))
        assert said.notice is not None
        assert name in said.notice.words
    assert screen.desk.front.simulation.links == ((0, 1), (1, 2), (2, 3))


def test_every_entry_of_the_menu_can_be_chosen(screen):
    for interface in (Interface(), interface_of(selection="node:1")):
        for entry in graph_menu(interface, screen.desk.front, "").entries:
            if entry.does:
                do(screen, entry.does, interface)
                screen.shapes(interface)


# ---- places of nodes ---------------------------------------------------------------------------------------


def test_a_node_goes_where_it_is_dragged_and_stays_within_the_picture(screen):
    interface = Interface()
    x, y = screen.middle_of(interface, 2)
    for given in (Press(x, y), Motion(x + 60, y - 40), Release(x + 60, y - 40)):
        interface = update(interface, screen, given)
    assert screen.middle_of(interface, 2) == pytest.approx((x + 60, y - 40), abs=0.02)
    others = [screen.middle_of(interface, node) for node in (0, 1, 3)]
    assert others == [screen.middle_of(Interface(), node) for node in (0, 1, 3)]
    for given in (Press(x + 60, y - 40), Motion(-500, -500)):
        interface = update(interface, screen, given)
    left, top = screen.middle_of(interface, 2)
    assert left > 0
    assert top > 0


def test_a_click_with_a_slight_movement_drags_nothing(screen):
    interface = Interface()
    x, y = screen.middle_of(interface, 2)
    for given in (Press(x, y), Motion(x + 3, y + 2), Release(x + 3, y + 2)):
        interface = update(interface, screen, given)
    assert interface.graph.positions == ()
    assert interface.selected_id == "node:2"


def test_keys_move_the_selected_node_and_the_menu_puts_it_back(screen):
    interface = changed(Interface(), selection="node:1")
    x, y = screen.middle_of(interface, 1)
    for chord in ("Ctrl+Right", "Ctrl+Up", "Ctrl+Up"):
        interface = update(interface, screen, Key(chord))
    right, up = screen.middle_of(interface, 1)
    assert right > x
    assert up < y
    assert screen.middle_of(do(screen, intents.reset_positions(), interface), 1) == (x, y)


def test_without_a_graph_on_screen_keys_move_nothing(screen):
    interface = changed(Interface(), selection="node:1", view="space-time")
    assert update(interface, screen, Key("Ctrl+Right")).graph.positions == ()


@pytest.mark.parametrize("drawn", ["complete", "grid", "tree", "free", "spring", "spiral", "planar"])
@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_every_graph_has_every_layout(topology, drawn):
    screen = Screen(desk_of(Scenario("uncoordinated", nodes=7, topology=topology)))
    interface = do(screen, intents.choose_layout(drawn))
    places = [screen.middle_of(interface, node) for node in range(7)]
    assert len(set(places)) == 7
    check_draws(interface, screen)
