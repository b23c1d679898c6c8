"""Odd files: huge, deep, unreadable or oddly named ones to read, and devices, pipes and links to write."""

from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path

import pytest

from algorithms import scenario_file
from algorithms.bad_input import BadInput
from algorithms.files import write_whole
from visual.command_line import main

HEAD = 'format = 1\nalgorithm = "bully"\n'
HUGE = "0x" + "f" * 5000
LONG = "a" * 300
NO_CASES = {  # what a file says -> a part of the sentence about it
    "seed": (f"seed = {HUGE}\n", "seed: expected a whole number of at most 63 bits"),
    "list": (f"edges = [[0, {HUGE}]]\n", "edges[0][1]: expected a whole number"),
    "event": (f'[[event]]\nat = {HUGE}\ndo = "heal"\n', "event[0].at: expected a whole number"),
    "beside": (
        f'[beside]\nalgorithm = "bully"\nseed = -{"9" * 4000}\n',
        "beside.seed: expected",
    ),
    "deep list": ("edges = " + "[" * 100 + "]" * 100 + "\n", "nested too deeply"),
    "dotted key": (".".join("a" * 200_000) + " = 1\n", "nested too deeply"),
    "dotted table": ("[" + ".".join("a" * 200_000) + "]\n", "nested too deeply"),
    "inline table": ("x = { " + ".".join("a" * 200_000) + " = 1 }\n", "nested too deeply"),
    "long key": (f"{'k' * 100_000} = 1\n", "unknown key"),
    "long title": (f"title = {'t' * 100_000}\n", "not valid TOML"),
    "large file": ("# " + "x" * scenario_file.MOST_BYTES, "expected at most 5,000,000 bytes"),
    "long graph": (f'topology = {{ file = "{"a" * 300}.txt" }}\n', "there is no file"),
}


@pytest.mark.parametrize("case", NO_CASES)
def test_what_is_too_large_gets_one_short_sentence_at_once(case, tmp_path, capsys):
    text, words = NO_CASES[case]
    file = tmp_path / "odd.toml"
    file.write_text(HEAD + text, "utf-8")
    start = time.process_time()
    assert main(["run", str(file)]) == 2
    said = capsys.readouterr().err
    assert words in said
    assert said.count("\n") == 1
    assert len(said) < 400
    assert time.process_time() - start < 2


@pytest.mark.parametrize("name", [LONG, "./bully", "../x/y.toml", f"{LONG}.toml", "bully\0", "\udcff\udcfe", "."])
@pytest.mark.parametrize("command", ["run", "lesson", "list"])
def test_a_name_that_no_file_can_have_gets_one_short_sentence(command, name, capsys):
    assert main([command, name]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert len(said) < 400


def test_a_pipe_is_not_read_and_a_loop_of_links_is_told(tmp_path):
    os.mkfifo(tmp_path / "pipe.toml")
    (tmp_path / "loop.toml").symlink_to("loop.toml")
    for name in ("pipe.toml", "loop.toml"):
        with pytest.raises(BadInput, match=r"cannot be read|no such file"):
            scenario_file.read(tmp_path / name)


def test_pictures_of_a_file_whose_name_is_not_utf_8(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("\udcff\x01.toml").write_text(HEAD, "utf-8")
    for picture in ("a.svg", "a.png"):
        assert main(["shot", "\udcff\x01.toml", "--at", "1", "-o", picture]) == 0
    from xml.etree import ElementTree

    ElementTree.fromstring(Path("a.svg").read_text("utf-8"))


# ---- writing -----------------------------------------------------------------------------------------------


def test_a_link_leads_to_the_new_file_and_the_mode_stays(tmp_path):
    (tmp_path / "real").write_text("old")
    (tmp_path / "real").chmod(0o640)
    (tmp_path / "link").symlink_to("real")
    write_whole(tmp_path / "link", [b"new"])
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"
    assert (tmp_path / "real").stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "real"]


def test_a_pipe_stays_a_pipe_and_a_device_a_device(tmp_path, capsysbinary):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    received: list[bytes] = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_bytes()))
    reader.start()
    assert main(["trace", "bully", "--until", "1", "-o", str(pipe)]) == 0
    reader.join()
    assert received[0].startswith(b'{"step": 0')
    assert pipe.is_fifo()
    assert main(["trace", "bully", "--until", "1", "-o", os.devnull]) == 0
    assert Path(os.devnull).is_char_device()
    with pytest.raises(OSError, match="not a file"):
        write_whole(pipe, [b""])  # settings and runs are never written to a pipe: it might have no reader


@pytest.mark.parametrize("name", ["loop", "folder", "a" * 300, "nowhere/x", "a\0b"])
def test_what_cannot_be_written_is_told(name, tmp_path, capsys):
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "folder").mkdir()
    assert main(["trace", "bully", "--until", "1", "-o", str(tmp_path / name)]) == 2
    said = capsys.readouterr().err
    assert "cannot be written" in said
    assert said.count("\n") == 1
    assert (tmp_path / "loop").is_symlink()


@pytest.mark.parametrize(("closed", "code"), [("stdout", 2), ("stderr", 0)])
def test_a_closed_stream_causes_no_traceback(closed, code, monkeypatch, capfd):
    monkeypatch.setattr(sys, closed, None)  # as Python does for a descriptor that is closed at its start
    assert main(["run", "bully", "--until", "1"]) == code
    assert capfd.readouterr().err == ("mutoscope: the output cannot be written (Bad file descriptor)\n" if code else "")
