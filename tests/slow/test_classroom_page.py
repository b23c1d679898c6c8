"""A phone in a real browser takes a seat, decides, loses its connection and comes back."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.support import axe
from tests.support.browser import MISSING, browser, size, troubles
from tests.support.classes import room_of
from tests.support.network import Network, in_a_thread, started
from tests.support.sources import ROOT
from visual.window.classroom.room import Room

pytest.importorskip("selenium")
pytest.importorskip("aiohttp", reason="no aiohttp: the extra classroom")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(MISSING), reason=f"needs {' and '.join(MISSING)}")]

PATIENCE = 60.0  # seconds, on a busy machine
BACK = 2.0  # seconds from the network's return until the phone has its seat and shows it


@pytest.fixture
def link() -> Iterator[str]:
    """The link of a class without a teacher's window."""
    words = [sys.executable, "-m", "mutoscope", "classroom", "deferred-reply", "--no-window"]
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True) as serving:
        try:
            assert serving.stdout is not None
            yield serving.stdout.readline().split()[0]
        finally:
            serving.terminate()


def until(holds: Callable[[], Any], pause: float = 0.1) -> None:
    """Wait until something holds on the page."""
    stop = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < stop
        time.sleep(pause)


def test_a_phone_takes_a_seat_decides_and_comes_back(link: str, tmp_path, parts: Path):
    program = axe.fetched(parts)
    with browser(tmp_path / "profile") as driver:
        size(driver, 390, 844)
        driver.get(link)

        def text() -> str:
            return str(driver.find_element("css selector", "main").text)

        until(lambda: "You are P0" in text())
        assert axe.serious(driver, program) == []
        driver.find_element("xpath", "//button[text()='Request the critical section']").click()
        until(lambda: "P0 requests the critical section." in text())
        assert driver.execute_script("return document.documentElement.scrollWidth <= innerWidth")
        heights = driver.execute_script("return [...document.querySelectorAll('button')].map((b) => b.offsetHeight)")
        assert all(height >= 44 for height in heights)
        driver.execute_script("socket.close()")
        until(lambda: driver.execute_script("return socket.readyState") == 1)
        until(lambda: "You are P0" in text())
        driver.refresh()
        until(lambda: "You are P0" in text())
        assert not troubles(driver)


def test_without_the_room_code_a_phone_is_asked_for_it(link: str, tmp_path, parts: Path):
    address, _, code = link.partition("#")
    program = axe.fetched(parts)
    with browser(tmp_path / "profile") as driver:
        driver.get(address)
        until(lambda: driver.find_elements("css selector", "#code"))
        assert axe.serious(driver, program) == []
        driver.find_element("css selector", "#code").send_keys(code.lower())
        driver.find_element("css selector", "form button").click()
        until(lambda: "You are P0" in driver.find_element("css selector", "main").text)


SHOWN = """
return state.textContent === "" && Date.now() < heard + 1500 && socket.readyState === 1
  && place.innerText.startsWith("You are P0");
"""


@contextmanager
def class_behind_a_network() -> Iterator[tuple[Room, Network, str, Callable[..., Any]]]:
    """A room on a server of this process, the network before it, the link, and how to run on their loop."""
    from visual.window.classroom.server import Server

    room = room_of()
    server = Server(room)

    async def show() -> None:  # as the teacher's window does in each frame
        while True:
            server.show()
            await asyncio.sleep(0.01)

    with in_a_thread() as run:
        network = Network(run(server.start("127.0.0.1", 0)))
        run(network.start())
        run(started(show()))
        yield room, network, f"http://127.0.0.1:{network.port}/#{room.code}", run
        run(server.stop())


def seconds_until_it_is_back(driver: Any, room: Room) -> float:
    """Seconds until the phone's page is alive again, and the room has it at its node."""
    (seat,) = room.seats.values()
    start = time.monotonic()
    until(lambda: driver.execute_script(SHOWN) and seat.is_here and seat.node == 0, pause=0.02)
    return time.monotonic() - start


@pytest.mark.parametrize(
    ("is_told", "way", "away"),
    [
        *((True, "hangs", 2.0), (False, "refuses", 1.0), (False, "refuses", 25.0), (False, "hangs", 6.0)),
        (False, "swallows", 26.0),  # in the longest pause of connections that were tried at the beginning
    ],
    ids=["the browser knows", "off", "off for long", "out of range", "swallowing"],
)
def test_a_phone_has_its_seat_within_two_seconds_of_the_network_being_back(tmp_path, is_told, way, away):
    """Also after so many failures that the browser delays sockets, and where nobody is told that a line is dead."""
    with class_behind_a_network() as (room, network, link, run), browser(tmp_path / "profile") as driver:

        def tell(is_off: bool) -> None:
            words = {"offline": is_off, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
            driver.execute_cdp_cmd("Network.emulateNetworkConditions", words)
            assert driver.execute_script("return navigator.onLine") is not is_off

        size(driver, 390, 844)
        driver.get(link)
        until(lambda: driver.execute_script(SHOWN))
        driver.execute_script("globalThis.old = socket")
        if is_told:
            driver.execute_cdp_cmd("Network.enable", {})
            tell(is_off=True)
        run(network.leave(way))
        time.sleep(away)
        assert is_told or "Your seat is kept." in driver.execute_script("return state.textContent")
        run(network.come_back())
        if is_told:
            tell(is_off=False)
        assert seconds_until_it_is_back(driver, room) <= BACK
        assert driver.execute_script("return socket !== old")
        driver.find_element("xpath", "//button[text()='Request the critical section']").click()
        until(lambda: "P0 requests the critical section." in driver.find_element("css selector", "main").text)
        assert len(room.seats) == 1
