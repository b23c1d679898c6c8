"""A phone in a real browser takes a seat, decides, loses its connection and comes back."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Literal, NamedTuple

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


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with browser(tmp_path_factory.mktemp("profile")) as driver:
        yield driver


@pytest.fixture
def driver(chromium: Any) -> Any:
    """A phone that has been nowhere: one browser for all tests, which knows nothing of those before."""
    chromium.get("about:blank")
    size(chromium, 390, 844)
    chromium.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": "all"})
    troubles(chromium)  # told once
    return chromium


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


def press(driver: Any, label: str) -> None:
    """Press a button, found in the same moment: each change of the room brings others."""
    script = "[...document.querySelectorAll('button')].find((one) => one.textContent === arguments[0]).click()"
    driver.execute_script(script, label)


def test_a_phone_takes_a_seat_decides_and_comes_back(driver, link: str, parts: Path):
    program = axe.fetched(parts)
    driver.get(link)

    def text() -> str:
        return str(driver.find_element("css selector", "main").text)

    until(lambda: "You are P0" in text())
    assert axe.serious(driver, program) == []
    press(driver, "Request the critical section")
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


def test_without_the_room_code_a_phone_is_asked_for_it(driver, link: str, parts: Path):
    address, _, code = link.partition("#")
    program = axe.fetched(parts)
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


class Away(NamedTuple):
    """How the network of a phone is away, for so many seconds, and whether the browser is told."""

    way: Literal["refuses", "hangs", "swallows"]
    seconds: float
    is_told: bool = False


AWAY = {
    "the browser knows": Away("hangs", 2.0, is_told=True),
    "off": Away("refuses", 1.0),
    "off for long": Away("refuses", 25.0),
    "out of range": Away("hangs", 6.0),
    "swallowing": Away("swallows", 26.0),  # in the longest pause of connections that were tried at the beginning
}


class Phone:
    """A phone with a window, a class and a network of its own; it begins with its seat."""

    def __init__(self, driver: Any, away: Away, room: Room, network: Network, link: str, run: Callable[..., Any]):
        self._driver, self._away, self._room, self._network, self._run = driver, away, room, network, run
        driver.switch_to.new_window("window")
        self._window = driver.current_window_handle
        size(driver, 390, 844)
        driver.get(link)
        until(lambda: driver.execute_script(SHOWN))
        driver.execute_script("globalThis.old = socket")

    def leave(self) -> float:
        """Lose the network; when it is to come back."""
        self._driver.switch_to.window(self._window)
        if self._away.is_told:
            self._driver.execute_cdp_cmd("Network.enable", {})
            self._tell(is_off=True)
        self._run(self._network.leave(self._away.way))
        return time.monotonic() + self._away.seconds

    def come_back(self) -> float:
        """Have the network again; seconds until the page is alive, and the room has the phone at its node."""
        self._driver.switch_to.window(self._window)
        assert self._away.is_told or "Your seat is kept." in self._driver.execute_script("return state.textContent")
        self._run(self._network.come_back())
        if self._away.is_told:
            self._tell(is_off=False)
        (seat,) = self._room.seats.values()
        start = time.monotonic()
        until(lambda: self._driver.execute_script(SHOWN) and seat.is_here and seat.node == 0, pause=0.02)
        return time.monotonic() - start

    def decide(self) -> None:
        """Show that the seat can be used, on a new connection."""
        driver = self._driver
        assert driver.execute_script("return socket !== old")
        press(driver, "Request the critical section")
        until(lambda: "P0 requests the critical section." in driver.find_element("css selector", "main").text)
        assert len(self._room.seats) == 1
        driver.close()

    def _tell(self, is_off: bool) -> None:
        words = {"offline": is_off, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
        self._driver.execute_cdp_cmd("Network.emulateNetworkConditions", words)
        assert self._driver.execute_script("return navigator.onLine") is not is_off


def returns(driver: Any, ways: Mapping[str, Away]) -> dict[str, float]:
    """The seconds from each network's return to the seat's; all of them are away at the same time."""
    main = driver.current_window_handle
    with ExitStack() as classes:
        phones = {
            name: Phone(driver, away, *classes.enter_context(class_behind_a_network())) for name, away in ways.items()
        }
        due = {name: phone.leave() for name, phone in phones.items()}
        took = {}
        for name in sorted(phones, key=due.__getitem__):
            time.sleep(max(0.0, due[name] - time.monotonic()))
            took[name] = phones[name].come_back()
            phones[name].decide()
    driver.switch_to.window(main)
    return took


def test_a_phone_has_its_seat_within_two_seconds_of_the_network_being_back(driver):
    """Also after so many failures that the browser delays sockets, and where nobody is told that a line is dead.

    Other tests may keep the machine busy: what comes late has a second chance.
    """
    took = returns(driver, AWAY)
    late = {name: AWAY[name] for name, seconds in took.items() if seconds > BACK}
    again = returns(driver, late)
    assert all(seconds <= BACK for seconds in again.values()), (took, again)
