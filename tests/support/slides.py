"""Pictures of scenarios as `mutoscope shot` makes them."""

from __future__ import annotations

from functools import cache, lru_cache

from algorithms import scenario_file
from algorithms.engine.scenario import Scenario
from visual.commands.picture_options import PANELS
from visual.commands.pictures import Instant, PictureOf, RunPictures
from visual.drawing.export import Picture
from visual.scene.still import Still, default_time


@cache
def scenario(name: str) -> Scenario:
    return scenario_file.load(scenario_file.find(name))


def picture(name: str, crop: str, time: float | None = None, node: int | None = None, **look: object) -> Picture:
    """The picture of a scenario at its first marker; a crop may be a panel."""
    is_panel = crop in PANELS
    chosen = {"crop": "full" if is_panel else crop, "legend": not is_panel, "reopen": False, **look}
    subject = PictureOf(crop if is_panel else "", node)
    moment = default_time(scenario(name)) if time is None else time
    return _run(name, subject).at(Instant(time=moment), Still(**chosen))  # type: ignore[arg-type]


@lru_cache(maxsize=8)  # pictures of one run are drawn one after the other
def _run(name: str, subject: PictureOf) -> RunPictures:
    return RunPictures(scenario(name), subject)
