"""The window in a web page: Python runs in the page, which sends inputs and draws shapes. See assets/web/worker.js."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from algorithms import scenario_file
from algorithms.bad_input import BadInput
from algorithms.clock import wall_clock
from visual.drawing.encoding import ShapeStream
from visual.drawing.shapes import Shape
from visual.drawing.theme import load
from visual.narration.alt_text import alt_text
from visual.window import inputs as kinds
from visual.window.desk import Desk
from visual.window.gallery.cards import SECTIONS
from visual.window.inputs import Input
from visual.window.loop import Loop
from visual.window.memory import settings, unsaved
from visual.window.memory.unsaved import Memory
from visual.window.run_view import RunView
from visual.window.state import Interface, OpenGallery

BUILDING = 0.015  # seconds of a frame after which still panels are postponed: Python takes longer in a page
LONGEST_TICK = 0.1  # seconds: after a pause of the browser the picture does not jump

_KINDS: dict[str, Any] = {
    kind.__name__: kind
    for kind in (
        *(kinds.Key, kinds.Typed, kinds.Press, kinds.Motion, kinds.Release),
        *(kinds.Wheel, kinds.Resize, kinds.SecondaryPress, kinds.Dropped),
    )
}


class LiveWindow:
    """The window of a page of some size, in pixels. It opens a scenario, or by default the gallery.

    `folder` is where files are saved and dropped; the page offers what is new there for download.
    """

    def __init__(self, width: int, height: int, folder: str, scenario: str = "", theme: str = "") -> None:
        run = RunView(scenario_file.load(scenario_file.find(scenario or scenario_file.DEFAULT)))
        memory = Memory(settings.path(), unsaved.folder())
        self._loop = Loop(Desk(run), Interface(), memory)
        interface = self._loop.interface.resized(width, height)
        if theme:
            interface = interface.with_display(theme=theme)
        self._loop.interface = interface if scenario else interface.over(OpenGallery(SECTIONS[0]))
        self._stream = ShapeStream(load(interface.display.theme))
        self._folder = Path(folder)
        self._known = self._files()
        self._said = ""

    def frame(self, inputs: str, seconds: float) -> str:
        """What the page draws, says and offers after these inputs and so much time, as JSON; "" for nothing new.

        An input is a list of the name of its kind and its values: ["Key", "Space"].
        """
        stop = wall_clock() + BUILDING
        for one in json.loads(inputs) if inputs else ():
            self._loop.apply(_input(*one))
        self._loop.tick(min(seconds, LONGEST_TICK), is_quiet=not inputs)
        shapes = self._loop.shapes(stop, again=False)
        self._loop.tidy_up()
        answer = {**self._picture(shapes), **self._words(), **self._news()}
        return json.dumps(answer, ensure_ascii=False, separators=(",", ":")) if answer else ""

    def description(self) -> str:
        """The picture in words."""
        run = self._loop.desk.front
        return alt_text(run.simulation, self._loop.interface.playback.time, run.ledger.breaches)

    def _picture(self, shapes: Iterable[Shape] | None) -> dict[str, Any]:
        if shapes is None:
            return {}
        theme = load(self._loop.interface.display.theme)
        if theme.name != self._stream.theme.name:
            self._stream = ShapeStream(theme)
        fresh, gone, drawn = self._stream.picture(shapes)
        return {"fresh": fresh, "gone": gone, "draw": drawn, "paper": theme.paper}

    def _words(self) -> dict[str, str]:
        """What a screen reader says: a notice or the last step; nothing while the run plays."""
        interface = self._loop.interface
        said = interface.notice.words if interface.notice else self._loop.desk.sentence
        if interface.is_moving or said == self._said:
            return {}
        self._said = said
        return {"say": said}

    def _news(self) -> dict[str, list[str]]:
        """The files that are new in the folder."""
        before, self._known = self._known, self._files()
        new = sorted(self._known - before)
        return {"files": new} if new else {}

    def _files(self) -> set[str]:
        return {str(file) for file in self._folder.iterdir() if file.is_file()}


def _input(kind: str, *values: Any) -> Input:
    """An input. BadInput for a kind that there is not, or values that do not fit it."""
    try:
        one: Input = _KINDS[kind](*values)
    except (KeyError, TypeError):
        raise BadInput(f"expected one of {', '.join(_KINDS)} with its values, got {kind} {values}") from None
    return one
