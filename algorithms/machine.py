"""What the machine lets a program do."""

import os
import sys

HAS_PROCESSES = sys.platform != "emscripten"
"""Whether threads and other processes can be started, which is not so in a web page."""


def cores() -> int:
    """The number of processes that can run at the same time."""
    if not HAS_PROCESSES:
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
