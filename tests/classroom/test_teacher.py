"""The teacher's side: the command, and the card in the window."""

from __future__ import annotations

import socket
import sys
from math import inf

import pytest

from algorithms import scenario_file
from tests.support.classes import lesson_room, press, room_of, room_of_nodes, seats
from tests.support.desks import desk_of
from tests.support.interfaces import interface_of
from tests.support.shapes import flat
from visual.command_line import BAD_INPUT, main
from visual.drawing.picking import bounds
from visual.drawing.shapes import Box, Text
from visual.window.arrangement import regions
from visual.window.classroom.card import qr_code, with_band
from visual.window.classroom.room import Room
from visual.window.desk import Desk
from visual.window.graph.graphs import Graphs
from visual.window.inputs import Key, Use
from visual.window.loop import Loop
from visual.window.screen import Screen
from visual.window.state import Interface
from visual.window.update import update

segno = pytest.importorskip("segno", reason="no segno: the extra classroom")


@pytest.mark.parametrize("missing", ["aiohttp", "segno"])
def test_a_missing_extra_is_told_in_a_sentence(missing, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, missing, None)
    assert main(["classroom", "deferred-reply", "--no-window"]) == BAD_INPUT
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert '"mutoscope[classroom]"' in told, "quoted as every shell understands it, also that of Windows"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["no-such-thing"], "no-such-thing"),
        (["deferred-reply", "--port", "99999"], "--port"),
        (["deferred-reply", "--bind", "203.0.113.9"], "203.0.113.9 is not an address of this machine"),
        (["deferred-reply", "--bind", "203.0.113.999"], "no class can be served at 203.0.113.999, port 0: "),
        (["deferred-reply", "--bind", ""], "--bind"),
        (["deferred-reply", "--port", "TAKEN"], "is already in use; choose another with --port"),
    ],
)
def test_bad_input_is_told_in_a_sentence(words, told, capsys):
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = str(other.getsockname()[1])
        assert main(["classroom", "--no-window", *(taken if word == "TAKEN" else word for word in words)]) == BAD_INPUT
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1
    assert "attempting" not in error, "the words of a library"


@pytest.fixture
def screen() -> Screen:
    desk = desk_of(scenario_file.load(scenario_file.find("deferred-reply")))
    desk.room = Room(desk.front)
    desk.room.address = "http://192.168.1.20:8080/"
    return Screen(desk)


def words_on(screen: Screen, interface) -> str:
    """What stands on the teacher's card."""
    return " ".join(shape.text for shape in screen.panel(interface, "class").shapes if isinstance(shape, Text))


def test_the_card_tells_how_to_come_in_and_its_buttons_do_what_they_say(screen):
    room, interface = screen.desk.room, interface_of(1280, 720)
    one, two = seats(room, 2)
    assert f"http://192.168.1.20:8080/ room code {room.code} phones play 2 of 5 nodes" in words_on(screen, interface)
    for name, has_happened in (
        ("class.lock", lambda: room.is_locked),
        ("class.hand", lambda: room.by_hand),
        ("class.reveal", lambda: room.reveals),
        ("class.pace", lambda: room.pace == 2.0),
        ("class.seat1", lambda: two.is_taken_over),
        ("class.open", lambda: not room.is_open),
    ):
        interface = update(interface, screen, Use(name))
        assert has_happened(), name
    assert "http" not in words_on(screen, interface)
    room.change("lock")
    press(room, one, "Request")
    press(room, one, "Request")  # the answer
    step = screen.desk.front.timeline.step
    update(interface, screen, Use("class.undo"))
    assert screen.desk.front.timeline.step == step - 1


def test_no_number_of_a_choice_hides_the_name_of_a_node(screen):
    """A person who chooses alone sees the numbers, a class does not: its students go by the names."""
    (one,) = seats(screen.desk.room, 1)
    press(screen.desk.room, one, "Request")
    interface = interface_of(1280, 720, time=screen.desk.front.now)

    def numbered() -> list[str]:
        shapes = flat(screen.shapes(interface))
        return [shape.id for shape in shapes if isinstance(shape, Box) and shape.id.startswith("message:")]

    assert not numbered()
    screen.desk.room, screen = None, Screen(screen.desk)
    assert numbered()


@pytest.mark.parametrize("make", [room_of, lesson_room])
def test_whatever_phones_change_is_drawn_in_a_still_window(make):
    """Nobody moves the teacher's mouse meanwhile."""
    room = make()
    desk = Desk(room.run)
    desk.room, desk.lesson = room, room.lesson
    loop = Loop(desk, Interface().resized(1280, 720))
    one, _ = seats(room, 2)
    for change in (
        lambda: seats(room, 1),
        lambda: press(room, one, "A" if room.is_lesson else "Request"),
        lambda: room.leave(one),
        lambda: room.enter(room.code, one.token),
    ):
        while loop.shapes(inf, again=False) is not None:
            pass
        change()
        assert loop.shapes(inf, again=False) is not None


LONG = "http://192.168.100.120:65535/"


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (1024, 768)])
@pytest.mark.parametrize("presenting", [False, True])
@pytest.mark.parametrize("address", ["http://10.42.0.1:8080/", LONG])
def test_the_address_is_never_cut_and_as_large_as_there_is_room(size, presenting, address):
    """Also beside thirty buttons of seats, where it is beside the code if it is larger there."""
    full = room_of_nodes(30)
    seats(full, 30)
    for room in (room_of(), lesson_room(), full):
        desk = Desk(room.run)
        room.address, desk.room, desk.lesson = address, room, room.lesson
        interface = with_band(interface_of(*size).with_display(presenting=presenting), desk)
        card = Screen(desk).panel(interface, "class").shapes
        host = address.removeprefix("http://")
        (shown,) = (shape for shape in card if isinstance(shape, Text) and shape.text in (address, host))
        assert bounds(shown).x + bounds(shown).w <= bounds(card[0]).x + bounds(card[0]).w
        if room is full and presenting and size[0] > 1024:
            assert shown.size >= 0.02 * size[1]
        assert (
            room.is_lesson or room is full or shown.size >= 18 * size[1] / 1080 * (1.0 if address == LONG else 1.3)
        ), "a title in a lecture hall"


def test_the_card_counts_who_is_there_in_true_words(screen):
    room, interface = screen.desk.room, interface_of(1280, 720)
    *_, late = seats(room, 7)
    room.take_over(1)
    assert "phones play 4 of 5 nodes, 2 phones waiting for a seat" in words_on(screen, interface)
    room.leave(late)
    assert "phones play 4 of 5 nodes, 1 phone waiting for a seat" in words_on(screen, interface)
    room = screen.desk.room = lesson_room()
    (one,) = seats(room, 1)
    press(room, one, "A")
    assert "1 phone, 1 vote on this question" in words_on(Screen(screen.desk), interface)
    room.lesson.reveal(None)
    assert "question" not in words_on(Screen(screen.desk), interface), "it is closed"


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (390, 844)])
@pytest.mark.parametrize("presenting", [False, True])
def test_the_card_covers_neither_legend_nor_nodes(screen, size, presenting):
    seats(screen.desk.room, 5)
    interface = with_band(interface_of(*size).with_display(presenting=presenting), screen.desk)
    graph, card = regions(interface).graph, bounds(screen.panel(interface, "class").shapes[0])
    assert card.x + card.w <= graph.x
    assert graph.w > size[0] / 4
    code = next(shape for shape in screen.panel(interface, "class").shapes[1:] if isinstance(shape, Box))
    assert min(code.w, code.h) > size[1] / 8, "large enough for a phone at the back"
    screen.desk.room.change("open")
    interface = with_band(interface, screen.desk)
    graph, card = regions(interface).graph, bounds(screen.panel(interface, "class").shapes[0])
    assert card.y + card.h < graph.y
    assert graph.h > size[1] / 4


@pytest.mark.parametrize("size", [(1280, 720), (1366, 768), (1920, 1080), (1024, 768)])
@pytest.mark.parametrize("presenting", [False, True])
@pytest.mark.parametrize("is_open", [False, True])
def test_no_node_lies_under_the_legend_beside_the_card(size, presenting, is_open):
    for name in ("deferred-reply", "bully-worst", "idle-ring", "circle-of-forks", "p2p-figure-1", "binary-search-64"):
        desk = desk_of(scenario_file.load(scenario_file.find(name)))
        desk.room = Room(desk.front)
        if not is_open:
            desk.room.change("open")
        interface, screen = with_band(interface_of(*size).with_display(presenting=presenting), desk), Screen(desk)
        shown = {panel.name for panel in screen.panels(interface)}
        assert "class" in shown, name
        assert "legend" in shown or is_open, (name, "only the open card may leave no room")
        if "legend" in shown:
            x, y, w, h = bounds(screen.panel(interface, "legend").shapes[0])
            layout = Graphs().layout(interface, desk, 0)
            r = layout.radius
            assert not [
                node
                for node, (at, level) in enumerate(layout.places)
                if x < at + r and at - r < x + w and y < level + r and level - r < y + h
            ], (name, "under the legend")


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_the_right_arrow_tells_a_class_nothing_about_keys_and_covers_no_node(screen, size):
    interface = update(interface_of(*size, presenting=True), screen, Key("Right"))
    assert interface.notice.words == "The class decides what happens next."
    notice, graph = bounds(screen.panel(interface, "notice").shapes[0]), regions(interface).graph
    assert notice.y >= graph.y + graph.h


def test_the_code_is_read_back_module_by_module():
    link, side = "http://192.168.1.20:8080/#ABCDEF", 330.0
    matrix = [list(row) for row in segno.make(link, error="m", micro=False).matrix]
    unit = side / (len(matrix) + 8)
    dark = [shape for shape in qr_code(link, 10.0, 20.0, side) if isinstance(shape, Box) and shape.fill == "#000000"]

    def is_dark(row: int, column: int) -> bool:
        x, y = 10.0 + (column + 4.5) * unit, 20.0 + (row + 4.5) * unit
        return any(box.x <= x <= box.x + box.w and box.y <= y <= box.y + box.h for box in dark)

    assert [[is_dark(r, c) for c in range(len(matrix))] for r in range(len(matrix))] == [
        [bool(module) for module in row] for row in matrix
    ]
