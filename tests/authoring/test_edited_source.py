"""An algorithm's file that is edited while the window shows it: no wrong line is highlighted, and nothing fails."""

from __future__ import annotations

import importlib
import os
import shutil
import time
from pathlib import Path

import pytest

from algorithms.engine.observe import line_trace
from tests.support.desks import desk_of
from tests.support.interfaces import interface_of
from tests.support.screens import check_draws
from visual.narration import steps
from visual.scene import source_listing
from visual.window.gallery.cards import scenario_of
from visual.window.inputs import Key, Tick
from visual.window.screen import Screen
from visual.window.update import update

CACHES = (
    line_trace.has_changed,
    line_trace.source_text,
    line_trace.comments,
    line_trace.class_lines,
    line_trace._traced,
    source_listing.listing_of,
    source_listing._system,
    source_listing._listing,
    source_listing._rules_in,
    steps._defines,
)
EDITS = {"half a line": "def x(:\n", "nothing": "", "no file": None, "moved": "\n\n\n", "not text": b"\xff\xfe\0"}


@pytest.fixture
def cleared_caches():
    """Clear the caches of source files, before and after a test."""
    for cached in CACHES:
        cached.cache_clear()
    yield
    for cached in CACHES:
        cached.cache_clear()


@pytest.fixture(params=["mutual_exclusion.ricart_agrawala", "rewriting_systems.system_search"])
def edited(request, tmp_path, monkeypatch, cleared_caches) -> Path:
    """A copy of an algorithm's file that stands for the file of its module."""
    module = importlib.import_module(f"algorithms.{request.param}")
    copy = tmp_path / Path(module.__file__).name
    shutil.copy(module.__file__, copy)
    monkeypatch.setattr(module, "__file__", str(copy))
    return copy


@pytest.mark.parametrize("edit", EDITS)
def test_an_edited_file_is_not_shown_as_what_runs(edited, edit):
    new = EDITS[edit]
    if new is None:
        edited.unlink()
    else:
        edited.write_bytes(new if isinstance(new, bytes) else new.encode())
        os.utime(edited, (time.time() + 1, time.time() + 1))
    screen = Screen(desk_of(scenario_of("ricart-agrawala" if "ricart" in edited.name else "system-search")))
    interface = interface_of(1280, 720)
    for chord in ("Right", "Right", "Right", "Right", "U", "Right", "Shift+U", "Right"):
        interface = update(update(interface, screen, Key(chord)), screen, Tick(1.0))
        check_draws(interface, screen)
    assert line_trace.comments(str(edited)) == {}
    assert "has changed since the program was started" in line_trace.source_text(str(edited))


def test_an_unedited_file_is_shown(edited):
    os.utime(edited, (0, 0))
    assert line_trace.source_text(str(edited)) == edited.read_text("utf-8")
