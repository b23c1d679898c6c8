"""Questions about a run, and the answers that a copy of the run comes to."""
