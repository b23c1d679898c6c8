"""A watchdog for endless calls of an algorithm's own code.

A thread samples the main thread and raises an exception in a call that has used too much processor time, or sleeps or
waits for too long. Calls that end cost nothing: no call is wrapped or traced. Where there are signals, one carries the
exception, since it also ends a sleep or a lock's wait. A regular expression, or arithmetic with huge numbers, lets no
thread run: then the system's timers send the signal, or end the program with the line on the error stream.
"""

from __future__ import annotations

import atexit
import faulthandler
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from algorithms.authoring.origin import is_algorithm_code, module_of
from algorithms.engine.errors import Endless, Misuse
from algorithms.machine import HAS_PROCESSES

PATIENCE = 5.0  # seconds of processor time for one call
INTERVAL = 0.5  # seconds between two samples
STUCK = 20  # samples of one call that works, sleeps or waits; samples, since a program may be suspended for hours
HOPELESS = 30.0  # seconds of processor time without a sample
_HAS_TIMERS = hasattr(signal, "setitimer")  # and signals for threads
_DEBUGGERS = ("bdb", "pdb")  # modules; a person there takes as long as needed


class _Watchdog(threading.Thread):
    """Samples the main thread while the program runs."""

    def __init__(self) -> None:
        super().__init__(name="watchdog", daemon=True)

    def run(self) -> None:
        last, since, samples = None, 0.0, 0
        while True:
            if _HAS_TIMERS:
                signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE, PATIENCE)
                signal.setitimer(signal.ITIMER_PROF, HOPELESS)
            time.sleep(INTERVAL)
            try:
                call = self._call()
            except Exception:  # the main thread's frames change while they are read: look again next time
                call = None
            samples += 1
            if call is None or call is not last:
                last, since, samples = call, time.process_time(), 0
            elif time.process_time() - since >= PATIENCE or samples >= STUCK:
                since, samples = time.process_time(), 0
                self._interrupt()

    def _call(self) -> FrameType | None:
        """The outermost active call of an algorithm's code."""
        outermost, frame = None, sys._current_frames().get(threading.main_thread().ident or 0)
        while frame is not None:
            if module_of(frame) in _DEBUGGERS:
                return None
            outermost = frame if is_algorithm_code(frame) else outermost
            frame = frame.f_back
        return outermost

    def _interrupt(self) -> None:
        """Raise an exception in the main thread."""
        if _HAS_TIMERS and signal.getsignal(signal.SIGVTALRM) is _raise_endless:
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGVTALRM)
            return
        import ctypes  # rarely needed

        main = ctypes.c_ulong(threading.main_thread().ident or 0)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(main, ctypes.py_object(Endless))


_watchdog = _Watchdog()


def _raise_endless(number: int, frame: FrameType | None) -> None:
    """Raise Endless if the main thread is still within an algorithm's code."""
    while frame is not None:
        if is_algorithm_code(frame):
            raise Endless
        frame = frame.f_back


def _start() -> None:
    if _HAS_TIMERS and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGVTALRM, _raise_endless)
        if sys.__stderr__:
            faulthandler.register(signal.SIGPROF, sys.__stderr__, all_threads=False, chain=True)
        atexit.register(_let_it_end)
    _watchdog.start()


def _let_it_end() -> None:
    """Ignore the timers: Python gives up its handlers first, and may then need seconds to free a large run."""
    faulthandler.unregister(signal.SIGPROF)
    for number in (signal.SIGVTALRM, signal.SIGPROF):
        signal.signal(number, signal.SIG_IGN)


@contextmanager
def no_endless_call() -> Iterator[None]:
    """Misuse, raised within the call, if a call of an algorithm's own code takes too long."""
    if HAS_PROCESSES and not _watchdog.is_alive():  # a web page watches by itself
        _start()
    try:
        yield
    except Endless as interrupt:
        raise misuse_of(interrupt) from None


def misuse_of(interrupt: Endless) -> Misuse:
    """The interruption as an author's mistake, with its location."""
    endless = Misuse(f"it does not come to an end in {PATIENCE:g} s of work")
    return endless.with_traceback(interrupt.__traceback__)
