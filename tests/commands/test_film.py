"""Films: every moment in order, a stop at each marker, the same frames each time, and no half file."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

import pytest

from tests.support.sources import ROOT
from visual.command_line import main
from visual.drawing.film import FilmFrame, write_film

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


def test_the_same_film_twice(tmp_path):
    assert film(tmp_path, "a.gif").read_bytes() == film(tmp_path, "b.gif").read_bytes()
    assert decoded(film(tmp_path, "a.mp4")) == decoded(film(tmp_path, "b.mp4"))


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
        (["--to", "99", "-o", "x.gif"], "--to: expected a time after 5, at most 16, where the scenario ends, got 99"),
        (["--speed", "0", "-o", "x.gif"], '--speed: expected a number of at least 0.001, got "0"'),
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
    def frames():
        yield FilmFrame(bytes(32 * 32 * 3))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_film(str(tmp_path / f"x.{kind}"), kind, frames(), (32, 32), 10)
    assert not list(tmp_path.iterdir())


def test_the_extra_is_declared():
    assert "films = [" in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
