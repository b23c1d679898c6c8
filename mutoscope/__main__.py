"""`python -m mutoscope` is the command `mutoscope`."""

import sys

from visual.command_line import main

sys.exit(main())
