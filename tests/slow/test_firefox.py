"""Recorded pages in Firefox, from files: they step, seek, and show what they show in Chromium."""

from __future__ import annotations

import base64
import io
import time
from collections.abc import Iterator

import pytest

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
