"""A phone in a real browser takes a seat, decides, loses its connection and comes back."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support import axe
from tests.support.browser import MISSING, browser, size, troubles
from tests.support.sources import ROOT

pytest.importorskip("selenium")
pytest.importorskip("aiohttp", reason="no aiohttp: the extra classroom")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(MISSING), reason=f"needs {' and '.join(MISSING)}")]

PATIENCE = 60.0  # seconds, on a busy machine


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


def until(holds: Callable[[], Any]) -> None:
    """Wait until something holds on the page."""
    stop = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < stop
        time.sleep(0.1)


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
