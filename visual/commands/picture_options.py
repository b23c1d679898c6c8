"""The arguments that say how a picture is to look, shared by all commands that make pictures."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from typing import TypeVar

from algorithms.scenario_format.place import Place
from visual.commands.scenario_options import origin_of
from visual.drawing.theme import NAMES
from visual.scene.still import CROPS, Still

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
