"""The arguments that say what a picture looks like, and which files pictures go to."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar, cast

from algorithms.scenario_format.place import Place
from visual.commands.scenario_options import origin_of
from visual.drawing.export import Kind
from visual.drawing.shapes import Colour
from visual.drawing.theme import NAMES
from visual.scene.still import CROPS, Still

Word = TypeVar("Word", bound=str)
SMALLEST, LARGEST = 64, 8_192  # pixels of a side
FORMATS: tuple[Kind, ...] = ("png", "svg")


# ---- the look ----------------------------------------------------------------------------------------------


def add_look_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options for a picture's look."""
    how = parser.add_argument_group("how it looks")
    how.add_argument("--size", metavar="WxH", default="1280x720", help="size in pixels (default: 1280x720)")
    how.add_argument("--theme", metavar="NAME", default="light", help=f"{', '.join(NAMES)} (default: light)")
    how.add_argument("--background", metavar="COLOUR", help="transparent or #RRGGBB, instead of the theme's background")
    how.add_argument("--crop", metavar="PART", default="full", help=f"{', '.join(CROPS)} (default: full)")
    how.add_argument("--pad", metavar="PIXELS", default="0", help="margin on every side")
    for part, meaning in (
        ("legend", "draw the legend (default: yes)"),
        ("caption", "draw the caption (default: yes)"),
        ("origin", "print the command that opens this moment again (default: yes)"),
    ):
        how.add_argument(f"--{part}", action=argparse.BooleanOptionalAction, default=None, help=meaning)


def look_of(arguments: argparse.Namespace) -> Still:
    """The look that the arguments describe. BadInput if they make no sense."""
    width, height = size_of(arguments.size)
    pad = whole("--pad", arguments.pad, 0, min(width, height) // 4)
    if arguments.legend and arguments.crop == "spacetime":
        raise Place("--legend").wrong("a space-time diagram has no legend; expected --crop full or graph")
    return Still(
        size=(width, height),
        background="" if arguments.background is None else background_of(arguments.background),
        theme=one_of("--theme", "theme", arguments.theme, NAMES),
        crop=one_of("--crop", "part", arguments.crop, CROPS),
        pad=pad,
        legend=arguments.legend is not False,
        caption=arguments.caption is not False,
        reopen=arguments.origin is not False,
        origin=origin_of(arguments),
    )


def size_of(text: str) -> tuple[int, int]:
    """ "1280x720" -> width and height. BadInput for anything else."""
    match = re.fullmatch(r"(\d{1,5})[x×](\d{1,5})", text)
    if not match or not all(SMALLEST <= int(side) <= LARGEST for side in match.groups()):
        raise Place("--size").expected(f"WIDTHxHEIGHT, each from {SMALLEST} to {LARGEST} pixels", text)
    return int(match[1]), int(match[2])


def background_of(text: str) -> Colour:
    """ "transparent" or "#RRGGBB", unchanged. BadInput for anything else."""
    if not re.fullmatch(r"transparent|#[0-9A-Fa-f]{6}", text):
        raise Place("--background").expected("transparent or a colour such as #F6F6F4", text)
    return text


def whole(option: str, text: str, low: int, high: int) -> int:
    """The whole number that an option has been given. BadInput if it is none, or out of range."""
    if not re.fullmatch(r"\d{1,9}", text) or not low <= int(text) <= high:
        raise Place(option).expected(f"a whole number from {low} to {high}", text)
    return int(text)


def one_of(option: str, what: str, text: str, choices: Sequence[Word]) -> Word:
    """The word that an option has been given. BadInput if it is not among `choices`."""
    for word in choices:
        if word == text:
            return word
    raise Place(option).unknown(what, text, choices)


# ---- the files ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FilePattern:
    """A pattern of file names; {name} stands for the run's name and {n} for the picture's number."""

    pattern: str
    format: Kind

    def file(self, name: str, number: int) -> str:
        """The name of one file; "-" is the standard output."""
        return self.pattern.replace("{name}", name).replace("{n}", str(number))


def files_of(output: str | None, format: str | None, pictures: int) -> FilePattern:
    """The files for a number of pictures, by -o and --format. BadInput if the two do not fit."""
    if format is not None and format not in FORMATS:
        raise Place("--format").unknown("format", format, FORMATS)
    requested = cast(Kind | None, format)
    if output is None:
        return FilePattern(("{name}" if pictures == 1 else "{name}-{n}") + f".{requested or 'png'}", requested or "png")
    if output == "-":
        if pictures > 1:
            raise Place("-o").wrong(f"expected one picture for the output, got {pictures}")
        return FilePattern("-", requested or "svg")
    ending = Path(output).suffix.lower().removeprefix(".")
    if ending not in FORMATS:
        raise Place("-o").expected("a name that ends in .png or .svg", output)
    if requested not in (None, ending):
        raise Place("--format").expected(f"{ending}, as the name has it", requested)
    if pictures > 1 and "{n}" not in output:
        raise Place("-o").expected(f"a name with {{n}} for a series of {pictures}, such as wait-{{n}}.{ending}", output)
    return FilePattern(output, cast(Kind, ending))
