"""What the machine lets a program do."""

import sys

HAS_PROCESSES = sys.platform != "emscripten"
"""Whether threads and other processes can be started, which is not so in a web page."""
