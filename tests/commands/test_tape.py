"""Tapes: each line does what it says at its moment, and a wrong one is named with its file and number."""

from __future__ import annotations

from pathlib import Path

import pytest

from algorithms import catalog, scenario_file
from algorithms.engine.membership import CRASHED
from visual.command_line import main
from visual.commands.film import Tape, read_tape
from visual.scene.still import Still

RING = scenario_file.load(scenario_file.find("idle-ring"))  # a token goes round; P3 asks at 40


def tape(folder: Path, *lines: str) -> Tape:
    file = folder / "t.tape"
    file.write_text("\n".join(lines), encoding="utf-8")
    return read_tape(file, RING, Still(), 1.0, 10)


def test_at_plays_on_at_the_speed_and_wait_keeps_the_picture(tmp_path):
    """At 10 frames per second a frame is 0.125 of a delay; at speed 4 it is half a delay."""
    shown = tape(tmp_path, "at 2", "wait 1.5", "at 2.5", "speed 4", "", "# on", "at 4").shown
    assert [moment.time for moment in shown] == [2, 2, 2.125, 2.25, 2.375, 2.5, 3, 3.5, 4]
    assert [moment.ticks for moment in shown] == [1, 15, 1, 1, 1, 1, 1, 1, 1]


def test_a_marker_is_a_moment(tmp_path):
    assert tape(tmp_path, "at marker:P3 is the first to ask").shown[0].time == 40


def test_select_view_and_note_hold_until_they_are_changed(tmp_path):
    shown = tape(
        tmp_path,
        "select P3",
        "at 1",
        "note Look here",
        "wait 1",
        "view graph",
        "wait 1",
        "note",
        "select none",
        "wait 1",
    ).shown
    looks = [(moment.look.selected, moment.look.crop, moment.look.caption) for moment in shown]
    assert looks == [
        ("node:3", "full", None),
        ("node:3", "full", "Look here"),
        ("node:3", "graph", "Look here"),
        ("", "graph", None),
    ]


def test_an_intervention_happens_at_its_moment_and_not_before(tmp_path):
    made = tape(tmp_path, "at 4", "wait 1", "act crash 3", "wait 1", "act recover node=3 memory=false", "at 5")
    timeline = catalog.timeline(made.scenario)
    states = []
    for moment in made.shown[:3]:
        assert moment.step is not None
        timeline.seek(moment.step)
        states.append(timeline.simulation.down.get(3) == CRASHED)
    assert states == [False, False, True]
    assert [moment.time for moment in made.shown[:3]] == [4, 4, 4]
    timeline.seek_time(5)
    assert timeline.simulation.is_up(3)
    events = [(event.do, event.node, event.by_hand) for event in made.scenario.events]
    assert events == [("crash", 3, True), ("recover", 3, True)]


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (
            ["at 1", "stop"],
            't.tape:2: unknown command "stop"; expected one of at, wait, speed, act, select, view, note',
        ),
        (["at 61"], 't.tape:1: expected a number from 0 to 60, got "61"'),
        (["at 3", "at 3"], 't.tape:2: expected a time after 3, where the tape is, got "3"'),
        (["at marker:foo"], 't.tape:1: unknown marker "foo"; expected "P3 is the first to ask"'),
        (["at 1", "wait"], 't.tape:2: expected a number from 0 to 600, got ""'),
        (["at 1", "act crush 3"], 't.tape:2: unknown event "crush"; did you mean crash?'),
        (["at 1", "act crash"], "t.tape:2: node: expected the number of a node, which crash needs, got nothing"),
        (["at 1", "act crash 6"], "t.tape:2: node: expected a node from 0 to 5, got 6"),
        (["at 1", "act crash 3 4"], 't.tape:2: expected at most 1 value for crash, got "crash 3 4"'),
        (["act crash 3"], "t.tape:1: expected at, and when the film begins, before an intervention"),
        (["at 1", "select 3"], 't.tape:2: expected a node such as P3, or none, got "3"'),
        (["at 1", "view source"], 't.tape:2: unknown view "source"; expected one of both, graph, space-time'),
        (["# nothing"], "t.tape: expected a line with at, and when the film begins"),
    ],
)
def test_a_mistake_names_its_line(tmp_path, capsys, lines, sentence):
    file = tmp_path / "t.tape"
    file.write_text("\n".join(lines), encoding="utf-8")
    assert main(["film", "idle-ring", "--tape", str(file), "-o", str(tmp_path / "x.gif")]) == 2
    assert sentence in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == [file]


def test_a_film_follows_a_tape(tmp_path):
    image = pytest.importorskip("PIL.Image")
    (tmp_path / "t.tape").write_text("at 1\nwait 0.9\nnote Lost!\nact lose-token\nwait 0.5\n")
    target = tmp_path / "x.gif"
    words = ["--tape", str(tmp_path / "t.tape"), "--size", "320x180", "--fps", "10", "-o", str(target)]
    assert main(["film", "idle-ring", *words]) == 0
    frames = image.open(target)
    lasts = []
    for number in range(frames.n_frames):
        frames.seek(number)
        lasts.append(frames.info["duration"])
    assert lasts == [1000, 500]


def test_a_tape_says_when_the_film_begins(tmp_path, capsys):
    (tmp_path / "t.tape").write_text("at 1")
    assert main(["film", "idle-ring", "--tape", str(tmp_path / "t.tape"), "--from", "3"]) == 2
    assert "--tape: it says when the film begins and ends" in capsys.readouterr().err
    assert main(["film", "idle-ring", "--tape", str(tmp_path / "no.tape")]) == 2
    assert "no.tape: cannot be read (No such file or directory)" in capsys.readouterr().err
