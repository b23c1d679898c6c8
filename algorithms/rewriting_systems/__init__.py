"""Mutual exclusion as term rewriting: one system of rules = one file."""
