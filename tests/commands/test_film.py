"""Films: every moment in order, a stop at each marker, the same frames each time and as drawn, and no half file."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import CancelledError
from itertools import groupby
from pathlib import Path

import numpy
import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms import catalog, scenario_file
from tests.support.sources import ROOT
from visual.command_line import main
from visual.commands.film import FilmCamera, Shown, moments
from visual.commands.pictures import WHOLE
from visual.drawing.film import FilmShape
from visual.drawing.film.formats import write_film
from visual.drawing.film.frame import TILE, changes
from visual.drawing.paint import render
from visual.scene.still import Still, still

av = pytest.importorskip("av")
Image = pytest.importorskip("PIL.Image")

SHORT = ["deferred-reply", "--from", "5", "--to", "6", "--size", "320x180", "--fps", "10"]


def film(folder: Path, name: str, *more: str) -> Path:
    target = folder / name
    assert main(["film", *SHORT, *more, "-o", str(target)]) == 0
    return target


def decoded(file: Path) -> list[bytes]:
    with av.open(str(file)) as container:
        return [frame.to_ndarray(format="rgb24").tobytes() for frame in container.decode(video=0)]


@pytest.mark.parametrize("kind", ["mp4", "webm"])
def test_a_film_has_a_frame_for_each_moment_and_stops_at_the_marker(tmp_path, kind):
    """From 5 to 6 at 0.125 a frame: 9 moments, the marker at 5.6 for two seconds, the last one for a second."""
    frames = decoded(film(tmp_path, f"x.{kind}"))
    assert len(frames) == 8 + 20 + 10
    assert len(set(frames[:4])) == 4, "the messages move"
    still = frames[6:24]
    assert max(sum(abs(a - b) for a, b in zip(still[0][::97], one[::97], strict=True)) for one in still) < 2_000


def test_the_same_film_twice_and_with_any_number_of_processes(tmp_path, monkeypatch):
    monkeypatch.setattr("visual.commands.film.SEGMENT", 4)
    made = []
    for name, cores in (("a", 1), ("b", 2)):
        monkeypatch.setattr(os, "sched_getaffinity", lambda pid, cores=cores: set(range(cores)), raising=False)
        made.append(decoded(film(tmp_path, f"{name}.mp4")))
    assert made[0] == made[1]


SIZE = (324, 182)  # no multiple of a tile


def drawn() -> list[numpy.ndarray]:
    """The pictures of the short film, each drawn on its own."""
    scenario = scenario_file.load(scenario_file.find("deferred-reply"))
    look = Still(size=SIZE, reopen=False)
    timeline = catalog.timeline(scenario)
    pictures = []
    for at, ticks, *_ in moments(scenario, 5, 6, look, fps=10, stop=0.2):
        timeline.seek_time(at)
        picture = still(timeline, at, look)
        surface = render(picture.shapes, SIZE, picture.theme, 1, picture.background)
        rgb = numpy.frombuffer(pygame.image.tobytes(surface, "RGB"), numpy.uint8).reshape(SIZE[1], SIZE[0], 3)
        pictures += [rgb.astype(int)] * ticks
    return pictures


def shown(file: Path) -> list[numpy.ndarray]:
    """What a program shows that plays the file, tick by tick of a tenth of a second."""
    if file.suffix in (".mp4", ".webm"):
        with av.open(str(file)) as container:
            return [frame.to_ndarray(format="rgb24").astype(int) for frame in container.decode(video=0)]
    image, frames = Image.open(file), []
    for number in range(image.n_frames):
        image.seek(number)
        image.load()
        frames += [numpy.asarray(image.convert("RGB")).astype(int)] * round(image.info["duration"] / 100)
    return frames


@pytest.mark.parametrize(("kind", "error"), [("mp4", 3.0), ("webm", 4.0), ("gif", 4.0), ("webp", 1e-9)])
def test_each_frame_shows_the_picture_of_its_moment(tmp_path, kind, error):
    """Also where only a part of the frame was encoded afresh: the mean error of a channel, of 255, stays small."""
    words = ["--size", f"{SIZE[0]}x{SIZE[1]}", "--no-origin", "--stop", "0.2"]
    frames, pictures = shown(film(tmp_path, f"x.{kind}", *words)), drawn()
    assert len(frames) == len(pictures) + 9, "the last picture stays for a second"
    for frame, picture in zip(frames, pictures, strict=False):
        assert abs(frame - picture).mean() < error
        others = [abs(frame - other).mean() for other in pictures]
        assert min(others) == pytest.approx(abs(frame - picture).mean(), abs=0.35)


def test_the_colours_of_a_film_are_those_of_the_theme(tmp_path):
    """ "transparent" areas and large fills are exact in a GIF, and right to a shade in a video."""
    file = film(tmp_path, "x.gif", "--theme", "dark")
    assert tuple(shown(file)[0][90, 2]) == (0x12, 0x16, 0x1C)
    pixel = shown(film(tmp_path, "x.mp4", "--theme", "dark"))[0][90, 2]
    assert max(abs(pixel - numpy.array([0x12, 0x16, 0x1C]))) <= 2


@pytest.mark.parametrize("words", [["--crop", "source"], ["--crop", "counters"], ["--view", "P2"]])
def test_a_film_can_show_what_a_picture_can(tmp_path, words):
    """Its last frame is the picture that shot makes of that moment."""
    part = [*words, "--no-origin", "--size", "320x180"]
    frames = shown(film(tmp_path, "x.webp", *part))
    still_file = tmp_path / "x.png"
    assert main(["shot", SHORT[0], "--at", "6", *part, "-o", str(still_file)]) == 0
    picture = numpy.asarray(Image.open(still_file).convert("RGB")).astype(int)
    assert abs(frames[-1] - picture).max() == 0
    assert len({frame.tobytes() for frame in frames}) > 1


def test_a_film_can_begin_and_end_at_markers(tmp_path):
    file = film(tmp_path, "x.gif", "--from", "marker:the wait", "--stop", "0")
    assert len(shown(file)) < len(shown(film(tmp_path, "y.gif", "--stop", "0")))


@given(st.lists(st.tuples(st.integers(0, 47), st.integers(0, 31)), max_size=5))
def test_changes_are_the_tiles_with_a_pixel_that_differs(points):
    before, after = numpy.zeros((2, 32, 48), numpy.uint32)
    for x, y in points:
        after[y, x] ^= 1
    differing = {(y // TILE, x // TILE) for y, x in zip(*numpy.nonzero(after), strict=True)}
    assert set(zip(*map(list, numpy.nonzero(changes(before, after))), strict=True)) == differing


def test_the_same_animation_has_the_same_bytes(tmp_path):
    for kind in ("gif", "webp"):
        assert film(tmp_path, f"a.{kind}").read_bytes() == film(tmp_path, f"b.{kind}").read_bytes()


def test_an_animation_lasts_as_long_as_the_film(tmp_path):
    image = Image.open(film(tmp_path, "x.gif"))
    lasts = []
    for number in range(image.n_frames):
        image.seek(number)
        lasts.append(image.info["duration"])
    assert sum(lasts) == 100 * (8 + 20 + 10)
    assert max(lasts) == 2_000
    assert len(list(groupby(lasts))) >= 3
    webp = Image.open(film(tmp_path, "x.webp"))
    assert (webp.is_animated, webp.n_frames) == (True, 10)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["-o", "x.avi"], "x.avi: expected a film's file that ends in .mp4, .webm, .gif, .webp"),
        (["--to", "99", "-o", "x.gif"], '--to: expected a number from 0 to 16, got "99"'),
        (["--speed", "0", "-o", "x.gif"], '--speed: expected a number from 0.001 to 1000, got "0"'),
        (["--speed", "0.001", "--fps", "60", "--from", "0", "--to", "16", "-o", "x.gif"], "expected at most 20,000"),
        (["--size", "321x180", "-o", "x.mp4"], "--size: expected an even width and height for .mp4, got 321x180"),
        (["-o", "no/x.gif"], "no/x.gif: cannot be written (there is no folder no; create it first)"),
    ],
)
def test_a_mistake_is_told_before_any_work(tmp_path, monkeypatch, capsys, words, sentence):
    monkeypatch.chdir(tmp_path)
    assert main(["film", *SHORT, *words]) == 2
    assert sentence in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("kind", ["mp4", "gif"])
def test_an_interrupted_film_leaves_no_file(tmp_path, kind):
    def segments():
        yield []
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_film(str(tmp_path / f"x.{kind}"), kind, segments(), FilmShape((32, 32), 10, "light"))
    assert not list(tmp_path.iterdir())


def test_the_extra_is_declared():
    assert "films = [" in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def test_a_process_stops_in_the_middle_of_its_segment():
    """It would draw on for seconds, and Ctrl-C waits for it."""
    frames = []
    scenario = scenario_file.load(scenario_file.find("deferred-reply"))
    camera = FilmCamera("gif", scenario, FilmShape((32, 32), 10, "light"), WHOLE)
    camera.is_stopped = lambda: frames.append(0) or len(frames) > 3
    shown = [Shown(time, 1, Still(size=(32, 32))) for time in range(8)]
    with pytest.raises(CancelledError):
        camera.segment((0, shown))
    assert len(frames) == 4


@pytest.mark.slow
@pytest.mark.parametrize("to_all", [True, False], ids=["to all, as a terminal sends it", "to the first process"])
@pytest.mark.parametrize("wait", [0.0, 0.5, 2.0], ids=str)
def test_ctrl_c_says_one_word_and_leaves_no_file_and_no_process(tmp_path, to_all, wait):
    """While its processes start, and while they draw."""
    command = "from visual.command_line import main; raise SystemExit(main())"
    words = ["film", "lost-token", "--size", "640x360", "-o", "x.mp4"]
    program = subprocess.Popen(
        [sys.executable, "-c", command, *words],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
        start_new_session=True,
        text=True,
    )
    children = Path(f"/proc/{program.pid}/task/{program.pid}/children")
    while not children.read_text():  # from here on it draws, or is about to
        time.sleep(0.01)
    time.sleep(wait)
    (os.killpg if to_all else os.kill)(program.pid, signal.SIGINT)
    assert program.communicate(timeout=60)[1] == "mutoscope: stopped\n"
    assert program.returncode == 130
    assert not list(tmp_path.iterdir())
    end = time.monotonic() + 30
    while subprocess.run(["pgrep", "-s", str(program.pid)], capture_output=True).stdout:
        assert time.monotonic() < end
        time.sleep(0.05)
