"""The server on loopback: phones take seats and decide, come back, and the hostile change nothing and stop nobody."""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import pytest

from algorithms import scenario_file
from lessons.attempt import Attempt
from tests.support.classes import lesson_room, offered, room_of, room_of_nodes
from visual.window.classroom.phone import page
from visual.window.classroom.room import Room
from visual.window.run_view import RunView

aiohttp = pytest.importorskip("aiohttp", reason="no aiohttp: the extra classroom")

SOON = 20.0  # seconds, on a busy machine: these tests wait for a message, they measure nothing
BACK = 2.0  # seconds until a phone that has come back has its seat


class Phone:
    """A phone as a test plays it: it keeps its token and the latest page."""

    def __init__(self, http, url: str, code: str) -> None:
        self.http, self.url, self.code, self.token, self.html = http, url, code, "", ""
        self.changed = asyncio.Event()
        self.picked: list[dict[str, Any]] = []

    async def connect(self) -> None:
        """Take a seat, or the old one again."""
        self.socket = await self.http.ws_connect(f"{self.url}seat")
        await self.socket.send_json({"code": self.code, "token": self.token})
        self.reader = asyncio.create_task(self._read())
        await self.until(lambda html: html != "")

    async def _read(self) -> None:
        async for message in self.socket:
            said = json.loads(message.data)
            self.token = said.get("token", self.token)
            if "html" in said:
                self.html = said["html"]
                self.changed.set()

    async def until(self, holds: Callable[[str], bool]) -> None:
        """Wait for a page."""
        async with asyncio.timeout(SOON):
            while not holds(self.html):
                self.changed.clear()
                await self.changed.wait()

    async def press(self, words: str) -> None:
        """Press the button that begins with these words."""
        said = next(said for label, said in offered(self.html) if label.startswith(words))
        await self.socket.send_json(said)


def held(room: Room, play: Callable[[Callable[[], Phone], str], Awaitable[None]]) -> None:
    """Serve a room while a test plays its phones."""
    from visual.window.classroom.server import Server

    async def whole() -> None:
        server = Server(room)
        url = f"http://127.0.0.1:{await server.start('127.0.0.1', 0)}/"

        async def show() -> None:  # as the teacher's window does in each frame
            while True:
                server.show()
                await asyncio.sleep(0.01)

        showing = asyncio.create_task(show())
        try:
            async with aiohttp.ClientSession() as http:
                await play(lambda: Phone(http, url, room.code), url)
        finally:
            showing.cancel()
            await server.stop()

    asyncio.run(whole())


def test_a_pick_of_one_phone_reaches_the_others():
    room = room_of()

    async def play(phone, url):
        one, two = phone(), phone()
        await one.connect()
        await two.connect()
        await one.press("Request")
        await two.until(lambda html: "Take the message from P0" in html)

    held(room, play)


def test_a_phone_that_comes_back_has_its_seat_again():
    room = room_of()

    async def play(phone, url):
        one, two = phone(), phone()
        await one.connect()
        await two.connect()
        one.socket._response.connection.transport.abort()  # the Wi-Fi is gone, nothing is said
        one.html = ""
        async with asyncio.timeout(BACK):
            await one.connect()
        assert "You are P0" in one.html
        again = phone()  # while the old connection still seems open
        again.token = two.token
        async with asyncio.timeout(BACK):
            await again.connect()
        assert "You are P1" in again.html
        assert [(seat.node, seat.is_here) for seat in room.seats.values()] == [(0, True), (1, True)]

    held(room, play)


def test_a_phone_hears_each_second_that_the_server_is_there():
    """So that its page knows that a line is dead, although nobody has ended it."""

    async def play(phone, url):
        one = phone()
        await one.connect()
        one.reader.cancel()
        await asyncio.wait([one.reader])
        for _ in range(3):
            assert await one.socket.receive_json(timeout=BACK) == {}

    held(room_of(), play)


ASKS_FOR_A_SOCKET = b"""GET /seat HTTP/1.1\r
Host: a\r
Upgrade: websocket\r
Connection: Upgrade\r
Sec-WebSocket-Version: 13\r
Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
\r
"""


def test_a_phone_that_goes_before_its_line_is_open_is_no_error(caplog):
    """As with a page that is closed at once: the teacher's terminal would fill."""

    async def play(phone, url):
        for _ in range(5):
            _, writer = await asyncio.open_connection("127.0.0.1", int(url.split(":")[2].strip("/")))
            writer.write(ASKS_FOR_A_SOCKET)
            writer.transport.abort()
        await asyncio.sleep(0.2)
        await phone().connect()

    held(room_of(), play)
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


def test_all_thirty_are_told_of_each_pick():
    """Each phone shows what its seat has now: of a request, a message to take on all the others."""
    room = room_of_nodes(30)
    room.pace = 0.0

    async def play(phone, url):
        class_of = [phone() for _ in range(30)]
        for one in class_of:
            await one.connect()
        await class_of[0].press("Request")
        await class_of[0].until(lambda html: "P0 requests the critical section." in html)
        for one in class_of[1:]:
            await one.until(lambda html: "Take the message from P0" in html)
        dice = random.Random(7)
        for _ in range(10):
            picker = dice.choice([one for one in class_of[1:] if offered(one.html)])
            moves = room.moves
            await picker.socket.send_json(dice.choice(offered(picker.html))[1])
            async with asyncio.timeout(SOON):
                while room.moves == moves:
                    await asyncio.sleep(0.01)
            for one in class_of:
                await one.until(lambda html, one=one: html == page(room, room.seats[one.token]))

    held(room, play)


@pytest.mark.parametrize("size", [4096, 4097])
def test_a_message_has_at_most_4_kb_and_one_with_more_ends_the_connection_but_not_the_seat(size):
    room = room_of()
    room.pace = 0.0

    async def play(phone, url):
        one = phone()
        await one.connect()
        pick = next(said for label, said in offered(one.html) if label.startswith("Request"))
        await one.socket.send_str(json.dumps(pick).ljust(size))
        if size <= 4096:
            await one.until(lambda html: "P0 requests the critical section." in html)
        else:
            async with asyncio.timeout(SOON):
                await one.reader
            assert one.socket.close_code == aiohttp.WSCloseCode.MESSAGE_TOO_BIG
            assert room.moves == 0
            one.html = ""
            await one.connect()
        assert [(seat.token, seat.node, seat.is_here) for seat in room.seats.values()] == [(one.token, 0, True)]

    held(room, play)


@pytest.mark.parametrize("code", ["", "AAAAAA", 7, None, ["x"]])
def test_without_the_room_code_there_is_no_seat(code, monkeypatch):
    from visual.window.classroom import server

    monkeypatch.setattr(server, "GUESS", 0.0)
    room = room_of()

    async def play(phone, url):
        stranger = phone()
        stranger.code = code
        await stranger.connect()
        await stranger.reader
        assert stranger.socket.close_code == server.WRONG_CODE
        assert "Room code" in stranger.html

    held(room, play)
    assert not room.seats


STUDENTS, HOSTILE = 5, 8  # that have a node each
EACH = 40  # hostile clients of each kind
GARBAGE = (
    "x" * 5000,
    "[" * 500,
    "null",
    "{",
    '{"pick": 3}',
    '{"vote": 0, "question": "0.0.0"}',
    '{"pick": "act", "step": 1}',
)


async def _floods(phone: Phone, dice: random.Random, sent: list[str]) -> None:
    """It guesses codes, or has the code and talks without a pause."""
    code = dice.choice([phone.code, "".join(dice.choices("ABCDEF", k=6))])
    await _talk(phone, {"code": code}, [json.dumps({"code": code, "token": str(k)}) for k in range(100)])


async def _garbage(phone: Phone, dice: random.Random, sent: list[str]) -> None:
    """It sends what nobody understands, too much, or no text."""
    first = dice.choice([{"code": phone.code}, {"code": [phone.code]}, {"token": "__proto__"}])
    await _talk(phone, first, [*dice.sample(GARBAGE, 4), dice.randbytes(99)])


async def _replays(phone: Phone, dice: random.Random, sent: list[str]) -> None:
    """It repeats what others have sent."""
    await _talk(phone, {"code": phone.code}, dice.sample(sent, 15))


async def _stale(phone: Phone, dice: random.Random, sent: list[str]) -> None:
    """It has a node, and repeats what it picked there itself, and picks of moments that are over."""
    old = [{**said, "step": step} for said in phone.picked for step in (said["step"], "0.0", "0.1", "1.1", "9.9")]
    await _talk(phone, {"code": phone.code, "token": phone.token}, [json.dumps(said) for said in old])


async def _slow(phone: Phone, dice: random.Random, sent: list[str]) -> None:
    """It takes nothing from its line."""
    socket = await phone.http.ws_connect(f"{phone.url}seat")
    socket._response.connection.transport.pause_reading()
    await socket.send_json({"code": phone.code})
    for message in dice.sample(sent, 10):
        await socket.send_str(message)


async def _talk(phone: Phone, first: dict, rest: list[str | bytes]) -> None:
    socket = await phone.http.ws_connect(f"{phone.url}seat")
    await socket.send_json(first)
    for message in rest:
        await (socket.send_bytes(message) if isinstance(message, bytes) else socket.send_str(message))
        await asyncio.sleep(0)


async def _attack(kind: Callable[..., Awaitable[None]], phone: Phone, dice: random.Random, sent: list[str]) -> None:
    with suppress(ConnectionError, aiohttp.ClientError):  # it is thrown out
        await kind(phone, dice, sent)


def test_200_hostile_clients_change_no_run_stop_nobody_and_take_no_seat():
    """Floods, garbage, replays, stale picks and slow readers, while the honest students go on."""
    room = room_of_nodes(STUDENTS + HOSTILE)
    room.pace = 0.0

    async def play(phone, url):
        students, stale = ([phone() for _ in range(count)] for count in (STUDENTS, HOSTILE))
        for one in (*students, *stale):
            await one.connect()
        for one in (students[0], *stale):  # each has made a pick that can be repeated
            moves, one.picked = room.moves, [said for label, said in offered(one.html) if label.startswith("Request")]
            await one.socket.send_json(one.picked[0])
            async with asyncio.timeout(SOON):
                while room.moves == moves:
                    await asyncio.sleep(0.001)
        await students[1].until(lambda html: "Take the message from P0" in html)
        sent = [json.dumps(said) for one in (*students, *stale) for _, said in offered(one.html)]
        sent += [json.dumps(one.picked[0]) for one in (students[0], *stale)]
        steps, moves, dice = [*room.run.timeline.trace.steps()], room.moves, random.Random(5)
        kinds = [(kind, phone()) for kind in (_floods, _garbage, _replays, _slow) for _ in range(EACH)]
        kinds += [(_stale, one) for one in stale for _ in range(EACH // HOSTILE)]
        assert len(kinds) == 200
        dice.shuffle(kinds)
        attacks = [asyncio.create_task(_attack(kind, one, random.Random(dice.random()), sent)) for kind, one in kinds]
        for student in students[1:]:
            await student.press("Take the message from P0")
            await students[0].until(lambda html, one=student: f"Take the message from {name_of(one)}" in html)
        await asyncio.wait(attacks)
        await asyncio.sleep(0.2)
        assert room.moves == moves + STUDENTS - 1, "only the students' own picks have happened"
        assert [*room.run.timeline.trace.steps()][: len(steps)] == steps
        assert len([*room.run.timeline.trace.steps()]) == len(steps) + STUDENTS - 1
        assert [room.seats[one.token].node for one in students] == [*range(STUDENTS)]
        assert all(room.seats[one.token].is_here and not one.reader.done() for one in students)
        assert [room.seats[one.token].node for one in stale] == [*range(STUDENTS, STUDENTS + HOSTILE)]
        late = phone()  # somebody who comes now is let in as ever
        await late.connect()

    held(room, play)


def name_of(phone: Phone) -> str:
    """The node of a phone, as its page calls it."""
    return re.findall(r"You are (P\d+)", phone.html)[0]


def rights(lesson: Attempt) -> list[bool]:
    """For each option whether it is right, after the answer."""
    return [option == lesson.verdict.right for option in lesson.options]


def test_twelve_phones_play_a_lesson_to_its_end_and_see_wrong_decisions():
    room = lesson_room("ask-everybody")
    lesson, asked, wrong, kinds = room.lesson, 0, 0, set()

    async def play(phone, url):
        nonlocal asked, wrong
        voters = [phone() for _ in range(12)]
        for voter in voters:
            await voter.connect()
        while True:
            if room.question:
                for place, voter in enumerate(voters):
                    await voter.until(lambda html: bool(offered(html)) and room.question in html)
                    labels = [label for label, _ in offered(voter.html)]
                    await voter.press(labels[place % len(labels)])
                while sum(room.counts) < len(voters):
                    await asyncio.sleep(0.01)
                kinds.add(lesson.step.task.kind)
                asked += 1
                lesson.reveal(None)
                assert sum(lesson.votes[0]) == 12
                for place, voter in enumerate(voters):
                    sign = "✓" if rights(lesson)[place % len(labels)] else "✗"
                    await voter.until(lambda html, sign=sign: f"{sign} You voted " in html)
                wrong += sum(vote for vote, option in zip(lesson.votes[0], rights(lesson), strict=True) if not option)
            if not lesson.forward():
                break

    held(room, play)
    assert asked >= 3
    assert wrong >= asked  # each question had votes for what is wrong
    assert {"predict", "be-node"} <= kinds


def test_a_run_of_a_class_is_saved_and_opens_equal(tmp_path):
    room = room_of()
    room.change("hand")

    async def play(phone, url):
        class_of = [phone() for _ in range(room.run.scenario.nodes)]
        for one in class_of:
            await one.connect()
        dice = random.Random(3)
        for _ in range(40):
            one = dice.choice([one for one in class_of if offered(one.html)])
            label = dice.choice([label for label, _ in offered(one.html)])
            before = room.revision
            await one.press(label)
            async with asyncio.timeout(SOON):
                while room.revision == before:
                    await asyncio.sleep(0.005)
            await asyncio.sleep(0.02)

    held(room, play)
    assert any(event.acts is not None for event in room.run.timeline.branch.interventions)
    scenario_file.save(scenario_file.saved_run(room.run.timeline), tmp_path / "class.toml")
    again = RunView(scenario_file.load(tmp_path / "class.toml"))
    again.seek(room.run.timeline.step)
    assert [*again.timeline.trace.steps()] == [*room.run.timeline.trace.steps()]


def test_the_page_has_no_code_in_it_and_asks_nobody_else():
    room = room_of()

    async def play(phone, url):
        async with phone().http.get(url) as answer:
            text, policy = await answer.text(), answer.headers["Content-Security-Policy"]
        assert room.code not in text
        assert not re.search(r"https?://", text)
        assert "default-src 'none'" in policy

    held(room, play)
