"""The benchmarks run, on a tiny size, and print the one JSON object that they promise. Nothing here is timed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.bench

ROOT = Path(__file__).parents[2]


def printed_by(module: str, *words: str) -> dict:
    """The JSON object that a benchmark prints."""
    done = subprocess.run(
        [sys.executable, "-m", f"tests.benchmarks.{module}", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_engine():
    pytest.importorskip("simpy", reason="one of the yardsticks is SimPy")
    figures = printed_by("engine", "--size", "2000", "--rounds", "1")
    assert figures.keys() == {"ring", "ra"}
    for case in figures.values():
        assert case.keys() == {"messages_per_s", "x_simpy", "x_bare"}
        assert min(case.values()) > 0


def test_diagram():
    figures = printed_by("diagram", "--steps", "3000", "--rounds", "1")
    assert figures.keys() == {"built", "drawn"}
    assert max(figures["built"].values()) > 0  # the smallest may be below the clock's resolution


def test_timeline():
    figures = printed_by("timeline", "--steps", "3000", "--seeks", "5")
    assert figures.keys() == {"seek_ms", "mb_per_1e5_steps", "slowdown", "last_quarter_vs_first"}
    assert figures["seek_ms"].keys() == {"median", "p99", "max"}


def test_startup():
    figures = printed_by("startup", "--runs", "1")
    assert figures.keys() == {"first_frame_ms", "x_eager"}


def test_wandering():
    figures = printed_by("wandering", "--time", "2000", "--rounds", "1")
    assert figures.keys() == {"loop_s", "engine_s", "lab_s", "engine_x_loop", "lab_x_loop"}
    assert min(figures.values()) > 0


def test_pages():
    figures = printed_by("pages", "--tiny")
    assert isinstance(figures.pop("too_slow"), list)
    assert {"choosing in a crowd", "pages", "views", "long", "two long", "gallery"} <= figures.keys()
    for case in figures.values():
        assert min(case.values()) > 0


def test_playing():
    figures = printed_by("playing", "--tiny")
    assert figures.pop("slices") > 0
    assert {"ftp", "ricart-agrawala", "ricart-agrawala, space-time", "end-to-end"} <= figures.keys()
    for case in figures.values():
        assert case.keys() == {"median", "p99", "worst", "within_a_frame"}


def test_overlay():
    figures = printed_by("overlay", "--nodes", "30", "--runs", "1")
    assert figures.keys() == {"Sigma", "End-to-End", "Non-End-to-End"}
    for case in figures.values():
        assert case.keys() == {"ms_per_round", "messages_per_s", "x_ring", "peak_mb"}
        assert min(case.values()) > 0


def test_web():
    figures = printed_by("web", "--tiny")
    assert {"lines of JavaScript", "recorded deferred-reply, 5 steps, kB"} <= figures.keys()
    for row in figures.values():
        assert row.keys() == {"measured", "bound", "holds"}
        assert row["holds"] == (row["measured"] <= row["bound"])


def test_classroom():
    figures = printed_by("classroom", "3", "2")
    assert figures.keys() == {"phones", "picks", "told_ms", "holds", "cpu_ms_a_pick"}
    told = figures["told_ms"]
    assert 0 < told["median"] <= told["max"]
    assert figures["holds"] == (told["max"] <= told["bound"] == 150)


def test_check():
    figures = printed_by("check", "--nodes", "2", "--rounds", "1")
    assert figures.keys() == {"states", "reduced_states", "states_a_second", "x_states", "x_seconds"}
    assert (figures["states"], figures["reduced_states"]) == (30, 43)
