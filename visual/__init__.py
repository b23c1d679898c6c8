"""Mutoscope on the screen, in pictures and on the command line. Nothing imports it."""
