"""Still pictures of a run: which moments, and the pictures of them."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import Literal, NamedTuple, TypeVar, cast

from algorithms import catalog
from algorithms.authoring.failures import StallDetector, guard_timeline
from algorithms.bad_input import BadInput
from algorithms.engine.scenario import Scenario
from algorithms.engine.timeline import Timeline
from algorithms.scenario_format.place import Place, nearest
from algorithms.scenario_format.schema import LATEST
from visual.analysis.run_cache import RunCache
from visual.commands.progress import CHUNK, MOST_KEPT, Progress, check_length
from visual.commands.scenario_options import origin_of
from visual.drawing.export import Picture
from visual.drawing.theme import NAMES
from visual.scene.still import CROPS, Still, half, side_by_side, still, telling_time

MOST = 1_000  # pictures of one series
MARKER = "marker:"


@dataclass(frozen=True)
class Moment:
    """A moment of a run: after `step` steps, or at `time`, when all steps at or before it have been made."""

    step: int | None = None
    time: float = 0.0


def moments_of(at: str | None, steps: str | None, scenario: Scenario) -> list[Moment]:
    """The moments that --at or --steps name; without them the telling one. BadInput if they make no sense."""
    if at is not None and steps is not None:
        raise BadInput("--steps: expected either --at or --steps, got both")
    if at is not None:
        return _moments_at(at, scenario)
    return [telling_moment(scenario)] if steps is None else _moments_of_steps(steps)


def telling_moment(scenario: Scenario) -> Moment:
    """The moment to show if nobody says which."""
    return Moment(time=telling_time(scenario))


def _moments_at(text: str, scenario: Scenario) -> list[Moment]:
    """ "3,7.5,marker:the wait" -> moments. BadInput for what is neither a time nor a marker of the scenario."""
    whole = text.removeprefix(MARKER) in [marker.name for marker in scenario.markers]  # it may contain a comma
    words = [text] if whole else text.split(",")
    return [moment for word in words for moment in _moments(word.strip(), scenario)]


def _moments_of_steps(text: str) -> list[Moment]:
    """ "4..9" -> the moments after 4, 5, … 9 steps. BadInput for anything else."""
    match = re.fullmatch(r"(\d{1,9})\.\.(\d{1,9})", text)
    if not match or int(match[1]) > int(match[2]):
        raise BadInput(f'--steps: expected two numbers of steps such as 4..9, got "{text}"')
    first, last = int(match[1]), int(match[2])
    if last > MOST_KEPT:
        raise BadInput(f'--steps: expected steps up to {MOST_KEPT}, got "{text}"')
    if last - first >= MOST:
        raise BadInput(f'--steps: expected at most {MOST} pictures, got "{text}"')
    return [Moment(step) for step in range(first, last + 1)]


def _moments(word: str, scenario: Scenario) -> list[Moment]:
    if word.startswith(MARKER):
        name = word.removeprefix(MARKER)
        times = [marker.at for marker in scenario.markers if marker.name == name]
        if not times:
            known = nearest(name, dict.fromkeys(marker.name for marker in scenario.markers))
            raise BadInput(f'--at: unknown marker "{name}"; {known}')
        return [Moment(time=time) for time in times]
    try:
        time = float(word)
    except ValueError:
        time = -1.0
    if not 0 <= time <= LATEST:
        raise BadInput(f'--at: expected a time of at least 0, at most {LATEST:g}, or marker:NAME, got "{word}"')
    return [Moment(time=time)]


def pictures(scenario: Scenario, moments: list[Moment], look: Still, name: str) -> Iterator[Picture]:
    """The picture of each moment, one after the other. BadInput if the run ends before one of the steps."""
    timeline = catalog.timeline(scenario)
    cache = RunCache(timeline.simulation)
    for moment in moments:
        go_to(timeline, moment)
        with redirect_stdout(sys.stderr):  # an algorithm that is asked something may print
            picture = still(timeline, moment.time if moment.step is None else None, look, cache)
        if timeline.simulation.unanswered:
            raise timeline.simulation.unanswered
        yield replace(picture, name=f"{name}-{timeline.step}")


def pictures_beside(
    scenario: Scenario, other: Scenario, moments: list[Moment], look: Still, name: str
) -> Iterator[Picture]:
    """The pictures of two runs side by side, at each of the moments. BadInput for moments that only one run has."""
    if any(moment.step is not None for moment in moments):
        raise BadInput("--beside: expected --at with times, since two runs have no steps in common, got --steps")
    lefts = pictures(scenario, moments, half(look, scenario, other), name)
    rights = pictures(other, moments, replace(half(look, scenario, other), origin=""), name)
    for left, right in zip(lefts, rights, strict=True):
        yield side_by_side(left, right)


def go_to(timeline: Timeline, moment: Moment) -> None:
    """Show the moment, with a bar on a terminal where that takes a while. BadInput if the run cannot get there."""
    run = timeline.simulation
    if moment.step is not None:
        with guard_timeline(timeline):
            timeline.seek(moment.step)
        if timeline.step < moment.step:
            raise BadInput(f"--steps: the run ends after {timeline.step} steps, before step {moment.step}")
        return
    time = StallDetector(run)
    with Progress("running") as progress, guard_timeline(timeline):
        before = -1
        while before != timeline.frontier:
            before = timeline.frontier
            timeline.seek_time(moment.time, CHUNK)
            time.check()
            check_length(run, moment.time)
            progress.show(min(1.0, run.now / max(moment.time, 1e-9)))


Format = Literal["png", "svg"]
FORMATS: tuple[Format, ...] = ("png", "svg")


@dataclass(frozen=True)
class Target:
    """The pattern of the files' names, in which {name} and {n} stand for the run's name and the picture's number."""

    pattern: str
    format: Format

    def file(self, name: str, number: int) -> str:
        """The name of one file; "-" is the program's output."""
        return self.pattern.replace("{name}", name).replace("{n}", str(number))


def target_of(output: str | None, form: str | None, pictures: int) -> Target:
    """Where so many pictures go, given -o and --format. BadInput if that cannot be."""
    if form is not None and form not in FORMATS:
        raise Place("--format").unknown("format", form, FORMATS)
    chosen = cast(Format | None, form)
    if output is None:
        return Target(("{name}" if pictures == 1 else "{name}-{n}") + f".{chosen or 'png'}", chosen or "png")
    if output == "-":
        if pictures > 1:
            raise Place("-o").wrong(f"expected one picture for the output, got {pictures}")
        return Target("-", chosen or "svg")
    ending = Path(output).suffix.lower().removeprefix(".")
    if ending not in FORMATS:
        raise Place("-o").expected("a name that ends in .png or .svg", output)
    if chosen not in (None, ending):
        raise Place("--format").expected(f"{ending}, as the name has it", chosen)
    if pictures > 1 and "{n}" not in output:
        raise Place("-o").expected(f"a name with {{n}} for a series of {pictures}, such as wait-{{n}}.{ending}", output)
    return Target(output, cast(Format, ending))


Word = TypeVar("Word", bound=str)
SMALLEST, LARGEST = 64, 8_192  # pixels of a side


def add_look_arguments(parser: argparse.ArgumentParser) -> None:
    """Let a command take the look of a picture."""
    how = parser.add_argument_group("how it looks")
    how.add_argument("--size", metavar="WxH", default="1280x720", help="in pixels; 1280x720 unless given")
    how.add_argument("--theme", metavar="NAME", default="light", help=f"{', '.join(NAMES)}; light unless given")
    how.add_argument("--background", metavar="COLOUR", help="transparent or #RRGGBB, in place of the theme's paper")
    how.add_argument("--crop", metavar="PART", default="full", help=f"{', '.join(CROPS)}; full unless given")
    how.add_argument("--pad", metavar="PIXELS", default="0", help="left free on every side")
    for part, meaning in (
        ("legend", "what the shapes mean"),
        ("caption", "a sentence about the step"),
        ("origin", "scenario, seed and step, to open it again"),
    ):
        how.add_argument(f"--{part}", action=argparse.BooleanOptionalAction, default=True, help=meaning)


def look_of(arguments: argparse.Namespace) -> Still:
    """The look that the arguments mean. BadInput if they make no sense."""
    width, height = size_of(arguments.size)
    pad = whole("--pad", arguments.pad, 0, min(width, height) // 4)
    background = arguments.background or ""
    if arguments.background is not None and not re.fullmatch(r"transparent|#[0-9A-Fa-f]{6}", background):
        raise Place("--background").expected("transparent or a colour such as #F6F6F4", background)
    return Still(
        size=(width, height),
        theme=one_of("--theme", "theme", arguments.theme, NAMES),
        crop=one_of("--crop", "part", arguments.crop, CROPS),
        pad=pad,
        background=background,
        legend=arguments.legend,
        caption=arguments.caption,
        reopen=arguments.origin,
        origin=origin_of(arguments),
    )


def size_of(text: str) -> tuple[int, int]:
    """ "1280x720" -> width and height. BadInput for anything else."""
    match = re.fullmatch(r"(\d{1,5})[x×](\d{1,5})", text)
    if not match or not all(SMALLEST <= int(side) <= LARGEST for side in match.groups()):
        raise Place("--size").expected(f"WIDTHxHEIGHT, each from {SMALLEST} to {LARGEST} pixels", text)
    return int(match[1]), int(match[2])


def whole(option: str, text: str, low: int, high: int) -> int:
    """The whole number that an option has been given. BadInput if it is none, or out of range."""
    if not re.fullmatch(r"\d{1,9}", text) or not low <= int(text) <= high:
        raise Place(option).expected(f"a whole number from {low} to {high}", text)
    return int(text)


def one_of(option: str, what: str, text: str, known: Sequence[Word]) -> Word:
    """The word that an option has been given. BadInput if it is none of those known."""
    for word in known:
        if word == text:
            return word
    raise Place(option).unknown(what, text, known)


class Shown(NamedTuple):
    """A picture's file, and what it shows in words."""

    file: str
    words: str


def beamer(pictures: Sequence[Shown]) -> str:
    """For LaTeX; a series as overlays through xmpmulti, which counts from 0 after the last hyphen."""
    first = Path(pictures[0].file)
    if first.suffix == ".svg":
        raise BadInput("--emit: LaTeX shows no SVG; expected a name that ends in .png")
    if len(pictures) == 1:
        return f"\\includegraphics[width=\\textwidth]{{{first.as_posix()}}}"
    stem, hyphen, number = first.stem.rpartition("-")
    if not hyphen or number != "0":
        raise BadInput("--emit: expected -o with -{n} before the ending for Beamer's \\multiinclude")
    options = f"format={first.suffix[1:]},end={len(pictures) - 1},graphics={{width=\\textwidth}}"
    name = first.with_name(stem).as_posix()
    return f"\\usepackage{{xmpmulti}} % in the preamble\n\\multiinclude[<+->][{options}]{{{name}}}"


def reveal(pictures: Sequence[Shown]) -> str:
    """For reveal.js: one on top of the other, each a fragment."""
    kinds = ["", *[' class="fragment"'] * (len(pictures) - 1)]
    lines = [
        f'  <img{kind} src="{escape(file)}" alt="{escape(words)}">'
        for kind, (file, words) in zip(kinds, pictures, strict=True)
    ]
    return "\n".join(['<div class="r-stack">', *lines, "</div>"])


def markdown(pictures: Sequence[Shown]) -> str:
    """One image after the other."""
    return "\n\n".join(f"![{words.translate(_NO_BRACKETS)}](<{file}>)" for file, words in pictures)


_NO_BRACKETS = str.maketrans("[]", "()")

SNIPPETS: dict[str, Callable[[Sequence[Shown]], str]] = {"beamer": beamer, "reveal": reveal, "markdown": markdown}
