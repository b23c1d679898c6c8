"""A link to a moment: the part after the # of a live page's address."""

from __future__ import annotations

import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from urllib.parse import parse_qs

from algorithms import scenario_file
from algorithms.authoring import own_file
from algorithms.bad_input import BadInput
from visual.window.compare import pair_of
from visual.window.desk import Desk

CUT_OFF = "The link's run cannot be read; it may have been cut off. Copy the whole address."


def asked(words: str) -> dict[str, str]:
    """What an address asks for: "open=deferred-reply&step=14" -> its parts; of two equal ones the last counts."""
    return {name: values[-1] for name, values in parse_qs(words).items()}


def step_of(parts: dict[str, str]) -> int:
    """The step that an address asks for, by default the start. BadInput if it is none."""
    words = parts.get("step", "0")
    if not (words.isascii() and words.isdigit() and len(words) < 8):
        raise BadInput(f'step: expected a whole number from 0, got "{words}"')
    return int(words)


def link_to(desk: Desk, known: str) -> str:
    """The link to the present step; "" for a run with an algorithm from a file, which no link can hold.

    `known` is the text of the run that the rest of the address opens.
    """
    if any(own_file.is_file(run.scenario.algorithm) for run in desk.runs):
        return ""
    text, step = text_of(desk), f"step={desk.front.timeline.step}"
    return step if text == known else f"run={_packed(text)}&{step}"


def text_of(desk: Desk) -> str:
    """The run, or the two of them, as a file holds them."""
    return scenario_file.dumps(*pair_of(desk))


def _packed(text: str) -> str:
    return urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")


def unpacked(word: str) -> str:
    """The text of a run in a link. BadInput if there is none."""
    try:
        data, packer = urlsafe_b64decode(word + "=" * (-len(word) % 4)), zlib.decompressobj()
        text = packer.decompress(data, scenario_file.MOST_BYTES).decode()
    except (ValueError, zlib.error):
        raise BadInput(CUT_OFF) from None
    if not packer.eof:
        raise BadInput(CUT_OFF)
    return text
