"""Two processes that throw a ball to each other forever."""

from __future__ import annotations

from algorithms.engine.process import Message, MutexProcess


class Ball(Message):
    """What the two processes throw."""


class Throwing(MutexProcess):
    """P0 throws a ball to P1, and whoever has it throws it back."""

    def launch(self):
        if self.id == 0:
            self.send(Ball(), to=1)

    def on_ball(self, ball, sender):
        self.send(ball, to=sender)
