"""Lessons in the window: the card with the present step, its options and the verdict."""
