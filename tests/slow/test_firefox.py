"""Recorded pages in Firefox, from files, step and seek; the live one starts, marks an answer and plays."""

from __future__ import annotations

import base64
import io
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from algorithms import scenario_file
from tests.support.firefox import FIREFOX, Firefox, firefox
from visual.command_line import main

Image = pytest.importorskip("PIL.Image")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(FIREFOX is None, reason="needs Firefox")]

PAGES = {
    "deferred-reply": ("P2 receives P1's request (2,1) and defers its reply: its own (1,2) is older than (2,1).", ()),
    "token-ring": ("Ricart–Agrawala: ", ("--beside", "ricart-agrawala")),
    "system-binary-search": ("", ()),
}


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    with firefox(tmp_path_factory.mktemp("firefox")) as driver:
        yield driver


@pytest.mark.parametrize("name", PAGES)
def test_a_page_opens_from_a_file_at_a_step(driver, name, tmp_path):
    sentence, words = PAGES[name]
    page = tmp_path / f"{name}.html"
    assert main(["export", "html", name, *words, "--steps", "20", "-o", str(page)]) == 0
    driver.get(f"file://{page}#14")
    script = "return location.pathname.endsWith(arguments[0]) && document.body?.className === 'ready'"
    stop = time.monotonic() + 60
    while not driver.execute_script(script, page.name):
        assert time.monotonic() < stop, "it is not ready within a minute"
        time.sleep(0.1)
    step = "const id = (id) => document.getElementById(id); return [id('at').value, id('say').textContent]"
    place, said = driver.execute_script(step)
    assert place == "14"
    assert sentence in said
    picture = Image.open(io.BytesIO(base64.b64decode(driver.screenshot()))).convert("RGB")
    colours = picture.crop((100, 250, 900, 700)).getcolors(1_000_000)
    assert len(colours) > 50, "the graph is drawn"
    driver.execute_script("dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowLeft'}))")
    assert driver.execute_script(step)[0] == "13"


def test_a_lesson_of_the_live_page_is_answered_and_a_dropped_run_plays(driver, address):
    def until(script: str, is_so: Callable[[Any], bool]) -> Any:
        stop = time.monotonic() + 90
        while not is_so(answer := driver.execute_script(script)):
            assert time.monotonic() < stop, answer
            time.sleep(0.1)
        return answer

    def click(words: str) -> None:
        """Click the widget that is so called, with the mouse."""
        elements = "[...document.querySelectorAll('#widgets > *')]"
        box = until(f"return {elements}.find((e) => e.ariaLabel.includes({words!r}))?.getBoundingClientRect()", bool)
        place = {"x": round(box["x"] + box["width"] / 2), "y": round(box["y"] + box["height"] / 2), "duration": 0}
        parts = [
            {"type": "pointerMove", **place},
            *({"type": f"pointer{kind}", "button": 0} for kind in ("Down", "Up")),
        ]
        driver.ask("WebDriver:PerformActions", {"actions": [{"type": "pointer", "id": "mouse", "actions": parts}]})

    driver.get(address)
    click("Two cash machines, one account")
    click("Safety: at most one process at a time is in the critical section: choose it")
    click("Answer: Enter")
    until("return document.getElementById('say').textContent", lambda said: "That is right." in said)
    driver.execute_script(
        "const held = new DataTransfer(); held.items.add(new File([arguments[0]], 'deferred-reply.toml'));"
        "dispatchEvent(new DragEvent('drop', {dataTransfer: held}))",
        scenario_file.find("deferred-reply").read_text("utf-8"),
    )
    label = "return document.getElementById('picture').ariaLabel"
    until(label, lambda words: words.startswith("Ricart–Agrawala, 5 processes, step 0,"))
    click("play, Space")
    time.sleep(1)
    click("pause, Space")
    until(label, lambda words: words.startswith("Ricart–Agrawala") and ", step 0," not in words)
    picture = Image.open(io.BytesIO(base64.b64decode(driver.screenshot()))).convert("RGB")
    assert len(picture.crop((100, 100, 800, 500)).getcolors(1_000_000)) > 50, "the graph is drawn"
