"""Still pictures of a run at chosen instants."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from algorithms import catalog
from algorithms.authoring.failures import guard_timeline
from algorithms.bad_input import BadInput
from algorithms.engine.scenario import Scenario
from algorithms.engine.timeline import Timeline
from algorithms.scenario_format.place import Place
from algorithms.scenario_format.schema import LATEST
from visual.analysis.run_cache import RunCache
from visual.commands.execution import MOST_KEPT, seek_time
from visual.commands.picture_options import PANELS, decimal
from visual.drawing.export import Picture
from visual.scene.options import MOST_DRAWN
from visual.scene.space_time.diagram import page
from visual.scene.still import Still, default_time, half, side_by_side, still

if TYPE_CHECKING:
    from visual.window.run_view import RunView

MOST_PICTURES = 1_000  # in one series
MARKER, STEP = "marker:", "step:"
MARKERS, END = "markers", "end"
_RANGE = re.compile(r"(?P<first>[^./]+(?:\.\d+)?)\.\.(?P<last>[^/]+)/(?P<by>.+)")  # "0..20/0.5"


# ---- which instants ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Instant:
    """An instant of a run: after `step` steps if given, otherwise after all steps up to `time`."""

    step: int | None = None
    time: float = 0.0
    option: str = "--at"  # that has named it


def instants_of(at: str | None, steps: str | None, scenario: Scenario) -> list[Instant]:
    """The instants given by --at or --steps, by default the telling one. BadInput if they make no sense."""
    if at is not None and steps is not None:
        raise BadInput("--steps: expected either --at or --steps, got both")
    if at is not None:
        return _instants_at(at, scenario)
    return [telling_instant(scenario)] if steps is None else _instants_of_steps(steps)


def telling_instant(scenario: Scenario) -> Instant:
    """The instant to show by default."""
    return Instant(time=default_time(scenario))


def _instants_at(text: str, scenario: Scenario) -> list[Instant]:
    """ "3,7.5,marker:the wait" -> instants. BadInput for anything but a time or a marker of the scenario."""
    is_marker = text.removeprefix(MARKER) in [marker.name for marker in scenario.markers]  # it may contain a comma
    words = [text] if is_marker else text.split(",")
    instants = [instant for word in words for instant in _instants(word.strip(), scenario)]
    if len(instants) > MOST_PICTURES:
        raise BadInput(f'--at: expected at most {MOST_PICTURES} pictures, got "{text}"')
    return instants


def _instants_of_steps(text: str) -> list[Instant]:
    """ "4..9" -> the instants after 4, 5, … 9 steps. BadInput for anything else."""
    match = re.fullmatch(r"(\d{1,9})\.\.(\d{1,9})", text)
    if not match or int(match[1]) > int(match[2]):
        raise BadInput(f'--steps: expected two numbers of steps such as 4..9, got "{text}"')
    first, last = int(match[1]), int(match[2])
    if last > MOST_KEPT:
        raise BadInput(f'--steps: expected steps up to {MOST_KEPT}, got "{text}"')
    if last - first >= MOST_PICTURES:
        raise BadInput(f'--steps: expected at most {MOST_PICTURES} pictures, got "{text}"')
    return [Instant(step, option="--steps") for step in range(first, last + 1)]


def _instants(word: str, scenario: Scenario) -> list[Instant]:
    """The instant at a time, or those of the markers with a name."""
    if word.startswith(MARKER):
        return [Instant(time=time) for time in _marker_times(Place("--at"), word, scenario)]
    if word.startswith(STEP):
        number = word.removeprefix(STEP)
        if not re.fullmatch(r"\d{1,9}", number) or int(number) > MOST_KEPT:
            raise BadInput(f'--at: expected step: with a number up to {MOST_KEPT}, got "{word}"')
        return [Instant(int(number))]
    if word == MARKERS:
        if not scenario.markers:
            raise BadInput(f"--at: {MARKERS}: this scenario has none")
        return [Instant(time=marker.at) for marker in scenario.markers]
    if word == END:
        return [Instant(time=scenario.until)]
    if match := _RANGE.fullmatch(word):
        first, last, by = (_time(part, scenario) for part in match.groups())
        return [Instant(time=time) for time in _range(first, last, by, word)]
    return [Instant(time=_time(word, scenario))]


def _marker_times(place: Place, word: str, scenario: Scenario) -> list[float]:
    """The times of the markers with a name. BadInput if there is none."""
    name = word.removeprefix(MARKER)
    times = [marker.at for marker in scenario.markers if marker.name == name]
    if not times:
        raise place.unknown("marker", name, dict.fromkeys(marker.name for marker in scenario.markers))
    return times


def time_of(place: Place, word: str, scenario: Scenario) -> float:
    """The time that stands at a place: a number, or that of the first marker with a name. BadInput otherwise."""
    if word.startswith(MARKER):
        return _marker_times(place, word, scenario)[0]
    return decimal(place, word, 0.0, scenario.until)


def span_of(arguments: argparse.Namespace, scenario: Scenario) -> tuple[float, float]:
    """The times from --from to --to, by default of the whole run. BadInput unless one is after the other."""
    start = 0.0 if arguments.start is None else time_of(Place("--from"), arguments.start, scenario)
    end = scenario.until if arguments.end is None else time_of(Place("--to"), arguments.end, scenario)
    if not start < end:
        raise BadInput(f"--to: expected a time after {start:g}, where it begins, got {end:g}")
    return start, end


def _range(first: float, last: float, by: float, word: str) -> list[float]:
    """The times from the first to the last at equal distances. BadInput if there are too many, or none."""
    if not (first <= last and by > 0):
        raise BadInput(f'--at: expected FIRST..LAST/DISTANCE such as 0..20/0.5, got "{word}"')
    if (last - first) / by >= MOST_PICTURES:
        raise BadInput(f'--at: expected at most {MOST_PICTURES} pictures, got "{word}"')
    return [round(first + k * by, 9) for k in range(int((last - first) / by + 1e-9) + 1)]


def _time(word: str, scenario: Scenario) -> float:
    try:
        time = float(word)
    except ValueError:
        time = -1.0
    if not 0 <= time <= LATEST:
        expected = f"a time from 0 to {LATEST:g}, FIRST..LAST/DISTANCE, step:NUMBER, marker:NAME, {MARKERS} or {END}"
        raise BadInput(f'--at: expected {expected}, got "{word}"')
    if time > scenario.until:
        raise BadInput(f"--at: the run ends at {scenario.until:g}, before {time:g} (--until lets it go on)")
    return time


# ---- their pictures ----------------------------------------------------------------------------------------


class PictureOf(NamedTuple):
    """What pictures are of: a panel by its name, what a node knows, or else what the look says."""

    panel: str = ""
    node: int | None = None


WHOLE = PictureOf()


def subject_of(arguments: argparse.Namespace) -> PictureOf:
    """What --crop and --view ask for. BadInput if these are two things."""
    if arguments.view is None:
        return PictureOf(arguments.crop) if arguments.crop in PANELS else WHOLE
    match = re.fullmatch(r"P(\d{1,9})", arguments.view)
    if not match:
        raise Place("--view").expected("a node such as P3", arguments.view)
    if arguments.crop not in ("full", "graph"):
        raise BadInput("--view: what one node knows is a graph; expected --crop graph")
    return PictureOf(node=int(match[1]))


class RunPictures:
    """The pictures of one run. BadInput if it is too large to be drawn."""

    def __init__(self, scenario: Scenario, subject: PictureOf = WHOLE) -> None:
        check_drawable(scenario)
        self._subject = subject
        self._view: RunView | None = None
        if subject != WHOLE:
            from visual.window.run_view import RunView  # the panels take a moment to load

            self._view = RunView(scenario)
        self.timeline = self._view.timeline if self._view else catalog.timeline(scenario)
        self._cache = self._view.cache if self._view else RunCache(self.timeline.simulation)

    def at(self, instant: Instant, look: Still) -> Picture:
        """The picture of an instant. BadInput if the run does not get there, or the author's code fails."""
        timeline = self.timeline
        check_selected(look, timeline.scenario)
        go_to(timeline, instant)
        time = instant.time if instant.step is None else max(instant.time, timeline.simulation.now)
        if look.ahead:
            self._look_ahead(instant, time, look)
        with redirect_stdout(sys.stderr), guard_timeline(timeline):  # the author's methods are called, and may print
            picture = self._drawn(time, look)
        if timeline.simulation.query_error:
            raise timeline.simulation.query_error
        return picture

    def _drawn(self, time: float, look: Still) -> Picture:
        panel, node = self._subject
        if self._view is None:
            return still(self.timeline, time, look, self._cache)
        from visual.commands.panel_pictures import local_picture, panel_picture  # the panels take a moment to load

        if node is not None:
            return local_picture(self._view, time, look, node)
        return panel_picture(self._view, time, look, panel)

    def _look_ahead(self, instant: Instant, time: float, look: Still) -> None:
        """Execute the steps that the diagram has room for, and come back."""
        step, until = self.timeline.step, self.timeline.scenario.until
        end = look.span[1] if look.span else page(self.timeline.simulation, time).end
        go_to(self.timeline, Instant(time=max(time, min(end, until))))
        go_to(self.timeline, Instant(step, option=instant.option))


def pictures(
    scenario: Scenario, instants: list[Instant], look: Still, name: str, subject: PictureOf = WHOLE
) -> Iterator[Picture]:
    """The picture of each instant, in turn. BadInput if the run ends before one of the steps."""
    run = RunPictures(scenario, subject)
    for instant in instants:
        picture = run.at(instant, look)
        yield replace(picture, name=f"{name}-{run.timeline.step}")


def pictures_beside(
    scenario: Scenario, other: Scenario, instants: list[Instant], look: Still, name: str
) -> Iterator[Picture]:
    """Pictures of two runs side by side, one for each instant. BadInput for an instant that is a step."""
    if any(instant.step is not None for instant in instants):
        raise BadInput("--beside: expected --at with times, since two runs have no steps in common, got --steps")
    lefts = pictures(scenario, instants, half(look, scenario, other), name)
    rights = pictures(other, instants, replace(half(look, scenario, other), origin=""), name)
    for left, right in zip(lefts, rights, strict=True):
        yield side_by_side(left, right)


def check_selected(look: Still, scenario: Scenario) -> None:
    """BadInput if the selected node does not exist."""
    kind, _, number = look.selected.partition(":")
    if kind == "node" and int(number) >= scenario.nodes:
        raise BadInput(f"--select: there is no P{number}; expected a node up to P{scenario.nodes - 1}")


def check_drawable(scenario: Scenario) -> None:
    """BadInput if the scenario has too many nodes for a picture."""
    if scenario.nodes > MOST_DRAWN:
        raise BadInput(f"expected at most {MOST_DRAWN:,} nodes in a picture, got {scenario.nodes:,}")


def go_to(timeline: Timeline, instant: Instant) -> None:
    """Move the timeline to an instant, under a progress bar. BadInput if the run cannot get there."""
    if instant.step is not None:
        with guard_timeline(timeline):
            timeline.seek(instant.step)
        if timeline.step < instant.step:
            raise BadInput(f"{instant.option}: the run ends after {timeline.step} steps, before step {instant.step}")
        return
    seek_time(timeline, instant.time)
