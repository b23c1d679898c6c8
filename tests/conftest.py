"""Marks and order of all tests, and the profile of those that Hypothesis generates."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path

import platformdirs
import pytest
from hypothesis import settings

from algorithms.authoring import own_file
from tests.support.collection import pass_over_old_objects

SLOW = Path(__file__).parent / "slow"

# Programs that tests start find compiled files, also where Python is told to write none, as in many containers.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Matplotlib lists the system's fonts, which takes seconds, once, and not again for each test with folders of its own.
os.environ.setdefault("MPLCONFIGDIR", platformdirs.user_cache_dir("matplotlib"))

# The same examples in every run: a failure here is a failure everywhere, and none is kept in a database.
settings.register_profile("mutoscope", derandomize=True, database=None, deadline=None)
settings.load_profile("mutoscope")

# A session holds hundreds of thousands of objects: with Python's own thresholds the collector takes an eighth of it.
gc.set_threshold(50_000, 20, 10)


@pytest.fixture
def nobody_trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, and no file that is trusted."""
    monkeypatch.setattr(own_file, "_loaded", {})
    monkeypatch.setenv(own_file.TRUST, "")  # what a test adds ends with it
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark all below tests/slow as slow, and run it first, so that no worker is left alone with it at the end."""
    for item in items:
        if SLOW in item.path.parents:
            item.add_marker(pytest.mark.slow)
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


def pytest_collection_finish() -> None:
    """Let the collector pass over what the collection of the tests has made."""
    pass_over_old_objects()
