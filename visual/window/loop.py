"""The window without its surface: inputs and seconds in, shapes out. The window and a web page share it."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from algorithms.engine.gc_pause import spare_old, tidy_up
from visual.drawing.shapes import Shape
from visual.window.desk import Desk
from visual.window.inputs import Input, Key, Tick, Typed
from visual.window.memory.unsaved import Memory
from visual.window.panel import HINT_DELAY
from visual.window.state import Interface

if TYPE_CHECKING:
    from visual.window.graph.graphs import Graphs
    from visual.window.screen import Screen

LONGEST_TICK = 0.1  # seconds: after a stall the picture does not jump
QUIET = 1.0  # seconds without input after which a pause goes unnoticed


class Loop:
    """A desk and its interface, from one frame to the next."""

    def __init__(self, desk: Desk, interface: Interface, memory: Memory | None = None) -> None:
        self.desk = desk
        self.interface = memory.begin(interface) if memory else interface
        self._graphs: Graphs | None = None  # those of the first frame, whose layouts the screen goes on with
        self._memory = memory
        self._latest: Hashable = None  # key of the latest picture
        self._quiet = 0.0  # seconds since the last input or movement
        self._is_opening = False  # whether the latest key has opened a text field, and its letter is still to come

    @cached_property
    def screen(self) -> Screen:
        """The screen after the first frame."""
        from visual.window.screen import Screen  # the first frame does without

        return Screen(self.desk, self._graphs)

    def apply(self, input_: Input) -> None:
        """Apply one input."""
        from visual.window.update import update  # the first frame does without

        if isinstance(input_, Typed) and self._is_opening:  # the letter of the key that opened the field is no text
            self._is_opening = False
            return
        had_field = self.interface.field is not None
        self.interface = update(self.interface, self.screen, input_)
        self._is_opening = isinstance(input_, Key) and not had_field and self.interface.field is not None

    def tick(self, seconds: float, *, is_quiet: bool) -> bool:
        """Advance the time, and save settings and runs; False once the person quits. `is_quiet` without inputs."""
        self.apply(Tick(seconds))
        quits = "quit" in self.interface.wishes
        if self._memory:
            self.interface = self._memory.keep_up(self.interface, self.desk, at_once=quits)
        self._grant_wishes()
        self._quiet = self._quiet + seconds if is_quiet and not self.interface.is_moving else 0.0
        return not quits

    @property
    def shown(self) -> Interface:
        """The interface as it is drawn."""
        return self.interface

    def shapes(self, stop: float, *, again: bool) -> list[Shape] | None:
        """The picture; None if it is the latest one and need not be shown `again`: a paused window costs nothing.

        After the wall time `stop`, still panels are postponed.
        """
        shown, desk = self.shown, self.desk
        has_hint = shown.pointer.hover_seconds >= HINT_DELAY
        interface = replace(shown.with_pointer(hover_seconds=float(has_hint)), clock=0.0)
        present = (interface, desk.revisions, desk.place, desk.aim)
        is_behind = self.screen.gallery_work.is_waiting or self.screen.is_behind
        if present == self._latest and not (self.interface.is_moving or is_behind or again):
            return None
        self._latest = present
        return self.screen.shapes(shown, stop)

    def begin(self) -> None:
        """Show the first frame: nothing, without a surface."""

    def turn(self, seconds: float) -> bool:
        """Let time pass without inputs; False once the person quits."""
        return self.tick(seconds, is_quiet=True)

    def end(self) -> int:
        """Close everything; the exit code."""
        self.desk.close()
        return 0

    def tidy_up(self) -> None:
        """Collect garbage when the pause is short and nobody waits."""
        is_long = self.desk.is_long
        spare_old(self.interface.is_moving or is_long)
        if self._quiet >= QUIET and not is_long:
            tidy_up()

    def _grant_wishes(self) -> None:
        """Fulfil the interface's requests."""
        wishes = self.interface.wishes
        if not wishes:
            return
        self.interface = replace(self.interface, wishes=())
        from visual.window.memory import saving  # the first frame does without

        for wish in [wish for wish in wishes if wish != "quit"]:
            self.interface = saving.SAVERS[wish](self.interface, self.desk)
