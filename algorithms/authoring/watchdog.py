"""A watchdog for endless calls of an algorithm's own code.

A thread samples the main thread and raises an exception in a call that has used too much processor time. Calls that end
cost nothing: no call is wrapped or traced.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from algorithms.authoring.origin import is_algorithm_code
from algorithms.engine.errors import Endless, Misuse

PATIENCE = 5.0  # seconds of processor time for one call
INTERVAL = 0.5  # seconds between two samples


class _Watchdog(threading.Thread):
    """Samples the main thread as long as the program runs."""

    def __init__(self) -> None:
        super().__init__(name="watchdog", daemon=True)

    def run(self) -> None:
        last, since = None, 0.0
        while True:
            time.sleep(INTERVAL)
            try:
                call = self._call()
            except Exception:  # the main thread's frames change while they are read: look again next time
                call = None
            if call is None or call is not last:
                last, since = call, time.process_time()
            elif time.process_time() - since >= PATIENCE:
                since = time.process_time()
                self._interrupt()

    def _call(self) -> FrameType | None:
        """The outermost active call of an algorithm's code."""
        outermost, frame = None, sys._current_frames().get(threading.main_thread().ident or 0)
        while frame is not None:
            outermost = frame if is_algorithm_code(frame) else outermost
            frame = frame.f_back
        return outermost

    def _interrupt(self) -> None:
        """Raise an exception in the main thread; signals may be blocked, like Ctrl-C."""
        import ctypes  # rarely needed

        main = ctypes.c_ulong(threading.main_thread().ident or 0)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(main, ctypes.py_object(Endless))


_watchdog = _Watchdog()


@contextmanager
def no_endless_call() -> Iterator[None]:
    """Misuse, raised within the call, if a call of an algorithm's own code takes too long."""
    if not _watchdog.is_alive():
        _watchdog.start()
    try:
        yield
    except Endless as interrupt:
        raise misuse_of(interrupt) from None


def misuse_of(interrupt: Endless) -> Misuse:
    """The interruption as an author's mistake, with its location."""
    endless = Misuse(f"it does not come to an end in {PATIENCE:g} s of work")
    return endless.with_traceback(interrupt.__traceback__)
