"""Odd files in the folders of settings and unsaved runs: the window opens, and the gallery names them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from algorithms import scenario_file
from algorithms.engine.scenario import Scenario
from tests.support.desks import desk_of
from visual.drawing.shapes import Rect
from visual.window.gallery import cards
from visual.window.gallery.cards import Thumbnails
from visual.window.memory import settings, unsaved
from visual.window.memory.unsaved import Memory
from visual.window.state import Interface

FAILING = """format = 1
algorithm = "ricart-agrawala"
[network]
duplicate = 0.5
fifo = false
[load]
kind = "saturated"
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of unsaved runs with one good file among odd ones."""
    where = tmp_path / "unsaved"
    where.mkdir()
    (where / "good.toml").write_text(FAILING, "utf-8")
    (where / "dangling.toml").symlink_to("nowhere")
    (where / "loop.toml").symlink_to("loop.toml")
    (where / "folder.toml").mkdir()
    os.mkfifo(where / "pipe.toml")
    (where / "deep.toml").write_text("a = " + "[" * 100_000, "utf-8")
    (where / "unknown.toml").write_text('format = 1\nalgorithm = "nobody"\n', "utf-8")
    (where / "huge.toml").write_text("seed = 0x" + "f" * 5000, "utf-8")
    (where / "\udcff.toml").write_text(FAILING, "utf-8")
    monkeypatch.setattr(unsaved, "folder", lambda: where)
    return where


def test_odd_files_are_skipped_or_named_in_the_gallery(folder):
    recent = (
        "/" + "a" * 300 + ".toml",
        str(folder / "loop.toml"),
        "/a\0b.toml",
        str(folder / "good.toml"),
        str(folder),
    )
    items = cards.items("yours", Interface(recent=recent))
    titles = [item.title for item in items]
    names = ["deep.toml", "good.toml", "good.toml", "huge.toml", "unknown.toml", "\udcff.toml"]
    assert sorted(titles) == sorted([*names, "Open a file …"])
    assert "nested too deeply" in next(item.words for item in items if item.title == "deep.toml")
    assert "63 bits" in next(item.words for item in items if item.title == "huge.toml")


def test_a_failing_run_gets_a_picture_of_the_moment_before(folder):
    pictures, box = Thumbnails(), Rect(0, 0, 300, 200)
    names = [str(file) for file in unsaved.files(folder)]
    for name in names:
        pictures.of(name, box, "light")
    while pictures.is_waiting:
        pictures.go_on(1.0)
    assert pictures.made == len(names)
    (drawn,) = pictures.of(str(folder / "good.toml"), box, "light")
    assert len(drawn.shapes) > 10


@pytest.mark.parametrize("kind", ["pipe", "folder", "loop", "deep"])
def test_settings_that_cannot_be_read_are_told_and_the_window_opens(kind, tmp_path):
    file = tmp_path / "settings.json"
    match kind:
        case "pipe":
            os.mkfifo(file)
        case "folder":
            file.mkdir()
        case "loop":
            file.symlink_to(file)
        case "deep":
            file.write_text(json.dumps({"theme": 1})[:-2] + "[" * 100_000, "utf-8")
    memory = Memory(file, tmp_path / "unsaved")
    interface = memory.begin(Interface())
    assert interface.notice is not None
    assert str(file) in interface.notice.words
    desk = desk_of(Scenario("bully"))
    changed = memory.keep_up(interface.with_display(theme="dark"), desk, at_once=True)
    if kind != "deep":  # a broken file is set aside
        assert changed.notice is not None
        assert "Settings cannot be kept" in changed.notice.words


def test_a_name_that_is_not_utf_8_is_not_among_the_recent_files(folder):
    odd = folder / "\udcff.toml"
    assert scenario_file.load(odd).algorithm == "ricart-agrawala"
    recent = cards.with_recent(("/a.toml",), odd)
    assert recent == ("/a.toml",)
    settings.save(settings.Settings(recent=recent), Path(folder.parent / "settings.json"))
