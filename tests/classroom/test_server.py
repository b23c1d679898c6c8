"""The server on loopback: phones take seats and decide, come back, and the hostile change nothing and stop nobody."""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections.abc import Awaitable, Callable

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


async def _hostile(phone: Phone, url: str, dice: random.Random, recorded: list[str]) -> None:
    """One attacker: it floods, sends garbage or too much, repeats what others have sent, guesses, or never reads."""
    socket = await phone.http.ws_connect(f"{url}seat")
    kind = dice.randrange(6)
    try:
        if kind == 0:
            for _ in range(40):
                await socket.send_json({"code": "".join(dice.choices("ABCDEF", k=6))})
        elif kind == 1:
            await socket.send_str("x" * 5000)
        elif kind == 2:
            await socket.send_bytes(dice.randbytes(99))
        else:
            token = "" if kind < 5 else dice.choice(["__proto__", "0", "P0"])
            await socket.send_json({"code": phone.code, "token": token})
            for _ in range(60):
                garbage = dice.choice(['{"pick": 3}', "[" * 500, "null", '{"vote": 0, "question": "0.0.0"}', *recorded])
                await socket.send_str(garbage)  # of a slow reader: nothing is ever received
    except (ConnectionError, aiohttp.ClientError):
        return


def test_200_hostile_clients_change_no_run_stop_nobody_and_take_no_seat():
    room = room_of()
    room.change("pace")
    room.pace = 0.0

    async def play(phone, url):
        class_of = [phone() for _ in range(room.run.scenario.nodes)]
        for one in class_of:
            await one.connect()
        await class_of[0].press("Request")
        await class_of[1].until(lambda html: "Take the message from P0" in html)
        recorded = [json.dumps(said) for one in class_of for _, said in offered(one.html)]
        steps, dice = [*room.run.timeline.trace.steps()], random.Random(5)
        await asyncio.gather(*(_hostile(phone(), url, random.Random(dice.random()), recorded) for _ in range(200)))
        assert [*room.run.timeline.trace.steps()] == steps
        assert [room.seats[one.token].node for one in class_of] == [*range(len(class_of))]
        await class_of[1].press("Take the message from P0")
        await class_of[0].until(lambda html: "Take the message from P1" in html)

    held(room, play)


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
