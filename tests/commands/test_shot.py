"""Pictures for slides: the requested instants, reproducible bytes, and no partial files."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from visual.command_line import main

ROOT = Path(__file__).parents[2]
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def shoot(capsys: pytest.CaptureFixture[str], *words: str) -> list[Path]:
    """Run `mutoscope shot`; the files that it reports, which are all that exist."""
    assert main(["shot", *words]) == 0
    files = [Path(line) for line in capsys.readouterr().out.splitlines()]
    assert sorted(path.name for path in Path().iterdir()) == sorted(path.name for path in files)
    return files


def size_of_png(path: Path) -> tuple[int, int]:
    content = path.read_bytes()
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    return int.from_bytes(content[16:20]), int.from_bytes(content[20:24])


def description(path: Path) -> str:
    return ElementTree.parse(path).getroot().find(f"{SVG}desc").text


def texts(path: Path) -> list[str]:
    return [element.text for element in ElementTree.parse(path).getroot().iter(f"{SVG}text")]


# ---- which moments -----------------------------------------------------------------------------------------


def test_a_picture_at_a_time_shows_all_events_up_to_it(capsys):
    (file,) = shoot(capsys, "equal-stamps", "--at", "3", "-o", "both.svg")
    assert "step 10, time 3." in description(file)
    assert "In the critical section: P1." in description(file)


def test_a_marker_names_an_instant(capsys):
    (file,) = shoot(capsys, "deferred-reply", "--at", "marker:the wait", "-o", "wait.svg")
    assert "time 5.6." in description(file)


def test_the_default_is_the_first_marker(capsys):
    (file,) = shoot(capsys, "lost-token", "--format", "svg")
    assert file.name == "lost-token.svg"
    assert "time 20.5." in description(file)


def test_without_markers_the_default_is_the_middle(capsys):
    (file,) = shoot(capsys, "busy-ring", "--format", "svg")
    assert "time 30." in description(file)


def test_a_series_of_steps_is_numbered_from_0(capsys):
    files = shoot(capsys, "equal-stamps", "--steps", "7..9", "--format", "svg")
    assert [file.name for file in files] == ["equal-stamps-0.svg", "equal-stamps-1.svg", "equal-stamps-2.svg"]
    assert [re.search(r"step (\d+)", description(file)).group(1) for file in files] == ["7", "8", "9"]


def test_a_series_of_times_keeps_its_order(capsys):
    files = shoot(capsys, "equal-stamps", "--at", "5, 2,marker:both requests carry clock 1", "-o", "{name}{n}.svg")
    assert [re.search(r"time (\d+)", description(file)).group(1) for file in files] == ["5", "2", "2"]


def test_positions_stay_the_same_in_a_series(capsys):
    first, *others = shoot(capsys, "lost-token", "--at", "3,20.5,40", "--crop", "graph", "-o", "{n}.svg")
    names = [f"P{node}" for node in range(6)]

    def places(file: Path) -> list[tuple[str, ...]]:
        found = ElementTree.parse(file).getroot().iter(f"{SVG}text")
        return [(e.text, e.get("x"), e.get("y")) for e in found if e.text in names]

    assert len(places(first)) == 6
    assert all(places(file) == places(first) for file in others)


# ---- how they look -----------------------------------------------------------------------------------------


def test_twice_the_scale_is_twice_the_pixels(capsys):
    words = ["equal-stamps", "--at", "3", "--size", "640x360"]
    (once,) = shoot(capsys, *words, "-o", "shot.png")
    assert size_of_png(once) == (640, 360)
    (twice,) = shoot(capsys, *words, "-o", "shot.png", "--scale", "2")
    assert size_of_png(twice) == (1280, 720)


def test_a_picture_says_how_to_reopen_it(capsys):
    (file,) = shoot(capsys, "equal-stamps", "--seed", "9", "--hold", "3", "--event", "8 crash node=0", "-o", "shot.svg")
    (line,) = [text for text in texts(file) if "seed 9" in text]
    assert line.startswith("mutoscope play equal-stamps --hold 3 --event '8 crash node=0' --seed 9 --")


def test_unwanted_parts_are_left_out(capsys):
    plain = ["equal-stamps", "--at", "3", "--crop", "graph", "-o", "shot.svg"]
    (file,) = shoot(capsys, *plain)
    whole = texts(file)
    for option, sign in (("--no-legend", "critical section"), ("--no-caption", " receives "), ("--no-origin", "seed")):
        assert any(sign in text for text in whole)
        (file,) = shoot(capsys, *plain, option)
        assert not any(sign in text for text in texts(file))


def test_pictures_of_one_run_fit_into_one_page(capsys):
    files = shoot(capsys, "equal-stamps", "--steps", "3..5", "-o", "{n}.svg")
    ids = [element.get("id") for file in files for element in ElementTree.parse(file).getroot().iter()]
    named = [name for name in ids if name]
    assert named
    assert len(set(named)) == len(named)


def test_bytes_are_reproducible_without_a_display():
    command = [sys.executable, "-c", "import sys; from visual.command_line import main; sys.exit(main())"]
    bare = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    for form in ("svg", "png"):
        first, second = (
            subprocess.run(
                [*command, "shot", "lost-token", "-o", "-", "--format", form],
                cwd=ROOT,
                env={**bare, "PYTHONHASHSEED": seed},
                capture_output=True,
                check=True,
            )
            for seed in ("0", "4711")
        )
        assert first.stdout == second.stdout
        assert first.stdout.startswith(b"<svg" if form == "svg" else b"\x89PNG")


# ---- snippets ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("form", "pattern"),
    [("reveal", r'<img class="fragment" src="b-1.svg" alt="[^"]+">'), ("markdown", r"\]\(<b-1.svg>\)")],
)
def test_snippets_show_every_picture_with_its_words(form, pattern, capsys):
    assert main(["shot", "equal-stamps", "--steps", "1..2", "-o", "b-{n}.svg", "--emit", form]) == 0
    text = capsys.readouterr().out
    assert re.search(pattern, text)
    assert "Ricart–Agrawala, 3 processes, step 2" in text


# ---- what is wrong -----------------------------------------------------------------------------------------

WRONG = [
    (["--at", "soon"], ["--at: ", 'got "soon"']),
    (["--at", "-1"], ["--at: ", "from 0 to"]),
    (["--at", "3,,4"], ["--at: ", 'got ""']),
    (["--at", "inf"], ["--at: ", 'got "inf"']),
    (["--at", "marker:the wiat"], ["--at: ", 'unknown marker "the wiat"', 'did you mean "the wait"?']),
    (["--at", "3", "--steps", "1..2"], ["--steps: ", "got both"]),
    (["--steps", "3"], ["--steps: ", "4..9"]),
    (["--steps", "5..3"], ["--steps: ", 'got "5..3"']),
    (["--steps", "0..99999"], ["--steps: ", "at most 1000 pictures"]),
    (["--steps", "500..501"], ["--steps: ", "the run ends after 31 steps"]),
    (["-o", "picture.jpg"], ["-o: ", ".png, .svg or .pdf", '"picture.jpg"']),
    (["-o", ""], ["-o: ", ".png, .svg or .pdf"]),
    (["-o", "a.png", "--steps", "1..3"], ["-o: ", "{n}", "a series of 3"]),
    (["-o", "-", "--steps", "1..3"], ["-o: ", "expected one picture"]),
    (["-o", "a.png", "--format", "svg"], ["--format: ", "expected png"]),
    (["-o", "no/such/folder/a.svg"], ["no/such/folder/a.svg", "cannot be written"]),
    (["--format", "pgn"], ["--format: ", "did you mean png"]),
    (["--size", "big"], ["--size: ", "WIDTHxHEIGHT", '"big"']),
    (["--size", "10x10"], ["--size: ", "each from 64"]),
    (["--size", "100000x10"], ["--size: ", "100000x10"]),
    (["--scale", "5"], ["--scale: ", "from 1 to 4", '"5"']),
    (["--scale", "1.5"], ["--scale: ", '"1.5"']),
    (["--theme", "drak"], ["--theme: ", "did you mean dark"]),
    (["--background", "red"], ["--background: ", "transparent or a colour such as #F6F6F4", '"red"']),
    (["--background", ""], ["--background: ", "transparent"]),
    (["--background", "#FFF"], ["--background: ", '"#FFF"']),
    (["--background", "F6F6F4"], ["--background: ", '"F6F6F4"']),
    (["--background", "#F6F6F4\n"], ["--background: ", "transparent"]),
    (["--crop", "grahp"], ["--crop: ", "did you mean graph"]),
    (["--pad", "-1"], ["--pad: ", '"-1"']),
    (["--pad", "5000"], ["--pad: ", "from 0 to 180"]),
    (["--emit", "powerpoint"], ["--emit: ", "beamer, reveal, marp, quarto, typst, jupyter, markdown"]),
    (["--emit", "beamer", "-o", "a.svg"], ["--emit: ", "beamer shows no .svg", ".pdf or .png"]),
    (["--emit", "reveal", "-o", "a.pdf"], ["--emit: ", "reveal shows no .pdf"]),
    (["--at", "17"], ["--at: ", "the run ends at 16, before 17"]),
    (["--at", "0..17/1"], ["--at: ", "the run ends at 16"]),
    (["--at", "4..2/1"], ["--at: ", 'such as 0..20/0.5, got "4..2/1"']),
    (["--at", "0..4/0"], ["--at: ", 'such as 0..20/0.5, got "0..4/0"']),
    (["--at", "0..16/0.001"], ["--at: ", "at most 1000 pictures"]),
    (["--at", "marks"], ["--at: ", "markers or end", '"marks"']),
    (["--text", "0.1"], ["--text: ", "from 0.5 to 4", '"0.1"']),
    (["--text", "large"], ["--text: ", '"large"']),
    (["--text", "nan"], ["--text: ", '"nan"']),
    (["--select", "3"], ["--select: ", "a node such as P3", '"3"']),
    (["--select", "P9"], ["--select: ", "there is no P9", "up to P4"]),
    (["--view", "node 3"], ["--view: ", "a node such as P3"]),
    (["--view", "P9"], ["--view: ", "there is no P9", "up to P4"]),
    (["--view", "P1", "--crop", "spacetime"], ["--view: ", "--crop graph"]),
    (["--view", "P1", "--beside", "token-ring"], ["--view: ", "no --beside"]),
    (["--crop", "lights", "--beside", "token-ring"], ["--beside: ", "--crop full, graph or spacetime"]),
    (["--future", "show"], ["--future: ", "hide or dim"]),
    (["--future", "dim", "--crop", "graph"], ["--future: ", "no space-time diagram"]),
    (["--no-cursor", "--crop", "source"], ["--no-cursor: ", "no space-time diagram"]),
    (["--from", "1", "--crop", "graph"], ["--from: ", "no space-time diagram"]),
    (["--from", "5", "--to", "5"], ["--to: ", "a time after 5", "got 5"]),
    (["--to", "99"], ["--to: ", "from 0 to 16"]),
    (["--width", "84"], ["--width: ", "84mm, 8.4cm"]),
    (["--width", "0mm"], ["--width: ", "6mm to 500mm"]),
    (["--font-size", "8pt"], ["--font-size: ", "--width as well"]),
    (["--width", "84mm", "--font-size", "80pt"], ["--font-size: ", "at this width", '"80pt"']),
    (["--width", "84mm", "--font-size", "8pt", "--text", "2"], ["--font-size: ", "got both"]),
]


@pytest.mark.parametrize(("words", "parts"), WRONG, ids=[" ".join(words) for words, _ in WRONG])
def test_wrong_arguments_get_one_sentence_and_no_file(words, parts, capsys):
    assert main(["shot", *words]) == 2
    printed = capsys.readouterr()
    assert (printed.out, printed.err.count("\n")) == ("", 1)
    for part in parts:
        assert part in printed.err
    assert list(Path().iterdir()) == []
