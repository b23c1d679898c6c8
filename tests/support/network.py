"""A network between a browser and a server on this machine, which can go away and come back."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Literal, TypeVar

T = TypeVar("T")


class Network:
    """Passes bytes on to a port.

    While it is away, connections are refused; or taken and never answered; or what asks for them is swallowed. Those of
    before are ended if it refuses; else they never carry another byte, and nobody is told.
    """

    def __init__(self, to: int) -> None:
        self.port, self._to = 0, to
        self._is_up, self._refuses = True, True
        self._full: list[socket.socket] = []
        self._pairs: list[tuple[asyncio.StreamWriter, asyncio.StreamWriter]] = []
        self._kept: list[asyncio.StreamWriter] = []  # else they would be closed

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._take, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def leave(self, way: Literal["refuses", "hangs", "swallows"]) -> None:
        """Be away from now on."""
        self._is_up, self._refuses = False, way == "refuses"
        for end in (end for pair in self._pairs for end in pair if self._refuses):
            end.transport.abort()
        self._kept += [end for pair in self._pairs for end in pair]
        self._pairs = []
        if way == "swallows":  # a queue of one that nobody empties: the system drops what comes after that
            self._server.close()
            place = "127.0.0.1", self.port
            self._full = [socket.create_server(place, backlog=0), socket.create_connection(place)]

    async def come_back(self) -> None:
        self._is_up = True
        if self._full:
            for end in self._full:
                end.close()
            await self.start()

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not self._is_up:
            self._kept.append(writer)
            if self._refuses:
                writer.transport.abort()
            return
        far, into = await asyncio.open_connection("127.0.0.1", self._to)
        pair = writer, into
        self._pairs.append(pair)
        await asyncio.gather(self._carry(reader, into, pair), self._carry(far, writer, pair))

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, pair: Any) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(65536):
                if pair in self._pairs:
                    writer.write(data)
                    await writer.drain()
            if pair in self._pairs:
                writer.close()


@contextmanager
def in_a_thread() -> Iterator[Callable[[Coroutine[Any, Any, T]], T]]:
    """A loop in a thread of its own, and how to run something on it."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        yield lambda work: asyncio.run_coroutine_threadsafe(work, loop).result(60)
        asyncio.run_coroutine_threadsafe(_ended(), loop).result(60)
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()


async def _ended() -> None:
    """End what still runs on this loop."""
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def started(work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
    """Run something beside the rest, until the loop ends."""
    return asyncio.create_task(work)
