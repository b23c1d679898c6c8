"""The whole program in a real browser: it starts without a network, runs, checks, keeps a person's work, and agrees."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import shutil
import subprocess
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from algorithms import catalog, scenario_file
from tests.support import axe
from tests.support.browser import MISSING, browser, media, size, troubles
from tests.support.desks import desk_of
from tests.support.flat_shapes import ALIKE, differences, flat_shapes
from tests.support.interfaces import interface_of
from tests.support.shapes import placed
from tests.support.sources import ROOT
from tests.support.views import own_folders
from visual.command_line import main
from visual.window.screen import Screen

Image = pytest.importorskip("PIL.Image")
pytest.importorskip("selenium")
pytestmark = pytest.mark.slow
needs_browser = pytest.mark.skipif(bool(MISSING), reason=f"needs {' and '.join(MISSING)}")

SCENARIOS = ("deferred-reply", "lost-token", "bully-worst", "wandering-token-overload", "ftp-subscribers")
STEPS = 400
OWN = (ROOT / "README.md").read_text("utf-8").partition("```python\n")[2].partition("```")[0]
Hand = Callable[[Any, str, str], None]
FOUND = "(e, name, panel) => e.dataset.id === name || e.dataset.id.startsWith(panel) && e.ariaLabel.includes(name)"
KEPT = """
const [words, since, done] = arguments, open = indexedDB.open("/home/pyodide");
open.onsuccess = () => {
  const files = open.result.transaction("FILE_DATA").objectStore("FILE_DATA").getAll();
  const isSo = ({ timestamp, contents }) => timestamp >= since && new TextDecoder().decode(contents).includes(words);
  files.onsuccess = () => done(files.result.some(isSo));
};
"""
SETTLED = """
const done = arguments[0], stop = setTimeout(done, 1500);
let frames = 0;
worker.addEventListener("message", function look({ data }) {
  if (data.busy || data.file) return;
  if (++frames < 2 || Object.keys(data).length) return worker.postMessage({});
  worker.removeEventListener("message", look);
  clearTimeout(stop);
  done();
});
worker.postMessage({});  // wakes it, so that it looks at once
"""


def test_the_folder_is_small_and_needs_nothing_from_outside(site):
    sizes = {file.name: file.stat().st_size for file in site.iterdir()}
    assert sum(sizes.values()) <= 16_000_000
    assert sum(sizes[name] for name in ("mutoscope.pack", "index.html", "page.js", "worker.js", "draw.js")) <= 1_200_000
    own = "".join((site / name).read_text("utf-8") for name in ("index.html", "page.js", "worker.js", "draw.js"))
    assert "http" not in own


@pytest.fixture(scope="module")
def driver(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with browser(tmp_path_factory.mktemp("profile")) as driver:
        yield driver


def opened(driver: Any, address: str, width: int = 1280, height: int = 720) -> None:
    size(driver, width, height)
    driver.get(address)
    ready = until(driver, "return document.body.dataset.ready", bool)
    assert ready == "yes", driver.execute_script("return document.getElementById('wait').textContent")


def at_hand(driver: Any, address: str, width: int = 1280, height: int = 720) -> None:
    """The page of that size with "deferred-reply" at its start: the one that is there, or else a new one."""
    if not driver.current_url.startswith(address):
        opened(driver, f"{address}?open=deferred-reply", width, height)
        return
    size(driver, width, height)
    drop(driver, "deferred-reply.toml", scenario_file.find("deferred-reply").read_text("utf-8"))
    settled(driver)
    assert shows(driver, "Ricart–Agrawala, 5 processes, step 0,")


def until(driver: Any, script: str, is_so: Any, seconds: float = 60.0) -> Any:
    stop = time.monotonic() + seconds
    while not is_so(answer := driver.execute_script(script)) and time.monotonic() < stop:
        time.sleep(0.1)
    return answer


def settled(driver: Any) -> None:
    """Wait until the page has shown what an input has led to: a frame begun after it, and nothing new in that."""
    driver.execute_async_script(SETTLED)


def now(driver: Any) -> float:
    return float(driver.execute_script("return Date.now()"))


def kept(driver: Any, words: str, since: float) -> bool:
    """Wait until the browser has stored a file with these words, written since then; it does so every few seconds."""
    stop = time.monotonic() + 30
    while not (found := driver.execute_async_script(KEPT, words, since)) and time.monotonic() < stop:
        time.sleep(0.1)
    return bool(found)


def says(driver: Any, words: str) -> bool:
    return words in str(until(driver, "return document.getElementById('say').textContent", lambda said: words in said))


def typed(driver: Any, *keys: str) -> None:
    """Press keys as a person does, and wait for the page after each."""
    from selenium.webdriver.common.action_chains import ActionChains

    for key in keys:
        ActionChains(driver).send_keys(key).perform()
        settled(driver)


def middle(driver: Any, widget: str, panel: str = "") -> tuple[float, float]:
    """The middle of the widget with that id, or of a panel's with those words in its name, once it is there."""
    elements = "[...document.querySelectorAll('#widgets > *')]"
    found = f"return {elements}.find((e) => ({FOUND})(e, {widget!r}, {panel!r}))?.getBoundingClientRect()"
    before, box = None, until(driver, found, bool)
    while box and box != before:  # until it stays there
        time.sleep(0.1)
        before, box = box, until(driver, found, bool)
    assert box, f"{widget}: {names(driver)}"
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def names(driver: Any) -> list[str]:
    """What a screen reader calls the widgets."""
    return list(driver.execute_script("return [...document.querySelectorAll('#widgets > *')].map((e) => e.ariaLabel)"))


def ids(driver: Any) -> list[str]:
    return list(driver.execute_script("return [...document.querySelectorAll('#widgets > *')].map((e) => e.dataset.id)"))


def click(driver: Any, widget: str, panel: str = "") -> None:
    x, y = middle(driver, widget, panel)
    mouse(driver, x, y, "Moved")
    for kind in ("Pressed", "Released"):
        mouse(driver, x, y, kind, button="left", clickCount=1)
    settled(driver)


def tab_to(driver: Any, widget: str, panel: str = "") -> None:
    """Press a widget by keyboard."""
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    middle(driver, widget, panel)
    is_there = "const e = document.activeElement; return Boolean(e.dataset.id && (" + FOUND + ")(e, ...arguments))"
    elements = "const all = [...document.querySelectorAll('#widgets > *')]"
    far = f"{elements}; return all.findIndex((e) => ({FOUND})(e, ...arguments)) - all.indexOf(document.activeElement)"
    ActionChains(driver).send_keys(Keys.TAB * (driver.execute_script(far, widget, panel) - 1)).perform()
    for _ in range(80):
        if driver.execute_script(is_there, widget, panel):
            typed(driver, Keys.SPACE)
            return
        ActionChains(driver).send_keys(Keys.TAB).perform()
        settled(driver)
    raise AssertionError(f"Tab does not come to {widget}: {names(driver)}")


def touch(driver: Any, kind: str, *points: tuple[float, float]) -> None:
    at = [{"x": x, "y": y, "id": place} for place, (x, y) in enumerate(points)]
    driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": at})


def tap(driver: Any, widget: str, panel: str = "") -> None:
    """Touch it and let go by one command: two that a slow machine keeps apart are a long press."""
    from selenium.webdriver.common.actions.action_builder import ActionBuilder
    from selenium.webdriver.common.actions.interaction import POINTER_TOUCH
    from selenium.webdriver.common.actions.pointer_input import PointerInput

    actions = ActionBuilder(driver, mouse=PointerInput(POINTER_TOUCH, "finger"), duration=0)
    actions.pointer_action.move_to_location(*middle(driver, widget, panel)).pointer_down().pointer_up()
    actions.perform()
    settled(driver)


def mouse(driver: Any, x: float, y: float, kind: str, **rest: Any) -> None:
    driver.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": f"mouse{kind}", "x": x, "y": y, **rest})


def drop(driver: Any, name: str, text: str) -> None:
    """Drop a file on the page."""
    script = (
        "const held = new DataTransfer(); held.items.add(new File([arguments[1]], arguments[0]));"
        "dispatchEvent(new DragEvent('drop', {dataTransfer: held}))"
    )
    driver.execute_script(script, name, text)


def shows(driver: Any, words: str) -> bool:
    """Whether the description of the picture comes to begin with these words."""
    label = "return document.getElementById('picture').getAttribute('aria-label')"
    return str(until(driver, label, lambda said: said.startswith(words))).startswith(words)


def focus(driver: Any) -> str:
    """The id of the widget that the keyboard is on, or the name of another element."""
    return str(driver.execute_script("const e = document.activeElement; return e.dataset.id ?? e.tagName"))


def choosing(driver: Any, hand: Hand) -> Callable[..., None]:
    """Choose widgets one after the other, by that hand."""

    def choose(*widgets: str, panel: str = "") -> None:
        for widget in widgets:
            hand(driver, widget, panel)

    return choose


def walk_to_two_runs(driver: Any, choose: Callable[..., None]) -> None:
    """From the lessons to a run without its token, beside the same run with it."""
    choose("Two cash machines, one account")
    assert says(driver, "Which property is broken first?")
    choose("Safety: at most one process at a time", panel="lesson.")
    if "That is right." not in driver.find_element("id", "say").get_property("textContent"):  # a key answers
        choose("lesson.on", panel="lesson.")
    assert says(driver, "That is right.")

    choose("header.more")
    choose("open another", panel="menu.")
    choose("gallery.scenarios", "gallery.find")
    field = until(driver, "return document.activeElement.dataset.id", lambda id_: id_ == "gallery.words", 5.0)
    assert field == "gallery.words"
    typed(driver, "everything stops")
    choose("The token is lost and everything stops")
    choose(*["transport.forward"] * 4, "header.more")
    choose("faults …", "lose the token", panel="menu.")
    assert says(driver, "the token has been lost")
    choose("transport.back")
    assert until(driver, "return location.hash", lambda words: words.endswith("&step=4"))
    choose("header.more")
    choose("compare …", "the same without your interventions", panel="menu.")
    beside = until(driver, "return location.hash", lambda words: "[beside]" in run_in(words))
    assert run_in(beside).count("lose-token") == 3, "the scenario's own one in both runs, and the person's in one"


def walk_to_a_crash(driver: Any, choose: Callable[..., None], file: Path) -> None:
    """From there to a run with a person's own algorithm, in which P1 has crashed."""
    choose("header.more")
    choose("open a file …", panel="menu.")
    driver.find_element("id", "file").send_keys(str(file))
    assert until(driver, "return location.hash", lambda words: not words) == "", "no link can hold the file"
    choose(*["transport.forward"] * 2)
    assert shows(driver, "Ricart–Agrawala with a token, 5 processes, step 2")
    choose("header.more")
    choose("faults …", "crash", "P1", panel="menu.")
    assert says(driver, "crashes")


def at_first_visit(driver: Any, address: str, scheme: str) -> None:
    """Open a page that has kept nothing, and check that it hears the wishes of the system.

    Its colours are seen; that a step then does not glide is tested without a browser.
    """
    driver.get("about:blank")  # nothing keeps anything from here on
    kept_here = {"origin": address.partition("/index.html")[0], "storageTypes": "indexeddb"}
    driver.execute_cdp_cmd("Storage.clearDataForOrigin", kept_here)
    with media(driver, "", "prefers-color-scheme", scheme, "prefers-reduced-motion", "reduce"):
        opened(driver, address)
        settled(driver)
        shot = Image.open(io.BytesIO(base64.b64decode(driver.get_screenshot_as_base64()))).convert("L")
        assert (shot.getpixel((640, 100)) > 128) == (scheme == "light")
        assert driver.execute_script("return wishes") == [scheme == "dark", True]


@pytest.fixture
def own_file(tmp_path: Path) -> Path:
    """A person's own algorithm."""
    file = tmp_path / "ricart_agrawala_token.py"
    file.write_text(OWN, "utf-8")
    return file


@needs_browser
def test_a_person_walks_from_the_first_lesson_to_an_own_algorithm_and_comes_back(driver, address, own_file):
    """The person comes back to a page in which pictures glide."""
    choose = choosing(driver, click)
    at_first_visit(driver, address, "light")
    since = now(driver)
    walk_to_two_runs(driver, choose)
    assert kept(driver, 'do = "lose-token"', since)
    since = now(driver)
    walk_to_a_crash(driver, choose, own_file)
    choose("tabs.check", "check.tokens.more", "check.start")
    start = "return document.querySelector('[data-id=\"check.start\"]').ariaLabel"
    assert until(driver, start, lambda name: "explore" in name)
    mouse(driver, *middle(driver, "check.tokens.more"), "Wheel", deltaX=0, deltaY=600)
    choose("open the run in which this fails", "back to the previous run")
    assert shows(driver, "Ricart–Agrawala with a token, ")
    assert kept(driver, 'do = "crash"', since)

    opened(driver, address)
    choose("gallery.yours")
    assert middle(driver, "token-ring not saved")
    choose("ricart_agrawala_token not saved", "run this code")
    assert says(driver, "crashes")
    assert shows(driver, "Ricart–Agrawala with a token, ")
    assert troubles(driver) == []


@needs_browser
@pytest.mark.parametrize("hand", [tab_to, tap])
def test_keyboard_and_fingers_lead_as_far_as_the_mouse(driver, address, own_file, hand):
    """By keyboard alone, and by finger on a phone, in a page that is there already."""
    at_hand(driver, address, *((390, 844) if hand is tap else (1280, 720)))
    choose = choosing(driver, hand)
    choose("header.more")
    choose("open another", panel="menu.")
    choose("gallery.lessons")
    walk_to_two_runs(driver, choose)
    walk_to_a_crash(driver, choose, own_file)
    assert troubles(driver) == []


@needs_browser
def test_on_paper_there_is_the_picture_with_its_sentence_and_nothing_to_press(driver, address):
    at_hand(driver, address)
    typed(driver, *["\ue014"] * 3)  # to the right
    with media(driver, "print"):
        shown = driver.execute_script(
            "return ['#picture', '#say', '#widgets', '#out', '#stop', '#wait'].map((name) => {"
            "  const element = document.querySelector(name), { width, height } = element.getBoundingClientRect();"
            "  return [width, height, getComputedStyle(element).display !== 'none' && width > 0 && height > 0];"
            "})"
        )
        said = driver.execute_script("return document.getElementById('say').innerText")
    assert [is_seen for _, _, is_seen in shown] == [True, True, False, False, False, False]
    (wide, high, _), (_, line, _) = shown[:2]
    assert 1000 < wide <= 1280
    assert high == pytest.approx(wide * 720 / 1280, rel=0.01), "nothing of the picture is cut off"
    assert line >= 20
    assert said.strip()
    assert base64.b64decode(driver.execute_cdp_cmd("Page.printToPDF", {})["data"]).startswith(b"%PDF")


@needs_browser
def test_the_keyboard_alone_reaches_everything_and_gets_out_again(driver, address, parts):
    from selenium.webdriver.common.keys import Keys

    program = axe.fetched(parts)
    at_first_visit(driver, f"{address}?open=deferred-reply", "dark")
    typed(driver, *[Keys.ARROW_RIGHT] * 4)
    assert says(driver, "P3 receives P2's request (1,2) and replies at once: it is not competing.")
    assert shows(driver, "Ricart–Agrawala, 5 processes, step 4")
    assert until(driver, "return location.hash", lambda words: words == "#step=4") == "#step=4"
    for fills in (True, False):
        typed(driver, "f")
        assert until(driver, "return Boolean(document.fullscreenElement)", lambda now, so=fills: now is so) is fills
    typed(driver, Keys.ARROW_DOWN, "c")
    assert says(driver, "P0 crashes")
    typed(driver, Keys.ARROW_LEFT)
    assert says(driver, "P3 receives P2's request")
    typed(driver, Keys.ESCAPE, Keys.TAB, Keys.TAB)
    assert focus(driver) == "header.nodes"
    typed(driver, Keys.ARROW_LEFT)
    assert says(driver, "P1 receives P2's request"), "the window's keys still work"
    typed(driver, Keys.ENTER)
    assert focus(driver) == "menu.field"
    assert axe.serious(driver, program) == []
    typed(driver, "7", Keys.ENTER)
    assert says(driver, "Nothing has happened yet.")
    assert until(driver, "return location.hash", lambda words: words.endswith("&step=0")).startswith("#run=")
    typed(driver, Keys.ESCAPE, Keys.ESCAPE)
    assert focus(driver) == "BODY"
    assert driver.find_element("id", "out").is_displayed()
    typed(driver, Keys.TAB)
    assert focus(driver) not in ("BODY", "CANVAS")
    assert axe.serious(driver, program) == []


def strike(driver: Any, letters: str, gap: float) -> None:
    """Strike keys on a keyboard without waiting for the page, this many seconds apart."""
    for letter in letters:
        driver.execute_cdp_cmd("Input.dispatchKeyEvent", {"type": "keyDown", "key": letter, "text": letter})
        time.sleep(gap)


@needs_browser
@pytest.mark.parametrize("slow", [1, 10])
@pytest.mark.parametrize("way", ["click", "key"])
def test_letters_struck_while_a_field_opens_all_arrive_in_it(driver, address, slow, way):
    """At every pace of the keyboard, on a fast and on a slow machine: in the page's field, and in the window's."""
    from selenium.webdriver.common.keys import Keys

    words, field = "is lost", "document.querySelector('[data-id=\"gallery.words\"]')"
    if not driver.current_url.startswith(address):
        opened(driver, address)
    size(driver, 1280, 720)
    if "gallery.scenarios" not in ids(driver):
        driver.execute_script("canvas.focus(); send('Key', 'Ctrl+O', false)")
    click(driver, "gallery.scenarios")
    for gap in (0.0, 0.05) if slow > 1 else (0.0, 0.02, 0.05):  # a slow page takes letters later than every 0.1 s
        x, y = middle(driver, "gallery.find")
        with throttled(driver, slow):
            if way == "click":
                for kind in ("Pressed", "Released"):
                    mouse(driver, x, y, kind, button="left", clickCount=1)
            else:
                driver.execute_script("canvas.focus()")
                chord = {"key": "f", "code": "KeyF", "modifiers": 2, "windowsVirtualKeyCode": 70}
                driver.execute_cdp_cmd("Input.dispatchKeyEvent", {"type": "keyDown", **chord})
            strike(driver, words, gap)
            assert until(driver, f"return {field}?.value", lambda text: text == words, 10.0) == words, gap
        assert until(driver, f"return document.activeElement === {field}", bool), gap
        strike(driver, "!", 0.0)
        assert until(driver, f"return {field}.value", lambda text: text == f"{words}!", 10.0) == f"{words}!"
        typed(driver, Keys.BACKSPACE)
        assert middle(driver, "The token is lost and everything stops", "gallery."), "Python has it too"
        typed(driver, Keys.ESCAPE)
        assert until(driver, f"return !{field}", bool)


@contextmanager
def throttled(driver: Any, slow: int) -> Iterator[None]:
    """That many times slower; not for longer than it matters, since a slowed page keeps a core busy all the time."""
    driver.execute_cdp_cmd("Emulation.setCPUThrottlingRate", {"rate": slow})
    try:
        yield
    finally:
        driver.execute_cdp_cmd("Emulation.setCPUThrottlingRate", {"rate": 1})


@needs_browser
def test_an_own_algorithm_that_never_ends_is_stopped_and_the_run_before_it_is_back(driver, address):
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    at_hand(driver, address)
    typed(driver, *[Keys.ARROW_RIGHT] * 2, Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    since = now(driver)
    typed(driver, "c")
    assert says(driver, "P1 crashes")
    assert kept(driver, 'do = "crash"', since)
    drop(
        driver,
        "endless.py",
        OWN.replace("    def acquire(self):\n", "    def acquire(self):\n        while True: pass\n"),
    )
    settled(driver)
    ActionChains(driver).send_keys(Keys.ARROW_RIGHT * 2).perform()
    stop, dropped = driver.find_element("id", "stop"), time.monotonic()
    assert until(driver, "return !document.getElementById('stop').hidden", bool)
    assert time.monotonic() - dropped > 3, "not at each small delay"
    stop.click()
    again = "return location.search === '?again=yes' && document.body.dataset.ready"
    assert until(driver, again, bool) == "yes"
    assert says(driver, "P1 crashes")
    assert shows(driver, "Ricart–Agrawala, 5 processes")
    assert driver.find_element("id", "stop").is_displayed() is False


def run_in(fragment: str) -> str:
    """The text of the run in a link; "" if there is none."""
    word = dict(part.partition("=")[::2] for part in fragment.lstrip("#").split("&")).get("run", "")
    return zlib.decompress(base64.urlsafe_b64decode(word + "=" * (-len(word) % 4))).decode() if word else ""


@needs_browser
def test_fingers_step_open_menus_and_magnify_on_a_phone(driver, address):
    from selenium.webdriver.common.keys import Keys

    at_hand(driver, address, 390, 844)
    tap(driver, "transport.forward")
    tap(driver, "transport.forward")
    assert says(driver, "P2 requests the critical section")
    tap(driver, "header.nodes")
    assert focus(driver) == "CANVAS", "no keyboard covers the choices"
    tap(driver, "menu.field")
    assert focus(driver) == "menu.field", "now there is one"
    typed(driver, "4")
    assert driver.execute_script("return document.activeElement.value") == "4"
    typed(driver, Keys.ESCAPE)
    driver.execute_script(
        "globalThis.sent = []; const post = worker.postMessage.bind(worker);"
        "worker.postMessage = (words, rest) => { sent.push(words.input); post(words, rest); }"
    )
    desk = desk_of(scenario_file.load(scenario_file.find("deferred-reply")))
    shapes = Screen(desk).shapes(interface_of(390, 844))
    touch(driver, "Start", next((box.x, box.y) for shape, box in placed(shapes) if getattr(shape, "text", "") == "P3"))
    time.sleep(0.8)
    touch(driver, "End")
    assert until(driver, "return document.querySelectorAll('[data-id^=\"menu.\"]').length", bool), "a long press"
    typed(driver, Keys.ESCAPE)
    touch(driver, "Start", (150, 300), (250, 300))
    touch(driver, "Move", (100, 300), (300, 300))
    touch(driver, "End")
    wheel = [one for one in driver.execute_script("return sent") if one and one[0] == "Wheel"]
    assert wheel
    assert 1.15 ** sum(one[3] for one in wheel) == pytest.approx(2, rel=0.01), "twice as far apart, twice as large"


def trace_digest(name: str) -> str:
    """A digest of the first records of a scenario's run."""
    timeline = catalog.timeline(scenario_file.load(scenario_file.find(name)))
    timeline.seek(STEPS)
    return hashlib.sha256(repr([timeline.trace.step(k) for k in range(timeline.step)]).encode()).hexdigest()


def in_pyodide(site: Path, folder: Path, source: str) -> subprocess.Popen[str]:
    """A process that runs Python as a page does, with the tests beside the program, and prints the source's value."""
    script, source = folder / "run.mjs", f"import sys; sys.path.insert(0, '/app')\n{source}"
    script.write_text(
        f"""
        import {{ readFileSync }} from "fs";
        import {{ loadPyodide }} from "{site}/pyodide.mjs";
        const python = await loadPyodide({{ indexURL: "{site}/" }});
        for (const file of ["mutoscope.pack", "msgspec.whl", "platformdirs.whl"]) {{
          const kind = file.endsWith("whl") ? "zip" : "xztar";
          python.unpackArchive(readFileSync(`{site}/${{file}}`).buffer, kind, {{ extractDir: "/app" }});
        }}
        python.FS.mkdirTree("/app/tests");
        python.FS.mount(python.FS.filesystems.NODEFS, {{ root: "{ROOT}/tests" }}, "/app/tests");
        console.log(python.runPython({json.dumps(source)}));
        """,
        encoding="utf-8",
    )
    return subprocess.Popen(["node", str(script)], stdout=subprocess.PIPE, text=True, cwd=ROOT)


def answer_of(running: subprocess.Popen[str]) -> str:
    printed, _ = running.communicate()
    assert running.returncode == 0
    return printed


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node, which runs Pyodide without a browser")
def test_runs_are_the_same_to_the_last_digit_and_shapes_to_a_fiftieth_of_a_pixel(site, tmp_path, monkeypatch):
    """Views that have every key and run every function; but those of work in other processes, which no page starts."""
    for kind in ("CACHE", "CONFIG", "STATE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", "")  # so that it is as before after the test
    source = f"""
import hashlib, json
from pathlib import Path
from tests.support.views import own_folders
own_folders(Path("/own"))
from algorithms import catalog, scenario_file
from tests.support.flat_shapes import ALIKE, flat_shapes
def digest(name):
    timeline = catalog.timeline(scenario_file.load(scenario_file.find(name)))
    timeline.seek({STEPS})
    return hashlib.sha256(repr([timeline.trace.step(k) for k in range(timeline.step)]).encode()).hexdigest()
json.dumps([[*map(digest, {SCENARIOS!r})], {{name: flat_shapes(name) for name in ALIKE}}])
"""
    running = in_pyodide(site, tmp_path, source)
    own_folders(tmp_path / "own")
    runs = [trace_digest(name) for name in SCENARIOS]
    own = {name: flat_shapes(name) for name in ALIKE}
    their_runs, theirs = json.loads(answer_of(running).splitlines()[-1])
    assert their_runs == runs
    different = {name: differences(own[name], theirs[name], 0.02) for name in ALIKE}
    assert {name: found[:3] for name, found in different.items() if found} == {}
    assert len(ALIKE) > 40


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["serve", "no-such-folder"], "no-such-folder: expected a folder that mutoscope web has written"),
        (["serve", ".", "--port", "x"], '--port: expected a whole number from 0 to 65535, got "x"'),
        (["web", "a-file"], "a-file: expected a folder, found a file"),
        (["web", "site", "--parts", "spoilt"], "expected the SHA-256"),
    ],
)
def test_bad_input_is_told_in_a_sentence(words, sentence, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("a-file").write_text("")
    Path("spoilt").mkdir()
    Path("spoilt", "pyodide-314.0.7.tgz").write_bytes(b"another")
    assert main(words) == 2
    assert sentence in capsys.readouterr().err
    assert not Path("site").exists()
