"""The window without its surface: inputs and seconds in, shapes out. The window and a web page share it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from algorithms.engine.gc_pause import spare_old, tidy_up
from visual.drawing.shapes import Shape
from visual.window.desk import Desk
from visual.window.inputs import Input, Tick
from visual.window.memory.unsaved import Memory
from visual.window.panel import HINT_DELAY
from visual.window.state import Interface

if TYPE_CHECKING:
    from visual.window.graph.graphs import Graphs
    from visual.window.screen import Screen

QUIET = 1.0  # seconds without input after which a pause goes unnoticed


class Loop:
    """The desk and its interface, from one frame to the next.

    `graphs` are those of a first frame that was drawn without a screen, whose layouts the screen goes on with.
    """

    def __init__(self, desk: Desk, interface: Interface, memory: Memory | None = None) -> None:
        self.desk = desk
        self.interface = memory.begin(interface) if memory else interface
        self.graphs: Graphs | None = None
        self._memory = memory
        self._shown: Hashable = None  # key of the latest picture
        self._quiet = 0.0  # seconds since the last input or movement

    @cached_property
    def screen(self) -> Screen:
        """The screen after the first frame."""
        from visual.window.screen import Screen  # the first frame does without

        return Screen(self.desk, self.graphs)

    def advance(self, inputs: Iterable[Input], seconds: float) -> bool:
        """Apply the inputs, advance the time and save settings and runs; False once the person quits."""
        given = list(inputs)
        for one in (*given, Tick(seconds)):
            self.apply(one)
        quits = "quit" in self.interface.wishes
        if self._memory:
            self.interface = self._memory.keep_up(self.interface, self.desk, at_once=quits)
        self._grant_wishes()
        self._quiet = 0.0 if given or self.interface.is_moving else self._quiet + seconds
        return not quits

    def apply(self, one: Input) -> None:
        """Apply one input."""
        from visual.window.update import update  # the first frame does without

        self.interface = update(self.interface, self.screen, one)

    def shapes(self, stop: float, *, again: bool = False) -> list[Shape] | None:
        """The picture, None if it is the latest one and need not be shown `again`: a paused window costs nothing.

        After the wall time `stop`, still panels are postponed.
        """
        has_hint = self.interface.pointer.hover_seconds >= HINT_DELAY
        interface = replace(self.interface.with_pointer(hover_seconds=float(has_hint)), clock=0.0)
        desk = self.desk
        present = (interface, desk.revision, desk.place, desk.aim)
        is_behind = self.screen.gallery_work.is_waiting or self.screen.is_behind
        if present == self._shown and not (self.interface.is_moving or is_behind or again):
            return None
        self._shown = present
        return self.screen.shapes(self.interface, stop)

    def tidy_up(self) -> None:
        """Collect garbage when the pause is short and nobody waits."""
        is_long = self.desk.is_long
        spare_old(self.interface.is_moving or is_long)
        if self._quiet >= QUIET and not is_long:
            tidy_up()

    def _grant_wishes(self) -> None:
        """Save what the interface wishes to be saved."""
        wishes = self.interface.wishes
        if not wishes:
            return
        self.interface = replace(self.interface, wishes=())
        from visual.window.memory import saving  # the first frame does without

        for wish in [wish for wish in wishes if wish != "quit"]:
            self.interface = saving.SAVERS[wish](self.interface, self.desk)
