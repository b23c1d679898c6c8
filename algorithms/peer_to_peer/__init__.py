"""Mutual exclusion on overlays: the overlays, and one algorithm = one file."""
