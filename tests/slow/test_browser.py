"""A recorded page in a real browser: from a file, by key, on a phone, and with the window's own picture."""

from __future__ import annotations

import base64
import io
import json
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from algorithms import catalog, scenario_file
from tests.support import axe
from tests.support.browser import MISSING, browser, media, size, troubles
from tests.support.legibility import contrast
from visual.command_line import main
from visual.commands.web import ROOT
from visual.drawing.export import encode
from visual.drawing.theme import NAMES
from visual.scene.still import Still, still
from visual.window.web.live import LiveWindow

numpy = pytest.importorskip("numpy")
Image = pytest.importorskip("PIL.Image")
pytest.importorskip("selenium")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(MISSING), reason=f"needs {' and '.join(MISSING)}"),
]

PAGES = {"ring": ("lost-token",), "wait": ("deferred-reply",), "pair": ("token-ring", "--beside", "ricart-agrawala")}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    for name, words in PAGES.items():
        assert main(["export", "html", *words, "--steps", "200", "-o", str(folder / f"{name}.html")]) == 0
    return folder


@pytest.fixture(scope="module")
def driver(folder: Path) -> Iterator[Any]:
    with browser(folder / "profile") as driver:
        yield driver


def opened(driver: Any, folder: Path, name: str, width: int = 1280, height: int = 900) -> None:
    size(driver, width, height)
    driver.get(f"file://{folder / name}.html")
    driver.execute_async_script(
        "const done = arguments[0], look = () =>"
        " document.body.className.includes('ready') ? done() : setTimeout(look, 5); look()"
    )


def press(driver: Any, *keys: str) -> None:
    for key in keys:
        driver.execute_script("dispatchEvent(new KeyboardEvent('keydown', {key: arguments[0]}))", key)


def said(driver: Any) -> str:
    return str(driver.execute_script("return document.getElementById('say').textContent"))


def place(driver: Any) -> int:
    return int(driver.execute_script("return document.getElementById('at').value"))


def test_keys_step_seek_and_play_to_the_end(driver, folder):
    opened(driver, folder, "wait")
    assert said(driver).startswith("Nothing has happened yet.")
    press(driver, "ArrowRight", ".", "ArrowRight")
    assert place(driver) == 3
    sentence = said(driver)
    press(driver, "ArrowLeft", "ArrowRight")
    assert said(driver) == sentence
    press(driver, "PageDown")
    assert driver.execute_script("return document.querySelector('#markers [aria-current]').textContent") == "the wait"
    press(driver, "End")
    end = place(driver)
    press(driver, "ArrowRight")
    assert place(driver) == end
    press(driver, "Home", "+", "+", "+", " ")
    driver.set_script_timeout(20)
    reached = driver.execute_async_script(
        "const done = arguments[0], at = document.getElementById('at'),"
        "look = () => at.value === at.max ? done(+at.value) : setTimeout(look, 20); look()"
    )
    assert reached == end
    assert not troubles(driver)


def test_the_words_follow_the_step(driver, folder):
    opened(driver, folder, "ring")
    lights, code = "[...document.querySelectorAll('.lights li')].map((l) => l.innerText)", "code .ran"
    lit = []
    for _ in range(9):
        press(driver, "ArrowRight")
        lit.append(driver.execute_script(f"return document.querySelectorAll('{code}').length"))
    assert len(set(lit)) > 1
    before = driver.execute_script(f"return {lights}")
    press(driver, "End")
    assert driver.execute_script(f"return {lights}") != before
    label = driver.execute_script("return document.querySelector('canvas').getAttribute('aria-label')")
    assert label.startswith("Token ring, ")


def test_two_runs_stand_side_by_side(driver, folder):
    opened(driver, folder, "pair", 1400)
    left, right = driver.execute_script(
        "return [...document.querySelectorAll('section')].map((s) => s.getBoundingClientRect().left)"
    )
    assert right > left + 500
    press(driver, *["ArrowRight"] * 9)
    assert said(driver).startswith(("Token ring: ", "Ricart–Agrawala: "))
    order = driver.execute_script("return film.order.map((step) => [step.time, film.runs.indexOf(step.run)])")
    assert order == sorted(order), "on one clock, and at equal times the left run first"


def test_a_phone_sees_it_without_scrolling_sideways(driver, folder):
    opened(driver, folder, "wait", 390, 844)
    wide, high = driver.execute_script(
        "const c = document.querySelector('canvas').getBoundingClientRect();"
        "return [document.documentElement.scrollWidth, c.bottom]"
    )
    assert wide <= 390
    assert high <= 844, "the graph is seen at once"
    small = driver.execute_script(
        "return [...document.querySelectorAll('button, input')].map((b) => b.getBoundingClientRect())"
        ".filter((b) => b.height < 32 || b.width < 32).length"
    )
    assert small == 0


@pytest.mark.parametrize("name", ["wait", "pair"])
def test_a_phone_held_across_sees_the_graph_between_the_buttons_and_the_sentence(driver, folder, name):
    opened(driver, folder, name, 844, 390)
    press(driver, *["ArrowRight"] * 14)
    bar, sentence, *graphs = driver.execute_script(
        "const graphs = [...document.querySelectorAll('canvas:first-child')], bar = document.getElementById('bar');"
        "scrollTo(0, scrollY + graphs[0].getBoundingClientRect().top - bar.clientHeight);"
        "return [bar, document.getElementById('say'), ...graphs].map((one) => one.getBoundingClientRect())"
    )
    assert sentence["bottom"] <= 390
    for graph in graphs:
        assert bar["bottom"] - 1 <= graph["top"]
        assert graph["bottom"] <= sentence["top"] + 1
        assert graph["height"] > 240
    assert driver.execute_script("return document.documentElement.scrollWidth") <= 844


def test_a_phone_shows_the_graphs_of_two_runs_before_their_tables(driver, folder):
    opened(driver, folder, "pair", 390, 844)
    graphs, tables = driver.execute_script(
        "return ['canvas:first-child', '.side'].map((one) => [...document.querySelectorAll(one)]"
        ".map((part) => part.getBoundingClientRect()))"
    )
    assert graphs[1]["bottom"] <= min(table["top"] for table in tables)
    assert graphs[1]["bottom"] - graphs[0]["top"] <= 844, "both are seen at once"
    names = driver.execute_script(
        "return [...document.querySelectorAll('.side')].map((one) => getComputedStyle(one, '::before').content)"
    )
    assert names == ['"Token ring"', '"Ricart–Agrawala"']


def test_nothing_keeps_people_out(driver, folder, parts):
    program = axe.fetched(parts)
    for name, width in (("wait", 1280), ("ring", 390), ("pair", 1280)):
        opened(driver, folder, name, width)
        press(driver, *["ArrowRight"] * 5)
        assert axe.serious(driver, program) == []


def test_seeking_is_fast(driver, folder):
    """Median of 100 seeks at random, on any machine: far below what a person notices."""
    opened(driver, folder, "ring")
    spent = driver.execute_script(
        "const spent = []; for (let i = 0; i < 100; i++) { const start = performance.now(); go((i * 37) % 120);"
        " spent.push(performance.now() - start); } return spent"
    )
    assert sorted(spent)[50] < 50


@pytest.mark.parametrize(("name", "step"), [("wait", 14), ("wait", 30), ("ring", 40)])
def test_the_page_shows_what_the_window_paints(driver, folder, name, step):
    """Smoothed, the mean difference is at most 4 of 255, and 1.5 % of the pixels differ by more than 40."""
    opened(driver, folder, name)
    data = driver.execute_script(
        "const run = film.runs[0]; go(arguments[0]); run.painters[0].resize(900, 500, 1); draw();"
        "return run.painters[0].context.canvas.toDataURL()",
        step,
    )
    shown = Image.open(io.BytesIO(base64.b64decode(data.partition(",")[2]))).convert("RGB")
    timeline = catalog.timeline(scenario_file.load(scenario_file.find(PAGES[name][0])))
    timeline.seek(step)
    look = Still(crop="graph", caption="", reopen=False, moving=True, size=(900, 500), design=(1286, 714))
    picture = still(timeline, None, look)
    painted = Image.open(io.BytesIO(encode(replace(picture, background="#FFFFFF"), "png"))).convert("RGB")
    difference = numpy.abs(_smooth(shown) - _smooth(painted))
    assert difference.mean() <= 4
    assert (difference.max(axis=2) > 40).mean() <= 0.015


STREAM = """
const [texts, width, height, scale] = arguments, made = () => {
  const canvas = document.createElement("canvas");
  canvas.getContext("2d", { alpha: false, willReadFrequently: true });  // which the painter gets then
  const painter = new Painter(canvas);
  painter.resize(width, height, scale);
  return painter;
};
const shown = made(), whole = made(), wrong = [];
let parts = 0;
for (const [i, text] of texts.entries()) {
  const { picture } = JSON.parse(text), plain = shown.paint;
  shown.paint = (shapes, paper, part) => { parts += Boolean(part); plain.call(shown, shapes, paper, part); };
  shown.show(picture);
  delete shown.paint;
  whole.groups = shown.groups;
  whole.paint(picture.draw, picture.paper);
  const pixels = ({ context: g }) => new Uint32Array(g.getImageData(0, 0, g.canvas.width, g.canvas.height).data.buffer);
  const [one, other] = [shown, whole].map(pixels);
  if (one.some((value, k) => value !== other[k])) wrong.push(i);
}
return [wrong, parts];
"""
"""Which pictures of a stream are not, to the last bit, those that are drawn at once; how often a part was drawn."""


def test_a_live_page_draws_parts_of_pictures_as_if_they_were_whole(driver, tmp_path):
    window = LiveWindow(960, 540, str(tmp_path), "open=deferred-reply")
    keys = {0: "Space", 16: "S", 20: "?", 22: "Esc", 24: "Ctrl+K", 26: "Esc", 28: "Space", 30: "D", 32: "Left"}
    given = [json.dumps([["Key", keys[i]]]) if i in keys else "" for i in range(36)]
    texts = [text for one in given if "picture" in (text := window.frame(one, 1 / 20))]
    driver.get("about:blank")
    script = (ROOT / "assets" / "web" / "draw.js").read_text("utf-8")
    for scale in (1, 1.25):
        wrong, parts = driver.execute_script(script + STREAM, texts, 960, 540, scale)
        assert (scale, wrong) == (scale, [])
        assert parts > 20


@pytest.mark.parametrize("theme", NAMES)
def test_on_paper_all_words_can_be_read_and_there_is_nothing_to_press(driver, tmp_path, theme):
    """Every text has the contrast of WCAG's level AA with what is behind it: white, or what is printed in any case."""
    target = tmp_path / "run.html"
    assert main(["export", "html", "deferred-reply", "--theme", theme, "--steps", "20", "-o", str(target)]) == 0
    opened(driver, tmp_path, "run", 794, 1123)
    press(driver, *["ArrowRight"] * 14)
    with media(driver, "print"):
        texts = driver.execute_script(WRITTEN)
        pressed = driver.execute_script(
            "return [...document.querySelectorAll('button, input')].filter((one) => one.getClientRects().length).length"
        )
        cut = driver.execute_script(
            "const b = document.querySelector('pre'); return b.scrollHeight > b.clientHeight + 1"
        )
        wide = driver.execute_script("return document.documentElement.scrollWidth")
    assert (pressed, cut) == (0, False)
    assert wide <= 794
    words = " ".join(text for text, *_ in texts)
    for sentence in ("defers its reply", "class RicartAgrawala", "waiting time", "safety", "mutoscope play"):
        assert sentence in words
    for text, ink, behind, em in texts:
        assert contrast(behind, ink) >= 4.5, (text, ink, behind)
        assert em >= 11
    paper = driver.execute_cdp_cmd("Page.printToPDF", {"printBackground": False})["data"]
    assert base64.b64decode(paper).startswith(b"%PDF")


WRITTEN = """
const two = (part) => (+part).toString(16).padStart(2, "0");
const hex = (colour) => "#" + colour.match(/[\\d.]+/g).slice(0, 3).map(two).join("");
const isPrinted = (style) => style.printColorAdjust === "exact" && !/, 0\\)$/.test(style.backgroundColor);
const found = [], walk = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
while (walk.nextNode()) {
  const { data, parentElement: element } = walk.currentNode, own = getComputedStyle(element);
  if (!data.trim() || !element.getClientRects().length) continue;
  let behind = element;
  while (behind && !isPrinted(getComputedStyle(behind))) behind = behind.parentElement;
  const ground = behind ? getComputedStyle(behind).backgroundColor : "rgb(255, 255, 255)";
  found.push([data.trim(), hex(own.color), hex(ground), parseFloat(own.fontSize)]);
}
return found;
"""


def test_who_wants_no_motion_sees_steps_only(driver, folder):
    """Of a run that plays, the pictures are those right after a step."""
    moments = """
        const done = arguments[0], seen = [], times = film.order.map((step) => step.time);
        film.runs[0].painters[0].paint = () => seen.push(time);
        go(0); faster(5); toggle();
        const between = () => seen.filter((moment) => !times.includes(moment)).length;
        const look = () => playing ? setTimeout(look, 20) : done([seen.length, between()]);
        look();
    """
    driver.set_script_timeout(30)
    opened(driver, folder, "wait")
    count, between = driver.execute_async_script(moments)
    assert between > 0, "else messages glide"
    with media(driver, "", "prefers-reduced-motion", "reduce"):
        opened(driver, folder, "wait")
        count, between = driver.execute_async_script(moments)
    assert count > 10
    assert between == 0


TALK = """
format = 1
title = "Waiting"
[[scene]]
scenario = "deferred-reply"
at = 5.2
[[scene]]
scenario = "deferred-reply"
at = "marker:the wait"
film = { speed = 4 }
"""


def test_a_deck_plays_a_scene_and_gives_the_keys_back(driver, tmp_path):
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    Path(tmp_path, "t.toml").write_text(TALK, encoding="utf-8")
    assert main(["deck", str(tmp_path / "t.toml"), "-o", str(tmp_path / "t.html")]) == 0
    size(driver, 1280, 720)
    driver.get(f"file://{tmp_path / 't.html'}#s3")
    ActionChains(driver).send_keys("p").perform()
    driver.set_script_timeout(20)
    when(driver, "film?.contentDocument?.getElementById('at')?.value > 0")
    assert driver.execute_script("return document.activeElement.tagName") == "IFRAME"
    inside, outside = driver.execute_script(
        "const frame = document.querySelector('iframe.plays'), page = frame.contentDocument.documentElement;"
        "return [page.scrollHeight, frame.clientHeight]"
    )
    assert inside <= outside, "nothing has to be scrolled"
    ActionChains(driver).send_keys(Keys.ESCAPE).perform()
    assert not driver.find_elements("css selector", "iframe.plays")
    ActionChains(driver).send_keys("p").perform()
    when(driver, "film?.contentDocument?.body?.className === 'ready'")
    ActionChains(driver).send_keys(Keys.PAGE_UP).perform()
    assert driver.execute_script("return location.hash") == "#s2", "a remote turns the slides"
    assert not troubles(driver)


def test_slides_show_two_recorded_pages_in_frames(driver, folder):
    """As reveal does: a slide that is not shown has no size."""
    slides = "".join(
        f'<section id="{name}"><iframe src="{name}.html#14"></iframe></section>' for name in ("wait", "pair")
    )
    style = "section { display: none } section:target { display: block } iframe { width: 100%; height: 600px }"
    (folder / "slides.html").write_text(f"<!doctype html><style>{style}</style>{slides}", encoding="utf-8")
    size(driver, 1280, 720)
    for name in ("wait", "pair"):
        driver.get(f"file://{folder / 'slides.html'}#{name}")
        driver.switch_to.frame(driver.find_element("css selector", f"#{name} iframe"))
        width = 0
        for _ in range(200):
            width = driver.execute_script("return document.body.className && document.querySelector('canvas').width")
            if width and width > 400:
                break
            time.sleep(0.05)
        assert width > 400
        assert place(driver) == 14
        driver.switch_to.default_content()
    assert not troubles(driver)


def when(driver: Any, condition: str) -> None:
    """Wait until that is so of the `film` that plays."""
    driver.execute_async_script(
        "const done = arguments[0], look = () => { const film = document.querySelector('iframe.plays');"
        f" {condition} ? done() : setTimeout(look, 20); }}; look()"
    )


def _smooth(image: Any) -> Any:
    from PIL import ImageFilter

    return numpy.asarray(image.filter(ImageFilter.BoxBlur(2)), dtype=float)
