"""What the machine lets a program do."""

import os
import sys

IN_PAGE = sys.platform == "emscripten"
"""Whether the program runs in a web page, where a file is what a person drops there, or downloads."""

HAS_PROCESSES = not IN_PAGE
"""Whether threads and other processes can be started."""


def cores() -> int:
    """The number of processes that can run at the same time."""
    if not HAS_PROCESSES:
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
