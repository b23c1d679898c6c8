"""Saving the picture and the run to files of free names, in the folder of the settings; copying the picture.

A picture's origin is a command that shows the moment again. If the run is not that of a scenario's file, because
something was changed or done by hand, the run is saved beside the picture.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from algorithms import scenario_file
from algorithms.authoring import own_file
from algorithms.bad_input import BadInput
from algorithms.engine.scenario import Scenario
from algorithms.files import free_path
from algorithms.machine import IN_PAGE
from visual.drawing.export import Picture, encode, save
from visual.drawing.theme import load
from visual.narration.local_knowledge import local_knowledge
from visual.scene.still import CROP_OF_VIEW, Still, half, reopening, side_by_side, still
from visual.window.compare import pair_of
from visual.window.desk import Desk
from visual.window.gallery.cards import with_recent
from visual.window.run_view import RunView
from visual.window.screen import LOCAL_PANELS, Screen
from visual.window.state import Camera, DiagramView, GraphView, Interface
from visual.words import node_name

SIZE = (1920, 1080)  # of a saved picture


def save_picture(interface: Interface, desk: Desk) -> Interface:
    """Save the picture of the present moment as PNG and SVG."""
    source, folder = _source_of(desk), _folder(interface)
    name = Path(source).stem if source else _stem(desk.front)
    view = interface.display.view if interface.local_node is None else node_name(interface.local_node)
    stem = f"{name}-t{round(interface.playback.time, 3):g}-{view}{'-compared' * desk.is_pair}"
    endings = ("svg",) if IN_PAGE else ("png", "svg")  # pygame paints PNG, and a page does without it
    stem = Path(free_path(folder / f"{stem}.{endings[0]}")).stem
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if source is None:
            source = str(free_path(folder / f"{stem}.toml"))
            scenario, beside = pair_of(desk)
            scenario_file.save(scenario, source, beside)
        title = desk.front.scenario.title or desk.front.name
        origin = shlex.quote(Path(source).name if IN_PAGE else source)  # a page's folder is nobody's
        picture = replace(_picture(interface, desk, origin), name=title)
        for ending in endings:
            save(picture, str(folder / f"{stem}.{ending}"))
    except OSError as error:
        return interface.say(f"The picture could not be saved: {error.strerror}.")
    names = " and ".join(f"{stem}.{ending}" for ending in endings)
    return interface.say(f"Saved as {names} in {'your downloads' if IN_PAGE else folder}")


def copy_picture(interface: Interface, desk: Desk) -> Interface:
    """Copy the picture of the present moment, as `save_picture` would save it, to the clipboard."""
    if IN_PAGE:
        return interface.say("A web page cannot copy pictures, only save them (Ctrl+S).")
    source = _source_of(desk)
    picture = _picture(interface, desk, shlex.quote(source) if source else "")
    reason = copy_image(encode(picture, "png"))
    return interface.say(f"The picture could not be copied: {reason}." if reason else "Picture copied.")


def _folder(interface: Interface) -> Path:
    """The folder of the settings, by default the one that the program was started in."""
    return Path(interface.folder).expanduser() if interface.folder else Path.cwd()


def _source_of(desk: Desk) -> str | None:
    """The name or file of the scenario that the only run is one of, but for its seed; None if there is none."""
    run, scenario = desk.front, scenario_file.saved_run(desk.front.timeline)
    if desk.is_pair:
        return None
    if run.path is not None and _is_of(run.path, scenario):
        return str(run.path)
    return next((name for name in scenario_file.names() if _is_of(scenario_file.find(name), scenario)), None)


def _is_of(file: Path, scenario: Scenario) -> bool:
    """Whether a file holds that scenario, perhaps with another seed."""
    try:
        name = str(scenario_file.read(file).get("algorithm"))
        is_alike = own_file.is_file(name) or name == scenario.algorithm
        return is_alike and replace(scenario_file.load(file), seed=scenario.seed) == scenario
    except (BadInput, OSError):
        return False


def _picture(interface: Interface, desk: Desk, origin: str) -> Picture:
    """The present picture; of two runs both. While presenting, it is what is on the screen.

    So it is if somebody has moved nodes, the graph or the diagram, then without the panels around.
    """
    crop = CROP_OF_VIEW[interface.display.view]
    look = Still(SIZE, interface.display.theme, crop, selected=interface.selected_id, origin=origin)
    if interface.display.presenting:
        return _of_screen(interface, desk, origin)
    if interface.local_node is not None:
        return _of_one_node(interface, desk, interface.local_node)
    if interface.graph != GraphView() or interface.diagram != DiagramView():
        return _of_screen(_without_panels(interface), desk, origin)
    if not desk.is_pair:
        return still(desk.front.timeline, interface.playback.time, look, desk.front.cache)
    look = half(look, *(run.scenario for run in desk.runs))
    looks = (look, replace(look, origin=""))  # one command shows both
    left, right = (
        still(run.timeline, interface.playback.time, side, run.cache)
        for run, side in zip(desk.runs, looks, strict=True)
    )
    return side_by_side(left, right)


def _without_panels(interface: Interface) -> Interface:
    """The interface with nothing but graph and diagram, at the size of a saved picture."""
    width, height = SIZE
    zoom, x, y = interface.graph.camera
    camera = Camera(zoom, x * width / interface.display.width, y * height / interface.display.height)
    alone = interface.with_display(width=width, height=height, scale=1.0, chrome_hidden=True)
    return replace(alone, graph=interface.graph._replace(camera=camera))


def _of_screen(interface: Interface, desk: Desk, origin: str) -> Picture:
    """What is on the screen, without notices, menus and hints."""
    shown = replace(interface, notice=None, overlays=()).with_pointer(hover="")
    look, run = load(interface.display.theme), desk.front
    return Picture(
        shapes=tuple(Screen(desk).shapes(shown)),
        size=(interface.display.width, interface.display.height),
        theme=look,
        name=origin,
        title=f"{run.scenario.title or run.name}, step {run.timeline.step}",
        description=f"{desk.sentence} {reopening(origin, run.simulation, interface.playback.time)}",
        background=look.paper,
    )


def _of_one_node(interface: Interface, desk: Desk, node: int) -> Picture:
    """The local view of a node, graph only; of two runs both."""
    alone = _without_panels(interface)
    look, screen, front = load(interface.display.theme), Screen(desk), desk.front
    return Picture(
        shapes=tuple(shape for cached in screen.panels(alone, LOCAL_PANELS) for shape in cached.panel.shapes),
        size=SIZE,
        theme=look,
        name=front.scenario.title or front.name,
        title=f"Only what {node_name(node)} knows",
        description=local_knowledge(front.ledger, node).sentence,
        background=look.paper,
    )


def save_run(interface: Interface, desk: Desk) -> Interface:
    """Save the scenario with all interventions, so that it opens as the same run or pair."""
    folder, name = _folder(interface), f"{_stem(desk.front)}-t{round(desk.now, 3):g}-run.toml"
    path = free_path(folder / name)
    scenario, beside = pair_of(desk)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        scenario_file.save(scenario, path, beside)
    except OSError as error:
        return interface.say(f"The run could not be saved: {error.strerror}.")
    interface = replace(interface, recent=with_recent(interface.recent, path))
    for run in desk.runs:
        run.saved_interventions = run.timeline.branch.interventions
    what = "both runs" if beside else "this run"
    how = f"{path.resolve()}; reopen with: mutoscope play {shlex.quote(path.name)}"
    return interface.say(f"Saved {what} as {f'{path.name} in your downloads' if IN_PAGE else how}")


SAVERS: dict[str, Callable[[Interface, Desk], Interface]] = {
    "picture": save_picture,
    "copy": copy_picture,
    "run": save_run,
}


def _stem(run: RunView) -> str:
    return run.path.stem if run.path else Path(run.scenario.algorithm).stem


PATIENCE = 10.0  # seconds

_WAYLAND = ("wl-copy", "--type", "image/png")
_X11 = ("xclip", "-selection", "clipboard", "-t", "image/png")
_MAC = 'set the clipboard to (read (POSIX file "{file}") as «class PNGf»)'
_WINDOWS = (
    "Add-Type -AssemblyName System.Windows.Forms, System.Drawing; "
    "[System.Windows.Forms.Clipboard]::SetImage([System.Drawing.Image]::FromFile('{file}'))"
)


def copy_image(png: bytes) -> str:
    """Put a PNG on the clipboard, by the program that each system has for it; the reason why that failed, or "".

    The window's own library can copy text only.
    """
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "picture.png"
        file.write_bytes(png)
        command = _command(file)
        if command is None:
            return f"install {'wl-clipboard' if 'WAYLAND_DISPLAY' in os.environ else 'xclip'} to copy pictures"
        with file.open("rb") as stream:
            return _run(command, stream.fileno())


def _command(file: Path) -> tuple[str, ...] | None:
    """The command that copies a file, or its standard input; None if its program is not installed."""
    if sys.platform == "darwin":
        return "osascript", "-e", _MAC.format(file=file)
    if sys.platform == "win32":
        return "powershell", "-NoProfile", "-STA", "-Command", _WINDOWS.format(file=file)
    command = _WAYLAND if "WAYLAND_DISPLAY" in os.environ else _X11
    return command if shutil.which(command[0]) else None


def _run(command: tuple[str, ...], picture: int) -> str:
    quiet = subprocess.DEVNULL  # the program lives on to hand the picture out, and would hold a pipe open
    try:
        subprocess.run(command, stdin=picture, stdout=quiet, stderr=quiet, timeout=PATIENCE, check=True)
    except subprocess.TimeoutExpired:
        return f"{command[0]} does not answer"
    except subprocess.CalledProcessError:
        return f"{command[0]} could not copy it"
    except OSError as error:
        return f"{command[0]}: {error.strerror}"
    return ""
