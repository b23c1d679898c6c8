"""Mutual exclusion: one algorithm = one file."""
