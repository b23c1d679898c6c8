"""The arguments that say what a picture looks like, and which files pictures go to."""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar, cast

from algorithms.scenario_format.place import Place
from visual.commands.scenario_options import origin_of
from visual.drawing.export import KINDS, Kind
from visual.drawing.shapes import Colour
from visual.drawing.theme import NAMES
from visual.scene.still import CROPS, Still

Word = TypeVar("Word", bound=str)
SMALLEST, LARGEST = 64, 8_192  # pixels of a side
PANELS = ("source", "counters", "plots", "lights")
"""The panels that can be a picture of their own."""


# ---- the look ----------------------------------------------------------------------------------------------


def add_look_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options for a picture's look, and for what it is of."""
    how = parser.add_argument_group("how it looks")
    how.add_argument("--size", metavar="WxH", default="1280x720", help="size in pixels (default: 1280x720)")
    how.add_argument("--theme", metavar="NAME", default="light", help=f"{', '.join(NAMES)} (default: light)")
    how.add_argument("--background", metavar="COLOUR", help="transparent or #RRGGBB, instead of the theme's background")
    how.add_argument("--crop", metavar="PART", default="full", help=f"{', '.join((*CROPS, *PANELS))} (default: full)")
    how.add_argument("--view", metavar="NODE", help="only what a node such as P3 knows")
    how.add_argument("--pad", metavar="PIXELS", default="0", help="margin on every side")
    how.add_argument("--text", metavar="SCALE", default="1", help="size of text, 0.5 to 4 times the usual (default: 1)")
    how.add_argument("--presentation", action="store_true", help="text that can be read in the last row of a hall")
    how.add_argument("--select", metavar="WHAT", help="select a node such as P3, or event:STEP with causes and effects")
    how.add_argument("--future", metavar="hide|dim", help="what is still to come in the diagram (default: hide)")
    how.add_argument(
        "--no-cursor", dest="cursor", action="store_false", help="draw no line at the moment in the diagram"
    )
    for part, words, default in (("title", "a title", "in a full picture"), ("caption", "a caption", "about the step")):
        either = how.add_mutually_exclusive_group()
        either.add_argument(f"--{part}", metavar="TEXT", help=f"{words} of your own (default: {default})")
        either.add_argument(f"--no-{part}", dest=part, action="store_const", const="", help=f"without {words}")
    for part, meaning in (
        ("legend", "draw the legend (default: yes, except for source, counters, plots and lights)"),
        ("origin", "print the command that opens this moment again (default: yes, except in a presentation)"),
    ):
        how.add_argument(f"--{part}", action=argparse.BooleanOptionalAction, default=None, help=meaning)


def look_of(arguments: argparse.Namespace) -> Still:
    """The look that the arguments describe. BadInput if they make no sense."""
    width, height = size_of(arguments.size)
    pad = whole("--pad", arguments.pad, 0, min(width, height) // 4)
    is_panel = arguments.crop in PANELS
    return Still(
        size=(width, height),
        background="" if arguments.background is None else background_of(arguments.background),
        theme=one_of("--theme", "theme", arguments.theme, NAMES),
        crop="full" if is_panel else one_of("--crop", "part", arguments.crop, CROPS),
        pad=pad,
        legend=not is_panel if arguments.legend is None else arguments.legend,
        title=arguments.title,
        caption=arguments.caption,
        reopen=not arguments.presentation if arguments.origin is None else arguments.origin,
        origin=origin_of(arguments),
        text=decimal(Place("--text"), arguments.text, 0.5, 4.0),
        presenting=arguments.presentation,
        selected=selected_of(arguments.select),
        cursor=arguments.cursor,
        ahead=one_of("--future", "way", arguments.future or "hide", ("hide", "dim")) == "dim",
    )


def selected_of(text: str | None) -> str:
    """ "P3", "event:41" or "message:7" -> the id of that shape; "" for None. BadInput for anything else."""
    if text is None:
        return ""
    if match := re.fullmatch(r"P(\d{1,9})|((?:event|message):\d{1,9})", text):
        return f"node:{int(match[1])}" if match[1] else match[2]
    raise Place("--select").expected("a node such as P3, event:STEP or message:NUMBER", text)


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


def decimal(place: Place, text: str, low: float, high: float) -> float:
    """The number at a place, such as an option. BadInput if it is none, or out of range."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not low <= number <= high:
        raise place.expected(f"a number from {low:g} to {high:g}", text)
    return number


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
    """A pattern of file names; {name} stands for the run's name and {n} for the picture's number.

    All pictures are pages of a `book`.
    """

    pattern: str
    format: Kind
    is_book: bool = False

    def file(self, name: str, number: int) -> str:
        """The name of one file; "-" is the standard output."""
        return self.pattern.replace("{name}", name).replace("{n}", str(number))


def files_of(output: str | None, format: str | None, pictures: int) -> FilePattern:
    """The files for a number of pictures, by -o and --format. BadInput if the two do not fit."""
    if format is not None and format not in KINDS:
        raise Place("--format").unknown("format", format, KINDS)
    requested = cast(Kind | None, format)
    if output is None:
        kind = requested or "png"
        is_one = pictures == 1 or kind == "pdf"
        return FilePattern(("{name}" if is_one else "{name}-{n}") + f".{kind}", kind, pictures > 1 and is_one)
    if output == "-":
        if pictures > 1 and requested != "pdf":
            raise Place("-o").wrong(f"expected one picture for the output, got {pictures}")
        return FilePattern("-", requested or "svg", pictures > 1)
    ending = Path(output).suffix.lower().removeprefix(".")
    if ending not in KINDS:
        raise Place("-o").expected("a name that ends in .png, .svg or .pdf", output)
    if requested not in (None, ending):
        raise Place("--format").expected(f"{ending}, as the name has it", requested)
    is_book = pictures > 1 and "{n}" not in output
    if is_book and ending != "pdf":
        raise Place("-o").expected(f"a name with {{n}} for a series of {pictures}, such as wait-{{n}}.{ending}", output)
    return FilePattern(output, cast(Kind, ending), is_book)
