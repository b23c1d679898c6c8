"""What never ends in an algorithm's own code is interrupted, so that it can be told like any other mistake.

A thread looks now and then which call of such code is under way. In one that has gone on for too much work it raises an
exception: nothing is paid where methods end, and nothing is traced.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from algorithms.authoring.origin import is_of_an_algorithm
from algorithms.engine.errors import Endless, Misuse

PATIENCE = 5.0  # seconds of work in one call
EVERY = 0.5  # seconds between two looks


class _Watchdog(threading.Thread):
    """Looks at the main thread, for as long as the program runs."""

    def __init__(self) -> None:
        super().__init__(name="watchdog", daemon=True)

    def run(self) -> None:
        seen, since = None, 0.0
        while True:
            time.sleep(EVERY)
            try:
                call = self._call()
            except Exception:  # the main thread's frames change while they are read: look again next time
                call = None
            if call is None or call is not seen:
                seen, since = call, time.process_time()
            elif time.process_time() - since >= PATIENCE:
                since = time.process_time()
                self._bite()

    def _call(self) -> FrameType | None:
        """The outermost call of an algorithm's code under way."""
        found, frame = None, sys._current_frames().get(threading.main_thread().ident or 0)
        while frame is not None:
            found = frame if is_of_an_algorithm(frame) else found
            frame = frame.f_back
        return found

    def _bite(self) -> None:
        """Let the main thread meet an exception wherever it is; signals may be switched off, where Ctrl-C is."""
        import ctypes  # hardly ever needed

        main = ctypes.c_ulong(threading.main_thread().ident or 0)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(main, ctypes.py_object(Endless))


_dog = _Watchdog()


@contextmanager
def no_endless_call() -> Iterator[None]:
    """Misuse, raised in the call, if a call of an algorithm's own code takes too long in here."""
    if not _dog.is_alive():
        _dog.start()
    try:
        yield
    except Endless as interrupt:
        raise misuse_of(interrupt) from None


def misuse_of(interrupt: Endless) -> Misuse:
    """What was interrupted, as a mistake with its place."""
    endless = Misuse(f"it does not come to an end in {PATIENCE:g} s of work")
    return endless.with_traceback(interrupt.__traceback__)
