"""The server of a class: phones come over HTTP and stay on a WebSocket. It shares its thread with the teacher's window.

A phone first sends its room code and token, then what its student picks; it gets its token, and its page whenever that
has changed. Nobody slows the others down: a message has at most 4 kB, a phone that talks too fast or does not read is
disconnected (its seat stays), and of those without a seat the oldest goes when they are too many.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import json
from collections.abc import Awaitable, Callable
from importlib.resources import files

from aiohttp import WSMsgType, web

from algorithms.bad_input import BadInput
from visual.window.classroom.phone import ASK_FOR_CODE, page
from visual.window.classroom.room import Room, Seat

TOO_LONG = 4097  # bytes of a message
WRONG_CODE = 4001  # WebSocket's code for a phone that should not try again by itself; assets/web/phone.js
PATIENCE = 5.0  # seconds for the room code, and for a page to be taken
GUESS = 1.0  # seconds that a wrong code costs
BURST, PER_SECOND = 20.0, 5.0  # messages that a phone may send at once, and then in each second
MOST_STRANGERS = 100  # connections without a seat
HEARTBEAT = 10.0  # seconds
BEAT = 1.0  # seconds after which a phone hears that the server is still there; assets/web/phone.js waits for three

_TYPES = {"phone.html": "text/html", "phone.js": "text/javascript"}
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; "
    "connect-src 'self' ws:; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class Phone:
    """A connection with a seat: the page to be sent, and a task that sends the latest one."""

    def __init__(self, line: asyncio.Transport, socket: web.WebSocketResponse, seat: Seat) -> None:
        self.line, self.socket, self.seat = line, socket, seat
        self._sent = self._next = ""
        self._is_due = asyncio.Event()
        self._task = asyncio.create_task(self._send())

    def show(self, html: str) -> None:
        """Show a page, unless it is the latest; one that was not sent yet is skipped."""
        if html != self._next:
            self._next = html
            self._is_due.set()

    def stop(self) -> None:
        """Send nothing more."""
        self._task.cancel()

    async def _send(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._is_due.wait(), BEAT)
            self._is_due.clear()
            message = json.dumps({"html": self._next} if self._next != self._sent else {}, ensure_ascii=False)
            self._sent = self._next
            try:
                await asyncio.wait_for(self.socket.send_str(message), PATIENCE)
            except (TimeoutError, ConnectionError, RuntimeError):  # it does not read, or is gone
                self.line.abort()
                return


class Server:
    """Serves a room at an address; `show` tells every phone what is new."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self._phones: dict[str, Phone] = {}  # by the token of the seat
        self._strangers: dict[asyncio.Transport, None] = {}  # in the order of their coming
        self._shown = (-1, -1, -1)
        self._runner: web.AppRunner | None = None

    async def start(self, bind: str, port: int) -> int:
        """Listen at an address of this machine; the port. BadInput if that is not possible."""
        app = web.Application(client_max_size=TOO_LONG)
        app.router.add_get("/", _file("phone.html"))
        app.router.add_get("/phone.js", _file("phone.js"))
        app.router.add_get("/seat", self._talk)
        self._runner = web.AppRunner(app, access_log=None, handler_cancellation=True)
        await self._runner.setup()
        site = web.TCPSite(self._runner, bind, port, backlog=512)
        try:
            await site.start()
        except OSError as error:
            await self._runner.cleanup()
            reason = str(error.strerror).rpartition("): ")[2]
            words = {
                errno.EADDRINUSE: f"port {port} is already in use; choose another with --port",
                errno.EADDRNOTAVAIL: f"{bind} is not an address of this machine",
            }.get(error.errno or 0, f"no class can be served at {bind}, port {port}: {reason}")
            raise BadInput(words) from None
        return int(self._runner.addresses[0][1])

    async def stop(self) -> None:
        """Disconnect everybody."""
        for line in (*(phone.line for phone in self._phones.values()), *self._strangers):
            line.abort()
        if self._runner is not None:
            await self._runner.cleanup()

    def show(self) -> None:
        """Send a page to each phone for which something is new."""
        room = self.room
        now = (room.revision, room.run.revision, room.lesson.revision if room.lesson else 0)
        if now != self._shown:
            self._shown = now
            for phone in self._phones.values():
                phone.show(page(room, phone.seat))

    async def _talk(self, request: web.Request) -> web.WebSocketResponse:
        """One connection from beginning to end."""
        socket = web.WebSocketResponse(max_msg_size=TOO_LONG, heartbeat=HEARTBEAT, compress=False, timeout=1.0)
        line = request.transport
        with contextlib.suppress(ConnectionError):
            await socket.prepare(request)
        if line is None or line.is_closing():  # gone already
            return socket
        self._strangers[line] = None
        if len(self._strangers) > MOST_STRANGERS:
            next(iter(self._strangers)).abort()
        try:
            phone = await self._seated(line, socket)
        finally:
            self._strangers.pop(line, None)
        if phone is None:
            return socket
        try:
            await self._listen(phone)
        finally:
            phone.stop()
            if self._phones.get(phone.seat.token) is phone:  # not if it has come back meanwhile
                del self._phones[phone.seat.token]
                self.room.leave(phone.seat)
        return socket

    async def _seated(self, line: asyncio.Transport, socket: web.WebSocketResponse) -> Phone | None:
        """The phone, once it has told the room code; None if it has not."""
        try:
            said = _read(await socket.receive(PATIENCE))
        except TimeoutError:
            line.abort()
            return None
        seat = self.room.enter(said.get("code"), said.get("token")) if isinstance(said, dict) else None
        if seat is None:
            await asyncio.sleep(GUESS * bool(isinstance(said, dict) and said.get("code")))
            if not socket.closed:
                await socket.send_json({"html": ASK_FOR_CODE})
                await socket.close(code=WRONG_CODE)
            return None
        if (before := self._phones.get(seat.token)) is not None:
            before.stop()
            before.line.abort()
        await socket.send_json({"token": seat.token})
        phone = self._phones[seat.token] = Phone(line, socket, seat)
        phone.show(page(self.room, seat))
        return phone

    async def _listen(self, phone: Phone) -> None:
        """Hand over what a phone says, until it is gone or talks too much."""
        loop = asyncio.get_running_loop()
        left, before = BURST, loop.time()
        async for message in phone.socket:
            now = loop.time()
            left, before = min(left + PER_SECOND * (now - before), BURST) - 1.0, now
            said = _read(message)
            if left < 0 or said is None:
                phone.line.abort()
                return
            self.room.receive(phone.seat, said)
            self.show()
            await asyncio.sleep(0)  # let the others talk


def _read(message: object) -> object:
    """The JSON value in a message; None for anything else."""
    if getattr(message, "type", None) is not WSMsgType.TEXT:
        return None
    try:
        return json.loads(message.data)  # type: ignore[attr-defined]
    except (ValueError, RecursionError):
        return None


def _file(name: str) -> Callable[[web.Request], Awaitable[web.Response]]:
    text = (files("assets") / "web" / name).read_text("utf-8")

    async def answer(request: web.Request) -> web.Response:
        return web.Response(text=text, content_type=_TYPES[name], charset="utf-8", headers=_HEADERS)

    return answer
