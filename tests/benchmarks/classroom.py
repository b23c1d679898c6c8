"""How soon a whole class knows: the time from a pick until every phone has the page that shows it, on loopback.

    python -m tests.benchmarks.classroom [phones] [picks]

The bound is 150 ms for 30 phones, on two free cores: the phones of this measurement share them with the server.
"""

from __future__ import annotations

import asyncio
import json
import random
import statistics
import sys
import time
from dataclasses import replace
from typing import Any

import aiohttp

from algorithms import scenario_file
from tests.support.classes import offered
from visual.window.classroom.room import Room
from visual.window.classroom.server import Server
from visual.window.run_view import RunView

PHONES, PICKS = 30, 40
QUIET = 0.6  # seconds after which everybody has what they are to have


async def _read(socket: Any, place: int, pages: dict[int, str], times: dict[int, float]) -> None:
    async for message in socket:
        said = json.loads(message.data)
        if "html" in said:
            pages[place], times[place] = said["html"], time.perf_counter()


async def measure(phones: int, picks: int) -> list[float]:
    """Seconds from each pick until the last phone that sees something new has been told."""
    scenario = replace(scenario_file.load(scenario_file.find("deferred-reply")), nodes=phones, names=())
    room = Room(RunView(scenario))
    server = Server(room)
    url = f"http://127.0.0.1:{await server.start('127.0.0.1', 0)}/seat"
    pages: dict[int, str] = {}
    times: dict[int, float] = {}
    lags, dice = [], random.Random(3)
    async with aiohttp.ClientSession() as http:
        sockets = [await http.ws_connect(url) for _ in range(phones)]
        tasks = [asyncio.create_task(_read(socket, k, pages, times)) for k, socket in enumerate(sockets)]
        for socket in sockets:
            await socket.send_json({"code": room.code})
        while len(pages) < phones:
            await asyncio.sleep(0.01)
        for _ in range(picks):
            server.show()
            await asyncio.sleep(QUIET)
            place = dice.choice([k for k in range(phones) if offered(pages[k])])
            begun = time.perf_counter()
            await sockets[place].send_json(dice.choice(offered(pages[place]))[1])
            await asyncio.sleep(QUIET)
            lags.append(max(times.values()) - begun)
        for task in tasks:
            task.cancel()
    await server.stop()
    return lags


def main() -> None:
    """Print the median and the longest of the times, as JSON."""
    phones, picks = (int(word) for word in (*sys.argv[1:], *(str(PHONES), str(PICKS))[len(sys.argv) - 1 :]))
    lags = asyncio.run(measure(phones, picks))
    told_ms = {"median": round(1000 * statistics.median(lags)), "max": round(1000 * max(lags))}
    print(json.dumps({"phones": phones, "picks": picks, "told_ms": told_ms}))


if __name__ == "__main__":
    main()
