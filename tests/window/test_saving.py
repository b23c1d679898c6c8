"""Saved pictures overwrite nothing, and the command on them shows the moment again."""

from __future__ import annotations

import re
import shlex
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from algorithms import scenario_file
from tests.support.desks import desk_of
from tests.support.interfaces import changed
from tests.support.shapes import flat, texts
from visual import command_line
from visual.drawing.shapes import Mark
from visual.window import app
from visual.window.desk import Desk
from visual.window.memory.saving import copy_picture, save_picture, save_run
from visual.window.run_view import RunView
from visual.window.screen import Screen
from visual.window.state import DiagramView, GraphView, Interface


def desk_with(name: str) -> Desk:
    return desk_of(scenario_file.load(scenario_file.find(name)))


def at(desk: Desk, time: float, folder: Path, **more: object) -> Interface:
    desk.seek_time(time)
    return changed(Interface(), time=time, folder=str(folder), **more)


def names_in(folder: Path) -> set[str]:
    return {file.name for file in folder.iterdir()}


def command_on(picture: Path) -> list[str]:
    """The words of the command printed on a picture, or in its description."""
    text = picture.read_text("utf-8").replace("&apos;", "'").replace("&#x27;", "'").replace("\N{NO-BREAK SPACE}", " ")
    return shlex.split(re.findall(r"mutoscope (play [^<\"]*)", text)[-1])


@pytest.fixture
def reopened(monkeypatch):
    """Runs a command and returns the desk and the interface that the window opens with."""

    def reopen(words: list[str]) -> tuple[Desk, Interface]:
        shown = []

        def keep(scenario, path=None, *, gallery=False, beside=None, step=None, time=0.0, how=None):
            desk = Desk(RunView(scenario, path))
            if beside is not None:
                desk.join(RunView(beside.scenario))
            shown.append((desk, app.opened_at(Interface(), desk, step, time)))
            return 0

        monkeypatch.setattr(app, "open_window", keep)
        assert command_line.main(words) == 0
        return shown[-1]

    return reopen


def test_names_say_scenario_moment_and_view_and_overwrite_nothing(tmp_path):
    for name in ("deferred-reply", "equal-stamps", "deferred-reply"):
        desk = desk_with(name)
        save_picture(at(desk, 5.6, tmp_path, view="graph"), desk)
    stems = ("deferred-reply-t5.6-graph", "equal-stamps-t5.6-graph", "deferred-reply-t5.6-graph-2")
    assert names_in(tmp_path) == {f"{stem}.{ending}" for stem in stems for ending in ("png", "svg")}
    for name in ("deferred-reply", "deferred-reply"):
        save_run(at(desk_with(name), 5.6, tmp_path / "runs"), desk_with(name))
    assert len(names_in(tmp_path / "runs")) == 2


@pytest.mark.parametrize("presenting", [False, True])
@pytest.mark.parametrize("what", ["as it is", "seed", "done by hand", "compared"])
def test_the_command_on_a_picture_shows_the_same_picture(what, presenting, tmp_path, reopened):
    desk = desk_with("deferred-reply")
    if what == "seed":
        desk.front.restart(seed=4)
    if what == "compared":
        desk.join(RunView(scenario_file.load(scenario_file.find("equal-stamps"))))
    interface = at(desk, 5.6, tmp_path, presenting=presenting)
    if what == "done by hand":
        desk.front.act("crash", 5.6, node=4)
    save_picture(interface, desk)
    (first,) = tmp_path.glob("*.svg")
    again, opened = reopened(command_on(first))
    save_picture(at(again, opened.playback.time, tmp_path / "again", presenting=presenting), again)
    (second,) = (tmp_path / "again").glob("*.svg")
    assert without_names(first) == without_names(second)


def without_names(picture: Path) -> str:
    """A picture's text without the names of files, which begin the ids in it."""
    return re.sub(r"(/[-\w./]*)?(deferred-reply|ricart-agrawala)[-\w.]*", "", picture.read_text("utf-8"))


def test_steps_at_one_moment_are_told_apart(tmp_path, reopened):
    desk = desk_with("endless-election")
    step = next(k for k in range(1, 60) if desk.seek_step(k) or desk.front.next_time == desk.now > 0)
    save_picture(changed(Interface(), time=desk.now, folder=str(tmp_path)), desk)
    again, _ = reopened(command_on(next(tmp_path.glob("*.svg"))))
    assert again.front.timeline.step == step


# ---- as it is on the screen --------------------------------------------------------------------------------


def circles_of(picture: Path, name: str) -> tuple[float, float]:
    """The place of a node's group in a saved picture, as shares of width and height."""
    root = ElementTree.parse(picture).getroot()
    width, height = (float(side) for side in root.get("viewBox").split()[2:])
    (group,) = [group for group in root.iter() if (group.get("id") or "").endswith(name)]
    x, y = re.findall(r"[\d.]+", group.get("transform"))
    return float(x) / width, float(y) / height


def test_moved_nodes_are_where_they_are_on_the_screen(tmp_path):
    desk = desk_with("deferred-reply")
    for number, place in enumerate([(0.2, 0.3), (0.7, 0.6)]):
        interface = at(desk, 5.6, tmp_path / str(number), view="graph", chrome_hidden=True)
        interface = replace(interface, graph=GraphView(positions=((0, place),)))
        shown = Screen(desk).middle_of(interface, 0)
        save_picture(interface, desk)
        (saved,) = (tmp_path / str(number)).glob("*.svg")
        display = interface.display
        assert circles_of(saved, "-node-0") == pytest.approx(
            (shown[0] / display.width, shown[1] / display.height), abs=0.02
        )


def test_the_diagram_is_as_it_is_on_the_screen(tmp_path):
    desk = desk_with("deferred-reply")
    interface = at(desk, 5.6, tmp_path, view="space-time")
    save_picture(replace(interface, diagram=DiagramView(logical=True)), desk)
    (saved,) = tmp_path.glob("*.svg")
    assert "causal depth" in saved.read_text("utf-8")


@pytest.mark.parametrize("view", ["both", "graph", "space-time"])
def test_while_presenting_the_picture_is_the_screen(view, tmp_path):
    desk = desk_with("deferred-reply")
    interface = at(desk, 5.6, tmp_path, view=view, presenting=True)
    save_picture(interface, desk)
    (saved,) = tmp_path.glob("*.svg")
    shapes = list(flat(Screen(desk).shapes(interface)))
    on_screen = {*texts(shapes), *(shape.label for shape in shapes if isinstance(shape, Mark))} - {""}
    written = {e.text for e in ElementTree.parse(saved).getroot().iter("{http://www.w3.org/2000/svg}text")}
    assert on_screen == written


# ---- the clipboard -----------------------------------------------------------------------------------------


def fake(folder: Path, name: str, script: str) -> None:
    program = folder / name
    program.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
    program.chmod(0o755)


@pytest.mark.parametrize(("name", "variable"), [("xclip", "DISPLAY"), ("wl-copy", "WAYLAND_DISPLAY")])
def test_a_copied_picture_is_that_which_would_be_saved(name, variable, tmp_path, monkeypatch):
    desk = desk_with("deferred-reply")
    interface = at(desk, 5.6, tmp_path, view="graph")
    save_picture(interface, desk)
    fake(tmp_path, name, f'echo "$@" > {tmp_path}/words\ncat > {tmp_path}/copied')
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setenv(variable, "it")
    assert copy_picture(interface, desk).notice.words == "Picture copied."
    (saved,) = tmp_path.glob("*.png")
    assert (tmp_path / "copied").read_bytes() == saved.read_bytes()
    assert "image/png" in (tmp_path / "words").read_text()


def test_a_picture_that_cannot_be_copied_says_why(tmp_path, monkeypatch):
    desk = desk_with("deferred-reply")
    interface = at(desk, 5.6, tmp_path)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert copy_picture(interface, desk).notice.words == (
        "The picture could not be copied: install xclip to copy pictures."
    )
    fake(tmp_path, "xclip", "exit 1")
    assert copy_picture(interface, desk).notice.words == "The picture could not be copied: xclip could not copy it."
