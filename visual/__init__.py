"""Mutoscope on the screen, in pictures and on the command line. No other package but `mutoscope` imports it."""
