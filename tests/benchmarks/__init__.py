"""Speed, as ratios against yardsticks on the same work. Each file prints one JSON object; run them by hand."""

import os

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # whatever imports pygame first: no greeting before the object
