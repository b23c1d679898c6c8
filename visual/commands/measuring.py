"""Many runs at a time, on this machine or on a cluster, for commands that measure."""

from __future__ import annotations

import argparse
import signal
import sys
import threading
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from types import FrameType

from algorithms.bad_input import BadInput
from lessons.laboratory.lab import Case, Results
from lessons.laboratory.sweep import Store, sweep
from visual.commands.argument_types import positive
from visual.commands.output import ProgressBar, require_extra


def add_worker_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that say where runs are executed."""
    add = parser.add_argument
    add("--jobs", metavar="J", type=positive, help="number of parallel runs (default: one per core)")
    add("--cluster", metavar="ADDRESS", help="run on a dask cluster: the address of its scheduler (tcp://…), or local")


def measured(cases: Mapping[str, Case], seeds: Sequence[int], jobs: int | None, address: str | None) -> Results:
    """Execute the unfinished runs of the cases, under a progress bar. After Ctrl-C, say how to resume."""
    if address is not None:
        require_extra("distributed", "cluster", "a cluster needs")
    try:
        with _stopped_once(), _workers(address), ProgressBar("measuring") as progress:
            return sweep(cases, seeds, Store(), jobs or -1, progress.show)
    except KeyboardInterrupt:
        print("mutoscope: finished runs are kept; the same command resumes from here", file=sys.stderr)
        raise
    except OSError as error:
        raise BadInput(f"{error.filename}: cannot store results there ({error.strerror})") from None


@contextmanager
def _stopped_once() -> Iterator[None]:
    """A context that Ctrl-C or a signal to terminate ends with its workers, undisturbed by a second signal."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    report = threading.excepthook

    def stop(number: int, frame: FrameType | None) -> None:
        for other in before:
            signal.signal(other, signal.SIG_IGN)
        threading.excepthook = lambda arguments: None  # the thread that feeds the workers misses what has been dropped
        warnings.simplefilter("ignore")  # and joblib tells of it
        raise KeyboardInterrupt

    for number in before:
        signal.signal(number, stop)
    try:
        with warnings.catch_warnings():
            yield
    finally:
        threading.excepthook = report
        for number, handler in before.items():
            signal.signal(number, handler)


def _workers(address: str | None) -> AbstractContextManager[None]:
    """A context in which runs are executed on this machine, or on a cluster."""
    if address is None:
        return nullcontext()
    from lessons.laboratory.cluster import on_cluster  # needs dask

    return on_cluster(address)
