"""Labs in the window: measured in the background, stopped, and presented as by the command."""

from __future__ import annotations

import json
import time

import pytest

from algorithms.engine.scenario import Scenario
from lessons.laboratory import catalog
from lessons.laboratory.tables import cells_of
from tests.support.desks import desk_of
from tests.support.interfaces import changed, interface_of
from tests.support.shapes import flat
from visual.drawing.picking import bounds
from visual.drawing.shapes import Image, Text
from visual.window.inputs import Key, Tick
from visual.window.lab import sheet
from visual.window.screen import Screen
from visual.window.state import Interface
from visual.window.update import update

LAB = "three-message-passing"  # draws nothing at random, and takes a second or two
PATIENCE = 60.0  # seconds
SIZES = [(1024, 768), (1280, 720), (1920, 1080), (3840, 2160)]


@pytest.fixture(autouse=True)
def _own_folder(tmp_path, monkeypatch):
    for kind in ("CACHE", "CONFIG", "STATE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind))


@pytest.fixture
def screen():
    screen = Screen(desk_of(Scenario("token-ring")))
    yield screen
    screen.desk.close()


def opened(screen: Screen, lab: str = LAB, size: tuple[int, int] = (1280, 720)) -> Interface:
    """The gallery's labs, and Enter on one."""
    interface = changed(interface_of(*size), section="labs", card=list(catalog.by_name()).index(lab))
    return update(interface, screen, Key("Enter"))


def words(screen: Screen, interface: Interface) -> list[Text]:
    return [shape for shape in flat(screen.panel(interface, "lab").shapes) if isinstance(shape, Text)]


def measured(screen: Screen, interface: Interface) -> Interface:
    """Press the button, and wait."""
    interface = update(interface, screen, Key("Enter"))
    assert screen.desk.measurement.is_running
    end = time.monotonic() + PATIENCE
    while screen.desk.measurement.is_running and time.monotonic() < end:
        time.sleep(0.05)
        interface = update(interface, screen, Tick(0.5))
    return interface


def test_esc_goes_back_to_the_gallery_and_then_to_the_run(screen):
    interface = opened(screen)
    assert (interface.lab, interface.mode()) == (LAB, "measuring")
    interface = update(interface, screen, Key("Esc"))
    assert (interface.lab, interface.mode()) == ("", "browsing")
    assert update(interface, screen, Key("Esc")).mode() == "ordinary"


def test_enter_measures_and_the_table_is_that_of_the_command(screen):
    interface = measured(screen, opened(screen))
    measurement = screen.desk.measurement
    assert measurement.trouble == ""
    report = json.loads((measurement.folder / f"{LAB}.json").read_bytes())
    assert [row.name for row in measurement.report.rows] == [row["name"] for row in report["rows"]]
    shown = {text.text for text in words(screen, interface)}
    first = cells_of(measurement.report.rows[0])
    assert {first[2], first[4]} <= shown
    assert any(isinstance(shape, Image) for shape in screen.panel(interface, "lab").shapes)


def test_a_page_says_that_it_measures_no_labs(screen, monkeypatch):
    monkeypatch.setattr(sheet, "IN_PAGE", True)
    said = " ".join(text.text for text in words(screen, opened(screen)))
    assert "Labs are measured in the program, not in a web page." in said
    assert "Not measured yet" not in said


def test_a_measurement_can_be_stopped(screen):
    interface = opened(screen, "report-table-1")
    interface = update(interface, screen, Key("Enter"))
    process = screen.desk.measurement._process
    interface = update(interface, screen, Key("Enter"))
    assert not screen.desk.measurement.is_running
    assert process.wait(PATIENCE) != 0
    assert "Stopped" in interface.notice.words


def test_a_failed_measurement_is_reported(screen, monkeypatch):
    monkeypatch.setattr("visual.window.lab.measurement.PROGRAM", "raise SystemExit('no more room')")
    interface = measured(screen, opened(screen))
    assert any("no more room" in text.text for text in words(screen, interface))


@pytest.mark.parametrize("lab", catalog.by_name())
def test_words_stay_on_the_sheet(screen, lab):
    last = catalog.find(lab).paragraph.split()[-1]
    for size in SIZES:
        interface = opened(screen, lab, size)
        for text in words(screen, interface):
            box = bounds(text)
            assert box.x >= 0, size
            assert box.x + box.w <= size[0], size
            assert box.y + box.h <= size[1], (size, text.text)
        assert any(text.text.endswith(last) for text in words(screen, interface)), f"the paragraph is cut in {size}"
