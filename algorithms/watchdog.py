"""A method of an algorithm that never ends is interrupted, so that it can be told like any other mistake.

A thread looks now and then which call of such a method is under way. In one that has gone on for too much work it
raises an exception: nothing is paid where methods end, and nothing is traced.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from algorithms.engine.misuse import Misuse

PATIENCE = 5.0  # seconds of work in one call
EVERY = 0.5  # seconds between two looks

Mine = Callable[[FrameType], bool]  # whether a frame runs an algorithm's own code


class _Endless(BaseException):
    """Raised in the call that goes on for too long; an author's own `except Exception` does not stop it."""


class _Watchdog(threading.Thread):
    """Looks at the main thread while `guards` are up."""

    def __init__(self) -> None:
        super().__init__(name="watchdog", daemon=True)
        self.guards: list[Mine] = []

    def run(self) -> None:
        seen, since = None, 0.0
        while True:
            time.sleep(EVERY)
            call = self._call()
            if call is None or call is not seen:
                seen, since = call, time.process_time()
            elif time.process_time() - since >= PATIENCE:
                since = time.process_time()
                self._bite()

    def _call(self) -> FrameType | None:
        """The outermost call of an algorithm's code under way."""
        found, guards = None, self.guards[-1:]
        frame = sys._current_frames().get(threading.main_thread().ident or 0) if guards else None
        while frame is not None:
            found = frame if guards[0](frame) else found
            frame = frame.f_back
        return found

    def _bite(self) -> None:
        """Let the main thread meet an exception wherever it is; signals may be switched off, where Ctrl-C is."""
        import ctypes  # hardly ever needed

        main = ctypes.c_ulong(threading.main_thread().ident or 0)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(main, ctypes.py_object(_Endless))


_dog = _Watchdog()


@contextmanager
def no_endless_call(is_mine: Mine) -> Iterator[None]:
    """Misuse, raised in the call, if a call of code that is an algorithm's own takes too long in here."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    if not _dog.is_alive():
        _dog.start()
    _dog.guards.append(is_mine)
    try:
        yield
    except _Endless as interrupt:
        endless = Misuse(f"it does not come to an end, not even after {PATIENCE:g} seconds of work")
        raise endless.with_traceback(interrupt.__traceback__) from None
    finally:
        _dog.guards.pop()
