"""Saving the picture and the run to files in the working directory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from algorithms import scenario_file
from visual.drawing.export import Picture, save
from visual.drawing.theme import load
from visual.narration.local_knowledge import local_knowledge
from visual.scene.still import Still, half, side_by_side, still
from visual.window.compare.actions import pair_of
from visual.window.desk import Desk
from visual.window.gallery.cards import with_recent
from visual.window.run_view import RunView
from visual.window.screen import LOCAL_PANELS, Screen
from visual.window.state import Interface
from visual.words import node_name

SIZE = (1920, 1080)  # of a saved picture


def save_picture(interface: Interface, desk: Desk) -> Interface:
    """Save the picture of the present moment as PNG and SVG."""
    name = f"{_stem(desk.front)}-{desk.front.timeline.step}"
    picture = _picture(interface, desk)
    try:
        for ending in ("svg", "png"):
            save(picture, f"{name}.{ending}")
    except OSError as error:
        return interface.say(f"The picture could not be saved: {error.strerror}.")
    return interface.say(f"Saved as {name}.png and {name}.svg in {Path.cwd()}")


def _picture(interface: Interface, desk: Desk) -> Picture:
    """The present picture; of two runs both."""
    look = Still(SIZE, interface.display.theme, selected=interface.selected_id)
    if interface.local_node is not None:
        return _of_one_node(interface, desk, interface.local_node)
    if not desk.is_pair:
        return still(desk.front.timeline, interface.playback.time, look, desk.front.cache)
    look = half(look, *(run.scenario for run in desk.runs))
    left, right = (still(run.timeline, interface.playback.time, look, run.cache) for run in desk.runs)
    return side_by_side(left, right)


def _of_one_node(interface: Interface, desk: Desk, node: int) -> Picture:
    """The local view of a node, graph only; of two runs both."""
    width, height = SIZE
    alone = interface.with_display(width=width, height=height, scale=1.0, presenting=False, chrome_hidden=True)
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
    path = _free_name(f"{_stem(desk.front)}-run")
    scenario, beside = pair_of(desk)
    try:
        scenario_file.save(scenario, path, beside)
    except OSError as error:
        return interface.say(f"The run could not be saved: {error.strerror}.")
    interface = replace(interface, recent=with_recent(interface.recent, path))
    for run in desk.runs:
        run.saved_interventions = run.timeline.branch.interventions
    what = "both runs" if beside else "this run"
    return interface.say(f"Saved {what} as {path.resolve()}; reopen with: mutoscope play {path.name}")


SAVERS: dict[str, Callable[[Interface, Desk], Interface]] = {"picture": save_picture, "run": save_run}


def _stem(run: RunView) -> str:
    return run.path.stem if run.path else run.scenario.algorithm


def _free_name(stem: str) -> Path:
    """The first free file name, so that no run overwrites another."""
    number = 1
    while (path := Path(f"{stem}-{number}.toml")).exists():
        number += 1
    return path
