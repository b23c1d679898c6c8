"""Sentences about a run: its steps, why nodes wait, what a node knows, and alternative texts."""
