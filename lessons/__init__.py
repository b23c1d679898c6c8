"""Lessons, and the labs that measure the papers again."""
